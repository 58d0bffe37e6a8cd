-- The checks whose critical discrepancies a flag of the system is about, so that the list of flags can group and find flags by check.
ALTER TABLE flags ADD COLUMN checks text[] NOT NULL DEFAULT '{}';
UPDATE flags SET checks = found.checks
  FROM (SELECT property_id, array_agg(DISTINCT check_id ORDER BY check_id) AS checks FROM discrepancies
    WHERE status = 'open' AND severity = 'critical' AND NOT widespread AND property_id IS NOT NULL GROUP BY property_id) found
  WHERE flags.property_id = found.property_id AND source = 'system' AND reason = 'critical_discrepancy'
    AND flags.status IN ('open', 'acknowledged');
CREATE INDEX flags_open_of_system ON flags (account_id) WHERE source = 'system' AND status IN ('open', 'acknowledged');
