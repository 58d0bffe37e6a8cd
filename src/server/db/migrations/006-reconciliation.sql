CREATE TABLE reconciliation_runs (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  started_by text NOT NULL CHECK (started_by IN ('import', 'edit', 'document', 'nightly', 'button')),
  opened integer NOT NULL DEFAULT 0,
  fixed integer NOT NULL DEFAULT 0,
  obsolete integer NOT NULL DEFAULT 0,
  open_total integer NOT NULL DEFAULT 0,
  account_score integer,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX reconciliation_runs_account ON reconciliation_runs (account_id, started_at DESC);

CREATE TABLE discrepancies (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  check_id text NOT NULL,
  group_name text NOT NULL CHECK (group_name IN ('data_quality', 'documents', 'sov', 'yoy')),
  property_id uuid,
  file_id uuid,
  import_id uuid,
  field text,
  left_value jsonb,
  right_value jsonb,
  delta numeric,
  delta_pct numeric,
  severity text NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
  message text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'accepted', 'kept', 'waived', 'fixed', 'obsolete')),
  fingerprint text NOT NULL,
  assigned_to uuid REFERENCES users,
  note text,
  decided_by uuid REFERENCES users,
  decided_at timestamptz,
  waived_until date,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, fingerprint),
  FOREIGN KEY (account_id, property_id) REFERENCES account_properties (account_id, id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, file_id) REFERENCES account_files (account_id, id) ON DELETE CASCADE
);
CREATE INDEX discrepancies_open ON discrepancies (account_id, check_id, property_id) WHERE status = 'open';
CREATE INDEX discrepancies_property ON discrepancies (property_id) WHERE status = 'open';
