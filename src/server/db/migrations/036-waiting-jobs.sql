-- Of the jobs with one key, one waits (policy) and one runs (group). The former policy did both, but skipped a key for up to six seconds
-- after its job had ended.
DO $$
BEGIN
  IF to_regclass('pgboss.queue') IS NULL THEN
    RETURN;
  END IF;
  UPDATE pgboss.queue SET policy = 'short', singletons_active = NULL WHERE policy = 'stately';
  UPDATE pgboss.job SET policy = 'short', group_id = coalesce(group_id, singleton_key) WHERE policy = 'stately' AND state < 'completed';
END $$;
