-- The sign-in service of a company (OpenID Connect).
CREATE TABLE identity_providers (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid NOT NULL UNIQUE REFERENCES companies ON DELETE CASCADE,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret_sealed bytea NOT NULL,
  enabled boolean NOT NULL DEFAULT false,
  password_allowed boolean NOT NULL DEFAULT true,
  -- Signs in with a password although the other users of the company cannot.
  emergency_user_id uuid REFERENCES users ON DELETE SET NULL,
  -- The last test of the issuer; no reason: it passed. Null until it was tested.
  tested_at timestamptz,
  test_failure text,
  signed_in_at timestamptz,
  failed_at timestamptz,
  failure text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX identity_providers_emergency_user ON identity_providers (emergency_user_id) WHERE emergency_user_id IS NOT NULL;

-- An email domain belongs to one company at most.
CREATE TABLE identity_provider_domains (
  domain citext PRIMARY KEY,
  provider_id uuid NOT NULL REFERENCES identity_providers ON DELETE CASCADE
);
CREATE INDEX identity_provider_domains_provider ON identity_provider_domains (provider_id);

-- Sign-ins that have begun. The nonce and the PKCE verifier are sealed with the state, of which only the hash is stored.
CREATE TABLE oidc_states (
  state_hash bytea PRIMARY KEY,
  provider_id uuid NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
  browser_hash bytea NOT NULL,
  secrets_sealed bytea NOT NULL,
  return_to text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oidc_states_provider ON oidc_states (provider_id);
CREATE INDEX oidc_states_expires ON oidc_states (expires_at);

-- What the page exchanges for tokens when the browser is back, or for the reason why there are none.
CREATE TABLE sign_in_tickets (
  ticket_hash bytea PRIMARY KEY,
  provider_id uuid NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
  browser_hash bytea NOT NULL,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  failure text,
  return_to text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CHECK ((user_id IS NULL) = (failure IS NOT NULL))
);
CREATE INDEX sign_in_tickets_provider ON sign_in_tickets (provider_id);
CREATE INDEX sign_in_tickets_user ON sign_in_tickets (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sign_in_tickets_expires ON sign_in_tickets (expires_at);

-- Who a person at a sign-in service is here.
CREATE TABLE user_identities (
  provider_id uuid NOT NULL REFERENCES identity_providers ON DELETE CASCADE,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, subject),
  UNIQUE (user_id, provider_id)
);
