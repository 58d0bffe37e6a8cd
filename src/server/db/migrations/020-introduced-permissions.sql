-- Permissions that the default roles of this installation have received. A permission of a later release is not in it, so the next start
-- gives it to them once. What any role has now was introduced before, even where an administrator removed it from another role.
CREATE TABLE introduced_permissions (
  name text PRIMARY KEY,
  introduced_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO introduced_permissions (name) SELECT DISTINCT unnest(permissions) FROM roles;
