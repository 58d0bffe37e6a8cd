-- What an archive contains, to find out whether its documents have changed without reading its layout: the keys of the stored files of all
-- documents in it and of those that it only names, because they could not be read.
ALTER TABLE archives
  ADD COLUMN document_keys text[] NOT NULL DEFAULT '{}',
  ADD COLUMN skipped_ids uuid[] NOT NULL DEFAULT '{}';
-- It is not known of the archives that were made before. They expire, and can be made again.
UPDATE archives SET expires_at = now() WHERE layout IS NOT NULL AND expires_at > now();

-- What a user was sent of a file whose download was interrupted or is made in parts. A download is complete when the parts are.
CREATE TABLE partial_downloads (
  -- The id of an archive or the key of a stored file.
  item text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  sent int8multirange NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (item, user_id)
);
CREATE INDEX partial_downloads_updated ON partial_downloads (updated_at);
CREATE INDEX partial_downloads_user ON partial_downloads (user_id);
