-- A deactivated user cannot sign in, and remains in lists and on the work that is assigned to them.
ALTER TABLE users ADD COLUMN deactivated_at timestamptz;
CREATE OR REPLACE TRIGGER users_rights
  AFTER UPDATE OF company_id, first_name, last_name, email, previous_login_at, deactivated_at, deleted_at OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION announce_rights('id');
