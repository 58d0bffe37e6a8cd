-- Lists with trashed accounts, and whether a private document belongs to the viewer's company.
CREATE INDEX accounts_company ON accounts (company_id);
-- The orders of the lists of viewers who see all companies.
CREATE INDEX accounts_name ON accounts (name, id) WHERE deleted_at IS NULL;
CREATE INDEX users_name ON users (last_name, id) WHERE deleted_at IS NULL;
