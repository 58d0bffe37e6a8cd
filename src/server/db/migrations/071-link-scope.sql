-- What a named link shows: all properties of the account or the chosen ones, documents of all categories or of the chosen ones, and, with chosen properties, whether the documents that are linked to no property are among them.
ALTER TABLE account_grants
  ADD COLUMN all_properties boolean NOT NULL DEFAULT true,
  -- NULL: all categories.
  ADD COLUMN categories text[],
  ADD COLUMN unlinked_files boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT account_grants_scope_check CHECK (kind = 'link' OR (all_properties AND categories IS NULL AND NOT unlinked_files));

-- The chosen properties. Without any, a link with chosen properties shows none.
CREATE TABLE grant_properties (
  grant_id uuid NOT NULL REFERENCES account_grants ON DELETE CASCADE,
  property_id uuid NOT NULL REFERENCES account_properties ON DELETE CASCADE,
  PRIMARY KEY (grant_id, property_id)
);
CREATE INDEX grant_properties_property ON grant_properties (property_id);

-- Rights change with the scope, too.
DROP TRIGGER account_grants_changed ON account_grants;
CREATE TRIGGER account_grants_changed AFTER UPDATE OF revoked_at, expires_at, may_download, all_properties, categories, unlinked_files
  ON account_grants FOR EACH ROW EXECUTE FUNCTION grant_changed();

CREATE FUNCTION grant_properties_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET deactivated_at = deactivated_at WHERE grant_id IN (SELECT grant_id FROM changed);
  RETURN NULL;
END $$;
CREATE TRIGGER grant_properties_added AFTER INSERT ON grant_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION grant_properties_changed();
CREATE TRIGGER grant_properties_removed AFTER DELETE ON grant_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION grant_properties_changed();

-- The company that an invitation was sent to, if it was chosen from those that the sender sees.
ALTER TABLE account_grants ADD COLUMN invited_company_id uuid REFERENCES companies ON DELETE SET NULL;
CREATE INDEX account_grants_invited_company ON account_grants (invited_company_id) WHERE invited_company_id IS NOT NULL;
