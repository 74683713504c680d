-- Grants of people at social networks, and the authors that they may post as.
CREATE TABLE social_connection (
  tenant_id uuid NOT NULL REFERENCES workspace,
  con_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  con_platform text NOT NULL CHECK (con_platform IN ('linkedin')),
  con_account_id text NOT NULL,
  con_account_name text NOT NULL,
  con_account_picture text,
  con_scopes text[] NOT NULL DEFAULT '{}',
  con_status text NOT NULL DEFAULT 'active' CHECK (con_status IN ('active', 'expiring', 'expired', 'revoked')),
  con_expires timestamptz(3) NOT NULL,
  con_refresh_expires timestamptz(3),
  con_connected_by uuid,
  con_created timestamptz(3) NOT NULL DEFAULT now(),
  con_updated timestamptz(3) NOT NULL DEFAULT now(),
  con_last_used timestamptz(3),
  con_last_error text,
  -- Sealed; never shown.
  con_access text,
  con_refresh text,
  -- Grows with every token, so that of two who read the same one renews it; the claim of the one who does.
  con_token_version integer NOT NULL DEFAULT 0,
  con_refreshing timestamptz(3),
  -- The warning that was sent last, in days before the end.
  con_warned integer,
  -- When it is looked at next; null once it was removed.
  con_next timestamptz(3),
  con_accounts_read timestamptz(3) NOT NULL DEFAULT now(),
  con_removed timestamptz(3),
  PRIMARY KEY (tenant_id, con_id)
);
CREATE UNIQUE INDEX social_connection_account ON social_connection (tenant_id, con_platform, con_account_id) WHERE con_removed IS NULL;
CREATE INDEX social_connection_newest ON social_connection (tenant_id, con_created, con_id);
CREATE INDEX social_connection_due ON social_connection (con_next) WHERE con_next IS NOT NULL;
CALL make_tenant_table('social_connection');

CREATE TABLE social_target (
  tenant_id uuid NOT NULL,
  tgt_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  tgt_connection uuid NOT NULL,
  tgt_kind text NOT NULL CHECK (tgt_kind IN ('person', 'organization')),
  tgt_external_id text NOT NULL,
  tgt_name text NOT NULL,
  tgt_picture text,
  tgt_role text,
  tgt_can jsonb NOT NULL,
  tgt_enabled boolean NOT NULL DEFAULT true,
  tgt_timezone text NOT NULL,
  tgt_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, tgt_id),
  FOREIGN KEY (tenant_id, tgt_connection) REFERENCES social_connection
);
CREATE UNIQUE INDEX social_target_external ON social_target (tenant_id, tgt_external_id);
CREATE INDEX social_target_of_connection ON social_target (tenant_id, tgt_connection);
CREATE INDEX social_target_newest ON social_target (tenant_id, tgt_updated, tgt_id);
CALL make_tenant_table('social_target');

-- Authorizations that were begun. The state itself is known to the browser alone.
CREATE TABLE social_auth (
  tenant_id uuid NOT NULL REFERENCES workspace,
  auth_id uuid NOT NULL,
  auth_state_hash text NOT NULL,
  auth_user uuid NOT NULL,
  auth_platform text NOT NULL,
  auth_redirect_uri text NOT NULL,
  auth_expires timestamptz(3) NOT NULL,
  auth_used timestamptz(3),
  PRIMARY KEY (tenant_id, auth_id)
);
CREATE UNIQUE INDEX social_auth_state ON social_auth (tenant_id, auth_state_hash);
CREATE INDEX social_auth_of_user ON social_auth (tenant_id, auth_user, auth_expires);
CALL make_tenant_table('social_auth');

CREATE TABLE social_slot (
  tenant_id uuid NOT NULL REFERENCES workspace,
  sls_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  sls_target uuid,
  sls_weekday integer NOT NULL CHECK (sls_weekday BETWEEN 1 AND 7),
  sls_time text NOT NULL,
  sls_timezone text NOT NULL,
  sls_active boolean NOT NULL DEFAULT true,
  sls_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, sls_id),
  FOREIGN KEY (tenant_id, sls_target) REFERENCES social_target
);
CREATE UNIQUE INDEX social_slot_time ON social_slot (tenant_id, sls_target, sls_weekday, sls_time, sls_timezone) NULLS NOT DISTINCT;
CREATE INDEX social_slot_newest ON social_slot (tenant_id, sls_created, sls_id);
CALL make_tenant_table('social_slot');

CREATE TABLE social_post (
  tenant_id uuid NOT NULL REFERENCES workspace,
  sp_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  sp_title text NOT NULL,
  sp_text text NOT NULL DEFAULT '',
  sp_files jsonb NOT NULL DEFAULT '[]',
  sp_link jsonb,
  sp_targets uuid[] NOT NULL DEFAULT '{}',
  sp_state text NOT NULL DEFAULT 'draft'
    CHECK (sp_state IN ('draft', 'in_review', 'approved', 'scheduled', 'publishing', 'published', 'partial', 'failed', 'cancelled')),
  sp_schedule_at timestamptz(3),
  -- Lists sort by it; posts without a time come last.
  sp_schedule_key timestamptz(3) NOT NULL GENERATED ALWAYS AS (coalesce(sp_schedule_at, '9999-12-31 00:00:00+00'::timestamptz)) STORED,
  sp_timezone text NOT NULL,
  sp_slot uuid,
  sp_utm jsonb,
  sp_campaign text,
  sp_labels text[] NOT NULL DEFAULT '{}',
  sp_source jsonb NOT NULL DEFAULT '{"kind": "manual", "ref": null}',
  sp_issues jsonb NOT NULL DEFAULT '[]',
  sp_acl jsonb NOT NULL DEFAULT '{}',
  sp_metadata jsonb NOT NULL DEFAULT '{}',
  sp_active boolean NOT NULL DEFAULT true,
  sp_created timestamptz(3) NOT NULL DEFAULT now(),
  sp_updated timestamptz(3) NOT NULL DEFAULT now(),
  sp_created_by uuid,
  sp_updated_by uuid,
  -- Whose rights count when it is sent, and when that begins.
  sp_scheduled_by uuid,
  sp_scheduled_key uuid,
  sp_started timestamptz(3),
  PRIMARY KEY (tenant_id, sp_id),
  CHECK (sp_state <> 'scheduled' OR sp_schedule_at IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX social_post_newest ON social_post (tenant_id, sp_active, sp_created DESC, sp_id);
CREATE INDEX social_post_created ON social_post (tenant_id, sp_created, sp_id);
CREATE INDEX social_post_updated ON social_post (tenant_id, sp_updated, sp_id);
CREATE INDEX social_post_by_time ON social_post (tenant_id, sp_schedule_key, sp_id);
-- When it is sent, or was: the calendar. A CASE, since row security keeps conditions on a coalesce from an index.
CREATE INDEX social_post_calendar ON social_post (tenant_id, (CASE WHEN sp_schedule_at IS NULL THEN sp_started ELSE sp_schedule_at END), sp_id);
CREATE INDEX social_post_unsent ON social_post (tenant_id, sp_schedule_at, sp_id)
  WHERE sp_schedule_at IS NOT NULL AND sp_state IN ('draft', 'in_review', 'approved', 'scheduled');
CREATE INDEX social_post_by_state ON social_post (tenant_id, sp_state, sp_updated DESC);
CREATE INDEX social_post_removed ON social_post (sp_updated, sp_id) WHERE NOT sp_active;
CREATE INDEX social_post_due ON social_post (sp_schedule_at, sp_id) WHERE sp_state = 'scheduled';
CALL make_tenant_table('social_post');

CREATE TABLE social_variant (
  tenant_id uuid NOT NULL,
  spv_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  spv_post uuid NOT NULL,
  spv_target uuid NOT NULL,
  spv_platform text NOT NULL,
  spv_text text,
  spv_files jsonb,
  spv_link jsonb,
  spv_visibility text NOT NULL DEFAULT 'public' CHECK (spv_visibility IN ('public', 'connections', 'logged_in')),
  spv_reshare boolean NOT NULL DEFAULT true,
  spv_state text NOT NULL DEFAULT 'pending' CHECK (spv_state IN ('pending', 'sending', 'published', 'failed', 'unknown', 'deleted')),
  spv_external_id text,
  spv_url text,
  spv_published timestamptz(3),
  spv_removed boolean NOT NULL DEFAULT false,
  spv_error jsonb,
  spv_attempts integer NOT NULL DEFAULT 0,
  -- Attempts since a person asked for it to be sent: those that the number of tries counts.
  spv_tries integer NOT NULL DEFAULT 0,
  -- The text that was sent, or may have been, and the hash of all of its body.
  spv_sent_text text,
  spv_body_hash text,
  -- What was uploaded, by file: used again by the next attempt.
  spv_assets jsonb NOT NULL DEFAULT '{}',
  spv_rounds integer NOT NULL DEFAULT 0,
  spv_metrics_step integer NOT NULL DEFAULT 0,
  spv_metrics_next timestamptz(3),
  PRIMARY KEY (tenant_id, spv_id),
  FOREIGN KEY (tenant_id, spv_post) REFERENCES social_post ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, spv_target) REFERENCES social_target
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX social_variant_target ON social_variant (tenant_id, spv_post, spv_target);
CREATE UNIQUE INDEX social_variant_external ON social_variant (tenant_id, spv_external_id) WHERE spv_external_id IS NOT NULL;
CREATE INDEX social_variant_of_target ON social_variant (tenant_id, spv_target, spv_published);
CREATE INDEX social_variant_metrics ON social_variant (spv_metrics_next) WHERE spv_metrics_next IS NOT NULL;
CALL make_tenant_table('social_variant');

-- Which posts use a file: by the file.
CREATE TABLE social_post_file (
  tenant_id uuid NOT NULL,
  spf_file uuid NOT NULL,
  spf_post uuid NOT NULL,
  PRIMARY KEY (tenant_id, spf_file, spf_post),
  FOREIGN KEY (tenant_id, spf_post) REFERENCES social_post ON DELETE CASCADE
);
CREATE INDEX social_post_file_of_post ON social_post_file (tenant_id, spf_post);
CALL make_tenant_table('social_post_file');

CREATE TABLE social_attempt (
  tenant_id uuid NOT NULL,
  spa_id uuid NOT NULL,
  spa_variant uuid NOT NULL,
  spa_number integer NOT NULL,
  spa_step text NOT NULL CHECK (spa_step IN ('token', 'upload', 'process', 'create', 'verify')),
  spa_status text NOT NULL CHECK (spa_status IN ('running', 'done', 'failed', 'unknown')),
  spa_http integer,
  spa_error text,
  spa_request_id text,
  spa_started timestamptz(3) NOT NULL DEFAULT now(),
  spa_ended timestamptz(3),
  PRIMARY KEY (tenant_id, spa_id),
  FOREIGN KEY (tenant_id, spa_variant) REFERENCES social_variant ON DELETE CASCADE
);
CREATE INDEX social_attempt_of_variant ON social_attempt (tenant_id, spa_variant, spa_started, spa_id);
CREATE INDEX social_attempt_oldest ON social_attempt (tenant_id, spa_started, spa_id);
CALL make_tenant_table('social_attempt');

CREATE TABLE social_metric (
  tenant_id uuid NOT NULL,
  spm_variant uuid NOT NULL,
  spm_at timestamptz(3) NOT NULL,
  spm_impressions bigint,
  spm_reach bigint,
  spm_clicks bigint,
  spm_reactions bigint,
  spm_comments bigint,
  spm_shares bigint,
  PRIMARY KEY (tenant_id, spm_variant, spm_at),
  FOREIGN KEY (tenant_id, spm_variant) REFERENCES social_variant ON DELETE CASCADE
);
CALL make_tenant_table('social_metric');

-- The version of the interface of a platform that was found active when the one of the settings was not.
CREATE TABLE social_api_version (
  sav_platform text PRIMARY KEY,
  sav_version text NOT NULL,
  -- The version of the settings in whose place it is used: another one there is tried again.
  sav_instead_of text NOT NULL,
  sav_found timestamptz(3) NOT NULL DEFAULT now()
);
REVOKE ALL ON social_api_version FROM PUBLIC;
GRANT SELECT, INSERT, UPDATE ON social_api_version TO atrium_definer;
GRANT SELECT ON social_post, social_connection, social_variant TO atrium_definer;

CREATE FUNCTION social_api_version_in_use(p_platform text) RETURNS TABLE (version text, instead_of text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.sav_version, v.sav_instead_of FROM social_api_version v WHERE v.sav_platform = p_platform
$$;
CALL make_definer('social_api_version_in_use(text)');

CREATE FUNCTION social_api_version_found(p_platform text, p_version text, p_instead_of text) RETURNS boolean
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO social_api_version AS v (sav_platform, sav_version, sav_instead_of) VALUES (p_platform, p_version, p_instead_of)
  ON CONFLICT (sav_platform) DO UPDATE SET sav_version = excluded.sav_version, sav_instead_of = excluded.sav_instead_of, sav_found = now()
  RETURNING true
$$;
CALL make_definer('social_api_version_found(text, text, text)');

-- What is due in workspaces at work. Only ids leave; the work itself runs bound to each workspace.
CREATE FUNCTION social_posts_due(most integer) RETURNS TABLE (tenant_id uuid, sp_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.tenant_id, p.sp_id FROM social_post p JOIN workspace w USING (tenant_id)
  WHERE p.sp_state = 'scheduled' AND p.sp_schedule_at <= now() AND w.ws_status = 'active'
  ORDER BY p.sp_schedule_at, p.sp_id LIMIT most
$$;
CALL make_definer('social_posts_due(integer)');

-- Posts that were deleted 30 days ago.
CREATE FUNCTION social_posts_removed(most integer) RETURNS TABLE (tenant_id uuid, sp_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.tenant_id, p.sp_id FROM social_post p WHERE NOT p.sp_active AND p.sp_updated < now() - interval '30 days'
  ORDER BY p.sp_updated, p.sp_id LIMIT most
$$;
CALL make_definer('social_posts_removed(integer)');

CREATE FUNCTION social_connections_due(most integer) RETURNS TABLE (tenant_id uuid, con_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.tenant_id, c.con_id FROM social_connection c JOIN workspace w USING (tenant_id)
  WHERE c.con_next <= now() AND w.ws_status = 'active' ORDER BY c.con_next LIMIT most
$$;
CALL make_definer('social_connections_due(integer)');

CREATE FUNCTION social_metrics_due(most integer) RETURNS TABLE (tenant_id uuid, spv_id uuid, spv_target uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.tenant_id, v.spv_id, v.spv_target FROM social_variant v JOIN workspace w USING (tenant_id)
  WHERE v.spv_metrics_next <= now() AND w.ws_status = 'active' ORDER BY v.spv_metrics_next LIMIT most
$$;
CALL make_definer('social_metrics_due(integer)');
