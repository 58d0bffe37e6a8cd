-- One trigger function for the search entries of every table: the arguments of the trigger are the column with the company ('' if there is
-- none), then the columns by which users find the record. A record with account_id belongs to the company of its account.
CREATE FUNCTION search_by() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  record jsonb := to_jsonb(coalesce(NEW, OLD));
  entry search_entries;
BEGIN
  entry.model := TG_TABLE_NAME;
  entry.record_id := record ->> 'id';
  IF TG_OP = 'DELETE' OR record ->> 'deleted_at' IS NOT NULL THEN
    DELETE FROM search_entries WHERE model = entry.model AND record_id = entry.record_id;
    RETURN NULL;
  END IF;
  entry.account_id := CASE TG_TABLE_NAME WHEN 'accounts' THEN record ->> 'id' ELSE record ->> 'account_id' END;
  entry.company_id := coalesce((record ->> TG_ARGV[0])::uuid, (SELECT company_id FROM accounts WHERE id = entry.account_id));
  entry.body := (SELECT lower(coalesce(string_agg(record ->> name, ' ' ORDER BY place), ''))
    FROM unnest(TG_ARGV[1:]) WITH ORDINALITY AS searched (name, place));
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    VALUES (entry.model, entry.record_id, entry.company_id, entry.account_id, entry.body, now())
    ON CONFLICT (model, record_id) DO UPDATE
      SET body = excluded.body, company_id = excluded.company_id, updated_at = excluded.updated_at;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER accounts_search
  AFTER INSERT OR UPDATE OF name, account_number, broker_name, carrier_name, company_id, deleted_at OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION search_by('company_id', 'name', 'account_number', 'broker_name', 'carrier_name');
CREATE OR REPLACE TRIGGER account_files_search AFTER INSERT OR UPDATE OF original_file_name, vanity_name, deleted_at OR DELETE ON account_files
  FOR EACH ROW EXECUTE FUNCTION search_by('', 'vanity_name', 'original_file_name');
CREATE OR REPLACE TRIGGER companies_search AFTER INSERT OR UPDATE OF name, deleted_at OR DELETE ON companies
  FOR EACH ROW EXECUTE FUNCTION search_by('id', 'name');
CREATE OR REPLACE TRIGGER users_search AFTER INSERT OR UPDATE OF first_name, last_name, email, company_id, deleted_at OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION search_by('company_id', 'first_name', 'last_name', 'email');
CREATE OR REPLACE TRIGGER roles_search AFTER INSERT OR UPDATE OF name, label, company_id, deleted_at OR DELETE ON roles
  FOR EACH ROW EXECUTE FUNCTION search_by('company_id', 'label', 'name');
CREATE OR REPLACE TRIGGER subscriptions_search AFTER INSERT OR UPDATE OF name, deleted_at OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION search_by('', 'name');
DROP FUNCTION search_entry_changed();
