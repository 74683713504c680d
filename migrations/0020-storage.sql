-- Where the bytes of a workspace lie, how many they are, and how many they may be.

-- What a type is to people; the same words as the service uses for files.
CREATE FUNCTION file_family(type text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT CASE
      WHEN type LIKE 'image/%' THEN 'image'
      WHEN type LIKE 'video/%' OR type IN ('application/mxf', 'application/vnd.rn-realmedia') THEN 'video'
      WHEN type LIKE 'audio/%' OR type = 'application/ogg' THEN 'audio'
      WHEN type LIKE 'font/%' OR type = 'application/vnd.ms-fontobject' THEN 'font'
      WHEN type = ANY (ARRAY['application/zip', 'application/gzip', 'application/zstd', 'application/java-archive',
        'application/vnd.ms-cab-compressed', 'application/x-7z-compressed', 'application/x-ace-compressed', 'application/x-apple-diskimage',
        'application/x-arj', 'application/x-bzip2', 'application/x-compress', 'application/x-cpio', 'application/x-deb',
        'application/x-lz4', 'application/x-lzh-compressed', 'application/x-lzip', 'application/x-rar-compressed', 'application/x-rpm',
        'application/x-tar', 'application/x-unix-archive', 'application/x-xz', 'application/vnd.android.package-archive']) THEN 'archive'
      WHEN type = ANY (ARRAY['application/pdf', 'application/rtf', 'application/msword', 'application/epub+zip', 'application/postscript', 'application/eps',
        'application/json', 'application/xml', 'application/yaml', 'application/x-indesign', 'application/x-mobipocket-ebook',
        'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/vnd.ms-outlook', 'application/vnd.visio', 'message/rfc822'])
        OR type ~ '^(text/|application/vnd\.(openxmlformats-officedocument\.|oasis\.opendocument\.|ms-(word|excel|powerpoint)\.))' THEN 'document'
      ELSE 'other'
    END
  $$;

-- Bytes of the renditions that a version shows: with its own size all that it takes of storage.
ALTER TABLE file_version ADD COLUMN fv_rendition_bytes bigint NOT NULL DEFAULT 0;
-- The provider its bytes lie at; null: the platform's own.
ALTER TABLE file_version ADD COLUMN fv_provider uuid;
UPDATE file_version v SET fv_rendition_bytes = (SELECT coalesce(sum((r.value ->> 'size')::bigint), 0) FROM jsonb_each(b.blob_replicas) r)
  FROM file_blob b WHERE b.tenant_id = v.tenant_id AND b.blob_id = v.fv_blob AND v.fv_replicas <> '';

-- Stores that bytes may lie in. The platform's own bears the workspace's id; where it lies is the operator's affair.
CREATE TABLE storage_provider (
  tenant_id uuid NOT NULL REFERENCES workspace,
  sto_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  sto_name text NOT NULL,
  sto_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(sto_name, 64))) STORED,
  sto_kind text NOT NULL DEFAULT 's3' CHECK (sto_kind IN ('s3', 'disk')),
  sto_endpoint text,
  sto_region text,
  sto_bucket text,
  sto_prefix text,
  sto_path_style boolean NOT NULL DEFAULT true,
  sto_access_key text,
  sto_credential text,
  sto_sse text NOT NULL DEFAULT 'none' CHECK (sto_sse IN ('none', 'AES256', 'aws:kms')),
  sto_managed_by text NOT NULL DEFAULT 'workspace' CHECK (sto_managed_by IN ('platform', 'workspace')),
  sto_default boolean NOT NULL DEFAULT false,
  sto_active boolean NOT NULL DEFAULT true,
  sto_status text NOT NULL DEFAULT 'unverified' CHECK (sto_status IN ('unverified', 'ok', 'failing')),
  sto_checked_at timestamptz(3),
  sto_error text,
  sto_created timestamptz(3) NOT NULL DEFAULT now(),
  sto_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, sto_id),
  CHECK (sto_managed_by = 'platform' OR (sto_kind = 's3' AND sto_endpoint IS NOT NULL AND sto_bucket IS NOT NULL AND sto_credential IS NOT NULL))
);
CREATE UNIQUE INDEX storage_provider_name ON storage_provider (tenant_id, lower(sto_name));
CREATE UNIQUE INDEX storage_provider_default ON storage_provider (tenant_id) WHERE sto_default;
CREATE INDEX storage_provider_created ON storage_provider (tenant_id, sto_created, sto_id);
CREATE INDEX storage_provider_by_name ON storage_provider (tenant_id, sto_name_key, sto_id);
CALL make_tenant_table('storage_provider');

-- One row a workspace: what is used and set aside, and the bounds of it. Every class counts but renditions.
CREATE TABLE storage_quota (
  tenant_id uuid PRIMARY KEY REFERENCES workspace,
  quota_bytes bigint CHECK (quota_bytes >= 0),
  quota_used bigint NOT NULL DEFAULT 0,
  quota_reserved bigint NOT NULL DEFAULT 0,
  quota_warn_percent integer NOT NULL DEFAULT 90 CHECK (quota_warn_percent BETWEEN 1 AND 99),
  quota_user_bytes bigint CHECK (quota_user_bytes >= 0),
  -- What has been told of: 1 that it is nearly used up, 2 that it is.
  quota_told integer NOT NULL DEFAULT 0,
  quota_updated timestamptz(3) NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CALL make_tenant_table('storage_quota');

-- The same of one person.
CREATE TABLE storage_person (
  tenant_id uuid NOT NULL REFERENCES workspace,
  per_user uuid NOT NULL,
  per_used bigint NOT NULL DEFAULT 0,
  per_reserved bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, per_user)
) WITH (fillfactor = 70);
CALL make_tenant_table('storage_person');

-- What was added and taken since the last roll, and the sums before it. In every snapshot both together are all bytes.
CREATE TABLE storage_delta (
  tenant_id uuid NOT NULL REFERENCES workspace,
  delta_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  con_provider uuid NOT NULL,
  con_class text NOT NULL CHECK (con_class IN ('original', 'version', 'rendition', 'generated', 'trash', 'publication', 'export')),
  con_repo_type text NOT NULL,
  con_family text NOT NULL CHECK (con_family IN ('image', 'video', 'audio', 'document', 'font', 'archive', 'other')),
  con_user uuid NOT NULL,
  con_bytes bigint NOT NULL,
  con_objects bigint NOT NULL,
  PRIMARY KEY (tenant_id, delta_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CALL make_tenant_table('storage_delta', 'SELECT, INSERT');
CREATE TABLE storage_consumption (
  tenant_id uuid NOT NULL REFERENCES workspace,
  con_provider uuid NOT NULL,
  con_class text NOT NULL,
  con_repo_type text NOT NULL,
  con_family text NOT NULL,
  con_user uuid NOT NULL,
  con_bytes bigint NOT NULL,
  con_objects bigint NOT NULL,
  PRIMARY KEY (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user)
) WITH (fillfactor = 80);
CALL make_tenant_table('storage_consumption', 'SELECT');

-- What there was, once a local day.
CREATE TABLE storage_snapshot (
  tenant_id uuid NOT NULL REFERENCES workspace,
  snap_date date NOT NULL,
  snap_provider uuid NOT NULL,
  snap_class text NOT NULL,
  snap_at timestamptz(3) NOT NULL,
  snap_bytes bigint NOT NULL,
  snap_objects bigint NOT NULL,
  PRIMARY KEY (tenant_id, snap_date, snap_provider, snap_class)
);
CALL make_tenant_table('storage_snapshot', 'SELECT, INSERT');

GRANT SELECT, INSERT, UPDATE, DELETE ON storage_delta, storage_consumption TO atrium_definer;

-- Sets bytes aside for what is to come, in one statement; answers whose bound stands against it, or null.
CREATE FUNCTION storage_reserve(p_bytes bigint, p_user uuid) RETURNS text
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  outcome text;
BEGIN
  FOR attempt IN 1 .. 2 LOOP
    WITH taken AS (
      UPDATE storage_quota SET quota_reserved = quota_reserved + p_bytes
      WHERE tenant_id = current_tenant() AND (quota_bytes IS NULL OR quota_used + quota_reserved + p_bytes <= quota_bytes)
      RETURNING tenant_id, quota_user_bytes
    ), mine AS (
      INSERT INTO storage_person AS p (tenant_id, per_user, per_reserved)
      SELECT tenant_id, p_user, p_bytes FROM taken WHERE quota_user_bytes IS NULL OR p_bytes <= quota_user_bytes
      ON CONFLICT (tenant_id, per_user) DO UPDATE SET per_reserved = p.per_reserved + p_bytes
        WHERE (SELECT quota_user_bytes IS NULL OR p.per_used + p.per_reserved + p_bytes <= quota_user_bytes FROM taken)
      RETURNING 1
    )
    SELECT CASE WHEN NOT EXISTS (SELECT FROM taken) THEN 'workspace' WHEN NOT EXISTS (SELECT FROM mine) THEN 'person' END INTO outcome;
    EXIT WHEN outcome IS DISTINCT FROM 'workspace';
    INSERT INTO storage_quota (tenant_id) SELECT current_tenant() WHERE NOT EXISTS (SELECT FROM storage_quota WHERE tenant_id = current_tenant()) ON CONFLICT DO NOTHING;
    EXIT WHEN NOT FOUND;
  END LOOP;
  RETURN outcome;
END
$$;
REVOKE ALL ON FUNCTION storage_reserve(bigint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION storage_reserve(bigint, uuid) TO atrium_app;

-- Tells once that the quota is nearly used up, and once that it is, until it is not any more.
CREATE FUNCTION storage_watch(p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  q storage_quota;
  level integer;
BEGIN
  SELECT * INTO q FROM storage_quota WHERE tenant_id = current_tenant();
  level := CASE WHEN q.quota_bytes IS NULL THEN 0 WHEN q.quota_used >= q.quota_bytes THEN 2 WHEN q.quota_used::numeric * 100 >= q.quota_bytes::numeric * q.quota_warn_percent THEN 1 ELSE 0 END;
  IF level = q.quota_told THEN RETURN; END IF;
  UPDATE storage_quota SET quota_told = level WHERE tenant_id = q.tenant_id;
  INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
  SELECT q.tenant_id, id, 'event', (ARRAY['storage.quota_warning', 'storage.quota_exceeded'])[n], q.tenant_id, id::text,
         jsonb_build_object('quota_bytes', q.quota_bytes, 'quota_used', q.quota_used, 'quota_warn_percent', q.quota_warn_percent), p_by -> 'actor', p_by ->> 'request', p_by ->> 'trace'
  FROM generate_series(q.quota_told + 1, level) n, LATERAL (SELECT time_ordered_id() AS id WHERE n > 0) made;
END
$$;
REVOKE ALL ON FUNCTION storage_watch(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION storage_watch(jsonb) TO atrium_app;

-- Counts what a unit of work has added and taken, and gives back what it had set aside: its last statement.
CREATE FUNCTION storage_settle(p_lines jsonb, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  nobody CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  moved record;
BEGIN
  INSERT INTO storage_delta (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects)
  SELECT tenant, l.provider, l.class, l.repo_type, l.family, coalesce(l.person, nobody), sum(l.bytes), sum(l.objects)
  FROM jsonb_to_recordset(p_lines) AS l (provider uuid, class text, repo_type text, family text, person uuid, bytes bigint, objects bigint)
  WHERE l.class IS NOT NULL GROUP BY 2, 3, 4, 5, 6 HAVING sum(l.bytes) <> 0 OR sum(l.objects) <> 0;
  SELECT coalesce(sum(l.bytes) FILTER (WHERE l.class <> 'rendition'), 0) AS used, coalesce(sum(l.released), 0) AS released INTO moved
  FROM jsonb_to_recordset(p_lines) AS l (class text, bytes bigint, released bigint);
  IF moved.used <> 0 OR moved.released <> 0 THEN
    INSERT INTO storage_quota AS q (tenant_id, quota_used, quota_reserved) VALUES (tenant, moved.used, 0)
    ON CONFLICT (tenant_id) DO UPDATE SET quota_used = q.quota_used + moved.used, quota_reserved = q.quota_reserved - moved.released;
  END IF;
  INSERT INTO storage_person AS p (tenant_id, per_user, per_used, per_reserved)
  SELECT tenant, l.person, coalesce(sum(l.bytes) FILTER (WHERE l.class <> 'rendition'), 0), -coalesce(sum(l.released), 0)
  FROM jsonb_to_recordset(p_lines) AS l (class text, person uuid, bytes bigint, released bigint)
  WHERE l.person IS NOT NULL GROUP BY l.person
  HAVING coalesce(sum(l.bytes) FILTER (WHERE l.class <> 'rendition'), 0) <> 0 OR coalesce(sum(l.released), 0) <> 0 ORDER BY l.person
  ON CONFLICT (tenant_id, per_user) DO UPDATE SET per_used = p.per_used + excluded.per_used, per_reserved = p.per_reserved + excluded.per_reserved;
  IF moved.used <> 0 THEN PERFORM storage_watch(p_by); END IF;
END
$$;
REVOKE ALL ON FUNCTION storage_settle(jsonb, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION storage_settle(jsonb, jsonb) TO atrium_app;

-- Moves a batch of what was added and taken into the sums, under one lock; answers how many rows it moved.
CREATE FUNCTION storage_roll(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moved integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('storage_roll')) THEN RETURN 0; END IF;
  WITH batch AS (
    DELETE FROM storage_delta d USING (SELECT tenant_id, delta_id FROM storage_delta ORDER BY tenant_id, delta_id LIMIT p_limit) old
    WHERE d.tenant_id = old.tenant_id AND d.delta_id = old.delta_id RETURNING d.*
  ), added AS (
    INSERT INTO storage_consumption AS c (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects)
    SELECT tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, sum(con_bytes), sum(con_objects) FROM batch GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user)
    DO UPDATE SET con_bytes = c.con_bytes + excluded.con_bytes, con_objects = c.con_objects + excluded.con_objects
  )
  SELECT count(*) INTO moved FROM batch;
  RETURN moved;
END
$$;
CALL make_definer('storage_roll(integer)');

-- What is there already.
INSERT INTO storage_provider (tenant_id, sto_id, sto_name, sto_managed_by, sto_default, sto_status) SELECT tenant_id, tenant_id, 'Platform storage', 'platform', true, 'ok' FROM workspace;
INSERT INTO storage_consumption (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects)
SELECT v.tenant_id, f.file_provider_id,
       CASE WHEN f.file_deleted IS NOT NULL THEN 'trash' WHEN v.fv_id <> f.file_current_version THEN 'version' WHEN f.repo_type = 'generated' THEN 'generated' ELSE 'original' END,
       f.repo_type, file_family(v.fv_type), coalesce(v.fv_created_by, '00000000-0000-0000-0000-000000000000'), sum(v.fv_size), count(*)
FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file GROUP BY 1, 2, 3, 4, 5, 6
UNION ALL
SELECT v.tenant_id, f.file_provider_id, 'rendition', f.repo_type, file_family(v.fv_type), coalesce(v.fv_created_by, '00000000-0000-0000-0000-000000000000'), sum(v.fv_rendition_bytes), sum(cardinality(string_to_array(v.fv_replicas, ',')))
FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file WHERE v.fv_replicas <> '' GROUP BY 1, 2, 3, 4, 5, 6
UNION ALL
SELECT tenant_id, tenant_id, 'export', '', 'archive', job_created_by, sum(archive_size), count(*) FROM download_job WHERE status = 'completed' AND archive_size IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO storage_quota (tenant_id, quota_used, quota_reserved)
SELECT w.tenant_id, coalesce((SELECT sum(c.con_bytes) FROM storage_consumption c WHERE c.tenant_id = w.tenant_id AND c.con_class <> 'rendition'), 0),
       coalesce((SELECT sum(u.file_size) FROM upload u WHERE u.tenant_id = w.tenant_id AND u.upl_state IN ('open', 'completing')), 0)
FROM workspace w;
INSERT INTO storage_person (tenant_id, per_user, per_used, per_reserved)
SELECT tenant_id, who, sum(used), sum(reserved) FROM (
  SELECT tenant_id, con_user AS who, con_bytes AS used, 0 AS reserved FROM storage_consumption WHERE con_class <> 'rendition' AND con_user <> '00000000-0000-0000-0000-000000000000'
  UNION ALL SELECT tenant_id, upl_created_by, 0, file_size FROM upload WHERE upl_state IN ('open', 'completing')
) parts GROUP BY tenant_id, who;
