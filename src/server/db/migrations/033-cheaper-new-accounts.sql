-- With its parameters known, PostgreSQL planned the statements of publish_changes again in each commit, which took longer than running them.
ALTER FUNCTION publish_changes(jsonb, uuid[], uuid[], timestamptz, jsonb) SET plan_cache_mode = force_generic_plan;

-- A new account has no access to compare with, and no added users.
CREATE OR REPLACE FUNCTION accounts_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM refresh_account_access(NEW.id);
  ELSE
    INSERT INTO account_access (principal_id, account_id, owner, live)
      SELECT DISTINCT principal, NEW.id, principal = NEW.company_id, NEW.deleted_at IS NULL
      FROM unnest(ARRAY[NEW.company_id, NEW.broker_company_id, NEW.carrier_company_id, NEW.created_by]) AS principal
      WHERE principal IS NOT NULL ORDER BY principal;
  END IF;
  RETURN NULL;
END $$;
