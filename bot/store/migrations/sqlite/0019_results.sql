-- How each match ended, written with its last row; older matches get theirs from a replay.
CREATE TABLE ending (
    match     TEXT    PRIMARY KEY REFERENCES match (id),
    guild     INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    seats     INTEGER NOT NULL,
    people    INTEGER NOT NULL,
    rated     INTEGER NOT NULL CHECK (rated IN (0, 1)),
    kind      TEXT    NOT NULL CHECK (kind IN ('rules', 'resigned', 'agreed', 'claimed')),
    ended_at  REAL    NOT NULL
) STRICT, WITHOUT ROWID;

-- person: NULL for a computer player. place: from 1. score: NULL in games that count no points.
CREATE TABLE result (
    match      TEXT    NOT NULL REFERENCES match (id),
    seat       INTEGER NOT NULL,
    person     INTEGER,
    level      TEXT    CHECK (level IN ('first', 'middle', 'best')),
    place      INTEGER NOT NULL CHECK (place > 0),
    tied       INTEGER NOT NULL CHECK (tied IN (0, 1)),
    score      INTEGER,
    fate       TEXT    NOT NULL CHECK (fate IN
        ('held', 'resigned', 'late', 'stood_in', 'passed_on', 'computer')),
    sentences  INTEGER NOT NULL CHECK (sentences >= 0),
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX result_person ON result (person) WHERE person IS NOT NULL;
