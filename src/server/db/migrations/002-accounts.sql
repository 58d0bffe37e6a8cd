CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid NOT NULL REFERENCES companies,
  type text NOT NULL CHECK (type IN ('standard', 'managed')),
  name text NOT NULL,
  account_number text,
  status_id uuid REFERENCES statuses,
  broker_company_id uuid REFERENCES companies,
  broker_name text,
  carrier_company_id uuid REFERENCES companies,
  carrier_name text,
  effective_date date,
  expiration_date date,
  website text,
  meta jsonb NOT NULL DEFAULT '[]',
  file_retrieval_method text NOT NULL DEFAULT 'upload' CHECK (file_retrieval_method IN ('upload', 'invite', 'assisted')),
  sharing_enabled boolean NOT NULL DEFAULT false,
  send_new_files_notification boolean NOT NULL DEFAULT false,
  show_vanity_by_default boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  -- Raised by every change of the register; an import preview holds it against the commit.
  register_version bigint NOT NULL DEFAULT 1,
  created_by uuid REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX accounts_company_updated ON accounts (company_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_company_created ON accounts (company_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_updated ON accounts (updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_created ON accounts (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_status ON accounts (status_id);

CREATE TABLE account_users (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, user_id)
);
CREATE INDEX account_users_user ON account_users (user_id);

CREATE TABLE account_favorites (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, account_id)
);
CREATE INDEX account_favorites_account ON account_favorites (account_id);

-- What a person opened: rows made by others since the last sign-in are new until then.
CREATE TABLE account_views (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  viewed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, account_id)
);

-- Who may see an account: one row per principal (a company or a user), derived below and never written by hand.
CREATE TABLE account_access (
  principal_id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- True for the owning company; its rows are found by company_id, all others by this table.
  owner boolean NOT NULL,
  live boolean NOT NULL,
  PRIMARY KEY (principal_id, account_id)
);
CREATE INDEX account_access_account ON account_access (account_id);
CREATE INDEX account_access_guests ON account_access (principal_id) WHERE NOT owner AND live;

-- How many live accounts a principal sees: the exact total of its list without counting.
CREATE TABLE principal_totals (
  principal_id uuid PRIMARY KEY,
  accounts integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

CREATE FUNCTION refresh_account_access(account uuid) RETURNS void LANGUAGE sql AS $$
  WITH wanted AS (
    SELECT a.company_id AS principal_id, true AS owner, a.deleted_at IS NULL AS live FROM accounts a WHERE a.id = account
    UNION
    SELECT p.principal_id, false, a.deleted_at IS NULL
      FROM accounts a
      CROSS JOIN LATERAL (
        SELECT a.broker_company_id AS principal_id
        UNION SELECT a.carrier_company_id
        UNION SELECT a.created_by
        UNION SELECT u.user_id FROM account_users u WHERE u.account_id = a.id
      ) p
      WHERE a.id = account AND p.principal_id IS NOT NULL AND p.principal_id <> a.company_id
  ), gone AS (
    DELETE FROM account_access g WHERE g.account_id = account AND g.principal_id NOT IN (SELECT principal_id FROM wanted)
  )
  INSERT INTO account_access (principal_id, account_id, owner, live)
    SELECT principal_id, account, owner, live FROM wanted ORDER BY principal_id
    ON CONFLICT (principal_id, account_id) DO UPDATE SET owner = excluded.owner, live = excluded.live
    WHERE (account_access.owner, account_access.live) IS DISTINCT FROM (excluded.owner, excluded.live)
$$;

CREATE FUNCTION accounts_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_account_access(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_access AFTER INSERT OR UPDATE OF company_id, broker_company_id, carrier_company_id, created_by, deleted_at
  ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_access_changed();

CREATE FUNCTION account_users_access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_account_access(coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
CREATE TRIGGER account_users_access AFTER INSERT OR DELETE ON account_users
  FOR EACH ROW EXECUTE FUNCTION account_users_access_changed();

CREATE FUNCTION principal_totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before integer := 0;
  after integer := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.live THEN before := 1; END IF;
  IF TG_OP <> 'DELETE' AND NEW.live THEN after := 1; END IF;
  IF before <> after THEN
    INSERT INTO principal_totals (principal_id, accounts) VALUES (coalesce(NEW.principal_id, OLD.principal_id), after - before)
      ON CONFLICT (principal_id) DO UPDATE SET accounts = principal_totals.accounts + excluded.accounts;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER account_access_totals AFTER INSERT OR UPDATE OR DELETE ON account_access
  FOR EACH ROW EXECUTE FUNCTION principal_totals_changed();

-- Counts and sums kept with the rows; a separate table so that the account's own row and indexes stay still.
CREATE TABLE account_totals (
  account_id uuid PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  active_properties integer NOT NULL DEFAULT 0,
  divested_properties integer NOT NULL DEFAULT 0,
  tiv bigint NOT NULL DEFAULT 0,
  files_disclosed integer NOT NULL DEFAULT 0,
  files_sov integer NOT NULL DEFAULT 0,
  bytes_disclosed bigint NOT NULL DEFAULT 0,
  bytes_sov bigint NOT NULL DEFAULT 0,
  private_disclosed integer NOT NULL DEFAULT 0,
  private_sov integer NOT NULL DEFAULT 0,
  private_bytes_disclosed bigint NOT NULL DEFAULT 0,
  private_bytes_sov bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

CREATE FUNCTION accounts_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_totals (account_id) SELECT id FROM fresh;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_totals AFTER INSERT ON accounts REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION accounts_made();
