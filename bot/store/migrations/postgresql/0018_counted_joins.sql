-- Joining is counted too.
ALTER TABLE counted_act DROP CONSTRAINT counted_act_act_check;
ALTER TABLE counted_act ADD CHECK (act IN ('table', 'join', 'thread', 'move', 'invitation', 'export'));
