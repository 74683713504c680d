-- Systems outside that objects are kept in step with, and the passes over them.
CREATE TABLE object_source (
  tenant_id uuid NOT NULL REFERENCES workspace,
  osr_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  osr_name text NOT NULL,
  osr_description text,
  osr_kind text NOT NULL CHECK (osr_kind IN ('http_json', 'http_csv')),
  osr_form uuid NOT NULL,
  osr_config jsonb NOT NULL,
  -- Sealed; never shown.
  osr_credentials text,
  osr_mapping jsonb NOT NULL,
  osr_mode text NOT NULL DEFAULT 'full' CHECK (osr_mode IN ('full')),
  osr_on_missing text NOT NULL DEFAULT 'deactivate' CHECK (osr_on_missing IN ('keep', 'deactivate', 'flag')),
  osr_delete_limit integer NOT NULL DEFAULT 15 CHECK (osr_delete_limit BETWEEN 1 AND 100),
  osr_conflict text NOT NULL DEFAULT 'local_wins' CHECK (osr_conflict IN ('source_wins', 'local_wins')),
  osr_cron text,
  osr_timezone text NOT NULL DEFAULT 'UTC',
  osr_active boolean NOT NULL DEFAULT true,
  osr_last_run uuid,
  osr_created timestamptz(3) NOT NULL DEFAULT now(),
  osr_updated timestamptz(3) NOT NULL DEFAULT now(),
  osr_created_by uuid,
  -- When its cron is due; null without one, and while it is inactive.
  osr_next timestamptz(3),
  -- Deleted; the row goes once its objects have been let go.
  osr_removed timestamptz(3),
  PRIMARY KEY (tenant_id, osr_id),
  FOREIGN KEY (tenant_id, osr_form) REFERENCES form,
  CHECK (osr_removed IS NULL OR osr_next IS NULL)
);
CREATE UNIQUE INDEX object_source_name ON object_source (tenant_id, lower(osr_name)) WHERE osr_removed IS NULL;
CREATE INDEX object_source_newest ON object_source (tenant_id, osr_created, osr_id);
CREATE INDEX object_source_of_form ON object_source (tenant_id, osr_form);
CREATE INDEX object_source_due ON object_source (osr_next) WHERE osr_next IS NOT NULL;
CALL make_tenant_table('object_source');

ALTER TABLE object ADD FOREIGN KEY (tenant_id, obj_source) REFERENCES object_source;

CREATE TABLE object_sync_run (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  job_source uuid NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  trigger text NOT NULL CHECK (trigger IN ('manual', 'schedule')),
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  total integer,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  deactivated integer NOT NULL DEFAULT 0,
  conflicts integer NOT NULL DEFAULT 0,
  held_deletes integer NOT NULL DEFAULT 0,
  error text,
  queued timestamptz(3) NOT NULL DEFAULT now(),
  started timestamptz(3),
  finished timestamptz(3),
  -- Who asked for it, and by which key; null: its clock.
  job_created_by uuid,
  job_key uuid,
  force_deletes boolean NOT NULL DEFAULT false,
  -- Where another worker goes on, and which of them works: one that was taken for lost counts nothing any more.
  place jsonb NOT NULL DEFAULT '{}',
  attempt integer NOT NULL DEFAULT 0,
  beat timestamptz(3),
  PRIMARY KEY (tenant_id, job_id),
  FOREIGN KEY (tenant_id, job_source) REFERENCES object_source ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX object_sync_run_newest ON object_sync_run (tenant_id, job_source, queued, job_id);
CREATE UNIQUE INDEX object_sync_run_open ON object_sync_run (tenant_id, job_source) WHERE status IN ('queued', 'running');
CREATE INDEX object_sync_run_finished ON object_sync_run (tenant_id, finished, job_id) WHERE finished IS NOT NULL;
CALL make_tenant_table('object_sync_run');

-- Sources whose time has come, in workspaces at work that are licensed for objects. Only ids leave; the work itself runs bound to each workspace.
CREATE FUNCTION object_sources_due(most integer) RETURNS TABLE (tenant_id uuid, osr_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.tenant_id, s.osr_id FROM object_source s JOIN workspace w USING (tenant_id) JOIN licence l ON l.tenant_id = s.tenant_id AND l.lic_module = 'module-objects'
  WHERE s.osr_next <= now() AND w.ws_status = 'active' AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now())
  ORDER BY s.osr_next LIMIT most
$$;
GRANT SELECT ON object_source, licence TO atrium_definer;
CALL make_definer('object_sources_due(integer)');
