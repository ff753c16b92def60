-- Direct messages that lose their buttons for good, and since when: who answers a click in one looks here.
CREATE TABLE retired (
    message  BIGINT  PRIMARY KEY,
    at       DOUBLE PRECISION NOT NULL
);

CREATE INDEX retired_at ON retired (at);

-- The channel of direct messages that an account of the bot has with a person.
CREATE TABLE dm_channel (
    person   BIGINT  NOT NULL,
    account  BIGINT  NOT NULL,
    channel  BIGINT  NOT NULL,
    PRIMARY KEY (person, account)
);
