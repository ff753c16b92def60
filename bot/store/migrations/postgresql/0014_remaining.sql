-- What the clocks had left before a row that may be taken back: [seat, reserve, allowance, total] for each, in seconds.
ALTER TABLE log ADD COLUMN remaining TEXT;
