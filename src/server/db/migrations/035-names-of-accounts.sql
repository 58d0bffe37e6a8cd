-- The version of the names that the pages of accounts show and that are stored in other tables. Deferred, so that its row is locked after all
-- others and only until the commit.
CREATE FUNCTION account_names_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Once for each transaction.
  IF current_setting('plumbline.account_names', true) IS DISTINCT FROM txid_current()::text THEN
    PERFORM set_config('plumbline.account_names', txid_current()::text, true);
    INSERT INTO list_versions (model, scope_id) VALUES ('account_names', '00000000-0000-0000-0000-000000000000')
      ON CONFLICT (model, scope_id) DO UPDATE SET version = greatest(list_versions.version + 1, excluded.version), changed_at = now();
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER companies_account_names AFTER UPDATE OF name OR DELETE ON companies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION account_names_changed();
CREATE CONSTRAINT TRIGGER users_account_names AFTER UPDATE OF company_id, first_name, last_name, email OR DELETE ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION account_names_changed();
CREATE CONSTRAINT TRIGGER statuses_account_names AFTER INSERT OR UPDATE OR DELETE ON statuses
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION account_names_changed();
-- A permanently deleted user also leaves the accounts that were shared with them.
CREATE CONSTRAINT TRIGGER account_users_account_names AFTER INSERT OR UPDATE OR DELETE ON account_users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION account_names_changed();
