-- An upload belongs to an account or, for a logo, to a company.
ALTER TABLE uploads ALTER COLUMN account_id DROP NOT NULL;
ALTER TABLE uploads ADD COLUMN company_id uuid REFERENCES companies ON DELETE CASCADE;
ALTER TABLE uploads DROP CONSTRAINT uploads_purpose_check;
ALTER TABLE uploads ADD CONSTRAINT uploads_purpose_check CHECK (purpose IN ('document', 'import', 'logo'));
ALTER TABLE uploads ADD CONSTRAINT uploads_owner CHECK ((purpose = 'logo') = (company_id IS NOT NULL) AND (purpose = 'logo') = (account_id IS NULL));
CREATE INDEX uploads_company ON uploads (company_id) WHERE company_id IS NOT NULL;

-- Logos as the server has drawn them: small, and shown on pages without a session, so they need no store and no signed link. The id is in
-- the address and not guessable.
CREATE TABLE company_logos (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  company_id uuid NOT NULL REFERENCES companies ON DELETE CASCADE,
  png bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX company_logos_company ON company_logos (company_id);
ALTER TABLE companies ADD COLUMN logo_id uuid REFERENCES company_logos;
CREATE INDEX companies_logo ON companies (logo_id) WHERE logo_id IS NOT NULL;
CREATE OR REPLACE TRIGGER companies_rights AFTER UPDATE OF name, timezone, logo_id, deleted_at OR DELETE ON companies
  FOR EACH ROW EXECUTE FUNCTION announce_rights('id');
-- The logo is part of the pages of accounts, as the name is.
CREATE CONSTRAINT TRIGGER companies_account_logos AFTER UPDATE OF logo_id ON companies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION account_names_changed();
