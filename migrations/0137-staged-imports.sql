-- Rows of imports that must not fail, as they were read of their file: all of them are written of here in one unit of work.
CREATE TABLE import_batch (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  -- The last of its rows, as they count in their file.
  batch_row integer NOT NULL,
  -- JSON, kept as text: what no column of JSON takes is a fault of its row alone.
  batch_rows text NOT NULL,
  PRIMARY KEY (tenant_id, job_id, batch_row)
);
CALL make_tenant_table('import_batch');

-- Whichever way an import ends, its rows go, and the numbers that it has not used are anybody's.
CREATE FUNCTION end_import() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM import_batch b WHERE b.tenant_id = NEW.tenant_id AND b.job_id = NEW.job_id;
  UPDATE form_number_range r SET range_until = '-infinity' WHERE r.tenant_id = NEW.tenant_id AND r.range_holder = NEW.job_id;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION end_import() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_import() TO atrium_app, atrium_search, atrium_definer;

-- part
CREATE TRIGGER import_ended AFTER UPDATE OF job_status ON background_job FOR EACH ROW
  WHEN (NEW.job_kind = 'objects.import' AND NEW.job_status IN ('completed', 'failed', 'cancelled')) EXECUTE FUNCTION end_import();

-- part
CREATE TRIGGER import_ended AFTER UPDATE OF status ON knowledge_job FOR EACH ROW
  WHEN (NEW.job_kind = 'import' AND NEW.status IN ('completed', 'partial', 'failed', 'cancelled')) EXECUTE FUNCTION end_import();
