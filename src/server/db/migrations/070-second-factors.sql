-- The authenticator app of a user. Its secret is sealed with the secret key.
CREATE TABLE totp_secrets (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The period of 30 seconds of the last accepted code: each code is accepted once.
  last_step integer
);

-- Codes for a user without their authenticator app.
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- In base64url, as browsers send it.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Each is answered once: by a new passkey of the user, or without one by a sign-in.
CREATE TABLE passkey_challenges (
  challenge_hash bytea PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id) WHERE user_id IS NOT NULL;

-- Whether users of the company who have an authenticator app can get a code by email instead.
ALTER TABLE companies ADD COLUMN email_instead_of_app boolean NOT NULL DEFAULT false;
