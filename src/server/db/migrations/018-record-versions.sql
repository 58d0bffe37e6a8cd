-- Subscriptions and roles are edited like every other record: a save carries the version it is based on.
ALTER TABLE subscriptions ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE roles ADD COLUMN version integer NOT NULL DEFAULT 1;
