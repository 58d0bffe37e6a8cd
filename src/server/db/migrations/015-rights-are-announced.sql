-- Whoever keeps a session or a socket hears at once, at commit, whose rights changed: a user, a company, or (empty) anybody.
CREATE FUNCTION announce_rights() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(OLD, NEW));
BEGIN
  PERFORM pg_notify('plumbline_rights', coalesce(changed ->> TG_ARGV[0], ''));
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_rights AFTER UPDATE OF revoked_at OR DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION announce_rights('user_id');
CREATE TRIGGER users_rights AFTER UPDATE OF company_id, first_name, last_name, email, deleted_at OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION announce_rights('id');
CREATE TRIGGER user_roles_rights AFTER INSERT OR UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION announce_rights('user_id');
CREATE TRIGGER companies_rights AFTER UPDATE OF name, timezone, deleted_at OR DELETE ON companies
  FOR EACH ROW EXECUTE FUNCTION announce_rights('id');
CREATE TRIGGER account_access_rights AFTER UPDATE OF live OR DELETE ON account_access
  FOR EACH ROW EXECUTE FUNCTION announce_rights('principal_id');
CREATE TRIGGER roles_rights AFTER UPDATE OF name, label, permissions, deleted_at OR DELETE ON roles
  FOR EACH ROW EXECUTE FUNCTION announce_rights('');
