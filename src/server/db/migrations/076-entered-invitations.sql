-- The sign-in in which a user opened an account from the list of invitations: the session ends with it.
ALTER TABLE sessions ADD COLUMN entered_in uuid;
CREATE INDEX sessions_entered ON sessions (entered_in) WHERE entered_in IS NOT NULL AND revoked_at IS NULL;
