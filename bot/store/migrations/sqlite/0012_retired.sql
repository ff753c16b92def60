-- Direct messages that lose their buttons for good, and since when: who answers a click in one looks here.
CREATE TABLE retired (
    message  INTEGER PRIMARY KEY,
    at       REAL    NOT NULL
) STRICT;

CREATE INDEX retired_at ON retired (at);
