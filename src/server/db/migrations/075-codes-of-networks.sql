-- A code works in the network that requested it, so that strangers use up only the attempts of their own. Codes that wait are requested again.
DELETE FROM link_codes;
ALTER TABLE link_codes DROP CONSTRAINT link_codes_pkey, ADD COLUMN network text NOT NULL;
ALTER TABLE link_codes ADD PRIMARY KEY (grant_id, email, network);
