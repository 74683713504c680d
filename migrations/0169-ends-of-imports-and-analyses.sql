-- Who requests an analysis that the service has begun has it among their jobs, and does not pay for it.
ALTER TABLE file_analysis ADD COLUMN fa_joined_by uuid;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_analysis_asked ON file_analysis (tenant_id, fa_created, fa_id) WHERE (fa_created_by IS NOT NULL OR fa_joined_by IS NOT NULL) AND fa_job IS NULL;

-- part
DROP INDEX file_analysis_requested;

-- part
-- Whichever way an import of objects ends, what was asked for goes, and the result of one that did not complete names the rows that it refused.
CREATE FUNCTION end_object_import() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE object_import i SET imp_order = '{}' WHERE i.tenant_id = NEW.tenant_id AND i.job_id = NEW.job_id AND i.imp_order <> '{}';
  IF NEW.job_status IN ('failed', 'cancelled') THEN
    UPDATE background_job b SET job_result = jsonb_build_object('created', i.imp_created, 'updated', i.imp_updated, 'unchanged', i.imp_unchanged, 'failed', i.imp_failed, 'errors', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('row', f.fault_row, 'column', f.fault_column, 'message', f.fault_message) ORDER BY f.fault_row, f.fault_place), '[]')
      FROM object_import_fault f WHERE f.tenant_id = i.tenant_id AND f.job_id = i.job_id))
    FROM object_import i WHERE i.tenant_id = NEW.tenant_id AND i.job_id = NEW.job_id AND b.tenant_id = NEW.tenant_id AND b.job_id = NEW.job_id;
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION end_object_import() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_object_import() TO atrium_app, atrium_search, atrium_definer;

-- part
CREATE TRIGGER object_import_ended AFTER UPDATE OF job_status ON background_job FOR EACH ROW
  WHEN (NEW.job_kind = 'objects.import' AND NEW.job_status IN ('completed', 'partial', 'failed', 'cancelled')) EXECUTE FUNCTION end_object_import();
