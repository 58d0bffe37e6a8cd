-- Named views of a list: filters, search, order and columns. The company is that of the owner when the view was saved: after a move to
-- another company, the views stay where their filters have a meaning.
CREATE TABLE saved_views (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  company_id uuid NOT NULL REFERENCES companies ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  model text NOT NULL,
  name text NOT NULL,
  shared boolean NOT NULL DEFAULT false,
  state jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (user_id, company_id, model, lower(name));
CREATE INDEX saved_views_company ON saved_views (company_id, model);
