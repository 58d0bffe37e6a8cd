-- A commit with changes is visible to other users shortly before it is on the disk (db/kysely-pool.ts). The version of a list that a crash
-- discards may therefore have been read already, and must not be used again: versions are times in microseconds.
ALTER TABLE list_versions ALTER COLUMN version SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

CREATE OR REPLACE FUNCTION publish_changes(changes jsonb, touched uuid[], registers uuid[], changed timestamptz, notices jsonb)
  RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- FOR NO KEY UPDATE, because each new file or property already locks its account by the foreign key, and a stronger lock would deadlock
  -- with those. An account that this transaction created is at the front already.
  UPDATE accounts SET updated_at = changed, register_version = register_version + (id = ANY(registers))::int
    WHERE id IN (SELECT a.id FROM accounts a WHERE a.id = ANY(touched) AND (a.created_at <> now() OR a.id = ANY(registers))
      ORDER BY a.id FOR NO KEY UPDATE);
  -- Rows are locked in one order, so that two transactions that touch the same scopes cannot deadlock.
  WITH change AS MATERIALIZED (
    SELECT DISTINCT * FROM jsonb_to_recordset(changes) AS c (model text, "inAccount" uuid, "for" uuid[], everywhere boolean)
  )
  INSERT INTO list_versions (model, scope_id)
    SELECT model, "inAccount" FROM change WHERE "inAccount" IS NOT NULL
    UNION SELECT model, unnest("for") FROM change
    UNION SELECT model, '00000000-0000-0000-0000-000000000000' FROM change WHERE everywhere
    UNION SELECT model, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM change
    UNION SELECT 'accounts', 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM change WHERE "inAccount" IS NOT NULL
    UNION SELECT shown, g.principal_id FROM change JOIN account_access g ON g.account_id = "inAccount", unnest(ARRAY[model, 'accounts']) shown
    ORDER BY 1, 2
  ON CONFLICT (model, scope_id) DO UPDATE SET version = greatest(list_versions.version + 1, excluded.version), changed_at = now();
  PERFORM pg_notify('plumbline_changes', notice) FROM jsonb_array_elements_text(notices) notice;
  RETURN current_setting('plumbline.rights_changed', true);
END $$;
