-- Flags on risk control reports.
ALTER TABLE flags ADD COLUMN risk_control_id uuid REFERENCES risk_control ON DELETE CASCADE;
ALTER TABLE flags DROP CONSTRAINT flags_check, ADD CONSTRAINT flags_one_record CHECK (num_nonnulls(property_id, file_id, risk_control_id) = 1);
CREATE INDEX flags_report ON flags (risk_control_id);
-- The order of the list of viewers who see all companies.
CREATE INDEX flags_created ON flags (created_at, id);

CREATE OR REPLACE FUNCTION close_flags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE flags SET status = 'dismissed', closed_at = now(), updated_at = now(), version = version + 1,
    resolution = CASE WHEN NEW.deleted_at IS NULL THEN 'The property was divested.' ELSE 'Moved to the trash.' END
    WHERE (property_id = NEW.id OR file_id = NEW.id OR risk_control_id = NEW.id) AND status IN ('open', 'acknowledged');
  RETURN NULL;
END $$;
CREATE TRIGGER risk_control_flags AFTER UPDATE OF deleted_at ON risk_control FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION close_flags();

-- The due date of which users were reminded: a moved date is reminded of again.
ALTER TABLE risk_recommendations ADD COLUMN reminded_due date, ADD COLUMN reminded_overdue date;
