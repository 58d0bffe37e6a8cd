-- Whether the discrepancy is one of a check that hits most properties of the account, which is one sentence about the schedule and no
-- discrepancy of each property. A run sets it.
ALTER TABLE discrepancies ADD COLUMN widespread boolean NOT NULL DEFAULT false;
UPDATE discrepancies d SET widespread = true
FROM (SELECT o.account_id, o.check_id FROM discrepancies o
    JOIN account_properties p ON p.account_id = o.account_id AND p.id = o.property_id AND p.status = 'active' AND p.deleted_at IS NULL
    JOIN account_totals t ON t.account_id = o.account_id
  WHERE o.status = 'open'
  GROUP BY o.account_id, o.check_id, t.active_properties
  HAVING count(DISTINCT o.property_id) >= 5 AND count(DISTINCT o.property_id) > 0.8 * t.active_properties) shared
WHERE d.account_id = shared.account_id AND d.check_id = shared.check_id;
