-- Notifications name what they are about, so that one whose record the user can no longer see is neither shown nor mailed.
ALTER TABLE notifications
  ADD COLUMN account_id uuid REFERENCES accounts ON DELETE CASCADE,
  ADD COLUMN subject_model text,
  ADD COLUMN subject_id uuid,
  ADD COLUMN delivery text NOT NULL DEFAULT 'page' CHECK (delivery IN ('page', 'email', 'digest')),
  ADD COLUMN mailed_at timestamptz,
  -- At most one notification with the same key reaches a user, also if the job that sends it runs twice.
  ADD COLUMN once_key text;
UPDATE notifications SET account_id = a.id, subject_model = 'imports', subject_id = (link -> 'child' ->> 'model_id')::uuid
  FROM accounts a WHERE link ->> 'model' = 'accounts' AND a.id = (link ->> 'model_id')::uuid AND link -> 'child' ->> 'model' = 'imports';
-- Of imports before their links had ids: nothing says which document they name.
DELETE FROM notifications WHERE account_id IS NULL;
CREATE UNIQUE INDEX notifications_once ON notifications (user_id, once_key) WHERE once_key IS NOT NULL;
CREATE INDEX notifications_digest ON notifications (user_id, created_at) WHERE delivery = 'digest' AND mailed_at IS NULL;
CREATE INDEX notifications_account ON notifications (account_id);
CREATE INDEX notifications_created ON notifications (created_at);

-- How a user gets notifications of a kind; without a row, as contract/notifications.ts says.
CREATE TABLE notification_preferences (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  delivery text NOT NULL CHECK (delivery IN ('page', 'email', 'digest', 'off')),
  PRIMARY KEY (user_id, kind)
);

-- Documents that the next notification about new documents of their account counts.
CREATE TABLE new_files (
  file_id uuid PRIMARY KEY REFERENCES account_files ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE
);
CREATE INDEX new_files_account ON new_files (account_id);
