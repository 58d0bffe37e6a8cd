CREATE TABLE help_requests (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid REFERENCES users ON DELETE SET NULL,
  company_id uuid REFERENCES companies ON DELETE SET NULL,
  message text NOT NULL,
  url text,
  state jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX help_requests_user ON help_requests (user_id);
CREATE INDEX help_requests_company ON help_requests (company_id);
