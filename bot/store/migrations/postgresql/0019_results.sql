-- How each match ended, written with its last row; older matches get theirs from a replay.
CREATE TABLE ending (
    match     TEXT    PRIMARY KEY REFERENCES match (id),
    guild     BIGINT  NOT NULL,
    game      TEXT    NOT NULL,
    seats     BIGINT  NOT NULL,
    people    BIGINT  NOT NULL,
    rated     BIGINT  NOT NULL CHECK (rated IN (0, 1)),
    kind      TEXT    NOT NULL CHECK (kind IN ('rules', 'resigned', 'agreed', 'claimed')),
    ended_at  DOUBLE PRECISION NOT NULL
);

-- person: NULL for a computer player. place: from 1. score: NULL in games that count no points.
CREATE TABLE result (
    match      TEXT    NOT NULL REFERENCES match (id),
    seat       BIGINT  NOT NULL,
    person     BIGINT,
    level      TEXT    CHECK (level IN ('first', 'middle', 'best')),
    place      BIGINT  NOT NULL CHECK (place > 0),
    tied       BIGINT  NOT NULL CHECK (tied IN (0, 1)),
    score      BIGINT,
    fate       TEXT    NOT NULL CHECK (fate IN
        ('held', 'resigned', 'late', 'stood_in', 'passed_on', 'computer')),
    sentences  BIGINT  NOT NULL CHECK (sentences >= 0),
    PRIMARY KEY (match, seat)
);

CREATE INDEX result_person ON result (person) WHERE person IS NOT NULL;
