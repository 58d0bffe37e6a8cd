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

-- The orders of the lists of administrators, who see all companies and users. Descending orders have empty values last, too.
-- Not only of live ones, so that users and accounts can be read in the order of their companies.
DROP INDEX companies_name;
CREATE INDEX companies_name ON companies (name, id);
CREATE INDEX companies_timezone ON companies (timezone, id) WHERE deleted_at IS NULL;
-- The default orders, also of the list with the trash.
DROP INDEX users_name;
CREATE INDEX users_name ON users (last_name, id);
CREATE INDEX companies_created ON companies (created_at, id);
CREATE INDEX companies_updated ON companies (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX companies_deleted ON companies (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX company_subscriptions_subscription ON company_subscriptions (subscription_id);
CREATE INDEX users_created ON users (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX users_sign_in ON users (last_login_at, id) WHERE deleted_at IS NULL;
CREATE INDEX users_sign_in_latest ON users (last_login_at DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_deactivated ON users (deactivated_at) WHERE deactivated_at IS NOT NULL;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;
