-- Uploads within ten minutes had one line, which was about the first document. It is about the account now, and each document has its own.
UPDATE activities SET model_id = account_id WHERE model = 'account_files' AND class = 'uploaded' AND account_id IS NOT NULL;
INSERT INTO activities (model, model_id, actor_id, actor_name, class, message, created_at)
  SELECT 'account_files', f.id, u.id, u.first_name || ' ' || u.last_name, 'uploaded',
      u.first_name || ' ' || u.last_name || ' uploaded the document', f.created_at
    FROM account_files f JOIN users u ON u.id = f.created_by
    WHERE NOT EXISTS (
      SELECT FROM activities a WHERE a.model = 'account_files' AND a.model_id = f.id AND a.class = 'uploaded' AND a.account_id IS NULL
    );
