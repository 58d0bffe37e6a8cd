-- Trashed records keep their search entries, so that the trash can be searched. Every search also checks deleted_at of the record.
CREATE OR REPLACE FUNCTION search_by() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  record jsonb := to_jsonb(coalesce(NEW, OLD));
  entry search_entries;
BEGIN
  entry.model := TG_TABLE_NAME;
  entry.record_id := record ->> 'id';
  IF TG_OP = 'DELETE' THEN
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

CREATE OR REPLACE FUNCTION account_properties_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_property_totals(account_id, sum(active)::int, sum(divested)::int, sum(value)::bigint)
    FROM (
      SELECT account_id, (status = 'active')::int AS active, (status = 'divested')::int AS divested,
          CASE status WHEN 'active' THEN tiv ELSE 0 END AS value FROM fresh WHERE deleted_at IS NULL
      UNION ALL
      SELECT account_id, -(status = 'active')::int, -(status = 'divested')::int, CASE status WHEN 'active' THEN -tiv ELSE 0 END
        FROM stale WHERE deleted_at IS NULL
    ) change GROUP BY account_id;
  INSERT INTO search_entries (model, record_id, company_id, account_id, body, updated_at)
    SELECT 'account_properties', f.id, a.company_id, f.account_id,
        lower(concat_ws(' ', f.location_number, f.property_name, f.address, f.address_2, f.city, f.state, f.postal_code, f.external_id)),
        f.updated_at
      FROM fresh f JOIN accounts a ON a.id = f.account_id JOIN stale o ON o.id = f.id
      WHERE (f.location_number, f.property_name, f.address, f.address_2, f.city, f.state, f.postal_code, f.external_id) IS DISTINCT FROM
        (o.location_number, o.property_name, o.address, o.address_2, o.city, o.state, o.postal_code, o.external_id)
    ON CONFLICT (model, record_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at;
  RETURN NULL;
END $$;

-- The entries of records that are in the trash already.
INSERT INTO search_entries (model, record_id, company_id, account_id, body)
  SELECT 'accounts', id, company_id, id, lower(concat_ws(' ', name, account_number, broker_name, carrier_name))
    FROM accounts WHERE deleted_at IS NOT NULL
  UNION ALL SELECT 'account_properties', p.id, a.company_id, p.account_id,
      lower(concat_ws(' ', p.location_number, p.property_name, p.address, p.address_2, p.city, p.state, p.postal_code, p.external_id))
    FROM account_properties p JOIN accounts a ON a.id = p.account_id WHERE p.deleted_at IS NOT NULL
  UNION ALL SELECT 'account_files', f.id, a.company_id, f.account_id, lower(concat_ws(' ', f.vanity_name, f.original_file_name))
    FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE f.deleted_at IS NOT NULL
  UNION ALL SELECT 'companies', id, id, NULL, lower(name) FROM companies WHERE deleted_at IS NOT NULL
  UNION ALL SELECT 'users', id, company_id, NULL, lower(concat_ws(' ', first_name, last_name, email)) FROM users WHERE deleted_at IS NOT NULL
  UNION ALL SELECT 'roles', id, company_id, NULL, lower(concat_ws(' ', label, name)) FROM roles WHERE deleted_at IS NOT NULL
  UNION ALL SELECT 'subscriptions', id, NULL, NULL, lower(name) FROM subscriptions WHERE deleted_at IS NOT NULL
  ON CONFLICT (model, record_id) DO NOTHING;
