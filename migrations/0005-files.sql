-- One row per distinct bytes of a workspace; versions, copies and duplicates share it.
CREATE TABLE file_blob (
  tenant_id uuid NOT NULL REFERENCES workspace,
  blob_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  blob_hash text,
  blob_size bigint NOT NULL,
  blob_type text NOT NULL,
  blob_key text NOT NULL,
  blob_replicas jsonb NOT NULL DEFAULT '{}',
  blob_system jsonb,
  blob_refs integer NOT NULL DEFAULT 0,
  blob_state text NOT NULL DEFAULT 'live' CHECK (blob_state IN ('live', 'orphan')),
  blob_orphaned timestamptz(3),
  blob_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, blob_id),
  UNIQUE (tenant_id, blob_hash, blob_size)
);
CREATE INDEX file_blob_orphan ON file_blob (blob_orphaned) WHERE blob_state = 'orphan';
CALL make_tenant_table('file_blob');

CREATE TABLE file (
  tenant_id uuid NOT NULL REFERENCES workspace,
  file_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  file_repo jsonb NOT NULL,
  repo_type text NOT NULL,
  repo_id uuid,
  repo_key text NOT NULL GENERATED ALWAYS AS (CASE WHEN repo_id IS NULL THEN repo_type ELSE repo_type || ':' || repo_id::text END) STORED,
  file_name text NOT NULL,
  file_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(file_name, 64))) STORED,
  file_ext text NOT NULL GENERATED ALWAYS AS (lower(coalesce(substring(file_name FROM '\.([A-Za-z0-9]{1,16})$'), ''))) STORED,
  file_kind text NOT NULL DEFAULT 'other',
  file_type text NOT NULL,
  file_type_key text NOT NULL GENERATED ALWAYS AS (lower(left(file_type, 64))) STORED,
  file_size bigint NOT NULL,
  file_hash text,
  file_status text NOT NULL DEFAULT 'active',
  file_processing text NOT NULL DEFAULT 'pending' CHECK (file_processing IN ('pending', 'ready', 'failed', 'quarantined')),
  file_metadata jsonb NOT NULL DEFAULT '{}',
  file_summary text,
  file_provider_id uuid NOT NULL,
  file_bucket text NOT NULL,
  file_folder text NOT NULL,
  file_replicas text NOT NULL DEFAULT '',
  file_added_by uuid,
  file_version integer NOT NULL DEFAULT 1,
  file_current_version uuid NOT NULL,
  file_blob uuid NOT NULL,
  file_deleted timestamptz(3),
  file_deleted_by uuid,
  file_purge_at timestamptz(3),
  file_created timestamptz(3) NOT NULL DEFAULT now(),
  file_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, file_id),
  FOREIGN KEY (tenant_id, file_blob) REFERENCES file_blob
);
CREATE INDEX file_repo_created ON file (tenant_id, repo_key, file_created, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_updated ON file (tenant_id, repo_key, file_updated, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_name ON file (tenant_id, repo_key, file_name_key, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_size ON file (tenant_id, repo_key, file_size, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_type ON file (tenant_id, repo_key, file_type_key, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_hash ON file (tenant_id, file_hash) WHERE file_deleted IS NULL;
CREATE INDEX file_name_trigram ON file USING gin (tenant_id, lower(file_name) gin_trgm_ops) WHERE file_deleted IS NULL;
CREATE INDEX file_blob_use ON file (tenant_id, file_blob);
CREATE INDEX file_trash ON file (tenant_id, file_deleted, file_id) WHERE file_deleted IS NOT NULL;
CREATE INDEX file_purge ON file (file_purge_at) WHERE file_purge_at IS NOT NULL;
CALL make_tenant_table('file');
CALL make_searchable('file');

CREATE TABLE file_version (
  tenant_id uuid NOT NULL,
  fv_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  fv_file uuid NOT NULL,
  fv_number integer NOT NULL,
  fv_name text NOT NULL,
  fv_type text NOT NULL,
  fv_size bigint NOT NULL,
  fv_hash text,
  fv_replicas text NOT NULL DEFAULT '',
  fv_note text,
  fv_pinned boolean NOT NULL DEFAULT false,
  fv_source text NOT NULL CHECK (fv_source IN ('upload', 'restore', 'edit', 'generated', 'import')),
  fv_blob uuid NOT NULL,
  fv_created timestamptz(3) NOT NULL DEFAULT now(),
  fv_created_by uuid,
  PRIMARY KEY (tenant_id, fv_id),
  UNIQUE (tenant_id, fv_file, fv_number),
  FOREIGN KEY (tenant_id, fv_file) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, fv_blob) REFERENCES file_blob
);
CREATE INDEX file_version_blob ON file_version (tenant_id, fv_blob);
CALL make_tenant_table('file_version');

CREATE TABLE file_pref (
  tenant_id uuid NOT NULL,
  file_id uuid NOT NULL,
  user_id uuid NOT NULL,
  favorite boolean NOT NULL,
  pref_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, file_id, user_id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX file_pref_user ON file_pref (tenant_id, user_id, favorite, file_id);
CALL make_tenant_table('file_pref');

CREATE TABLE file_history (
  tenant_id uuid NOT NULL,
  fh_id uuid NOT NULL,
  fh_file uuid NOT NULL,
  fh_action text NOT NULL,
  fh_actor uuid,
  fh_actor_type text NOT NULL,
  fh_details jsonb NOT NULL DEFAULT '{}',
  fh_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, fh_id)
);
CREATE INDEX file_history_file ON file_history (tenant_id, fh_file, fh_id);
CALL make_tenant_table('file_history', 'SELECT, INSERT');

CREATE TABLE upload (
  tenant_id uuid NOT NULL REFERENCES workspace,
  upl_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  upl_state text NOT NULL DEFAULT 'open' CHECK (upl_state IN ('open', 'completing', 'finalized', 'aborted', 'expired', 'rejected')),
  upl_mode text NOT NULL CHECK (upl_mode IN ('single', 'multipart')),
  file_repo jsonb NOT NULL,
  file_name text NOT NULL,
  file_type text,
  file_size bigint NOT NULL,
  file_hash text,
  file_metadata jsonb NOT NULL DEFAULT '{}',
  upl_file uuid,
  upl_on_duplicate text NOT NULL DEFAULT 'keep' CHECK (upl_on_duplicate IN ('keep', 'skip', 'version')),
  album_ids uuid[] NOT NULL DEFAULT '{}',
  upl_note text,
  upl_part_size bigint,
  upl_part_count integer,
  upl_key text NOT NULL,
  upl_multipart_id text,
  upl_staged boolean NOT NULL DEFAULT true,
  upl_claimed timestamptz(3),
  upl_expires timestamptz(3) NOT NULL,
  upl_created timestamptz(3) NOT NULL DEFAULT now(),
  upl_created_by uuid NOT NULL,
  upl_file_id uuid,
  upl_error text,
  PRIMARY KEY (tenant_id, upl_id),
  FOREIGN KEY (tenant_id, upl_file) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX upload_mine ON upload (tenant_id, upl_created_by, upl_state, upl_id);
CREATE INDEX upload_mine_created ON upload (tenant_id, upl_created_by, upl_created, upl_id);
CREATE INDEX upload_expiry ON upload (upl_expires) WHERE upl_staged;
CALL make_tenant_table('upload');

CREATE TABLE download_job (
  tenant_id uuid NOT NULL REFERENCES workspace,
  job_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  file_ids uuid[] NOT NULL,
  file_count integer NOT NULL,
  size text NOT NULL DEFAULT 'original',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL,
  archive_key text,
  archive_size bigint,
  skipped jsonb NOT NULL DEFAULT '[]',
  error text,
  expires_at timestamptz(3),
  job_created timestamptz(3) NOT NULL DEFAULT now(),
  job_created_by uuid NOT NULL,
  PRIMARY KEY (tenant_id, job_id)
);
CREATE INDEX download_job_mine ON download_job (tenant_id, job_created_by, job_created, job_id);
CREATE INDEX download_job_expiry ON download_job (expires_at) WHERE status = 'completed';
CALL make_tenant_table('download_job');

-- Files of a repository whose name resembles the text, best first: prefix, then substring, then typing errors.
CREATE FUNCTION files_named_like(needle text, repo text, most integer) RETURNS TABLE (file_id uuid, rank real)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.file_id,
         CASE WHEN lower(f.file_name) LIKE replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' THEN 3
              WHEN lower(f.file_name) LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' THEN 2
              ELSE similarity(lower(f.file_name), lower(needle)) END::real AS rank
  FROM file f
  WHERE f.tenant_id = current_tenant() AND f.file_deleted IS NULL AND (repo IS NULL OR f.repo_type = repo)
    AND (lower(f.file_name) LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' OR lower(f.file_name) % lower(needle))
  ORDER BY rank DESC, f.file_name, f.file_id LIMIT most
$$;
ALTER FUNCTION files_named_like(text, text, integer) OWNER TO atrium_search;
REVOKE ALL ON FUNCTION files_named_like(text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION files_named_like(text, text, integer) TO atrium_app;
GRANT EXECUTE ON FUNCTION current_tenant() TO atrium_search, atrium_app;

-- Work of the sweeper across workspaces: only ids and workspaces leave; the work itself runs bound to each workspace.
CREATE FUNCTION files_due(most integer) RETURNS TABLE (kind text, tenant_id uuid, id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT 'upload', u.tenant_id, u.upl_id FROM upload u WHERE u.upl_staged AND u.upl_expires < now() ORDER BY u.upl_expires LIMIT most)
  UNION ALL
  (SELECT 'purge', f.tenant_id, f.file_id FROM file f WHERE f.file_purge_at < now() ORDER BY f.file_purge_at LIMIT most)
  UNION ALL
  (SELECT 'blob', b.tenant_id, b.blob_id FROM file_blob b WHERE b.blob_state = 'orphan' AND b.blob_orphaned < now() - interval '24 hours' ORDER BY b.blob_orphaned LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d WHERE d.status = 'completed' AND d.expires_at < now() ORDER BY d.expires_at LIMIT most)
$$;
GRANT SELECT ON upload, file, file_blob, download_job TO atrium_definer;
ALTER FUNCTION files_due(integer) OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION files_due(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION files_due(integer) TO atrium_app;
