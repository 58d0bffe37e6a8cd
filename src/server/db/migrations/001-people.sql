CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE subscriptions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  price numeric(12, 2) NOT NULL DEFAULT 0,
  term_months integer NOT NULL DEFAULT 12 CHECK (term_months BETWEEN 1 AND 120),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);

CREATE TABLE companies (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  language text NOT NULL DEFAULT 'en' CHECK (language = 'en'),
  timezone text NOT NULL DEFAULT 'America/New_York',
  logo_key text,
  check_settings jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX companies_name ON companies (name, id) WHERE deleted_at IS NULL;

CREATE TABLE company_subscriptions (
  company_id uuid PRIMARY KEY REFERENCES companies ON DELETE CASCADE,
  subscription_id uuid NOT NULL REFERENCES subscriptions,
  own_price numeric(12, 2),
  term_months integer NOT NULL DEFAULT 12,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE roles (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid REFERENCES companies ON DELETE CASCADE,
  name text NOT NULL,
  label text NOT NULL,
  permissions text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX roles_system_name ON roles (name) WHERE company_id IS NULL AND deleted_at IS NULL;

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid NOT NULL REFERENCES companies,
  first_name text NOT NULL,
  last_name text NOT NULL,
  full_name text GENERATED ALWAYS AS (first_name || ' ' || last_name) STORED,
  email citext NOT NULL,
  cell_phone text,
  password_hash text,
  enable_2fa boolean NOT NULL DEFAULT false,
  last_login_at timestamptz,
  previous_login_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL;
CREATE INDEX users_company ON users (company_id, last_name, id);

CREATE TABLE user_roles (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  role_id uuid NOT NULL REFERENCES roles,
  PRIMARY KEY (user_id, role_id)
);
CREATE INDEX user_roles_role ON user_roles (role_id);

-- Opaque tokens are kept only as SHA-256; a used refresh token keeps its successor, sealed, for the grace period.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  family_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('user', 'challenge')),
  access_hash bytea NOT NULL UNIQUE,
  refresh_hash bytea UNIQUE,
  refresh_used_at timestamptz,
  successor bytea,
  remember boolean NOT NULL DEFAULT false,
  address text,
  stated_address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_family ON sessions (family_id);

CREATE TABLE login_challenges (
  session_id uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);

CREATE TABLE password_resets (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE TABLE settings (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  key text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, key)
);

CREATE TABLE statuses (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid NOT NULL REFERENCES companies ON DELETE CASCADE,
  model_type text NOT NULL CHECK (model_type IN ('account', 'simple_account', 'risk_control')),
  name text NOT NULL,
  color text NOT NULL DEFAULT '#000000' CHECK (color ~ '^#[0-9A-Fa-f]{6}$'),
  state text CHECK (state IN ('uploading', 'processing', 'active')),
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((model_type = 'simple_account') = (state IS NOT NULL))
);
CREATE INDEX statuses_company ON statuses (company_id, model_type, position);

-- One row per record that a person may look for: narrow, lower-cased, scoped by the owning company.
CREATE TABLE search_entries (
  model text NOT NULL,
  record_id uuid NOT NULL,
  company_id uuid,
  account_id uuid,
  body text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (model, record_id)
);
CREATE INDEX search_entries_body ON search_entries USING gin (model, company_id, body gin_trgm_ops);
CREATE INDEX search_entries_account ON search_entries (account_id, model) WHERE account_id IS NOT NULL;
CREATE INDEX search_entries_recent ON search_entries (model, company_id, updated_at DESC);

-- The last change of a model inside a scope (a company, a user or an account): an unchanged list answers 304.
CREATE TABLE change_stamps (
  model text NOT NULL,
  scope_id uuid NOT NULL,
  stamp bigint NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (model, scope_id)
) WITH (fillfactor = 70);

CREATE TABLE activities (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  model text NOT NULL,
  model_id uuid NOT NULL,
  account_id uuid,
  actor_id uuid,
  actor_name text NOT NULL,
  class text NOT NULL CHECK (class IN ('created', 'updated', 'deleted', 'restored', 'uploaded', 'downloaded', 'shared', 'invited',
    'status', 'imported', 'reconciled', 'flagged')),
  message text NOT NULL,
  -- Files named in the message: a line about a private file is hidden from those who cannot see it.
  file_ids uuid[] NOT NULL DEFAULT '{}',
  group_key text,
  group_count integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX activities_account ON activities (account_id, created_at DESC, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX activities_record ON activities (model, model_id, created_at DESC);

CREATE TABLE notifications (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  type text NOT NULL,
  icon text NOT NULL,
  message text NOT NULL,
  link jsonb,
  read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notifications_unread ON notifications (user_id, created_at DESC) WHERE read_at IS NULL;

CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
