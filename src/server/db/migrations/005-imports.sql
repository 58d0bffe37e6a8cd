CREATE TABLE imports (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'uploaded'
    CHECK (state IN ('uploaded', 'parsed', 'mapped', 'validated', 'committed', 'cancelled', 'failed', 'undone')),
  -- What a job is doing right now, for the progress bar; null when nothing is under way.
  activity text CHECK (activity IN ('reading', 'validating', 'committing', 'undoing')),
  progress_done integer NOT NULL DEFAULT 0,
  progress_total integer NOT NULL DEFAULT 0,
  failure text,
  file_id uuid REFERENCES account_files ON DELETE SET NULL,
  storage_key text,
  file_name text NOT NULL,
  sha256 text,
  sheets jsonb NOT NULL DEFAULT '[]',
  sheet_index integer,
  header_row integer,
  columns jsonb NOT NULL DEFAULT '[]',
  mapping jsonb NOT NULL DEFAULT '{}',
  constants jsonb NOT NULL DEFAULT '{}',
  mode text NOT NULL DEFAULT 'add_and_update' CHECK (mode IN ('add_and_update', 'add_only', 'update_only', 'full_replacement')),
  empty_clears boolean NOT NULL DEFAULT false,
  counts jsonb NOT NULL DEFAULT '{}',
  sums jsonb NOT NULL DEFAULT '{}',
  register_version bigint,
  version integer NOT NULL DEFAULT 1,
  created_by uuid REFERENCES users,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  committed_at timestamptz,
  undone_at timestamptz,
  UNIQUE (account_id, id)
);
CREATE INDEX imports_account ON imports (account_id, created_at DESC);

-- Staging: every row of the chosen sheet as read, and what became of it.
CREATE TABLE import_rows (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  row_number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('data', 'blank', 'header', 'repeated_header', 'title', 'section', 'subtotal', 'total', 'note')),
  excluded boolean NOT NULL DEFAULT false,
  hidden boolean NOT NULL DEFAULT false,
  -- Cells as read: array by column of null or the text; numbers keep their type.
  cells jsonb NOT NULL,
  edits jsonb NOT NULL DEFAULT '{}',
  fields jsonb NOT NULL DEFAULT '{}',
  issues jsonb NOT NULL DEFAULT '[]',
  has_error boolean NOT NULL DEFAULT false,
  tab text CHECK (tab IN ('add', 'change', 'unchanged', 'remove', 'conflict', 'excluded', 'errors')),
  property_id uuid,
  match_rule text,
  matched_by_hand boolean NOT NULL DEFAULT false,
  candidates uuid[],
  changes jsonb,
  tiv bigint,
  PRIMARY KEY (import_id, row_number)
);
CREATE INDEX import_rows_tab ON import_rows (import_id, tab, row_number);

-- Before-images of what a commit changed, for undo.
CREATE TABLE import_effects (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  property_id uuid NOT NULL,
  effect text NOT NULL CHECK (effect IN ('added', 'changed', 'divested', 'reactivated')),
  before jsonb,
  version_after integer NOT NULL,
  PRIMARY KEY (import_id, property_id)
);

CREATE TABLE import_mappings (
  company_id uuid NOT NULL REFERENCES companies ON DELETE CASCADE,
  header text NOT NULL,
  field text NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, header)
);
