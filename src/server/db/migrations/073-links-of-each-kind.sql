-- A request for a new password, which anyone can make, must not end the link of a welcome email. A user has one unused link of each kind.
ALTER TABLE password_resets ADD COLUMN kind text NOT NULL DEFAULT 'reset' CHECK (kind IN ('reset', 'welcome', 'invited'));
DROP INDEX password_resets_unused;
CREATE UNIQUE INDEX password_resets_unused ON password_resets (user_id, kind) WHERE used_at IS NULL;
