-- An invitation ends when its person is deactivated or removed as a user, and sessions by invitations end with them.
CREATE INDEX users_former ON users (email) WHERE kind = 'member' AND (deactivated_at IS NOT NULL OR deleted_at IS NOT NULL);
CREATE INDEX account_grants_email ON account_grants (email) WHERE kind = 'invite';
