-- The session that this one replaces, until its first call: only then has its answer arrived.
ALTER TABLE sessions ADD COLUMN replaces uuid;
