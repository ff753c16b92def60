-- What who manages a server has chosen for it; lists are JSON. NULL: there is no limit of the server's own.
CREATE TABLE server (
    guild     INTEGER PRIMARY KEY,
    opening   TEXT    NOT NULL CHECK (opening IN ('everybody', 'roles', 'managers')),
    roles     TEXT    NOT NULL,
    channels  TEXT    NOT NULL,
    most      INTEGER CHECK (most > 0),
    paces     TEXT    NOT NULL,
    pace      TEXT    NOT NULL CHECK (pace IN ('live', 'evening', 'day', 'slow', 'none'))
) STRICT;
