-- One trigram index for each large model: a search reads the entries of its own model and company alone.
CREATE INDEX search_entries_properties ON search_entries USING gin (company_id, body gin_trgm_ops) WHERE model = 'account_properties';
CREATE INDEX search_entries_files ON search_entries USING gin (company_id, body gin_trgm_ops) WHERE model = 'account_files';
CREATE INDEX search_entries_others ON search_entries USING gin (model, company_id, body gin_trgm_ops)
  WHERE model NOT IN ('account_properties', 'account_files');
DROP INDEX search_entries_body;

-- What a principal sees beyond its own accounts, and which are its own: both answered from the index alone.
DROP INDEX account_access_guests;
CREATE INDEX account_access_guests ON account_access (principal_id, account_id) INCLUDE (live) WHERE NOT owner;
CREATE INDEX account_access_owners ON account_access (principal_id, account_id) WHERE owner;
