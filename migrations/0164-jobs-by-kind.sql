-- A list of jobs of one kind reads those of that kind, and analyses that members requested are listed among all jobs.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_of_kind ON background_job (tenant_id, job_created_by, job_kind, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_job_of_kind ON file_job (tenant_id, job_created_by, job_kind, job_created, job_id);

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_analysis_requested ON file_analysis (tenant_id, fa_created, fa_id) WHERE fa_created_by IS NOT NULL AND fa_job IS NULL;
