-- One sweep ends all work that its queue has lost: file jobs, which the sweep of files ended until now, and changes of forms as well.
CREATE OR REPLACE FUNCTION lost_work(most integer) RETURNS TABLE(work text, tenant_id uuid, job_id uuid)
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
  (SELECT 'file_job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'files.bulk' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_updated LIMIT most)
  UNION ALL
  (SELECT 'object_sync_run', j.tenant_id, j.job_id FROM object_sync_run j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'objects.sync' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.queued LIMIT most)
  UNION ALL
  (SELECT 'form_migration', m.tenant_id, m.mig_form FROM form_migration m JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = m.tenant_id AND o.ev_kind = 'job' AND o.ev_name IN ('forms.migrate', 'forms.adopt') AND o.ev_key = m.mig_form::text AND o.ev_done IS NULL)
   ORDER BY m.mig_updated LIMIT most)
$$;

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
$$;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_migration_open ON form_migration (mig_updated) WHERE mig_status IN ('queued', 'running');
