-- Whether the stored findings of an account are those of its present values. A change raises `requested` in its own transaction; a
-- finished run sets `checked` to the number it read before it began.
CREATE TABLE check_states (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  requested bigint NOT NULL DEFAULT 0,
  checked bigint NOT NULL DEFAULT 0,
  -- The last finished run: when it read the register, and the day for which it checked.
  checked_at timestamptz,
  checked_on date,
  -- The run in progress, if `progress_at` is recent.
  progress_at timestamptz,
  done integer,
  total integer,
  failed boolean NOT NULL DEFAULT false
);
INSERT INTO check_states (account_id, checked_at)
  SELECT account_id, max(started_at) FROM reconciliation_runs WHERE finished_at IS NOT NULL GROUP BY account_id;

-- Identifies the values and rules of the last check: a property with an equal digest is not checked again.
ALTER TABLE account_properties ADD COLUMN checked_digest text;

-- A run reads the findings of single properties, decided and fixed ones too.
DROP INDEX discrepancies_property;
CREATE INDEX discrepancies_property ON discrepancies (property_id);
