ALTER TABLE match ADD COLUMN version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0);
ALTER TABLE job ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shown ADD COLUMN table_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shown ADD COLUMN digest TEXT NOT NULL DEFAULT '';

-- Earlier versions could lose the word that a board is out of date. Each is looked at once: what a message
-- showed stands in its epoch and version, so that none which is right is sent again.
INSERT OR IGNORE INTO job (match, kind, target, due)
SELECT id, 'board', '', 0 FROM match WHERE status = 'running' AND thread IS NOT NULL;
