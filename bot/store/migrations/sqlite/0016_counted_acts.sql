-- What people did that is limited by the hour or the day, a row an act, until a day has passed.
-- recipient: whom an invitation was for; 0: nobody. match: '' where the act is about none.
CREATE TABLE counted_act (
    request    TEXT    NOT NULL,
    act        TEXT    NOT NULL CHECK (act IN ('table', 'thread', 'move', 'invitation', 'export')),
    recipient  INTEGER NOT NULL DEFAULT 0,
    person     INTEGER NOT NULL,
    guild      INTEGER NOT NULL,
    match      TEXT    NOT NULL DEFAULT '',
    at         REAL    NOT NULL,
    PRIMARY KEY (request, act, recipient)
) STRICT, WITHOUT ROWID;

CREATE INDEX counted_act_person ON counted_act (person, act, at);
CREATE INDEX counted_act_recipient ON counted_act (recipient, at);
CREATE INDEX counted_act_at ON counted_act (at);

-- How many threads one member may begin in a day. NULL: as many as the bot allows.
ALTER TABLE server ADD COLUMN threads_per_day INTEGER CHECK (threads_per_day > 0);
