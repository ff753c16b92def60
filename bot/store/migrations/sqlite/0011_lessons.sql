-- How far people have come with lessons: what they have drafted in each, and whether they have done it.
CREATE TABLE lesson (
    person    INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    lesson    TEXT    NOT NULL,
    words     TEXT    NOT NULL,
    revision  INTEGER NOT NULL CHECK (revision >= 0),
    trail     TEXT    NOT NULL,
    done      INTEGER NOT NULL CHECK (done IN (0, 1)),
    PRIMARY KEY (person, game, lesson)
) STRICT;
