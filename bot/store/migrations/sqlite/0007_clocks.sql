-- Tables that stand already have no clocks.
ALTER TABLE match ADD COLUMN pace TEXT NOT NULL DEFAULT 'none'
    CHECK (pace IN ('live', 'evening', 'day', 'slow', 'none'));
ALTER TABLE match ADD COLUMN time_up TEXT NOT NULL DEFAULT 'pass' CHECK (time_up IN ('pass', 'computer'));

ALTER TABLE chair ADD COLUMN stand_in INTEGER NOT NULL DEFAULT 0 CHECK (stand_in IN (0, 1));

-- NULL: the chair has no clock. Times are Unix times; until and deadline are NULL while nothing is asked.
ALTER TABLE chair ADD COLUMN reserve REAL;
ALTER TABLE chair ADD COLUMN until REAL;
ALTER TABLE chair ADD COLUMN deadline REAL;
ALTER TABLE chair ADD COLUMN missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0);
ALTER TABLE chair ADD COLUMN overdue INTEGER NOT NULL DEFAULT 0 CHECK (overdue IN (0, 1));

CREATE INDEX chair_deadline ON chair (deadline)
    WHERE deadline IS NOT NULL AND asked = 1 AND overdue = 0 AND withdrawn = 0;

-- More kinds of rows than the first migration knew: a CHECK cannot be changed, so the log is written anew.
CREATE TABLE log_with_clocks (
    match    TEXT    NOT NULL REFERENCES match (id),
    seq      INTEGER NOT NULL CHECK (seq > 0),
    kind     TEXT    NOT NULL CHECK (kind IN
        ('act', 'withdraw', 'agree', 'offer', 'decline', 'lapse', 'claim', 'time_up', 'stand_in', 'back',
         'grant')),
    seat     INTEGER,
    words    TEXT    NOT NULL,
    digest   TEXT    NOT NULL,
    request  TEXT    NOT NULL UNIQUE,
    at       REAL    NOT NULL,
    chain    TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (match, seq),
    CHECK ((seat IS NULL) = (kind = 'agree'))
) STRICT;

-- A row that no version has written stays as it is: it freezes its own match alone.
PRAGMA ignore_check_constraints = ON;
INSERT INTO log_with_clocks
SELECT match, seq, kind, seat, words, digest, request, at, chain FROM log;
PRAGMA ignore_check_constraints = OFF;

DROP TABLE log;
ALTER TABLE log_with_clocks RENAME TO log;

CREATE TRIGGER log_stands BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_stays BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
