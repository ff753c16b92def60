-- The house's part of a shuffle, drawn when the table opens; its hash is the commitment. NULL: the table is older.
ALTER TABLE match ADD COLUMN part BLOB CHECK (part IS NULL OR length(part) = 32);

-- The interaction of Start, and of the first Join of whoever took a chair: the seed is mixed from part and ids.
ALTER TABLE match ADD COLUMN start_id TEXT NOT NULL DEFAULT '';
ALTER TABLE chair ADD COLUMN join_id TEXT NOT NULL DEFAULT '';

-- Everybody's first Join at a table that is open, also of those who have left again.
CREATE TABLE first_join (
    match        TEXT    NOT NULL REFERENCES match (id),
    ord          INTEGER NOT NULL,
    person       INTEGER NOT NULL,
    interaction  TEXT    NOT NULL,
    PRIMARY KEY (match, ord),
    UNIQUE (match, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX first_join_person ON first_join (person);

-- The backup that was put back last while a match was on; a row's draws are keyed with it.
ALTER TABLE match ADD COLUMN restore_id TEXT NOT NULL DEFAULT '';
ALTER TABLE log ADD COLUMN restore_id TEXT NOT NULL DEFAULT '';
