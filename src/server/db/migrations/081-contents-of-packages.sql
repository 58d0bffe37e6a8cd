-- What a package of an account lists and for whose rights, and a hash of what it listed when it was made: it is superseded when the same
-- listing has another hash. Null for exported lists, and for packages that were made before.
ALTER TABLE packages ADD COLUMN listing jsonb;
ALTER TABLE packages ADD COLUMN fingerprint text;
