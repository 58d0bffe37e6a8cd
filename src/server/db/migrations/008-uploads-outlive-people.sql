-- The nightly sweep finds the bytes of an unregistered upload by this row, also when the person is deleted for ever.
ALTER TABLE uploads
  ALTER COLUMN user_id DROP NOT NULL,
  DROP CONSTRAINT uploads_user_id_fkey,
  ADD CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE SET NULL;
