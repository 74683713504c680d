-- Work on many files: what is to be done, how far it is, and where it goes on when a worker is lost.
CREATE TABLE file_job (
  tenant_id uuid NOT NULL REFERENCES workspace,
  job_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  job_kind text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  total integer,
  errors jsonb NOT NULL DEFAULT '[]',
  error text,
  result jsonb,
  job_params jsonb NOT NULL DEFAULT '{}',
  -- What two jobs must not work on at the same time, such as a repository.
  job_subject text,
  -- Where the last finished batch ended; null before the first.
  job_checkpoint text,
  -- Who asked for it, and with which key; null: the platform.
  job_created_by uuid,
  job_key uuid,
  job_created timestamptz(3) NOT NULL DEFAULT now(),
  job_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, job_id)
);
CREATE UNIQUE INDEX file_job_subject ON file_job (tenant_id, job_subject) WHERE job_subject IS NOT NULL AND status IN ('queued', 'running');
CREATE INDEX file_job_ended ON file_job (job_updated) WHERE status IN ('completed', 'failed', 'cancelled');
CREATE INDEX file_job_open ON file_job (job_updated) WHERE status IN ('queued', 'running');
CALL make_tenant_table('file_job');

-- Bytes of a file that something shows as they are: kept while pruning and dedupe go on. The trash and purge of the file win.
CREATE TABLE file_pin (
  tenant_id uuid NOT NULL,
  file_id uuid NOT NULL,
  pin_hash text NOT NULL,
  pin_owner text NOT NULL,
  pin_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, file_id, pin_hash, pin_owner),
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CALL make_tenant_table('file_pin');

-- When bytes were looked at for malware and what was found (null: nothing), and when they were last compared with their
-- hash. Bytes that were not what they should be bear the moment it was seen.
ALTER TABLE file_blob ADD COLUMN blob_scanned timestamptz(3);
ALTER TABLE file_blob ADD COLUMN blob_malware text;
ALTER TABLE file_blob ADD COLUMN blob_verified timestamptz(3) NOT NULL DEFAULT now();
ALTER TABLE file_blob ADD COLUMN blob_corrupt timestamptz(3);
CREATE INDEX file_blob_verify ON file_blob (tenant_id, blob_verified, blob_id) WHERE blob_state = 'live' AND blob_hash IS NOT NULL;

-- Why the bytes of a version are out of reach; null: they are not.
ALTER TABLE file_version ADD COLUMN fv_quarantine text;

-- What an upload carries for the library besides albums: values by the names of their groups.
ALTER TABLE upload ADD COLUMN media_tags jsonb NOT NULL DEFAULT '{}';

-- Work of the sweeper, as before; and jobs that ended a month ago, or that nobody has moved on for an hour.
CREATE OR REPLACE FUNCTION files_due(most integer) RETURNS TABLE (kind text, tenant_id uuid, id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT 'upload', u.tenant_id, u.upl_id FROM upload u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND u.upl_staged AND u.upl_expires < now() ORDER BY u.upl_expires LIMIT most)
  UNION ALL
  (SELECT DISTINCT 'trash', f.tenant_id, f.tenant_id FROM file f JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND f.file_purge_at < now() LIMIT most)
  UNION ALL
  (SELECT 'blob', b.tenant_id, b.blob_id FROM file_blob b JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND b.blob_state = 'orphan' AND b.blob_orphaned < now() - interval '24 hours' ORDER BY b.blob_orphaned LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'completed' AND d.expires_at < now() ORDER BY d.expires_at LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'expired' AND d.archive_key IS NOT NULL ORDER BY d.expires_at LIMIT most)
  UNION ALL
  (SELECT 'job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('completed', 'failed', 'cancelled') AND j.job_updated < now() - interval '30 days' ORDER BY j.job_updated LIMIT most)
  UNION ALL
  (SELECT 'job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour' ORDER BY j.job_updated LIMIT most)
$$;
GRANT SELECT ON file_job TO atrium_definer;

-- What an earlier step could not see where the owner of the tables is no superuser: every row was hidden by the forced policy.
DO $$
DECLARE
  t text;
  seen CONSTANT text[] := ARRAY['workspace', 'file_version', 'file_blob', 'file', 'upload', 'download_job', 'storage_provider', 'storage_consumption', 'storage_delta', 'storage_quota', 'storage_person'];
BEGIN
  FOREACH t IN ARRAY seen LOOP EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', t); END LOOP;

  UPDATE file_version v SET fv_rendition_bytes = s.bytes
  FROM (SELECT b.tenant_id, b.blob_id, coalesce(sum((r.value ->> 'size')::bigint), 0) AS bytes FROM file_blob b, jsonb_each(b.blob_replicas) r GROUP BY 1, 2) s
  WHERE s.tenant_id = v.tenant_id AND s.blob_id = v.fv_blob AND v.fv_replicas <> '' AND v.fv_rendition_bytes <> s.bytes;

  INSERT INTO storage_provider (tenant_id, sto_id, sto_name, sto_managed_by, sto_default, sto_status)
  SELECT w.tenant_id, w.tenant_id, 'Platform storage', 'platform', NOT EXISTS (SELECT FROM storage_provider p WHERE p.tenant_id = w.tenant_id AND p.sto_default), 'ok' FROM workspace w
  ON CONFLICT DO NOTHING;

  -- Counted anew from the rows themselves.
  DELETE FROM storage_delta WHERE con_class <> 'publication';
  DELETE FROM storage_consumption WHERE con_class <> 'publication';
  INSERT INTO storage_consumption (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects)
  SELECT v.tenant_id, coalesce(v.fv_provider, v.tenant_id),
         CASE WHEN f.file_deleted IS NOT NULL THEN 'trash' WHEN v.fv_id <> f.file_current_version THEN 'version' WHEN f.repo_type = 'generated' THEN 'generated' ELSE 'original' END,
         f.repo_type, file_family(v.fv_type), coalesce(v.fv_created_by, '00000000-0000-0000-0000-000000000000'), sum(v.fv_size), count(*)
  FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT v.tenant_id, coalesce(v.fv_provider, v.tenant_id), 'rendition', f.repo_type, file_family(v.fv_type), coalesce(v.fv_created_by, '00000000-0000-0000-0000-000000000000'),
         sum(v.fv_rendition_bytes), sum(cardinality(string_to_array(v.fv_replicas, ',')))
  FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file WHERE v.fv_replicas <> '' GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT tenant_id, tenant_id, 'export', '', 'archive', job_created_by, sum(archive_size), count(*) FROM download_job WHERE status = 'completed' AND archive_size IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO storage_quota (tenant_id, quota_used, quota_reserved)
  SELECT w.tenant_id,
         coalesce((SELECT sum(c.con_bytes) FROM storage_consumption c WHERE c.tenant_id = w.tenant_id AND c.con_class <> 'rendition'), 0)
           + coalesce((SELECT sum(d.con_bytes) FROM storage_delta d WHERE d.tenant_id = w.tenant_id AND d.con_class <> 'rendition'), 0),
         coalesce((SELECT sum(u.file_size) FROM upload u WHERE u.tenant_id = w.tenant_id AND u.upl_state IN ('open', 'completing')), 0)
  FROM workspace w
  ON CONFLICT (tenant_id) DO UPDATE SET quota_used = excluded.quota_used, quota_reserved = excluded.quota_reserved;
  DELETE FROM storage_person;
  INSERT INTO storage_person (tenant_id, per_user, per_used, per_reserved)
  SELECT tenant_id, who, sum(used), sum(reserved) FROM (
    SELECT tenant_id, con_user AS who, con_bytes AS used, 0 AS reserved FROM storage_consumption WHERE con_class <> 'rendition' AND con_user <> '00000000-0000-0000-0000-000000000000'
    UNION ALL SELECT tenant_id, con_user, con_bytes, 0 FROM storage_delta WHERE con_class <> 'rendition' AND con_user <> '00000000-0000-0000-0000-000000000000'
    UNION ALL SELECT tenant_id, upl_created_by, 0, file_size FROM upload WHERE upl_state IN ('open', 'completing')
  ) parts GROUP BY tenant_id, who;

  FOREACH t IN ARRAY seen LOOP EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t); END LOOP;
END
$$;
