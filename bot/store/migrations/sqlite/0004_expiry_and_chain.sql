-- Tables that are open already wait one more day for players.
INSERT OR IGNORE INTO job (match, kind, target, due)
SELECT id, 'expire', '', CAST(strftime('%s', 'now') AS REAL) + 86400.0 FROM match WHERE status = 'open';

-- Rows that stand already have none: a match's first new row covers them.
ALTER TABLE log ADD COLUMN chain TEXT NOT NULL DEFAULT '';
