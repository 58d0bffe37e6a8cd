-- The currency of the stored total insured value of an account, so that lists show it without reading properties; NULL if its active
-- properties with values are in several currencies.
ALTER TABLE account_totals ADD COLUMN currency text DEFAULT 'USD';
UPDATE account_totals t SET currency = found.currency
  FROM (SELECT account_id, CASE WHEN min(currency) = max(currency) THEN min(currency) END AS currency
    FROM account_properties WHERE status = 'active' AND deleted_at IS NULL AND tiv > 0 GROUP BY account_id) found
  WHERE t.account_id = found.account_id AND t.currency IS DISTINCT FROM found.currency;
CREATE INDEX account_totals_several_currencies ON account_totals (account_id) WHERE currency IS NULL;

-- Reads the properties of an account only if one with a value is in another currency, or if there were several. An account without values
-- stays in the currency that it had.
CREATE FUNCTION account_currency_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account_totals t SET currency = (
      SELECT CASE WHEN min(p.currency) <> max(p.currency) THEN NULL ELSE coalesce(min(p.currency), t.currency, 'USD') END
      FROM account_properties p WHERE p.account_id = t.account_id AND p.status = 'active' AND p.deleted_at IS NULL AND p.tiv > 0)
    WHERE t.account_id IN (SELECT c.account_id FROM changed c JOIN account_totals o ON o.account_id = c.account_id
      WHERE o.currency IS NULL OR (c.currency <> o.currency AND c.status = 'active' AND c.deleted_at IS NULL AND c.tiv > 0));
  RETURN NULL;
END $$;

-- Their names sort after those of the triggers for the totals, which lock the row of the account: of two writers the later one sees the
-- properties of both.
CREATE TRIGGER account_properties_value_currency_insert AFTER INSERT ON account_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION account_currency_changed();
CREATE TRIGGER account_properties_value_currency_update AFTER UPDATE ON account_properties REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION account_currency_changed();
CREATE TRIGGER account_properties_value_currency_delete AFTER DELETE ON account_properties REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION account_currency_changed();
