-- Of some jobs a part is done and a part has failed: rows of imports, for one.
ALTER TABLE background_job DROP CONSTRAINT background_job_job_status_check;
ALTER TABLE background_job ADD CONSTRAINT background_job_job_status_check
  CHECK (job_status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')) NOT VALID;

-- part
ALTER TABLE background_job VALIDATE CONSTRAINT background_job_job_status_check;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS background_job_finished ON background_job (tenant_id, job_updated)
  WHERE job_status IN ('completed', 'partial', 'failed', 'cancelled');

-- part
CREATE OR REPLACE FUNCTION background_jobs_purge(p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM background_job b WHERE b.tenant_id = current_tenant() AND b.job_id = ANY (ARRAY(
    SELECT j.job_id FROM background_job j WHERE j.tenant_id = current_tenant() AND j.job_status IN ('completed', 'partial', 'failed', 'cancelled') AND j.job_updated < p_before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = j.job_created_by AND h.lh_released_at IS NULL)
    ORDER BY j.job_updated LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- part
DROP TRIGGER import_ended ON background_job;
CREATE TRIGGER import_ended AFTER UPDATE OF job_status ON background_job FOR EACH ROW
  WHEN (NEW.job_kind = 'objects.import' AND NEW.job_status IN ('completed', 'partial', 'failed', 'cancelled')) EXECUTE FUNCTION end_import();

-- part
DROP INDEX background_job_ended;
