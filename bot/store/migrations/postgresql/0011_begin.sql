-- All that SQLite's migrations 1 to 11 have made, under the same names and with the same meaning: later ones
-- have the same number in both folders. Truth values are numbers, and lists are JSON, as there.
CREATE TABLE migration (
    number  BIGINT       PRIMARY KEY,
    at      TIMESTAMPTZ  NOT NULL DEFAULT now()
);

CREATE TABLE match (
    id           TEXT    PRIMARY KEY,
    game         TEXT    NOT NULL,
    ruleset      TEXT    NOT NULL,
    seats        BIGINT  NOT NULL CHECK (seats > 0),
    options      TEXT    NOT NULL,
    data_hashes  TEXT    NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed', 'frozen')),
    seed         BYTEA   CHECK (seed IS NULL OR length(seed) = 32),
    commitment   TEXT    NOT NULL,
    host         BIGINT  NOT NULL,
    host_name    TEXT    NOT NULL,
    guild        BIGINT  NOT NULL,
    channel      BIGINT  NOT NULL,
    thread       BIGINT  UNIQUE,
    rematch_of   TEXT    REFERENCES match (id),
    opened_at    DOUBLE PRECISION NOT NULL,
    started_at   DOUBLE PRECISION,
    changed_at   DOUBLE PRECISION NOT NULL,
    ended_at     DOUBLE PRECISION,
    theme        TEXT    NOT NULL DEFAULT 'default' CHECK (length(theme) BETWEEN 1 AND 32),
    version      BIGINT  NOT NULL DEFAULT 0 CHECK (version >= 0),
    pace         TEXT    NOT NULL DEFAULT 'none' CHECK (pace IN ('live', 'evening', 'day', 'slow', 'none')),
    time_up      TEXT    NOT NULL DEFAULT 'pass' CHECK (time_up IN ('pass', 'computer')),
    closed       BIGINT  NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    hints        BIGINT  NOT NULL DEFAULT 0 CHECK (hints IN (0, 1)),
    CHECK ((seed IS NULL) = (status IN ('open', 'closed')))
);

CREATE UNIQUE INDEX match_rematch ON match (rematch_of) WHERE status <> 'closed';
CREATE INDEX match_status ON match (status, ended_at);

CREATE TABLE chair (
    match      TEXT    NOT NULL REFERENCES match (id),
    ord        BIGINT  NOT NULL,
    person     BIGINT,
    name       TEXT    NOT NULL,
    seat       BIGINT,
    withdrawn  BIGINT  NOT NULL CHECK (withdrawn IN (0, 1)),
    asked      BIGINT  NOT NULL CHECK (asked IN (0, 1)),
    asked_at   DOUBLE PRECISION,
    stand_in   BIGINT  NOT NULL DEFAULT 0 CHECK (stand_in IN (0, 1)),
    reserve    DOUBLE PRECISION,
    until      DOUBLE PRECISION,
    deadline   DOUBLE PRECISION,
    missed     BIGINT  NOT NULL DEFAULT 0 CHECK (missed >= 0),
    overdue    BIGINT  NOT NULL DEFAULT 0 CHECK (overdue IN (0, 1)),
    remind_at  DOUBLE PRECISION,
    reminded   BIGINT  NOT NULL DEFAULT 0 CHECK (reminded >= 0),
    nudged     BIGINT  NOT NULL DEFAULT 0 CHECK (nudged IN (0, 1, 2)),
    muted      BIGINT  NOT NULL DEFAULT 0 CHECK (muted IN (0, 1)),
    away       BIGINT  NOT NULL DEFAULT 0 CHECK (away IN (0, 1)),
    stopped_at DOUBLE PRECISION,
    level      TEXT    CHECK (level IN ('first', 'middle', 'best')),
    PRIMARY KEY (match, ord),
    UNIQUE (match, person),
    UNIQUE (match, seat)
);

CREATE INDEX chair_person ON chair (person) WHERE person IS NOT NULL;
CREATE INDEX chair_deadline ON chair (deadline)
    WHERE deadline IS NOT NULL AND asked = 1 AND overdue = 0 AND withdrawn = 0 AND stopped_at IS NULL;
CREATE INDEX chair_reminder ON chair (remind_at) WHERE remind_at IS NOT NULL AND stopped_at IS NULL;

CREATE TABLE invitation (
    match   TEXT    NOT NULL REFERENCES match (id),
    ord     BIGINT  NOT NULL,
    person  BIGINT  NOT NULL,
    name    TEXT    NOT NULL,
    PRIMARY KEY (match, ord),
    UNIQUE (match, person)
);

CREATE TABLE log (
    match    TEXT    NOT NULL REFERENCES match (id),
    seq      BIGINT  NOT NULL CHECK (seq > 0),
    kind     TEXT    NOT NULL CHECK (kind IN
        ('act', 'withdraw', 'agree', 'offer', 'decline', 'lapse', 'claim', 'time_up', 'stand_in', 'back',
         'grant', 'propose', 'consent', 'object', 'pause', 'resume', 'undo', 'replace', 'close')),
    seat     BIGINT,
    words    TEXT    NOT NULL,
    digest   TEXT    NOT NULL,
    request  TEXT    NOT NULL UNIQUE,
    at       DOUBLE PRECISION NOT NULL,
    chain    TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (match, seq),
    CHECK ((seat IS NULL) = (kind IN ('agree', 'pause', 'resume', 'close')))
);

CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END $$;

CREATE TRIGGER log_stands BEFORE UPDATE OR DELETE ON log
    FOR EACH ROW EXECUTE FUNCTION log_is_append_only();
CREATE TRIGGER log_stays BEFORE TRUNCATE ON log
    FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only();

CREATE TABLE draft (
    match      TEXT    NOT NULL REFERENCES match (id),
    seat       BIGINT  NOT NULL,
    aside      BIGINT  NOT NULL CHECK (aside IN (0, 1)),
    words      TEXT    NOT NULL,
    revision   BIGINT  NOT NULL,
    cut        BIGINT  NOT NULL,
    trail      TEXT    NOT NULL,
    confirmed  BIGINT,
    PRIMARY KEY (match, seat, aside)
);

CREATE FUNCTION draft_revision_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a draft''s revision never goes back';
END $$;

CREATE TRIGGER draft_goes_on BEFORE UPDATE ON draft
    FOR EACH ROW WHEN (NEW.revision < OLD.revision) EXECUTE FUNCTION draft_revision_goes_on();

CREATE TABLE request (
    id      TEXT    PRIMARY KEY,
    match   TEXT    NOT NULL REFERENCES match (id),
    person  BIGINT  NOT NULL,
    act     TEXT    NOT NULL,
    answer  TEXT    NOT NULL,
    at      DOUBLE PRECISION NOT NULL
);

CREATE TABLE job (
    revision  BIGINT  GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    match     TEXT    NOT NULL REFERENCES match (id),
    kind      TEXT    NOT NULL,
    target    TEXT    NOT NULL,
    due       DOUBLE PRECISION NOT NULL,
    tries     BIGINT  NOT NULL DEFAULT 0,
    error     TEXT    NOT NULL DEFAULT '',
    version   BIGINT  NOT NULL DEFAULT 0,
    UNIQUE (match, kind, target)
);

CREATE INDEX job_due ON job (due, revision);
-- What somebody waits for, which is claimed first: thousands of the others may be due after a start.
CREATE INDEX job_urgent ON job (due, revision)
    WHERE kind NOT IN ('film', 'absentees', 'idle', 'expire', 'archive', 'review', 'check');

CREATE TABLE shown (
    match          TEXT    NOT NULL REFERENCES match (id),
    surface        TEXT    NOT NULL,
    channel        BIGINT  NOT NULL,
    message        BIGINT  NOT NULL,
    epoch          BIGINT  NOT NULL,
    version        BIGINT  NOT NULL,
    since          BIGINT  NOT NULL,
    table_version  BIGINT  NOT NULL DEFAULT 0,
    digest         TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (match, surface)
);

CREATE TABLE person (
    id              BIGINT  PRIMARY KEY,
    dms             BIGINT  NOT NULL CHECK (dms IN (0, 1)),
    language        TEXT    NOT NULL,
    theme           TEXT    NOT NULL DEFAULT 'default' CHECK (length(theme) BETWEEN 1 AND 32),
    always_confirm  BIGINT  NOT NULL DEFAULT 1 CHECK (always_confirm IN (0, 1)),
    reminders       TEXT    NOT NULL DEFAULT 'turns'
        CHECK (reminders IN ('turns', 'message', 'mention', 'none')),
    zone            TEXT    NOT NULL DEFAULT '',
    quiet_from      BIGINT  CHECK (quiet_from BETWEEN 0 AND 23),
    quiet_until     BIGINT  CHECK (quiet_until BETWEEN 0 AND 23),
    reminded_at     DOUBLE PRECISION,
    unreached_at    DOUBLE PRECISION
);

CREATE TABLE preset (
    person  BIGINT  NOT NULL,
    game    TEXT    NOT NULL,
    menu    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    PRIMARY KEY (person, game, menu)
);

CREATE TABLE house (
    key    TEXT  PRIMARY KEY,
    value  TEXT  NOT NULL
);

CREATE TABLE holiday (
    person   BIGINT  NOT NULL,
    begun    DOUBLE PRECISION NOT NULL,
    latest   DOUBLE PRECISION NOT NULL,
    ended    DOUBLE PRECISION,
    PRIMARY KEY (person, begun)
);

CREATE INDEX holiday_now ON holiday (latest) WHERE ended IS NULL;

CREATE TABLE seat_offer (
    match    TEXT    PRIMARY KEY REFERENCES match (id),
    seat     BIGINT  NOT NULL,
    person   BIGINT  NOT NULL,
    name     TEXT    NOT NULL,
    agreed   BIGINT  NOT NULL CHECK (agreed IN (0, 1))
);

CREATE TABLE former_holder (
    match    TEXT    NOT NULL REFERENCES match (id),
    seat     BIGINT  NOT NULL,
    person   BIGINT  NOT NULL,
    name     TEXT    NOT NULL,
    at       DOUBLE PRECISION NOT NULL,
    -- As SQLite numbers rows: in the order in which they were added.
    rowid    BIGINT  GENERATED BY DEFAULT AS IDENTITY,
    PRIMARY KEY (match, seat, at)
);

CREATE INDEX former_holder_person ON former_holder (person);

CREATE TABLE server (
    guild     BIGINT  PRIMARY KEY,
    opening   TEXT    NOT NULL CHECK (opening IN ('everybody', 'roles', 'managers')),
    roles     TEXT    NOT NULL,
    channels  TEXT    NOT NULL,
    most      BIGINT  CHECK (most > 0),
    paces     TEXT    NOT NULL,
    pace      TEXT    NOT NULL CHECK (pace IN ('live', 'evening', 'day', 'slow', 'none'))
);

CREATE TABLE lesson (
    person    BIGINT  NOT NULL,
    game      TEXT    NOT NULL,
    lesson    TEXT    NOT NULL,
    words     TEXT    NOT NULL,
    revision  BIGINT  NOT NULL CHECK (revision >= 0),
    trail     TEXT    NOT NULL,
    done      BIGINT  NOT NULL CHECK (done IN (0, 1)),
    PRIMARY KEY (person, game, lesson)
);

-- Which process carries out a match's jobs, and until when. Only PostgreSQL has it: nobody shares SQLite.
CREATE TABLE lease (
    match   TEXT         PRIMARY KEY REFERENCES match (id),
    holder  TEXT         NOT NULL DEFAULT '',
    until   TIMESTAMPTZ  NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);

CREATE INDEX lease_holder ON lease (holder) WHERE holder <> '';

CREATE FUNCTION match_has_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lease (match) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER match_gets_lease AFTER INSERT ON match FOR EACH ROW EXECUTE FUNCTION match_has_lease();
