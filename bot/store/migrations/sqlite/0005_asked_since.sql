-- NULL: the seat is not asked, or was asked before this column was there.
ALTER TABLE chair ADD COLUMN asked_at REAL;
