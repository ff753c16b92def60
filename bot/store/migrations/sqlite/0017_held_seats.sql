-- Until a match ends: who held a seat of it and has deleted their data. The mark is a hash under the row's own key,
-- so both go with the row, and nobody can be named by it afterwards.
CREATE TABLE held_seat (
    match  TEXT NOT NULL REFERENCES match (id),
    key    BLOB NOT NULL CHECK (length(key) = 32),
    mark   BLOB NOT NULL CHECK (length(mark) = 32),
    PRIMARY KEY (match, key)
) STRICT, WITHOUT ROWID;
