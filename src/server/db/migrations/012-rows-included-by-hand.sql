-- A row that a person takes for a location keeps what it was read as, so that the choice can be set back.
ALTER TABLE import_rows ADD COLUMN included boolean NOT NULL DEFAULT false;
