-- The schema after all migrations, dumped from PostgreSQL 15 by npm run docs. Nobody runs this file: it is read in reviews.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE FUNCTION public.access_log_append(p_rows jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ INSERT INTO access_log SELECT * FROM jsonb_populate_recordset(NULL::access_log, p_rows) ON CONFLICT DO NOTHING $$;

ALTER FUNCTION public.access_log_append(p_rows jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_prepare(p_keep_days integer DEFAULT 365) RETURNS TABLE(made integer, dropped integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '5s'
    AS $_$
DECLARE
  month timestamptz;
  part text;
  horizon timestamptz := clock_timestamp() - make_interval(days => greatest(p_keep_days, 30));
BEGIN
  made := 0;
  dropped := 0;
  PERFORM pg_advisory_xact_lock(hashtext('access_log_prepare'));
  FOR month IN SELECT generate_series(date_trunc('month', clock_timestamp()), date_trunc('month', clock_timestamp()) + interval '2 months', interval '1 month') LOOP
    part := 'access_log_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    LOCK TABLE access_log_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE %I (LIKE access_log INCLUDING CONSTRAINTS)', part);
    EXECUTE format(
      'WITH early AS (DELETE FROM access_log_default WHERE log_timestamp >= %L AND log_timestamp < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
      month, month + interval '1 month', part);
    EXECUTE format('ALTER TABLE access_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, month, month + interval '1 month');
    made := made + 1;
  END LOOP;
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'access_log'::regclass AND c.relname ~ '^access_log_\d{4}_\d{2}$'
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= horizon
  LOOP
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM access_log_default WHERE log_timestamp < horizon;
  RETURN NEXT;
END
$_$;

ALTER FUNCTION public.access_log_prepare(p_keep_days integer) OWNER TO atrium_definer;

CREATE FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) RETURNS smallint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  words text[];
BEGIN
  IF acl IS NULL OR acl = '{}'::jsonb THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM jsonb_each(CASE jsonb_typeof(acl) WHEN 'object' THEN acl ELSE '{}' END)
                 WHERE key IN ('users', 'roles', 'spaces') AND jsonb_typeof(value) = 'object' AND value <> '{}') THEN
    RETURN NULL;
  END IF;
  words := ARRAY[acl #>> ARRAY['users', subject::text]]
    || ARRAY(SELECT acl #>> ARRAY['roles', r::text] FROM unnest(roles) r)
    || ARRAY(SELECT acl #>> ARRAY['spaces', s::text] FROM unnest(spaces) s);
  RETURN CASE WHEN 'owner' = ANY (words) THEN 3 WHEN 'edit' = ANY (words) THEN 2 WHEN 'view' = ANY (words) THEN 1 ELSE 0 END;
END
$$;

ALTER FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) OWNER TO atrium_owner;

CREATE FUNCTION public.albums_matching(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT album_id FROM album WHERE tenant_id = current_tenant() AND album_fts @@ websearch_to_tsquery('simple', needle) $$;

ALTER FUNCTION public.albums_matching(needle text) OWNER TO atrium_search;

CREATE TABLE public.signing_key (
    sk_id uuid NOT NULL,
    sk_public text NOT NULL,
    sk_private_sealed text NOT NULL,
    sk_state text DEFAULT 'active'::text NOT NULL,
    sk_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT signing_key_sk_state_check CHECK ((sk_state = ANY (ARRAY['active'::text, 'retired'::text])))
);

ALTER TABLE public.signing_key OWNER TO atrium_owner;

CREATE FUNCTION public.auth_add_signing_key(id uuid, public_key text, private_sealed text) RETURNS SETOF public.signing_key
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed) VALUES (id, public_key, private_sealed) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT * FROM signing_key WHERE sk_state = 'active';
END
$$;

ALTER FUNCTION public.auth_add_signing_key(id uuid, public_key text, private_sealed text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_session(session_id uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE ses_id = session_id AND ses_ended_at IS NULL;
  IF FOUND THEN
    UPDATE account SET acc_version = acc_version + 1 WHERE acc_id = (SELECT acc_id FROM account_session WHERE ses_id = session_id);
  END IF;
END
$$;

ALTER FUNCTION public.auth_end_session(session_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_session_of_token(token_hash text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM auth_end_session(t.ses_id) FROM refresh_token t WHERE t.rt_hash = token_hash;
END
$$;

ALTER FUNCTION public.auth_end_session_of_token(token_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_enter(tenant uuid, account_id uuid) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  RETURN (SELECT w.ws_authz_version || '.' || coalesce(a.acc_version, 0)
          FROM workspace w LEFT JOIN account a ON a.acc_id = account_id WHERE w.tenant_id = tenant);
END
$$;

ALTER FUNCTION public.auth_enter(tenant uuid, account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'acc_status', a.acc_status,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

ALTER FUNCTION public.auth_facts(tenant uuid, account_id uuid) OWNER TO atrium_definer;

CREATE TABLE public.account (
    acc_id uuid NOT NULL,
    acc_email text,
    acc_email_verified_at timestamp(3) with time zone,
    acc_password_hash text,
    acc_password_changed_at timestamp(3) with time zone,
    acc_status text DEFAULT 'active'::text NOT NULL,
    acc_version bigint DEFAULT 1 NOT NULL,
    acc_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT account_acc_email_check CHECK ((acc_email = lower(acc_email))),
    CONSTRAINT account_acc_status_check CHECK ((acc_status = ANY (ARRAY['active'::text, 'locked'::text, 'erased'::text])))
);

ALTER TABLE public.account OWNER TO atrium_owner;

CREATE FUNCTION public.auth_find_account(email text) RETURNS SETOF public.account
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM account WHERE acc_email = email $$;

ALTER FUNCTION public.auth_find_account(email text) OWNER TO atrium_definer;

CREATE TABLE public.api_key (
    tenant_id uuid NOT NULL,
    key_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    key_name text NOT NULL,
    key_public_id text NOT NULL,
    key_hash text NOT NULL,
    key_user uuid NOT NULL,
    key_scopes text[],
    key_expires_at timestamp(3) with time zone,
    key_last_used_at timestamp(3) with time zone,
    key_revoked_at timestamp(3) with time zone,
    key_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    key_created_by uuid,
    key_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.api_key FORCE ROW LEVEL SECURITY;

ALTER TABLE public.api_key OWNER TO atrium_owner;

CREATE FUNCTION public.auth_find_key(public_id text) RETURNS SETOF public.api_key
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM api_key WHERE key_public_id = public_id $$;

ALTER FUNCTION public.auth_find_key(public_id text) OWNER TO atrium_definer;

CREATE TABLE public.account_session (
    ses_id uuid NOT NULL,
    acc_id uuid NOT NULL,
    ses_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ses_last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ses_expires_at timestamp(3) with time zone NOT NULL,
    ses_ended_at timestamp(3) with time zone,
    ses_ip text,
    ses_user_agent text,
    ses_methods text[] DEFAULT '{pwd}'::text[] NOT NULL
);

ALTER TABLE public.account_session OWNER TO atrium_owner;

CREATE FUNCTION public.auth_find_session(session_id uuid) RETURNS SETOF public.account_session
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM account_session WHERE ses_id = session_id $$;

ALTER FUNCTION public.auth_find_session(session_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_memberships(account_id uuid) RETURNS TABLE(ws_id uuid, ws_name text, ws_slug text, ws_status text, user_name text, user_status text, user_roles uuid[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT w.ws_id, w.ws_name, w.ws_slug, w.ws_status, u.user_name, u.user_status,
         ARRAY(SELECT l.role_id FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id)
  FROM workspace_user u JOIN workspace w USING (tenant_id)
  WHERE u.user_id = account_id AND u.user_status <> 'removed' ORDER BY w.ws_name, w.ws_id
$$;

ALTER FUNCTION public.auth_memberships(account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, new_expires timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  token refresh_token;
  session account_session;
  holder account;
BEGIN
  SELECT s.* INTO session FROM refresh_token t JOIN account_session s USING (ses_id) WHERE t.rt_hash = old_hash FOR UPDATE OF s;
  IF NOT FOUND THEN RETURN '{"outcome": "unknown"}'; END IF;
  SELECT * INTO token FROM refresh_token WHERE rt_hash = old_hash;
  SELECT * INTO holder FROM account WHERE acc_id = session.acc_id;
  IF session.ses_ended_at IS NOT NULL OR session.ses_expires_at <= now() OR holder.acc_status <> 'active' THEN RETURN '{"outcome": "unknown"}'; END IF;
  IF token.rt_spent_at IS NOT NULL THEN
    -- A rotation that never settled died before its answer; after a minute nobody can be waiting for it.
    RETURN jsonb_build_object('outcome', 'spent', 'ses_id', session.ses_id,
      'settled_ms_ago', 1000 * extract(epoch FROM clock_timestamp() - coalesce(token.rt_settled_at, token.rt_spent_at + interval '1 minute')));
  END IF;
  IF token.rt_expires_at <= now() THEN RETURN '{"outcome": "unknown"}'; END IF;
  UPDATE refresh_token SET rt_spent_at = clock_timestamp() WHERE rt_hash = old_hash;
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (new_hash, session.ses_id, least(new_expires, session.ses_expires_at));
  UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session.ses_id;
  RETURN jsonb_build_object('outcome', 'rotated', 'acc_id', session.acc_id, 'acc_email', holder.acc_email, 'ses_id', session.ses_id, 'ses_created', session.ses_created, 'ses_methods', session.ses_methods);
END
$$;

ALTER FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, new_expires timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_settle_refresh(old_hash text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ UPDATE refresh_token SET rt_settled_at = clock_timestamp() WHERE rt_hash = old_hash AND rt_settled_at IS NULL $$;

ALTER FUNCTION public.auth_settle_refresh(old_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_signing_keys() RETURNS SETOF public.signing_key
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM signing_key ORDER BY sk_created $$;

ALTER FUNCTION public.auth_signing_keys() OWNER TO atrium_definer;

CREATE FUNCTION public.auth_start_session(session_id uuid, account_id uuid, expires timestamp with time zone, ip text, agent text, token_hash text, token_expires timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO account_session (ses_id, acc_id, ses_expires_at, ses_ip, ses_user_agent) VALUES (session_id, account_id, expires, ip, agent);
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (token_hash, session_id, token_expires);
$$;

ALTER FUNCTION public.auth_start_session(session_id uuid, account_id uuid, expires timestamp with time zone, ip text, agent text, token_hash text, token_expires timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  UPDATE api_key SET key_last_used_at = now() WHERE tenant_id = tenant AND key_id = key AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute');
  UPDATE workspace_user SET user_last_seen_at = now() WHERE tenant_id = tenant AND user_id = account_id AND (user_last_seen_at IS NULL OR user_last_seen_at < now() - interval '5 minutes');
$$;

ALTER FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.count_album_files() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE album a SET album_file_count = album_file_count + n.more
      FROM (SELECT tenant_id, af_album, count(*) FILTER (WHERE NOT af_hidden) AS more FROM fresh GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.more <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE album a SET album_file_count = album_file_count - n.less
      FROM (SELECT tenant_id, af_album, count(*) FILTER (WHERE NOT af_hidden) AS less FROM stale GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.less <> 0;
  ELSE
    UPDATE album a SET album_file_count = album_file_count + n.delta
      FROM (SELECT tenant_id, af_album, sum(d) AS delta FROM (
              SELECT tenant_id, af_album, CASE WHEN af_hidden THEN 0 ELSE 1 END AS d FROM fresh
              UNION ALL SELECT tenant_id, af_album, CASE WHEN af_hidden THEN 0 ELSE -1 END FROM stale) x GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.delta <> 0;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_album_files() OWNER TO atrium_owner;

CREATE FUNCTION public.current_tenant() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid;

ALTER FUNCTION public.current_tenant() OWNER TO atrium_owner;

CREATE FUNCTION public.files_due(most integer) RETURNS TABLE(kind text, tenant_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  (SELECT 'upload', u.tenant_id, u.upl_id FROM upload u WHERE u.upl_staged AND u.upl_expires < now() ORDER BY u.upl_expires LIMIT most)
  UNION ALL
  (SELECT 'purge', f.tenant_id, f.file_id FROM file f WHERE f.file_purge_at < now() ORDER BY f.file_purge_at LIMIT most)
  UNION ALL
  (SELECT 'blob', b.tenant_id, b.blob_id FROM file_blob b WHERE b.blob_state = 'orphan' AND b.blob_orphaned < now() - interval '24 hours' ORDER BY b.blob_orphaned LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d WHERE d.status = 'completed' AND d.expires_at < now() ORDER BY d.expires_at LIMIT most)
$$;

ALTER FUNCTION public.files_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.files_named_like(needle text, repo text, most integer) RETURNS TABLE(file_id uuid, rank real)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT f.file_id,
         CASE WHEN lower(f.file_name) LIKE replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' THEN 3
              WHEN lower(f.file_name) LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' THEN 2
              ELSE similarity(lower(f.file_name), lower(needle)) END::real AS rank
  FROM file f
  WHERE f.tenant_id = current_tenant() AND f.file_deleted IS NULL AND (repo IS NULL OR f.repo_type = repo)
    AND (lower(f.file_name) LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' OR lower(f.file_name) % lower(needle))
  ORDER BY rank DESC, f.file_name, f.file_id LIMIT most
$$;

ALTER FUNCTION public.files_named_like(needle text, repo text, most integer) OWNER TO atrium_search;

CREATE PROCEDURE public.make_searchable(IN target regclass)
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('CREATE POLICY search ON %s FOR SELECT TO atrium_search USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO atrium_search', target);
END
$$;

ALTER PROCEDURE public.make_searchable(IN target regclass) OWNER TO atrium_owner;

CREATE PROCEDURE public.make_tenant_table(IN target regclass, IN grants text DEFAULT 'SELECT, INSERT, UPDATE, DELETE'::text)
    LANGUAGE plpgsql
    AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
     WITH CHECK (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', target);
  EXECUTE format('GRANT %s ON %s TO atrium_app', grants, target);
END
$$;

ALTER PROCEDURE public.make_tenant_table(IN target regclass, IN grants text) OWNER TO atrium_owner;

CREATE TABLE public.outbox (
    tenant_id uuid NOT NULL,
    ev_id uuid NOT NULL,
    ev_kind text NOT NULL,
    ev_name text NOT NULL,
    ev_subject uuid,
    ev_key text NOT NULL,
    ev_version integer DEFAULT 1 NOT NULL,
    ev_payload jsonb NOT NULL,
    ev_actor jsonb NOT NULL,
    ev_request text NOT NULL,
    ev_trace text,
    ev_tracked boolean DEFAULT false NOT NULL,
    ev_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ev_due timestamp(3) with time zone DEFAULT now() NOT NULL,
    ev_lease timestamp(3) with time zone,
    ev_sent timestamp(3) with time zone,
    ev_done timestamp(3) with time zone,
    ev_error text,
    CONSTRAINT outbox_ev_kind_check CHECK ((ev_kind = ANY (ARRAY['event'::text, 'job'::text])))
);

ALTER TABLE ONLY public.outbox FORCE ROW LEVEL SECURITY;

ALTER TABLE public.outbox OWNER TO atrium_owner;

CREATE FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) RETURNS SETOF public.outbox
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH due AS MATERIALIZED (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_due <= clock_timestamp()
        AND (ev_lease IS NULL OR ev_lease < clock_timestamp())
        AND (ev_kind = 'event' OR ev_name = ANY (p_jobs))
      ORDER BY ev_due LIMIT p_limit FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due
    WHERE o.tenant_id = due.tenant_id AND o.ev_id = due.ev_id
    RETURNING o.*
  $$;

ALTER FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
    SELECT e.tenant_id, d.job_id, 'job', d.subscriber, e.ev_subject, e.ev_id::text,
           jsonb_build_object('event_id', e.ev_id, 'name', e.ev_name, 'subject_id', e.ev_subject, 'payload', e.ev_payload,
                              'at', to_char(e.ev_created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           e.ev_actor, e.ev_request, e.ev_trace
    FROM unnest(p_tenants, p_events, p_jobs, p_subscribers) AS d (tenant_id, event_id, job_id, subscriber)
    JOIN outbox e ON e.tenant_id = d.tenant_id AND e.ev_id = d.event_id AND e.ev_kind = 'event'
  $$;

ALTER FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) RETURNS SETOF public.outbox
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH late AS MATERIALIZED (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_kind = 'job' AND ev_sent < clock_timestamp() - make_interval(secs => p_age_seconds) AND ev_done IS NULL
        AND (ev_lease IS NULL OR ev_lease < clock_timestamp()) AND ev_name = ANY (p_jobs)
      ORDER BY ev_lease NULLS FIRST, ev_sent LIMIT p_limit FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_age_seconds)
    FROM late
    WHERE o.tenant_id = late.tenant_id AND o.ev_id = late.ev_id
    RETURNING o.*
  $$;

ALTER FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH old AS (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_kind = 'job' AND ev_done < clock_timestamp() - make_interval(secs => p_age_seconds)
      ORDER BY ev_done LIMIT p_limit FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM outbox o USING old WHERE o.tenant_id = old.tenant_id AND o.ev_id = old.ev_id RETURNING 1
    )
    SELECT count(*) FROM gone
  $$;

ALTER FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox o SET ev_sent = clock_timestamp(), ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS sent (tenant_id, ev_id)
    WHERE o.tenant_id = sent.tenant_id AND o.ev_id = sent.ev_id
  $$;

ALTER FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.raise_authz_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE workspace SET ws_authz_version = ws_authz_version + 1 WHERE tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id);
  RETURN NULL;
END
$$;

ALTER FUNCTION public.raise_authz_version() OWNER TO atrium_owner;

CREATE FUNCTION public.raise_own_authz_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NEW.ws_authz_version := OLD.ws_authz_version + 1;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.raise_own_authz_version() OWNER TO atrium_owner;

CREATE FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH old AS (
      SELECT tenant_id, se_stream, se_id FROM stream_event
      WHERE se_created < clock_timestamp() - make_interval(secs => p_age_seconds)
      ORDER BY se_created LIMIT p_limit
    ), gone AS (
      DELETE FROM stream_event s USING old
      WHERE s.tenant_id = old.tenant_id AND s.se_stream = old.se_stream AND s.se_id = old.se_id RETURNING 1
    )
    SELECT count(*) FROM gone
  $$;

ALTER FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_add_user(tenant uuid, spec jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  account_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email, acc_password_hash, acc_password_changed_at)
    VALUES ((spec ->> 'user_id')::uuid, spec ->> 'user_email', spec ->> 'password_hash', now())
    ON CONFLICT (acc_email) DO NOTHING;
  SELECT acc_id INTO account_id FROM account WHERE acc_email = spec ->> 'user_email' OR acc_id = (spec ->> 'user_id')::uuid ORDER BY acc_email = spec ->> 'user_email' DESC NULLS LAST LIMIT 1;
  INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_email, user_name) VALUES (tenant, account_id, coalesce(spec ->> 'user_kind', 'person'), spec ->> 'user_email', spec ->> 'user_name');
  INSERT INTO user_role_link (tenant_id, user_id, role_id)
    SELECT tenant, account_id, role_id FROM role WHERE tenant_id = tenant AND role_key IN (SELECT jsonb_array_elements_text(spec -> 'role_keys'));
  RETURN jsonb_build_object('user_id', account_id);
END
$$;

ALTER FUNCTION public.ws_add_user(tenant uuid, spec jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_list() RETURNS TABLE(ws_id uuid, ws_name text, ws_slug text, ws_status text, ws_created timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT ws_id, ws_name, ws_slug, ws_status, ws_created FROM workspace ORDER BY ws_created $$;

ALTER FUNCTION public.ws_list() OWNER TO atrium_definer;

CREATE FUNCTION public.ws_provision(spec jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant uuid := (spec ->> 'ws_id')::uuid;
  owner_id uuid;
BEGIN
  INSERT INTO workspace (tenant_id, ws_name, ws_slug, ws_external_id) VALUES (tenant, spec ->> 'ws_name', spec ->> 'ws_slug', spec ->> 'ws_external_id');
  INSERT INTO role (tenant_id, role_id, role_key, role_name, role_description, role_permissions, role_default)
    SELECT tenant, r.role_id, r.role_key, r.role_name, r.role_description, r.role_permissions, r.role_default
    FROM jsonb_to_recordset(spec -> 'roles') AS r (role_id uuid, role_key text, role_name text, role_description text, role_permissions text[], role_default boolean);
  INSERT INTO licence (tenant_id, lic_module, lic_source) SELECT tenant, m, 'provisioning' FROM jsonb_array_elements_text(spec -> 'modules') m;
  owner_id := (ws_add_user(tenant, spec -> 'owner') ->> 'user_id')::uuid;
  RETURN jsonb_build_object('ws_id', tenant, 'user_id', owner_id);
END
$$;

ALTER FUNCTION public.ws_provision(spec jsonb) OWNER TO atrium_definer;

CREATE TABLE public.access_log (
    tenant_id uuid NOT NULL,
    log_id uuid NOT NULL,
    log_timestamp timestamp(3) with time zone NOT NULL,
    log_user uuid,
    log_key uuid,
    log_extension uuid,
    log_session uuid,
    log_principal text NOT NULL,
    log_method text NOT NULL,
    log_url text NOT NULL,
    log_route text,
    log_operation text,
    log_params jsonb,
    log_query jsonb,
    log_body jsonb,
    log_status integer NOT NULL,
    log_code text,
    log_duration_ms double precision NOT NULL,
    log_bytes_in bigint,
    log_bytes_out bigint,
    log_ip text,
    log_user_agent text,
    log_request_id text NOT NULL,
    log_trace_id text,
    log_idempotency_key text,
    log_replayed boolean,
    log_permission text,
    CONSTRAINT access_log_log_principal_check CHECK ((log_principal = ANY (ARRAY['person'::text, 'service'::text, 'extension'::text, 'user_via_extension'::text, 'public'::text])))
)
PARTITION BY RANGE (log_timestamp);

ALTER TABLE ONLY public.access_log FORCE ROW LEVEL SECURITY;

ALTER TABLE public.access_log OWNER TO atrium_definer;

CREATE TABLE public.access_log_default (
    tenant_id uuid NOT NULL,
    log_id uuid NOT NULL,
    log_timestamp timestamp(3) with time zone NOT NULL,
    log_user uuid,
    log_key uuid,
    log_extension uuid,
    log_session uuid,
    log_principal text NOT NULL,
    log_method text NOT NULL,
    log_url text NOT NULL,
    log_route text,
    log_operation text,
    log_params jsonb,
    log_query jsonb,
    log_body jsonb,
    log_status integer NOT NULL,
    log_code text,
    log_duration_ms double precision NOT NULL,
    log_bytes_in bigint,
    log_bytes_out bigint,
    log_ip text,
    log_user_agent text,
    log_request_id text NOT NULL,
    log_trace_id text,
    log_idempotency_key text,
    log_replayed boolean,
    log_permission text,
    CONSTRAINT access_log_log_principal_check CHECK ((log_principal = ANY (ARRAY['person'::text, 'service'::text, 'extension'::text, 'user_via_extension'::text, 'public'::text])))
);

ALTER TABLE public.access_log_default OWNER TO atrium_definer;

CREATE TABLE public.album (
    tenant_id uuid NOT NULL,
    album_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    album_kind text DEFAULT 'media'::text NOT NULL,
    album_name text NOT NULL,
    album_name_key text GENERATED ALWAYS AS (lower("left"(album_name, 64))) STORED NOT NULL,
    album_description text,
    album_cover_file uuid,
    album_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    album_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    album_active boolean DEFAULT true NOT NULL,
    album_smart boolean DEFAULT false NOT NULL,
    album_parent uuid,
    album_file_count bigint DEFAULT 0 NOT NULL,
    album_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    album_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    album_created_by uuid,
    album_fts tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, ((album_name || ' '::text) || COALESCE(album_description, ''::text)))) STORED NOT NULL,
    CONSTRAINT album_album_kind_check CHECK ((album_kind = ANY (ARRAY['media'::text, 'docs'::text])))
);

ALTER TABLE ONLY public.album FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album OWNER TO atrium_owner;

CREATE TABLE public.album_file (
    tenant_id uuid NOT NULL,
    af_id uuid DEFAULT gen_random_uuid() NOT NULL,
    af_album uuid NOT NULL,
    af_file uuid NOT NULL,
    af_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    af_added_by uuid,
    af_hidden boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.album_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album_file OWNER TO atrium_owner;

CREATE TABLE public.atrium_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.atrium_migration OWNER TO atrium_owner;

CREATE TABLE public.background_job (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    job_kind text NOT NULL,
    job_status text DEFAULT 'queued'::text NOT NULL,
    job_done bigint DEFAULT 0 NOT NULL,
    job_failed bigint DEFAULT 0 NOT NULL,
    job_total bigint,
    job_error text,
    job_result jsonb,
    job_created_by uuid,
    job_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    job_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT background_job_job_status_check CHECK ((job_status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.background_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.background_job OWNER TO atrium_owner;

CREATE TABLE public.download_job (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    file_ids uuid[] NOT NULL,
    file_count integer NOT NULL,
    size text DEFAULT 'original'::text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    total integer NOT NULL,
    archive_key text,
    archive_size bigint,
    skipped jsonb DEFAULT '[]'::jsonb NOT NULL,
    error text,
    expires_at timestamp(3) with time zone,
    job_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    job_created_by uuid NOT NULL,
    CONSTRAINT download_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);

ALTER TABLE ONLY public.download_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.download_job OWNER TO atrium_owner;

CREATE TABLE public.file (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    file_repo jsonb NOT NULL,
    repo_type text NOT NULL,
    repo_id uuid,
    repo_key text GENERATED ALWAYS AS (
CASE
    WHEN (repo_id IS NULL) THEN repo_type
    ELSE ((repo_type || ':'::text) || (repo_id)::text)
END) STORED NOT NULL,
    file_name text NOT NULL,
    file_name_key text GENERATED ALWAYS AS (lower("left"(file_name, 64))) STORED NOT NULL,
    file_ext text GENERATED ALWAYS AS (lower(COALESCE("substring"(file_name, '\.([A-Za-z0-9]{1,16})$'::text), ''::text))) STORED NOT NULL,
    file_kind text DEFAULT 'other'::text NOT NULL,
    file_type text NOT NULL,
    file_type_key text GENERATED ALWAYS AS (lower("left"(file_type, 64))) STORED NOT NULL,
    file_size bigint NOT NULL,
    file_hash text,
    file_status text DEFAULT 'active'::text NOT NULL,
    file_processing text DEFAULT 'pending'::text NOT NULL,
    file_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    file_summary text,
    file_provider_id uuid NOT NULL,
    file_bucket text NOT NULL,
    file_folder text NOT NULL,
    file_replicas text DEFAULT ''::text NOT NULL,
    file_added_by uuid,
    file_version integer DEFAULT 1 NOT NULL,
    file_current_version uuid NOT NULL,
    file_blob uuid NOT NULL,
    file_deleted timestamp(3) with time zone,
    file_deleted_by uuid,
    file_purge_at timestamp(3) with time zone,
    file_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    file_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT file_file_processing_check CHECK ((file_processing = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text, 'quarantined'::text])))
);

ALTER TABLE ONLY public.file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file OWNER TO atrium_owner;

CREATE TABLE public.file_blob (
    tenant_id uuid NOT NULL,
    blob_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    blob_hash text,
    blob_size bigint NOT NULL,
    blob_type text NOT NULL,
    blob_key text NOT NULL,
    blob_replicas jsonb DEFAULT '{}'::jsonb NOT NULL,
    blob_system jsonb,
    blob_refs integer DEFAULT 0 NOT NULL,
    blob_state text DEFAULT 'live'::text NOT NULL,
    blob_orphaned timestamp(3) with time zone,
    blob_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT file_blob_blob_state_check CHECK ((blob_state = ANY (ARRAY['live'::text, 'orphan'::text])))
);

ALTER TABLE ONLY public.file_blob FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_blob OWNER TO atrium_owner;

CREATE TABLE public.file_history (
    tenant_id uuid NOT NULL,
    fh_id uuid NOT NULL,
    fh_file uuid NOT NULL,
    fh_action text NOT NULL,
    fh_actor uuid,
    fh_actor_type text NOT NULL,
    fh_details jsonb DEFAULT '{}'::jsonb NOT NULL,
    fh_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.file_history FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_history OWNER TO atrium_owner;

CREATE TABLE public.file_pref (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    user_id uuid NOT NULL,
    favorite boolean NOT NULL,
    pref_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.file_pref FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_pref OWNER TO atrium_owner;

CREATE TABLE public.file_version (
    tenant_id uuid NOT NULL,
    fv_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    fv_file uuid NOT NULL,
    fv_number integer NOT NULL,
    fv_name text NOT NULL,
    fv_type text NOT NULL,
    fv_size bigint NOT NULL,
    fv_hash text,
    fv_replicas text DEFAULT ''::text NOT NULL,
    fv_note text,
    fv_pinned boolean DEFAULT false NOT NULL,
    fv_source text NOT NULL,
    fv_blob uuid NOT NULL,
    fv_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    fv_created_by uuid,
    CONSTRAINT file_version_fv_source_check CHECK ((fv_source = ANY (ARRAY['upload'::text, 'restore'::text, 'edit'::text, 'generated'::text, 'import'::text])))
);

ALTER TABLE ONLY public.file_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_version OWNER TO atrium_owner;

CREATE TABLE public.idempotency_key (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    idem_key text NOT NULL,
    idem_fingerprint text NOT NULL,
    idem_status integer,
    idem_headers jsonb,
    idem_body jsonb,
    idem_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.idempotency_key FORCE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_key OWNER TO atrium_owner;

CREATE TABLE public.licence (
    tenant_id uuid NOT NULL,
    lic_module text NOT NULL,
    lic_starts_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    lic_expires_at timestamp(3) with time zone,
    lic_source text,
    lic_note text,
    lic_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    lic_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.licence FORCE ROW LEVEL SECURITY;

ALTER TABLE public.licence OWNER TO atrium_owner;

CREATE TABLE public.refresh_token (
    rt_hash text NOT NULL,
    ses_id uuid NOT NULL,
    rt_created timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
    rt_expires_at timestamp(3) with time zone NOT NULL,
    rt_spent_at timestamp(6) with time zone,
    rt_settled_at timestamp(6) with time zone
);

ALTER TABLE public.refresh_token OWNER TO atrium_owner;

CREATE TABLE public.role (
    tenant_id uuid NOT NULL,
    role_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    role_key text,
    role_name text NOT NULL,
    role_description text,
    role_permissions text[] NOT NULL,
    role_default boolean DEFAULT false NOT NULL,
    role_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    role_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.role FORCE ROW LEVEL SECURITY;

ALTER TABLE public.role OWNER TO atrium_owner;

CREATE TABLE public.stream_event (
    tenant_id uuid NOT NULL,
    se_stream text NOT NULL,
    se_id bigint NOT NULL,
    se_event jsonb NOT NULL,
    se_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.stream_event FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stream_event OWNER TO atrium_owner;

CREATE TABLE public.upload (
    tenant_id uuid NOT NULL,
    upl_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    upl_state text DEFAULT 'open'::text NOT NULL,
    upl_mode text NOT NULL,
    file_repo jsonb NOT NULL,
    file_name text NOT NULL,
    file_type text,
    file_size bigint NOT NULL,
    file_hash text,
    file_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    upl_file uuid,
    upl_on_duplicate text DEFAULT 'keep'::text NOT NULL,
    album_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    upl_note text,
    upl_part_size bigint,
    upl_part_count integer,
    upl_key text NOT NULL,
    upl_multipart_id text,
    upl_staged boolean DEFAULT true NOT NULL,
    upl_claimed timestamp(3) with time zone,
    upl_expires timestamp(3) with time zone NOT NULL,
    upl_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    upl_created_by uuid NOT NULL,
    upl_file_id uuid,
    upl_error text,
    CONSTRAINT upload_upl_mode_check CHECK ((upl_mode = ANY (ARRAY['single'::text, 'multipart'::text]))),
    CONSTRAINT upload_upl_on_duplicate_check CHECK ((upl_on_duplicate = ANY (ARRAY['keep'::text, 'skip'::text, 'version'::text]))),
    CONSTRAINT upload_upl_state_check CHECK ((upl_state = ANY (ARRAY['open'::text, 'completing'::text, 'finalized'::text, 'aborted'::text, 'expired'::text, 'rejected'::text])))
);

ALTER TABLE ONLY public.upload FORCE ROW LEVEL SECURITY;

ALTER TABLE public.upload OWNER TO atrium_owner;

CREATE TABLE public.user_role_link (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role_id uuid NOT NULL
);

ALTER TABLE ONLY public.user_role_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.user_role_link OWNER TO atrium_owner;

CREATE TABLE public.workspace (
    tenant_id uuid NOT NULL,
    ws_id uuid GENERATED ALWAYS AS (tenant_id) STORED NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    ws_name text NOT NULL,
    ws_slug text NOT NULL,
    ws_status text DEFAULT 'active'::text NOT NULL,
    ws_description text,
    ws_locale text DEFAULT 'en'::text NOT NULL,
    ws_timezone text DEFAULT 'UTC'::text NOT NULL,
    ws_contact_email text,
    ws_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    ws_seat_limit integer,
    ws_options jsonb DEFAULT '{}'::jsonb NOT NULL,
    ws_brand_version integer DEFAULT 1 NOT NULL,
    ws_external_id text,
    ws_authz_version bigint DEFAULT 1 NOT NULL,
    ws_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ws_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workspace_ws_slug_check CHECK ((ws_slug ~ '^[a-z][a-z0-9-]{1,38}[a-z0-9]$'::text)),
    CONSTRAINT workspace_ws_status_check CHECK ((ws_status = ANY (ARRAY['active'::text, 'suspended'::text, 'deleting'::text])))
);

ALTER TABLE ONLY public.workspace FORCE ROW LEVEL SECURITY;

ALTER TABLE public.workspace OWNER TO atrium_owner;

CREATE TABLE public.workspace_user (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    user_kind text DEFAULT 'person'::text NOT NULL,
    user_email text,
    user_name text NOT NULL,
    user_title text,
    user_avatar_file uuid,
    user_locale text,
    user_timezone text,
    user_status text DEFAULT 'active'::text NOT NULL,
    user_pref jsonb DEFAULT '{}'::jsonb NOT NULL,
    user_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    user_external_id text,
    user_last_seen_at timestamp(3) with time zone,
    user_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    user_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workspace_user_user_kind_check CHECK ((user_kind = ANY (ARRAY['person'::text, 'service'::text, 'extension'::text]))),
    CONSTRAINT workspace_user_user_status_check CHECK ((user_status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text, 'removed'::text])))
);

ALTER TABLE ONLY public.workspace_user FORCE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_user OWNER TO atrium_owner;

ALTER TABLE ONLY public.access_log ATTACH PARTITION public.access_log_default DEFAULT;

ALTER TABLE ONLY public.access_log
    ADD CONSTRAINT access_log_pkey PRIMARY KEY (tenant_id, log_timestamp, log_id);

ALTER TABLE ONLY public.access_log_default
    ADD CONSTRAINT access_log_default_pkey PRIMARY KEY (tenant_id, log_timestamp, log_id);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_acc_email_key UNIQUE (acc_email);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (acc_id);

ALTER TABLE ONLY public.account_session
    ADD CONSTRAINT account_session_pkey PRIMARY KEY (ses_id);

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_pkey PRIMARY KEY (tenant_id, af_album, af_file);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_pkey PRIMARY KEY (tenant_id, album_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_key_public_id_key UNIQUE (key_public_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (tenant_id, key_id);

ALTER TABLE ONLY public.atrium_migration
    ADD CONSTRAINT atrium_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.background_job
    ADD CONSTRAINT background_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.download_job
    ADD CONSTRAINT download_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_pkey PRIMARY KEY (tenant_id, blob_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_tenant_id_blob_hash_blob_size_key UNIQUE (tenant_id, blob_hash, blob_size);

ALTER TABLE ONLY public.file_history
    ADD CONSTRAINT file_history_pkey PRIMARY KEY (tenant_id, fh_id);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (tenant_id, file_id);

ALTER TABLE ONLY public.file_pref
    ADD CONSTRAINT file_pref_pkey PRIMARY KEY (tenant_id, file_id, user_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_pkey PRIMARY KEY (tenant_id, fv_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_file_fv_number_key UNIQUE (tenant_id, fv_file, fv_number);

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (tenant_id, user_id, idem_key);

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_pkey PRIMARY KEY (tenant_id, lic_module);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (tenant_id, ev_id);

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (rt_hash);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (tenant_id, role_id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_tenant_id_role_key_key UNIQUE (tenant_id, role_key);

ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (sk_id);

ALTER TABLE ONLY public.stream_event
    ADD CONSTRAINT stream_event_pkey PRIMARY KEY (tenant_id, se_stream, se_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (tenant_id, upl_id);

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_pkey PRIMARY KEY (tenant_id, user_id, role_id);

ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.workspace_user
    ADD CONSTRAINT workspace_user_pkey PRIMARY KEY (tenant_id, user_id);

ALTER TABLE ONLY public.workspace_user
    ADD CONSTRAINT workspace_user_tenant_id_user_email_key UNIQUE (tenant_id, user_email);

ALTER TABLE ONLY public.workspace_user
    ADD CONSTRAINT workspace_user_tenant_id_user_external_id_key UNIQUE (tenant_id, user_external_id);

ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_ws_external_id_key UNIQUE (ws_external_id);

ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_ws_slug_key UNIQUE (ws_slug);

CREATE INDEX access_log_request ON ONLY public.access_log USING btree (tenant_id, log_request_id);

CREATE INDEX access_log_default_tenant_id_log_request_id_idx ON public.access_log_default USING btree (tenant_id, log_request_id);

CREATE INDEX access_log_user ON ONLY public.access_log USING btree (tenant_id, log_user, log_timestamp DESC);

CREATE INDEX access_log_default_tenant_id_log_user_log_timestamp_idx ON public.access_log_default USING btree (tenant_id, log_user, log_timestamp DESC);

CREATE INDEX account_session_account ON public.account_session USING btree (acc_id);

CREATE INDEX album_children ON public.album USING btree (tenant_id, album_parent, album_created, album_id);

CREATE INDEX album_created ON public.album USING btree (tenant_id, album_kind, album_created, album_id);

CREATE INDEX album_file_created ON public.album_file USING btree (tenant_id, af_created, af_id) WHERE (NOT af_hidden);

CREATE INDEX album_file_file ON public.album_file USING btree (tenant_id, af_file, af_created, af_id);

CREATE INDEX album_file_newest ON public.album_file USING btree (tenant_id, af_album, af_created, af_id) WHERE (NOT af_hidden);

CREATE INDEX album_fts ON public.album USING gin (tenant_id, album_fts);

CREATE INDEX album_name ON public.album USING btree (tenant_id, album_kind, album_name_key, album_id);

CREATE INDEX album_updated ON public.album USING btree (tenant_id, album_kind, album_updated, album_id);

CREATE INDEX api_key_user ON public.api_key USING btree (tenant_id, key_user);

CREATE INDEX download_job_expiry ON public.download_job USING btree (expires_at) WHERE (status = 'completed'::text);

CREATE INDEX download_job_mine ON public.download_job USING btree (tenant_id, job_created_by, job_created, job_id);

CREATE INDEX file_blob_orphan ON public.file_blob USING btree (blob_orphaned) WHERE (blob_state = 'orphan'::text);

CREATE INDEX file_blob_use ON public.file USING btree (tenant_id, file_blob);

CREATE INDEX file_hash ON public.file USING btree (tenant_id, file_hash) WHERE (file_deleted IS NULL);

CREATE INDEX file_history_file ON public.file_history USING btree (tenant_id, fh_file, fh_id);

CREATE INDEX file_name_trigram ON public.file USING gin (tenant_id, lower(file_name) public.gin_trgm_ops) WHERE (file_deleted IS NULL);

CREATE INDEX file_pref_user ON public.file_pref USING btree (tenant_id, user_id, favorite, file_id);

CREATE INDEX file_purge ON public.file USING btree (file_purge_at) WHERE (file_purge_at IS NOT NULL);

CREATE INDEX file_repo_created ON public.file USING btree (tenant_id, repo_key, file_created, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_name ON public.file USING btree (tenant_id, repo_key, file_name_key, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_size ON public.file USING btree (tenant_id, repo_key, file_size, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_type ON public.file USING btree (tenant_id, repo_key, file_type_key, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_updated ON public.file USING btree (tenant_id, repo_key, file_updated, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_trash ON public.file USING btree (tenant_id, file_deleted, file_id) WHERE (file_deleted IS NOT NULL);

CREATE INDEX file_version_blob ON public.file_version USING btree (tenant_id, fv_blob);

CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (idem_created);

CREATE INDEX outbox_finished ON public.outbox USING btree (ev_done) WHERE ((ev_kind = 'job'::text) AND (ev_done IS NOT NULL));

CREATE INDEX outbox_open ON public.outbox USING btree (ev_sent) WHERE ((ev_kind = 'job'::text) AND (ev_sent IS NOT NULL) AND (ev_done IS NULL));

CREATE INDEX outbox_open_key ON public.outbox USING btree (tenant_id, ev_name, ev_key) WHERE ((ev_kind = 'job'::text) AND (ev_done IS NULL));

CREATE INDEX outbox_unsent ON public.outbox USING btree (ev_due) WHERE ((ev_sent IS NULL) AND (ev_done IS NULL));

CREATE INDEX refresh_token_session ON public.refresh_token USING btree (ses_id);

CREATE UNIQUE INDEX role_name_unique ON public.role USING btree (tenant_id, lower(role_name));

CREATE UNIQUE INDEX signing_key_one_active ON public.signing_key USING btree (sk_state) WHERE (sk_state = 'active'::text);

CREATE INDEX stream_event_age ON public.stream_event USING btree (se_created);

CREATE INDEX upload_expiry ON public.upload USING btree (upl_expires) WHERE upl_staged;

CREATE INDEX upload_mine ON public.upload USING btree (tenant_id, upl_created_by, upl_state, upl_id);

CREATE INDEX upload_mine_created ON public.upload USING btree (tenant_id, upl_created_by, upl_created, upl_id);

CREATE INDEX user_role_link_role ON public.user_role_link USING btree (tenant_id, role_id);

CREATE INDEX workspace_user_account ON public.workspace_user USING btree (user_id);

CREATE INDEX workspace_user_status ON public.workspace_user USING btree (tenant_id, user_status, user_created, user_id);

ALTER INDEX public.access_log_pkey ATTACH PARTITION public.access_log_default_pkey;

ALTER INDEX public.access_log_request ATTACH PARTITION public.access_log_default_tenant_id_log_request_id_idx;

ALTER INDEX public.access_log_user ATTACH PARTITION public.access_log_default_tenant_id_log_user_log_timestamp_idx;

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF key_hash, key_user, key_scopes, key_expires_at, key_revoked_at ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE ON public.licence FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF role_permissions ON public.role FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE ON public.user_role_link FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz BEFORE UPDATE OF ws_status ON public.workspace FOR EACH ROW EXECUTE FUNCTION public.raise_own_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF user_status, user_kind ON public.workspace_user FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER count_deleted AFTER DELETE ON public.album_file REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

CREATE TRIGGER count_inserted AFTER INSERT ON public.album_file REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

CREATE TRIGGER count_updated AFTER UPDATE ON public.album_file REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

ALTER TABLE ONLY public.account_session
    ADD CONSTRAINT account_session_acc_id_fkey FOREIGN KEY (acc_id) REFERENCES public.account(acc_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_tenant_id_af_album_fkey FOREIGN KEY (tenant_id, af_album) REFERENCES public.album(tenant_id, album_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_tenant_id_af_file_fkey FOREIGN KEY (tenant_id, af_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_album_cover_file_fkey FOREIGN KEY (tenant_id, album_cover_file) REFERENCES public.file(tenant_id, file_id) ON DELETE SET NULL (album_cover_file);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_album_parent_fkey FOREIGN KEY (tenant_id, album_parent) REFERENCES public.album(tenant_id, album_id) ON DELETE SET NULL (album_parent);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_tenant_id_key_user_fkey FOREIGN KEY (tenant_id, key_user) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.download_job
    ADD CONSTRAINT download_job_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_pref
    ADD CONSTRAINT file_pref_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_tenant_id_file_blob_fkey FOREIGN KEY (tenant_id, file_blob) REFERENCES public.file_blob(tenant_id, blob_id);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_blob_fkey FOREIGN KEY (tenant_id, fv_blob) REFERENCES public.file_blob(tenant_id, blob_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_file_fkey FOREIGN KEY (tenant_id, fv_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_ses_id_fkey FOREIGN KEY (ses_id) REFERENCES public.account_session(ses_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_tenant_id_upl_file_fkey FOREIGN KEY (tenant_id, upl_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES public.role(tenant_id, role_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.workspace_user
    ADD CONSTRAINT workspace_user_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE public.access_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.background_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.download_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_blob ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_pref ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.licence ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role ENABLE ROW LEVEL SECURITY;

CREATE POLICY search ON public.album FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file FOR SELECT TO atrium_search USING (true);

ALTER TABLE public.stream_event ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.access_log USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.api_key USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.background_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.download_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_blob USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_history USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_pref USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_version USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.idempotency_key USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.licence USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.outbox USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.role USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.stream_event USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.upload USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.user_role_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.workspace USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.workspace_user USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_role_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.workspace ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_user ENABLE ROW LEVEL SECURITY;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO atrium_app;
GRANT ALL ON SCHEMA public TO atrium_search;
GRANT ALL ON SCHEMA public TO atrium_definer;

REVOKE ALL ON FUNCTION public.access_log_append(p_rows jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_append(p_rows jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_prepare(p_keep_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_prepare(p_keep_days integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.albums_matching(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.albums_matching(needle text) TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.signing_key TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_add_signing_key(id uuid, public_key text, private_sealed text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_add_signing_key(id uuid, public_key text, private_sealed text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_session(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_session(session_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_session_of_token(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_session_of_token(token_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_enter(tenant uuid, account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_enter(tenant uuid, account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_facts(tenant uuid, account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_facts(tenant uuid, account_id uuid) TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.account TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_find_account(email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_account(email text) TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_key TO atrium_app;
GRANT SELECT,UPDATE ON TABLE public.api_key TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_find_key(public_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_key(public_id text) TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.account_session TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_find_session(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_session(session_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_memberships(account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_memberships(account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, new_expires timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, new_expires timestamp with time zone) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_settle_refresh(old_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_settle_refresh(old_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_signing_keys() FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_signing_keys() TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_start_session(session_id uuid, account_id uuid, expires timestamp with time zone, ip text, agent text, token_hash text, token_expires timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_start_session(session_id uuid, account_id uuid, expires timestamp with time zone, ip text, agent text, token_hash text, token_expires timestamp with time zone) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid) TO atrium_app;

GRANT ALL ON FUNCTION public.current_tenant() TO atrium_search;
GRANT ALL ON FUNCTION public.current_tenant() TO atrium_app;

REVOKE ALL ON FUNCTION public.files_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_named_like(needle text, repo text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_named_like(needle text, repo text, most integer) TO atrium_app;

GRANT SELECT,INSERT ON TABLE public.outbox TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outbox TO atrium_definer;

GRANT UPDATE(ev_done) ON TABLE public.outbox TO atrium_app;

GRANT UPDATE(ev_error) ON TABLE public.outbox TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_add_user(tenant uuid, spec jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_add_user(tenant uuid, spec jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_list() FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_list() TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_provision(spec jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_provision(spec jsonb) TO atrium_app;

GRANT SELECT ON TABLE public.access_log TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album TO atrium_app;
GRANT SELECT ON TABLE public.album TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album_file TO atrium_app;

GRANT SELECT ON TABLE public.atrium_migration TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.background_job TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.download_job TO atrium_app;
GRANT SELECT ON TABLE public.download_job TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file TO atrium_app;
GRANT SELECT ON TABLE public.file TO atrium_search;
GRANT SELECT ON TABLE public.file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_blob TO atrium_app;
GRANT SELECT ON TABLE public.file_blob TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.file_history TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_pref TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_version TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_key TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.licence TO atrium_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.licence TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.refresh_token TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role TO atrium_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.role TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.stream_event TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.stream_event TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload TO atrium_app;
GRANT SELECT ON TABLE public.upload TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_role_link TO atrium_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.user_role_link TO atrium_definer;

GRANT SELECT,UPDATE ON TABLE public.workspace TO atrium_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.workspace TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_user TO atrium_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.workspace_user TO atrium_definer;
