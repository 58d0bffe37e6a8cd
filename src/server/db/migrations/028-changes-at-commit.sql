-- What commits of the same company or model contend for is written in the round trip of COMMIT: list versions, totals and notifications.

-- The process that changes rights clears its cached sessions at once: the setting names the users and companies ('*' for all) until the end
-- of the transaction. Other processes are notified.
CREATE OR REPLACE FUNCTION announce_rights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(OLD, NEW));
  principal text := coalesce(changed ->> TG_ARGV[0], '');
  named text := coalesce(current_setting('plumbline.rights_changed', true), '');
BEGIN
  PERFORM pg_notify('plumbline_rights', principal);
  IF principal = '' OR length(named) > 4000 THEN
    named := '*';
  ELSIF position(principal IN named) = 0 AND named <> '*' THEN
    named := concat_ws(',', nullif(named, ''), principal);
  END IF;
  PERFORM set_config('plumbline.rights_changed', named, true);
  RETURN NULL;
END $$;
-- An exchange of tokens shortens the life of the old session.
CREATE OR REPLACE TRIGGER sessions_rights AFTER UPDATE OF revoked_at, expires_at OR DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_rights('user_id');
-- A sign-in changes which accounts are new to the user's other sessions.
CREATE OR REPLACE TRIGGER users_rights
  AFTER UPDATE OF company_id, first_name, last_name, email, previous_login_at, deleted_at OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION announce_rights('id');

-- Rows of list_versions and principal_totals for viewers who see everything have this id as their scope.
INSERT INTO list_versions (model, scope_id, version)
  SELECT model, 'ffffffff-ffff-ffff-ffff-ffffffffffff', sum(version) + 1 FROM list_versions GROUP BY model;
INSERT INTO principal_totals (principal_id, accounts)
  SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff', count(*) FROM accounts WHERE deleted_at IS NULL;

CREATE OR REPLACE FUNCTION principal_totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  everything CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  before integer := 0;
  after integer := 0;
  owned integer := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.live THEN
    before := 1;
    owned := owned - OLD.owner::int;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.live THEN
    after := 1;
    owned := owned + NEW.owner::int;
  END IF;
  -- First, so that two transactions with accounts of several companies cannot deadlock.
  IF owned <> 0 THEN
    UPDATE principal_totals SET accounts = accounts + owned WHERE principal_id = everything;
  END IF;
  IF before <> after THEN
    INSERT INTO principal_totals (principal_id, accounts) VALUES (coalesce(NEW.principal_id, OLD.principal_id), after - before)
      ON CONFLICT (principal_id) DO UPDATE SET accounts = principal_totals.accounts + excluded.accounts;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER account_access_totals ON account_access;
CREATE CONSTRAINT TRIGGER account_access_totals AFTER INSERT OR UPDATE OR DELETE ON account_access
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION principal_totals_changed();

-- A commit with changes is visible to other users shortly before it is on the disk (db/kysely-pool.ts). The version of a list that a crash
-- discards may therefore have been read already, and must not be used again: versions are times in microseconds.
ALTER TABLE list_versions ALTER COLUMN version SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

-- Moves changed accounts to the front, raises the versions of changed lists and notifies the other processes. Returns the setting above.
-- `changes` are those of the transaction, `touched` and `registers` the accounts with any change and with changed property values.
CREATE FUNCTION publish_changes(changes jsonb, touched uuid[], registers uuid[], changed timestamptz, notices jsonb)
  RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- FOR NO KEY UPDATE, because each new file or property already locks its account by the foreign key, and a stronger lock would deadlock
  -- with those. An account that this transaction created is at the front already.
  UPDATE accounts SET updated_at = changed, register_version = register_version + (id = ANY(registers))::int
    WHERE id IN (SELECT a.id FROM accounts a WHERE a.id = ANY(touched) AND (a.created_at <> now() OR a.id = ANY(registers))
      ORDER BY a.id FOR NO KEY UPDATE);
  -- Rows are locked in one order, so that two transactions that touch the same scopes cannot deadlock.
  WITH change AS MATERIALIZED (
    SELECT DISTINCT * FROM jsonb_to_recordset(changes) AS c (model text, "inAccount" uuid, "for" uuid[], everywhere boolean)
  )
  INSERT INTO list_versions (model, scope_id)
    SELECT model, "inAccount" FROM change WHERE "inAccount" IS NOT NULL
    UNION SELECT model, unnest("for") FROM change
    UNION SELECT model, '00000000-0000-0000-0000-000000000000' FROM change WHERE everywhere
    UNION SELECT model, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM change
    UNION SELECT 'accounts', 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM change WHERE "inAccount" IS NOT NULL
    UNION SELECT shown, g.principal_id FROM change JOIN account_access g ON g.account_id = "inAccount", unnest(ARRAY[model, 'accounts']) shown
    ORDER BY 1, 2
  ON CONFLICT (model, scope_id) DO UPDATE SET version = greatest(list_versions.version + 1, excluded.version), changed_at = now();
  PERFORM pg_notify('plumbline_changes', notice) FROM jsonb_array_elements_text(notices) notice;
  RETURN current_setting('plumbline.rights_changed', true);
END $$;
