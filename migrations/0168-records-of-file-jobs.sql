-- A download knows the key that started it; archives of failed and cancelled downloads are swept; records of downloads and file jobs
-- are kept as long as the workspace keeps job records, and no longer swept after a fixed time.
ALTER TABLE download_job ADD COLUMN job_key uuid;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS download_job_left ON download_job (job_created) WHERE status IN ('failed', 'cancelled') AND archive_key IS NOT NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS download_job_over ON download_job (tenant_id, (coalesce(job_finished, job_created)), job_id)
  WHERE status IN ('failed', 'cancelled', 'expired') AND archive_key IS NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_over ON file_job (tenant_id, job_updated, job_id) WHERE status IN ('completed', 'partial', 'failed', 'cancelled');

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
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND d.status IN ('failed', 'cancelled') AND d.archive_key IS NOT NULL
     AND coalesce(d.job_finished, d.job_created) < now() - interval '1 hour' ORDER BY d.job_created LIMIT most)
$$;

-- part
DROP INDEX file_job_finished;
