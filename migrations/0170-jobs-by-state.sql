-- Jobs are listed by their state without a walk through all that have ended, and those of schemas in the order of an index.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_migration_in_order ON form_migration (tenant_id, (coalesce(mig_created, mig_updated)), (coalesce(mig_id, mig_form)));

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_migration_job ON form_migration (tenant_id, (coalesce(mig_id, mig_form)));

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_unfinished ON background_job (tenant_id, job_created, job_id) WHERE job_status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS download_job_unfinished ON download_job (tenant_id, job_created, job_id) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_unfinished ON file_job (tenant_id, job_created, job_id) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_job_unfinished ON knowledge_job (tenant_id, job_created, job_id) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_sync_run_unfinished_here ON object_sync_run (tenant_id, queued, job_id) WHERE status IN ('queued', 'running');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_failing ON background_job (tenant_id, job_created_by, job_created, job_id) WHERE job_status IN ('failed', 'partial');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_failing ON file_job (tenant_id, job_created_by, job_created, job_id) WHERE status IN ('failed', 'partial');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS knowledge_job_failing ON knowledge_job (tenant_id, job_created, job_id) WHERE (status IN ('failed', 'partial') OR status = 'completed' AND failed > 0);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_sync_run_failing ON object_sync_run (tenant_id, queued, job_id) WHERE status IN ('failed', 'partial');
