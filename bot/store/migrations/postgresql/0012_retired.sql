-- Direct messages that lose their buttons for good, and since when: who answers a click in one looks here.
CREATE TABLE retired (
    message  BIGINT  PRIMARY KEY,
    at       DOUBLE PRECISION NOT NULL
);

CREATE INDEX retired_at ON retired (at);
