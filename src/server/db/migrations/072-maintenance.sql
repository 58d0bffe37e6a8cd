-- Each time the product was in maintenance, and who switched it on and off. It is in maintenance while one of them has no end.
CREATE TABLE maintenance_periods (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  message text NOT NULL,
  started_by uuid REFERENCES users ON DELETE SET NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_by uuid REFERENCES users ON DELETE SET NULL,
  ended_at timestamptz
);
CREATE UNIQUE INDEX maintenance_periods_open ON maintenance_periods ((true)) WHERE ended_at IS NULL;
CREATE INDEX maintenance_periods_started_by ON maintenance_periods (started_by);
CREATE INDEX maintenance_periods_ended_by ON maintenance_periods (ended_by);

-- Also when an operator changes the table by hand.
CREATE FUNCTION notify_maintenance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('plumbline_maintenance', '');
  RETURN NULL;
END $$;
CREATE TRIGGER maintenance_periods_notify AFTER INSERT OR UPDATE OR DELETE ON maintenance_periods
  FOR EACH STATEMENT EXECUTE FUNCTION notify_maintenance();
