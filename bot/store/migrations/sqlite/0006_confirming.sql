ALTER TABLE person ADD COLUMN always_confirm INTEGER NOT NULL DEFAULT 1 CHECK (always_confirm IN (0, 1));

-- The revision at which the seat's person last confirmed a sentence: a second click on Confirm finds it.
ALTER TABLE draft ADD COLUMN confirmed INTEGER;
