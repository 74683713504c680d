-- Members who may no longer see a subject list the work that they requested, in the order of an index of their own.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_sync_run_mine ON object_sync_run (tenant_id, job_created_by, queued, job_id) WHERE job_created_by IS NOT NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_analysis_mine ON file_analysis (tenant_id, (coalesce(fa_created_by, fa_joined_by)), fa_created, fa_id)
  WHERE (fa_created_by IS NOT NULL OR fa_joined_by IS NOT NULL) AND fa_job IS NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_migration_unfinished ON form_migration (tenant_id) WHERE mig_status IN ('queued', 'running');

-- part
-- Lost work is looked for in one workspace after the other, a page of its unfinished rows at a time: a page of workspaces, and whether each
-- has rows that are old. Hosts of the release before use `lost_work`.
CREATE FUNCTION unfinished_work_in(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, has_work boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
  SELECT w.tenant_id,
    EXISTS (SELECT FROM background_job j WHERE j.tenant_id = w.tenant_id AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM download_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM file_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM form_migration m WHERE m.tenant_id = w.tenant_id AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM knowledge_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM object_sync_run j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour')
  FROM (SELECT s.tenant_id FROM workspace s WHERE s.ws_status = 'active' AND (p_after IS NULL OR s.tenant_id > p_after) ORDER BY s.tenant_id LIMIT p_limit) w
  ORDER BY w.tenant_id
$$;
CALL make_definer('unfinished_work_in(uuid, integer)');

-- The unfinished rows of the workspace behind a place, and which of them their queue has lost.
CREATE FUNCTION unfinished_work(p_work text, p_at timestamptz, p_id uuid, p_limit integer) RETURNS TABLE(work text, at timestamptz, job_id uuid, is_lost boolean)
    LANGUAGE sql STABLE
    SET search_path = public, pg_temp
    AS $$
  SELECT u.work, u.at, u.job_id,
    NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_kind = 'job' AND o.ev_name = ANY (u.queues) AND o.ev_key = u.job_id::text AND o.ev_done IS NULL)
    AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = u.job_id AND o.ev_done IS NULL AND u.queues IS NULL)
  FROM (SELECT * FROM (
    (SELECT 'background_job' AS work, j.job_created AS at, j.job_id, NULL::text[] AS queues FROM background_job j
     WHERE j.tenant_id = current_tenant() AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'background_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'background_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'download_job', j.job_created, j.job_id, ARRAY['files.zip'] FROM download_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'download_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'download_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'file_job', j.job_created, j.job_id, ARRAY['files.bulk'] FROM file_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour' AND p_work <= 'file_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'file_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'form_migration', coalesce(m.mig_created, m.mig_updated), m.mig_form, ARRAY['forms.migrate', 'forms.adopt'] FROM form_migration m
     WHERE m.tenant_id = current_tenant() AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour' AND p_work <= 'form_migration'
       AND (coalesce(m.mig_created, m.mig_updated), m.mig_form) > (CASE p_work WHEN 'form_migration' THEN p_at ELSE '-infinity' END, p_id)
     ORDER BY coalesce(m.mig_created, m.mig_updated), m.mig_form LIMIT p_limit)
    UNION ALL
    (SELECT 'knowledge_job', j.job_created, j.job_id, ARRAY['knowledge.' || j.job_kind] FROM knowledge_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'knowledge_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'knowledge_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'object_sync_run', j.queued, j.job_id, ARRAY['objects.sync'] FROM object_sync_run j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour' AND p_work <= 'object_sync_run'
       AND (j.queued, j.job_id) > (CASE p_work WHEN 'object_sync_run' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.queued, j.job_id LIMIT p_limit)
  ) a ORDER BY a.work, a.at, a.job_id LIMIT p_limit) u
  ORDER BY u.work, u.at, u.job_id
$$;
REVOKE ALL ON FUNCTION unfinished_work(text, timestamptz, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unfinished_work(text, timestamptz, uuid, integer) TO atrium_app;
