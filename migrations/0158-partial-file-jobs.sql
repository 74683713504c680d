-- Of a file job, as of all jobs, a part may be done and a part have failed.
ALTER TABLE file_job DROP CONSTRAINT file_job_status_check;
ALTER TABLE file_job ADD CONSTRAINT file_job_status_check
  CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')) NOT VALID;

-- part
ALTER TABLE file_job VALIDATE CONSTRAINT file_job_status_check;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_finished ON file_job (job_updated) WHERE status IN ('completed', 'partial', 'failed', 'cancelled');

-- part
CREATE OR REPLACE FUNCTION files_due(most integer) RETURNS TABLE(kind text, tenant_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
  (SELECT 'upload', u.tenant_id, u.upl_id FROM upload u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND u.upl_staged AND u.upl_expires < now() ORDER BY u.upl_expires LIMIT most)
  UNION ALL
  (SELECT DISTINCT 'trash', f.tenant_id, f.tenant_id FROM file f JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND f.file_purge_at < now() LIMIT most)
  UNION ALL
  (SELECT 'blob', b.tenant_id, b.blob_id FROM file_blob b JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND b.blob_state = 'orphan' AND b.blob_orphaned < now() - interval '24 hours' ORDER BY b.blob_orphaned LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'completed' AND d.expires_at < now() ORDER BY d.expires_at LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'expired' AND d.archive_key IS NOT NULL ORDER BY d.expires_at LIMIT most)
  UNION ALL
  (SELECT 'job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('completed', 'partial', 'failed', 'cancelled') AND j.job_updated < now() - interval '30 days' ORDER BY j.job_updated LIMIT most)
  UNION ALL
  (SELECT 'job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour' ORDER BY j.job_updated LIMIT most)
$$;

-- part
DROP INDEX file_job_ended;
