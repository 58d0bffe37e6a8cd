-- Ways into one account for people from outside: an invitation of a person, the share link of the account, a named link, or the preview of one. Everyone who comes in has a user of their own, with access to this account alone.
CREATE TABLE account_grants (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('invite', 'default_link', 'link', 'preview')),
  -- The secret in the link: its hash finds the grant, the sealed text shows the link again.
  token_hash bytea UNIQUE,
  token_sealed bytea,
  -- Of an invitation.
  email citext,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  company_name text NOT NULL DEFAULT '',
  -- Of a named link.
  label text NOT NULL DEFAULT '',
  password_hash text,
  email_code boolean NOT NULL DEFAULT false,
  email_domains text[] NOT NULL DEFAULT '{}',
  may_download boolean NOT NULL DEFAULT true,
  created_by uuid REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  sent_at timestamptz,
  accepted_at timestamptz,
  -- The user who accepted the invitation while signed in with its email, or who made it a user.
  member_id uuid REFERENCES users ON DELETE SET NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  expiry_warned_at timestamptz,
  CHECK ((kind = 'invite') = (email IS NOT NULL))
);
CREATE INDEX account_grants_account ON account_grants (account_id) WHERE revoked_at IS NULL;
CREATE INDEX account_grants_member ON account_grants (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX account_grants_created_by ON account_grants (created_by);
CREATE UNIQUE INDEX account_grants_default ON account_grants (account_id) WHERE kind = 'default_link' AND revoked_at IS NULL;
CREATE UNIQUE INDEX account_grants_invited ON account_grants (account_id, email) WHERE kind = 'invite' AND revoked_at IS NULL;

-- Guests come in by an invitation, visitors by a link. They belong to the company of the account, but share nothing with its members.
ALTER TABLE users
  ADD COLUMN kind text NOT NULL DEFAULT 'member' CHECK (kind IN ('member', 'guest', 'visitor')),
  ADD COLUMN grant_id uuid REFERENCES account_grants ON DELETE CASCADE,
  ADD CHECK ((kind = 'member') = (grant_id IS NULL));
CREATE INDEX users_grant ON users (grant_id) WHERE grant_id IS NOT NULL;
-- Members sign in by email. The same person may have any number of invitations.
DROP INDEX users_email;
CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL AND kind = 'member';
CREATE INDEX users_by_email ON users (email) WHERE deleted_at IS NULL;
-- Only members are found by a search.
DROP TRIGGER users_search ON users;
CREATE TRIGGER users_search AFTER INSERT OR UPDATE OF first_name, last_name, email, company_id, deleted_at ON users
  FOR EACH ROW WHEN (NEW.kind = 'member') EXECUTE FUNCTION search_by('company_id', 'first_name', 'last_name', 'email');
CREATE TRIGGER users_search_gone AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.kind = 'member') EXECUTE FUNCTION search_by('company_id', 'first_name', 'last_name', 'email');

-- A preview ends with the sign-in in which it was opened.
ALTER TABLE sessions ADD COLUMN opened_in uuid, DROP CONSTRAINT sessions_kind_check,
  ADD CONSTRAINT sessions_kind_check CHECK (kind IN ('user', 'challenge', 'preview'));
CREATE INDEX sessions_previews ON sessions (opened_in) WHERE kind = 'preview' AND revoked_at IS NULL;

CREATE OR REPLACE FUNCTION refresh_account_access(account uuid) RETURNS void LANGUAGE sql AS $$
  WITH wanted AS (
    SELECT a.company_id AS principal_id, true AS owner, a.deleted_at IS NULL AS live FROM accounts a WHERE a.id = account
    UNION
    SELECT p.principal_id, false, a.deleted_at IS NULL
      FROM accounts a
      CROSS JOIN LATERAL (
        SELECT a.broker_company_id AS principal_id
        UNION SELECT a.carrier_company_id
        UNION SELECT a.created_by
        UNION SELECT u.user_id FROM account_users u WHERE u.account_id = a.id
        UNION SELECT u.id FROM account_grants g JOIN users u ON u.grant_id = g.id
          WHERE g.account_id = a.id AND g.revoked_at IS NULL AND u.deleted_at IS NULL
      ) p
      WHERE a.id = account AND p.principal_id IS NOT NULL AND p.principal_id <> a.company_id
  ), gone AS (
    DELETE FROM account_access g WHERE g.account_id = account AND g.principal_id NOT IN (SELECT principal_id FROM wanted)
  )
  INSERT INTO account_access (principal_id, account_id, owner, live)
    SELECT principal_id, account, owner, live FROM wanted ORDER BY principal_id
    ON CONFLICT (principal_id, account_id) DO UPDATE SET owner = excluded.owner, live = excluded.live
    WHERE (account_access.owner, account_access.live) IS DISTINCT FROM (excluded.owner, excluded.live)
$$;

CREATE FUNCTION guest_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO account_access (principal_id, account_id, owner, live)
      SELECT NEW.id, a.id, false, a.deleted_at IS NULL FROM account_grants g JOIN accounts a ON a.id = g.account_id
      WHERE g.id = NEW.grant_id AND g.revoked_at IS NULL AND NEW.deleted_at IS NULL;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM account_access WHERE principal_id = OLD.id;
  ELSE
    PERFORM refresh_account_access(g.account_id) FROM account_grants g WHERE g.id = NEW.grant_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_guest_access AFTER INSERT OR UPDATE OF deleted_at ON users
  FOR EACH ROW WHEN (NEW.grant_id IS NOT NULL) EXECUTE FUNCTION guest_access_changed();
CREATE TRIGGER users_guest_gone AFTER DELETE ON users
  FOR EACH ROW WHEN (OLD.grant_id IS NOT NULL) EXECUTE FUNCTION guest_access_changed();

-- Rights change with the end of a grant and with what it allows.
CREATE FUNCTION grant_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_account_access(NEW.account_id);
  UPDATE users SET deactivated_at = deactivated_at WHERE grant_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER account_grants_changed AFTER UPDATE OF revoked_at, expires_at, may_download ON account_grants
  FOR EACH ROW EXECUTE FUNCTION grant_changed();

-- Codes that confirm the email of a visitor.
CREATE TABLE link_codes (
  grant_id uuid NOT NULL REFERENCES account_grants ON DELETE CASCADE,
  email citext NOT NULL,
  code_hash bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (grant_id, email)
);

-- What people from outside have seen. Lines are only added, and leave with the account.
CREATE TABLE grant_visits (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  grant_id uuid NOT NULL REFERENCES account_grants ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  family_id uuid,
  at timestamptz NOT NULL,
  what text NOT NULL CHECK (what IN ('opened', 'viewed', 'downloaded')),
  item_id uuid,
  item_name text,
  person text NOT NULL,
  network text NOT NULL DEFAULT ''
);
CREATE INDEX grant_visits_grant ON grant_visits (grant_id, at DESC);
CREATE INDEX grant_visits_account ON grant_visits (account_id);
CREATE FUNCTION visits_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'Visits are never changed';
END $$;
CREATE TRIGGER grant_visits_stay BEFORE UPDATE OR DELETE ON grant_visits FOR EACH ROW EXECUTE FUNCTION visits_stay();
