-- Languages: chosen by people and servers (empty: Discord's), and their locales at Discord (empty: unknown).
-- Earlier versions stored English for everybody.
UPDATE person SET language = '' WHERE language = 'en';
ALTER TABLE person ADD COLUMN locale TEXT NOT NULL DEFAULT '';
ALTER TABLE server ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE server ADD COLUMN locale TEXT NOT NULL DEFAULT '';

-- People who deleted their data have a small number as their id, and no name instead of an English one.
UPDATE chair SET name = '' WHERE person < 65536 AND name = 'Former player';
UPDATE former_holder SET name = '' WHERE person < 65536 AND name = 'Former player';
UPDATE match SET host_name = '' WHERE host < 65536 AND host_name = 'Former player';
