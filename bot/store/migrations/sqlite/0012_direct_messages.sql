-- Direct messages that lose their buttons for good, and since when: who answers a click in one looks here.
CREATE TABLE retired (
    message  INTEGER PRIMARY KEY,
    at       REAL    NOT NULL
) STRICT;

CREATE INDEX retired_at ON retired (at);

-- The channel of direct messages that an account of the bot has with a person.
CREATE TABLE dm_channel (
    person   INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    channel  INTEGER NOT NULL,
    PRIMARY KEY (person, account)
) STRICT, WITHOUT ROWID;
