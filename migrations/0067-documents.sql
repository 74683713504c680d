-- What was said about documents beside their files: that they are deprecated, and where readers should go instead. A document
-- of which nothing was said has no row.
CREATE TABLE document (
  tenant_id uuid NOT NULL,
  file_id uuid NOT NULL,
  file_deprecated_at timestamptz(3) NOT NULL,
  file_deprecated_by uuid,
  file_deprecated_reason text,
  file_superseded_by uuid,
  PRIMARY KEY (tenant_id, file_id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, file_superseded_by) REFERENCES file ON DELETE SET NULL (file_superseded_by),
  CHECK (file_superseded_by <> file_id)
);
CREATE INDEX document_superseded ON document (tenant_id, file_superseded_by) WHERE file_superseded_by IS NOT NULL;
CALL make_tenant_table('document');

-- It stands on the file's own row as well, so that lists of active documents run along the indexes of files.
ALTER TABLE file ADD COLUMN file_deprecated boolean NOT NULL DEFAULT false;
CREATE INDEX file_deprecated_listed ON file (tenant_id, repo_key, file_created, file_id) WHERE file_deprecated AND file_deleted IS NULL;

CREATE FUNCTION tell_deprecated() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE file SET file_deprecated = true WHERE tenant_id = NEW.tenant_id AND file_id = NEW.file_id;
  ELSE
    UPDATE file SET file_deprecated = false WHERE tenant_id = OLD.tenant_id AND file_id = OLD.file_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER deprecated_file AFTER INSERT OR DELETE ON document FOR EACH ROW EXECUTE FUNCTION tell_deprecated();
