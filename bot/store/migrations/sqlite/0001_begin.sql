CREATE TABLE match (
    id           TEXT    PRIMARY KEY,
    game         TEXT    NOT NULL,
    ruleset      TEXT    NOT NULL,
    seats        INTEGER NOT NULL CHECK (seats > 0),
    options      TEXT    NOT NULL,
    data_hashes  TEXT    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed', 'frozen')),
    seed         BLOB    CHECK (seed IS NULL OR length(seed) = 32),
    commitment   TEXT    NOT NULL,
    host         INTEGER NOT NULL,
    host_name    TEXT    NOT NULL,
    guild        INTEGER NOT NULL,
    channel      INTEGER NOT NULL,
    thread       INTEGER UNIQUE,
    rematch_of   TEXT    REFERENCES match (id),
    opened_at    REAL    NOT NULL,
    started_at   REAL,
    changed_at   REAL    NOT NULL,
    ended_at     REAL,
    CHECK ((seed IS NULL) = (status IN ('open', 'closed')))
) STRICT;

CREATE UNIQUE INDEX match_rematch ON match (rematch_of) WHERE status <> 'closed';
CREATE INDEX match_status ON match (status, ended_at);

CREATE TABLE chair (
    match      TEXT    NOT NULL REFERENCES match (id),
    ord        INTEGER NOT NULL,
    person     INTEGER,
    name       TEXT    NOT NULL,
    seat       INTEGER,
    withdrawn  INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
    asked      INTEGER NOT NULL CHECK (asked IN (0, 1)),
    PRIMARY KEY (match, ord),
    UNIQUE (match, person),
    UNIQUE (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX chair_person ON chair (person) WHERE person IS NOT NULL;

CREATE TABLE invitation (
    match   TEXT    NOT NULL REFERENCES match (id),
    ord     INTEGER NOT NULL,
    person  INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    PRIMARY KEY (match, ord),
    UNIQUE (match, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
    match    TEXT    NOT NULL REFERENCES match (id),
    seq      INTEGER NOT NULL CHECK (seq > 0),
    kind     TEXT    NOT NULL CHECK (kind IN ('act', 'withdraw', 'agree', 'offer', 'decline')),
    seat     INTEGER,
    words    TEXT    NOT NULL,
    digest   TEXT    NOT NULL,
    request  TEXT    NOT NULL UNIQUE,
    at       REAL    NOT NULL,
    PRIMARY KEY (match, seq),
    CHECK ((seat IS NULL) = (kind = 'agree'))
) STRICT;

CREATE TRIGGER log_stands BEFORE UPDATE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TRIGGER log_stays BEFORE DELETE ON log
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only');
END;

CREATE TABLE draft (
    match     TEXT    NOT NULL REFERENCES match (id),
    seat      INTEGER NOT NULL,
    aside     INTEGER NOT NULL CHECK (aside IN (0, 1)),
    words     TEXT    NOT NULL,
    revision  INTEGER NOT NULL,
    cut       INTEGER NOT NULL,
    trail     TEXT    NOT NULL,
    PRIMARY KEY (match, seat, aside)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER draft_goes_on BEFORE UPDATE ON draft WHEN new.revision < old.revision
BEGIN
    SELECT RAISE(ABORT, 'a draft''s revision never goes back');
END;

CREATE TABLE request (
    id      TEXT    PRIMARY KEY,
    match   TEXT    NOT NULL REFERENCES match (id),
    person  INTEGER NOT NULL,
    act     TEXT    NOT NULL,
    answer  TEXT    NOT NULL,
    at      REAL    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    revision  INTEGER PRIMARY KEY AUTOINCREMENT,
    match     TEXT    NOT NULL REFERENCES match (id),
    kind      TEXT    NOT NULL,
    target    TEXT    NOT NULL,
    due       REAL    NOT NULL,
    tries     INTEGER NOT NULL DEFAULT 0,
    error     TEXT    NOT NULL DEFAULT '',
    UNIQUE (match, kind, target)
) STRICT;

CREATE INDEX job_due ON job (due, revision);

CREATE TABLE shown (
    match    TEXT    NOT NULL REFERENCES match (id),
    surface  TEXT    NOT NULL,
    channel  INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    epoch    INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    since    INTEGER NOT NULL,
    PRIMARY KEY (match, surface)
) STRICT, WITHOUT ROWID;

CREATE TABLE person (
    id        INTEGER PRIMARY KEY,
    dms       INTEGER NOT NULL CHECK (dms IN (0, 1)),
    language  TEXT    NOT NULL
) STRICT;

CREATE TABLE preset (
    person  INTEGER NOT NULL,
    game    TEXT    NOT NULL,
    menu    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    PRIMARY KEY (person, game, menu)
) STRICT, WITHOUT ROWID;

CREATE TABLE house (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
