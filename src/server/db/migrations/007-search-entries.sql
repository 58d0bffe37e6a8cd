-- One trigger function keeps the search entry of a record; each table says what a person may look it up by.
CREATE FUNCTION search_entry_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  body text;
  company uuid;
  account uuid;
BEGIN
  IF TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL THEN
    DELETE FROM search_entries WHERE model = TG_TABLE_NAME AND record_id = OLD.id;
    RETURN NULL;
  END IF;
  CASE TG_TABLE_NAME
    WHEN 'accounts' THEN
      body := concat_ws(' ', NEW.name, NEW.account_number, NEW.broker_name, NEW.carrier_name);
      company := NEW.company_id;
      account := NEW.id;
    WHEN 'account_files' THEN
      body := concat_ws(' ', NEW.vanity_name, NEW.original_file_name);
      SELECT a.company_id INTO company FROM accounts a WHERE a.id = NEW.account_id;
      account := NEW.account_id;
    WHEN 'companies' THEN
      body := NEW.name;
      company := NEW.id;
    WHEN 'users' THEN
      body := concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email);
      company := NEW.company_id;
    WHEN 'roles' THEN
      body := concat_ws(' ', NEW.label, NEW.name);
      company := NEW.company_id;
    WHEN 'subscriptions' THEN
      body := NEW.name;
  END CASE;
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    VALUES (TG_TABLE_NAME, NEW.id, company, account, lower(body), now())
    ON CONFLICT (model, record_id) DO UPDATE
      SET body = excluded.body, company_id = excluded.company_id, updated_at = excluded.updated_at;
  RETURN NULL;
END $$;

CREATE TRIGGER accounts_search AFTER INSERT OR UPDATE OF name, account_number, broker_name, carrier_name, company_id, deleted_at OR DELETE
  ON accounts FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
CREATE TRIGGER account_files_search AFTER INSERT OR UPDATE OF original_file_name, vanity_name, deleted_at OR DELETE
  ON account_files FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
CREATE TRIGGER companies_search AFTER INSERT OR UPDATE OF name, deleted_at OR DELETE
  ON companies FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
CREATE TRIGGER users_search AFTER INSERT OR UPDATE OF first_name, last_name, email, company_id, deleted_at OR DELETE
  ON users FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
CREATE TRIGGER roles_search AFTER INSERT OR UPDATE OF name, label, company_id, deleted_at OR DELETE
  ON roles FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
CREATE TRIGGER subscriptions_search AFTER INSERT OR UPDATE OF name, deleted_at OR DELETE
  ON subscriptions FOR EACH ROW EXECUTE FUNCTION search_entry_changed();
