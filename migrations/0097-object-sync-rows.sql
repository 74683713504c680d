-- What became of the rows of a pass; rows that changed nothing are counted alone.
CREATE TABLE object_sync_row (
  tenant_id uuid NOT NULL,
  row_id uuid NOT NULL,
  job_id uuid NOT NULL,
  external_id text,
  action text NOT NULL CHECK (action IN ('created', 'updated', 'deactivated', 'held', 'conflict', 'failed')),
  obj_id uuid,
  error text,
  diff jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (tenant_id, row_id),
  FOREIGN KEY (tenant_id, job_id) REFERENCES object_sync_run ON DELETE CASCADE
);
CREATE INDEX object_sync_row_listed ON object_sync_row (tenant_id, job_id, row_id);
CALL make_tenant_table('object_sync_row');

-- External ids that a pass has met, while it runs; the page tells a row that another worker has done already from one that comes twice.
CREATE TABLE object_sync_seen (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  external_id text NOT NULL,
  page integer NOT NULL,
  -- The source says of it that it is deleted.
  gone boolean NOT NULL,
  PRIMARY KEY (tenant_id, job_id, external_id),
  FOREIGN KEY (tenant_id, job_id) REFERENCES object_sync_run ON DELETE CASCADE
);
CALL make_tenant_table('object_sync_seen');

-- External ids whose objects people deleted, after the objects were purged: no pass makes them again.
CREATE TABLE object_source_removal (
  tenant_id uuid NOT NULL,
  osr_id uuid NOT NULL,
  external_id text NOT NULL,
  PRIMARY KEY (tenant_id, osr_id, external_id),
  FOREIGN KEY (tenant_id, osr_id) REFERENCES object_source ON DELETE CASCADE
);
CALL make_tenant_table('object_source_removal');
-- The trigger below also runs while a workspace is purged.
GRANT INSERT ON object_source_removal TO atrium_definer;

CREATE FUNCTION keep_source_removals() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO object_source_removal (tenant_id, osr_id, external_id)
  SELECT tenant_id, obj_source, obj_external_id FROM purged
  WHERE obj_source IS NOT NULL AND obj_external_id IS NOT NULL AND NOT obj_active AND NOT obj_dropped
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER object_removed_of_source AFTER DELETE ON object REFERENCING OLD TABLE AS purged
  FOR EACH STATEMENT EXECUTE FUNCTION keep_source_removals();
