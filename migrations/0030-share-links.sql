-- Uploads and archives of guests: nobody of the workspace opened them, and whose link they came by is kept with the upload.
ALTER TABLE upload ALTER COLUMN upl_created_by DROP NOT NULL;
ALTER TABLE upload ADD COLUMN upl_source jsonb;
ALTER TABLE upload ADD CHECK ((upl_created_by IS NULL) = (upl_source IS NOT NULL));
ALTER TABLE download_job ALTER COLUMN job_created_by DROP NOT NULL;

-- Sets bytes aside for an upload; those of guests are nobody's share and count for the workspace alone.
CREATE OR REPLACE FUNCTION storage_reserve(p_bytes bigint, p_user uuid) RETURNS text
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
      SELECT tenant_id, p_user, p_bytes FROM taken WHERE p_user IS NOT NULL AND (quota_user_bytes IS NULL OR p_bytes <= quota_user_bytes)
      ON CONFLICT (tenant_id, per_user) DO UPDATE SET per_reserved = p.per_reserved + p_bytes
        WHERE (SELECT quota_user_bytes IS NULL OR p.per_used + p.per_reserved + p_bytes <= quota_user_bytes FROM taken)
      RETURNING 1
    )
    SELECT CASE WHEN NOT EXISTS (SELECT FROM taken) THEN 'workspace' WHEN p_user IS NOT NULL AND NOT EXISTS (SELECT FROM mine) THEN 'person' END INTO outcome;
    EXIT WHEN outcome IS DISTINCT FROM 'workspace';
    INSERT INTO storage_quota (tenant_id) SELECT current_tenant() WHERE NOT EXISTS (SELECT FROM storage_quota WHERE tenant_id = current_tenant()) ON CONFLICT DO NOTHING;
    EXIT WHEN NOT FOUND;
  END LOOP;
  RETURN outcome;
END
$$;

-- Pictures of a blob with a watermark, by the mark's digest and the size.
ALTER TABLE file_blob ADD COLUMN blob_marked jsonb NOT NULL DEFAULT '{}';

-- Links that show files to guests, or collect files from them.
CREATE TABLE share_link (
  tenant_id uuid NOT NULL REFERENCES workspace,
  share_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  share_name text NOT NULL,
  share_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(share_name, 64))) STORED,
  share_type text NOT NULL CHECK (share_type IN ('files', 'album', 'upload')),
  share_active boolean NOT NULL DEFAULT true,
  share_expires_at timestamptz(3),
  share_file_ids uuid[] NOT NULL DEFAULT '{}',
  share_album_id uuid,
  share_album_ids uuid[] NOT NULL DEFAULT '{}',
  share_pre_tags text[] NOT NULL DEFAULT '{}',
  share_allow_change_tags boolean NOT NULL DEFAULT false,
  share_allow_change_albums boolean NOT NULL DEFAULT false,
  share_max_files bigint CHECK (share_max_files >= 1),
  share_max_size bigint CHECK (share_max_size >= 1),
  share_options jsonb NOT NULL DEFAULT '{}',
  share_max_views bigint GENERATED ALWAYS AS ((share_options ->> 'max_views')::bigint) STORED,
  share_max_downloads bigint GENERATED ALWAYS AS ((share_options ->> 'max_downloads')::bigint) STORED,
  share_view_count integer NOT NULL DEFAULT 0,
  share_download_count integer NOT NULL DEFAULT 0,
  share_upload_count integer NOT NULL DEFAULT 0,
  share_upload_open integer NOT NULL DEFAULT 0,
  share_last_view_at timestamptz(3),
  share_last_upload_at timestamptz(3),
  share_created timestamptz(3) NOT NULL DEFAULT now(),
  share_updated timestamptz(3) NOT NULL DEFAULT now(),
  share_created_by uuid NOT NULL,
  share_revoked timestamptz(3),
  share_token_hash text NOT NULL,
  share_token_enc text NOT NULL,
  share_password_hash text,
  share_password_set boolean NOT NULL GENERATED ALWAYS AS (share_password_hash IS NOT NULL) STORED,
  share_password_rev integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, share_id),
  UNIQUE (share_token_hash)
);
CREATE UNIQUE INDEX share_link_id ON share_link (share_id);
CREATE INDEX share_link_created ON share_link (tenant_id, share_created, share_id);
CREATE INDEX share_link_updated ON share_link (tenant_id, share_updated, share_id);
CREATE INDEX share_link_name ON share_link (tenant_id, share_name_key, share_id);
CREATE INDEX share_link_mine ON share_link (tenant_id, share_created_by, share_created, share_id);
CREATE INDEX share_link_album ON share_link (tenant_id, share_album_id, share_created, share_id) WHERE share_album_id IS NOT NULL;
CREATE INDEX share_link_files ON share_link USING gin (tenant_id, share_file_ids);
CREATE INDEX share_link_standing ON share_link (tenant_id, share_created_by) WHERE share_revoked IS NULL;
CALL make_tenant_table('share_link');
CALL make_searchable('share_link');

-- Tokens that were replaced: whoever still holds one learns that the link is gone.
CREATE TABLE share_token (
  tenant_id uuid NOT NULL,
  st_hash text NOT NULL,
  st_share uuid NOT NULL,
  st_retired timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, st_hash),
  UNIQUE (st_hash),
  FOREIGN KEY (tenant_id, st_share) REFERENCES share_link ON DELETE CASCADE
);
CREATE INDEX share_token_share ON share_token (tenant_id, st_share);
CALL make_tenant_table('share_token');

-- What guests did, a row each, one partition a month. Addresses are not kept; a visitor is a hash that changes daily.
CREATE TABLE share_event (
  tenant_id uuid NOT NULL,
  se_id uuid NOT NULL,
  se_share uuid NOT NULL,
  se_type text NOT NULL CHECK (se_type IN ('view', 'unlock', 'unlock_failed', 'download', 'zip', 'upload', 'terms_accepted', 'refused', 'verdict')),
  se_file uuid,
  se_created timestamptz(3) NOT NULL,
  se_visitor text NOT NULL,
  se_country text,
  se_agent_kind text NOT NULL CHECK (se_agent_kind IN ('browser', 'bot', 'other')),
  se_name text,
  se_email text,
  se_details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, se_created, se_id)
) PARTITION BY RANGE (se_created);
CREATE INDEX share_event_share ON share_event (tenant_id, se_share, se_created, se_id);
CALL make_tenant_table('share_event', 'SELECT, INSERT, UPDATE, DELETE');
CREATE TABLE share_event_default PARTITION OF share_event DEFAULT;
ALTER TABLE share_event OWNER TO atrium_definer;
ALTER TABLE share_event_default OWNER TO atrium_definer;
SELECT make_month('share_event', 'se_created', now() + make_interval(months => m)) FROM generate_series(-1, 3) m;
INSERT INTO partition_plan (part_table, part_key, part_keep_min) VALUES ('share_event', 'se_created', 7);

-- When a visitor was last counted as a view of a link.
CREATE TABLE share_visit (
  tenant_id uuid NOT NULL,
  vi_share uuid NOT NULL,
  vi_visitor text NOT NULL,
  vi_counted timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, vi_share, vi_visitor),
  FOREIGN KEY (tenant_id, vi_share) REFERENCES share_link ON DELETE CASCADE
);
CALL make_tenant_table('share_visit');

-- Uploads of guests: which link and visit they belong to, who sent them, and what was decided about the file.
CREATE TABLE share_upload (
  tenant_id uuid NOT NULL,
  su_id uuid NOT NULL,
  su_share uuid NOT NULL,
  su_visit text NOT NULL,
  su_state text NOT NULL DEFAULT 'open' CHECK (su_state IN ('open', 'finalized', 'ended')),
  su_review text NOT NULL DEFAULT 'none' CHECK (su_review IN ('none', 'pending', 'accepted', 'rejected')),
  su_file uuid,
  su_file_name text NOT NULL,
  su_file_size bigint NOT NULL,
  su_file_hash text,
  su_albums uuid[] NOT NULL DEFAULT '{}',
  su_name text,
  su_email text,
  su_created timestamptz(3) NOT NULL DEFAULT now(),
  su_finalized timestamptz(3),
  PRIMARY KEY (tenant_id, su_id),
  FOREIGN KEY (tenant_id, su_share) REFERENCES share_link ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, su_id) REFERENCES upload ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, su_file) REFERENCES file ON DELETE SET NULL (su_file)
);
CREATE INDEX share_upload_share ON share_upload (tenant_id, su_share, su_created, su_id);
CREATE INDEX share_upload_review ON share_upload (tenant_id, su_share, su_review, su_created, su_id);
CREATE INDEX share_upload_visit ON share_upload (tenant_id, su_share, su_visit, su_created, su_id);
CREATE INDEX share_upload_hash ON share_upload (tenant_id, su_share, su_file_hash) WHERE su_file_hash IS NOT NULL;
CREATE INDEX share_upload_file ON share_upload (tenant_id, su_file) WHERE su_file IS NOT NULL;
CALL make_tenant_table('share_upload');

-- Archives that guests ordered, and by which link.
CREATE TABLE share_download (
  tenant_id uuid NOT NULL,
  sd_job uuid NOT NULL,
  sd_share uuid NOT NULL,
  sd_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, sd_job),
  FOREIGN KEY (tenant_id, sd_share) REFERENCES share_link ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, sd_job) REFERENCES download_job ON DELETE CASCADE
);
CREATE INDEX share_download_share ON share_download (tenant_id, sd_share, sd_created);
CALL make_tenant_table('share_download');

-- What guests think of files: one word a visitor and file, which they may change.
CREATE TABLE share_verdict (
  tenant_id uuid NOT NULL,
  sv_id uuid NOT NULL,
  sv_share uuid NOT NULL,
  sv_file uuid NOT NULL,
  sv_visitor text NOT NULL,
  sv_verdict text NOT NULL CHECK (sv_verdict IN ('approved', 'rejected')),
  sv_comment text,
  sv_name text,
  sv_email text,
  sv_created timestamptz(3) NOT NULL DEFAULT now(),
  sv_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, sv_id),
  UNIQUE (tenant_id, sv_share, sv_file, sv_visitor),
  FOREIGN KEY (tenant_id, sv_share) REFERENCES share_link ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, sv_file) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX share_verdict_share ON share_verdict (tenant_id, sv_share, sv_updated, sv_id);
CALL make_tenant_table('share_verdict');

-- The workspace and link that a token names; nothing else of it leaves.
GRANT SELECT ON share_link, share_token TO atrium_definer;
CREATE FUNCTION share_by_token(p_hash text) RETURNS TABLE (tenant_id uuid, share_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.tenant_id, l.share_id FROM share_link l WHERE l.share_token_hash = p_hash
  UNION ALL SELECT t.tenant_id, t.st_share FROM share_token t WHERE t.st_hash = p_hash
$$;
CALL make_definer('share_by_token(text)');

-- The workspace of a kiosk: an upload link with a password, or one that had it.
CREATE FUNCTION share_by_kiosk(p_share uuid) RETURNS TABLE (tenant_id uuid, share_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT l.tenant_id, l.share_id FROM share_link l WHERE l.share_id = p_share AND l.share_type = 'upload' AND l.share_password_hash IS NOT NULL $$;
CALL make_definer('share_by_kiosk(uuid)');

-- Links of the workspace that name a file.
CREATE FUNCTION share_links_naming(p_file text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT l.share_id FROM share_link l WHERE l.tenant_id = current_tenant() AND l.share_file_ids @> ARRAY[p_file::uuid] $$;
CALL make_definer('share_links_naming(text)', 'atrium_search');
