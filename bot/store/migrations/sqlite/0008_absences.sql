-- Where reminders go, and when nobody wants any: hours of the day in a time zone; NULL: there are none.
ALTER TABLE person ADD COLUMN reminders TEXT NOT NULL DEFAULT 'turns'
    CHECK (reminders IN ('turns', 'message', 'mention', 'none'));
ALTER TABLE person ADD COLUMN zone TEXT NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 23);
ALTER TABLE person ADD COLUMN quiet_until INTEGER CHECK (quiet_until BETWEEN 0 AND 23);
-- When a reminder was last sent to them, and when Discord last said that it takes no direct messages for them.
ALTER TABLE person ADD COLUMN reminded_at REAL;
ALTER TABLE person ADD COLUMN unreached_at REAL;

-- One row for each holiday; ended is NULL while it lasts, and ends at the latest when its time is used up.
CREATE TABLE holiday (
    person   INTEGER NOT NULL,
    begun    REAL    NOT NULL,
    latest   REAL    NOT NULL,
    ended    REAL,
    PRIMARY KEY (person, begun)
) STRICT;

CREATE INDEX holiday_now ON holiday (latest) WHERE ended IS NULL;

-- remind_at is NULL where there is nothing more to remind of; nudged: 0 no, 1 to be sent, 2 sent.
ALTER TABLE chair ADD COLUMN remind_at REAL;
ALTER TABLE chair ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0 CHECK (reminded >= 0);
ALTER TABLE chair ADD COLUMN nudged INTEGER NOT NULL DEFAULT 0 CHECK (nudged IN (0, 1, 2));
ALTER TABLE chair ADD COLUMN muted INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1));
-- Whether the chair's person is on holiday, and since when its clock stands still; NULL: it runs.
ALTER TABLE chair ADD COLUMN away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1));
ALTER TABLE chair ADD COLUMN stopped_at REAL;

DROP INDEX chair_deadline;
CREATE INDEX chair_deadline ON chair (deadline)
    WHERE deadline IS NOT NULL AND asked = 1 AND overdue = 0 AND withdrawn = 0 AND stopped_at IS NULL;
CREATE INDEX chair_reminder ON chair (remind_at) WHERE remind_at IS NOT NULL AND stopped_at IS NULL;

-- A match that is over without a result: it was closed, and nothing of it is revealed.
ALTER TABLE match ADD COLUMN closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1));

-- A seat that was offered to somebody, one a match, and who held seats before.
CREATE TABLE seat_offer (
    match    TEXT    PRIMARY KEY REFERENCES match (id),
    seat     INTEGER NOT NULL,
    person   INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    agreed   INTEGER NOT NULL CHECK (agreed IN (0, 1))
) STRICT;

CREATE TABLE former_holder (
    match    TEXT    NOT NULL REFERENCES match (id),
    seat     INTEGER NOT NULL,
    person   INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    at       REAL    NOT NULL,
    PRIMARY KEY (match, seat, at)
) STRICT;

CREATE INDEX former_holder_person ON former_holder (person);

-- More kinds of rows again.
CREATE TABLE log_with_motions (
    match    TEXT    NOT NULL REFERENCES match (id),
    seq      INTEGER NOT NULL CHECK (seq > 0),
    kind     TEXT    NOT NULL CHECK (kind IN
        ('act', 'withdraw', 'agree', 'offer', 'decline', 'lapse', 'claim', 'time_up', 'stand_in', 'back',
         'grant', 'propose', 'consent', 'object', 'pause', 'resume', 'undo', 'replace', 'close')),
    seat     INTEGER,
    words    TEXT    NOT NULL,
    digest   TEXT    NOT NULL,
    request  TEXT    NOT NULL UNIQUE,
    at       REAL    NOT NULL,
    chain    TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (match, seq),
    CHECK ((seat IS NULL) = (kind IN ('agree', 'pause', 'resume', 'close')))
) STRICT;

-- A row that no version has written stays as it is: it freezes its own match alone.
PRAGMA ignore_check_constraints = ON;
INSERT INTO log_with_motions
SELECT match, seq, kind, seat, words, digest, request, at, chain FROM log;
PRAGMA ignore_check_constraints = OFF;

DROP TABLE log;
ALTER TABLE log_with_motions RENAME TO log;

CREATE TRIGGER log_stands BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_stays BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;
