-- What the server has promised to accept: the key, its owner and the limits; an object without a row here is swept.
CREATE TABLE uploads (
  key text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose text NOT NULL DEFAULT 'document' CHECK (purpose IN ('document', 'import')),
  file_name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL,
  multipart_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  registered_at timestamptz
);
CREATE INDEX uploads_pending ON uploads (created_at) WHERE registered_at IS NULL;

CREATE TABLE account_files (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  storage_key text NOT NULL UNIQUE,
  original_file_name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  -- Null until the bytes were read: an archive waits for them.
  crc32 bigint,
  sha256 text,
  vanity_name text,
  category text NOT NULL DEFAULT 'other',
  private boolean NOT NULL DEFAULT false,
  sov boolean NOT NULL DEFAULT false,
  provided_by_broker boolean NOT NULL DEFAULT false,
  covers_all_properties boolean NOT NULL DEFAULT false,
  report_author_date date,
  version integer NOT NULL DEFAULT 1,
  created_by uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  UNIQUE (account_id, id)
);
CREATE INDEX account_files_list ON account_files (account_id, sov, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX account_files_checksum ON account_files (account_id, sha256) WHERE deleted_at IS NULL;

CREATE TABLE account_file_properties (
  account_id uuid NOT NULL,
  file_id uuid NOT NULL,
  property_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (file_id, property_id),
  FOREIGN KEY (account_id, file_id) REFERENCES account_files (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, property_id) REFERENCES account_properties (account_id, id) ON DELETE CASCADE
);
CREATE INDEX account_file_properties_property ON account_file_properties (property_id);

-- An archive is a layout over stored bytes; nothing is copied.
CREATE TABLE archives (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  requested_by uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  source text NOT NULL CHECK (source IN ('downloadall', 'fileselection')),
  selected_ids uuid[],
  file_name text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'processing', 'accessible', 'failed', 'cancelled')),
  progress_status text NOT NULL DEFAULT 'Collecting files',
  files_processed integer NOT NULL DEFAULT 0,
  total_files integer NOT NULL DEFAULT 0,
  size bigint,
  etag text,
  layout jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX archives_requester ON archives (requested_by, created_at DESC);

CREATE FUNCTION add_file_totals(account uuid, sign integer, is_sov boolean, is_private boolean, files integer, bytes bigint)
RETURNS void LANGUAGE sql AS $$
  UPDATE account_totals SET
    files_sov = files_sov + CASE WHEN is_sov THEN sign * files ELSE 0 END,
    files_disclosed = files_disclosed + CASE WHEN is_sov THEN 0 ELSE sign * files END,
    bytes_sov = bytes_sov + CASE WHEN is_sov THEN sign * bytes ELSE 0 END,
    bytes_disclosed = bytes_disclosed + CASE WHEN is_sov THEN 0 ELSE sign * bytes END,
    private_sov = private_sov + CASE WHEN is_sov AND is_private THEN sign * files ELSE 0 END,
    private_disclosed = private_disclosed + CASE WHEN NOT is_sov AND is_private THEN sign * files ELSE 0 END,
    private_bytes_sov = private_bytes_sov + CASE WHEN is_sov AND is_private THEN sign * bytes ELSE 0 END,
    private_bytes_disclosed = private_bytes_disclosed + CASE WHEN NOT is_sov AND is_private THEN sign * bytes ELSE 0 END
  WHERE account_id = account
$$;

CREATE FUNCTION account_files_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM add_file_totals(account_id, -1, sov, private, count(*)::int, sum(size)::bigint)
      FROM stale WHERE deleted_at IS NULL GROUP BY account_id, sov, private;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM add_file_totals(account_id, 1, sov, private, count(*)::int, sum(size)::bigint)
      FROM fresh WHERE deleted_at IS NULL GROUP BY account_id, sov, private;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER account_files_insert AFTER INSERT ON account_files REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION account_files_counted();
CREATE TRIGGER account_files_update AFTER UPDATE ON account_files REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION account_files_counted();
CREATE TRIGGER account_files_delete AFTER DELETE ON account_files REFERENCING OLD TABLE AS stale
  FOR EACH STATEMENT EXECUTE FUNCTION account_files_counted();
