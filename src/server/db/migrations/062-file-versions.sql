-- The files that a document has had, each with its bytes. A document that was never replaced has no row here; the columns of
-- account_files are those of the current file, whose number is `file_number`.
CREATE TABLE file_versions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  file_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  storage_key text NOT NULL UNIQUE,
  file_name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  crc32 bigint,
  sha256 text,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (file_id, number),
  FOREIGN KEY (account_id, file_id) REFERENCES account_files (account_id, id) ON DELETE CASCADE
);
CREATE INDEX file_versions_creator ON file_versions (created_by);

ALTER TABLE account_files ADD COLUMN file_number integer NOT NULL DEFAULT 1;

-- The folder that the file was in when it was uploaded, with `/` between its parts. Null: not known.
ALTER TABLE account_files ADD COLUMN folder text;
