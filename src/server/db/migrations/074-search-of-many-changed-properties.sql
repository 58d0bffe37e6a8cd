-- Joining the former and the new rows compared each with each when the plan of an update of one row was used for one of thousands: the undo
-- of a large import took more than a minute. Grouping takes as long as there are rows.
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
    SELECT 'account_properties', c.id, a.company_id, c.account_id, c.body, c.updated_at
      FROM (
        SELECT id, account_id, body, max(updated_at) AS updated_at
          FROM (
            SELECT id, account_id, 1 AS side, updated_at,
                lower(concat_ws(' ', location_number, property_name, address, address_2, city, state, postal_code, external_id)) AS body
              FROM fresh
            UNION ALL
            SELECT id, account_id, -1, NULL,
                lower(concat_ws(' ', location_number, property_name, address, address_2, city, state, postal_code, external_id))
              FROM stale
          ) both_sides
          GROUP BY id, account_id, body HAVING sum(side) > 0
      ) c JOIN accounts a ON a.id = c.account_id
    ON CONFLICT (model, record_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at;
  RETURN NULL;
END $$;
