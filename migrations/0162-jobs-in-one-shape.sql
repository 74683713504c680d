-- All background work is listed in one shape: when a job began and when it ended, and the orders that its lists are read in.
ALTER TABLE background_job ADD COLUMN job_started timestamptz(3), ADD COLUMN job_finished timestamptz(3);

-- part
ALTER TABLE file_job ADD COLUMN job_started timestamptz(3), ADD COLUMN job_finished timestamptz(3), ADD COLUMN job_attempt integer NOT NULL DEFAULT 0;

-- part
ALTER TABLE download_job ADD COLUMN job_started timestamptz(3), ADD COLUMN job_finished timestamptz(3);

-- part
-- Null where a host of the release before wrote the row: its id is that of its form then, and it began when it last changed.
ALTER TABLE form_migration ADD COLUMN mig_id uuid, ADD COLUMN mig_created timestamptz(3), ADD COLUMN mig_started timestamptz(3);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_mine ON background_job (tenant_id, job_created_by, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_mine ON file_job (tenant_id, job_created_by, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_job_mine ON knowledge_job (tenant_id, job_created_by, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_job_in_order ON knowledge_job (tenant_id, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_sync_run_in_order ON object_sync_run (tenant_id, queued, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_open ON background_job (job_created) WHERE job_status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_job_open ON knowledge_job (job_created) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_sync_run_unfinished ON object_sync_run (queued) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS download_job_open ON download_job (job_created) WHERE status IN ('queued', 'running');

-- part
-- Work whose queue has no job for it any more, although nothing ended it.
CREATE FUNCTION lost_work(most integer) RETURNS TABLE(work text, tenant_id uuid, job_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
  (SELECT 'background_job', j.tenant_id, j.job_id FROM background_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_id = j.job_id AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'knowledge_job', j.tenant_id, j.job_id FROM knowledge_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'knowledge.' || j.job_kind AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'download_job', j.tenant_id, j.job_id FROM download_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'files.zip' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'object_sync_run', j.tenant_id, j.job_id FROM object_sync_run j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'objects.sync' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.queued LIMIT most)
$$;
CALL make_definer('lost_work(integer)');
