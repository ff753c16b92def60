-- Joining is counted too: a column's check cannot be changed, so the table is written anew.
CREATE TABLE new_counted_act (
    request    TEXT    NOT NULL,
    act        TEXT    NOT NULL CHECK (act IN ('table', 'join', 'thread', 'move', 'invitation', 'export')),
    recipient  INTEGER NOT NULL DEFAULT 0,
    person     INTEGER NOT NULL,
    guild      INTEGER NOT NULL,
    match      TEXT    NOT NULL DEFAULT '',
    at         REAL    NOT NULL,
    PRIMARY KEY (request, act, recipient)
) STRICT, WITHOUT ROWID;

INSERT INTO new_counted_act SELECT * FROM counted_act;
DROP TABLE counted_act;
ALTER TABLE new_counted_act RENAME TO counted_act;

CREATE INDEX counted_act_person ON counted_act (person, act, at);
CREATE INDEX counted_act_recipient ON counted_act (recipient, at);
CREATE INDEX counted_act_at ON counted_act (at);
