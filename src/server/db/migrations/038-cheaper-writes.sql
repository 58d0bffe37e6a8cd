-- What each new account and each commit costs: fewer statements, and no checks of rows that triggers derive.

-- Rows of these tables are written by triggers only. Checking that their account exists took longer than writing them.
ALTER TABLE account_access DROP CONSTRAINT account_access_account_id_fkey;
ALTER TABLE account_totals DROP CONSTRAINT account_totals_account_id_fkey;
CREATE FUNCTION account_destroyed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM account_access WHERE account_id = OLD.id;
  DELETE FROM account_totals WHERE account_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_destroyed AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION account_destroyed();

-- One trigger for a new account, which has no earlier access or search entry. The company is the owner, also if it is named again.
CREATE FUNCTION account_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_totals (account_id) VALUES (NEW.id);
  INSERT INTO account_access (principal_id, account_id, owner, live)
    SELECT DISTINCT principal, NEW.id, principal = NEW.company_id, NEW.deleted_at IS NULL
    FROM unnest(ARRAY[NEW.company_id, NEW.broker_company_id, NEW.carrier_company_id, NEW.created_by]) AS principal
    WHERE principal IS NOT NULL ORDER BY principal;
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    VALUES ('accounts', NEW.id, NEW.company_id, NEW.id,
      lower(concat_ws(' ', NEW.name, NEW.account_number, NEW.broker_name, NEW.carrier_name)), now());
  RETURN NULL;
END $$;
ALTER FUNCTION account_created() SET plan_cache_mode = force_generic_plan;
CREATE TRIGGER accounts_created AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION account_created();
DROP TRIGGER accounts_totals ON accounts;
DROP FUNCTION accounts_made();
CREATE OR REPLACE TRIGGER accounts_access AFTER UPDATE OF company_id, broker_company_id, carrier_company_id, created_by, deleted_at
  ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_access_changed();
CREATE OR REPLACE FUNCTION accounts_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_account_access(NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER accounts_search
  AFTER UPDATE OF name, account_number, broker_name, carrier_name, company_id, deleted_at OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION search_by('company_id', 'name', 'account_number', 'broker_name', 'carrier_name');

-- The totals of a principal and of viewers who see everything in one statement. That row is first in each, so that two transactions with
-- accounts of several companies cannot deadlock.
CREATE OR REPLACE FUNCTION principal_totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  everything CONSTANT uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  change integer := 0;
  owned integer := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.live THEN
    change := -1;
    owned := -OLD.owner::int;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.live THEN
    change := change + 1;
    owned := owned + NEW.owner::int;
  END IF;
  IF owned = 0 AND change = 0 THEN
    RETURN NULL;
  ELSIF owned = 0 THEN
    INSERT INTO principal_totals (principal_id, accounts) VALUES (coalesce(NEW.principal_id, OLD.principal_id), change)
      ON CONFLICT (principal_id) DO UPDATE SET accounts = principal_totals.accounts + excluded.accounts;
  ELSE
    INSERT INTO principal_totals (principal_id, accounts) VALUES (everything, owned), (coalesce(NEW.principal_id, OLD.principal_id), change)
      ON CONFLICT (principal_id) DO UPDATE SET accounts = principal_totals.accounts + excluded.accounts;
  END IF;
  RETURN NULL;
END $$;
ALTER FUNCTION principal_totals_changed() SET plan_cache_mode = force_generic_plan;

-- Moves changed accounts to the front, raises the versions of changed lists and notifies the other processes. Returns the setting with the
-- changed rights. `models` and `scopes` are pairs: whose lists of which model changed. The lists of `shown_models` changed for all who have
-- access to the account at the same place of `shown_accounts`. `touched` and `registers` are accounts with any change, without new ones, and
-- with changed property values.
DROP FUNCTION publish_changes(jsonb, uuid[], uuid[], timestamptz, jsonb);
CREATE FUNCTION publish_changes(models text[], scopes uuid[], shown_models text[], shown_accounts uuid[], touched uuid[], registers uuid[],
  changed timestamptz, notices text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  notice text;
  nothing text;
BEGIN
  -- FOR NO KEY UPDATE, because each new file or property already locks its account by the foreign key, and a stronger lock would deadlock
  -- with those.
  IF touched <> '{}' THEN
    UPDATE accounts SET updated_at = changed, register_version = register_version + (id = ANY(registers))::int
      WHERE id IN (SELECT a.id FROM accounts a WHERE a.id = ANY(touched) ORDER BY a.id FOR NO KEY UPDATE);
  END IF;
  -- Rows are locked in one order, so that two transactions that touch the same scopes cannot deadlock.
  INSERT INTO list_versions (model, scope_id)
    SELECT model, scope FROM unnest(models, scopes) AS direct (model, scope)
    UNION SELECT shown.model, g.principal_id
      FROM unnest(shown_models, shown_accounts) AS shown (model, account) JOIN account_access g ON g.account_id = shown.account
    ORDER BY 1, 2
  ON CONFLICT (model, scope_id) DO UPDATE SET version = greatest(list_versions.version + 1, excluded.version), changed_at = now();
  FOREACH notice IN ARRAY notices LOOP
    -- An assignment is evaluated without a query of its own.
    nothing := pg_notify('plumbline_changes', notice);
  END LOOP;
  RETURN current_setting('plumbline.rights_changed', true);
END $$;
ALTER FUNCTION publish_changes(text[], uuid[], text[], uuid[], uuid[], uuid[], timestamptz, text[]) SET plan_cache_mode = force_generic_plan;
