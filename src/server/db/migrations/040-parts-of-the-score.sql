-- The points of each part of the score, which add up to uncapped_score. Null in runs from before.
ALTER TABLE reconciliation_runs ADD COLUMN score_parts jsonb;

-- For each check worth a fix, the value of the properties with an open discrepancy of it, as of the last run: the dashboard finds the
-- largest of all accounts without reading discrepancies, then counts only those.
ALTER TABLE check_states ADD COLUMN value_by_check jsonb NOT NULL DEFAULT '{}';
UPDATE check_states s SET value_by_check = found.value_by_check
  FROM (SELECT account_id, jsonb_object_agg(check_id, tiv) AS value_by_check
    FROM (SELECT account_id, check_id, sum(tiv) AS tiv
      FROM (SELECT d.account_id, d.check_id, p.id, p.tiv, bool_or(d.widespread OR d.severity <> 'info') AS worth
        FROM discrepancies d JOIN account_properties p ON p.account_id = d.account_id AND p.id = d.property_id
        WHERE d.status = 'open' AND p.status = 'active' AND p.deleted_at IS NULL GROUP BY d.account_id, d.check_id, p.id, p.tiv) per_property
      GROUP BY account_id, check_id HAVING bool_or(worth)) per_check
    GROUP BY account_id) found
  WHERE found.account_id = s.account_id;
