-- How well a computer player thinks; NULL: a person sits there, or a computer player without levels.
ALTER TABLE chair ADD COLUMN level TEXT CHECK (level IN ('first', 'middle', 'best'));
-- Whether the table has allowed hints, though people play against each other.
ALTER TABLE match ADD COLUMN hints INTEGER NOT NULL DEFAULT 0 CHECK (hints IN (0, 1));
