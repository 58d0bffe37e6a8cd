-- One valid link to set a password for each user: a newer one replaces the older.
DELETE FROM password_resets r USING password_resets newer
WHERE r.used_at IS NULL AND newer.used_at IS NULL AND newer.user_id = r.user_id
  AND (newer.created_at, newer.token_hash) > (r.created_at, r.token_hash);
CREATE UNIQUE INDEX password_resets_unused ON password_resets (user_id) WHERE used_at IS NULL;

-- For the nightly removal of expired sessions, and for the addresses from which a user has signed in.
CREATE INDEX sessions_expires ON sessions (expires_at);
CREATE INDEX sessions_address ON sessions (user_id, address) WHERE kind = 'user';
