-- Which records a user opened since their previous sign-in: those of others are marked as new until then. Records of any model, so without
-- a foreign key; a job removes what is older than the previous sign-in.
CREATE TABLE record_views (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  record_id uuid NOT NULL,
  viewed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, record_id)
);
INSERT INTO record_views (user_id, record_id, viewed_at) SELECT user_id, account_id, viewed_at FROM account_views;
DROP TABLE account_views;

-- Unknown for the roles and subscriptions that exist.
ALTER TABLE roles ADD COLUMN created_by uuid REFERENCES users ON DELETE SET NULL;
ALTER TABLE subscriptions ADD COLUMN created_by uuid REFERENCES users ON DELETE SET NULL;
CREATE INDEX roles_created_by ON roles (created_by);
CREATE INDEX subscriptions_created_by ON subscriptions (created_by);

-- The due date for which the system flagged the property: a flag that a user dismissed is not raised again for the same date.
ALTER TABLE risk_recommendations ADD COLUMN flagged_overdue date;
CREATE INDEX risk_recommendations_flagged ON risk_recommendations (property_id) WHERE flagged_overdue IS NOT NULL;
