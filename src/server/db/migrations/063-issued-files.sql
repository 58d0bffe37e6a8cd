-- What left the product as a file, so that anyone who has the file can check whether it is unchanged and current. Without references to
-- accounts and documents: a file that was withdrawn or deleted for good is still known.

-- A file that the product made: an archive or an exported list. Its id is printed in it.
CREATE TABLE packages (
  id uuid PRIMARY KEY,
  -- The account, which may be deleted; null for lists of several accounts.
  account_id uuid,
  -- Equal for repeated requests of the same package: the newest one is current.
  series text NOT NULL,
  -- Equal for packages of a series that differ in nothing but their date and id.
  content text NOT NULL,
  made_at timestamptz NOT NULL,
  -- Null until its download begins.
  issued_at timestamptz
);
CREATE INDEX packages_series ON packages (series, made_at DESC) WHERE issued_at IS NOT NULL;
CREATE INDEX packages_waiting ON packages (made_at) WHERE issued_at IS NULL;

-- SHA-256 of the file, or `zip:` and the digest of an archive, and SHA-256 of the generated files in it.
CREATE TABLE package_checksums (
  checksum text NOT NULL,
  package_id uuid NOT NULL REFERENCES packages ON DELETE CASCADE,
  PRIMARY KEY (checksum, package_id)
);
CREATE INDEX package_checksums_package ON package_checksums (package_id);

-- A document that was downloaded while it was not private, alone or in an archive. A replaced document has another key.
CREATE TABLE issued_documents (
  storage_key text PRIMARY KEY,
  file_id uuid NOT NULL,
  -- Null until its bytes were read.
  checksum text,
  issued_at timestamptz NOT NULL
);
CREATE INDEX issued_documents_checksum ON issued_documents (checksum);

CREATE FUNCTION issued_document_was_read() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE issued_documents SET checksum = NEW.sha256 WHERE storage_key = NEW.storage_key AND checksum IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER account_files_was_read AFTER UPDATE OF sha256 ON account_files
  FOR EACH ROW WHEN (OLD.sha256 IS NULL AND NEW.sha256 IS NOT NULL) EXECUTE FUNCTION issued_document_was_read();
