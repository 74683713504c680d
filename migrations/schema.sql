-- The schema after all migrations, dumped from PostgreSQL 15 by npm run docs. Nobody runs this file: it is read in reviews.
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS cube WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TYPE public.access_log_line AS (
	tenant_id uuid,
	log_id uuid,
	log_timestamp timestamp(3) with time zone,
	log_user uuid,
	log_key uuid,
	log_extension uuid,
	log_session uuid,
	log_principal text,
	log_method text,
	log_url text,
	log_route text,
	log_operation text,
	log_params jsonb,
	log_query jsonb,
	log_body jsonb,
	log_status integer,
	log_code text,
	log_duration_ms double precision,
	log_bytes_in bigint,
	log_bytes_out bigint,
	log_ip text,
	log_user_agent text,
	log_request_id text,
	log_trace_id text,
	log_idempotency_key text,
	log_replayed boolean,
	log_permission text,
	log_sampled boolean,
	log_text text,
	log_ids uuid[]
);

ALTER TYPE public.access_log_line OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_append(p_rows jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
                          log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission, log_sampled)
  SELECT tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
         log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission, coalesce(log_sampled, false)
  FROM jsonb_populate_recordset(NULL::access_log, p_rows)
  ON CONFLICT DO NOTHING
$$;

ALTER FUNCTION public.access_log_append(p_rows jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_body_shape(p_body jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT CASE WHEN p_body @> '{"_truncated": true}' AND jsonb_typeof(p_body -> '_keys') = 'array' AND p_body ? '_bytes' AND (SELECT count(*) FROM jsonb_object_keys(p_body)) = 3
                THEN p_body ELSE access_log_shape(p_body) END
  $$;

ALTER FUNCTION public.access_log_body_shape(p_body jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_complete() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  whole CONSTANT text := access_log_whole(NEW.log_url, NEW.log_query, NEW.log_params, NEW.log_body);
BEGIN
  NEW.log_text := access_log_without_ids(whole);
  NEW.log_ids := access_log_ids(whole);
  RETURN NEW;
END
$$;

ALTER FUNCTION public.access_log_complete() OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_forget(p_user uuid, p_email text, p_name text, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  found integer;
  total integer;
  needle text;
  pattern text;
BEGIN
  UPDATE access_log l SET log_ip = NULL, log_user_agent = NULL FROM (
    SELECT d.log_timestamp, d.log_id FROM access_log d
    WHERE d.tenant_id = current_tenant() AND d.log_user = p_user AND (d.log_ip IS NOT NULL OR d.log_user_agent IS NOT NULL) LIMIT p_limit) due
  WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
  GET DIAGNOSTICS total = ROW_COUNT;
  FOR needle, pattern IN SELECT * FROM (VALUES (p_email, address_pattern(p_email)), (p_name, name_pattern(p_name))) AS n (needle, pattern) WHERE n.pattern IS NOT NULL LOOP
    EXECUTE 'UPDATE access_log c SET log_url = n.url, log_query = n.query, log_params = n.params, log_body = n.body,
                                     log_text = access_log_without_ids(access_log_whole(n.url, n.query, n.params, n.body)), log_ids = access_log_ids(access_log_whole(n.url, n.query, n.params, n.body))
             FROM (SELECT l.log_timestamp, l.log_id, without_person(l.log_url, $1) AS url, without_person(l.log_query::text, $1)::jsonb AS query,
                          without_person(l.log_params::text, $1)::jsonb AS params, without_person(l.log_body::text, $1)::jsonb AS body
                   FROM access_log l
                   WHERE l.tenant_id = current_tenant() AND access_log_whole(l.log_url, l.log_query, l.log_params, l.log_body) ~* $1' || access_log_narrowed(needle) || ' LIMIT $2) n
             WHERE c.tenant_id = current_tenant() AND c.log_timestamp = n.log_timestamp AND c.log_id = n.log_id'
      USING pattern, p_limit;
    GET DIAGNOSTICS found = ROW_COUNT;
    total := total + found;
    UPDATE access_log l SET log_idempotency_key = without_person(l.log_idempotency_key, pattern), log_user_agent = without_person(l.log_user_agent, pattern) FROM (
      SELECT d.log_timestamp, d.log_id FROM access_log d
      WHERE d.tenant_id = current_tenant() AND (d.log_idempotency_key ~* pattern OR d.log_user_agent ~* pattern) LIMIT p_limit) due
    WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
    GET DIAGNOSTICS found = ROW_COUNT;
    total := total + found;
  END LOOP;
  RETURN total;
END
$_$;

ALTER FUNCTION public.access_log_forget(p_user uuid, p_email text, p_name text, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_ids(p_text text) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg(DISTINCT (lower(m.m[1]))::uuid) AS array_agg
    FROM regexp_matches(access_log_ids.p_text, '(?<![0-9A-Za-z])([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Za-z])'::text, 'g'::text) m(m);
END;

ALTER FUNCTION public.access_log_ids(p_text text) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_without_ids(p_text text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN regexp_replace(p_text, '(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])'::text, ''::text, 'g'::text);

ALTER FUNCTION public.access_log_without_ids(p_text text) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_narrowed(p_needle text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (COALESCE((SELECT string_agg(format(' AND (l.log_ids @> %L::uuid[] OR l.log_text ILIKE %L)'::text, ARRAY[i.i], (('%'::text || i.i) || '%'::text)), ''::text) AS string_agg FROM unnest(public.access_log_ids(access_log_narrowed.p_needle)) i(i)), ''::text) || COALESCE((SELECT string_agg(format(' AND l.log_text ILIKE %L'::text, (('%'::text || w.word) || '%'::text)), ''::text) AS string_agg FROM (SELECT DISTINCT m.m[1] AS word, length(m.m[1]) AS length FROM regexp_matches(public.access_log_without_ids(access_log_narrowed.p_needle), '([0-9A-Za-z\u0080-\U0010FFFF]{3,})'::text, 'g'::text) m(m) WHERE ((m.m[1] !~ '^[0-9A-Fa-f]{1,12}$'::text) AND (lower(m.m[1]) <> 'api'::text)) ORDER BY (length(m.m[1])) DESC, m.m[1] LIMIT 5) w), ''::text));

ALTER FUNCTION public.access_log_narrowed(p_needle text) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_purge(p_before timestamp with time zone, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  before CONSTANT timestamptz := least(p_before, now() - interval '30 days');
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  SELECT min(due.log_timestamp), max(due.log_timestamp) INTO oldest, latest FROM (
    SELECT l.log_timestamp FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp < before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = l.log_user AND h.lh_released_at IS NULL)
    ORDER BY l.log_timestamp LIMIT p_limit) due;
  DELETE FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp BETWEEN oldest AND latest
    AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = l.log_user AND h.lh_released_at IS NULL);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.access_log_purge(p_before timestamp with time zone, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_query_shape(p_query jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
    SELECT CASE WHEN jsonb_typeof(p_query) <> 'object' THEN access_log_shape(p_query) ELSE (
      SELECT coalesce(jsonb_object_agg(key, CASE
        WHEN (key IN ('limit', 'limit_extended', 'offset') AND value #>> '{}' ~ '^\d{1,9}$')
          OR (key = 'sort' AND value #>> '{}' ~ '^-?[a-z_]{1,60}$')
          OR (key !~ '\[' AND value::text ~* '^(\[)?("([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|true|false|\d{4}-\d{2}-\d{2}(T[\d:.]{5,18}(Z|[+ -]\d{2}:?\d{2})?)?)"(, )?){1,20}(\])?$')
        THEN value ELSE access_log_shape(value) END), '{}') FROM jsonb_each(p_query)) END
  $_$;

ALTER FUNCTION public.access_log_query_shape(p_query jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_scrub(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  state access_log_scrubbing;
  last record;
BEGIN
  SELECT * INTO state FROM access_log_scrubbing WHERE scrub_due <= clock_timestamp() ORDER BY scrub_part DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  IF to_regclass(quote_ident(state.scrub_part)) IS NULL THEN
    UPDATE access_log_scrubbing SET scrub_due = NULL WHERE scrub_part = state.scrub_part;
    RETURN 1;
  END IF;
  EXECUTE format($q$
    WITH page AS MATERIALIZED (
      SELECT tenant_id, log_timestamp, log_id, log_operation, log_url, log_params, log_query, log_body FROM %1$I
      WHERE (tenant_id, log_timestamp, log_id) > ($1, $2, $3) ORDER BY tenant_id, log_timestamp, log_id LIMIT $4
    ), shaped AS MATERIALIZED (
      SELECT p.*, access_log_query_shape(p.log_query) AS new_query, access_log_body_shape(p.log_body) AS new_body FROM page p
      WHERE (p.log_query IS NOT NULL OR p.log_body IS NOT NULL) AND NOT coalesce(p.log_operation = ANY ($5), false)
    ), changed AS (
      UPDATE %1$I l SET log_query = s.new_query, log_body = s.new_body,
        log_text = access_log_without_ids(access_log_whole(s.log_url, s.new_query, s.log_params, s.new_body)),
        log_ids = access_log_ids(access_log_whole(s.log_url, s.new_query, s.log_params, s.new_body))
      FROM shaped s
      WHERE l.tenant_id = s.tenant_id AND l.log_timestamp = s.log_timestamp AND l.log_id = s.log_id
        AND (s.log_query IS DISTINCT FROM s.new_query OR s.log_body IS DISTINCT FROM s.new_body)
    )
    SELECT tenant_id, log_timestamp, log_id, (SELECT count(*) FROM page) AS seen FROM page ORDER BY tenant_id DESC, log_timestamp DESC, log_id DESC LIMIT 1
  $q$, state.scrub_part) INTO last USING state.scrub_tenant, state.scrub_time, state.scrub_id, p_limit,
    -- What the routes that keep values are called.
    ARRAY['createAlbum', 'updateAlbum', 'createRole', 'updateRole', 'copyRole', 'previewRole', 'createBudget', 'updateBudget', 'updateCredits', 'updateRetention', 'updateSettings'];
  IF last.seen = p_limit THEN
    UPDATE access_log_scrubbing SET scrub_tenant = last.tenant_id, scrub_time = last.log_timestamp, scrub_id = last.log_id WHERE scrub_part = state.scrub_part;
  ELSE
    UPDATE access_log_scrubbing SET scrub_due = scrub_again, scrub_again = NULL, scrub_tenant = DEFAULT, scrub_time = DEFAULT, scrub_id = DEFAULT WHERE scrub_part = state.scrub_part;
  END IF;
  RETURN greatest(coalesce(last.seen, 0), 1);
END
$_$;

ALTER FUNCTION public.access_log_scrub(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.access_log_shape(p_value jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  said CONSTANT text := p_value #>> '{}';
BEGIN
  CASE jsonb_typeof(p_value)
    WHEN 'object' THEN RETURN (SELECT coalesce(jsonb_object_agg(key, access_log_shape(value)), '{}') FROM jsonb_each(p_value));
    WHEN 'array' THEN RETURN (SELECT coalesce(jsonb_agg(access_log_shape(value) ORDER BY ordinality), '[]') FROM jsonb_array_elements(p_value) WITH ORDINALITY);
    WHEN 'string' THEN
      IF said ~ '^\[(string( \d{1,9})?|number|boolean|deep|redacted|erased|\d{1,9} more)\]$' THEN RETURN p_value; END IF;
      RETURN to_jsonb('[string ' || length(said) || ']');
    WHEN 'number' THEN RETURN '"[number]"';
    WHEN 'boolean' THEN RETURN '"[boolean]"';
    ELSE RETURN p_value;
  END CASE;
END
$_$;

ALTER FUNCTION public.access_log_shape(p_value jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((((((p_url || '
'::text) || COALESCE((p_query)::text, ''::text)) || '
'::text) || COALESCE((p_params)::text, ''::text)) || '
'::text) || COALESCE((p_body)::text, ''::text));

ALTER FUNCTION public.access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.access_log_write(p_rows public.access_log_line[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
                          log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission,
                          log_sampled, log_text, log_ids)
  SELECT r.* FROM unnest(p_rows) r;
EXCEPTION WHEN unique_violation THEN
  INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
                          log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission,
                          log_sampled, log_text, log_ids)
  SELECT r.* FROM unnest(p_rows) r ON CONFLICT DO NOTHING;
END
$$;

ALTER FUNCTION public.access_log_write(p_rows public.access_log_line[]) OWNER TO atrium_definer;

CREATE FUNCTION public.acl_handed_over(acl jsonb, giver uuid, taker uuid) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT CASE WHEN jsonb_typeof(acl -> 'users') = 'object' AND acl -> 'users' ? giver::text
    THEN jsonb_set(acl, '{users}', (acl -> 'users') - giver::text || jsonb_build_object(taker::text,
      CASE WHEN 'owner' IN (acl #>> ARRAY['users', giver::text], acl #>> ARRAY['users', taker::text]) THEN 'owner'
           WHEN 'edit' IN (acl #>> ARRAY['users', giver::text], acl #>> ARRAY['users', taker::text]) THEN 'edit' ELSE 'view' END))
    ELSE acl END
$$;

ALTER FUNCTION public.acl_handed_over(acl jsonb, giver uuid, taker uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) RETURNS smallint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
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

CREATE FUNCTION public.acl_names_somebody(acl jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  WITH named AS (
    SELECT kind, entry FROM (VALUES ('users'), ('roles'), ('spaces')) kinds (kind)
    CROSS JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(acl -> kind) WHEN 'object' THEN acl -> kind ELSE '{}' END) entry)
  SELECT EXISTS (SELECT FROM named n JOIN workspace_user u ON u.tenant_id = current_tenant() AND u.user_id::text = n.entry
                 WHERE n.kind = 'users' AND u.user_status <> 'removed')
      OR EXISTS (SELECT FROM named n JOIN role r ON r.tenant_id = current_tenant() AND r.role_id::text = n.entry WHERE n.kind = 'roles')
      OR EXISTS (SELECT FROM named n JOIN space s ON s.tenant_id = current_tenant() AND s.space_id::text = n.entry
                 WHERE n.kind = 'spaces' AND s.space_active)
$$;

ALTER FUNCTION public.acl_names_somebody(acl jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.acl_with_a_way_back(acl jsonb, creator uuid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT CASE
    WHEN acl_level(acl, '00000000-0000-0000-0000-000000000000', '{}', '{}') IS NULL OR acl_names_somebody(acl) THEN acl
    WHEN EXISTS (SELECT FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_id = creator AND u.user_status <> 'removed')
      THEN acl_with_owner(acl, 'users', jsonb_build_object(creator::text, 'owner'))
    ELSE coalesce((SELECT acl_with_owner(acl, 'roles', jsonb_object_agg(r.role_id::text, 'owner')) FROM role r
                   WHERE r.tenant_id = current_tenant() AND r.role_permissions && ARRAY['*', 'admin:*', 'admin:settings'] HAVING count(*) > 0), acl)
  END
$$;

ALTER FUNCTION public.acl_with_a_way_back(acl jsonb, creator uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.acl_with_owner(acl jsonb, kind text, entries jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT acl || jsonb_build_object(kind, CASE jsonb_typeof(acl -> kind) WHEN 'object' THEN acl -> kind ELSE '{}' END || entries)
$$;

ALTER FUNCTION public.acl_with_owner(acl jsonb, kind text, entries jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.address_pattern(p_email text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (('((?<![A-Za-z0-9.+])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4})|(?<=%[0-9A-Fa-f]{2}))'::text || replace(regexp_replace(p_email, '([^A-Za-z0-9@])'::text, '\\\1'::text, 'g'::text), '@'::text, '(@|%40|%2540)'::text)) || '(?![A-Za-z0-9]|-*[A-Za-z0-9-]*\.(?!(bak|bmp|csv|docx?|eml|gif|gz|heic|html?|ics|jpe?g|jsonl?|log|m4a|md|mkv|mov|mp[34]|msg|odp|ods|odt|pdf|png|pptx?|psd|rar|rtf|svg|tar|tiff?|tsv|txt|vcf|wav|webm|webp|xlsx?|xml|ya?ml|zip)(?![A-Za-z0-9]))[A-Za-z0-9])'::text);

ALTER FUNCTION public.address_pattern(p_email text) OWNER TO atrium_owner;

CREATE FUNCTION public.ai_overdue_runs(most integer) RETURNS TABLE(tenant_id uuid, run_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT r.tenant_id, r.run_id FROM run r JOIN workspace w USING (tenant_id)
  WHERE w.ws_status = 'active' AND r.run_status IN ('queued', 'running', 'waiting')
    AND r.run_alive < now() - CASE WHEN r.run_status = 'waiting' THEN interval '24 hours' ELSE interval '15 minutes' END
  ORDER BY r.run_alive LIMIT most
  $$;

ALTER FUNCTION public.ai_overdue_runs(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.albums_below(root text) RETURNS TABLE(album_id uuid, levels integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT a.album_id, cardinality(a.album_path_ids) - array_position(a.album_path_ids, root::uuid) + 1 FROM album a WHERE a.tenant_id = current_tenant() AND a.album_path_ids @> ARRAY[root::uuid] $$;

ALTER FUNCTION public.albums_below(root text) OWNER TO atrium_search;

CREATE FUNCTION public.albums_matching(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT album_id FROM album WHERE tenant_id = current_tenant() AND album_fts @@ websearch_to_tsquery('simple', dotless(needle)) $$;

ALTER FUNCTION public.albums_matching(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.announce_key_anew() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$ BEGIN NEW.key_announced := NULL; RETURN NEW; END $$;

ALTER FUNCTION public.announce_key_anew() OWNER TO atrium_owner;

CREATE FUNCTION public.announce_licence_anew() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$ BEGIN NEW.lic_announced := NULL; RETURN NEW; END $$;

ALTER FUNCTION public.announce_licence_anew() OWNER TO atrium_owner;

CREATE FUNCTION public.audit_horizon(p_tenant uuid, p_before timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT least(b.before, (SELECT min(s.seal_from) FROM audit_seal s WHERE s.tenant_id = p_tenant AND s.seal_to >= b.before AND s.seal_from < b.before))
    FROM (SELECT least(p_before, now() - interval '365 days') AS before) b
  $$;

ALTER FUNCTION public.audit_horizon(p_tenant uuid, p_before timestamp with time zone) OWNER TO atrium_owner;

CREATE FUNCTION public.audit_purge(p_tenant uuid, p_before timestamp with time zone, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  before CONSTANT timestamptz := audit_horizon(p_tenant, p_before);
  held CONSTANT boolean := EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL);
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  SELECT min(due.aud_timestamp), max(due.aud_timestamp) INTO oldest, latest FROM (
    SELECT e.aud_timestamp FROM audit_event e WHERE e.tenant_id = p_tenant AND e.aud_timestamp < before AND e.aud_seal IS NOT NULL
      AND (NOT held OR NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL
           AND ((h.lh_target_type = 'user' AND h.lh_target_id = e.aud_actor) OR (h.lh_target_type = e.aud_target_type AND h.lh_target_id::text = e.aud_target_id))))
    ORDER BY e.aud_timestamp LIMIT p_limit) due;
  WITH removed AS (
    DELETE FROM audit_event e WHERE e.tenant_id = p_tenant AND e.aud_timestamp BETWEEN oldest AND latest AND e.aud_seal IS NOT NULL
      AND (NOT held OR NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL
           AND ((h.lh_target_type = 'user' AND h.lh_target_id = e.aud_actor) OR (h.lh_target_type = e.aud_target_type AND h.lh_target_id::text = e.aud_target_id))))
    RETURNING e.aud_seal
  ), told AS (
    UPDATE audit_seal a SET seal_removed = now() WHERE a.tenant_id = p_tenant AND a.seal_removed IS NULL AND a.seal_id IN (SELECT r.aud_seal FROM removed r)
  )
  SELECT count(*) INTO gone FROM removed;
  RETURN gone;
END
$$;

ALTER FUNCTION public.audit_purge(p_tenant uuid, p_before timestamp with time zone, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.audit_redact(p_seal uuid, p_root text, p_events jsonb, p_redacted timestamp with time zone, p_redacted_root text, p_redacted_signature text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM audit_seal s WHERE s.tenant_id = current_tenant() AND s.seal_id = p_seal AND coalesce(s.seal_redacted_root, s.seal_root) = p_root FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE audit_event e SET aud_actor_name = r.aud_actor_name, aud_target_name = r.aud_target_name, aud_before = nullif(r.aud_before, 'null'), aud_after = nullif(r.aud_after, 'null'), aud_reason = r.aud_reason, aud_ip = r.aud_ip
    FROM jsonb_to_recordset(p_events) AS r (aud_id uuid, aud_actor_name text, aud_target_name text, aud_before jsonb, aud_after jsonb, aud_reason text, aud_ip text)
    WHERE e.tenant_id = current_tenant() AND e.aud_seal = p_seal AND e.aud_id = r.aud_id;
  IF p_redacted_root IS NOT NULL THEN
    UPDATE audit_seal s SET seal_redacted = p_redacted, seal_redacted_root = p_redacted_root, seal_redacted_signature = p_redacted_signature
      WHERE s.tenant_id = current_tenant() AND s.seal_id = p_seal;
  END IF;
  RETURN true;
END
$$;

ALTER FUNCTION public.audit_redact(p_seal uuid, p_root text, p_events jsonb, p_redacted timestamp with time zone, p_redacted_root text, p_redacted_signature text) OWNER TO atrium_definer;

CREATE FUNCTION public.audit_seal_add(p_seal jsonb, p_ids uuid[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  s audit_seal;
  last audit_seal;
  marked integer;
BEGIN
  s := jsonb_populate_record(NULL::audit_seal, p_seal);
  PERFORM pg_advisory_xact_lock(hashtextextended('audit_seal ' || coalesce(s.tenant_id::text, ''), 0));
  SELECT * INTO last FROM audit_seal a WHERE a.tenant_id = s.tenant_id ORDER BY a.seal_seq DESC LIMIT 1;
  IF s.seal_seq IS DISTINCT FROM coalesce(last.seal_seq, 0) + 1 OR s.seal_prev IS DISTINCT FROM last.seal_root THEN RETURN false; END IF;
  UPDATE audit_event e SET aud_seal = s.seal_id
    WHERE e.tenant_id = s.tenant_id AND e.aud_seal IS NULL AND e.aud_id = ANY (p_ids) AND e.aud_timestamp BETWEEN s.seal_from AND s.seal_to;
  GET DIAGNOSTICS marked = ROW_COUNT;
  IF marked <> s.seal_count OR marked <> cardinality(p_ids) THEN RAISE EXCEPTION 'the events of the seal are not there, or sealed already'; END IF;
  INSERT INTO audit_seal SELECT (s).*;
  RETURN true;
END
$$;

ALTER FUNCTION public.audit_seal_add(p_seal jsonb, p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamp with time zone, p_to timestamp with time zone) RETURNS TABLE(log_timestamp timestamp with time zone, log_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  needles CONSTANT text := regexp_replace(concat_ws(E'\n', p_url, p_query, p_params, p_body), '\\(.)', '\1', 'g');
BEGIN
  RETURN QUERY EXECUTE 'SELECT l.log_timestamp, l.log_id FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp BETWEEN $5 AND $6'
    || access_log_narrowed(needles)
    || CASE WHEN p_url IS NOT NULL THEN ' AND l.log_url ILIKE $1' ELSE '' END
    || CASE WHEN p_query IS NOT NULL THEN ' AND l.log_query::text ILIKE $2' ELSE '' END
    || CASE WHEN p_params IS NOT NULL THEN ' AND l.log_params::text ILIKE $3' ELSE '' END
    || CASE WHEN p_body IS NOT NULL THEN ' AND l.log_body::text ILIKE $4' ELSE '' END
    USING p_url, p_query, p_params, p_body, p_from, p_to;
END
$_$;

ALTER FUNCTION public.audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamp with time zone, p_to timestamp with time zone) OWNER TO atrium_search;

CREATE FUNCTION public.audit_unsealed(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT DISTINCT e.tenant_id FROM audit_event e WHERE e.aud_seal IS NULL AND (p_after IS NULL OR e.tenant_id > p_after) ORDER BY 1 LIMIT p_limit $$;

ALTER FUNCTION public.audit_unsealed(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE TABLE public.account (
    acc_id uuid NOT NULL,
    acc_email text,
    acc_email_verified_at timestamp(3) with time zone,
    acc_password_hash text,
    acc_password_changed_at timestamp(3) with time zone,
    acc_status text DEFAULT 'active'::text NOT NULL,
    acc_version bigint DEFAULT 1 NOT NULL,
    acc_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    acc_totp text,
    acc_totp_step bigint,
    acc_totp_pending text,
    acc_totp_pending_until timestamp(3) with time zone,
    acc_recovery text[] DEFAULT '{}'::text[] NOT NULL,
    acc_totp_since timestamp(3) with time zone,
    CONSTRAINT account_acc_email_check CHECK ((acc_email = lower(acc_email))),
    CONSTRAINT account_acc_status_check CHECK ((acc_status = ANY (ARRAY['active'::text, 'locked'::text, 'erased'::text])))
);

ALTER TABLE public.account OWNER TO atrium_owner;

CREATE FUNCTION public.auth_account(account_id uuid) RETURNS SETOF public.account
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM account WHERE acc_id = account_id $$;

ALTER FUNCTION public.auth_account(account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_account_rules(account_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT jsonb_build_object(
    'require_mfa', coalesce(bool_or((w.ws_security ->> 'require_mfa')::boolean), false),
    'email_domains', coalesce(jsonb_agg(w.ws_security -> 'allowed_email_domains') FILTER (WHERE jsonb_array_length(w.ws_security -> 'allowed_email_domains') > 0), '[]'))
  FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.user_id = account_id AND u.user_status IN ('active', 'suspended')
$$;

ALTER FUNCTION public.auth_account_rules(account_id uuid) OWNER TO atrium_definer;

CREATE TABLE public.signing_key (
    sk_id uuid NOT NULL,
    sk_public text NOT NULL,
    sk_private_sealed text NOT NULL,
    sk_state text DEFAULT 'active'::text NOT NULL,
    sk_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sk_retired_at timestamp(3) with time zone,
    CONSTRAINT signing_key_sk_state_check CHECK ((sk_state = ANY (ARRAY['next'::text, 'active'::text, 'retired'::text])))
);

ALTER TABLE public.signing_key OWNER TO atrium_owner;

CREATE FUNCTION public.auth_add_signing_key(p_id uuid, p_public text, p_private_sealed text, p_state text) RETURNS SETOF public.signing_key
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed, sk_state) VALUES (p_id, p_public, p_private_sealed, p_state) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT * FROM signing_key ORDER BY sk_created;
END
$$;

ALTER FUNCTION public.auth_add_signing_key(p_id uuid, p_public text, p_private_sealed text, p_state text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_add_token(p_token jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  t account_token := jsonb_populate_record(NULL::account_token, p_token);
BEGIN
  -- Counted in turn, so that none slips through beside another.
  PERFORM FROM account WHERE acc_id = t.acc_id FOR NO KEY UPDATE;
  IF t.tok_kind <> 'mfa' AND (SELECT count(*) FROM account_token o WHERE o.acc_id = t.acc_id AND o.tok_kind = t.tok_kind AND o.tok_created > now() - interval '1 hour') >= 5 THEN RETURN false; END IF;
  INSERT INTO account_token (tok_hash, acc_id, tok_kind, tok_email, tok_tenant, tok_invitation, tok_expires_at)
    VALUES (t.tok_hash, t.acc_id, t.tok_kind, t.tok_email, t.tok_tenant, t.tok_invitation, now() + (p_token ->> 'life_seconds')::integer * interval '1 second');
  RETURN true;
END
$$;

ALTER FUNCTION public.auth_add_token(p_token jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_clear_unproven(p_account uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM account WHERE acc_id = p_account AND acc_email_verified_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE account SET acc_password_hash = NULL, acc_password_changed_at = clock_timestamp(), acc_totp = NULL, acc_totp_step = NULL, acc_totp_since = NULL,
                     acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}' WHERE acc_id = p_account;
  DELETE FROM account_token WHERE acc_id = p_account;
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = p_account AND ses_issuer IS NULL AND ses_ended_at IS NULL;
  PERFORM auth_revoke_keys(p_account, false);
END
$$;

ALTER FUNCTION public.auth_clear_unproven(p_account uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.auth_confirm_email(token_hash text, undo_hash text, undo_seconds integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  token account_token;
  former text;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'email' AND tok_expires_at > now() RETURNING * INTO token;
  IF token.acc_id IS NULL THEN RETURN NULL; END IF;
  SELECT acc_email INTO former FROM account WHERE acc_id = token.acc_id AND acc_status = 'active' AND acc_email_verified_at IS NOT NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_release_address(token.tok_email, token.acc_id);
  UPDATE account SET acc_email = token.tok_email, acc_email_verified_at = now() WHERE acc_id = token.acc_id;
  UPDATE workspace_user SET user_email = token.tok_email, user_updated = now(), row_version = row_version + 1 WHERE user_id = token.acc_id AND user_email IS NOT NULL;
  -- Links sent to the former address are good no more.
  DELETE FROM account_token WHERE acc_id = token.acc_id AND tok_kind IN ('reset', 'email');
  -- As old as the wish: what was enrolled since then is undone with it.
  INSERT INTO account_token (tok_hash, acc_id, tok_kind, tok_email, tok_tenant, tok_created, tok_expires_at)
    VALUES (undo_hash, token.acc_id, 'undo', former, token.tok_tenant, token.tok_created, now() + undo_seconds * interval '1 second');
  RETURN jsonb_build_object('acc_id', token.acc_id, 'before', former, 'after', token.tok_email, 'tenant_id', token.tok_tenant);
END
$$;

ALTER FUNCTION public.auth_confirm_email(token_hash text, undo_hash text, undo_seconds integer) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_begun(p_account uuid, p_keep uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  DELETE FROM account_token WHERE acc_id = p_account AND tok_kind <> 'undo';
  UPDATE account SET acc_totp_pending = NULL, acc_totp_pending_until = NULL WHERE acc_id = p_account AND acc_totp_pending IS NOT NULL;
  PERFORM auth_end_sessions(p_account, p_keep);
END
$$;

ALTER FUNCTION public.auth_end_begun(p_account uuid, p_keep uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.auth_end_session(session_id uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ UPDATE account_session SET ses_ended_at = now() WHERE ses_id = session_id AND ses_ended_at IS NULL $$;

ALTER FUNCTION public.auth_end_session(session_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_session_of(account_id uuid, session_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = account_id AND ses_id = session_id AND ses_ended_at IS NULL AND ses_expires_at > now();
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_end_session_of(account_id uuid, session_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_session_of_token(token_hash text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM auth_end_session(t.ses_id) FROM refresh_token t WHERE t.rt_hash = token_hash;
END
$$;

ALTER FUNCTION public.auth_end_session_of_token(token_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_sessions(account_id uuid, keep uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = account_id AND ses_id IS DISTINCT FROM keep AND ses_ended_at IS NULL AND ses_expires_at > now();
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END
$$;

ALTER FUNCTION public.auth_end_sessions(account_id uuid, keep uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_end_vouched_sessions(p_issuer uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  ended integer;
BEGIN
  UPDATE account_session SET ses_ended_at = now() WHERE ses_issuer = p_issuer AND ses_tenant = current_tenant() AND ses_ended_at IS NULL;
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END
$$;

ALTER FUNCTION public.auth_end_vouched_sessions(p_issuer uuid) OWNER TO atrium_definer;

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
      'ws_status_reason', w.ws_status_reason,
      'security', w.ws_security,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'signed_out_at', u.user_signed_out_at,
      'acc_status', a.acc_status,
      'mfa', a.acc_totp IS NOT NULL,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'space_ids', spaces_of(tenant, account_id),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

ALTER FUNCTION public.auth_facts(tenant uuid, account_id uuid) OWNER TO atrium_definer;

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
    key_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    key_prefix text GENERATED ALWAYS AS (('atk_'::text || key_public_id)) STORED NOT NULL,
    key_extension uuid,
    key_ip_allow text[] DEFAULT '{}'::text[] NOT NULL,
    key_prev_hash text,
    key_prev_expires_at timestamp(3) with time zone,
    key_rate_limit integer,
    key_last_used_ip text,
    key_revoked_by uuid,
    key_revoke_reason text,
    key_rotated_at timestamp(3) with time zone,
    key_name_key text GENERATED ALWAYS AS (lower("left"(key_name, 64))) STORED NOT NULL,
    key_announced smallint,
    CONSTRAINT api_key_key_rate_limit_check CHECK ((key_rate_limit > 0)),
    CONSTRAINT api_key_key_revoke_reason_check CHECK ((key_revoke_reason = ANY (ARRAY['user'::text, 'rotation'::text, 'leaked'::text, 'owner_removed'::text, 'extension_removed'::text])))
);

ALTER TABLE ONLY public.api_key FORCE ROW LEVEL SECURITY;

ALTER TABLE public.api_key OWNER TO atrium_owner;

CREATE FUNCTION public.auth_find_key(public_id text) RETURNS SETOF public.api_key
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM api_key WHERE key_public_id = public_id $$;

ALTER FUNCTION public.auth_find_key(public_id text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_find_leaked(p_public_ids text[], p_hashes text[]) RETURNS TABLE(tenant_id uuid, key_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT k.tenant_id, k.key_id FROM unnest(p_public_ids, p_hashes) AS r (public_id, hash) JOIN api_key k ON k.key_public_id = r.public_id
  WHERE k.key_revoked_at IS NULL AND (k.key_expires_at IS NULL OR k.key_expires_at > now())
    AND (k.key_hash = r.hash OR (k.key_prev_hash = r.hash AND k.key_prev_expires_at > now()))
$$;

ALTER FUNCTION public.auth_find_leaked(p_public_ids text[], p_hashes text[]) OWNER TO atrium_definer;

CREATE TABLE public.account_session (
    ses_id uuid NOT NULL,
    acc_id uuid NOT NULL,
    ses_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ses_last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ses_expires_at timestamp(3) with time zone NOT NULL,
    ses_ended_at timestamp(3) with time zone,
    ses_ip text,
    ses_user_agent text,
    ses_methods text[] DEFAULT '{pwd}'::text[] NOT NULL,
    ses_issuer uuid,
    ses_idle_minutes integer DEFAULT 1440 NOT NULL,
    ses_tenant uuid
);

ALTER TABLE public.account_session OWNER TO atrium_owner;

CREATE FUNCTION public.auth_find_session(session_id uuid) RETURNS SETOF public.account_session
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM account_session WHERE ses_id = session_id $$;

ALTER FUNCTION public.auth_find_session(session_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_find_token(token_hash text, kind text) RETURNS TABLE(acc_id uuid, acc_email text, acc_totp text, acc_totp_step bigint, acc_recovery text[], tok_email text, tok_tenant uuid, tok_invitation text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT a.acc_id, a.acc_email, a.acc_totp, a.acc_totp_step, a.acc_recovery, t.tok_email, t.tok_tenant, t.tok_invitation
  FROM account_token t JOIN account a USING (acc_id) WHERE t.tok_hash = token_hash AND t.tok_kind = kind AND t.tok_expires_at > now() AND a.acc_status = 'active'
$$;

ALTER FUNCTION public.auth_find_token(token_hash text, kind text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_finish_mfa(token_hash text, step bigint, recovery text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  token account_token;
BEGIN
  SELECT * INTO token FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'mfa' AND tok_expires_at > now() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF auth_spend_code(token.acc_id, step, recovery) THEN
    DELETE FROM account_token WHERE tok_hash = token_hash;
    RETURN true;
  END IF;
  UPDATE account_token SET tok_failures = tok_failures + 1 WHERE tok_hash = token_hash;
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_failures >= 5;
  RETURN false;
END
$$;

ALTER FUNCTION public.auth_finish_mfa(token_hash text, step bigint, recovery text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_forget_person(p_account uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM workspace_user u WHERE u.tenant_id = current_tenant() AND u.user_id = p_account AND u.user_status = 'removed' AND u.user_email IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM account a WHERE a.acc_id = p_account FOR UPDATE;
  IF EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p_account AND o.tenant_id <> current_tenant() AND o.user_email IS NOT NULL) THEN
    DELETE FROM account_session s WHERE s.acc_id = p_account AND s.ses_tenant = current_tenant();
    DELETE FROM account_token t WHERE t.acc_id = p_account AND t.tok_tenant = current_tenant();
    RETURN false;
  END IF;
  DELETE FROM account_session s WHERE s.acc_id = p_account;
  DELETE FROM account_token t WHERE t.acc_id = p_account;
  UPDATE account a SET acc_email = NULL, acc_email_verified_at = NULL, acc_password_hash = NULL, acc_password_changed_at = NULL, acc_totp = NULL, acc_totp_step = NULL,
                       acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}', acc_status = 'erased'
    WHERE a.acc_id = p_account;
  RETURN true;
END
$$;

ALTER FUNCTION public.auth_forget_person(p_account uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_memberships(account_id uuid) RETURNS TABLE(ws_id uuid, ws_name text, ws_slug text, ws_status text, user_name text, user_status text, user_roles uuid[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT w.ws_id, w.ws_name, w.ws_slug, w.ws_status, u.user_name, u.user_status,
         ARRAY(SELECT l.role_id FROM user_role_link l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id)
  FROM workspace_user u JOIN workspace w USING (tenant_id)
  WHERE u.user_id = account_id AND u.user_status <> 'removed'
    AND (u.user_status <> 'invited' OR EXISTS (SELECT FROM account a WHERE a.acc_id = account_id AND a.acc_email_verified_at IS NOT NULL))
  ORDER BY w.ws_name, w.ws_id
$$;

ALTER FUNCTION public.auth_memberships(account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_mfa_begin(account_id uuid, sealed text, life_seconds integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_totp_pending = sealed, acc_totp_pending_until = now() + life_seconds * interval '1 second' WHERE acc_id = account_id AND acc_totp IS NULL;
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_mfa_begin(account_id uuid, sealed text, life_seconds integer) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_mfa_enable(account_id uuid, sealed text, recovery text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_totp = acc_totp_pending, acc_totp_since = now(), acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_totp_step = NULL, acc_recovery = recovery
    WHERE acc_id = account_id AND acc_totp IS NULL AND acc_totp_pending = sealed AND acc_totp_pending_until > now();
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_mfa_enable(account_id uuid, sealed text, recovery text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_mfa_off(account_id uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_totp = NULL, acc_totp_step = NULL, acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}'
    WHERE acc_id = account_id AND acc_totp IS NOT NULL;
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_mfa_off(account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_mfa_recovery(account_id uuid, recovery text[]) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_recovery = recovery WHERE acc_id = account_id AND acc_totp IS NOT NULL;
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_mfa_recovery(account_id uuid, recovery text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_person(p_account uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT jsonb_build_object(
    'account', jsonb_build_array(jsonb_build_object('acc_id', a.acc_id, 'acc_email', a.acc_email, 'acc_email_verified_at', a.acc_email_verified_at, 'acc_status', a.acc_status, 'acc_created', a.acc_created,
      'acc_password_changed_at', a.acc_password_changed_at, 'acc_totp', a.acc_totp IS NOT NULL)),
    'account_session', (SELECT coalesce(jsonb_agg(to_jsonb(s) - 'ses_idle_minutes' ORDER BY s.ses_created), '[]') FROM account_session s WHERE s.acc_id = a.acc_id AND (s.ses_tenant = u.tenant_id OR NOT e.elsewhere)),
    'account_token', (SELECT coalesce(jsonb_agg(to_jsonb(t) - 'tok_hash' ORDER BY t.tok_created), '[]') FROM account_token t WHERE t.acc_id = a.acc_id AND (t.tok_tenant = u.tenant_id OR NOT e.elsewhere)))
  FROM workspace_user u JOIN account a ON a.acc_id = u.user_id
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = u.user_id AND o.tenant_id <> u.tenant_id AND o.user_email IS NOT NULL) AS elsewhere) e
  WHERE u.tenant_id = current_tenant() AND u.user_id = p_account
$$;

ALTER FUNCTION public.auth_person(p_account uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_refresh_session(token_hash text) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT jsonb_build_object('acc_id', s.acc_id, 'acc_email', a.acc_email, 'ses_id', s.ses_id, 'ses_created', s.ses_created, 'ses_methods', s.ses_methods, 'ses_idle_minutes', s.ses_idle_minutes)
  FROM refresh_token t JOIN account_session s USING (ses_id) JOIN account a USING (acc_id) WHERE t.rt_hash = token_hash AND t.rt_spent_at IS NULL
$$;

ALTER FUNCTION public.auth_refresh_session(token_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_rehash_password(account_id uuid, old_hash text, new_hash text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ UPDATE account SET acc_password_hash = new_hash WHERE acc_id = account_id AND acc_password_hash = old_hash $$;

ALTER FUNCTION public.auth_rehash_password(account_id uuid, old_hash text, new_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_release_address(p_email text, p_for uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  other uuid;
BEGIN
  SELECT acc_id INTO other FROM account WHERE acc_email = p_email AND acc_id <> p_for AND acc_email_verified_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM auth_clear_unproven(other);
  UPDATE account SET acc_email = NULL WHERE acc_id = other;
  UPDATE invitation SET inv_ended_at = now(), inv_end = 'revoked' WHERE inv_ended_at IS NULL AND (tenant_id, inv_user) IN (SELECT tenant_id, user_id FROM workspace_user WHERE user_id = other);
  UPDATE workspace_user SET user_email = NULL, user_status = CASE user_status WHEN 'invited' THEN 'removed' ELSE user_status END, user_updated = now(), row_version = row_version + 1
    WHERE user_id = other;
END
$$;

ALTER FUNCTION public.auth_release_address(p_email text, p_for uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.auth_replayed_refresh(replay_key text) RETURNS TABLE(acc_id uuid, rr_sealed text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT s.acc_id, r.rr_sealed FROM refresh_replay r JOIN account_session s USING (ses_id) JOIN account a USING (acc_id)
  WHERE r.rr_key = replay_key AND r.rr_created > now() - interval '1 minute' AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND a.acc_status = 'active'
$$;

ALTER FUNCTION public.auth_replayed_refresh(replay_key text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_reset_password(token_hash text, new_hash text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  person uuid;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'reset' AND tok_expires_at > now() RETURNING acc_id INTO person;
  IF person IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM account WHERE acc_id = person AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_clear_unproven(person);
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = coalesce(acc_email_verified_at, now()) WHERE acc_id = person;
  PERFORM auth_end_begun(person, NULL);
  PERFORM auth_revoke_keys(person, true);
  RETURN person;
END
$$;

ALTER FUNCTION public.auth_reset_password(token_hash text, new_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_revoke_keys(p_account uuid, p_own boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  k api_key;
BEGIN
  FOR k IN
    UPDATE api_key a SET key_revoked_at = now(), key_revoke_reason = 'user', key_updated = now(), row_version = a.row_version + 1
    FROM workspace_user u
    WHERE u.user_id = p_account AND u.user_kind = 'person' AND a.tenant_id = u.tenant_id AND a.key_user = u.user_id AND a.key_revoked_at IS NULL
      AND CASE WHEN p_own THEN a.key_created_by = p_account
          ELSE NOT EXISTS (SELECT FROM account_link l WHERE l.tenant_id = u.tenant_id AND l.link_account = p_account) END
    RETURNING a.*
  LOOP
    PERFORM auth_tell(k.tenant_id, 'api_key.revoked', k.key_id, jsonb_build_object('key_user', k.key_user, 'key_revoke_reason', 'user'));
  END LOOP;
END
$$;

ALTER FUNCTION public.auth_revoke_keys(p_account uuid, p_own boolean) OWNER TO atrium_owner;

CREATE FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, replay_key text, sealed text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  token refresh_token;
  session account_session;
  holder account;
  idle interval;
BEGIN
  SELECT s.* INTO session FROM refresh_token t JOIN account_session s USING (ses_id) WHERE t.rt_hash = old_hash FOR UPDATE OF s;
  IF NOT FOUND THEN RETURN '{"outcome": "unknown"}'; END IF;
  SELECT * INTO token FROM refresh_token WHERE rt_hash = old_hash;
  SELECT * INTO holder FROM account WHERE acc_id = session.acc_id;
  IF session.ses_ended_at IS NOT NULL OR session.ses_expires_at <= now() OR holder.acc_status <> 'active' THEN RETURN '{"outcome": "unknown"}'; END IF;
  IF token.rt_spent_at IS NOT NULL THEN
    -- A rotation that never settled died before its answer; after a minute nobody can be waiting for it.
    RETURN jsonb_build_object('outcome', 'spent', 'acc_id', session.acc_id, 'ses_id', session.ses_id,
      'settled_ms_ago', 1000 * extract(epoch FROM clock_timestamp() - coalesce(token.rt_settled_at, token.rt_spent_at + interval '1 minute')));
  END IF;
  IF token.rt_expires_at <= now() THEN RETURN '{"outcome": "unknown"}'; END IF;
  idle := session.ses_idle_minutes * interval '1 minute';
  UPDATE refresh_token SET rt_spent_at = clock_timestamp() WHERE rt_hash = old_hash;
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at) VALUES (new_hash, session.ses_id, least(now() + idle, session.ses_expires_at));
  UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session.ses_id;
  IF replay_key IS NOT NULL THEN
    DELETE FROM refresh_replay WHERE rr_created < now() - interval '1 minute';
    INSERT INTO refresh_replay (rr_key, ses_id, rr_sealed) VALUES (replay_key, session.ses_id, sealed) ON CONFLICT (rr_key) DO UPDATE SET rr_sealed = excluded.rr_sealed, rr_created = now();
  END IF;
  RETURN jsonb_build_object('outcome', 'rotated', 'acc_id', session.acc_id, 'acc_email', holder.acc_email, 'ses_id', session.ses_id, 'ses_created', session.ses_created,
    'ses_methods', session.ses_methods, 'ses_idle_minutes', session.ses_idle_minutes);
END
$$;

ALTER FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, replay_key text, sealed text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_rotate_signing_key(p_id uuid, p_public text, p_private_sealed text) RETURNS SETOF public.signing_key
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('signing_key'));
  UPDATE signing_key SET sk_state = 'retired', sk_retired_at = clock_timestamp() WHERE sk_state = 'active';
  UPDATE signing_key SET sk_state = 'active' WHERE sk_state = 'next';
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed, sk_state) VALUES (p_id, p_public, p_private_sealed, CASE WHEN FOUND THEN 'next' ELSE 'active' END);
  RETURN QUERY SELECT * FROM signing_key ORDER BY sk_created;
END
$$;

ALTER FUNCTION public.auth_rotate_signing_key(p_id uuid, p_public text, p_private_sealed text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_sessions(account_id uuid, before timestamp with time zone, before_id uuid, most integer) RETURNS TABLE(ses_id uuid, ses_created timestamp with time zone, ses_last_used_at timestamp with time zone, ses_expires_at timestamp with time zone, ses_ip text, ses_user_agent text, ses_methods text[], ses_issuer uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT s.ses_id, s.ses_created, s.ses_last_used_at, s.ses_expires_at, s.ses_ip, s.ses_user_agent, s.ses_methods, s.ses_issuer FROM account_session s
  WHERE s.acc_id = account_id AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND (before IS NULL OR (s.ses_created, s.ses_id) < (before, before_id))
  ORDER BY s.ses_created DESC, s.ses_id DESC LIMIT most
$$;

ALTER FUNCTION public.auth_sessions(account_id uuid, before timestamp with time zone, before_id uuid, most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid, revoke_keys boolean) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp()
    WHERE acc_id = account_id AND acc_status = 'active' AND acc_password_hash IS NOT DISTINCT FROM old_hash;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM auth_end_begun(account_id, keep);
  IF revoke_keys THEN PERFORM auth_revoke_keys(account_id, true); END IF;
  RETURN true;
END
$$;

ALTER FUNCTION public.auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid, revoke_keys boolean) OWNER TO atrium_definer;

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

CREATE FUNCTION public.auth_spend_code(account_id uuid, step bigint, recovery text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF step IS NOT NULL THEN
    UPDATE account SET acc_totp_step = step WHERE acc_id = account_id AND acc_totp IS NOT NULL AND (acc_totp_step IS NULL OR acc_totp_step < step);
  ELSE
    UPDATE account SET acc_recovery = array_remove(acc_recovery, recovery) WHERE acc_id = account_id AND acc_totp IS NOT NULL AND recovery = ANY (acc_recovery);
  END IF;
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.auth_spend_code(account_id uuid, step bigint, recovery text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_start_session(spec jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  person account;
  source account_session;
  idle integer;
  days integer;
  methods text[] := ARRAY(SELECT jsonb_array_elements_text(spec -> 'methods'));
  created timestamptz := now();
BEGIN
  SELECT * INTO person FROM account WHERE acc_id = (spec ->> 'acc_id')::uuid FOR SHARE;
  IF NOT FOUND OR person.acc_status <> 'active' THEN RETURN NULL; END IF;
  IF spec ? 'password_changed_at' AND person.acc_password_changed_at IS DISTINCT FROM (spec ->> 'password_changed_at')::timestamptz THEN RETURN NULL; END IF;
  IF spec ->> 'derived_from' IS NOT NULL THEN
    SELECT * INTO source FROM account_session WHERE ses_id = (spec ->> 'derived_from')::uuid AND acc_id = person.acc_id AND ses_ended_at IS NULL AND ses_expires_at > now();
    IF NOT FOUND THEN RETURN NULL; END IF;
    methods := source.ses_methods;
    created := source.ses_created;
  END IF;
  SELECT max((w.ws_security ->> 'session_idle_minutes')::integer), max((w.ws_security ->> 'session_max_days')::integer) INTO idle, days
    FROM workspace_user u JOIN workspace w USING (tenant_id)
    WHERE u.user_id = person.acc_id AND u.user_status = 'active' AND (spec ->> 'tenant_id' IS NULL OR w.tenant_id = (spec ->> 'tenant_id')::uuid);
  idle := coalesce(idle, 1440);
  INSERT INTO account_session (ses_id, acc_id, ses_created, ses_expires_at, ses_ip, ses_user_agent, ses_methods, ses_issuer, ses_idle_minutes, ses_tenant)
    VALUES ((spec ->> 'ses_id')::uuid, person.acc_id, created, least(now() + coalesce(days, 30) * interval '1 day', source.ses_expires_at), spec ->> 'ip', spec ->> 'agent',
            methods, (spec ->> 'issuer')::uuid, idle, CASE WHEN (spec ->> 'bound')::boolean THEN (spec ->> 'tenant_id')::uuid END);
  INSERT INTO refresh_token (rt_hash, ses_id, rt_expires_at)
    VALUES (spec ->> 'token_hash', (spec ->> 'ses_id')::uuid, least(now() + least(idle * interval '1 minute', coalesce(days, 30) * interval '1 day'), source.ses_expires_at));
  RETURN jsonb_build_object('acc_id', person.acc_id, 'acc_email', person.acc_email, 'ses_id', spec ->> 'ses_id', 'ses_created', created, 'ses_methods', methods, 'ses_idle_minutes', idle);
END
$$;

ALTER FUNCTION public.auth_start_session(spec jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_sweep(p_now timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  k api_key;
  l licence;
BEGIN
  UPDATE account_session SET ses_ended_at = p_now
    WHERE ses_ended_at IS NULL AND least(ses_expires_at, ses_last_used_at + (ses_idle_minutes + 10) * interval '1 minute') <= p_now;
  DELETE FROM account_session WHERE ses_ended_at < p_now - interval '30 days';
  DELETE FROM refresh_token WHERE rt_expires_at < p_now - interval '1 day';
  DELETE FROM account_token WHERE tok_expires_at < p_now - interval '1 day';
  DELETE FROM refresh_replay WHERE rr_created < p_now - interval '1 minute';
  DELETE FROM sign_in_throttle WHERE thr_until <= p_now;
  DELETE FROM operator_call WHERE op_at < p_now - interval '400 days';
  DELETE FROM signing_key WHERE sk_state = 'retired' AND sk_retired_at < p_now - interval '25 hours';
  UPDATE api_key SET key_prev_hash = NULL, key_prev_expires_at = NULL WHERE key_prev_hash IS NOT NULL AND key_prev_expires_at <= p_now;

  FOR k IN
    UPDATE api_key a SET key_announced = due.days
    FROM (SELECT e.tenant_id, e.key_id, CASE WHEN e.key_expires_at <= p_now THEN 0 WHEN e.key_expires_at <= p_now + interval '1 day' THEN 1 ELSE 7 END AS days
          FROM api_key e JOIN workspace w USING (tenant_id)
          WHERE e.key_revoked_at IS NULL AND e.key_expires_at <= p_now + interval '7 days' AND coalesce(e.key_announced, 9) > 0 AND w.ws_status <> 'deleting') due
    WHERE a.tenant_id = due.tenant_id AND a.key_id = due.key_id AND coalesce(a.key_announced, 9) > due.days
    RETURNING a.*
  LOOP
    PERFORM auth_tell(k.tenant_id, CASE WHEN k.key_announced = 0 THEN 'api_key.expired' ELSE 'api_key.expiring' END, k.key_id,
      jsonb_build_object('key_name', k.key_name, 'key_user', k.key_user, 'key_expires_at', k.key_expires_at, 'days', k.key_announced));
  END LOOP;

  FOR l IN
    UPDATE licence a SET lic_announced = due.days
    FROM (SELECT e.tenant_id, e.lic_module, CASE WHEN e.lic_expires_at <= p_now THEN 0 WHEN e.lic_expires_at <= p_now + interval '1 day' THEN 1 ELSE 7 END AS days
          FROM licence e JOIN workspace w USING (tenant_id)
          WHERE e.lic_expires_at <= p_now + interval '7 days' AND coalesce(e.lic_announced, 9) > 0 AND w.ws_status <> 'deleting') due
    WHERE a.tenant_id = due.tenant_id AND a.lic_module = due.lic_module AND coalesce(a.lic_announced, 9) > due.days
    RETURNING a.*
  LOOP
    PERFORM auth_tell(l.tenant_id, CASE WHEN l.lic_announced = 0 THEN 'license.expired' ELSE 'license.expiring' END, l.tenant_id,
      jsonb_build_object('lic_module', l.lic_module, 'lic_expires_at', l.lic_expires_at, 'days', l.lic_announced));
  END LOOP;

  RETURN jsonb_build_object(
    'overdue', (SELECT coalesce(jsonb_agg(w.tenant_id), '[]') FROM workspace w
                WHERE w.ws_status = 'deleting' AND w.ws_delete_after <= p_now
                  AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = w.tenant_id AND o.ev_name = 'identity.workspace-purge' AND o.ev_kind = 'job' AND o.ev_done IS NULL)),
    'buried', (SELECT coalesce(jsonb_agg(t.ws_id), '[]') FROM workspace_tombstone t WHERE t.deleted_at > p_now - interval '2 days'));
END
$$;

ALTER FUNCTION public.auth_sweep(p_now timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request)
    SELECT p_tenant, id, 'event', p_name, p_subject, id::text, p_payload, '{"kind": "system", "user_id": null, "key_id": null}', 'sweep-' || id FROM gen_random_uuid() id
  $$;

ALTER FUNCTION public.auth_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.auth_throttle_add(key text, points integer, life_ms bigint, anew boolean) RETURNS TABLE(points_so_far integer, wait_ms double precision)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO sign_in_throttle AS t (thr_key, thr_points, thr_until) VALUES (key, points, clock_timestamp() + life_ms * interval '1 millisecond')
    ON CONFLICT (thr_key) DO UPDATE SET
      thr_points = CASE WHEN anew OR t.thr_until <= clock_timestamp() THEN points ELSE t.thr_points + points END,
      thr_until = CASE WHEN anew OR t.thr_until <= clock_timestamp() THEN excluded.thr_until ELSE t.thr_until END
    RETURNING thr_points, greatest(0, 1000 * extract(epoch FROM thr_until - clock_timestamp()))::double precision
$$;

ALTER FUNCTION public.auth_throttle_add(key text, points integer, life_ms bigint, anew boolean) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_throttle_drop(keys text[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM sign_in_throttle WHERE thr_key = ANY (keys);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM sign_in_throttle WHERE thr_key IN (SELECT thr_key FROM sign_in_throttle WHERE thr_until <= clock_timestamp() ORDER BY thr_until LIMIT 100 FOR UPDATE SKIP LOCKED);
  RETURN gone;
END
$$;

ALTER FUNCTION public.auth_throttle_drop(keys text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_throttle_get(keys text[]) RETURNS TABLE(thr_key text, points_so_far integer, wait_ms double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT t.thr_key, t.thr_points, greatest(0, 1000 * extract(epoch FROM t.thr_until - clock_timestamp()))::double precision
  FROM sign_in_throttle t WHERE t.thr_key = ANY (keys) AND (t.thr_until IS NULL OR t.thr_until > clock_timestamp())
$$;

ALTER FUNCTION public.auth_throttle_get(keys text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid, session_id uuid, ip text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  UPDATE api_key SET key_last_used_at = now(), key_last_used_ip = ip WHERE tenant_id = tenant AND key_id = key AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute');
  WITH used AS (UPDATE account_session SET ses_last_used_at = now() WHERE ses_id = session_id AND ses_last_used_at < now() - interval '30 seconds' RETURNING *)
    UPDATE refresh_token t SET rt_expires_at = least(now() + used.ses_idle_minutes * interval '1 minute', used.ses_expires_at)
    FROM used WHERE t.ses_id = used.ses_id AND t.rt_spent_at IS NULL AND t.rt_expires_at > now();
  UPDATE workspace_user SET user_last_seen_at = now() WHERE tenant_id = tenant AND user_id = account_id AND (user_last_seen_at IS NULL OR user_last_seen_at < now() - interval '5 minutes');
$$;

ALTER FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid, session_id uuid, ip text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_undo_email(token_hash text, new_hash text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  token account_token;
  former text;
BEGIN
  DELETE FROM account_token WHERE tok_hash = token_hash AND tok_kind = 'undo' AND tok_expires_at > now() RETURNING * INTO token;
  IF token.acc_id IS NULL THEN RETURN NULL; END IF;
  SELECT acc_email INTO former FROM account WHERE acc_id = token.acc_id AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM auth_release_address(token.tok_email, token.acc_id);
  UPDATE account SET acc_email = token.tok_email, acc_email_verified_at = now(), acc_password_hash = new_hash, acc_password_changed_at = clock_timestamp() WHERE acc_id = token.acc_id;
  UPDATE account SET acc_totp = NULL, acc_totp_step = NULL, acc_totp_since = NULL, acc_recovery = '{}' WHERE acc_id = token.acc_id AND acc_totp_since >= token.tok_created;
  UPDATE workspace_user SET user_email = token.tok_email, user_updated = now(), row_version = row_version + 1 WHERE user_id = token.acc_id AND user_email IS NOT NULL;
  DELETE FROM account_token WHERE acc_id = token.acc_id AND tok_kind = 'undo' AND tok_created >= token.tok_created;
  PERFORM auth_end_begun(token.acc_id, NULL);
  PERFORM auth_revoke_keys(token.acc_id, true);
  RETURN jsonb_build_object('acc_id', token.acc_id, 'before', former, 'after', token.tok_email, 'tenant_id', token.tok_tenant);
END
$$;

ALTER FUNCTION public.auth_undo_email(token_hash text, new_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.auth_vouch_password(p_account uuid, p_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM account WHERE acc_id = p_account AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM auth_clear_unproven(p_account);
  UPDATE account SET acc_password_hash = p_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = coalesce(acc_email_verified_at, now()) WHERE acc_id = p_account;
  PERFORM auth_end_begun(p_account, NULL);
  PERFORM auth_revoke_keys(p_account, true);
  RETURN true;
END
$$;

ALTER FUNCTION public.auth_vouch_password(p_account uuid, p_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.background_jobs_purge(p_before timestamp with time zone, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM background_job b WHERE b.tenant_id = current_tenant() AND b.job_id = ANY (ARRAY(
    SELECT j.job_id FROM background_job j WHERE j.tenant_id = current_tenant() AND j.job_status IN ('completed', 'partial', 'failed', 'cancelled') AND j.job_updated < p_before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = j.job_created_by AND h.lh_released_at IS NULL)
    ORDER BY j.job_updated LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.background_jobs_purge(p_before timestamp with time zone, p_limit integer) OWNER TO atrium_definer;

CREATE TABLE public.budget (
    tenant_id uuid NOT NULL,
    bud_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    bud_name text NOT NULL,
    bud_name_key text GENERATED ALWAYS AS (lower("left"(bud_name, 64))) STORED NOT NULL,
    bud_scope text NOT NULL,
    bud_target text,
    bud_period text NOT NULL,
    bud_timezone text NOT NULL,
    bud_credits numeric(20,6) NOT NULL,
    bud_action text NOT NULL,
    bud_thresholds integer[] DEFAULT '{80,100}'::integer[] NOT NULL,
    bud_active boolean DEFAULT true NOT NULL,
    bud_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    bud_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    bud_created_by uuid,
    CONSTRAINT budget_bud_action_check CHECK ((bud_action = ANY (ARRAY['warn'::text, 'block'::text]))),
    CONSTRAINT budget_bud_credits_check CHECK ((bud_credits > (0)::numeric)),
    CONSTRAINT budget_bud_period_check CHECK ((bud_period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'total'::text]))),
    CONSTRAINT budget_bud_scope_check CHECK ((bud_scope = ANY (ARRAY['workspace'::text, 'user'::text, 'each_user'::text, 'role'::text, 'agent'::text, 'prompt'::text, 'key'::text, 'extension'::text, 'param'::text]))),
    CONSTRAINT budget_check CHECK (((bud_target IS NULL) = (bud_scope = ANY (ARRAY['workspace'::text, 'each_user'::text]))))
);

ALTER TABLE ONLY public.budget FORCE ROW LEVEL SECURITY;

ALTER TABLE public.budget OWNER TO atrium_owner;

CREATE FUNCTION public.budget_add(p_budget public.budget, p_subject uuid, p_from timestamp with time zone, p_to timestamp with time zone, p_credits numeric) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE budget_counter SET cnt_spent = cnt_spent + p_credits WHERE tenant_id = p_budget.tenant_id AND cnt_budget = p_budget.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  IF NOT FOUND AND p_to > clock_timestamp() THEN
    INSERT INTO budget_counter (tenant_id, cnt_budget, cnt_subject, cnt_from, cnt_to, cnt_spent) VALUES (p_budget.tenant_id, p_budget.bud_id, p_subject, p_from, p_to, p_credits);
  END IF;
END
$$;

ALTER FUNCTION public.budget_add(p_budget public.budget, p_subject uuid, p_from timestamp with time zone, p_to timestamp with time zone, p_credits numeric) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce(CASE b.bud_scope
      WHEN 'workspace' THEN true
      WHEN 'each_user' THEN p_user IS NOT NULL
      WHEN 'user' THEN b.bud_target = p_user::text
      WHEN 'role' THEN p_user IS NOT NULL AND EXISTS (SELECT FROM user_role_link l WHERE l.tenant_id = b.tenant_id AND l.user_id = p_user AND l.role_id = b.bud_target::uuid)
      WHEN 'agent' THEN b.bud_target = p_agent::text
      WHEN 'prompt' THEN b.bud_target = p_prompt::text
      WHEN 'key' THEN b.bud_target = p_key::text
      WHEN 'extension' THEN b.bud_target = p_extension::text
    END, false)
  $$;

ALTER FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) OWNER TO atrium_owner;

CREATE TABLE public.usage_entry (
    tenant_id uuid NOT NULL,
    usage_id uuid NOT NULL,
    usage_timestamp timestamp(3) with time zone NOT NULL,
    usage_user uuid,
    usage_param text NOT NULL,
    usage_details text DEFAULT ''::text NOT NULL,
    usage_consumed_units numeric(20,6) NOT NULL,
    usage_consumed_credits numeric(20,6) NOT NULL,
    usage_cost_id uuid NOT NULL,
    usage_agent uuid,
    usage_prompt uuid,
    usage_key uuid,
    usage_extension uuid,
    usage_ref jsonb DEFAULT '{}'::jsonb NOT NULL,
    usage_reverses uuid,
    usage_consumed_credits_key bigint GENERATED ALWAYS AS (((LEAST(GREATEST(usage_consumed_credits, ('-9000000000000'::bigint)::numeric), ('9000000000000'::bigint)::numeric) * (1000000)::numeric))::bigint) STORED NOT NULL,
    CONSTRAINT usage_entry_check CHECK (((usage_consumed_units >= (0)::numeric) OR (usage_reverses IS NOT NULL))),
    CONSTRAINT usage_entry_usage_details_check CHECK (((length(usage_details) <= 200) AND (usage_details ~ '^[A-Za-z0-9._:@/+-]*$'::text))),
    CONSTRAINT usage_entry_usage_ref_check CHECK ((jsonb_typeof(usage_ref) = 'object'::text))
)
PARTITION BY RANGE (usage_timestamp);

ALTER TABLE ONLY public.usage_entry FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_entry OWNER TO atrium_definer;

CREATE FUNCTION public.budget_count(p_entry public.usage_entry, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  b budget;
  w record;
  subject uuid;
BEGIN
  FOR b IN SELECT * FROM budgets_of(p_entry.tenant_id, p_entry.usage_user, p_entry.usage_agent, p_entry.usage_prompt, p_entry.usage_key, p_entry.usage_extension, ARRAY[p_entry.usage_param]) LOOP
    SELECT * INTO w FROM budget_window(b.bud_period, b.bud_timezone, p_entry.usage_timestamp);
    subject := budget_subject(b.bud_scope, p_entry.usage_user);
    PERFORM budget_add(b, subject, w.window_from, w.window_to, p_entry.usage_consumed_credits);
    IF b.bud_scope = 'role' THEN
      PERFORM budget_add(b, p_entry.usage_user, w.window_from, w.window_to, p_entry.usage_consumed_credits);
    END IF;
    PERFORM budget_tell(b, subject, w.window_from, p_by);
  END LOOP;
END
$$;

ALTER FUNCTION public.budget_count(p_entry public.usage_entry, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_enter(p_by jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT credit_enter(current_tenant(), p_by) WHERE current_tenant() IS NOT NULL $$;

ALTER FUNCTION public.budget_enter(p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_start(p_budget uuid, p_anew boolean, p_by jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  b budget;
  w record;
  main uuid;
BEGIN
  SELECT * INTO b FROM budget WHERE tenant_id = current_tenant() AND bud_id = p_budget;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM credit_enter(b.tenant_id, p_by);
  DELETE FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND p_anew;
  UPDATE budget_counter SET cnt_spent = 0 WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_to > clock_timestamp();
  -- The next period too where entries may bear its time already.
  FOR w IN SELECT DISTINCT p.* FROM unnest(ARRAY[clock_timestamp(), clock_timestamp() + interval '5 minutes']) AS moment, budget_window(b.bud_period, b.bud_timezone, moment) p LOOP
    INSERT INTO budget_counter AS c (tenant_id, cnt_budget, cnt_subject, cnt_from, cnt_to, cnt_spent)
      SELECT b.tenant_id, b.bud_id, coalesce(s.subject, nil), w.window_from, w.window_to, sum(s.spent) FROM budget_sums(b, w.window_from, w.window_to) s
      GROUP BY GROUPING SETS ((s.subject), ()) HAVING NOT (b.bud_scope = 'each_user' AND GROUPING(s.subject) = 1) AND NOT (b.bud_scope NOT IN ('each_user', 'role') AND GROUPING(s.subject) = 0) AND sum(s.spent) IS NOT NULL
    ON CONFLICT (tenant_id, cnt_budget, cnt_from, cnt_subject) DO UPDATE SET cnt_spent = excluded.cnt_spent;
  END LOOP;
  UPDATE budget_counter c SET cnt_notified = ARRAY(SELECT t FROM unnest(c.cnt_notified) t WHERE c.cnt_spent * 100 >= t * b.bud_credits)
    WHERE c.tenant_id = b.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_notified <> '{}' AND c.cnt_to > clock_timestamp();
  FOR w IN SELECT cnt_from, cnt_subject FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_to > clock_timestamp() AND (b.bud_scope <> 'role' OR cnt_subject = nil) LOOP
    PERFORM budget_tell(b, w.cnt_subject, w.cnt_from, p_by);
  END LOOP;
END
$$;

ALTER FUNCTION public.budget_start(p_budget uuid, p_anew boolean, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_subject(p_scope text, p_user uuid) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (p_scope = 'each_user'::text) THEN p_user ELSE '00000000-0000-0000-0000-000000000000'::uuid END;

ALTER FUNCTION public.budget_subject(p_scope text, p_user uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.budget_sums(b public.budget, p_from timestamp with time zone, p_to timestamp with time zone) RETURNS TABLE(subject uuid, spent numeric)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  first_day timestamptz := usage_day(p_from + interval '1 day' - interval '1 millisecond');
  last_day timestamptz := usage_day(p_to);
BEGIN
  IF b.bud_scope IN ('key', 'extension') THEN
    RETURN QUERY SELECT nil, coalesce(sum(e.usage_consumed_credits), 0) FROM usage_entry e
      WHERE e.tenant_id = b.tenant_id AND e.usage_timestamp >= p_from AND e.usage_timestamp < p_to AND b.bud_target::uuid = CASE WHEN b.bud_scope = 'key' THEN e.usage_key ELSE e.usage_extension END;
    RETURN;
  END IF;
  IF last_day <= first_day THEN
    first_day := p_to;
    last_day := p_to;
  END IF;
  RETURN QUERY
    SELECT CASE WHEN b.bud_scope IN ('each_user', 'role') THEN u.person ELSE nil END, sum(u.credits) FROM (
      SELECT d.usage_user AS person, d.usage_agent AS agent, d.usage_prompt AS prompt, d.usage_param AS param, d.usage_consumed_credits AS credits
        FROM usage_days d WHERE d.tenant_id = b.tenant_id AND d.day_start >= first_day AND d.day_start < last_day
      UNION ALL
      SELECT c.usage_user, c.usage_agent, c.usage_prompt, c.usage_param, c.usage_consumed_credits
        FROM usage_cells c WHERE c.tenant_id = b.tenant_id AND c.cell_start >= p_from AND c.cell_start < first_day
      UNION ALL
      SELECT c.usage_user, c.usage_agent, c.usage_prompt, c.usage_param, c.usage_consumed_credits
        FROM usage_cells c WHERE c.tenant_id = b.tenant_id AND c.cell_start >= last_day AND c.cell_start < p_to
      UNION ALL
      SELECT coalesce(t.usage_user, nil), coalesce(t.usage_agent, nil), coalesce(t.usage_prompt, nil), t.usage_param, t.usage_consumed_credits
        FROM usage_delta t WHERE t.tenant_id = b.tenant_id AND t.usage_timestamp >= p_from AND t.usage_timestamp < p_to
    ) u
    WHERE CASE b.bud_scope
      WHEN 'workspace' THEN true
      WHEN 'each_user' THEN u.person <> nil
      WHEN 'user' THEN u.person = b.bud_target::uuid
      WHEN 'role' THEN u.person IN (SELECT l.user_id FROM user_role_link l WHERE l.tenant_id = b.tenant_id AND l.role_id = b.bud_target::uuid)
      WHEN 'agent' THEN u.agent = b.bud_target::uuid
      WHEN 'prompt' THEN u.prompt = b.bud_target::uuid
      ELSE u.param = b.bud_target
    END
    GROUP BY 1;
END
$$;

ALTER FUNCTION public.budget_sums(b public.budget, p_from timestamp with time zone, p_to timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_tell(b public.budget, p_subject uuid, p_from timestamp with time zone, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  c budget_counter;
  crossed integer[];
  threshold integer;
BEGIN
  IF NOT b.bud_active THEN RETURN; END IF;
  SELECT * INTO c FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  crossed := ARRAY(SELECT t FROM unnest(b.bud_thresholds) t WHERE c.cnt_spent * 100 >= t * b.bud_credits AND t <> ALL (c.cnt_notified) ORDER BY t);
  IF crossed = '{}' THEN RETURN; END IF;
  UPDATE budget_counter SET cnt_notified = cnt_notified || crossed WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  FOREACH threshold IN ARRAY crossed LOOP
    PERFORM credit_tell(b.tenant_id, 'budget.threshold', b.bud_id, jsonb_build_object('bud_name', b.bud_name, 'threshold', threshold, 'subject', nullif(p_subject, '00000000-0000-0000-0000-000000000000'),
      'bud_spent', c.cnt_spent, 'bud_credits', b.bud_credits, 'bud_action', b.bud_action), p_by);
  END LOOP;
END
$$;

ALTER FUNCTION public.budget_tell(b public.budget, p_subject uuid, p_from timestamp with time zone, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) RETURNS TABLE(window_from timestamp with time zone, window_to timestamp with time zone)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT
         CASE
             WHEN (p_period = 'total'::text) THEN '1970-01-01 00:00:00+00'::timestamp with time zone
             ELSE (date_trunc(p_period, (p_at AT TIME ZONE p_zone)) AT TIME ZONE p_zone)
         END AS timezone,
         CASE
             WHEN (p_period = 'total'::text) THEN '9999-01-01 00:00:00+00'::timestamp with time zone
             ELSE ((date_trunc(p_period, (p_at AT TIME ZONE p_zone)) + (('1 '::text || p_period))::interval) AT TIME ZONE p_zone)
         END AS timezone;
END;

ALTER FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) OWNER TO atrium_owner;

CREATE TABLE public.user_role_link (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role_id uuid NOT NULL
);

ALTER TABLE ONLY public.user_role_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.user_role_link OWNER TO atrium_owner;

CREATE FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) RETURNS SETOF public.budget
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT b.tenant_id,
     b.bud_id,
     b.row_version,
     b.bud_name,
     b.bud_name_key,
     b.bud_scope,
     b.bud_target,
     b.bud_period,
     b.bud_timezone,
     b.bud_credits,
     b.bud_action,
     b.bud_thresholds,
     b.bud_active,
     b.bud_created,
     b.bud_updated,
     b.bud_created_by
    FROM (( VALUES ('workspace'::text,''::text), ('each_user'::text,
                 CASE
                     WHEN (budgets_of.p_user IS NOT NULL) THEN ''::text
                     ELSE NULL::text
                 END), ('user'::text,(budgets_of.p_user)::text), ('agent'::text,(budgets_of.p_agent)::text), ('prompt'::text,(budgets_of.p_prompt)::text), ('key'::text,(budgets_of.p_key)::text), ('extension'::text,(budgets_of.p_extension)::text)
         UNION ALL
          SELECT 'role'::text,
             (l.role_id)::text AS role_id
            FROM public.user_role_link l
           WHERE ((l.tenant_id = budgets_of.p_tenant) AND (l.user_id = budgets_of.p_user))
         UNION ALL
          SELECT 'param'::text,
             unnest(budgets_of.p_params) AS unnest) s(scope, target)
      CROSS JOIN LATERAL ( SELECT b_1.tenant_id,
             b_1.bud_id,
             b_1.row_version,
             b_1.bud_name,
             b_1.bud_name_key,
             b_1.bud_scope,
             b_1.bud_target,
             b_1.bud_period,
             b_1.bud_timezone,
             b_1.bud_credits,
             b_1.bud_action,
             b_1.bud_thresholds,
             b_1.bud_active,
             b_1.bud_created,
             b_1.bud_updated,
             b_1.bud_created_by
            FROM public.budget b_1
           WHERE ((b_1.tenant_id = budgets_of.p_tenant) AND (b_1.bud_scope = s.scope) AND (COALESCE(b_1.bud_target, ''::text) = s.target))
          OFFSET 0) b);
END;

ALTER FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) OWNER TO atrium_owner;

CREATE FUNCTION public.cms_by_hook(p_key text) RETURNS TABLE(tenant_id uuid, site_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT c.tenant_id, c.cms_site FROM cms_connection c JOIN workspace w USING (tenant_id) JOIN site s ON s.tenant_id = c.tenant_id AND s.site_id = c.cms_site
  WHERE c.cms_hook_key = p_key AND s.site_active AND w.ws_status = 'active'
$$;

ALTER FUNCTION public.cms_by_hook(p_key text) OWNER TO atrium_definer;

CREATE FUNCTION public.cms_sites_due(most integer) RETURNS TABLE(tenant_id uuid, site_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT c.tenant_id, c.cms_site FROM cms_connection c JOIN workspace w USING (tenant_id) JOIN site s ON s.tenant_id = c.tenant_id AND s.site_id = c.cms_site
  WHERE c.cms_next_scan <= now() AND s.site_active AND w.ws_status = 'active' ORDER BY c.cms_next_scan, c.cms_site LIMIT most
$$;

ALTER FUNCTION public.cms_sites_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.color_lab(hex text) RETURNS double precision[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  part double precision;
  rgb double precision[] := '{}';
  xyz double precision[] := '{}';
BEGIN
  IF hex !~ '^#[0-9A-Fa-f]{6}$' THEN
    RETURN NULL;
  END IF;
  FOR i IN 0..2 LOOP
    part := get_byte(decode(substr(hex, 2 + 2 * i, 2), 'hex'), 0) / 255.0::double precision;
    rgb := rgb || CASE WHEN part <= 0.04045 THEN part / 12.92 ELSE power((part + 0.055) / 1.055, 2.4::double precision) END;
  END LOOP;
  FOREACH part IN ARRAY ARRAY[
    (0.4124564 * rgb[1] + 0.3575761 * rgb[2] + 0.1804375 * rgb[3]) / 0.95047,
    0.2126729 * rgb[1] + 0.7151522 * rgb[2] + 0.0721750 * rgb[3],
    (0.0193339 * rgb[1] + 0.1191920 * rgb[2] + 0.9503041 * rgb[3]) / 1.08883] LOOP
    xyz := xyz || CASE WHEN part > 0.008856451679035631 THEN power(part, 1.0::double precision / 3) ELSE 7.787037037037037 * part + 16.0 / 116 END;
  END LOOP;
  RETURN ARRAY[116 * xyz[2] - 16, 500 * (xyz[1] - xyz[2]), 200 * (xyz[2] - xyz[3])];
END
$_$;

ALTER FUNCTION public.color_lab(hex text) OWNER TO atrium_owner;

CREATE TABLE public.platform_cost (
    cost_id uuid NOT NULL,
    cost_param text NOT NULL,
    cost_details text,
    cost_credits_per_unit numeric(20,8) NOT NULL,
    cost_valid_from timestamp(3) with time zone NOT NULL,
    cost_valid_to timestamp(3) with time zone,
    cost_note text,
    cost_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT platform_cost_check CHECK ((cost_valid_to > cost_valid_from)),
    CONSTRAINT platform_cost_cost_credits_per_unit_check CHECK ((cost_credits_per_unit >= (0)::numeric)),
    CONSTRAINT platform_cost_cost_details_check CHECK ((cost_details ~ '^[A-Za-z0-9._:@/+-]{0,200}$'::text))
);

ALTER TABLE public.platform_cost OWNER TO atrium_owner;

CREATE TABLE public.workspace_cost (
    tenant_id uuid NOT NULL,
    cost_id uuid NOT NULL,
    cost_param text NOT NULL,
    cost_details text,
    cost_credits_per_unit numeric(20,8) NOT NULL,
    cost_valid_from timestamp(3) with time zone NOT NULL,
    cost_valid_to timestamp(3) with time zone,
    cost_note text,
    cost_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workspace_cost_check CHECK ((cost_valid_to > cost_valid_from)),
    CONSTRAINT workspace_cost_cost_credits_per_unit_check CHECK ((cost_credits_per_unit >= (0)::numeric)),
    CONSTRAINT workspace_cost_cost_details_check CHECK ((cost_details ~ '^[A-Za-z0-9._:@/+-]{0,200}$'::text))
);

ALTER TABLE ONLY public.workspace_cost FORCE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_cost OWNER TO atrium_owner;

CREATE FUNCTION public.cost_at(p_tenant uuid, p_param text, p_details text, p_at timestamp with time zone) RETURNS TABLE(cost_id uuid, price numeric)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT c.cost_id,
     c.price
    FROM ( SELECT w.cost_id,
             w.cost_credits_per_unit AS price,
                 CASE
                     WHEN (w.cost_details IS NULL) THEN 2
                     ELSE 1
                 END AS rank
            FROM public.workspace_cost w
           WHERE ((w.tenant_id = cost_at.p_tenant) AND (w.cost_param = cost_at.p_param) AND ((w.cost_details IS NULL) OR (w.cost_details = cost_at.p_details)) AND (w.cost_valid_from <= cost_at.p_at) AND ((w.cost_valid_to IS NULL) OR (w.cost_valid_to > cost_at.p_at)))
         UNION ALL
          SELECT p.cost_id,
             p.cost_credits_per_unit,
                 CASE
                     WHEN (p.cost_details IS NULL) THEN 4
                     ELSE 3
                 END AS "case"
            FROM public.platform_cost p
           WHERE ((p.cost_param = cost_at.p_param) AND ((p.cost_details IS NULL) OR (p.cost_details = cost_at.p_details)) AND (p.cost_valid_from <= cost_at.p_at) AND ((p.cost_valid_to IS NULL) OR (p.cost_valid_to > cost_at.p_at)))) c
   ORDER BY c.rank
  LIMIT 1;
END;

ALTER FUNCTION public.cost_at(p_tenant uuid, p_param text, p_details text, p_at timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.cost_set(p_tenant uuid, p_cost jsonb) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  c platform_cost := jsonb_populate_record(NULL::platform_cost, p_cost || '{"cost_valid_to": null}');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('cost:' || coalesce(p_tenant::text, '') || ':' || c.cost_param || ':' || coalesce(c.cost_details, '*'), 0));
  c.cost_valid_from := greatest(coalesce(c.cost_valid_from, clock_timestamp()), date_trunc('milliseconds', clock_timestamp()));
  c.cost_created := clock_timestamp();
  IF p_tenant IS NULL THEN
    IF EXISTS (SELECT FROM platform_cost o WHERE o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND o.cost_valid_from >= c.cost_valid_from) THEN RETURN NULL; END IF;
    UPDATE platform_cost o SET cost_valid_to = c.cost_valid_from
      WHERE o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND (o.cost_valid_to IS NULL OR o.cost_valid_to > c.cost_valid_from);
    INSERT INTO platform_cost SELECT c.*;
  ELSE
    IF EXISTS (SELECT FROM workspace_cost o WHERE o.tenant_id = p_tenant AND o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND o.cost_valid_from >= c.cost_valid_from) THEN RETURN NULL; END IF;
    UPDATE workspace_cost o SET cost_valid_to = c.cost_valid_from
      WHERE o.tenant_id = p_tenant AND o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND (o.cost_valid_to IS NULL OR o.cost_valid_to > c.cost_valid_from);
    INSERT INTO workspace_cost SELECT p_tenant, c.*;
  END IF;
  RETURN c.cost_id;
END
$$;

ALTER FUNCTION public.cost_set(p_tenant uuid, p_cost jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.costs_of_platform() RETURNS SETOF public.platform_cost
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM platform_cost $$;

ALTER FUNCTION public.costs_of_platform() OWNER TO atrium_definer;

CREATE FUNCTION public.costs_visible() RETURNS TABLE(tenant_id uuid, cost_id uuid, cost_param text, cost_details text, cost_credits_per_unit numeric, cost_valid_from timestamp with time zone, cost_valid_to timestamp with time zone, cost_workspace boolean, cost_note text, cost_created timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT current_tenant(), p.cost_id, p.cost_param, p.cost_details, p.cost_credits_per_unit, p.cost_valid_from, p.cost_valid_to, false, p.cost_note, p.cost_created
    FROM platform_cost p WHERE current_tenant() IS NOT NULL
    UNION ALL
    SELECT w.tenant_id, w.cost_id, w.cost_param, w.cost_details, w.cost_credits_per_unit, w.cost_valid_from, w.cost_valid_to, true, w.cost_note, w.cost_created
    FROM workspace_cost w WHERE w.tenant_id = current_tenant()
  $$;

ALTER FUNCTION public.costs_visible() OWNER TO atrium_definer;

CREATE FUNCTION public.count_album_files() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
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

CREATE FUNCTION public.count_faces_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people) FROM (SELECT tenant_id, array_agg(DISTINCT face_person) AS people FROM fresh WHERE face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_faces_added() OWNER TO atrium_owner;

CREATE FUNCTION public.count_faces_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people)
    FROM (SELECT x.tenant_id, array_agg(DISTINCT x.face_person) AS people
          FROM ((SELECT tenant_id, face_id, face_person, face_hidden FROM stale EXCEPT SELECT tenant_id, face_id, face_person, face_hidden FROM fresh)
                UNION ALL
                (SELECT tenant_id, face_id, face_person, face_hidden FROM fresh EXCEPT SELECT tenant_id, face_id, face_person, face_hidden FROM stale)) x
          WHERE x.face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_faces_changed() OWNER TO atrium_owner;

CREATE FUNCTION public.count_faces_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people) FROM (SELECT tenant_id, array_agg(DISTINCT face_person) AS people FROM stale WHERE face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_faces_removed() OWNER TO atrium_owner;

CREATE FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM 1 FROM media_tag t WHERE t.tenant_id = workspace
    AND t.mt_id IN (SELECT (o ->> 't')::uuid FROM jsonb_array_elements(olds || news) o) ORDER BY t.mt_id FOR NO KEY UPDATE;
  UPDATE media_tag t SET mt_file_count = mt_file_count + d.delta
    FROM (SELECT tag, sum(n) AS delta FROM (
            SELECT (x ->> 't')::uuid AS tag, 1 AS n FROM jsonb_array_elements(news) x WHERE NOT (x ->> 'h')::boolean
            UNION ALL SELECT (x ->> 't')::uuid, -1 FROM jsonb_array_elements(olds) x WHERE NOT (x ->> 'h')::boolean) y GROUP BY tag) d
    WHERE t.tenant_id = workspace AND t.mt_id = d.tag AND d.delta <> 0;
  PERFORM 1 FROM media_tag_group g WHERE g.tenant_id = workspace
    AND g.mtg_id IN (SELECT (o ->> 'g')::uuid FROM jsonb_array_elements(olds || news) o) ORDER BY g.mtg_id FOR NO KEY UPDATE;
  UPDATE media_tag_group g SET mtg_file_count = mtg_file_count + d.delta
    FROM (SELECT grp, sum(after::integer - before::integer) AS delta FROM (
            SELECT p.grp,
                   EXISTS (SELECT FROM file_tag v WHERE v.tenant_id = workspace AND v.ft_file = p.file AND v.ft_group = p.grp AND NOT v.ft_hidden) AS after,
                   p.was OR EXISTS (SELECT FROM file_tag v WHERE v.tenant_id = workspace AND v.ft_file = p.file AND v.ft_group = p.grp AND NOT v.ft_hidden AND NOT v.ft_tag = ANY(p.fresh)) AS before
            FROM (SELECT (x.o ->> 'f')::uuid AS file, (x.o ->> 'g')::uuid AS grp, bool_or(x.old AND NOT (x.o ->> 'h')::boolean) AS was,
                         coalesce(array_agg((x.o ->> 't')::uuid) FILTER (WHERE NOT x.old), '{}') AS fresh
                  FROM (SELECT o, true AS old FROM jsonb_array_elements(olds) o UNION ALL SELECT n, false FROM jsonb_array_elements(news) n) x GROUP BY 1, 2) p) q GROUP BY grp) d
    WHERE g.tenant_id = workspace AND g.mtg_id = d.grp AND d.delta <> 0;
  UPDATE file_search_text s SET fst_tags = w.words
    FROM (SELECT c.file, tag_words_of(workspace, c.file) AS words FROM (SELECT DISTINCT (x ->> 'f')::uuid AS file FROM jsonb_array_elements(olds || news) x) c) w
    WHERE s.tenant_id = workspace AND s.file_id = w.file AND s.fst_tags <> w.words;
END
$$;

ALTER FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.count_group_tags() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE media_tag_group SET mtg_tag_count = mtg_tag_count + 1 WHERE tenant_id = NEW.tenant_id AND mtg_id = NEW.mt_group;
  ELSE
    UPDATE media_tag_group SET mtg_tag_count = mtg_tag_count - 1 WHERE tenant_id = OLD.tenant_id AND mtg_id = OLD.mt_group;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_group_tags() OWNER TO atrium_owner;

CREATE FUNCTION public.count_knowledge_records() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenants uuid[];
  bases uuid[];
  deltas integer[];
  tally uuid;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, count(*) FILTER (WHERE rec_active) AS delta FROM fresh GROUP BY 1, 2) n WHERE delta <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, -count(*) FILTER (WHERE rec_active) AS delta FROM stale GROUP BY 1, 2) n WHERE delta <> 0;
  ELSE
    SELECT array_agg(tenant_id), array_agg(rec_base), array_agg(delta) INTO tenants, bases, deltas
      FROM (SELECT tenant_id, rec_base, sum(d) AS delta FROM (
              SELECT tenant_id, rec_base, CASE WHEN rec_active THEN 1 ELSE 0 END AS d FROM fresh
              UNION ALL SELECT tenant_id, rec_base, CASE WHEN rec_active THEN -1 ELSE 0 END FROM stale) x GROUP BY 1, 2) n WHERE delta <> 0;
  END IF;
  FOR at IN 1 .. coalesce(array_length(bases, 1), 0) LOOP
    SELECT t.tally_id INTO tally FROM knowledge_base_tally t WHERE t.tenant_id = tenants[at] AND t.ds_id = bases[at] ORDER BY t.tally_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE knowledge_base_tally t SET tally_records = t.tally_records + deltas[at] WHERE t.tenant_id = tenants[at] AND t.ds_id = bases[at] AND t.tally_id = tally;
    ELSE
      INSERT INTO knowledge_base_tally (tenant_id, ds_id, tally_records)
        SELECT b.tenant_id, b.ds_id, deltas[at] FROM knowledge_base b WHERE b.tenant_id = tenants[at] AND b.ds_id = bases[at];
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_knowledge_records() OWNER TO atrium_owner;

CREATE FUNCTION public.count_person_faces(workspace uuid, people uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM 1 FROM person p WHERE p.tenant_id = workspace AND p.person_id = ANY(people) ORDER BY p.person_id FOR NO KEY UPDATE;
  UPDATE person p SET person_face_count = n.faces
    FROM (SELECT u.id, (SELECT count(*) FROM face f WHERE f.tenant_id = workspace AND f.face_person = u.id AND NOT f.face_hidden) AS faces FROM unnest(people) AS u (id)) n
    WHERE p.tenant_id = workspace AND p.person_id = n.id AND p.person_face_count <> n.faces;
END
$$;

ALTER FUNCTION public.count_person_faces(workspace uuid, people uuid[]) OWNER TO atrium_owner;

CREATE FUNCTION public.count_publications() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE distribution_restriction r SET dr_publication_count = dr_publication_count + n.more
      FROM (SELECT tenant_id, pr_restriction, count(*) AS more FROM fresh GROUP BY 1, 2) n WHERE r.tenant_id = n.tenant_id AND r.dr_id = n.pr_restriction;
  ELSE
    UPDATE distribution_restriction r SET dr_publication_count = dr_publication_count - n.less
      FROM (SELECT tenant_id, pr_restriction, count(*) AS less FROM stale GROUP BY 1, 2) n WHERE r.tenant_id = n.tenant_id AND r.dr_id = n.pr_restriction;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_publications() OWNER TO atrium_owner;

CREATE FUNCTION public.count_tags_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_file_tags(n.tenant_id, '[]', n.rows) FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM fresh GROUP BY 1) n;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_tags_added() OWNER TO atrium_owner;

CREATE FUNCTION public.count_tags_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_file_tags(o.tenant_id, o.rows, n.rows)
    FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM stale GROUP BY 1) o
    JOIN (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM fresh GROUP BY 1) n USING (tenant_id);
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_tags_changed() OWNER TO atrium_owner;

CREATE FUNCTION public.count_tags_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM count_file_tags(n.tenant_id, n.rows, '[]') FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM stale GROUP BY 1) n;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.count_tags_removed() OWNER TO atrium_owner;

CREATE FUNCTION public.crawls_due(most integer) RETURNS TABLE(tenant_id uuid, crw_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT c.tenant_id, c.crw_id FROM knowledge_crawl c JOIN workspace w USING (tenant_id) JOIN knowledge_base b ON b.tenant_id = c.tenant_id AND b.ds_id = c.crw_base
  WHERE c.crw_next <= now() AND b.ds_active AND w.ws_status = 'active' ORDER BY c.crw_next LIMIT most
$$;

ALTER FUNCTION public.crawls_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_balances(p_ids uuid[]) RETURNS TABLE(ws_id uuid, available numeric)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT b.tenant_id, s.credit_available FROM credit_balance b, credit_state(b.tenant_id) s WHERE b.tenant_id = ANY (p_ids) $$;

ALTER FUNCTION public.credit_balances(p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_catch_up(p_tenant uuid, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  g credit_grant;
  owed numeric;
BEGIN
  LOOP
    SELECT * INTO g FROM credit_grant WHERE tenant_id = p_tenant AND grant_due <= clock_timestamp() ORDER BY grant_due, grant_state = 'scheduled', grant_created, grant_id LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF g.grant_state = 'scheduled' THEN
      owed := least(g.grant_credits, (SELECT greatest(0, -b.credit_balance) FROM credit_balance b WHERE b.tenant_id = p_tenant));
      UPDATE credit_grant SET grant_state = CASE WHEN owed = g.grant_credits THEN 'used_up' ELSE 'active' END, grant_remaining = g.grant_credits - owed, grant_due = g.grant_expires_at
        WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
      PERFORM credit_note(p_tenant, 'grant', g.grant_credits, g.grant_id, NULL, g.grant_note);
      PERFORM credit_tell(p_tenant, 'credits.granted', g.grant_id, jsonb_build_object('grant_credits', g.grant_credits, 'grant_source', g.grant_source, 'grant_expires_at', g.grant_expires_at), p_by);
    ELSE
      UPDATE credit_grant SET grant_state = 'expired', grant_remaining = 0, grant_due = NULL WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
      IF g.grant_remaining > 0 THEN
        PERFORM credit_note(p_tenant, 'expire', -g.grant_remaining, g.grant_id, NULL, NULL);
      END IF;
      IF g.grant_recurs = 'monthly' AND (g.grant_until IS NULL OR g.grant_until > g.grant_expires_at) THEN
        PERFORM credit_plan(p_tenant, jsonb_populate_record(g, jsonb_build_object('grant_id', time_ordered_id(), 'grant_starts_at', g.grant_expires_at, 'grant_external_id', NULL, 'grant_created', clock_timestamp())));
      END IF;
    END IF;
  END LOOP;
END
$$;

ALTER FUNCTION public.credit_catch_up(p_tenant uuid, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_configure(p_policy text, p_low_percent integer, p_by jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  was jsonb;
BEGIN
  IF current_tenant() IS NULL THEN RETURN NULL; END IF;
  PERFORM credit_enter(current_tenant(), p_by);
  SELECT jsonb_build_object('credit_policy', credit_policy, 'credit_low_percent', credit_low_percent) INTO was FROM credit_balance WHERE tenant_id = current_tenant();
  UPDATE credit_balance SET credit_policy = coalesce(p_policy, credit_policy), credit_low_percent = coalesce(p_low_percent, credit_low_percent), credit_updated = clock_timestamp() WHERE tenant_id = current_tenant();
  PERFORM credit_watch(current_tenant(), p_by);
  RETURN was;
END
$$;

ALTER FUNCTION public.credit_configure(p_policy text, p_low_percent integer, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_correct(p_credits numeric, p_note text, p_by jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF current_tenant() IS NULL THEN RETURN; END IF;
  PERFORM credit_enter(current_tenant(), p_by);
  IF p_credits > 0 THEN
    PERFORM credit_note(current_tenant(), 'correction', p_credits, NULL, NULL, p_note);
  ELSE
    PERFORM credit_take(current_tenant(), 'correction', -p_credits, NULL, p_note);
  END IF;
  PERFORM credit_watch(current_tenant(), p_by);
END
$$;

ALTER FUNCTION public.credit_correct(p_credits numeric, p_note text, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_enter(p_tenant uuid, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM credit_balance WHERE tenant_id = p_tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO credit_balance (tenant_id) VALUES (p_tenant) ON CONFLICT DO NOTHING;
    PERFORM FROM credit_balance WHERE tenant_id = p_tenant FOR UPDATE;
  END IF;
  PERFORM credit_catch_up(p_tenant, p_by);
END
$$;

ALTER FUNCTION public.credit_enter(p_tenant uuid, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_extend(p_hold uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE credit_hold SET hold_expires_at = clock_timestamp() + interval '15 minutes'
    WHERE tenant_id = current_tenant() AND hold_id = p_hold AND hold_settled_at IS NULL AND hold_expires_at > clock_timestamp();
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.credit_extend(p_hold uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_give(p_grant jsonb, p_by jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  g credit_grant;
  known uuid;
BEGIN
  IF tenant IS NULL THEN RETURN NULL; END IF;
  PERFORM credit_enter(tenant, p_by);
  SELECT grant_id INTO known FROM credit_grant WHERE tenant_id = tenant AND grant_external_id = p_grant ->> 'grant_external_id';
  IF FOUND THEN RETURN jsonb_build_object('grant_id', known, 'made', false); END IF;
  g := jsonb_populate_record(NULL::credit_grant, p_grant);
  -- Cut, not rounded: what begins now must not begin a part of a millisecond later.
  g.grant_created := date_trunc('milliseconds', clock_timestamp());
  g.grant_starts_at := greatest(g.grant_starts_at, g.grant_created);
  g.grant_until := g.grant_expires_at;
  PERFORM credit_plan(tenant, g);
  PERFORM credit_catch_up(tenant, p_by);
  PERFORM credit_watch(tenant, p_by);
  RETURN jsonb_build_object('grant_id', g.grant_id, 'made', true);
END
$$;

ALTER FUNCTION public.credit_give(p_grant jsonb, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_note(p_tenant uuid, p_kind text, p_credits numeric, p_grant uuid, p_usage uuid, p_note text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH moved AS (
      UPDATE credit_balance SET credit_balance = credit_balance + p_credits, credit_seq = credit_seq + 1, credit_updated = clock_timestamp() WHERE tenant_id = p_tenant RETURNING credit_balance, credit_seq
    )
    INSERT INTO credit_ledger (tenant_id, led_id, led_seq, led_timestamp, led_kind, led_credits, led_balance, led_grant, led_usage, led_note)
    SELECT p_tenant, time_ordered_id(), m.credit_seq, clock_timestamp(), p_kind, p_credits, m.credit_balance, p_grant, p_usage, p_note FROM moved m
  $$;

ALTER FUNCTION public.credit_note(p_tenant uuid, p_kind text, p_credits numeric, p_grant uuid, p_usage uuid, p_note text) OWNER TO atrium_definer;

CREATE TABLE public.credit_grant (
    tenant_id uuid NOT NULL,
    grant_id uuid NOT NULL,
    grant_state text DEFAULT 'scheduled'::text NOT NULL,
    grant_credits numeric(20,6) NOT NULL,
    grant_remaining numeric(20,6) NOT NULL,
    grant_priority integer DEFAULT 50 NOT NULL,
    grant_source text NOT NULL,
    grant_starts_at timestamp(3) with time zone NOT NULL,
    grant_expires_at timestamp(3) with time zone,
    grant_until timestamp(3) with time zone,
    grant_recurs text DEFAULT 'none'::text NOT NULL,
    grant_note text,
    grant_external_id text,
    grant_due timestamp(3) with time zone,
    grant_announced boolean DEFAULT false NOT NULL,
    grant_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    grant_created_by text,
    CONSTRAINT credit_grant_check CHECK ((grant_expires_at > grant_starts_at)),
    CONSTRAINT credit_grant_grant_credits_check CHECK ((grant_credits > (0)::numeric)),
    CONSTRAINT credit_grant_grant_priority_check CHECK (((grant_priority >= 1) AND (grant_priority <= 100))),
    CONSTRAINT credit_grant_grant_recurs_check CHECK ((grant_recurs = ANY (ARRAY['none'::text, 'monthly'::text]))),
    CONSTRAINT credit_grant_grant_remaining_check CHECK ((grant_remaining >= (0)::numeric)),
    CONSTRAINT credit_grant_grant_source_check CHECK ((grant_source = ANY (ARRAY['plan'::text, 'purchase'::text, 'promotion'::text, 'adjustment'::text]))),
    CONSTRAINT credit_grant_grant_state_check CHECK ((grant_state = ANY (ARRAY['scheduled'::text, 'active'::text, 'used_up'::text, 'expired'::text])))
);

ALTER TABLE ONLY public.credit_grant FORCE ROW LEVEL SECURITY;

ALTER TABLE public.credit_grant OWNER TO atrium_owner;

CREATE FUNCTION public.credit_plan(p_tenant uuid, p_grant public.credit_grant) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  zone text := (SELECT ws_timezone FROM workspace WHERE tenant_id = p_tenant);
BEGIN
  IF p_grant.grant_recurs = 'monthly' THEN
    p_grant.grant_expires_at := least(p_grant.grant_until, (date_trunc('month', p_grant.grant_starts_at AT TIME ZONE zone) + interval '1 month') AT TIME ZONE zone);
  END IF;
  p_grant.tenant_id := p_tenant;
  p_grant.grant_state := 'scheduled';
  p_grant.grant_remaining := p_grant.grant_credits;
  p_grant.grant_due := p_grant.grant_starts_at;
  p_grant.grant_announced := false;
  INSERT INTO credit_grant SELECT p_grant.*;
END
$$;

ALTER FUNCTION public.credit_plan(p_tenant uuid, p_grant public.credit_grant) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_release(p_hold uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ UPDATE credit_hold SET hold_settled_at = clock_timestamp() WHERE tenant_id = current_tenant() AND hold_id = p_hold AND hold_settled_at IS NULL $$;

ALTER FUNCTION public.credit_release(p_hold uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_reserve(p_hold jsonb, p_by jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  h credit_hold := jsonb_populate_record(NULL::credit_hold, p_hold);
  s record;
  b budget;
  spent numeric;
  aside numeric;
  needed numeric;
BEGIN
  h.tenant_id := current_tenant();
  IF h.tenant_id IS NULL THEN RETURN NULL; END IF;
  h.hold_at := date_trunc('milliseconds', clock_timestamp());
  h.hold_expires_at := h.hold_at + interval '15 minutes';
  IF p_hold ? 'lines' THEN
    SELECT coalesce(sum(l.credits), 0), coalesce(jsonb_object_agg(l.param, l.credits), '{}') INTO h.hold_credits, h.hold_lines FROM (
      SELECT r.param, sum(round(round(r.units, 6) * c.price, 6)) AS credits FROM jsonb_to_recordset(p_hold -> 'lines') AS r (param text, details text, units numeric), cost_at(h.tenant_id, r.param, r.details, h.hold_at) c GROUP BY r.param
    ) l;
  ELSE
    h.hold_lines := '{}';
  END IF;
  PERFORM credit_enter(h.tenant_id, p_by);
  UPDATE credit_hold o SET hold_settled_at = h.hold_at WHERE o.tenant_id = h.tenant_id AND o.hold_source = h.hold_source AND o.hold_settled_at IS NULL;
  SELECT * INTO s FROM credit_state(h.tenant_id);
  IF h.hold_credits > 0 AND s.credit_policy = 'enforced' AND s.credit_available < h.hold_credits THEN
    RETURN jsonb_build_object('needed', h.hold_credits, 'available', s.credit_available);
  END IF;
  FOR b IN SELECT * FROM budgets_of(h.tenant_id, h.hold_user, h.hold_agent, h.hold_prompt, h.hold_key, h.hold_extension, ARRAY(SELECT jsonb_object_keys(h.hold_lines))) o
    WHERE o.bud_active AND o.bud_action = 'block' ORDER BY o.bud_created, o.bud_id
  LOOP
    needed := CASE WHEN b.bud_scope = 'param' THEN (h.hold_lines ->> b.bud_target)::numeric ELSE h.hold_credits END;
    spent := coalesce((SELECT c.cnt_spent FROM budget_counter c, budget_window(b.bud_period, b.bud_timezone, h.hold_at) w
      WHERE c.tenant_id = h.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_from = w.window_from AND c.cnt_subject = budget_subject(b.bud_scope, h.hold_user)), 0);
    aside := coalesce((SELECT sum(CASE WHEN b.bud_scope = 'param' THEN coalesce((o.hold_lines ->> b.bud_target)::numeric, 0) ELSE o.hold_credits END) FROM credit_hold o
      WHERE o.tenant_id = h.tenant_id AND o.hold_settled_at IS NULL AND o.hold_expires_at > h.hold_at AND (b.bud_scope <> 'each_user' OR o.hold_user = h.hold_user)
        AND (b.bud_scope = 'param' OR budget_binds(b, o.hold_user, o.hold_agent, o.hold_prompt, o.hold_key, o.hold_extension))), 0);
    IF needed > 0 AND spent + aside + needed > b.bud_credits THEN
      RETURN jsonb_build_object('needed', needed, 'available', b.bud_credits - spent - aside, 'bud_id', b.bud_id, 'bud_name', b.bud_name);
    END IF;
  END LOOP;
  INSERT INTO credit_hold SELECT h.*;
  RETURN jsonb_build_object('hold_id', h.hold_id, 'hold_credits', h.hold_credits, 'hold_expires_at', h.hold_expires_at);
END
$$;

ALTER FUNCTION public.credit_reserve(p_hold jsonb, p_by jsonb) OWNER TO atrium_definer;

CREATE TABLE public.credit_balance (
    tenant_id uuid NOT NULL,
    credit_balance numeric(20,6) DEFAULT 0 NOT NULL,
    credit_policy text DEFAULT 'enforced'::text NOT NULL,
    credit_low_percent integer DEFAULT 20 NOT NULL,
    credit_seq bigint DEFAULT 0 NOT NULL,
    credit_notified_low boolean DEFAULT false NOT NULL,
    credit_notified_exhausted boolean DEFAULT false NOT NULL,
    credit_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT credit_balance_credit_low_percent_check CHECK (((credit_low_percent >= 1) AND (credit_low_percent <= 99))),
    CONSTRAINT credit_balance_credit_policy_check CHECK ((credit_policy = ANY (ARRAY['enforced'::text, 'metered'::text])))
);

ALTER TABLE ONLY public.credit_balance FORCE ROW LEVEL SECURITY;

ALTER TABLE public.credit_balance OWNER TO atrium_owner;

CREATE TABLE public.credit_hold (
    tenant_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    hold_at timestamp(3) with time zone NOT NULL,
    hold_expires_at timestamp(3) with time zone NOT NULL,
    hold_settled_at timestamp(3) with time zone,
    hold_credits numeric(20,6) NOT NULL,
    hold_lines jsonb NOT NULL,
    hold_user uuid,
    hold_agent uuid,
    hold_prompt uuid,
    hold_key uuid,
    hold_extension uuid,
    hold_source text NOT NULL,
    CONSTRAINT credit_hold_hold_credits_check CHECK ((hold_credits >= (0)::numeric))
);

ALTER TABLE ONLY public.credit_hold FORCE ROW LEVEL SECURITY;

ALTER TABLE public.credit_hold OWNER TO atrium_owner;

CREATE FUNCTION public.credit_state(p_tenant uuid) RETURNS TABLE(credit_balance numeric, credit_held numeric, credit_available numeric, credit_policy text, credit_low_percent integer, credit_low boolean, credit_updated timestamp with time zone)
    LANGUAGE sql STABLE
    BEGIN ATOMIC
 SELECT s.balance,
     s.held,
     (s.balance - s.held),
     s.policy,
     s.percent,
     (((s.balance - s.held) <= (0)::numeric) OR ((s.balance - s.held) < ((s.alive * (s.percent)::numeric) / (100)::numeric))),
     s.updated
    FROM ( SELECT COALESCE(b.credit_balance, (0)::numeric) AS balance,
             COALESCE(b.credit_policy, 'enforced'::text) AS policy,
             COALESCE(b.credit_low_percent, 20) AS percent,
             b.credit_updated AS updated,
             ( SELECT COALESCE(sum(h.hold_credits), (0)::numeric) AS "coalesce"
                    FROM public.credit_hold h
                   WHERE ((h.tenant_id = credit_state.p_tenant) AND (h.hold_settled_at IS NULL) AND (h.hold_expires_at > clock_timestamp()))) AS held,
             ( SELECT COALESCE(sum(g.grant_credits), (0)::numeric) AS "coalesce"
                    FROM public.credit_grant g
                   WHERE ((g.tenant_id = credit_state.p_tenant) AND (g.grant_state = 'active'::text))) AS alive
            FROM (( VALUES (1)) one(n)
              LEFT JOIN public.credit_balance b ON ((b.tenant_id = credit_state.p_tenant)))) s;
END;

ALTER FUNCTION public.credit_state(p_tenant uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.credit_take(p_tenant uuid, p_kind text, p_credits numeric, p_usage uuid, p_note text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  needed numeric := p_credits;
  part numeric;
  g record;
BEGIN
  FOR g IN SELECT grant_id, grant_remaining FROM credit_grant WHERE tenant_id = p_tenant AND grant_state = 'active' ORDER BY grant_priority, grant_expires_at NULLS LAST, grant_created, grant_id LOOP
    EXIT WHEN needed <= 0;
    part := least(needed, g.grant_remaining);
    UPDATE credit_grant SET grant_remaining = grant_remaining - part, grant_state = CASE WHEN grant_remaining = part THEN 'used_up' ELSE 'active' END WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
    PERFORM credit_note(p_tenant, p_kind, -part, g.grant_id, p_usage, p_note);
    needed := needed - part;
  END LOOP;
  IF needed > 0 THEN
    PERFORM credit_note(p_tenant, p_kind, -needed, NULL, p_usage, p_note);
  END IF;
END
$$;

ALTER FUNCTION public.credit_take(p_tenant uuid, p_kind text, p_credits numeric, p_usage uuid, p_note text) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb, p_by jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
    SELECT p_tenant, id, 'event', p_name, p_subject, id::text, p_payload, p_by -> 'actor', p_by ->> 'request', p_by ->> 'trace' FROM time_ordered_id() id
  $$;

ALTER FUNCTION public.credit_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_tick(p_by jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  g credit_grant;
BEGIN
  IF tenant IS NULL THEN RETURN; END IF;
  PERFORM credit_enter(tenant, p_by);
  FOR g IN
    UPDATE credit_grant SET grant_announced = true WHERE tenant_id = tenant AND grant_state = 'active' AND NOT grant_announced AND grant_expires_at <= clock_timestamp() + interval '7 days' RETURNING *
  LOOP
    PERFORM credit_tell(tenant, 'credits.expiring', g.grant_id, jsonb_build_object('grant_remaining', g.grant_remaining, 'grant_expires_at', g.grant_expires_at), p_by);
  END LOOP;
  PERFORM credit_watch(tenant, p_by);
  DELETE FROM credit_hold WHERE tenant_id = tenant AND hold_expires_at < clock_timestamp() - interval '1 day';
  DELETE FROM budget_counter WHERE tenant_id = tenant AND cnt_to < clock_timestamp() - interval '100 days';
END
$$;

ALTER FUNCTION public.credit_tick(p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credit_watch(p_tenant uuid, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  s record;
  b credit_balance;
  facts jsonb;
BEGIN
  SELECT * INTO s FROM credit_state(p_tenant);
  SELECT * INTO b FROM credit_balance WHERE tenant_id = p_tenant;
  IF b.credit_seq = 0 OR s.credit_low = b.credit_notified_low AND (s.credit_available <= 0) = b.credit_notified_exhausted THEN RETURN; END IF;
  UPDATE credit_balance SET credit_notified_low = s.credit_low, credit_notified_exhausted = s.credit_available <= 0 WHERE tenant_id = p_tenant;
  facts := jsonb_build_object('credit_available', s.credit_available, 'credit_balance', s.credit_balance, 'credit_low_percent', s.credit_low_percent);
  IF s.credit_low AND NOT b.credit_notified_low THEN PERFORM credit_tell(p_tenant, 'credits.low', NULL, facts, p_by); END IF;
  IF s.credit_available <= 0 AND NOT b.credit_notified_exhausted THEN PERFORM credit_tell(p_tenant, 'credits.exhausted', NULL, facts, p_by); END IF;
END
$$;

ALTER FUNCTION public.credit_watch(p_tenant uuid, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.credits_due(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT w.tenant_id FROM workspace w JOIN (
      SELECT g.tenant_id FROM credit_grant g WHERE g.grant_due <= clock_timestamp()
      UNION SELECT g.tenant_id FROM credit_grant g WHERE g.grant_state = 'active' AND NOT g.grant_announced AND g.grant_expires_at <= clock_timestamp() + interval '7 days'
      UNION SELECT h.tenant_id FROM credit_hold h WHERE h.hold_expires_at < clock_timestamp() - interval '1 day'
    ) due USING (tenant_id)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) ORDER BY w.tenant_id LIMIT p_limit
  $$;

ALTER FUNCTION public.credits_due(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.current_tenant() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid;

ALTER FUNCTION public.current_tenant() OWNER TO atrium_owner;

CREATE FUNCTION public.date_album_file() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.af_file_created := (SELECT f.file_created FROM file f WHERE f.tenant_id = NEW.tenant_id AND f.file_id = NEW.af_file);
  RETURN NEW;
END
$$;

ALTER FUNCTION public.date_album_file() OWNER TO atrium_owner;

CREATE FUNCTION public.demand_stamp(actual text, expected text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF actual IS DISTINCT FROM expected THEN
    RAISE EXCEPTION 'the access rules have changed' USING ERRCODE = 'AT001';
  END IF;
END
$$;

ALTER FUNCTION public.demand_stamp(actual text, expected text) OWNER TO atrium_owner;

CREATE FUNCTION public.dotless(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(translate(written, 'ıİI'::text, 'iii'::text), 'i̇'::text, 'i'::text);

ALTER FUNCTION public.dotless(written text) OWNER TO atrium_owner;

CREATE FUNCTION public.embedding_cache_evict(p_age_seconds double precision, p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  WITH old AS (
    SELECT c.tenant_id, c.emb_model, c.emb_hash FROM embedding_cache c WHERE c.emb_used < clock_timestamp() - make_interval(secs => p_age_seconds) ORDER BY c.emb_used LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM embedding_cache c USING old WHERE c.tenant_id = old.tenant_id AND c.emb_model = old.emb_model AND c.emb_hash = old.emb_hash RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

ALTER FUNCTION public.embedding_cache_evict(p_age_seconds double precision, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.end_import() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  DELETE FROM import_batch b WHERE b.tenant_id = NEW.tenant_id AND b.job_id = NEW.job_id;
  UPDATE form_number_range r SET range_until = '-infinity' WHERE r.tenant_id = NEW.tenant_id AND r.range_holder = NEW.job_id;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.end_import() OWNER TO atrium_owner;

CREATE FUNCTION public.end_object_import() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE object_import i SET imp_order = '{}' WHERE i.tenant_id = NEW.tenant_id AND i.job_id = NEW.job_id AND i.imp_order <> '{}';
  IF NEW.job_status IN ('failed', 'cancelled') THEN
    UPDATE background_job b SET job_result = jsonb_build_object('created', i.imp_created, 'updated', i.imp_updated, 'unchanged', i.imp_unchanged, 'failed', i.imp_failed, 'errors', (
      SELECT coalesce(jsonb_agg(jsonb_build_object('row', f.fault_row, 'column', f.fault_column, 'message', f.fault_message) ORDER BY f.fault_row, f.fault_place), '[]')
      FROM object_import_fault f WHERE f.tenant_id = i.tenant_id AND f.job_id = i.job_id))
    FROM object_import i WHERE i.tenant_id = NEW.tenant_id AND i.job_id = NEW.job_id AND b.tenant_id = NEW.tenant_id AND b.job_id = NEW.job_id;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.end_object_import() OWNER TO atrium_owner;

CREATE FUNCTION public.file_labs(colors jsonb) RETURNS double precision[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  labs double precision[] := '{}';
  color jsonb;
BEGIN
  IF colors IS NULL OR jsonb_typeof(colors) <> 'array' THEN
    RETURN NULL;
  END IF;
  FOR color IN SELECT jsonb_array_elements(colors) LOOP
    labs := labs || coalesce(color_lab(color ->> 'hex'), '{}');
  END LOOP;
  RETURN nullif(labs, '{}');
END
$$;

ALTER FUNCTION public.file_labs(colors jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.lab_cell(l double precision, a double precision, b double precision) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((((floor((l / (10)::double precision)) * (10000)::double precision) + (floor(((a + (200)::double precision) / (10)::double precision)) * (100)::double precision)) + floor(((b + (200)::double precision) / (10)::double precision))))::integer;

ALTER FUNCTION public.lab_cell(l double precision, a double precision, b double precision) OWNER TO atrium_owner;

CREATE FUNCTION public.file_color_cells(colors jsonb) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg(DISTINCT public.lab_cell(x.labs[((3 * i.i) - 2)], x.labs[((3 * i.i) - 1)], x.labs[(3 * i.i)])) AS array_agg
    FROM ( SELECT public.file_labs(file_color_cells.colors) AS labs) x,
     LATERAL generate_series(1, (cardinality(x.labs) / 3)) i(i);
END;

ALTER FUNCTION public.file_color_cells(colors jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.file_counts(p_ids uuid[]) RETURNS TABLE(ws_id uuid, files bigint, bytes numeric)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT f.tenant_id, count(*), coalesce(sum(f.file_size), 0) FROM file f WHERE f.tenant_id = ANY (p_ids) GROUP BY f.tenant_id $$;

ALTER FUNCTION public.file_counts(p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.file_embedded_words(metadata jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((SELECT string_agg((v.v #>> '{}'::text[]), ' '::text) AS string_agg FROM jsonb_path_query((file_embedded_words.metadata #> '{system,embedded}'::text[]), '$.*?(@.type() == "string")'::jsonpath) v(v)), ''::text);

ALTER FUNCTION public.file_embedded_words(metadata jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.file_family(type text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (type ~~ 'image/%'::text) THEN 'image'::text WHEN ((type ~~ 'video/%'::text) OR (type = ANY (ARRAY['application/mxf'::text, 'application/vnd.rn-realmedia'::text]))) THEN 'video'::text WHEN ((type ~~ 'audio/%'::text) OR (type = 'application/ogg'::text)) THEN 'audio'::text WHEN ((type ~~ 'font/%'::text) OR (type = 'application/vnd.ms-fontobject'::text)) THEN 'font'::text WHEN (type = ANY (ARRAY['application/zip'::text, 'application/gzip'::text, 'application/zstd'::text, 'application/java-archive'::text, 'application/vnd.ms-cab-compressed'::text, 'application/x-7z-compressed'::text, 'application/x-ace-compressed'::text, 'application/x-apple-diskimage'::text, 'application/x-arj'::text, 'application/x-bzip2'::text, 'application/x-compress'::text, 'application/x-cpio'::text, 'application/x-deb'::text, 'application/x-lz4'::text, 'application/x-lzh-compressed'::text, 'application/x-lzip'::text, 'application/x-rar-compressed'::text, 'application/x-rpm'::text, 'application/x-tar'::text, 'application/x-unix-archive'::text, 'application/x-xz'::text, 'application/vnd.android.package-archive'::text])) THEN 'archive'::text WHEN ((type = ANY (ARRAY['application/pdf'::text, 'application/rtf'::text, 'application/msword'::text, 'application/epub+zip'::text, 'application/postscript'::text, 'application/eps'::text, 'application/json'::text, 'application/xml'::text, 'application/yaml'::text, 'application/x-indesign'::text, 'application/x-mobipocket-ebook'::text, 'application/vnd.ms-excel'::text, 'application/vnd.ms-powerpoint'::text, 'application/vnd.ms-outlook'::text, 'application/vnd.visio'::text, 'message/rfc822'::text])) OR (type ~ '^(text/|application/vnd\.(openxmlformats-officedocument\.|oasis\.opendocument\.|ms-(word|excel|powerpoint)\.))'::text)) THEN 'document'::text ELSE 'other'::text END;

ALTER FUNCTION public.file_family(type text) OWNER TO atrium_owner;

CREATE FUNCTION public.file_instant(written text) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
  IF written !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$' THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN length(written) = 10 THEN written || 'T00:00:00Z' ELSE written END::timestamptz;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$_$;

ALTER FUNCTION public.file_instant(written text) OWNER TO atrium_owner;

CREATE FUNCTION public.file_number(written jsonb) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((jsonb_typeof(written) = 'number'::text) AND (abs((written)::numeric) < '1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)) THEN (written)::double precision ELSE NULL::double precision END;

ALTER FUNCTION public.file_number(written jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.file_says(metadata jsonb, field text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE jsonb_typeof((metadata #> ARRAY['system'::text, 'embedded'::text, field])) WHEN 'array'::text THEN ARRAY(SELECT lower(v.value) AS lower FROM jsonb_array_elements_text((file_says.metadata #> ARRAY['system'::text, 'embedded'::text, file_says.field])) v(value)) WHEN 'string'::text THEN ARRAY[lower((metadata #>> ARRAY['system'::text, 'embedded'::text, field]))] ELSE NULL::text[] END;

ALTER FUNCTION public.file_says(metadata jsonb, field text) OWNER TO atrium_owner;

CREATE FUNCTION public.file_tallies_roll(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  days integer;
  words integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('file_tallies_roll')) THEN RETURN 0; END IF;
  WITH batch AS (
    DELETE FROM file_day_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM file_day_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), added AS (
    INSERT INTO file_day AS d (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, fd_repo, fd_day, fd_quarantined, sum(fd_files) FROM batch GROUP BY 1, 2, 3, 4 HAVING sum(fd_files) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, fd_repo, fd_day, fd_quarantined) DO UPDATE SET fd_files = d.fd_files + excluded.fd_files
  )
  SELECT count(*) INTO days FROM batch;
  WITH batch AS (
    DELETE FROM file_word_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM file_word_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), added AS (
    INSERT INTO file_word AS w (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, fw_repo, fw_word, sum(fw_files) FROM batch GROUP BY 1, 2, 3 HAVING sum(fw_files) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, fw_repo, fw_word) DO UPDATE SET fw_files = w.fw_files + excluded.fw_files
  )
  SELECT count(*) INTO words FROM batch;
  DELETE FROM file_day WHERE fd_files = 0;
  DELETE FROM file_word WHERE fw_files = 0;
  RETURN greatest(days, words);
END
$$;

ALTER FUNCTION public.file_tallies_roll(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.files_analysed_as(p_schema text, p_wanted jsonb) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT a.fa_file FROM file_analysis a WHERE a.tenant_id = current_tenant() AND a.fa_schema = p_schema::uuid AND a.fa_live AND a.fa_result @> p_wanted $$;

ALTER FUNCTION public.files_analysed_as(p_schema text, p_wanted jsonb) OWNER TO atrium_search;

CREATE FUNCTION public.files_colored(wanted double precision[], tolerance double precision, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT file_id FROM file
  WHERE tenant_id = current_tenant() AND file_deleted IS NULL AND file_color_cells IS NOT NULL
    AND file_color_cells && (SELECT array_agg(((l * 100 + a) * 100 + b)::integer)
      FROM generate_series(floor((wanted[1] - tolerance) / 10)::integer, floor((wanted[1] + tolerance) / 10)::integer) l,
           generate_series(floor((wanted[2] + 200 - tolerance) / 10)::integer, floor((wanted[2] + 200 + tolerance) / 10)::integer) a,
           generate_series(floor((wanted[3] + 200 - tolerance) / 10)::integer, floor((wanted[3] + 200 + tolerance) / 10)::integer) b)
    AND labs_near(file_labs, wanted, tolerance)
  LIMIT most
$$;

ALTER FUNCTION public.files_colored(wanted double precision[], tolerance double precision, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.files_due(most integer) RETURNS TABLE(kind text, tenant_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND d.status IN ('failed', 'cancelled') AND d.archive_key IS NOT NULL
     AND coalesce(d.job_finished, d.job_created) < now() - interval '1 hour' ORDER BY d.job_created LIMIT most)
$$;

ALTER FUNCTION public.files_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) RETURNS TABLE(file_id uuid, name text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
  IF from_name IS NOT NULL THEN
    RETURN QUERY
      SELECT x.file_id, x.name
      FROM (SELECT f.file_id, dotless(lower(f.file_name)) AS name FROM file f
            WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND dotless(lower(f.file_name)) COLLATE "C" >= dotless(from_name)
            ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT 3000) x
      WHERE x.name LIKE ALL (SELECT '%' || dotless(w) || '%' FROM unnest(words) w) AND x.name NOT LIKE besides LIMIT most;
    RETURN;
  END IF;
  -- A condition for each word, what is rare first: the index asks for the next one where those before it hold.
  RETURN QUERY EXECUTE format(
    'SELECT f.file_id, dotless(lower(f.file_name)) FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = $1 AND f.file_deleted IS NULL AND %s AND dotless(lower(f.file_name)) NOT LIKE $2 LIMIT $3',
    (SELECT string_agg(format('dotless(lower(f.file_name)) LIKE %L', '%' || dotless(w) || '%'), ' AND ') FROM unnest(words) w))
    USING repo, besides, most;
END
$_$;

ALTER FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) OWNER TO atrium_owner;

CREATE FUNCTION public.files_like(what text, pattern text, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  (SELECT file_id FROM file WHERE what = 'name' AND tenant_id = current_tenant() AND file_deleted IS NULL AND dotless(lower(file_name)) LIKE dotless(pattern) LIMIT most)
  UNION ALL
  (SELECT file_id FROM file WHERE what = 'summary' AND tenant_id = current_tenant() AND file_deleted IS NULL AND file_summary IS NOT NULL AND dotless(lower(file_summary)) LIKE dotless(pattern) LIMIT most)
$$;

ALTER FUNCTION public.files_like(what text, pattern text, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.files_named_like(needle text, repo text, most integer) RETURNS TABLE(file_id uuid, rank real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET work_mem TO '16MB'
    AS $$
#variable_conflict use_column
DECLARE
  small CONSTANT text := dotless(lower(needle));
  held CONSTANT text := '%' || replace(replace(replace(small, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  -- Without three letters or digits in a row it has no part that the index knows: the names are read along their own.
  parted CONSTANT boolean := small ~ '[[:alnum:]]{3}';
  begun uuid[];
  holding uuid[];
BEGIN
  begun := ARRAY(
    SELECT f.file_id FROM file f
    WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND dotless(lower(f.file_name)) COLLATE "C" >= small AND dotless(lower(f.file_name)) COLLATE "C" < small || chr(1114111)
    ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT most);
  RETURN QUERY SELECT one, 3::real FROM unnest(begun) one;
  most := most - cardinality(begun);
  IF most <= 0 THEN
    RETURN;
  END IF;

  holding := ARRAY(
    SELECT x.file_id
    FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
          ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT CASE WHEN parted THEN 5000 END) x
    WHERE dotless(lower(x.file_name)) LIKE held AND NOT starts_with(dotless(lower(x.file_name)), small) LIMIT most);
  IF parted AND cardinality(holding) < most THEN
    holding := ARRAY(
      SELECT x.file_id
      FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
            AND dotless(lower(f.file_name)) LIKE held AND NOT starts_with(dotless(lower(f.file_name)), small) LIMIT 10000) x
      ORDER BY dotless(lower(x.file_name)) COLLATE "C", x.file_id LIMIT most);
  END IF;
  RETURN QUERY SELECT one, 2::real FROM unnest(holding) one;
  most := most - cardinality(holding);
  IF most <= 0 THEN
    RETURN;
  END IF;

  RETURN QUERY SELECT s.file_id, s.likeness FROM files_spelt_like(lower(needle), held, repo, most) s;
END
$$;

ALTER FUNCTION public.files_named_like(needle text, repo text, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.files_saying(field text, pattern text, held text, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT f.file_id
  FROM file_search_text s JOIN file f ON f.tenant_id = s.tenant_id AND f.file_id = s.file_id
  WHERE s.tenant_id = current_tenant() AND s.fst_embedded <> '' AND dotless(lower(s.fst_embedded)) LIKE dotless(held) AND f.file_deleted IS NULL
    AND EXISTS (SELECT FROM unnest(file_says(f.file_metadata, field)) v WHERE dotless(v) LIKE dotless(pattern))
  LIMIT most
$$;

ALTER FUNCTION public.files_saying(field text, pattern text, held text, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) RETURNS TABLE(file_id uuid, likeness real)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
#variable_conflict use_column
DECLARE
  common CONSTANT integer := 10000;
  gathered CONSTANT integer := 1000;
  like_as_a_whole CONSTANT real := 0.3;
  parts CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:alpha:]]{3,}', 'g') m LIMIT 6);
  numbers CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:digit:]]{3,}', 'g') m ORDER BY length(m[1]) DESC LIMIT 4);
  part text;
  near text[];
  near_alike real[];
  near_files bigint[];
  -- Ways to spell the words of the text, likeliest first: the words (the rarest leads), how like they are, and how many names hold the rarest.
  ways text[] := '{""}';
  alike real[] := '{0}';
  rarest bigint[] := '{9223372036854775807}';
  lone text[] := '{}';
  lone_files bigint[] := '{}';
  words text[];
  -- Where names are read along from; null: by their parts.
  along text[];
  start text;
  found uuid[] := '{}';
  names text[] := '{}';
BEGIN
  FOREACH part IN ARRAY parts LOOP
    SELECT array_agg(w.word), array_agg(w.likeness), array_agg(w.files) INTO near, near_alike, near_files FROM words_like(part, repo, 4) w;
    CONTINUE WHEN near IS NULL;
    lone := lone || near[1];
    lone_files := lone_files || near_files[1];
    SELECT array_agg(t.way), array_agg(t.score), array_agg(t.files) INTO ways, alike, rarest
    FROM (SELECT CASE WHEN s.files < w.files THEN s.word || ' ' || w.way ELSE w.way || ' ' || s.word END AS way, w.score + s.likeness AS score, least(w.files, s.files) AS files
          FROM unnest(ways, alike, rarest) AS w (way, score, files) CROSS JOIN unnest(near, near_alike, near_files) AS s (word, likeness, files)
          ORDER BY score DESC, files DESC, way LIMIT 6) t;
  END LOOP;
  IF cardinality(lone) * 2 < cardinality(parts) OR cardinality(lone) = 0 THEN
    RETURN;
  END IF;
  FOR step IN CASE WHEN cardinality(numbers) > 0 THEN 1 ELSE 2 END .. CASE WHEN cardinality(lone) > 1 THEN 3 ELSE 2 END LOOP
    EXIT WHEN step = 3 AND cardinality(found) > 0;
    IF step = 3 THEN
      ways := lone;
      rarest := lone_files;
    END IF;
    FOR i IN 1 .. cardinality(ways) LOOP
      words := string_to_array(btrim(ways[i]), ' ');
      IF step = 1 THEN
        words := CASE WHEN rarest[i] > common THEN numbers || words ELSE words || numbers END;
      END IF;
      -- A number of four digits, such as a year, may be as common as a word.
      along := CASE WHEN rarest[i] > common AND i <= 2 AND (step > 1 OR (SELECT max(length(n)) FROM unnest(numbers) n) < 5) THEN ARRAY[words[cardinality(words)], ''] ELSE '{}' END;
      IF rarest[i] <= common OR step = 1 THEN
        along := along || NULL::text;
      END IF;
      FOREACH start IN ARRAY along LOOP
        EXIT WHEN cardinality(found) >= most;
        SELECT found || array_agg(h.file_id), names || array_agg(h.name) INTO found, names FROM files_holding(words, repo, besides, start, gathered) h WHERE h.file_id <> ALL (found);
      END LOOP;
    END LOOP;
    IF step = 3 THEN
      SELECT coalesce(array_agg(f.id), '{}'), coalesce(array_agg(f.name), '{}') INTO found, names FROM unnest(found, names) AS f (id, name) WHERE similarity(f.name, dotless(small)) >= like_as_a_whole;
    END IF;
  END LOOP;
  RETURN QUERY
    SELECT x.id, x.likeness
    FROM (SELECT f.id, f.name, similarity(f.name, dotless(small)) AS likeness FROM unnest(found, names) AS f (id, name)) x
    ORDER BY x.likeness DESC, x.name, x.id LIMIT most;
END
$$;

ALTER FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) OWNER TO atrium_owner;

CREATE FUNCTION public.files_with_metadata(fragment jsonb, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT file_id FROM file WHERE tenant_id = current_tenant() AND file_deleted IS NULL AND (file_metadata - 'system') @> fragment LIMIT most $$;

ALTER FUNCTION public.files_with_metadata(fragment jsonb, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.files_with_words(needle text, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT file_id FROM file_search_text WHERE tenant_id = current_tenant() AND fst_words @@ websearch_to_tsquery('simple', dotless(needle)) LIMIT most $$;

ALTER FUNCTION public.files_with_words(needle text, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.fold_term_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.term_words := folded(NEW.term_words);
  RETURN NEW;
END
$$;

ALTER FUNCTION public.fold_term_words() OWNER TO atrium_owner;

CREATE FUNCTION public.folded(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(written) = char_length(written)) THEN (lower((written COLLATE "C")) COLLATE "default") WHEN (char_length(written) > 4000) THEN (translate(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower((written COLLATE "und-x-icu")), 'ß'::text, 'ss'::text), 'ŉ'::text, 'ʼn'::text), 'և'::text, 'եւ'::text), 'ẚ'::text, 'aʾ'::text), 'ﬀ'::text, 'ff'::text), 'ﬁ'::text, 'fi'::text), 'ﬂ'::text, 'fl'::text), 'ﬃ'::text, 'ffi'::text), 'ﬄ'::text, 'ffl'::text), 'ﬅ'::text, 'st'::text), 'ﬆ'::text, 'st'::text), 'ﬓ'::text, 'մն'::text), 'ﬔ'::text, 'մե'::text), 'ﬕ'::text, 'մի'::text), 'ﬖ'::text, 'վն'::text), 'ﬗ'::text, 'մխ'::text), 'µſͅςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈι'::text, 'μsισβθφπκρεвдосттъѣꙋι'::text) COLLATE "default") ELSE (NORMALIZE(translate(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower((NORMALIZE(written, NFD) COLLATE "und-x-icu")), 'ß'::text, 'ss'::text), 'ŉ'::text, 'ʼn'::text), 'և'::text, 'եւ'::text), 'ẚ'::text, 'aʾ'::text), 'ﬀ'::text, 'ff'::text), 'ﬁ'::text, 'fi'::text), 'ﬂ'::text, 'fl'::text), 'ﬃ'::text, 'ffi'::text), 'ﬄ'::text, 'ffl'::text), 'ﬅ'::text, 'st'::text), 'ﬆ'::text, 'st'::text), 'ﬓ'::text, 'մն'::text), 'ﬔ'::text, 'մե'::text), 'ﬕ'::text, 'մի'::text), 'ﬖ'::text, 'վն'::text), 'ﬗ'::text, 'մխ'::text), 'µſͅςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈι'::text, 'μsισβθφπκρεвдосттъѣꙋι'::text), NFC) COLLATE "default") END;

ALTER FUNCTION public.folded(written text) OWNER TO atrium_owner;

CREATE FUNCTION public.form_next_unfolded(after_tenant uuid, after_form uuid, OUT tenant_id uuid, OUT form_id uuid) RETURNS SETOF record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  (SELECT v.tenant_id, v.form_id FROM form_value v
    WHERE NOT v.value_folded AND v.value_text IS NOT NULL AND (after_tenant IS NULL OR (v.tenant_id, v.form_id) > (after_tenant, after_form))
      AND EXISTS (SELECT FROM workspace w WHERE w.tenant_id = v.tenant_id AND w.ws_status = 'active')
    ORDER BY v.tenant_id, v.form_id LIMIT 1)
  UNION ALL
  (SELECT u.tenant_id, u.form_id FROM form_unique u
    WHERE NOT u.value_folded AND (after_tenant IS NULL OR (u.tenant_id, u.form_id) > (after_tenant, after_form))
      AND EXISTS (SELECT FROM workspace w WHERE w.tenant_id = u.tenant_id AND w.ws_status = 'active')
    ORDER BY u.tenant_id, u.form_id LIMIT 1)
  ORDER BY 1, 2 LIMIT 1
$$;

ALTER FUNCTION public.form_next_unfolded(after_tenant uuid, after_form uuid, OUT tenant_id uuid, OUT form_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((((2)::numeric * 6371.0088))::double precision * asin(sqrt(LEAST((1.0)::double precision, ((sin((radians((lat2 - lat1)) / (2)::double precision)) ^ (2)::double precision) + ((cos(radians(lat1)) * cos(radians(lat2))) * (sin((radians((lng2 - lng1)) / (2)::double precision)) ^ (2)::double precision)))))));

ALTER FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) OWNER TO atrium_owner;

CREATE FUNCTION public.group_file_tag() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.ft_group := (SELECT t.mt_group FROM media_tag t WHERE t.tenant_id = NEW.tenant_id AND t.mt_id = NEW.ft_tag);
  RETURN NEW;
END
$$;

ALTER FUNCTION public.group_file_tag() OWNER TO atrium_owner;

CREATE FUNCTION public.hash_of_look(metadata jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((metadata #>> '{system,phash}'::text[]) ~ '^[0-9a-f]{16}$'::text) THEN ((('x'::text || (metadata #>> '{system,phash}'::text[])))::bit(64))::bigint ELSE NULL::bigint END;

ALTER FUNCTION public.hash_of_look(metadata jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.idempotency_prune(p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  WITH gone AS (
    DELETE FROM idempotency_key k
    USING (SELECT tenant_id, user_id, idem_route, idem_key FROM idempotency_key WHERE idem_created < clock_timestamp() - interval '24 hours' ORDER BY idem_created LIMIT p_limit FOR UPDATE SKIP LOCKED) old
    WHERE k.tenant_id = old.tenant_id AND k.user_id = old.user_id AND k.idem_route = old.idem_route AND k.idem_key = old.idem_key RETURNING 1)
  SELECT count(*) FROM gone
$$;

ALTER FUNCTION public.idempotency_prune(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.issuers_due(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, iss_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT i.tenant_id, i.iss_id FROM issuer i JOIN workspace w USING (tenant_id)
  WHERE i.iss_active AND w.ws_status = 'active' AND (p_after IS NULL OR i.iss_id > p_after) ORDER BY i.iss_id LIMIT p_limit
$$;

ALTER FUNCTION public.issuers_due(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.keep_agent_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.agent_tsv := to_tsvector('simple', dotless(NEW.agent_name || ' ' || coalesce(NEW.agent_description, '')));
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_agent_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_album_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.album_fts := to_tsvector('simple', dotless(NEW.album_name || ' ' || coalesce(NEW.album_description, '')));
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_album_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_file_search_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.fst_words := to_tsvector('simple', dotless(NEW.fst_name || ' ' || translate(NEW.fst_name, '_-.,;:/\()[]{}+&#@!~=''"', '                       ') || ' ' || NEW.fst_summary || ' ' || left(NEW.fst_embedded, 20000)
    || ' ' || left(NEW.fst_tags, 10000) || ' ' || left(NEW.fst_analysis, 20000) || ' ' || left(NEW.fst_content, 60000)));
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_file_search_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_file_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO file_search_text (tenant_id, file_id, fst_name, fst_summary, fst_embedded) VALUES (NEW.tenant_id, NEW.file_id, NEW.file_name, coalesce(NEW.file_summary, ''), file_embedded_words(NEW.file_metadata))
    ON CONFLICT (tenant_id, file_id) DO UPDATE SET fst_name = excluded.fst_name, fst_summary = excluded.fst_summary, fst_embedded = excluded.fst_embedded;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.keep_file_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_knowledge_record_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  words CONSTANT text := NEW.rec_tsv::text;
BEGIN
  IF words <> dotless(words) THEN
    NEW.rec_tsv := dotless(words)::tsvector;
  END IF;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_knowledge_record_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_message_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.msg_tsv := CASE WHEN NEW.msg_status IN ('queued', 'generating', 'waiting') THEN '' ELSE to_tsvector('simple', dotless(left(NEW.msg_text, 100000))) END;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_message_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_object_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  words CONSTANT text := NEW.obj_tsv::text;
BEGIN
  IF words <> dotless(words) THEN
    NEW.obj_tsv := dotless(words)::tsvector;
  END IF;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_object_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE idempotency_key SET idem_status = p_status, idem_headers = p_headers, idem_body = p_body
  WHERE tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid AND user_id = p_user AND idem_route = p_route AND idem_key = p_key AND idem_claim = p_claim;
  IF NOT FOUND THEN RAISE EXCEPTION 'the claim on the idempotency key has lapsed' USING ERRCODE = 'AT002'; END IF;
END
$$;

ALTER FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.keep_phash_bands() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  hash bigint := CASE WHEN NEW.file_deleted IS NULL AND NEW.file_kind = 'image' THEN hash_of_look(NEW.file_metadata) END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM file_phash_band WHERE tenant_id = NEW.tenant_id AND file_id = NEW.file_id;
  END IF;
  IF hash IS NOT NULL THEN
    INSERT INTO file_phash_band (tenant_id, fpb_band, file_id, fpb_hash) SELECT NEW.tenant_id, b, NEW.file_id, hash FROM phash_bands(hash) AS b;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.keep_phash_bands() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_prompt_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.prompt_tsv := to_tsvector('simple', dotless(NEW.prompt_name || ' ' || coalesce(NEW.prompt_description, '') || ' ' || NEW.prompt_text));
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_prompt_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_source_removals() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO object_source_removal (tenant_id, osr_id, external_id)
  SELECT tenant_id, obj_source, obj_external_id FROM purged
  WHERE obj_source IS NOT NULL AND obj_external_id IS NOT NULL AND NOT obj_active AND NOT obj_dropped
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

ALTER FUNCTION public.keep_source_removals() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_tag_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM media_tag_word WHERE tenant_id = NEW.tenant_id AND mtw_group = OLD.mt_group AND mtw_tag = NEW.mt_id;
  END IF;
  INSERT INTO media_tag_word (tenant_id, mtw_group, mtw_word, mtw_tag, mtw_synonym)
    SELECT NEW.tenant_id, NEW.mt_group, word, NEW.mt_id, bool_and(synonym)
    FROM (SELECT folded(NEW.mt_value) AS word, false AS synonym UNION ALL SELECT folded(s), true FROM unnest(NEW.mt_synonyms) s) w GROUP BY word;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.keep_tag_words() OWNER TO atrium_owner;

CREATE FUNCTION public.keep_thread_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.thread_tsv := to_tsvector('simple', dotless(coalesce(NEW.thread_title, '')));
  RETURN NEW;
END
$$;

ALTER FUNCTION public.keep_thread_words() OWNER TO atrium_owner;

CREATE FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  FOR i IN 1..coalesce(cardinality(labs), 0) / 3 LOOP
    IF (labs[3 * i - 2] - wanted[1]) ^ 2 + (labs[3 * i - 1] - wanted[2]) ^ 2 + (labs[3 * i] - wanted[3]) ^ 2 <= tolerance * tolerance THEN
      RETURN true;
    END IF;
  END LOOP;
  RETURN false;
END
$$;

ALTER FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) OWNER TO atrium_owner;

CREATE FUNCTION public.link_restrictions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.pub_restrictions = OLD.pub_restrictions AND (NEW.pub_state = 'revoked') = (OLD.pub_state = 'revoked') THEN
    RETURN NULL;
  END IF;
  DELETE FROM publication_restriction l
    WHERE l.tenant_id = NEW.tenant_id AND l.pr_publication = NEW.pub_id AND (NEW.pub_state = 'revoked' OR l.pr_restriction <> ALL (NEW.pub_restrictions));
  IF NEW.pub_state <> 'revoked' THEN
    INSERT INTO publication_restriction (tenant_id, pr_restriction, pr_publication)
      SELECT NEW.tenant_id, named, NEW.pub_id FROM unnest(NEW.pub_restrictions) named ORDER BY named ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.link_restrictions() OWNER TO atrium_owner;

CREATE FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN ((((p_local AT TIME ZONE p_zone) AT TIME ZONE p_zone) = p_local) AND ((((p_local AT TIME ZONE p_zone) - '03:00:00'::interval) AT TIME ZONE p_zone) = (p_local - '03:00:00'::interval))) THEN (p_local AT TIME ZONE p_zone) ELSE (SELECT min(around.at) AS min FROM (SELECT ((local_start.p_local AT TIME ZONE local_start.p_zone) + ((step.step)::double precision * '00:15:00'::interval)) AS at FROM generate_series('-12'::integer, 12) step(step)) around WHERE ((around.at AT TIME ZONE local_start.p_zone) >= local_start.p_local)) END;

ALTER FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) OWNER TO atrium_owner;

CREATE FUNCTION public.look_bits(view text, band integer, beside boolean) RETURNS SETOF integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT (((('x'::text || substr(look_bits.view, ((look_bits.band * 6) + 1), 6)))::bit(24))::integer # m.mask)
    FROM ( SELECT 0 AS mask
         UNION ALL
          SELECT (1 << n.n)
            FROM generate_series(0, 23) n(n)
           WHERE look_bits.beside) m;
END;

ALTER FUNCTION public.look_bits(view text, band integer, beside boolean) OWNER TO atrium_owner;

CREATE FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (((hashtext((tenant)::text))::bigint << 28) | (((((is_part)::integer << 27) | (band << 24)) | bits))::bigint);

ALTER FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) OWNER TO atrium_owner;

CREATE FUNCTION public.look_keys(tenant uuid, views text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT array_agg(public.look_key(look_keys.tenant, (n.n > 0), band.band, bits.bits)) AS array_agg FROM generate_series(0, ((length(look_keys.views) / 32) - 1)) n(n), generate_series(0, 4) band(band), LATERAL public.look_bits(substr(look_keys.views, ((n.n * 32) + 1), 32), band.band, (n.n = 0)) bits(bits));

ALTER FUNCTION public.look_keys(tenant uuid, views text) OWNER TO atrium_owner;

CREATE FUNCTION public.lost_work(most integer) RETURNS TABLE(work text, tenant_id uuid, job_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  (SELECT 'background_job', j.tenant_id, j.job_id FROM background_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_id = j.job_id AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'knowledge_job', j.tenant_id, j.job_id FROM knowledge_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'knowledge.' || j.job_kind AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'download_job', j.tenant_id, j.job_id FROM download_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'files.zip' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_created LIMIT most)
  UNION ALL
  (SELECT 'file_job', j.tenant_id, j.job_id FROM file_job j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'files.bulk' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.job_updated LIMIT most)
  UNION ALL
  (SELECT 'object_sync_run', j.tenant_id, j.job_id FROM object_sync_run j JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = j.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'objects.sync' AND o.ev_key = j.job_id::text AND o.ev_done IS NULL)
   ORDER BY j.queued LIMIT most)
  UNION ALL
  (SELECT 'form_migration', m.tenant_id, m.mig_form FROM form_migration m JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = m.tenant_id AND o.ev_kind = 'job' AND o.ev_name IN ('forms.migrate', 'forms.adopt') AND o.ev_key = m.mig_form::text AND o.ev_done IS NULL)
   ORDER BY m.mig_updated LIMIT most)
$$;

ALTER FUNCTION public.lost_work(most integer) OWNER TO atrium_definer;

CREATE PROCEDURE public.make_definer(IN f regprocedure, IN owner name DEFAULT 'atrium_definer'::name)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %s OWNER TO %I', f, owner);
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO atrium_app', f);
END
$$;

ALTER PROCEDURE public.make_definer(IN f regprocedure, IN owner name) OWNER TO atrium_owner;

CREATE PROCEDURE public.make_inner(IN f regprocedure)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %s OWNER TO atrium_definer', f);
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
END
$$;

ALTER PROCEDURE public.make_inner(IN f regprocedure) OWNER TO atrium_owner;

CREATE FUNCTION public.make_month(p_parent regclass, p_key name, p_month timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '5s'
    AS $$
DECLARE
  month timestamptz := date_trunc('month', p_month);
  part text := p_parent::text || '_' || to_char(month, 'YYYY_MM');
  columns text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_month'));
  IF to_regclass(part) IS NOT NULL THEN
    RETURN false;
  END IF;
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute WHERE attrelid = p_parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', p_parent::text || '_default');
  EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)', part, p_parent);
  EXECUTE format(
    'WITH early AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I (%s) SELECT %s FROM early',
    p_parent::text || '_default', p_key, month, p_key, month + interval '1 month', part, columns, columns);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p_parent, part, month, month + interval '1 month');
  EXECUTE format('ALTER TABLE %I OWNER TO atrium_definer', part);
  RETURN true;
END
$$;

ALTER FUNCTION public.make_month(p_parent regclass, p_key name, p_month timestamp with time zone) OWNER TO atrium_definer;

CREATE PROCEDURE public.make_searchable(IN target regclass)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  EXECUTE format('CREATE POLICY search ON %s FOR SELECT TO atrium_search USING (true)', target);
  EXECUTE format('GRANT SELECT ON %s TO atrium_search', target);
END
$$;

ALTER PROCEDURE public.make_searchable(IN target regclass) OWNER TO atrium_owner;

CREATE PROCEDURE public.make_tenant_table(IN target regclass, IN grants text DEFAULT 'SELECT, INSERT, UPDATE, DELETE'::text)
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
     WITH CHECK (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', target);
  EXECUTE format('CREATE POLICY definer ON %s TO atrium_definer USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT %s ON %s TO atrium_app', grants, target);
  EXECUTE format('GRANT SELECT, DELETE ON %s TO atrium_definer', target);
END
$$;

ALTER PROCEDURE public.make_tenant_table(IN target regclass, IN grants text) OWNER TO atrium_owner;

CREATE FUNCTION public.media_tags_matching(needle text, with_synonyms boolean) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT DISTINCT mtw_tag FROM media_tag_word
  WHERE tenant_id = current_tenant() AND dotless(mtw_word) LIKE '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
    AND (with_synonyms OR NOT mtw_synonym)
$$;

ALTER FUNCTION public.media_tags_matching(needle text, with_synonyms boolean) OWNER TO atrium_search;

CREATE FUNCTION public.membership_mfa() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.user_mfa := NEW.user_status <> 'invited' AND EXISTS (SELECT FROM account WHERE acc_id = NEW.user_id AND acc_totp IS NOT NULL);
  RETURN NEW;
END
$$;

ALTER FUNCTION public.membership_mfa() OWNER TO atrium_definer;

CREATE FUNCTION public.name_pattern(p_name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT ((((((('((?<![[:alnum:]])|(?<=\\[bfnrt])|(?<=%[0-9A-Fa-f]{2}))('::text || string_agg(w.word, gap.gap ORDER BY w.place)) || '|'::text) || (array_agg(w.word ORDER BY w.place DESC))[1]) || ','::text) || gap.gap) || string_agg(w.word, gap.gap ORDER BY w.place) FILTER (WHERE (NOT w.is_last))) || ')(?![[:alnum:]])'::text) FROM ((SELECT replace(regexp_replace(s.part, '([][\\.^$*+?(){}|-])'::text, '\\\1'::text, 'g'::text), '"'::text, '\\?"'::text) AS word, s.place, (s.place = max(s.place) OVER ()) AS is_last FROM regexp_split_to_table(btrim(name_pattern.p_name), '\s+'::text) WITH ORDINALITY s(part, place)) w CROSS JOIN (VALUES ('(\s|[_+-]|%20|\\[nrt])+'::text)) gap(gap)) WHERE (length(regexp_replace(name_pattern.p_name, '\s'::text, ''::text, 'g'::text)) >= 5) GROUP BY gap.gap HAVING (count(*) >= 2));

ALTER FUNCTION public.name_pattern(p_name text) OWNER TO atrium_owner;

CREATE FUNCTION public.name_words(name text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE STRICT ROWS 3 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT DISTINCT "left"(m.m[1], 64) AS "left"
    FROM regexp_matches(lower(name_words.name), '[[:alpha:]]{3,}'::text, 'g'::text) m(m);
END;

ALTER FUNCTION public.name_words(name text) OWNER TO atrium_owner;

CREATE FUNCTION public.object_sources_due(most integer) RETURNS TABLE(tenant_id uuid, osr_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT s.tenant_id, s.osr_id FROM object_source s JOIN workspace w USING (tenant_id) JOIN licence l ON l.tenant_id = s.tenant_id AND l.lic_module = 'module-objects'
  WHERE s.osr_next <= now() AND w.ws_status = 'active' AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now())
  ORDER BY s.osr_next LIMIT most
$$;

ALTER FUNCTION public.object_sources_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.operator_called(p_call jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ INSERT INTO operator_call SELECT * FROM jsonb_populate_record(NULL::operator_call, p_call) $$;

ALTER FUNCTION public.operator_called(p_call jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision) RETURNS TABLE(tenant_id uuid, ev_id uuid, ev_kind text, ev_name text, ev_key text, ev_version integer, ev_payload jsonb, ev_actor jsonb, ev_request text, ev_trace text, ev_tracked boolean, ev_flow text, ev_bulk boolean, ev_created timestamp with time zone, ev_place integer)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT a.tenant_id, a.ev_id, a.ev_kind, a.ev_name, a.ev_key, a.ev_version, a.ev_payload, a.ev_actor, a.ev_request, a.ev_trace, a.ev_tracked, a.ev_flow, a.ev_bulk,
         a.ev_created, a.ev_place
  FROM outbox_admit(p_queues, p_rooms, array_fill(10000, ARRAY[cardinality(p_queues)]), p_lease_seconds) a
$$;

ALTER FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_shares integer[], p_lease_seconds double precision) RETURNS TABLE(tenant_id uuid, ev_id uuid, ev_kind text, ev_name text, ev_key text, ev_version integer, ev_payload jsonb, ev_actor jsonb, ev_request text, ev_trace text, ev_tracked boolean, ev_flow text, ev_bulk boolean, ev_created timestamp with time zone, ev_place integer, ev_attempts integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
#variable_conflict use_column
DECLARE
  turn CONSTANT bigint := floor(extract(epoch FROM clock_timestamp()) * 1000000);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('outbox_admit', 0));
  RETURN QUERY
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT q.queue, q.room, q.share FROM unnest(p_queues, p_rooms, p_shares) q (queue, room, share)
  ), flows AS (
    -- A step of the index a flow: thousands of rows of one are not read.
    SELECT a.queue, a.room, a.share, f.tenant_id, f.ev_bulk, f.ev_flow FROM asked a CROSS JOIN LATERAL (
      SELECT o.tenant_id, o.ev_bulk, o.ev_flow FROM outbox o
      WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_name = a.queue
      ORDER BY o.tenant_id, o.ev_bulk, o.ev_flow LIMIT 1) f
    UNION ALL
    SELECT p.queue, p.room, p.share, n.tenant_id, n.ev_bulk, n.ev_flow FROM flows p CROSS JOIN LATERAL (
      SELECT o.tenant_id, o.ev_bulk, o.ev_flow FROM outbox o
      WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_name = p.queue
        AND (o.tenant_id, o.ev_bulk, o.ev_flow) > (p.tenant_id, p.ev_bulk, p.ev_flow)
      ORDER BY o.tenant_id, o.ev_bulk, o.ev_flow LIMIT 1) n
  ), heads AS MATERIALIZED (
    SELECT f.*, h.ev_id, h.ev_key, h.ev_due FROM flows f CROSS JOIN LATERAL (
      SELECT s.ev_id, s.ev_key, s.ev_due FROM (
        SELECT o.ev_id, o.ev_key, o.ev_due FROM outbox o
        WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL
          AND o.ev_name = f.queue AND o.tenant_id = f.tenant_id AND o.ev_bulk = f.ev_bulk AND o.ev_flow = f.ev_flow
          AND o.ev_due <= clock_timestamp() AND (o.ev_lease IS NULL OR o.ev_lease < clock_timestamp())
        ORDER BY o.ev_due LIMIT 1000) s
      -- A scalar subquery is asked row by row, and only until there are enough.
      WHERE (SELECT true FROM outbox k
             WHERE k.ev_kind = 'job' AND k.ev_done IS NULL AND (k.ev_sent IS NOT NULL OR k.ev_lease IS NOT NULL)
               AND k.tenant_id = f.tenant_id AND k.ev_name = f.queue AND k.ev_key = s.ev_key
               AND (k.ev_sent IS NOT NULL OR k.ev_lease > clock_timestamp()) LIMIT 1) IS NULL
      ORDER BY s.ev_due LIMIT greatest(f.room, 1)) h
  ), alone AS (
    -- One job of a key.
    SELECT DISTINCT ON (queue, tenant_id, ev_key) * FROM heads ORDER BY queue, tenant_id, ev_key, ev_bulk, ev_due, ev_id
  ), in_flow AS (
    SELECT a.*, row_number() OVER (PARTITION BY queue, tenant_id, ev_bulk, ev_flow ORDER BY ev_due, ev_id) AS nth,
           (SELECT t.turn_at FROM job_turn t WHERE t.turn_queue = a.queue AND t.turn_workspace = a.tenant_id AND t.turn_flow = a.ev_flow) AS served
    FROM alone a
  ), in_workspace AS (
    SELECT f.*, row_number() OVER (PARTITION BY queue, tenant_id ORDER BY ev_bulk, nth, coalesce(served, 0), ev_due, ev_id) AS rank FROM in_flow f
  ), workspaces AS MATERIALIZED (
    SELECT w.queue, w.tenant_id,
           (SELECT max(t.turn_at) FROM job_turn t WHERE t.turn_queue = w.queue AND t.turn_workspace = w.tenant_id) AS served,
           held.single, held.total
    FROM (SELECT DISTINCT queue, tenant_id FROM alone) w CROSS JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE NOT k.ev_bulk) AS single FROM (
        SELECT o.ev_bulk FROM outbox o
        WHERE o.ev_kind = 'job' AND o.ev_done IS NULL AND (o.ev_sent IS NOT NULL OR o.ev_lease IS NOT NULL)
          AND o.tenant_id = w.tenant_id AND o.ev_name = w.queue AND (o.ev_sent IS NOT NULL OR o.ev_lease > clock_timestamp()) LIMIT 10000) k) held
  ), in_queue AS (
    SELECT i.*, w.total AS held, row_number() OVER (PARTITION BY i.queue ORDER BY i.rank, coalesce(w.served, 0), i.ev_due, i.ev_id) AS nth_in_queue,
           CASE WHEN i.ev_bulk THEN w.total ELSE w.single END + i.rank AS place
    FROM in_workspace i JOIN workspaces w USING (queue, tenant_id)
    WHERE w.total + i.rank <= i.share
  ), chosen AS MATERIALIZED (
    SELECT c.* FROM in_queue c WHERE c.nth_in_queue <= c.room OR (c.rank = 1 AND c.held = 0)
  ), free AS MATERIALIZED (
    SELECT o.tenant_id, o.ev_id FROM outbox o WHERE (o.tenant_id, o.ev_id) IN (SELECT c.tenant_id, c.ev_id FROM chosen c)
      AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL FOR UPDATE SKIP LOCKED
  ), turns AS (
    INSERT INTO job_turn (turn_queue, turn_workspace, turn_flow, turn_at)
    SELECT c.queue, c.tenant_id, c.ev_flow, turn + max(c.nth_in_queue) FROM chosen c JOIN free USING (tenant_id, ev_id) GROUP BY c.queue, c.tenant_id, c.ev_flow
    ON CONFLICT (turn_queue, turn_workspace, turn_flow) DO UPDATE SET turn_at = excluded.turn_at
  ), leased AS (
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM free JOIN chosen c USING (tenant_id, ev_id)
    WHERE o.tenant_id = free.tenant_id AND o.ev_id = free.ev_id
    RETURNING o.*, c.nth_in_queue, c.place
  )
  SELECT l.tenant_id, l.ev_id, l.ev_kind, l.ev_name, l.ev_key, l.ev_version, l.ev_payload, l.ev_actor, l.ev_request, l.ev_trace, l.ev_tracked, l.ev_flow, l.ev_bulk,
         l.ev_created::timestamptz, l.place::integer, l.ev_attempts
  FROM leased l ORDER BY l.ev_name, l.nth_in_queue;
END
$$;

ALTER FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_shares integer[], p_lease_seconds double precision) OWNER TO atrium_definer;

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
    ev_parked timestamp(3) with time zone,
    ev_waits integer DEFAULT 0 NOT NULL,
    ev_waiting_since timestamp(3) with time zone,
    ev_waits_for text,
    ev_flow text DEFAULT ''::text NOT NULL,
    ev_bulk boolean DEFAULT false NOT NULL,
    ev_hold integer DEFAULT 0 NOT NULL,
    ev_attempts integer DEFAULT 0 NOT NULL,
    ev_strikes integer DEFAULT 0 NOT NULL,
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
      WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL AND ev_due <= clock_timestamp()
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

CREATE FUNCTION public.outbox_claim_events(p_limit integer, p_lease_seconds double precision) RETURNS SETOF public.outbox
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH due AS MATERIALIZED (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_kind = 'event' AND ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL AND ev_due <= clock_timestamp()
        AND (ev_lease IS NULL OR ev_lease < clock_timestamp())
      ORDER BY ev_due LIMIT p_limit FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due
    WHERE o.tenant_id = due.tenant_id AND o.ev_id = due.ev_id
    RETURNING o.*
  $$;

ALTER FUNCTION public.outbox_claim_events(p_limit integer, p_lease_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_depths() RETURNS TABLE(queue text, waiting bigint, sent bigint, parked bigint, oldest_seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT ev_name, count(*) FILTER (WHERE ev_sent IS NULL AND ev_parked IS NULL), count(*) FILTER (WHERE ev_sent IS NOT NULL), count(*) FILTER (WHERE ev_parked IS NOT NULL),
           max(extract(epoch FROM clock_timestamp() - ev_due)) FILTER (WHERE ev_parked IS NULL AND ev_due <= clock_timestamp())::double precision
    FROM outbox WHERE ev_kind = 'job' AND ev_done IS NULL GROUP BY ev_name ORDER BY ev_name
  $$;

ALTER FUNCTION public.outbox_depths() OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_due(p_jobs text[]) RETURNS SETOF text
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT q.queue FROM unnest(p_jobs) q (queue) WHERE EXISTS (
      SELECT FROM outbox o WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL
        AND o.ev_name = q.queue AND o.ev_due <= clock_timestamp())
  $$;

ALTER FUNCTION public.outbox_due(p_jobs text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_events_purge(p_before timestamp with time zone, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (ARRAY(
    SELECT e.ev_id FROM outbox e WHERE e.tenant_id = current_tenant() AND e.ev_kind = 'event' AND e.ev_sent IS NOT NULL AND e.ev_created < p_before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id::text = e.ev_actor ->> 'user_id' AND h.lh_released_at IS NULL)
    ORDER BY e.ev_created LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.outbox_events_purge(p_before timestamp with time zone, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace, ev_flow, ev_bulk)
    SELECT e.tenant_id, d.job_id, 'job', d.subscriber, e.ev_subject, e.ev_id::text,
           jsonb_build_object('event_id', e.ev_id, 'name', e.ev_name, 'subject_id', e.ev_subject, 'payload', e.ev_payload,
                              'at', to_char(e.ev_created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           e.ev_actor, e.ev_request, e.ev_trace, e.ev_flow, e.ev_bulk
    FROM unnest(p_tenants, p_events, p_jobs, p_subscribers) AS d (tenant_id, event_id, job_id, subscriber)
    JOIN outbox e ON e.tenant_id = d.tenant_id AND e.ev_id = d.event_id AND e.ev_kind = 'event'
  $$;

ALTER FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_forget(p_email text, p_name text, p_after uuid, p_limit integer) RETURNS TABLE(changed integer, last uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  address CONSTANT text := address_pattern(p_email);
  pattern CONSTANT text := person_pattern(p_email, p_name);
  stretch uuid[];
  gone integer;
BEGIN
  SELECT array_agg(s.ev_id), (array_agg(s.ev_id ORDER BY s.ev_id DESC))[1] INTO stretch, last
    FROM (SELECT o.ev_id FROM outbox o WHERE o.tenant_id = current_tenant() AND (p_after IS NULL OR o.ev_id > p_after) ORDER BY o.ev_id LIMIT p_limit) s;
  DELETE FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch) AND o.ev_kind = 'job' AND o.ev_done IS NULL AND o.ev_payload::text ~* address;
  GET DIAGNOSTICS gone = ROW_COUNT;
  UPDATE outbox o SET ev_payload = without_person(o.ev_payload::text, pattern)::jsonb, ev_actor = without_person(o.ev_actor::text, pattern)::jsonb, ev_error = without_person(o.ev_error, pattern),
                      ev_key = without_person(o.ev_key, pattern), ev_flow = without_person(o.ev_flow, pattern)
    WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (stretch)
      AND (o.ev_payload::text ~* pattern OR o.ev_actor::text ~* pattern OR o.ev_error ~* pattern OR o.ev_key ~* pattern OR o.ev_flow ~* pattern);
  GET DIAGNOSTICS changed = ROW_COUNT;
  changed := changed + gone;
  RETURN NEXT;
END
$$;

ALTER FUNCTION public.outbox_forget(p_email text, p_name text, p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_forget_turns(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM job_turn WHERE (turn_queue, turn_workspace, turn_flow) IN (
    SELECT t.turn_queue, t.turn_workspace, t.turn_flow FROM job_turn t
    WHERE t.turn_at < extract(epoch FROM clock_timestamp() - interval '1 hour') * 1000000 ORDER BY t.turn_at LIMIT p_limit FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.outbox_forget_turns(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_hold(p_job uuid) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox SET ev_hold = ev_hold + 1 WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL RETURNING ev_hold
  $$;

ALTER FUNCTION public.outbox_hold(p_job uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_outages() RETURNS TABLE(part text, jobs bigint, since timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT ev_waits_for, count(*), min(ev_waiting_since) FROM outbox WHERE ev_waits_for IS NOT NULL AND ev_done IS NULL GROUP BY ev_waits_for ORDER BY ev_waits_for
  $$;

ALTER FUNCTION public.outbox_outages() OWNER TO atrium_definer;

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

CREATE FUNCTION public.outbox_park(p_job uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM workspace WHERE tenant_id = current_tenant() AND ws_status <> 'active' FOR SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE outbox SET ev_parked = clock_timestamp(), ev_sent = NULL, ev_lease = NULL WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL;
  RETURN true;
END
$$;

ALTER FUNCTION public.outbox_park(p_job uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_pause(p_job uuid, p_attempts integer, p_pause_seconds double precision) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox SET ev_due = clock_timestamp() + make_interval(secs => p_pause_seconds), ev_sent = NULL, ev_lease = NULL, ev_hold = ev_hold + 1,
           ev_attempts = ev_attempts + p_attempts
    WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL
  $$;

ALTER FUNCTION public.outbox_pause(p_job uuid, p_attempts integer, p_pause_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox SET ev_due = clock_timestamp() + make_interval(secs => p_pause_seconds), ev_sent = NULL, ev_lease = NULL, ev_hold = ev_hold + 1,
           ev_waits = ev_waits + 1, ev_waiting_since = coalesce(ev_waiting_since, clock_timestamp()), ev_waits_for = p_for
    WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL
  $$;

ALTER FUNCTION public.outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) OWNER TO atrium_definer;

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

CREATE FUNCTION public.outbox_release(p_tenants uuid[], p_ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox o SET ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS held (tenant_id, ev_id)
    WHERE o.tenant_id = held.tenant_id AND o.ev_id = held.ev_id AND o.ev_sent IS NULL
  $$;

ALTER FUNCTION public.outbox_release(p_tenants uuid[], p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox o SET ev_sent = clock_timestamp(), ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS sent (tenant_id, ev_id)
    WHERE o.tenant_id = sent.tenant_id AND o.ev_id = sent.ev_id AND o.ev_due <= clock_timestamp()
  $$;

ALTER FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_still_open(p_tenants uuid[], p_ids uuid[]) RETURNS SETOF uuid
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.ev_id FROM unnest(p_tenants, p_ids) AS asked (tenant_id, ev_id)
    JOIN outbox o ON o.tenant_id = asked.tenant_id AND o.ev_id = asked.ev_id
    WHERE o.ev_done IS NULL AND o.ev_sent IS NOT NULL AND o.ev_parked IS NULL
  $$;

ALTER FUNCTION public.outbox_still_open(p_tenants uuid[], p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_strike(p_tenant uuid, p_job uuid) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox SET ev_strikes = ev_strikes + 1 WHERE tenant_id = p_tenant AND ev_id = p_job AND ev_done IS NULL RETURNING ev_strikes
  $$;

ALTER FUNCTION public.outbox_strike(p_tenant uuid, p_job uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_take(p_tenants uuid[], p_ids uuid[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE outbox o SET ev_hold = o.ev_hold + 1
    FROM unnest(p_tenants, p_ids) AS lost (tenant_id, ev_id)
    WHERE o.tenant_id = lost.tenant_id AND o.ev_id = lost.ev_id AND o.ev_done IS NULL
  $$;

ALTER FUNCTION public.outbox_take(p_tenants uuid[], p_ids uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_unpark() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH woken AS (UPDATE outbox SET ev_parked = NULL WHERE tenant_id = current_tenant() AND ev_parked IS NOT NULL RETURNING 1)
    SELECT count(*) FROM woken
  $$;

ALTER FUNCTION public.outbox_unpark() OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_waiting() RETURNS TABLE(queue text, jobs integer, oldest_seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT due.name, count(*)::integer, extract(epoch FROM clock_timestamp() - min(due.since))::double precision
    FROM (
      (SELECT o.ev_name AS name, o.ev_due AS since FROM outbox o
       WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_due <= clock_timestamp() LIMIT 100000)
      UNION ALL
      (SELECT NULL, o.ev_due FROM outbox o
       WHERE o.ev_kind = 'event' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_due <= clock_timestamp() ORDER BY o.ev_due LIMIT 1000)
    ) due
    GROUP BY due.name
  $$;

ALTER FUNCTION public.outbox_waiting() OWNER TO atrium_definer;

CREATE FUNCTION public.outbox_workers(p_worker uuid, p_seconds double precision) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF p_seconds > 0 THEN
    INSERT INTO job_worker (worker_id, worker_seen) VALUES (p_worker, clock_timestamp())
    ON CONFLICT (worker_id) DO UPDATE SET worker_seen = excluded.worker_seen;
    DELETE FROM job_worker WHERE worker_id IN (
      SELECT w.worker_id FROM job_worker w WHERE w.worker_seen < clock_timestamp() - make_interval(secs => p_seconds) FOR UPDATE SKIP LOCKED);
  ELSE
    DELETE FROM job_worker WHERE worker_id = p_worker;
  END IF;
  RETURN (SELECT count(*) FROM job_worker w WHERE p_seconds = 0 OR w.worker_seen >= clock_timestamp() - make_interval(secs => p_seconds));
END
$$;

ALTER FUNCTION public.outbox_workers(p_worker uuid, p_seconds double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.partitions_overview() RETURNS TABLE(part_table name, part_count integer, part_last text, part_default_rows bigint)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
BEGIN
  FOR part_table IN SELECT p.part_table FROM partition_plan p WHERE to_regclass(p.part_table::text) IS NOT NULL ORDER BY 1 LOOP
    SELECT count(*), max(right(c.relname, 7)) INTO part_count, part_last FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = part_table::text::regclass AND c.relname ~ ('^' || part_table || '_\d{4}_\d{2}$');
    EXECUTE format('SELECT count(*) FROM %I', part_table || '_default') INTO part_default_rows;
    RETURN NEXT;
  END LOOP;
END
$_$;

ALTER FUNCTION public.partitions_overview() OWNER TO atrium_definer;

CREATE FUNCTION public.partitions_prepare(p_table name, p_keep_days integer) RETURNS TABLE(made integer, dropped integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET lock_timeout TO '5s'
    AS $_$
DECLARE
  plan partition_plan;
  part text;
  horizon timestamptz;
  held boolean;
BEGIN
  made := 0;
  dropped := 0;
  SELECT * INTO plan FROM partition_plan p WHERE p.part_table = p_table;
  IF plan.part_table IS NULL OR to_regclass(plan.part_table::text) IS NULL THEN RETURN NEXT; RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('partitions_prepare'));
  SELECT count(*) FILTER (WHERE make_month(plan.part_table::text::regclass, plan.part_key, now() + make_interval(months => m))) INTO made FROM generate_series(0, 3) m;
  horizon := date_trunc('month', now() - make_interval(days => greatest(p_keep_days, plan.part_keep_min)));
  IF p_keep_days IS NULL THEN RETURN NEXT; RETURN; END IF;
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = plan.part_table::text::regclass AND c.relname ~ ('^' || plan.part_table || '_\d{4}_\d{2}$') AND to_date(right(c.relname, 7), 'YYYY_MM') < horizon
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM legal_hold h JOIN %I e ON e.tenant_id = h.tenant_id WHERE h.lh_released_at IS NULL AND %s)', part, coalesce(plan.part_held, 'false')) INTO held;
    CONTINUE WHEN held;
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  EXECUTE format('DELETE FROM %I e WHERE e.%I < %L AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = e.tenant_id AND h.lh_released_at IS NULL AND %s)',
                 plan.part_table || '_default', plan.part_key, horizon, coalesce(plan.part_held, 'false'));
  IF plan.part_table = 'audit_event' THEN
    UPDATE audit_seal a SET seal_removed = now() WHERE a.seal_removed IS NULL AND a.seal_from < horizon;
  ELSIF plan.part_table = 'usage_entry' AND dropped > 0 THEN
    INSERT INTO usage_horizon AS h SELECT w.tenant_id, horizon FROM workspace w
      ON CONFLICT (tenant_id) DO UPDATE SET hor_raw_from = excluded.hor_raw_from WHERE h.hor_raw_from < excluded.hor_raw_from;
  END IF;
  RETURN NEXT;
END
$_$;

ALTER FUNCTION public.partitions_prepare(p_table name, p_keep_days integer) OWNER TO atrium_definer;

CREATE FUNCTION public.passage_word_key(tenant uuid, word text) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN hashtextextended((word COLLATE "C"), uuid_hash_extended(tenant, (0)::bigint));

ALTER FUNCTION public.passage_word_key(tenant uuid, word text) OWNER TO atrium_owner;

CREATE FUNCTION public.passage_word_keys(tenant uuid, words tsvector) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg(hashtextextended((k.word COLLATE "C"), uuid_hash_extended(passage_word_keys.tenant, (0)::bigint))) AS array_agg
    FROM (unnest(passage_word_keys.words) w(lexeme, positions, weights)
      CROSS JOIN LATERAL ( VALUES (w.lexeme), (
                 CASE
                     WHEN ((cardinality(w.positions) >= 3) OR (w.weights && '{A,B}'::text[])) THEN (w.lexeme || '!'::text)
                     ELSE NULL::text
                 END)) k(word))
   WHERE (k.word IS NOT NULL);
END;

ALTER FUNCTION public.passage_word_keys(tenant uuid, words tsvector) OWNER TO atrium_owner;

CREATE FUNCTION public.people_account(candidate uuid, email text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  found_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email) VALUES (candidate, email) ON CONFLICT (acc_email) DO NOTHING RETURNING acc_id INTO found_id;
  IF found_id IS NULL THEN SELECT acc_id INTO found_id FROM account WHERE acc_email = email; END IF;
  RETURN found_id;
END
$$;

ALTER FUNCTION public.people_account(candidate uuid, email text) OWNER TO atrium_definer;

CREATE FUNCTION public.people_claim(p_account uuid, p_password_hash text, p_mailed boolean) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  person account;
BEGIN
  SELECT * INTO person FROM account WHERE acc_id = p_account AND acc_status = 'active' FOR UPDATE;
  IF NOT FOUND OR person.acc_email_verified_at IS NOT NULL OR (NOT p_mailed AND person.acc_password_hash IS NOT NULL) THEN RETURN false; END IF;
  PERFORM auth_clear_unproven(p_account);
  UPDATE account SET acc_password_hash = p_password_hash, acc_password_changed_at = clock_timestamp(), acc_email_verified_at = CASE WHEN p_mailed THEN now() END WHERE acc_id = p_account;
  RETURN true;
END
$$;

ALTER FUNCTION public.people_claim(p_account uuid, p_password_hash text, p_mailed boolean) OWNER TO atrium_definer;

CREATE FUNCTION public.people_find_invitation(p_hash text) RETURNS TABLE(tenant_id uuid, inv_id uuid, inv_mailed boolean, user_id uuid, ws_name text, ws_status text, user_email text, user_name text, acc_password_hash text, acc_proven boolean, acc_used boolean, acc_mfa boolean, live boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT i.tenant_id, i.inv_id, i.inv_mailed, i.inv_user, w.ws_name, w.ws_status, u.user_email, u.user_name, a.acc_password_hash, a.acc_email_verified_at IS NOT NULL,
         a.acc_password_hash IS NOT NULL OR a.acc_email_verified_at IS NOT NULL
           OR EXISTS (SELECT FROM workspace_user o WHERE o.user_id = i.inv_user
                        AND (o.tenant_id <> i.tenant_id AND o.user_status IN ('active', 'suspended') OR EXISTS (SELECT FROM account_link l WHERE l.tenant_id = o.tenant_id AND l.link_account = o.user_id))),
         a.acc_totp IS NOT NULL, i.inv_ended_at IS NULL AND i.inv_expires_at > now() AND u.user_status = 'invited' AND u.user_email IS NOT NULL
  FROM invitation i JOIN workspace w USING (tenant_id) JOIN workspace_user u ON u.tenant_id = i.tenant_id AND u.user_id = i.inv_user JOIN account a ON a.acc_id = i.inv_user
  WHERE i.inv_hash = p_hash
$$;

ALTER FUNCTION public.people_find_invitation(p_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.people_matching(needle text, with_description boolean) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
  SELECT p.person_id FROM person p, (SELECT '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%' AS part) n
  WHERE p.tenant_id = current_tenant() AND dotless(folded(coalesce(p.person_name, '') || ' ' || coalesce(p.person_description, ''))) LIKE n.part
    AND (with_description OR dotless(folded(p.person_name)) LIKE n.part)
$$;

ALTER FUNCTION public.people_matching(needle text, with_description boolean) OWNER TO atrium_search;

CREATE FUNCTION public.people_proved(p_account uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ UPDATE account SET acc_email_verified_at = now() WHERE acc_id = p_account AND acc_status = 'active' AND acc_email_verified_at IS NULL $$;

ALTER FUNCTION public.people_proved(p_account uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.people_sign_out(p_account uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  former timestamptz;
  ended integer;
BEGIN
  SELECT coalesce(user_signed_out_at, '-infinity') INTO former FROM workspace_user WHERE tenant_id = current_tenant() AND user_id = p_account AND user_status IN ('active', 'suspended') FOR UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT count(*) INTO ended FROM account_session s
    WHERE s.acc_id = p_account AND s.ses_ended_at IS NULL AND s.ses_expires_at > now() AND s.ses_created > former AND (s.ses_tenant IS NULL OR s.ses_tenant = current_tenant());
  UPDATE workspace_user SET user_signed_out_at = clock_timestamp() WHERE tenant_id = current_tenant() AND user_id = p_account;
  UPDATE account_session SET ses_ended_at = now() WHERE acc_id = p_account AND ses_tenant = current_tenant() AND ses_ended_at IS NULL;
  IF NOT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p_account AND o.tenant_id <> current_tenant() AND o.user_status <> 'removed') THEN PERFORM auth_end_sessions(p_account, NULL); END IF;
  RETURN ended;
END
$$;

ALTER FUNCTION public.people_sign_out(p_account uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.person_pattern(p_email text, p_name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN NULLIF(concat_ws('|'::text, (('('::text || public.address_pattern(p_email)) || ')'::text), (('('::text || public.name_pattern(p_name)) || ')'::text)), ''::text);

ALTER FUNCTION public.person_pattern(p_email text, p_name text) OWNER TO atrium_owner;

CREATE FUNCTION public.phash_bands(hash bigint) RETURNS SETOF integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT ((n.n << 16) | (((phash_bands.hash >> (48 - (16 * n.n))) & (65535)::bigint))::integer)
    FROM generate_series(0, 3) n(n);
END;

ALTER FUNCTION public.phash_bands(hash bigint) OWNER TO atrium_owner;

CREATE FUNCTION public.phash_probes(hash bigint) RETURNS integer[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg((b.b # m.mask) ORDER BY b.b, m.mask) AS array_agg
    FROM public.phash_bands(phash_probes.hash) b(b),
     ( SELECT 0 AS mask
         UNION ALL
          SELECT (1 << n.n)
            FROM generate_series(0, 15) n(n)) m;
END;

ALTER FUNCTION public.phash_probes(hash bigint) OWNER TO atrium_owner;

CREATE FUNCTION public.pictures_like(probes text, in_parts boolean, distance integer, most integer) RETURNS TABLE(blob_id uuid, apart integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  WITH probe AS MATERIALIZED (SELECT substr(probes, n * 32 + 1, 32) AS view FROM generate_series(0, length(probes) / 32 - 1) AS n),
  sought AS MATERIALIZED (
    SELECT array_agg(DISTINCT look_key(current_tenant(), in_parts, band, bits)) AS keys
    FROM probe, generate_series(0, 4) AS band, look_bits(view, band, in_parts) AS bits),
  found AS MATERIALIZED (
    SELECT b.blob_id, b.blob_system ->> 'views' AS views FROM file_blob b
    WHERE b.tenant_id = current_tenant() AND b.blob_system ->> 'views' IS NOT NULL AND look_keys(b.tenant_id, b.blob_system ->> 'views') && (SELECT keys FROM sought) LIMIT 4 * most)
  SELECT f.blob_id, min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128)))::integer AS apart
  FROM found f CROSS JOIN LATERAL generate_series(in_parts::integer, CASE WHEN in_parts THEN length(f.views) / 32 - 1 ELSE 0 END) AS n CROSS JOIN probe p
  GROUP BY f.blob_id HAVING min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128))) <= distance
  ORDER BY apart, f.blob_id LIMIT most
$$;

ALTER FUNCTION public.pictures_like(probes text, in_parts boolean, distance integer, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.place_album() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.album_path_ids := coalesce((SELECT p.album_path_ids || p.album_id FROM album p WHERE p.tenant_id = NEW.tenant_id AND p.album_id = NEW.album_parent), '{}');
  RETURN NEW;
END
$$;

ALTER FUNCTION public.place_album() OWNER TO atrium_owner;

CREATE FUNCTION public.place_albums_below() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE album d SET album_path_ids = NEW.album_path_ids || d.album_path_ids[array_position(d.album_path_ids, NEW.album_id):]
    FROM albums_below(NEW.album_id::text) b WHERE d.tenant_id = NEW.tenant_id AND d.album_id = b.album_id;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.place_albums_below() OWNER TO atrium_owner;

CREATE FUNCTION public.privacy_archives_due(p_limit integer) RETURNS TABLE(tenant_id uuid, dsr_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT r.tenant_id, r.dsr_id FROM privacy_request r WHERE r.dsr_archive IS NOT NULL AND r.dsr_expires_at < now() ORDER BY r.dsr_expires_at LIMIT p_limit $$;

ALTER FUNCTION public.privacy_archives_due(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.publications_due(most integer) RETURNS TABLE(kind text, tenant_id uuid, id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  (SELECT 'end', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND p.pub_state IN ('published', 'scheduled') AND p.pub_end IS NOT NULL AND p.pub_end <= now() ORDER BY p.pub_end LIMIT most)
  UNION ALL
  (SELECT 'start', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND p.pub_state = 'scheduled' AND p.pub_start <= now() AND (p.pub_end IS NULL OR p.pub_end > now()) ORDER BY p.pub_start LIMIT most)
  UNION ALL
  (SELECT 'edge', p.tenant_id, p.pub_id FROM publication p JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND p.pub_edge_due < now() ORDER BY p.pub_edge_due LIMIT most)
  UNION ALL
  (SELECT 'sync', s.tenant_id, s.es_id FROM edge_sync s JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND s.es_touched < now() - interval '10 minutes' ORDER BY s.es_touched LIMIT most)
$$;

ALTER FUNCTION public.publications_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.publications_matching(needle text, most integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
  WITH found AS MATERIALIZED (
    SELECT pub_id FROM publication
    WHERE tenant_id = current_tenant() AND dotless(folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, '')))
      LIKE '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
  )
  SELECT pub_id FROM found LIMIT most
$$;

ALTER FUNCTION public.publications_matching(needle text, most integer) OWNER TO atrium_search;

CREATE FUNCTION public.publications_served(keys text[]) RETURNS TABLE(pub_key text, tenant_id uuid, pub_id uuid, ws_status text, ws_licensed boolean, pub_state text, pub_name text, pub_start timestamp with time zone, pub_end timestamp with time zone, pub_published timestamp with time zone, pub_size bigint, pub_content_type text, pub_hash text, pub_object text, pub_copied timestamp with time zone, pub_deny text[], pub_restrictions uuid[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT p.pub_key, p.tenant_id, p.pub_id, w.ws_status,
         EXISTS (SELECT FROM licence l WHERE l.tenant_id = p.tenant_id AND l.lic_module = 'module-publication' AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now())),
         p.pub_state, p.pub_name, p.pub_start, p.pub_end, p.pub_published, p.pub_size, p.pub_content_type, p.pub_hash, p.pub_object, p.pub_copied, p.pub_deny, p.pub_restrictions
  FROM publication p JOIN workspace w ON w.tenant_id = p.tenant_id WHERE p.pub_key = ANY (keys)
$$;

ALTER FUNCTION public.publications_served(keys text[]) OWNER TO atrium_definer;

CREATE FUNCTION public.publish_schedules_due(most integer) RETURNS TABLE(tenant_id uuid, sch_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  -- Those that are queued are left out, and workspaces come in turn: however many schedules one has, those of others begin in time.
  SELECT d.tenant_id, d.sch_id FROM (
    SELECT s.tenant_id, s.sch_id, s.sch_at, row_number() OVER (PARTITION BY s.tenant_id ORDER BY s.sch_at, s.sch_id) AS place
    FROM publish_schedule s JOIN workspace w USING (tenant_id)
    WHERE s.sch_status = 'waiting' AND s.sch_at <= now() AND w.ws_status = 'active'
      AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = s.tenant_id AND o.ev_kind = 'job' AND o.ev_name = 'website.publish' AND o.ev_key = s.sch_id::text AND o.ev_done IS NULL)) d
  ORDER BY d.place, d.sch_at, d.sch_id LIMIT most
$$;

ALTER FUNCTION public.publish_schedules_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.raise_account_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.acc_version := OLD.acc_version + 1;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.raise_account_version() OWNER TO atrium_owner;

CREATE FUNCTION public.raise_authz_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE workspace SET ws_authz_version = ws_authz_version + 1 WHERE tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id);
  RETURN NULL;
END
$$;

ALTER FUNCTION public.raise_authz_version() OWNER TO atrium_owner;

CREATE FUNCTION public.raise_authz_version_once() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE workspace w SET ws_authz_version = ws_authz_version + 1 WHERE w.tenant_id IN (SELECT c.tenant_id FROM changed c);
  RETURN NULL;
END
$$;

ALTER FUNCTION public.raise_authz_version_once() OWNER TO atrium_owner;

CREATE FUNCTION public.raise_own_authz_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  NEW.ws_authz_version := OLD.ws_authz_version + 1;
  RETURN NEW;
END
$$;

ALTER FUNCTION public.raise_own_authz_version() OWNER TO atrium_owner;

CREATE FUNCTION public.raise_version_of_session() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE account SET acc_version = acc_version + 1 WHERE acc_id = NEW.acc_id;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.raise_version_of_session() OWNER TO atrium_owner;

CREATE FUNCTION public.rate_share(p_counts jsonb) RETURNS TABLE(rc_key text, rc_minute bigint, rc_count integer)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DELETE FROM rate_count c WHERE c.rc_minute < extract(epoch FROM clock_timestamp()) / 60 - 2;
  INSERT INTO rate_count AS c (rc_key, rc_minute, rc_count)
    SELECT n.rc_key, n.rc_minute, n.rc_count FROM jsonb_to_recordset(p_counts) AS n (rc_key text, rc_minute bigint, rc_count integer) ORDER BY 1, 2
    ON CONFLICT (rc_key, rc_minute) DO UPDATE SET rc_count = c.rc_count + excluded.rc_count
    RETURNING c.rc_key, c.rc_minute, c.rc_count
$$;

ALTER FUNCTION public.rate_share(p_counts jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.read_blob_facts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  SELECT b.blob_refs > 1, b.blob_corrupt IS NOT NULL INTO NEW.file_shared, NEW.file_corrupt
  FROM file_blob b WHERE b.tenant_id = NEW.tenant_id AND b.blob_id = NEW.file_blob FOR NO KEY UPDATE;
  NEW.file_shared := coalesce(NEW.file_shared, false);
  NEW.file_corrupt := coalesce(NEW.file_corrupt, false);
  RETURN NEW;
END $$;

ALTER FUNCTION public.read_blob_facts() OWNER TO atrium_owner;

CREATE FUNCTION public.request_strike(p_fingerprint text, p_operation text) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    DELETE FROM request_strike WHERE rst_last < clock_timestamp() - interval '1 day' AND rst_fingerprint <> p_fingerprint;
    INSERT INTO request_strike (rst_fingerprint, rst_operation, rst_strikes, rst_last) VALUES (p_fingerprint, p_operation, 1, clock_timestamp())
    ON CONFLICT (rst_fingerprint) DO UPDATE SET rst_last = excluded.rst_last,
      rst_strikes = CASE WHEN request_strike.rst_last < clock_timestamp() - interval '1 day' THEN 1 ELSE request_strike.rst_strikes + 1 END
    RETURNING rst_strikes
  $$;

ALTER FUNCTION public.request_strike(p_fingerprint text, p_operation text) OWNER TO atrium_definer;

CREATE FUNCTION public.requests_struck(p_strikes integer) RETURNS TABLE(operation text, fingerprint text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT s.rst_operation, s.rst_fingerprint FROM request_strike s
    WHERE s.rst_strikes >= p_strikes AND s.rst_last >= clock_timestamp() - interval '1 day' ORDER BY s.rst_last DESC LIMIT 1000
  $$;

ALTER FUNCTION public.requests_struck(p_strikes integer) OWNER TO atrium_definer;

CREATE FUNCTION public.retention_due(p_keys text[], p_at timestamp with time zone, p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, ret_keys text[], run_date date)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT w.tenant_id, array_agg(k.ret_key ORDER BY k.ret_key), d.local_day
    FROM workspace w CROSS JOIN LATERAL (SELECT (p_at AT TIME ZONE w.ws_timezone)::date AS local_day, (p_at AT TIME ZONE w.ws_timezone)::time AS local_time) d CROSS JOIN unnest(p_keys) k (ret_key)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) AND d.local_time >= '03:00'
      AND NOT EXISTS (SELECT FROM retention_run r WHERE r.tenant_id = w.tenant_id AND r.ret_key = k.ret_key AND r.run_date = d.local_day
                      AND (r.run_status = 'completed' OR (r.run_status = 'failed' AND r.run_finished > p_at - interval '1 hour')))
      AND NOT EXISTS (SELECT FROM retention_check c WHERE c.tenant_id = w.tenant_id AND c.check_date = d.local_day AND k.ret_key = ANY (c.check_keys))
    GROUP BY w.tenant_id, d.local_day ORDER BY w.tenant_id LIMIT p_limit
  $$;

ALTER FUNCTION public.retention_due(p_keys text[], p_at timestamp with time zone, p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.retention_longest(p_key text, p_default integer) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce(max(coalesce(CASE WHEN p.ret_effective_at > now() THEN p.ret_days_before END, p.ret_days, p_default)), p_default)
    FROM workspace w LEFT JOIN retention_policy p ON p.tenant_id = w.tenant_id AND p.ret_key = p_key
  $$;

ALTER FUNCTION public.retention_longest(p_key text, p_default integer) OWNER TO atrium_definer;

CREATE FUNCTION public.retrieval_overdue(p_age_seconds double precision, p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT w.tenant_id FROM workspace w
  WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after)
    AND (EXISTS (SELECT FROM passage_source s WHERE s.tenant_id = w.tenant_id AND s.source_status = 'pending' AND s.source_updated < clock_timestamp() - make_interval(secs => p_age_seconds))
      OR EXISTS (SELECT FROM file_text t WHERE t.tenant_id = w.tenant_id AND t.ft_status IN ('pending', 'running') AND t.ft_updated < clock_timestamp() - make_interval(secs => p_age_seconds)))
  ORDER BY w.tenant_id LIMIT p_limit
$$;

ALTER FUNCTION public.retrieval_overdue(p_age_seconds double precision, p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.schedule_claim(p_name text, p_holder uuid, p_lease_ms double precision) RETURNS TABLE(claimed boolean, wait_ms double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO schedule (sch_name) VALUES (p_name) ON CONFLICT DO NOTHING;
  UPDATE schedule SET sch_holder = p_holder, sch_due = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    WHERE sch_name = p_name AND sch_due <= clock_timestamp();
  claimed := FOUND;
  wait_ms := (SELECT greatest(0, 1000 * extract(epoch FROM sch_due - clock_timestamp())) FROM schedule WHERE sch_name = p_name);
  RETURN NEXT;
END
$$;

ALTER FUNCTION public.schedule_claim(p_name text, p_holder uuid, p_lease_ms double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.schedule_done(p_name text, p_holder uuid, p_next_ms double precision, p_error text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  UPDATE schedule SET sch_holder = NULL, sch_due = clock_timestamp() + p_next_ms * interval '1 millisecond', sch_last_run = clock_timestamp(), sch_last_error = p_error
  WHERE sch_name = p_name AND sch_holder = p_holder
$$;

ALTER FUNCTION public.schedule_done(p_name text, p_holder uuid, p_next_ms double precision, p_error text) OWNER TO atrium_definer;

CREATE FUNCTION public.schedule_extend(p_name text, p_holder uuid, p_lease_ms double precision) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE schedule SET sch_due = clock_timestamp() + p_lease_ms * interval '1 millisecond' WHERE sch_name = p_name AND sch_holder = p_holder;
  RETURN FOUND;
END
$$;

ALTER FUNCTION public.schedule_extend(p_name text, p_holder uuid, p_lease_ms double precision) OWNER TO atrium_definer;

CREATE FUNCTION public.schedules_overview() RETURNS TABLE(name text, overdue_seconds double precision, has_failed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT s.sch_name, greatest(0, extract(epoch FROM clock_timestamp() - s.sch_due))::double precision, s.sch_last_error IS NOT NULL
    FROM schedule s ORDER BY s.sch_name
  $$;

ALTER FUNCTION public.schedules_overview() OWNER TO atrium_definer;

CREATE FUNCTION public.seal_key_add(p_id uuid, p_public text, p_private_sealed text, p_newest uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('seal_key'));
  IF (SELECT k.sk_id FROM seal_key k ORDER BY k.sk_created DESC, k.sk_id DESC LIMIT 1) IS DISTINCT FROM p_newest THEN RETURN false; END IF;
  INSERT INTO seal_key (sk_id, sk_public, sk_private_sealed) VALUES (p_id, p_public, p_private_sealed);
  RETURN true;
END
$$;

ALTER FUNCTION public.seal_key_add(p_id uuid, p_public text, p_private_sealed text, p_newest uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.seal_keys() RETURNS TABLE(sk_id uuid, sk_public text, sk_private_sealed text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT k.sk_id, k.sk_public, k.sk_private_sealed FROM seal_key k ORDER BY k.sk_created DESC, k.sk_id DESC $$;

ALTER FUNCTION public.seal_keys() OWNER TO atrium_definer;

CREATE FUNCTION public.search_agents(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT agent_id FROM agent WHERE tenant_id = current_tenant() AND agent_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_agents(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.search_live_pages(p_site text, p_locale text, p_tags text[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT np_snapshot FROM page_publication
  WHERE tenant_id = current_tenant() AND np_site = p_site::uuid AND np_locale = p_locale AND np_tags @> p_tags AND np_to_seq IS NULL AND np_kind = 'page'
$$;

ALTER FUNCTION public.search_live_pages(p_site text, p_locale text, p_tags text[]) OWNER TO atrium_search;

CREATE FUNCTION public.search_messages_text(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT msg_id FROM message WHERE tenant_id = current_tenant() AND msg_active AND msg_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_messages_text(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.search_objects(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT obj_id FROM object WHERE tenant_id = current_tenant() AND obj_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_objects(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer) RETURNS TABLE(passage_id uuid, source_kind text, source_id uuid, psg_weight real)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 200
    SET search_path TO 'public', 'pg_temp'
    SET work_mem TO '32MB'
    AS $$
  WITH standing AS (
    SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, w.weight, false AS is_whole FROM unnest(words, weights) AS w (word, weight)
    CROSS JOIN LATERAL (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM (
      SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM passage p
      WHERE (p.tenant_id = current_tenant()) IS TRUE AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 100000) p
      WHERE (sources IS NULL OR p.source_id IN (SELECT s.id::uuid FROM unnest(sources) AS s (id)))
        AND EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = current_tenant() AND k.source_kind = p.source_kind AND k.source_id = p.source_id AND k.scope_key = ANY (scope_keys)) IS TRUE
      LIMIT 40000) p
    UNION ALL
    (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, 0::real, true FROM (
       SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM passage p
       WHERE cardinality(together) > 0 AND (p.tenant_id = current_tenant()) IS TRUE
         AND passage_word_keys(p.tenant_id, p.psg_tsv) @> ARRAY(SELECT passage_word_key(current_tenant(), t.word) FROM unnest(together) AS t (word)) LIMIT 100000) p
     WHERE (sources IS NULL OR p.source_id IN (SELECT s.id::uuid FROM unnest(sources) AS s (id)))
       AND EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = current_tenant() AND k.source_kind = p.source_kind AND k.source_id = p.source_id AND k.scope_key = ANY (scope_keys)) IS TRUE
     LIMIT 20000)
  ), chosen AS (
    SELECT s.passage_id, s.source_kind, s.source_id, min(s.psg_length) AS psg_length, sum(s.weight)::real AS psg_weight FROM standing s
    GROUP BY s.passage_id, s.source_kind, s.source_id HAVING NOT only_together OR bool_or(s.is_whole)
  )
  SELECT c.passage_id, c.source_kind, c.source_id, c.psg_weight FROM chosen c
  WHERE (query IS NULL OR EXISTS (SELECT FROM passage p WHERE p.tenant_id = current_tenant() AND p.passage_id = c.passage_id AND p.psg_tsv @@ query::tsquery))
  ORDER BY c.psg_weight DESC, c.psg_length, c.passage_id LIMIT most
$$;

ALTER FUNCTION public.search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer) OWNER TO atrium_search;

CREATE FUNCTION public.search_passages_words(words text[]) RETURNS TABLE(word text, passages integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT n.word, n.passages FROM (
    SELECT w.word, CASE WHEN sampled.passages < 16 THEN counted.passages ELSE 64 * sampled.passages END AS passages FROM unnest(words) AS w (word)
    CROSS JOIN LATERAL (SELECT count(*)::integer AS passages FROM (
      SELECT FROM passage p WHERE (p.tenant_id = current_tenant()) IS TRUE AND (uuid_hash(p.passage_id) & 63) = 0
        AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 1000) x) sampled
    CROSS JOIN LATERAL (SELECT count(*)::integer AS passages FROM (
      SELECT FROM passage p WHERE sampled.passages < 16 AND (p.tenant_id = current_tenant()) IS TRUE
        AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 5000) x) counted
  ) n WHERE n.passages > 0
$$;

ALTER FUNCTION public.search_passages_words(words text[]) OWNER TO atrium_search;

CREATE FUNCTION public.search_prompts(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT prompt_id FROM prompt WHERE tenant_id = current_tenant() AND prompt_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_prompts(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.search_records(base text, needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT rec_id FROM knowledge_record WHERE tenant_id = current_tenant() AND rec_base = base::uuid AND rec_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_records(base text, needle text) OWNER TO atrium_search;

CREATE FUNCTION public.search_threads_text(needle text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT thread_id FROM thread WHERE tenant_id = current_tenant() AND thread_active AND thread_tsv @@ websearch_to_tsquery('simple', dotless(needle))
$$;

ALTER FUNCTION public.search_threads_text(needle text) OWNER TO atrium_search;

CREATE FUNCTION public.share_by_kiosk(p_share uuid) RETURNS TABLE(tenant_id uuid, share_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT l.tenant_id, l.share_id FROM share_link l WHERE l.share_id = p_share AND l.share_type = 'upload' AND l.share_password_hash IS NOT NULL $$;

ALTER FUNCTION public.share_by_kiosk(p_share uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.share_by_token(p_hash text) RETURNS TABLE(tenant_id uuid, share_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT l.tenant_id, l.share_id FROM share_link l WHERE l.share_token_hash = p_hash
  UNION ALL SELECT t.tenant_id, t.st_share FROM share_token t WHERE t.st_hash = p_hash
$$;

ALTER FUNCTION public.share_by_token(p_hash text) OWNER TO atrium_definer;

CREATE FUNCTION public.share_links_naming(p_file text) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT l.share_id FROM share_link l WHERE l.tenant_id = current_tenant() AND l.share_file_ids @> ARRAY[p_file::uuid] $$;

ALTER FUNCTION public.share_links_naming(p_file text) OWNER TO atrium_search;

CREATE FUNCTION public.site_by_key(p_key text) RETURNS TABLE(tenant_id uuid, site_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT s.tenant_id, s.site_id FROM site s JOIN workspace w USING (tenant_id) WHERE s.site_key = p_key AND s.site_active AND w.ws_status = 'active'
$$;

ALTER FUNCTION public.site_by_key(p_key text) OWNER TO atrium_definer;

CREATE FUNCTION public.social_api_version_found(p_platform text, p_version text, p_instead_of text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO social_api_version AS v (sav_platform, sav_version, sav_instead_of) VALUES (p_platform, p_version, p_instead_of)
  ON CONFLICT (sav_platform) DO UPDATE SET sav_version = excluded.sav_version, sav_instead_of = excluded.sav_instead_of, sav_found = now()
  RETURNING true
$$;

ALTER FUNCTION public.social_api_version_found(p_platform text, p_version text, p_instead_of text) OWNER TO atrium_definer;

CREATE FUNCTION public.social_api_version_in_use(p_platform text) RETURNS TABLE(version text, instead_of text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT v.sav_version, v.sav_instead_of FROM social_api_version v WHERE v.sav_platform = p_platform
$$;

ALTER FUNCTION public.social_api_version_in_use(p_platform text) OWNER TO atrium_definer;

CREATE FUNCTION public.social_connections_due(most integer) RETURNS TABLE(tenant_id uuid, con_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT c.tenant_id, c.con_id FROM social_connection c JOIN workspace w USING (tenant_id)
  WHERE c.con_next <= now() AND w.ws_status = 'active' ORDER BY c.con_next LIMIT most
$$;

ALTER FUNCTION public.social_connections_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.social_metrics_due(most integer) RETURNS TABLE(tenant_id uuid, spv_id uuid, spv_target uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT v.tenant_id, v.spv_id, v.spv_target FROM social_variant v JOIN workspace w USING (tenant_id)
  WHERE v.spv_metrics_next <= now() AND w.ws_status = 'active' ORDER BY v.spv_metrics_next LIMIT most
$$;

ALTER FUNCTION public.social_metrics_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.social_posts_due(most integer) RETURNS TABLE(tenant_id uuid, sp_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT p.tenant_id, p.sp_id FROM social_post p JOIN workspace w USING (tenant_id)
  WHERE p.sp_state = 'scheduled' AND p.sp_schedule_at <= now() AND w.ws_status = 'active'
  ORDER BY p.sp_schedule_at, p.sp_id LIMIT most
$$;

ALTER FUNCTION public.social_posts_due(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.social_posts_removed(most integer) RETURNS TABLE(tenant_id uuid, sp_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT p.tenant_id, p.sp_id FROM social_post p WHERE NOT p.sp_active AND p.sp_updated < now() - interval '30 days'
  ORDER BY p.sp_updated, p.sp_id LIMIT most
$$;

ALTER FUNCTION public.social_posts_removed(most integer) OWNER TO atrium_definer;

CREATE FUNCTION public.spaces_of(tenant uuid, account_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce(jsonb_agg(s.space_id ORDER BY s.space_id), '[]') FROM space s
    WHERE s.tenant_id = tenant AND s.space_active AND s.space_id IN (
      SELECT m.sm_space FROM space_member m
      WHERE m.tenant_id = tenant AND m.sm_principal_type = 'user' AND m.sm_principal = account_id
      UNION
      SELECT m.sm_space FROM user_role_link l
      JOIN space_member m ON m.tenant_id = l.tenant_id AND m.sm_principal_type = 'role' AND m.sm_principal = l.role_id
      WHERE l.tenant_id = tenant AND l.user_id = account_id)
  $$;

ALTER FUNCTION public.spaces_of(tenant uuid, account_id uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.storage_reserve(p_bytes bigint, p_user uuid) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.storage_reserve(p_bytes bigint, p_user uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.storage_roll(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.storage_roll(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.storage_settle(p_lines jsonb, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.storage_settle(p_lines jsonb, p_by jsonb) OWNER TO atrium_owner;

CREATE FUNCTION public.storage_watch(p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  q storage_quota;
  level integer;
BEGIN
  SELECT * INTO q FROM storage_quota WHERE tenant_id = current_tenant();
  level := CASE WHEN q.quota_bytes IS NULL THEN 0 WHEN q.quota_used >= q.quota_bytes THEN 2 WHEN q.quota_used::numeric * 100 >= q.quota_bytes::numeric * q.quota_warn_percent THEN 1 ELSE 0 END;
  IF level = q.quota_notified THEN RETURN; END IF;
  UPDATE storage_quota SET quota_notified = level WHERE tenant_id = q.tenant_id;
  INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
  SELECT q.tenant_id, id, 'event', (ARRAY['storage.quota_warning', 'storage.quota_exceeded'])[n], q.tenant_id, id::text,
         jsonb_build_object('quota_bytes', q.quota_bytes, 'quota_used', q.quota_used, 'quota_warn_percent', q.quota_warn_percent), p_by -> 'actor', p_by ->> 'request', p_by ->> 'trace'
  FROM generate_series(q.quota_notified + 1, level) n, LATERAL (SELECT time_ordered_id() AS id WHERE n > 0) made;
END
$$;

ALTER FUNCTION public.storage_watch(p_by jsonb) OWNER TO atrium_owner;

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

CREATE FUNCTION public.stream_fence_trim(p_age_seconds double precision, p_limit integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH old AS (
      SELECT tenant_id, sf_stream, sf_name FROM stream_fence
      WHERE sf_raised < clock_timestamp() - make_interval(secs => p_age_seconds)
      ORDER BY sf_raised LIMIT p_limit
    ), gone AS (
      DELETE FROM stream_fence f USING old
      WHERE f.tenant_id = old.tenant_id AND f.sf_stream = old.sf_stream AND f.sf_name = old.sf_name RETURNING 1
    )
    SELECT count(*) FROM gone
  $$;

ALTER FUNCTION public.stream_fence_trim(p_age_seconds double precision, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.supersede_versions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE file_version v SET fv_superseded = NEW.fv_created WHERE v.tenant_id = NEW.tenant_id AND v.fv_file = NEW.fv_file AND v.fv_number < NEW.fv_number AND v.fv_superseded IS NULL;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.supersede_versions() OWNER TO atrium_owner;

CREATE FUNCTION public.tag_words_of(workspace uuid, file uuid) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT coalesce(string_agg(t.mt_value || ' ' || array_to_string(t.mt_synonyms, ' '), ' ' ORDER BY t.mt_value_key, t.mt_id), '')
  FROM file_tag v JOIN media_tag t ON t.tenant_id = v.tenant_id AND t.mt_id = v.ft_tag WHERE v.tenant_id = workspace AND v.ft_file = file
$$;

ALTER FUNCTION public.tag_words_of(workspace uuid, file uuid) OWNER TO atrium_owner;

CREATE FUNCTION public.tell_blob_facts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE file SET file_shared = NEW.blob_refs > 1, file_corrupt = NEW.blob_corrupt IS NOT NULL
  WHERE tenant_id = NEW.tenant_id AND file_blob = NEW.blob_id AND (file_shared, file_corrupt) IS DISTINCT FROM (NEW.blob_refs > 1, NEW.blob_corrupt IS NOT NULL);
  RETURN NULL;
END $$;

ALTER FUNCTION public.tell_blob_facts() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_deprecated() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE file SET file_deprecated = true WHERE tenant_id = NEW.tenant_id AND file_id = NEW.file_id;
  ELSE
    UPDATE file SET file_deprecated = false WHERE tenant_id = OLD.tenant_id AND file_id = OLD.file_id;
  END IF;
  RETURN NULL;
END $$;

ALTER FUNCTION public.tell_deprecated() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_file_day() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT NEW.tenant_id, repo, (taken AT TIME ZONE 'UTC')::date, quarantined, n
    FROM (VALUES (OLD.repo_key, OLD.file_taken, OLD.file_processing = 'quarantined', -1, OLD.file_deleted IS NULL),
                 (NEW.repo_key, NEW.file_taken, NEW.file_processing = 'quarantined', 1, NEW.file_deleted IS NULL)) AS v (repo, taken, quarantined, n, live)
    WHERE live AND repo IN ('media', 'docs');
  RETURN NULL;
END
$$;

ALTER FUNCTION public.tell_file_day() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_file_holds() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM file WHERE tenant_id = NEW.tenant_id AND file_id = NEW.lh_target_id FOR NO KEY UPDATE;
  UPDATE file SET file_held = EXISTS (
    SELECT FROM legal_hold h WHERE h.tenant_id = NEW.tenant_id AND h.lh_target_type = 'file' AND h.lh_target_id = NEW.lh_target_id AND h.lh_released_at IS NULL)
  WHERE tenant_id = NEW.tenant_id AND file_id = NEW.lh_target_id;
  RETURN NULL;
END $$;

ALTER FUNCTION public.tell_file_holds() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_file_words() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT NEW.tenant_id, repo, w, sum(n)
    FROM (VALUES (OLD.repo_type, OLD.file_name, -1, OLD.file_deleted IS NULL), (NEW.repo_type, NEW.file_name, 1, NEW.file_deleted IS NULL)) AS v (repo, name, n, live), name_words(name) w
    WHERE live GROUP BY repo, w HAVING sum(n) <> 0;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.tell_file_words() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_files_come() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, repo_key, (file_taken AT TIME ZONE 'UTC')::date, file_processing = 'quarantined', count(*)
    FROM fresh WHERE file_deleted IS NULL AND repo_key IN ('media', 'docs') GROUP BY 1, 2, 3, 4;
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, repo_type, w, count(*) FROM fresh, name_words(file_name) w WHERE file_deleted IS NULL GROUP BY 1, 2, 3;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.tell_files_come() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_files_go() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO file_day_delta (tenant_id, fd_repo, fd_day, fd_quarantined, fd_files)
    SELECT tenant_id, repo_key, (file_taken AT TIME ZONE 'UTC')::date, file_processing = 'quarantined', -count(*)
    FROM stale WHERE file_deleted IS NULL AND repo_key IN ('media', 'docs') GROUP BY 1, 2, 3, 4;
  INSERT INTO file_word_delta (tenant_id, fw_repo, fw_word, fw_files)
    SELECT tenant_id, repo_type, w, -count(*) FROM stale, name_words(file_name) w WHERE file_deleted IS NULL GROUP BY 1, 2, 3;
  RETURN NULL;
END
$$;

ALTER FUNCTION public.tell_files_go() OWNER TO atrium_owner;

CREATE FUNCTION public.tell_memberships_of_mfa() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE workspace_user SET user_mfa = NEW.acc_totp IS NOT NULL WHERE user_id = NEW.acc_id AND user_status <> 'invited';
  RETURN NULL;
END
$$;

ALTER FUNCTION public.tell_memberships_of_mfa() OWNER TO atrium_owner;

CREATE FUNCTION public.tenant_tables() RETURNS SETOF regclass
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
    ORDER BY c.relname
  $$;

ALTER FUNCTION public.tenant_tables() OWNER TO atrium_owner;

CREATE FUNCTION public.time_ordered_id() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send((floor((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric)))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

ALTER FUNCTION public.time_ordered_id() OWNER TO atrium_owner;

CREATE FUNCTION public.unfinished_work(p_work text, p_at timestamp with time zone, p_id uuid, p_limit integer) RETURNS TABLE(work text, at timestamp with time zone, job_id uuid, is_lost boolean)
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT u.work, u.at, u.job_id,
    NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_kind = 'job' AND o.ev_name = ANY (u.queues) AND o.ev_key = u.job_id::text AND o.ev_done IS NULL)
    AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = u.job_id AND o.ev_done IS NULL AND u.queues IS NULL)
  FROM (SELECT * FROM (
    (SELECT 'background_job' AS work, j.job_created AS at, j.job_id, NULL::text[] AS queues FROM background_job j
     WHERE j.tenant_id = current_tenant() AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'background_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'background_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'cms_run', j.queued_at, j.job_id, ARRAY['website.sync', 'website.sync-resume'] FROM cms_run j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.queued_at < now() - interval '1 hour' AND p_work <= 'cms_run'
       AND (j.queued_at, j.job_id) > (CASE p_work WHEN 'cms_run' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.queued_at, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'download_job', j.job_created, j.job_id, ARRAY['files.zip'] FROM download_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'download_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'download_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'file_job', j.job_created, j.job_id, ARRAY['files.bulk'] FROM file_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour' AND p_work <= 'file_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'file_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'form_migration', coalesce(m.mig_created, m.mig_updated), m.mig_form, ARRAY['forms.migrate', 'forms.adopt'] FROM form_migration m
     WHERE m.tenant_id = current_tenant() AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour' AND p_work <= 'form_migration'
       AND (coalesce(m.mig_created, m.mig_updated), m.mig_form) > (CASE p_work WHEN 'form_migration' THEN p_at ELSE '-infinity' END, p_id)
     ORDER BY coalesce(m.mig_created, m.mig_updated), m.mig_form LIMIT p_limit)
    UNION ALL
    (SELECT 'knowledge_job', j.job_created, j.job_id, ARRAY['knowledge.' || j.job_kind] FROM knowledge_job j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour' AND p_work <= 'knowledge_job'
       AND (j.job_created, j.job_id) > (CASE p_work WHEN 'knowledge_job' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.job_created, j.job_id LIMIT p_limit)
    UNION ALL
    (SELECT 'object_sync_run', j.queued, j.job_id, ARRAY['objects.sync'] FROM object_sync_run j
     WHERE j.tenant_id = current_tenant() AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour' AND p_work <= 'object_sync_run'
       AND (j.queued, j.job_id) > (CASE p_work WHEN 'object_sync_run' THEN p_at ELSE '-infinity' END, p_id) ORDER BY j.queued, j.job_id LIMIT p_limit)
  ) a ORDER BY a.work, a.at, a.job_id LIMIT p_limit) u
  ORDER BY u.work, u.at, u.job_id
$$;

ALTER FUNCTION public.unfinished_work(p_work text, p_at timestamp with time zone, p_id uuid, p_limit integer) OWNER TO atrium_owner;

CREATE FUNCTION public.unfinished_work_in(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, has_work boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT w.tenant_id,
    EXISTS (SELECT FROM background_job j WHERE j.tenant_id = w.tenant_id AND j.job_status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM cms_run j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.queued_at < now() - interval '1 hour')
    OR EXISTS (SELECT FROM download_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM file_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM form_migration m WHERE m.tenant_id = w.tenant_id AND m.mig_status IN ('queued', 'running') AND m.mig_updated < now() - interval '1 hour')
    OR EXISTS (SELECT FROM knowledge_job j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.job_created < now() - interval '1 hour')
    OR EXISTS (SELECT FROM object_sync_run j WHERE j.tenant_id = w.tenant_id AND j.status IN ('queued', 'running') AND j.queued < now() - interval '1 hour')
  FROM (SELECT s.tenant_id FROM workspace s WHERE s.ws_status = 'active' AND (p_after IS NULL OR s.tenant_id > p_after) ORDER BY s.tenant_id LIMIT p_limit) w
  ORDER BY w.tenant_id
$$;

ALTER FUNCTION public.unfinished_work_in(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_charge(p_lines jsonb, p_by jsonb) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  fresh text[];
  entered boolean := false;
  line record;
  priced record;
  hold credit_hold;
  e usage_entry;
BEGIN
  IF tenant IS NULL THEN RETURN 0; END IF;
  WITH taken AS (
    INSERT INTO usage_sources (tenant_id, usage_source) SELECT tenant, l.source FROM jsonb_to_recordset(p_lines) AS l (source text) ORDER BY l.source ON CONFLICT DO NOTHING RETURNING usage_sources.usage_source
  )
  SELECT array_agg(taken.usage_source) INTO fresh FROM taken;
  IF fresh IS NULL THEN RETURN 0; END IF;
  FOR line IN
    SELECT DISTINCT ON (l.source) l.* FROM jsonb_to_recordset(p_lines)
      AS l (usage_id uuid, param text, details text, units numeric, person uuid, agent uuid, prompt uuid, key uuid, extension uuid, ref jsonb, at timestamptz, source text, hold uuid, keep boolean)
    WHERE l.source = ANY (fresh) ORDER BY l.source, l.usage_id
  LOOP
    IF line.at < clock_timestamp() - interval '35 days' OR line.at > clock_timestamp() + interval '5 minutes' THEN
      RAISE EXCEPTION 'the time % of the usage is too far from now', line.at USING ERRCODE = '22008';
    END IF;
    IF line.hold IS NOT NULL AND NOT entered THEN
      PERFORM credit_enter(tenant, p_by);
      entered := true;
    END IF;
    SELECT * INTO hold FROM credit_hold WHERE tenant_id = tenant AND hold_id = line.hold;
    SELECT * INTO priced FROM cost_at(tenant, line.param, line.details, coalesce(hold.hold_at, line.at));
    IF priced.cost_id IS NULL THEN RAISE EXCEPTION 'there is no price of %', line.param; END IF;
    e.tenant_id := tenant;
    e.usage_id := line.usage_id;
    e.usage_timestamp := line.at;
    e.usage_user := line.person;
    e.usage_param := line.param;
    e.usage_details := line.details;
    e.usage_consumed_units := line.units;
    e.usage_consumed_credits := round(e.usage_consumed_units * priced.price, 6);
    e.usage_cost_id := priced.cost_id;
    e.usage_agent := line.agent;
    e.usage_prompt := line.prompt;
    e.usage_key := line.key;
    e.usage_extension := line.extension;
    e.usage_ref := line.ref;
    e.usage_reverses := NULL;
    PERFORM usage_write(e);
    IF e.usage_consumed_credits > 0 THEN
      IF NOT entered THEN
        PERFORM credit_enter(tenant, p_by);
        entered := true;
      END IF;
      PERFORM credit_take(tenant, 'charge', e.usage_consumed_credits, e.usage_id, NULL);
      PERFORM budget_count(e, p_by);
    END IF;
    IF line.hold IS NOT NULL THEN
      UPDATE credit_hold SET
        hold_settled_at = CASE WHEN line.keep THEN hold_settled_at ELSE coalesce(hold_settled_at, clock_timestamp()) END,
        hold_credits = CASE WHEN line.keep THEN greatest(0, hold_credits - e.usage_consumed_credits) ELSE hold_credits END,
        hold_lines = CASE WHEN line.keep AND hold_lines ? line.param THEN hold_lines || jsonb_build_object(line.param, greatest(0, (hold_lines ->> line.param)::numeric - e.usage_consumed_credits)) ELSE hold_lines END
      WHERE tenant_id = tenant AND hold_id = line.hold;
    END IF;
  END LOOP;
  IF entered THEN PERFORM credit_watch(tenant, p_by); END IF;
  RETURN cardinality(fresh);
END
$$;

ALTER FUNCTION public.usage_charge(p_lines jsonb, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_day(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('1 day'::interval, at, '2000-01-01 00:00:00+00'::timestamp with time zone);

ALTER FUNCTION public.usage_day(at timestamp with time zone) OWNER TO atrium_owner;

CREATE FUNCTION public.usage_entries_purge(p_before timestamp with time zone, p_limit integer, p_spared uuid[] DEFAULT '{}'::uuid[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  spared CONSTANT uuid[] := p_spared || ARRAY(SELECT h.lh_target_id FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_released_at IS NULL);
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  IF current_tenant() IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO usage_horizon AS h VALUES (current_tenant(), p_before) ON CONFLICT (tenant_id) DO UPDATE SET hor_raw_from = greatest(h.hor_raw_from, excluded.hor_raw_from);
  SELECT min(due.usage_timestamp), max(due.usage_timestamp) INTO oldest, latest FROM (
    SELECT u.usage_timestamp FROM usage_entry u WHERE u.tenant_id = current_tenant() AND u.usage_timestamp < p_before AND (u.usage_user IS NULL OR u.usage_user <> ALL (spared))
    ORDER BY u.usage_timestamp LIMIT p_limit) due;
  DELETE FROM usage_entry u WHERE u.tenant_id = current_tenant() AND u.usage_timestamp BETWEEN oldest AND latest AND (u.usage_user IS NULL OR u.usage_user <> ALL (spared));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.usage_entries_purge(p_before timestamp with time zone, p_limit integer, p_spared uuid[]) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_group_of(p_left_out integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE p_left_out WHEN 7 THEN 'user'::text WHEN 11 THEN 'agent'::text WHEN 13 THEN 'prompt'::text WHEN 14 THEN 'details'::text ELSE 'all'::text END;

ALTER FUNCTION public.usage_group_of(p_left_out integer) OWNER TO atrium_owner;

CREATE FUNCTION public.usage_hour(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('01:00:00'::interval, at, '2000-01-01 00:00:00+00'::timestamp with time zone);

ALTER FUNCTION public.usage_hour(at timestamp with time zone) OWNER TO atrium_owner;

CREATE FUNCTION public.usage_quarter(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin('00:15:00'::interval, at, '2000-01-01 00:00:00+00'::timestamp with time zone);

ALTER FUNCTION public.usage_quarter(at timestamp with time zone) OWNER TO atrium_owner;

CREATE FUNCTION public.usage_rebuild(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  kept timestamptz := greatest((SELECT hor_raw_from FROM usage_horizon WHERE tenant_id = p_tenant), clock_timestamp() - interval '3650 days');
  first_day timestamptz := usage_day(greatest(p_from, kept + interval '1 day' - interval '1 millisecond'));
  last_day timestamptz := usage_day(p_to + interval '1 day' - interval '1 millisecond');
  made integer;
BEGIN
  IF usage_day(p_from) >= kept THEN
    first_day := usage_day(p_from);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('usage_roll'));
  DELETE FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day;
  INSERT INTO usage_cells
    SELECT p_tenant, usage_quarter(usage_timestamp), usage_param, usage_details, coalesce(usage_user, nil), coalesce(usage_agent, nil), coalesce(usage_prompt, nil), sum(n), sum(n * units), sum(n * credits)
    FROM (
      SELECT usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, 1 AS n, usage_consumed_units AS units, usage_consumed_credits AS credits
        FROM usage_entry WHERE tenant_id = p_tenant AND usage_timestamp >= first_day AND usage_timestamp < last_day
      UNION ALL
      SELECT usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, -1, usage_consumed_units, usage_consumed_credits
        FROM usage_delta WHERE tenant_id = p_tenant AND usage_timestamp >= first_day AND usage_timestamp < last_day
    ) rolled GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0;
  GET DIAGNOSTICS made = ROW_COUNT;
  DELETE FROM usage_days WHERE tenant_id = p_tenant AND day_start >= first_day AND day_start < last_day;
  INSERT INTO usage_days
    SELECT tenant_id, usage_day(cell_start), usage_param, usage_details, usage_user, usage_agent, usage_prompt, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day GROUP BY 1, 2, 3, 4, 5, 6, 7;
  DELETE FROM usage_thin WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day;
  INSERT INTO usage_thin
    SELECT tenant_id, cell_start, usage_param, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day GROUP BY 1, 2, 3;
  PERFORM usage_sum_up(p_tenant, first_day, last_day);
  RETURN made;
END
$$;

ALTER FUNCTION public.usage_rebuild(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_reverse(p_usage uuid, p_id uuid, p_note text, p_by jsonb) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  made CONSTANT timestamptz := to_timestamp(('x' || substr(replace(p_usage::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0);
  e usage_entry;
  part record;
  given numeric;
  loose numeric;
BEGIN
  IF tenant IS NULL THEN RETURN 'unknown'; END IF;
  PERFORM credit_enter(tenant, p_by);
  -- An id tells when its entry was written; most entries are of work that had just ended.
  SELECT * INTO e FROM usage_entry WHERE tenant_id = tenant AND usage_id = p_usage AND usage_timestamp BETWEEN made - interval '1 hour' AND made + interval '10 minutes';
  IF NOT FOUND THEN
    SELECT * INTO e FROM usage_entry WHERE tenant_id = tenant AND usage_id = p_usage AND usage_timestamp BETWEEN made - interval '36 days' AND made + interval '10 minutes';
  END IF;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF e.usage_reverses IS NOT NULL THEN RETURN 'correction'; END IF;
  INSERT INTO usage_reversal (tenant_id, rev_usage, rev_by) VALUES (tenant, p_usage, p_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'twice'; END IF;
  e.usage_id := p_id;
  e.usage_timestamp := clock_timestamp();
  e.usage_consumed_units := -e.usage_consumed_units;
  e.usage_consumed_credits := -e.usage_consumed_credits;
  e.usage_reverses := p_usage;
  PERFORM usage_write(e);
  loose := 0;
  FOR part IN
    SELECT l.led_grant, -l.led_credits AS credits, g.grant_state IN ('active', 'used_up') AS alive FROM credit_ledger l LEFT JOIN credit_grant g ON g.tenant_id = tenant AND g.grant_id = l.led_grant
    WHERE l.tenant_id = tenant AND l.led_usage = p_usage AND l.led_kind = 'charge' ORDER BY l.led_seq DESC
  LOOP
    given := 0;
    IF part.alive THEN
      given := greatest(0, part.credits - (SELECT greatest(0, -b.credit_balance - loose) FROM credit_balance b WHERE b.tenant_id = tenant));
    END IF;
    loose := loose + part.credits - given;
    IF given > 0 THEN
      UPDATE credit_grant SET grant_remaining = grant_remaining + given, grant_state = 'active' WHERE tenant_id = tenant AND grant_id = part.led_grant;
      PERFORM credit_note(tenant, 'correction', given, part.led_grant, p_id, p_note);
    END IF;
  END LOOP;
  IF loose > 0 THEN PERFORM credit_note(tenant, 'correction', loose, NULL, p_id, p_note); END IF;
  IF e.usage_consumed_credits <> 0 THEN
    PERFORM budget_count(e, p_by);
    PERFORM credit_watch(tenant, p_by);
  END IF;
  RETURN 'reversed';
END
$$;

ALTER FUNCTION public.usage_reverse(p_usage uuid, p_id uuid, p_note text, p_by jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_roll(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  moved integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('usage_roll')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM usage_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), fine AS MATERIALIZED (
    SELECT tenant_id, usage_quarter(usage_timestamp) AS cell_start, usage_param, usage_details, coalesce(usage_user, nil) AS usage_user, coalesce(usage_agent, nil) AS usage_agent,
           coalesce(usage_prompt, nil) AS usage_prompt, count(*) AS entries, sum(usage_consumed_units) AS units, sum(usage_consumed_credits) AS credits
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), sums AS MATERIALIZED (
    SELECT tenant_id, usage_group_of(GROUPING(usage_user, usage_agent, usage_prompt, usage_details)) AS usage_group, usage_hour(cell_start) AS hour_start, usage_param,
           coalesce(usage_user, usage_agent, usage_prompt, nil) AS usage_subject, coalesce(usage_details, '') AS usage_details, sum(entries) AS entries, sum(units) AS units, sum(credits) AS credits
    FROM fine GROUP BY tenant_id, usage_hour(cell_start), usage_param, GROUPING SETS ((), (usage_user), (usage_agent), (usage_prompt), (usage_details))
  ), cells AS (
    INSERT INTO usage_cells AS c SELECT * FROM fine ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (tenant_id, cell_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt) DO UPDATE SET
      usage_entries = c.usage_entries + excluded.usage_entries, usage_consumed_units = c.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = c.usage_consumed_credits + excluded.usage_consumed_credits
  ), days AS (
    INSERT INTO usage_days AS d
    SELECT tenant_id, usage_day(cell_start), usage_param, usage_details, usage_user, usage_agent, usage_prompt, sum(entries), sum(units), sum(credits) FROM fine GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (tenant_id, day_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt) DO UPDATE SET
      usage_entries = d.usage_entries + excluded.usage_entries, usage_consumed_units = d.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = d.usage_consumed_credits + excluded.usage_consumed_credits
  ), thin AS (
    INSERT INTO usage_thin AS t SELECT tenant_id, cell_start, usage_param, sum(entries), sum(units), sum(credits) FROM fine GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, cell_start, usage_param) DO UPDATE SET
      usage_entries = t.usage_entries + excluded.usage_entries, usage_consumed_units = t.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = t.usage_consumed_credits + excluded.usage_consumed_credits
  ), hourly AS (
    INSERT INTO usage_hourly AS h SELECT * FROM sums ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, usage_group, hour_start, usage_param, usage_subject, usage_details) DO UPDATE SET
      usage_entries = h.usage_entries + excluded.usage_entries, usage_consumed_units = h.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = h.usage_consumed_credits + excluded.usage_consumed_credits
  ), daily AS (
    INSERT INTO usage_daily AS d
    SELECT tenant_id, usage_group, usage_day(hour_start), usage_param, usage_subject, usage_details, sum(entries), sum(units), sum(credits) FROM sums GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, usage_group, day_start, usage_param, usage_subject, usage_details) DO UPDATE SET
      usage_entries = d.usage_entries + excluded.usage_entries, usage_consumed_units = d.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = d.usage_consumed_credits + excluded.usage_consumed_credits
  ), unreported AS (
    INSERT INTO usage_unreported AS u
    SELECT t.tenant_id, t.usage_param, min(t.usage_timestamp), max(t.usage_timestamp), count(*), sum(t.usage_consumed_units), sum(t.usage_consumed_credits)
    FROM taken t JOIN workspace w ON w.tenant_id = t.tenant_id AND w.ws_options ->> 'usage_events' = 'true' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, usage_param) DO UPDATE SET
      rep_from = least(u.rep_from, excluded.rep_from), rep_to = greatest(u.rep_to, excluded.rep_to), usage_entries = u.usage_entries + excluded.usage_entries,
      usage_consumed_units = u.usage_consumed_units + excluded.usage_consumed_units, usage_consumed_credits = u.usage_consumed_credits + excluded.usage_consumed_credits
  )
  SELECT coalesce(sum(entries), 0) INTO moved FROM fine;
  RETURN moved;
END
$$;

ALTER FUNCTION public.usage_roll(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_sources_prune(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM usage_sources WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_sources WHERE src_created < clock_timestamp() - interval '90 days' ORDER BY src_created LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

ALTER FUNCTION public.usage_sources_prune(p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_sum_up(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  DELETE FROM usage_hourly WHERE tenant_id = p_tenant AND hour_start >= p_from AND hour_start < p_to;
  INSERT INTO usage_hourly
    SELECT p_tenant, usage_group_of(GROUPING(usage_user, usage_agent, usage_prompt, usage_details)), usage_hour(cell_start), usage_param, coalesce(usage_user, usage_agent, usage_prompt, nil),
           coalesce(usage_details, ''), sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= p_from AND cell_start < p_to
    GROUP BY usage_hour(cell_start), usage_param, GROUPING SETS ((), (usage_user), (usage_agent), (usage_prompt), (usage_details)) ORDER BY 1, 2, 3, 4, 5, 6;
  DELETE FROM usage_daily WHERE tenant_id = p_tenant AND day_start >= p_from AND day_start < p_to;
  INSERT INTO usage_daily
    SELECT p_tenant, usage_group, usage_day(hour_start), usage_param, usage_subject, usage_details, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_hourly WHERE tenant_id = p_tenant AND hour_start >= p_from AND hour_start < p_to GROUP BY 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6;
END
$$;

ALTER FUNCTION public.usage_sum_up(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_unreported_in(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT DISTINCT u.tenant_id FROM usage_unreported u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND (p_after IS NULL OR u.tenant_id > p_after) ORDER BY u.tenant_id LIMIT p_limit
  $$;

ALTER FUNCTION public.usage_unreported_in(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_untold_in(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT tenant_id FROM usage_unreported_in(p_after, p_limit) $$;

ALTER FUNCTION public.usage_untold_in(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.usage_write(e public.usage_entry) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_details, usage_consumed_units, usage_consumed_credits, usage_cost_id, usage_agent, usage_prompt, usage_key, usage_extension, usage_ref, usage_reverses)
      SELECT e.tenant_id, e.usage_id, e.usage_timestamp, e.usage_user, e.usage_param, e.usage_details, e.usage_consumed_units, e.usage_consumed_credits, e.usage_cost_id, e.usage_agent, e.usage_prompt, e.usage_key, e.usage_extension, e.usage_ref, e.usage_reverses;
    INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits)
      SELECT e.tenant_id, e.usage_timestamp, e.usage_param, e.usage_details, e.usage_user, e.usage_agent, e.usage_prompt, e.usage_consumed_units, e.usage_consumed_credits;
  $$;

ALTER FUNCTION public.usage_write(e public.usage_entry) OWNER TO atrium_definer;

CREATE FUNCTION public.users_search(part text, needles text[], without text[]) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  first text := dotless(folded(coalesce(needles[1], '%')));
BEGIN
  IF part = 'name' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first AND dotless(folded(u.user_name)) LIKE first;
  ELSIF part = 'email' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first AND dotless(folded(u.user_email)) LIKE first;
  ELSE
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first
        AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE ALL (ARRAY(SELECT dotless(folded(n)) FROM unnest(needles) n))
        AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) NOT LIKE ALL (ARRAY(SELECT dotless(folded(w)) FROM unnest(without) w));
  END IF;
END
$$;

ALTER FUNCTION public.users_search(part text, needles text[], without text[]) OWNER TO atrium_search;

CREATE FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN jsonb_build_object('code', CASE WHEN (size = 0) THEN 'empty'::text ELSE COALESCE(fault, CASE WHEN (processing = 'quarantined'::text) THEN 'quarantined'::text WHEN (kind = ANY (ARRAY['image'::text, 'video'::text])) THEN 'not_made'::text ELSE 'no_picture'::text END) END, 'detail', CASE WHEN (size = 0) THEN 'The file is empty.'::text WHEN (processing = 'quarantined'::text) THEN 'The file is in quarantine.'::text ELSE CASE fault WHEN 'unreadable'::text THEN 'The bytes cannot be read as what they seem to be.'::text WHEN 'damaged'::text THEN 'Bytes are missing or wrong, and nothing of it could be shown.'::text WHEN 'unsupported_format'::text THEN 'Pictures of this format are not rendered.'::text WHEN 'too_many_pixels'::text THEN 'The picture has more pixels than are decoded.'::text WHEN 'too_large'::text THEN 'The file is larger than what is decoded in memory.'::text WHEN 'too_complex'::text THEN 'The drawing would take too long to draw.'::text WHEN 'document_type'::text THEN 'The drawing declares entities, which are not read.'::text WHEN 'external_reference'::text THEN 'The drawing refers to something outside itself, which is not fetched.'::text WHEN 'timed_out'::text THEN 'Rendering took too long and was stopped.'::text WHEN 'out_of_memory'::text THEN 'Rendering took too much memory and was stopped.'::text WHEN 'crashed'::text THEN 'Rendering ended unexpectedly.'::text WHEN 'encrypted'::text THEN 'The document opens with a password only.'::text WHEN 'no_video_tools'::text THEN 'This installation has no tools that render films (ffmpeg and ffprobe).'::text WHEN 'storage_failed'::text THEN 'The bytes could not be read from storage.'::text ELSE CASE WHEN (fault IS NOT NULL) THEN 'The file could not be rendered.'::text WHEN (kind = ANY (ARRAY['image'::text, 'video'::text])) THEN 'No picture was made of the file.'::text ELSE 'Files of this kind have no picture.'::text END END END);

ALTER FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) OWNER TO atrium_owner;

CREATE FUNCTION public.without_person(p_text text, p_pattern text, p_mark text DEFAULT '[erased]'::text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (p_pattern IS NULL) THEN p_text ELSE regexp_replace(p_text, p_pattern, p_mark, 'gi'::text) END;

ALTER FUNCTION public.without_person(p_text text, p_pattern text, p_mark text) OWNER TO atrium_owner;

CREATE FUNCTION public.without_phrases(p_text text, p_phrases text[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  phrase text;
BEGIN
  FOREACH phrase IN ARRAY p_phrases LOOP
    p_text := replace(p_text, phrase, '[erased]');
  END LOOP;
  RETURN p_text;
END
$$;

ALTER FUNCTION public.without_phrases(p_text text, p_phrases text[]) OWNER TO atrium_owner;

CREATE FUNCTION public.words_like(part text, repo text, most integer) RETURNS TABLE(word text, likeness real, files bigint)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  swapped CONSTANT text[] := ARRAY(SELECT left(part, n - 1) || substr(part, n + 1, 1) || substr(part, n, 1) || substr(part, n + 2) FROM generate_series(1, length(part) - 1) n);
BEGIN
  RETURN QUERY
    SELECT k.fw_word, greatest(similarity(k.fw_word, part), CASE WHEN k.fw_word = ANY (swapped) THEN 0.5 END)::real AS alike, sum(k.fw_files)::bigint AS held
    FROM (SELECT w.fw_word, w.fw_files FROM file_word w WHERE w.tenant_id = current_tenant() AND w.fw_repo = repo AND w.fw_word % part
          UNION ALL
          SELECT w.fw_word, w.fw_files FROM file_word w WHERE w.tenant_id = current_tenant() AND w.fw_repo = repo AND w.fw_word = ANY (swapped) AND NOT w.fw_word % part
          UNION ALL
          SELECT d.fw_word, d.fw_files FROM file_word_delta d WHERE d.tenant_id = current_tenant() AND d.fw_repo = repo AND (d.fw_word % part OR d.fw_word = ANY (swapped))) k
    GROUP BY k.fw_word HAVING sum(k.fw_files) > 0 ORDER BY alike DESC, held DESC, k.fw_word LIMIT most;
END
$$;

ALTER FUNCTION public.words_like(part text, repo text, most integer) OWNER TO atrium_owner;

CREATE FUNCTION public.words_of(p_texts text[]) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT w.word
    FROM (((unnest(words_of.p_texts) t(whole)
      CROSS JOIN LATERAL ( SELECT public.dotless("left"(regexp_replace(t.whole, '\\[bfnrt]'::text, ' '::text, 'g'::text), 300000)) AS dotless) c(plain))
      CROSS JOIN LATERAL ( VALUES (c.plain), (regexp_replace(c.plain, '[^[:alnum:]]+'::text, ' '::text, 'g'::text))) f(form))
      CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('simple'::regconfig, f.form))) w(word));
END;

ALTER FUNCTION public.words_of(p_texts text[]) OWNER TO atrium_owner;

CREATE FUNCTION public.words_without(p_words tsvector, p_old text[], p_new text[]) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ts_delete(p_words, ARRAY(SELECT public.words_of(words_without.p_old) AS words_of EXCEPT SELECT public.words_of(words_without.p_new) AS words_of));

ALTER FUNCTION public.words_without(p_words tsvector, p_old text[], p_new text[]) OWNER TO atrium_owner;

CREATE FUNCTION public.work_backlog() RETURNS TABLE(work text, many integer, oldest_seconds double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT b.work, count(*)::integer, coalesce(extract(epoch FROM clock_timestamp() - min(b.since)), 0)::double precision
    FROM (
      (SELECT 'runs_' || r.run_status AS work, r.run_alive AS since FROM run r
       WHERE r.run_status IN ('queued', 'running', 'waiting') ORDER BY r.run_alive LIMIT 10000)
      UNION ALL
      (SELECT 'sources_pending', s.source_updated FROM passage_source s WHERE s.source_status = 'pending' LIMIT 10000)
    ) b GROUP BY b.work
  $$;

ALTER FUNCTION public.work_backlog() OWNER TO atrium_definer;

CREATE FUNCTION public.workspace_at_work() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT NOT EXISTS (SELECT FROM workspace w WHERE w.tenant_id = current_tenant() AND w.ws_status <> 'active') $$;

ALTER FUNCTION public.workspace_at_work() OWNER TO atrium_owner;

CREATE FUNCTION public.workspaces_active(p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, ws_timezone text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT w.tenant_id, w.ws_timezone FROM workspace w WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) ORDER BY w.tenant_id LIMIT p_limit $$;

ALTER FUNCTION public.workspaces_active(p_after uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_add_user(tenant uuid, spec jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  account_id uuid;
BEGIN
  INSERT INTO account (acc_id, acc_email) VALUES ((spec ->> 'user_id')::uuid, spec ->> 'user_email') ON CONFLICT (acc_email) DO NOTHING;
  SELECT acc_id INTO account_id FROM account WHERE acc_email = spec ->> 'user_email' OR acc_id = (spec ->> 'user_id')::uuid ORDER BY acc_email = spec ->> 'user_email' DESC NULLS LAST LIMIT 1;
  IF (spec ->> 'vouched')::boolean THEN
    PERFORM auth_clear_unproven(account_id);
    UPDATE account SET acc_email_verified_at = now(), acc_password_hash = spec ->> 'password_hash', acc_password_changed_at = clock_timestamp()
      WHERE acc_id = account_id AND acc_email_verified_at IS NULL;
  END IF;
  INSERT INTO workspace_user (tenant_id, user_id, user_kind, user_email, user_name) VALUES (tenant, account_id, coalesce(spec ->> 'user_kind', 'person'), spec ->> 'user_email', spec ->> 'user_name');
  INSERT INTO user_role_link (tenant_id, user_id, role_id)
    SELECT tenant, account_id, role_id FROM role WHERE tenant_id = tenant AND role_key IN (SELECT jsonb_array_elements_text(spec -> 'role_keys'));
  RETURN jsonb_build_object('user_id', account_id);
END
$$;

ALTER FUNCTION public.ws_add_user(tenant uuid, spec jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_find_external(p_external_id text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT tenant_id FROM workspace WHERE ws_external_id = p_external_id $$;

ALTER FUNCTION public.ws_find_external(p_external_id text) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_list() RETURNS TABLE(ws_id uuid, ws_name text, ws_slug text, ws_status text, ws_created timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT ws_id, ws_name, ws_slug, ws_status, ws_created FROM workspace ORDER BY ws_created $$;

ALTER FUNCTION public.ws_list() OWNER TO atrium_definer;

CREATE FUNCTION public.ws_may_purge(p_tenant uuid) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT coalesce((SELECT ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FROM workspace WHERE tenant_id = p_tenant),
                    EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND deleted_at IS NOT NULL))
  $$;

ALTER FUNCTION public.ws_may_purge(p_tenant uuid) OWNER TO atrium_owner;

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
    ws_security jsonb DEFAULT '{"ip_allow": [], "require_mfa": false, "key_max_days": null, "personal_keys": true, "password_login": true, "session_max_days": 30, "session_idle_minutes": 1440, "allowed_email_domains": []}'::jsonb NOT NULL,
    ws_brand jsonb DEFAULT '{}'::jsonb NOT NULL,
    ws_delete_after timestamp(3) with time zone,
    ws_status_reason text,
    CONSTRAINT workspace_ws_slug_check CHECK ((ws_slug ~ '^[a-z][a-z0-9-]{1,38}[a-z0-9]$'::text)),
    CONSTRAINT workspace_ws_status_check CHECK ((ws_status = ANY (ARRAY['active'::text, 'suspended'::text, 'deleting'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.workspace FORCE ROW LEVEL SECURITY;

ALTER TABLE public.workspace OWNER TO atrium_owner;

CREATE FUNCTION public.ws_page(p_filters jsonb, p_before timestamp with time zone, p_before_id uuid, p_limit integer) RETURNS SETOF public.workspace
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT * FROM workspace w
    WHERE (p_before IS NULL OR (w.ws_created, w.tenant_id) < (p_before, p_before_id))
      AND (p_filters ->> 'ws_name' IS NULL OR w.ws_name ILIKE p_filters ->> 'ws_name') AND (p_filters ->> 'ws_slug' IS NULL OR w.ws_slug = p_filters ->> 'ws_slug')
      AND (p_filters ->> 'ws_status' IS NULL OR w.ws_status = p_filters ->> 'ws_status') AND (p_filters ->> 'ws_external_id' IS NULL OR w.ws_external_id = p_filters ->> 'ws_external_id')
    ORDER BY w.ws_created DESC, w.tenant_id DESC LIMIT p_limit
  $$;

ALTER FUNCTION public.ws_page(p_filters jsonb, p_before timestamp with time zone, p_before_id uuid, p_limit integer) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_provision(spec jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  tenant uuid := (spec ->> 'ws_id')::uuid;
  owner_id uuid;
BEGIN
  INSERT INTO workspace (tenant_id, ws_name, ws_slug, ws_external_id, ws_seat_limit, ws_timezone, ws_locale)
    VALUES (tenant, spec ->> 'ws_name', spec ->> 'ws_slug', spec ->> 'ws_external_id', (spec ->> 'ws_seat_limit')::integer, coalesce(spec ->> 'ws_timezone', 'UTC'), coalesce(spec ->> 'ws_locale', 'en'));
  INSERT INTO role (tenant_id, role_id, role_key, role_name, role_description, role_permissions, role_default)
    SELECT tenant, r.role_id, r.role_key, r.role_name, r.role_description, r.role_permissions, r.role_default
    FROM jsonb_to_recordset(spec -> 'roles') AS r (role_id uuid, role_key text, role_name text, role_description text, role_permissions text[], role_default boolean);
  INSERT INTO licence (tenant_id, lic_module, lic_source) SELECT tenant, m, 'provisioning' FROM jsonb_array_elements_text(spec -> 'modules') m;
  owner_id := (ws_add_user(tenant, spec -> 'owner') ->> 'user_id')::uuid;
  RETURN jsonb_build_object('ws_id', tenant, 'user_id', owner_id);
END
$$;

ALTER FUNCTION public.ws_provision(spec jsonb) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_purge_begin(p_tenant uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  PERFORM FROM workspace WHERE tenant_id = p_tenant AND ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO workspace_tombstone (ws_id) VALUES (p_tenant) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;

ALTER FUNCTION public.ws_purge_begin(p_tenant uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_purge_end(p_tenant uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  target regclass;
  left_over boolean;
BEGIN
  PERFORM FROM workspace WHERE tenant_id = p_tenant AND ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  DELETE FROM outbox WHERE tenant_id = p_tenant;
  FOR target IN SELECT t FROM tenant_tables() t WHERE t <> 'workspace'::regclass LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE tenant_id = $1)', target) INTO left_over USING p_tenant;
    IF left_over THEN RAISE EXCEPTION 'rows of the workspace are left in %', target; END IF;
  END LOOP;
  DELETE FROM account_session WHERE ses_tenant = p_tenant;
  DELETE FROM account_token WHERE tok_tenant = p_tenant;
  DELETE FROM job_turn WHERE turn_workspace = p_tenant;
  DELETE FROM workspace WHERE tenant_id = p_tenant;
  UPDATE workspace_tombstone SET deleted_at = clock_timestamp(), counts = (SELECT coalesce(jsonb_object_agg(key, value -> 'done'), '{}') FROM jsonb_each(ws_purge)), ws_purge = '{}' WHERE ws_id = p_tenant;
END
$_$;

ALTER FUNCTION public.ws_purge_end(p_tenant uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_purge_note(p_tenant uuid, p_step text, p_more bigint, p_left bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE workspace_tombstone t SET ws_purge = t.ws_purge || jsonb_build_object(p_step, jsonb_build_object(
      'done', s.done + p_more, 'total', greatest(s.total, s.done + p_more + p_left)))
    FROM (SELECT ws_id, coalesce((ws_purge #>> ARRAY[p_step, 'done'])::bigint, 0) AS done, coalesce((ws_purge #>> ARRAY[p_step, 'total'])::bigint, 0) AS total FROM workspace_tombstone) s
    WHERE t.ws_id = p_tenant AND s.ws_id = t.ws_id AND t.deleted_at IS NULL
  $$;

ALTER FUNCTION public.ws_purge_note(p_tenant uuid, p_step text, p_more bigint, p_left bigint) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_purge_step(p_tenant uuid, p_table text, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  -- A host of the release before names tables as they were called, before and after each part of this step.
  named CONSTANT text := CASE p_table WHEN 'usage_untold' THEN 'usage_unreported' WHEN 'retention_look' THEN 'retention_check' WHEN 'consent_look' THEN 'consent_expiry_position' ELSE p_table END;
  target regclass := (SELECT t FROM tenant_tables() t WHERE t::text IN (p_table, named) AND p_table <> 'workspace');
  spared text := CASE WHEN p_table = 'outbox' THEN $c$ AND NOT (ev_name = 'identity.workspace-purge' AND ev_done IS NULL)$c$ ELSE '' END;
  people uuid[] := '{}';
  total bigint;
  gone bigint;
BEGIN
  IF target IS NULL THEN RAISE EXCEPTION 'no table of workspaces is called %', p_table; END IF;
  IF NOT ws_may_purge(p_tenant) THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  IF NOT EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND (deleted_at IS NOT NULL OR ws_purge ? p_table)) THEN
    EXECUTE format('SELECT count(*) FROM %s WHERE tenant_id = $1%s', target, spared) INTO total USING p_tenant;
  END IF;
  IF p_table = 'workspace_user' THEN
    people := ARRAY(SELECT user_id FROM workspace_user WHERE tenant_id = p_tenant ORDER BY user_id LIMIT p_limit);
    DELETE FROM workspace_user WHERE tenant_id = p_tenant AND user_id = ANY (people);
  ELSE
    EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE tenant_id = $1%2$s LIMIT $2))', target, spared) USING p_tenant, p_limit;
  END IF;
  GET DIAGNOSTICS gone = ROW_COUNT;
  -- Locked before anybody asks where else they are: who is made a member at this moment comes first, or finds no account.
  PERFORM FROM account a WHERE a.acc_id = ANY (people) ORDER BY a.acc_id FOR UPDATE;
  people := ARRAY(SELECT p FROM unnest(people) p WHERE NOT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p AND o.user_email IS NOT NULL));
  DELETE FROM account_session s WHERE s.acc_id = ANY (people);
  DELETE FROM account_token t WHERE t.acc_id = ANY (people);
  UPDATE account a SET acc_email = NULL, acc_email_verified_at = NULL, acc_password_hash = NULL, acc_password_changed_at = NULL, acc_totp = NULL, acc_totp_step = NULL,
                       acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}', acc_status = 'erased'
    WHERE a.acc_id = ANY (people);
  IF gone > 0 OR total IS NOT NULL THEN PERFORM ws_purge_note(p_tenant, p_table, gone, coalesce(total - gone, 0)); END IF;
  RETURN gone;
END
$_$;

ALTER FUNCTION public.ws_purge_step(p_tenant uuid, p_table text, p_limit integer) OWNER TO atrium_definer;

CREATE TABLE public.workspace_tombstone (
    ws_id uuid NOT NULL,
    ws_purge jsonb DEFAULT '{}'::jsonb NOT NULL,
    deleted_at timestamp(3) with time zone,
    counts jsonb
);

ALTER TABLE public.workspace_tombstone OWNER TO atrium_owner;

CREATE FUNCTION public.ws_tombstone(p_tenant uuid) RETURNS SETOF public.workspace_tombstone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$ SELECT * FROM workspace_tombstone WHERE ws_id = p_tenant $$;

ALTER FUNCTION public.ws_tombstone(p_tenant uuid) OWNER TO atrium_definer;

CREATE FUNCTION public.ws_user_counts(p_ids uuid[]) RETURNS TABLE(ws_id uuid, users bigint, seats bigint, modules text[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT u.tenant_id, count(*) FILTER (WHERE u.user_status <> 'removed'), count(*) FILTER (WHERE u.user_kind = 'person' AND u.user_status IN ('active', 'invited')),
           ARRAY(SELECT l.lic_module FROM licence l WHERE l.tenant_id = u.tenant_id AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now()) ORDER BY l.lic_module)
    FROM workspace_user u WHERE u.tenant_id = ANY (p_ids) GROUP BY u.tenant_id
  $$;

ALTER FUNCTION public.ws_user_counts(p_ids uuid[]) OWNER TO atrium_definer;

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
    log_sampled boolean DEFAULT false NOT NULL,
    log_text text,
    log_ids uuid[],
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
    log_sampled boolean DEFAULT false NOT NULL,
    log_text text,
    log_ids uuid[],
    CONSTRAINT access_log_log_principal_check CHECK ((log_principal = ANY (ARRAY['person'::text, 'service'::text, 'extension'::text, 'user_via_extension'::text, 'public'::text])))
);

ALTER TABLE public.access_log_default OWNER TO atrium_definer;

CREATE TABLE public.access_log_scrubbing (
    scrub_part text NOT NULL,
    scrub_tenant uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    scrub_time timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    scrub_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    scrub_due timestamp(3) with time zone DEFAULT now(),
    scrub_again timestamp(3) with time zone
);

ALTER TABLE public.access_log_scrubbing OWNER TO atrium_owner;

CREATE TABLE public.account_link (
    tenant_id uuid NOT NULL,
    link_issuer uuid NOT NULL,
    link_subject text NOT NULL,
    link_account uuid NOT NULL,
    link_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.account_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.account_link OWNER TO atrium_owner;

CREATE TABLE public.account_token (
    tok_hash text NOT NULL,
    acc_id uuid NOT NULL,
    tok_kind text NOT NULL,
    tok_email text,
    tok_tenant uuid,
    tok_failures smallint DEFAULT 0 NOT NULL,
    tok_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    tok_expires_at timestamp(3) with time zone NOT NULL,
    tok_invitation text,
    CONSTRAINT account_token_tok_kind_check CHECK ((tok_kind = ANY (ARRAY['reset'::text, 'email'::text, 'mfa'::text, 'undo'::text])))
);

ALTER TABLE public.account_token OWNER TO atrium_owner;

CREATE TABLE public.agent (
    tenant_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    agent_name text NOT NULL,
    agent_name_key text GENERATED ALWAYS AS (lower("left"(agent_name, 64))) STORED NOT NULL,
    agent_description text,
    agent_instructions text,
    agent_icon text,
    agent_type text DEFAULT 'chat'::text NOT NULL,
    agent_context_types text[] DEFAULT '{}'::text[] NOT NULL,
    agent_model text,
    agent_params jsonb DEFAULT '{}'::jsonb NOT NULL,
    agent_knowledge uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    agent_folders uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    agent_files uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    agent_retrieval jsonb DEFAULT '{"k": 8, "mode": "tool", "require": false, "audience": "asker", "min_score": 0}'::jsonb NOT NULL,
    agent_tools jsonb DEFAULT '[]'::jsonb NOT NULL,
    agent_memory boolean DEFAULT true NOT NULL,
    agent_starters text[] DEFAULT '{}'::text[] NOT NULL,
    agent_greeting text,
    agent_schema jsonb,
    agent_overrides text[] DEFAULT '{}'::text[] NOT NULL,
    agent_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    agent_default boolean DEFAULT false NOT NULL,
    agent_managed_by text,
    agent_version integer DEFAULT 1 NOT NULL,
    agent_user uuid,
    agent_active boolean DEFAULT true NOT NULL,
    agent_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    agent_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    agent_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    agent_tsv tsvector DEFAULT ''::tsvector NOT NULL,
    CONSTRAINT agent_agent_type_check CHECK ((agent_type = ANY (ARRAY['chat'::text, 'context'::text])))
);

ALTER TABLE ONLY public.agent FORCE ROW LEVEL SECURITY;

ALTER TABLE public.agent OWNER TO atrium_owner;

CREATE TABLE public.agent_revision (
    tenant_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    agent_version integer NOT NULL,
    rev_body jsonb NOT NULL,
    rev_user uuid,
    rev_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.agent_revision FORCE ROW LEVEL SECURITY;

ALTER TABLE public.agent_revision OWNER TO atrium_owner;

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
    album_fts tsvector DEFAULT ''::tsvector NOT NULL,
    album_query uuid,
    album_query_own boolean DEFAULT false NOT NULL,
    album_path_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    CONSTRAINT album_album_kind_check CHECK ((album_kind = ANY (ARRAY['media'::text, 'docs'::text]))),
    CONSTRAINT album_smart_query CHECK ((album_smart = (album_query IS NOT NULL)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.album FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album OWNER TO atrium_owner;

CREATE TABLE public.album_change (
    tenant_id uuid NOT NULL,
    ac_id uuid NOT NULL,
    ac_album uuid NOT NULL,
    ac_file uuid NOT NULL,
    ac_change text NOT NULL,
    ac_created timestamp(3) with time zone NOT NULL,
    CONSTRAINT album_change_ac_change_check CHECK ((ac_change = ANY (ARRAY['entered'::text, 'left'::text])))
);

ALTER TABLE ONLY public.album_change FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album_change OWNER TO atrium_owner;

CREATE TABLE public.album_file (
    tenant_id uuid NOT NULL,
    af_id uuid DEFAULT gen_random_uuid() NOT NULL,
    af_album uuid NOT NULL,
    af_file uuid NOT NULL,
    af_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    af_added_by uuid,
    af_hidden boolean DEFAULT false NOT NULL,
    af_position text DEFAULT lpad(to_hex(((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint), 14, '0'::text) NOT NULL COLLATE pg_catalog."C",
    af_file_created timestamp(3) with time zone,
    CONSTRAINT album_file_af_position_check CHECK (((length(af_position) <= 400) AND (af_position ~ '^[0-9a-f]+$'::text)))
);
ALTER TABLE ONLY public.album_file ALTER COLUMN af_album SET (n_distinct=1000);
ALTER TABLE ONLY public.album_file ALTER COLUMN af_file SET (n_distinct=-0.5);

ALTER TABLE ONLY public.album_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album_file OWNER TO atrium_owner;

CREATE TABLE public.album_snapshot (
    tenant_id uuid NOT NULL,
    as_album uuid NOT NULL,
    as_hash text NOT NULL,
    as_count integer NOT NULL,
    as_complete boolean NOT NULL,
    as_taken timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.album_snapshot FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album_snapshot OWNER TO atrium_owner;

CREATE TABLE public.album_snapshot_file (
    tenant_id uuid NOT NULL,
    asf_album uuid NOT NULL,
    asf_file uuid NOT NULL
);

ALTER TABLE ONLY public.album_snapshot_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.album_snapshot_file OWNER TO atrium_owner;

CREATE TABLE public.approval_decision (
    tenant_id uuid NOT NULL,
    cad_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    cad_request uuid NOT NULL,
    cad_by uuid NOT NULL,
    cad_decision text NOT NULL,
    cad_comment text,
    cad_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT approval_decision_cad_decision_check CHECK ((cad_decision = ANY (ARRAY['approve'::text, 'reject'::text])))
);

ALTER TABLE ONLY public.approval_decision FORCE ROW LEVEL SECURITY;

ALTER TABLE public.approval_decision OWNER TO atrium_owner;

CREATE TABLE public.approval_flow (
    tenant_id uuid NOT NULL,
    caf_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    caf_name text NOT NULL,
    caf_name_key text GENERATED ALWAYS AS (lower("left"(caf_name, 64))) STORED NOT NULL,
    caf_description text,
    caf_subject text NOT NULL,
    caf_active boolean DEFAULT false NOT NULL,
    caf_scope jsonb DEFAULT '{"sites": [], "locales": []}'::jsonb NOT NULL,
    caf_states jsonb NOT NULL,
    caf_transitions jsonb DEFAULT '[]'::jsonb NOT NULL,
    caf_map jsonb DEFAULT '{}'::jsonb NOT NULL,
    caf_on_edit text DEFAULT 'reset'::text NOT NULL,
    caf_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    caf_revision integer DEFAULT 1 NOT NULL,
    caf_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    caf_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT approval_flow_caf_on_edit_check CHECK ((caf_on_edit = ANY (ARRAY['reset'::text, 'keep'::text])))
);

ALTER TABLE ONLY public.approval_flow FORCE ROW LEVEL SECURITY;

ALTER TABLE public.approval_flow OWNER TO atrium_owner;

CREATE TABLE public.approval_request (
    tenant_id uuid NOT NULL,
    car_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    car_flow uuid NOT NULL,
    car_transition jsonb NOT NULL,
    car_subject_type text NOT NULL,
    car_subject_id uuid NOT NULL,
    car_locale text,
    car_version text NOT NULL,
    car_hash text NOT NULL,
    car_status text DEFAULT 'open'::text NOT NULL,
    car_comment text,
    car_publish jsonb,
    car_requested_by uuid NOT NULL,
    car_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    car_closed timestamp(3) with time zone,
    car_allow_self boolean DEFAULT false NOT NULL,
    car_on_edit text DEFAULT 'reset'::text NOT NULL,
    car_stalled timestamp(3) with time zone,
    CONSTRAINT approval_request_car_on_edit_check CHECK ((car_on_edit = ANY (ARRAY['reset'::text, 'keep'::text]))),
    CONSTRAINT approval_request_car_status_check CHECK ((car_status = ANY (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'superseded'::text])))
);

ALTER TABLE ONLY public.approval_request FORCE ROW LEVEL SECURITY;

ALTER TABLE public.approval_request OWNER TO atrium_owner;

CREATE TABLE public.approval_standing (
    tenant_id uuid NOT NULL,
    cas_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    cas_subject_type text NOT NULL,
    cas_subject_id uuid NOT NULL,
    cas_locale text,
    cas_flow uuid NOT NULL,
    cas_state text NOT NULL,
    cas_hash text,
    cas_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.approval_standing FORCE ROW LEVEL SECURITY;

ALTER TABLE public.approval_standing OWNER TO atrium_owner;

CREATE TABLE public.approval_waiting (
    tenant_id uuid NOT NULL,
    caw_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    caw_request uuid NOT NULL,
    caw_kind text NOT NULL,
    caw_ref text NOT NULL,
    CONSTRAINT approval_waiting_caw_kind_check CHECK ((caw_kind = ANY (ARRAY['user'::text, 'role'::text, 'permission'::text, 'editor'::text])))
);

ALTER TABLE ONLY public.approval_waiting FORCE ROW LEVEL SECURITY;

ALTER TABLE public.approval_waiting OWNER TO atrium_owner;

CREATE TABLE public.atrium_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.atrium_migration OWNER TO atrium_owner;

CREATE TABLE public.audit_event (
    tenant_id uuid NOT NULL,
    aud_id uuid NOT NULL,
    aud_timestamp timestamp(3) with time zone DEFAULT now() NOT NULL,
    aud_type text NOT NULL,
    aud_actor uuid,
    aud_actor_kind text NOT NULL,
    aud_actor_name text,
    aud_key uuid,
    aud_target_type text NOT NULL,
    aud_target_id text,
    aud_target_name text,
    aud_before jsonb,
    aud_after jsonb,
    aud_reason text,
    aud_ip text,
    aud_request_id text,
    aud_seal uuid
)
PARTITION BY RANGE (aud_timestamp);

ALTER TABLE ONLY public.audit_event FORCE ROW LEVEL SECURITY;

ALTER TABLE public.audit_event OWNER TO atrium_definer;

CREATE TABLE public.audit_event_default (
    tenant_id uuid NOT NULL,
    aud_id uuid NOT NULL,
    aud_timestamp timestamp(3) with time zone DEFAULT now() NOT NULL,
    aud_type text NOT NULL,
    aud_actor uuid,
    aud_actor_kind text NOT NULL,
    aud_actor_name text,
    aud_key uuid,
    aud_target_type text NOT NULL,
    aud_target_id text,
    aud_target_name text,
    aud_before jsonb,
    aud_after jsonb,
    aud_reason text,
    aud_ip text,
    aud_request_id text,
    aud_seal uuid
);

ALTER TABLE public.audit_event_default OWNER TO atrium_definer;

CREATE TABLE public.audit_seal (
    tenant_id uuid NOT NULL,
    seal_id uuid NOT NULL,
    seal_seq integer NOT NULL,
    seal_from timestamp(3) with time zone NOT NULL,
    seal_to timestamp(3) with time zone NOT NULL,
    seal_count integer NOT NULL,
    seal_root text NOT NULL,
    seal_prev text,
    seal_signature text NOT NULL,
    seal_created timestamp(3) with time zone NOT NULL,
    seal_removed timestamp(3) with time zone,
    seal_redacted timestamp(3) with time zone,
    seal_redacted_root text,
    seal_redacted_signature text,
    CONSTRAINT audit_seal_check CHECK ((((seal_redacted IS NULL) = (seal_redacted_root IS NULL)) AND ((seal_redacted IS NULL) = (seal_redacted_signature IS NULL)))),
    CONSTRAINT audit_seal_seal_count_check CHECK ((seal_count > 0)),
    CONSTRAINT audit_seal_seal_seq_check CHECK ((seal_seq > 0))
);

ALTER TABLE ONLY public.audit_seal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.audit_seal OWNER TO atrium_owner;

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
    job_started timestamp(3) with time zone,
    job_finished timestamp(3) with time zone,
    CONSTRAINT background_job_job_status_check CHECK ((job_status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.background_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.background_job OWNER TO atrium_owner;

CREATE TABLE public.budget_counter (
    tenant_id uuid NOT NULL,
    cnt_budget uuid NOT NULL,
    cnt_subject uuid NOT NULL,
    cnt_from timestamp(3) with time zone NOT NULL,
    cnt_to timestamp(3) with time zone NOT NULL,
    cnt_spent numeric(20,6) NOT NULL,
    cnt_notified integer[] DEFAULT '{}'::integer[] NOT NULL
);

ALTER TABLE ONLY public.budget_counter FORCE ROW LEVEL SECURITY;

ALTER TABLE public.budget_counter OWNER TO atrium_owner;

CREATE TABLE public.cms_asset (
    tenant_id uuid NOT NULL,
    cas_site uuid NOT NULL,
    cas_file uuid NOT NULL,
    cas_hash text NOT NULL COLLATE pg_catalog."C",
    cas_external_id text NOT NULL COLLATE pg_catalog."C",
    cas_url text NOT NULL,
    cas_sent timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.cms_asset FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_asset OWNER TO atrium_owner;

CREATE TABLE public.cms_component (
    tenant_id uuid NOT NULL,
    cmp_site uuid NOT NULL,
    cmp_key text NOT NULL COLLATE pg_catalog."C",
    cmp_mapped jsonb NOT NULL
);

ALTER TABLE ONLY public.cms_component FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_component OWNER TO atrium_owner;

CREATE TABLE public.cms_connection (
    tenant_id uuid NOT NULL,
    cms_site uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    cms_provider text NOT NULL,
    cms_settings jsonb NOT NULL,
    cms_secrets text NOT NULL,
    cms_status text DEFAULT 'ok'::text NOT NULL,
    cms_verified_at timestamp(3) with time zone NOT NULL,
    cms_last_error text,
    cms_space jsonb NOT NULL,
    cms_locales jsonb NOT NULL,
    cms_capabilities jsonb NOT NULL,
    cms_scan boolean DEFAULT false NOT NULL,
    cms_auto_pull text DEFAULT 'off'::text NOT NULL,
    cms_notify text DEFAULT 'off'::text NOT NULL,
    cms_hook_key text COLLATE pg_catalog."C",
    cms_hook_external text,
    cms_hook_signed boolean DEFAULT false NOT NULL,
    cms_hook_actions text[] DEFAULT '{}'::text[] NOT NULL,
    cms_hook_created timestamp(3) with time zone,
    cms_hook_verified boolean DEFAULT false NOT NULL,
    cms_hook_event timestamp(3) with time zone,
    cms_verdicts jsonb DEFAULT '{}'::jsonb NOT NULL,
    cms_compared timestamp(3) with time zone,
    cms_last_scan timestamp(3) with time zone,
    cms_next_scan timestamp(3) with time zone,
    cms_created timestamp(3) with time zone NOT NULL,
    cms_updated timestamp(3) with time zone NOT NULL,
    cms_created_by uuid,
    CONSTRAINT cms_connection_cms_auto_pull_check CHECK ((cms_auto_pull = ANY (ARRAY['off'::text, 'unedited'::text, 'all'::text]))),
    CONSTRAINT cms_connection_cms_notify_check CHECK ((cms_notify = ANY (ARRAY['off'::text, 'changes'::text]))),
    CONSTRAINT cms_connection_cms_provider_check CHECK ((cms_provider = ANY (ARRAY['storyblok'::text, 'contentful'::text]))),
    CONSTRAINT cms_connection_cms_status_check CHECK ((cms_status = ANY (ARRAY['ok'::text, 'failing'::text, 'revoked'::text])))
);

ALTER TABLE ONLY public.cms_connection FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_connection OWNER TO atrium_owner;

CREATE TABLE public.cms_link (
    tenant_id uuid NOT NULL,
    lnk_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    lnk_site uuid NOT NULL,
    lnk_node uuid,
    lnk_external_id text COLLATE pg_catalog."C",
    lnk_external_path text,
    lnk_external_version text,
    lnk_name text DEFAULT ''::text NOT NULL,
    lnk_verdict text DEFAULT 'unknown'::text NOT NULL,
    lnk_fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    lnk_compared timestamp(3) with time zone,
    lnk_pulled timestamp(3) with time zone,
    lnk_pushed timestamp(3) with time zone,
    lnk_error jsonb,
    lnk_base jsonb,
    lnk_base_hash text COLLATE pg_catalog."C",
    lnk_local_hash text COLLATE pg_catalog."C",
    lnk_local_stamp text COLLATE pg_catalog."C",
    lnk_remote_hash text COLLATE pg_catalog."C",
    lnk_intended_hash text COLLATE pg_catalog."C",
    lnk_pending jsonb DEFAULT '{}'::jsonb NOT NULL,
    lnk_created timestamp(3) with time zone NOT NULL,
    CONSTRAINT cms_link_check CHECK (((lnk_node IS NOT NULL) OR (lnk_external_id IS NOT NULL))),
    CONSTRAINT cms_link_lnk_verdict_check CHECK ((lnk_verdict = ANY (ARRAY['in_sync'::text, 'remote_changed'::text, 'local_changed'::text, 'both_same'::text, 'conflict'::text, 'local_only'::text, 'remote_only'::text, 'local_deleted'::text, 'remote_deleted'::text, 'unsupported'::text, 'error'::text, 'unknown'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.cms_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_link OWNER TO atrium_owner;

CREATE TABLE public.cms_news (
    tenant_id uuid NOT NULL,
    news_site uuid NOT NULL,
    news_page text NOT NULL COLLATE pg_catalog."C",
    news_at timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.cms_news FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_news OWNER TO atrium_owner;

CREATE TABLE public.cms_run (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    site_id uuid NOT NULL,
    direction text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    trigger text NOT NULL,
    dry_run boolean DEFAULT false NOT NULL,
    request jsonb DEFAULT '{}'::jsonb NOT NULL,
    total integer,
    done integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    deleted integer DEFAULT 0 NOT NULL,
    published integer DEFAULT 0 NOT NULL,
    conflicts integer DEFAULT 0 NOT NULL,
    held_deletes integer DEFAULT 0 NOT NULL,
    unsettled integer DEFAULT 0 NOT NULL,
    error text,
    queued_at timestamp(3) with time zone NOT NULL,
    started_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    heartbeat_at timestamp(3) with time zone,
    attempt integer DEFAULT 0 NOT NULL,
    fence integer DEFAULT 0 NOT NULL,
    place jsonb DEFAULT '{}'::jsonb NOT NULL,
    result jsonb,
    retry_of uuid,
    retry_job uuid,
    job_created_by uuid,
    job_key uuid,
    CONSTRAINT cms_run_direction_check CHECK ((direction = ANY (ARRAY['pull'::text, 'push'::text, 'scan'::text, 'schemas_pull'::text, 'schemas_push'::text]))),
    CONSTRAINT cms_run_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT cms_run_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'automation'::text, 'webhook'::text, 'retry'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.cms_run FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_run OWNER TO atrium_owner;

CREATE TABLE public.cms_run_page (
    tenant_id uuid NOT NULL,
    crp_run uuid NOT NULL,
    crp_seq integer NOT NULL,
    crp_external_id text COLLATE pg_catalog."C",
    crp_node uuid,
    crp_external_path text,
    crp_external_version text,
    crp_parent text COLLATE pg_catalog."C",
    crp_name text DEFAULT ''::text NOT NULL,
    crp_status text NOT NULL,
    crp_action text,
    crp_verdict text,
    crp_published boolean DEFAULT false NOT NULL,
    crp_rank integer DEFAULT 0 NOT NULL,
    crp_document jsonb,
    crp_error jsonb,
    crp_finished timestamp(3) with time zone,
    CONSTRAINT cms_run_page_crp_action_check CHECK ((crp_action = ANY (ARRAY['create'::text, 'update'::text, 'adopt'::text, 'restore'::text, 'delete'::text, 'none'::text]))),
    CONSTRAINT cms_run_page_crp_status_check CHECK ((crp_status = ANY (ARRAY['listed'::text, 'waiting'::text, 'done'::text, 'skipped'::text, 'unsettled'::text, 'held'::text, 'failed'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.cms_run_page FORCE ROW LEVEL SECURITY;

ALTER TABLE public.cms_run_page OWNER TO atrium_owner;

CREATE TABLE public.consent_expiry_position (
    tenant_id uuid NOT NULL,
    cl_source text NOT NULL,
    cl_at timestamp(3) with time zone NOT NULL,
    cl_id uuid NOT NULL,
    cl_file uuid NOT NULL
);

ALTER TABLE ONLY public.consent_expiry_position FORCE ROW LEVEL SECURITY;

ALTER TABLE public.consent_expiry_position OWNER TO atrium_owner;

CREATE VIEW public.consent_look WITH (security_invoker='true') AS
 SELECT consent_expiry_position.tenant_id,
    consent_expiry_position.cl_source,
    consent_expiry_position.cl_at,
    consent_expiry_position.cl_id,
    consent_expiry_position.cl_file
   FROM public.consent_expiry_position;

ALTER TABLE public.consent_look OWNER TO atrium_owner;

CREATE TABLE public.content_library (
    tenant_id uuid NOT NULL,
    lib_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    lib_name text NOT NULL,
    lib_name_key text GENERATED ALWAYS AS (lower("left"(lib_name, 64))) STORED NOT NULL,
    lib_description text,
    lib_provider text,
    lib_site uuid,
    lib_standard boolean DEFAULT false NOT NULL,
    lib_active boolean DEFAULT true NOT NULL,
    lib_created timestamp(3) with time zone NOT NULL,
    lib_updated timestamp(3) with time zone NOT NULL,
    CONSTRAINT content_library_lib_provider_check CHECK ((lib_provider = ANY (ARRAY['storyblok'::text, 'contentful'::text])))
);

ALTER TABLE ONLY public.content_library FORCE ROW LEVEL SECURITY;

ALTER TABLE public.content_library OWNER TO atrium_owner;

CREATE TABLE public.content_schema (
    tenant_id uuid NOT NULL,
    tpl_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    tpl_library uuid NOT NULL,
    tpl_key text NOT NULL COLLATE pg_catalog."C",
    tpl_name text NOT NULL,
    tpl_name_key text GENERATED ALWAYS AS (lower("left"(tpl_name, 64))) STORED NOT NULL,
    tpl_description text,
    tpl_icon text,
    tpl_color text,
    tpl_group text,
    tpl_kind text NOT NULL,
    tpl_config jsonb DEFAULT '{}'::jsonb NOT NULL,
    tpl_preview_file uuid,
    tpl_external jsonb DEFAULT '{}'::jsonb NOT NULL,
    tpl_managed_by uuid,
    tpl_active boolean DEFAULT true NOT NULL,
    tpl_revision integer DEFAULT 1 NOT NULL,
    tpl_created timestamp(3) with time zone NOT NULL,
    tpl_updated timestamp(3) with time zone NOT NULL,
    tpl_moves jsonb DEFAULT '[]'::jsonb NOT NULL,
    tpl_unready text[] DEFAULT '{}'::text[] NOT NULL,
    tpl_followed jsonb DEFAULT '[]'::jsonb NOT NULL,
    tpl_retired jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT content_schema_tpl_kind_check CHECK ((tpl_kind = ANY (ARRAY['page'::text, 'block'::text, 'both'::text])))
);

ALTER TABLE ONLY public.content_schema FORCE ROW LEVEL SECURITY;

ALTER TABLE public.content_schema OWNER TO atrium_owner;

CREATE VIEW public.cost WITH (security_invoker='true') AS
 SELECT costs_visible.tenant_id,
    costs_visible.cost_id,
    costs_visible.cost_param,
    costs_visible.cost_details,
    costs_visible.cost_credits_per_unit,
    (costs_visible.cost_valid_from)::timestamp(3) with time zone AS cost_valid_from,
    (costs_visible.cost_valid_to)::timestamp(3) with time zone AS cost_valid_to,
    costs_visible.cost_workspace,
    costs_visible.cost_note,
    (costs_visible.cost_created)::timestamp(3) with time zone AS cost_created
   FROM public.costs_visible() costs_visible(tenant_id, cost_id, cost_param, cost_details, cost_credits_per_unit, cost_valid_from, cost_valid_to, cost_workspace, cost_note, cost_created);

ALTER TABLE public.cost OWNER TO atrium_owner;

CREATE TABLE public.crawl_page (
    tenant_id uuid NOT NULL,
    page_id uuid NOT NULL,
    crw_id uuid NOT NULL,
    url text NOT NULL,
    canonical text,
    depth integer NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    reason text,
    http_status integer,
    etag text,
    last_modified text,
    content_hash text,
    rec_id uuid,
    fetched_at timestamp(3) with time zone,
    page_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    page_pass integer NOT NULL,
    page_tries integer DEFAULT 0 NOT NULL,
    page_after timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    page_misses integer DEFAULT 0 NOT NULL,
    CONSTRAINT crawl_page_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'fetched'::text, 'unchanged'::text, 'skipped'::text, 'failed'::text, 'gone'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.crawl_page FORCE ROW LEVEL SECURITY;

ALTER TABLE public.crawl_page OWNER TO atrium_owner;

CREATE TABLE public.credit_ledger (
    tenant_id uuid NOT NULL,
    led_id uuid NOT NULL,
    led_seq bigint NOT NULL,
    led_timestamp timestamp(3) with time zone NOT NULL,
    led_kind text NOT NULL,
    led_credits numeric(20,6) NOT NULL,
    led_balance numeric(20,6) NOT NULL,
    led_grant uuid,
    led_usage uuid,
    led_note text,
    CONSTRAINT credit_ledger_led_kind_check CHECK ((led_kind = ANY (ARRAY['grant'::text, 'charge'::text, 'expire'::text, 'correction'::text])))
);

ALTER TABLE ONLY public.credit_ledger FORCE ROW LEVEL SECURITY;

ALTER TABLE public.credit_ledger OWNER TO atrium_owner;

CREATE TABLE public.distribution_restriction (
    tenant_id uuid NOT NULL,
    dr_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    dr_name text NOT NULL,
    dr_name_key text GENERATED ALWAYS AS (lower("left"(dr_name, 64))) STORED NOT NULL,
    dr_description text,
    dr_kind text NOT NULL,
    dr_effect text NOT NULL,
    dr_values text[] NOT NULL,
    dr_timezone text,
    dr_baseline boolean DEFAULT false NOT NULL,
    dr_active boolean DEFAULT true NOT NULL,
    dr_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    dr_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    dr_created_by uuid,
    dr_publication_count bigint DEFAULT 0 NOT NULL,
    CONSTRAINT distribution_restriction_dr_effect_check CHECK ((dr_effect = ANY (ARRAY['deny'::text, 'allow_only'::text]))),
    CONSTRAINT distribution_restriction_dr_kind_check CHECK ((dr_kind = ANY (ARRAY['territory'::text, 'host'::text, 'ip'::text, 'window'::text, 'agent'::text]))),
    CONSTRAINT distribution_restriction_dr_values_check CHECK (((cardinality(dr_values) >= 1) AND (cardinality(dr_values) <= 300)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.distribution_restriction FORCE ROW LEVEL SECURITY;

ALTER TABLE public.distribution_restriction OWNER TO atrium_owner;

CREATE TABLE public.document (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    file_deprecated_at timestamp(3) with time zone NOT NULL,
    file_deprecated_by uuid,
    file_deprecated_reason text,
    file_superseded_by uuid,
    CONSTRAINT document_check CHECK ((file_superseded_by <> file_id))
);

ALTER TABLE ONLY public.document FORCE ROW LEVEL SECURITY;

ALTER TABLE public.document OWNER TO atrium_owner;

CREATE TABLE public.document_relation (
    tenant_id uuid NOT NULL,
    rel_id uuid NOT NULL,
    rel_type uuid NOT NULL,
    rel_from uuid NOT NULL,
    rel_to uuid NOT NULL,
    rel_key text NOT NULL,
    rel_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    rel_created_by uuid,
    rel_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT document_relation_check CHECK ((rel_from <> rel_to))
);

ALTER TABLE ONLY public.document_relation FORCE ROW LEVEL SECURITY;

ALTER TABLE public.document_relation OWNER TO atrium_owner;

CREATE TABLE public.document_relation_type (
    tenant_id uuid NOT NULL,
    rt_id uuid NOT NULL,
    rt_active boolean DEFAULT true NOT NULL,
    rt_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    rt_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    rt_name text NOT NULL,
    rt_inverse_name text,
    rt_symmetric boolean DEFAULT false NOT NULL,
    rt_description text,
    row_version integer DEFAULT 1 NOT NULL,
    CONSTRAINT document_relation_type_check CHECK (((rt_inverse_name IS NULL) OR (NOT rt_symmetric)))
);

ALTER TABLE ONLY public.document_relation_type FORCE ROW LEVEL SECURITY;

ALTER TABLE public.document_relation_type OWNER TO atrium_owner;

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
    job_created_by uuid,
    job_started timestamp(3) with time zone,
    job_finished timestamp(3) with time zone,
    job_key uuid,
    CONSTRAINT download_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);

ALTER TABLE ONLY public.download_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.download_job OWNER TO atrium_owner;

CREATE TABLE public.ds_file (
    tenant_id uuid NOT NULL,
    ds_id uuid NOT NULL,
    file_id uuid NOT NULL,
    linked_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    linked_by uuid
);

ALTER TABLE ONLY public.ds_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.ds_file OWNER TO atrium_owner;

CREATE TABLE public.duplicate_dismissal (
    tenant_id uuid NOT NULL,
    dd_one uuid NOT NULL,
    dd_other uuid NOT NULL,
    dd_group uuid NOT NULL,
    dd_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    dd_created_by uuid,
    CONSTRAINT duplicate_dismissal_check CHECK ((dd_one < dd_other))
);

ALTER TABLE ONLY public.duplicate_dismissal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_dismissal OWNER TO atrium_owner;

CREATE TABLE public.duplicate_group (
    tenant_id uuid NOT NULL,
    dup_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    dup_kind text NOT NULL,
    dup_state text DEFAULT 'open'::text NOT NULL,
    dup_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    dup_closed timestamp(3) with time zone,
    dup_closed_by uuid,
    CONSTRAINT duplicate_group_dup_kind_check CHECK ((dup_kind = ANY (ARRAY['exact'::text, 'visual'::text]))),
    CONSTRAINT duplicate_group_dup_state_check CHECK ((dup_state = ANY (ARRAY['open'::text, 'resolved'::text, 'dismissed'::text])))
);

ALTER TABLE ONLY public.duplicate_group FORCE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_group OWNER TO atrium_owner;

CREATE TABLE public.duplicate_group_file (
    tenant_id uuid NOT NULL,
    dgf_group uuid NOT NULL,
    dgf_file uuid NOT NULL,
    dgf_open boolean DEFAULT true NOT NULL
);

ALTER TABLE ONLY public.duplicate_group_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_group_file OWNER TO atrium_owner;

CREATE TABLE public.duplicate_merge (
    tenant_id uuid NOT NULL,
    dm_group uuid NOT NULL,
    dm_trashed uuid[] NOT NULL,
    dm_carried jsonb NOT NULL,
    dm_until timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.duplicate_merge FORCE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_merge OWNER TO atrium_owner;

CREATE TABLE public.edge_sync (
    tenant_id uuid NOT NULL,
    es_id uuid NOT NULL,
    es_restriction uuid,
    es_after uuid,
    es_touched timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.edge_sync FORCE ROW LEVEL SECURITY;

ALTER TABLE public.edge_sync OWNER TO atrium_owner;

CREATE TABLE public.embedding_cache (
    tenant_id uuid NOT NULL,
    emb_model text NOT NULL,
    emb_hash text NOT NULL,
    emb_vec real[] NOT NULL,
    emb_used timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.embedding_cache FORCE ROW LEVEL SECURITY;

ALTER TABLE public.embedding_cache OWNER TO atrium_owner;

CREATE TABLE public.erasure_subject (
    tenant_id uuid NOT NULL,
    dsr_id uuid NOT NULL,
    es_email text,
    es_name text
);

ALTER TABLE ONLY public.erasure_subject FORCE ROW LEVEL SECURITY;

ALTER TABLE public.erasure_subject OWNER TO atrium_owner;

CREATE TABLE public.face (
    tenant_id uuid NOT NULL,
    face_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    face_file uuid NOT NULL,
    face_person uuid,
    face_box jsonb NOT NULL,
    face_confidence real DEFAULT 1 NOT NULL,
    face_state text DEFAULT 'unassigned'::text NOT NULL,
    face_source text NOT NULL,
    face_decided_by uuid,
    face_decided boolean DEFAULT false NOT NULL,
    face_embedding real[],
    face_model text,
    face_crop text,
    face_clustered boolean DEFAULT false NOT NULL,
    face_erased boolean DEFAULT false NOT NULL,
    face_hidden boolean DEFAULT false NOT NULL,
    face_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    face_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT face_check CHECK (((face_state = 'assigned'::text) = (face_person IS NOT NULL))),
    CONSTRAINT face_check1 CHECK (((NOT face_erased) OR (face_embedding IS NULL))),
    CONSTRAINT face_face_embedding_check CHECK ((cardinality(face_embedding) = 512)),
    CONSTRAINT face_face_source_check CHECK ((face_source = ANY (ARRAY['detected'::text, 'manual'::text]))),
    CONSTRAINT face_face_state_check CHECK ((face_state = ANY (ARRAY['unassigned'::text, 'suggested'::text, 'assigned'::text, 'ignored'::text])))
);

ALTER TABLE ONLY public.face FORCE ROW LEVEL SECURITY;

ALTER TABLE public.face OWNER TO atrium_owner;

CREATE TABLE public.face_erasure (
    tenant_id uuid NOT NULL,
    fe_hash bytea NOT NULL,
    fe_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.face_erasure FORCE ROW LEVEL SECURITY;

ALTER TABLE public.face_erasure OWNER TO atrium_owner;

CREATE TABLE public.face_rejection (
    tenant_id uuid NOT NULL,
    fr_face uuid NOT NULL,
    fr_person uuid NOT NULL,
    fr_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    fr_created_by uuid
);

ALTER TABLE ONLY public.face_rejection FORCE ROW LEVEL SECURITY;

ALTER TABLE public.face_rejection OWNER TO atrium_owner;

CREATE TABLE public.face_scan (
    tenant_id uuid NOT NULL,
    fs_file uuid NOT NULL,
    fs_hash text NOT NULL,
    fs_model text NOT NULL,
    fs_faces integer NOT NULL,
    fs_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.face_scan FORCE ROW LEVEL SECURITY;

ALTER TABLE public.face_scan OWNER TO atrium_owner;

CREATE TABLE public.face_suggestion (
    tenant_id uuid NOT NULL,
    fsg_face uuid NOT NULL,
    fsg_person uuid NOT NULL,
    fsg_distance real NOT NULL
);

ALTER TABLE ONLY public.face_suggestion FORCE ROW LEVEL SECURITY;

ALTER TABLE public.face_suggestion OWNER TO atrium_owner;

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
    file_width double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,width}'::text[]))) STORED,
    file_height double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,height}'::text[]))) STORED,
    file_megapixels double precision GENERATED ALWAYS AS (((public.file_number((file_metadata #> '{system,width}'::text[])) * public.file_number((file_metadata #> '{system,height}'::text[]))) / (1000000)::double precision)) STORED,
    file_duration double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,duration}'::text[]))) STORED,
    file_pages double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,pages}'::text[]))) STORED,
    file_orientation text GENERATED ALWAYS AS ((file_metadata #>> '{system,orientation}'::text[])) STORED,
    file_camera text GENERATED ALWAYS AS ("left"((file_metadata #>> '{system,camera}'::text[]), 200)) STORED,
    file_camera_key text GENERATED ALWAYS AS (lower("left"((file_metadata #>> '{system,camera}'::text[]), 200))) STORED,
    file_lat double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,gps,lat}'::text[]))) STORED,
    file_lng double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,gps,lng}'::text[]))) STORED,
    file_source text GENERATED ALWAYS AS ("left"(COALESCE((file_metadata #>> '{system,source,kind}'::text[]), 'upload'::text), 64)) STORED NOT NULL,
    file_rights_expires timestamp(3) with time zone GENERATED ALWAYS AS (public.file_instant((file_metadata #>> '{rights,expires}'::text[]))) STORED,
    file_labs double precision[] GENERATED ALWAYS AS (public.file_labs((file_metadata #> '{system,colors}'::text[]))) STORED,
    file_color_cells integer[] GENERATED ALWAYS AS (public.file_color_cells((file_metadata #> '{system,colors}'::text[]))) STORED,
    file_shared boolean DEFAULT false NOT NULL,
    file_corrupt boolean DEFAULT false NOT NULL,
    file_held boolean DEFAULT false NOT NULL,
    file_taken timestamp(3) with time zone GENERATED ALWAYS AS (COALESCE(public.file_instant(((file_metadata #>> '{system,taken_local}'::text[]) || 'Z'::text)), public.file_instant((file_metadata #>> '{system,taken}'::text[])), file_created)) STORED NOT NULL,
    file_rating double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,embedded,rating}'::text[]))) STORED,
    file_iso double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,iso}'::text[]))) STORED,
    file_exposure double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,exposure}'::text[]))) STORED,
    file_aperture double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,aperture}'::text[]))) STORED,
    file_focal_length double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,focal_length}'::text[]))) STORED,
    file_altitude double precision GENERATED ALWAYS AS (public.file_number((file_metadata #> '{system,altitude}'::text[]))) STORED,
    file_deprecated boolean DEFAULT false NOT NULL,
    CONSTRAINT file_file_processing_check CHECK ((file_processing = ANY (ARRAY['pending'::text, 'ready'::text, 'failed'::text, 'quarantined'::text])))
);
ALTER TABLE ONLY public.file ALTER COLUMN file_status SET (n_distinct=20);
ALTER TABLE ONLY public.file ALTER COLUMN file_added_by SET (n_distinct=100);

ALTER TABLE ONLY public.file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file OWNER TO atrium_owner;

CREATE TABLE public.file_analysis (
    tenant_id uuid NOT NULL,
    fa_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    fa_file uuid NOT NULL,
    fa_version integer NOT NULL,
    fa_schema uuid NOT NULL,
    fa_schema_version integer NOT NULL,
    fa_status text DEFAULT 'queued'::text NOT NULL,
    fa_live boolean DEFAULT false NOT NULL,
    fa_result jsonb DEFAULT '{}'::jsonb NOT NULL,
    fa_confidence jsonb DEFAULT '{}'::jsonb NOT NULL,
    fa_missing jsonb DEFAULT '[]'::jsonb NOT NULL,
    fa_edited text[] DEFAULT '{}'::text[] NOT NULL,
    fa_machine jsonb DEFAULT '{}'::jsonb NOT NULL,
    fa_model text,
    fa_credits numeric(20,6) DEFAULT 0 NOT NULL,
    fa_error text,
    fa_calls integer DEFAULT 0 NOT NULL,
    fa_answer jsonb,
    fa_hold uuid,
    fa_job uuid,
    fa_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    fa_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    fa_created_by uuid,
    fa_lacks_credits boolean DEFAULT false NOT NULL,
    fa_joined_by uuid,
    CONSTRAINT file_analysis_fa_status_check CHECK ((fa_status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.file_analysis FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_analysis OWNER TO atrium_owner;

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
    blob_scanned timestamp(3) with time zone,
    blob_malware text,
    blob_verified timestamp(3) with time zone DEFAULT now() NOT NULL,
    blob_corrupt timestamp(3) with time zone,
    blob_marked jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT file_blob_blob_state_check CHECK ((blob_state = ANY (ARRAY['live'::text, 'orphan'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.file_blob FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_blob OWNER TO atrium_owner;

CREATE TABLE public.file_day (
    tenant_id uuid NOT NULL,
    fd_repo text NOT NULL,
    fd_day date NOT NULL,
    fd_quarantined boolean NOT NULL,
    fd_files bigint NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.file_day FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_day OWNER TO atrium_owner;

CREATE TABLE public.file_day_delta (
    tenant_id uuid NOT NULL,
    delta_id bigint NOT NULL,
    fd_repo text NOT NULL,
    fd_day date NOT NULL,
    fd_quarantined boolean NOT NULL,
    fd_files bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');

ALTER TABLE ONLY public.file_day_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_day_delta OWNER TO atrium_owner;

ALTER TABLE public.file_day_delta ALTER COLUMN delta_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.file_day_delta_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

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

CREATE TABLE public.file_job (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    job_kind text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    total integer,
    errors jsonb DEFAULT '[]'::jsonb NOT NULL,
    error text,
    result jsonb,
    job_params jsonb DEFAULT '{}'::jsonb NOT NULL,
    job_subject text,
    job_checkpoint text,
    job_created_by uuid,
    job_key uuid,
    job_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    job_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    job_started timestamp(3) with time zone,
    job_finished timestamp(3) with time zone,
    job_attempt integer DEFAULT 0 NOT NULL,
    CONSTRAINT file_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.file_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_job OWNER TO atrium_owner;

CREATE TABLE public.file_phash_band (
    tenant_id uuid NOT NULL,
    fpb_band integer NOT NULL,
    file_id uuid NOT NULL,
    fpb_hash bigint NOT NULL
);

ALTER TABLE ONLY public.file_phash_band FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_phash_band OWNER TO atrium_owner;

CREATE TABLE public.file_pin (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    pin_hash text NOT NULL,
    pin_owner text NOT NULL,
    pin_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.file_pin FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_pin OWNER TO atrium_owner;

CREATE TABLE public.file_pref (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    user_id uuid NOT NULL,
    favorite boolean NOT NULL,
    pref_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.file_pref FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_pref OWNER TO atrium_owner;

CREATE TABLE public.file_rights_notice (
    tenant_id uuid NOT NULL,
    frn_file uuid NOT NULL,
    frn_expires timestamp(3) with time zone NOT NULL,
    frn_days integer NOT NULL,
    frn_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT file_rights_notice_frn_days_check CHECK ((frn_days = ANY (ARRAY[30, 7, 0])))
);

ALTER TABLE ONLY public.file_rights_notice FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_rights_notice OWNER TO atrium_owner;

CREATE TABLE public.file_search_text (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    fst_name text DEFAULT ''::text NOT NULL,
    fst_summary text DEFAULT ''::text NOT NULL,
    fst_tags text DEFAULT ''::text NOT NULL,
    fst_analysis text DEFAULT ''::text NOT NULL,
    fst_content text DEFAULT ''::text NOT NULL,
    fst_embedded text DEFAULT ''::text NOT NULL,
    fst_words tsvector DEFAULT ''::tsvector NOT NULL
);

ALTER TABLE ONLY public.file_search_text FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_search_text OWNER TO atrium_owner;

CREATE TABLE public.file_tag (
    tenant_id uuid NOT NULL,
    ft_tag uuid NOT NULL,
    ft_file uuid NOT NULL,
    ft_group uuid NOT NULL,
    ft_source text DEFAULT 'user'::text NOT NULL,
    ft_confidence real,
    ft_hidden boolean DEFAULT false NOT NULL,
    ft_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ft_created_by uuid,
    CONSTRAINT file_tag_ft_source_check CHECK ((ft_source = ANY (ARRAY['user'::text, 'rule'::text, 'guest'::text, 'model'::text, 'keyword'::text])))
);

ALTER TABLE ONLY public.file_tag FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_tag OWNER TO atrium_owner;

CREATE TABLE public.file_tag_refusal (
    tenant_id uuid NOT NULL,
    ftr_file uuid NOT NULL,
    ftr_tag uuid NOT NULL,
    ftr_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.file_tag_refusal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_tag_refusal OWNER TO atrium_owner;

CREATE TABLE public.file_text (
    tenant_id uuid NOT NULL,
    file_id uuid NOT NULL,
    ft_version text NOT NULL,
    ft_engine text,
    ft_status text DEFAULT 'pending'::text NOT NULL,
    ft_error text,
    ft_markdown_key text,
    ft_outline jsonb DEFAULT '[]'::jsonb NOT NULL,
    ft_page_map jsonb DEFAULT '[]'::jsonb NOT NULL,
    ft_pages integer,
    ft_words integer,
    ft_chars integer,
    ft_language text,
    ft_truncated boolean DEFAULT false NOT NULL,
    ft_attempts integer DEFAULT 0 NOT NULL,
    ft_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT file_text_ft_status_check CHECK ((ft_status = ANY (ARRAY['pending'::text, 'running'::text, 'ready'::text, 'empty'::text, 'unsupported'::text, 'failed'::text])))
);

ALTER TABLE ONLY public.file_text FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_text OWNER TO atrium_owner;

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
    fv_superseded timestamp(3) with time zone,
    fv_rendition_bytes bigint DEFAULT 0 NOT NULL,
    fv_provider uuid,
    fv_quarantine text,
    CONSTRAINT file_version_fv_source_check CHECK ((fv_source = ANY (ARRAY['upload'::text, 'restore'::text, 'edit'::text, 'generated'::text, 'import'::text])))
);

ALTER TABLE ONLY public.file_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_version OWNER TO atrium_owner;

CREATE TABLE public.file_word (
    tenant_id uuid NOT NULL,
    fw_repo text NOT NULL,
    fw_word text NOT NULL COLLATE pg_catalog."C",
    fw_files bigint NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.file_word FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_word OWNER TO atrium_owner;

CREATE TABLE public.file_word_delta (
    tenant_id uuid NOT NULL,
    delta_id bigint NOT NULL,
    fw_repo text NOT NULL,
    fw_word text NOT NULL,
    fw_files bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');

ALTER TABLE ONLY public.file_word_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.file_word_delta OWNER TO atrium_owner;

ALTER TABLE public.file_word_delta ALTER COLUMN delta_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.file_word_delta_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.form (
    tenant_id uuid NOT NULL,
    form_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    form_kind text NOT NULL,
    form_name text NOT NULL,
    form_name_key text GENERATED ALWAYS AS (lower("left"(form_name, 64))) STORED NOT NULL,
    form_description text,
    form_config jsonb DEFAULT '{}'::jsonb NOT NULL,
    form_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    form_managed_by uuid,
    form_active boolean DEFAULT true NOT NULL,
    form_revision integer DEFAULT 1 NOT NULL,
    form_retired jsonb DEFAULT '{}'::jsonb NOT NULL,
    form_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    form_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    form_created_by uuid,
    CONSTRAINT form_form_kind_check CHECK ((form_kind = ANY (ARRAY['object'::text, 'record'::text, 'task'::text])))
);

ALTER TABLE ONLY public.form FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form OWNER TO atrium_owner;

CREATE TABLE public.form_migration (
    tenant_id uuid NOT NULL,
    mig_form uuid NOT NULL,
    mig_revision integer NOT NULL,
    mig_status text NOT NULL,
    mig_done integer DEFAULT 0 NOT NULL,
    mig_total integer DEFAULT 0 NOT NULL,
    mig_cursor uuid,
    mig_moves jsonb DEFAULT '[]'::jsonb NOT NULL,
    mig_keys text[] DEFAULT '{}'::text[] NOT NULL,
    mig_dropped text[] DEFAULT '{}'::text[] NOT NULL,
    mig_reworded boolean DEFAULT false NOT NULL,
    mig_error text,
    mig_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    mig_from uuid,
    mig_within uuid,
    mig_id uuid,
    mig_created timestamp(3) with time zone,
    mig_started timestamp(3) with time zone,
    CONSTRAINT form_migration_mig_status_check CHECK ((mig_status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

ALTER TABLE ONLY public.form_migration FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_migration OWNER TO atrium_owner;

CREATE TABLE public.form_number (
    tenant_id uuid NOT NULL,
    form_id uuid NOT NULL,
    field_key text NOT NULL,
    num_next bigint NOT NULL,
    num_returned int8multirange DEFAULT '{}'::int8multirange NOT NULL
);

ALTER TABLE ONLY public.form_number FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_number OWNER TO atrium_owner;

CREATE TABLE public.form_number_range (
    tenant_id uuid NOT NULL,
    form_id uuid NOT NULL,
    field_key text NOT NULL,
    range_holder uuid NOT NULL,
    range_numbers int8multirange NOT NULL,
    range_until timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.form_number_range FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_number_range OWNER TO atrium_owner;

CREATE TABLE public.form_revision_log (
    tenant_id uuid NOT NULL,
    frl_form uuid NOT NULL,
    frl_revision integer NOT NULL,
    frl_config jsonb NOT NULL,
    frl_changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    frl_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    frl_created_by uuid
);

ALTER TABLE ONLY public.form_revision_log FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_revision_log OWNER TO atrium_owner;

CREATE TABLE public.form_unique (
    tenant_id uuid NOT NULL,
    form_id uuid NOT NULL,
    field_key text NOT NULL,
    value_hash bytea NOT NULL,
    owner_id uuid NOT NULL,
    scope_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    value_folded boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.form_unique FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_unique OWNER TO atrium_owner;

CREATE TABLE public.form_value (
    tenant_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    field_key text NOT NULL,
    "position" integer NOT NULL,
    form_id uuid NOT NULL,
    value_text text COLLATE pg_catalog."C",
    value_num double precision,
    value_ref uuid,
    value_folded boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.form_value FORCE ROW LEVEL SECURITY;

ALTER TABLE public.form_value OWNER TO atrium_owner;

CREATE TABLE public.idempotency_key (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    idem_key text NOT NULL,
    idem_fingerprint text NOT NULL,
    idem_status integer,
    idem_body jsonb,
    idem_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    idem_route text DEFAULT ''::text NOT NULL,
    idem_claim uuid,
    idem_headers jsonb,
    idem_lapses timestamp(3) with time zone DEFAULT (now() + '00:02:00'::interval) NOT NULL
);

ALTER TABLE ONLY public.idempotency_key FORCE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_key OWNER TO atrium_owner;

CREATE TABLE public.import_batch (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    batch_row integer NOT NULL,
    batch_rows text NOT NULL
);

ALTER TABLE ONLY public.import_batch FORCE ROW LEVEL SECURITY;

ALTER TABLE public.import_batch OWNER TO atrium_owner;

CREATE TABLE public.invitation (
    tenant_id uuid NOT NULL,
    inv_id uuid NOT NULL,
    inv_user uuid NOT NULL,
    inv_hash text NOT NULL,
    inv_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    inv_created_by uuid,
    inv_expires_at timestamp(3) with time zone NOT NULL,
    inv_ended_at timestamp(3) with time zone,
    inv_end text,
    inv_resent boolean DEFAULT false NOT NULL,
    inv_mailed boolean DEFAULT false NOT NULL,
    CONSTRAINT invitation_inv_end_check CHECK ((inv_end = ANY (ARRAY['accepted'::text, 'replaced'::text, 'revoked'::text])))
);

ALTER TABLE ONLY public.invitation FORCE ROW LEVEL SECURITY;

ALTER TABLE public.invitation OWNER TO atrium_owner;

CREATE TABLE public.issuer (
    tenant_id uuid NOT NULL,
    iss_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    iss_name text NOT NULL,
    iss_name_key text GENERATED ALWAYS AS (lower("left"(iss_name, 64))) STORED NOT NULL,
    iss_issuer text NOT NULL,
    iss_jwks_url text,
    iss_audiences text[] NOT NULL,
    iss_algorithms text[] DEFAULT '{RS256}'::text[] NOT NULL,
    iss_claims jsonb NOT NULL,
    iss_role_map jsonb DEFAULT '[]'::jsonb NOT NULL,
    iss_provision text DEFAULT 'link'::text NOT NULL,
    iss_domains text[] DEFAULT '{}'::text[] NOT NULL,
    iss_default_role uuid,
    iss_active boolean DEFAULT true NOT NULL,
    iss_trusted text[] NOT NULL,
    iss_checked_at timestamp(3) with time zone,
    iss_error text,
    iss_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    iss_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT issuer_iss_algorithms_check CHECK (((iss_algorithms <@ '{RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,EdDSA}'::text[]) AND (cardinality(iss_algorithms) > 0))),
    CONSTRAINT issuer_iss_audiences_check CHECK ((cardinality(iss_audiences) > 0)),
    CONSTRAINT issuer_iss_provision_check CHECK ((iss_provision = ANY (ARRAY['none'::text, 'link'::text, 'create'::text])))
);

ALTER TABLE ONLY public.issuer FORCE ROW LEVEL SECURITY;

ALTER TABLE public.issuer OWNER TO atrium_owner;

CREATE TABLE public.issuer_keys (
    tenant_id uuid NOT NULL,
    ik_issuer uuid NOT NULL,
    ik_jwks jsonb NOT NULL,
    ik_fetched_at timestamp(3) with time zone NOT NULL,
    ik_asked_at timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.issuer_keys FORCE ROW LEVEL SECURITY;

ALTER TABLE public.issuer_keys OWNER TO atrium_owner;

CREATE UNLOGGED TABLE public.job_turn (
    turn_queue text NOT NULL,
    turn_workspace uuid NOT NULL,
    turn_flow text NOT NULL,
    turn_at bigint NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE public.job_turn OWNER TO atrium_owner;

CREATE UNLOGGED TABLE public.job_worker (
    worker_id uuid NOT NULL,
    worker_seen timestamp with time zone NOT NULL
);

ALTER TABLE public.job_worker OWNER TO atrium_owner;

CREATE TABLE public.knowledge_base (
    tenant_id uuid NOT NULL,
    ds_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    ds_name text NOT NULL,
    ds_name_key text GENERATED ALWAYS AS (lower("left"(ds_name, 64))) STORED NOT NULL,
    ds_description text,
    ds_type text NOT NULL,
    ds_category text,
    ds_subcategory text,
    ds_config jsonb DEFAULT '{}'::jsonb NOT NULL,
    ds_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    ds_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    ds_active boolean DEFAULT true NOT NULL,
    ds_deleted timestamp(3) with time zone,
    ds_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ds_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    ds_created_by uuid,
    form_id uuid,
    ds_record_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT knowledge_base_check CHECK (((ds_type = 'form'::text) = (form_id IS NOT NULL))),
    CONSTRAINT knowledge_base_check1 CHECK ((ds_active = (ds_deleted IS NULL))),
    CONSTRAINT knowledge_base_ds_type_check CHECK ((ds_type = ANY (ARRAY['text'::text, 'form'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.knowledge_base FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_base OWNER TO atrium_owner;

CREATE TABLE public.knowledge_base_tally (
    tenant_id uuid NOT NULL,
    ds_id uuid NOT NULL,
    tally_id uuid DEFAULT gen_random_uuid() NOT NULL,
    tally_records integer NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.knowledge_base_tally FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_base_tally OWNER TO atrium_owner;

CREATE TABLE public.knowledge_crawl (
    tenant_id uuid NOT NULL,
    crw_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    crw_base uuid NOT NULL,
    crw_url text NOT NULL,
    crw_name text NOT NULL,
    crw_settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    crw_cron text,
    crw_timezone text DEFAULT 'UTC'::text NOT NULL,
    crw_active boolean DEFAULT true NOT NULL,
    crw_last_job uuid,
    crw_page_count integer DEFAULT 0 NOT NULL,
    crw_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    crw_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    crw_created_by uuid,
    crw_next timestamp(3) with time zone,
    crw_pass integer DEFAULT 0 NOT NULL,
    crw_pass_open boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.knowledge_crawl FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_crawl OWNER TO atrium_owner;

CREATE TABLE public.knowledge_job (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    job_kind text NOT NULL,
    job_base uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    total integer,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    held_removes integer DEFAULT 0 NOT NULL,
    error text,
    result jsonb,
    job_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    job_started timestamp(3) with time zone,
    job_finished timestamp(3) with time zone,
    job_created_by uuid,
    job_key uuid,
    job_order jsonb DEFAULT '{}'::jsonb NOT NULL,
    job_place jsonb DEFAULT '{}'::jsonb NOT NULL,
    job_crawl uuid,
    job_report text,
    job_object text,
    job_attempt integer DEFAULT 0 NOT NULL,
    CONSTRAINT knowledge_job_check CHECK (((job_kind = 'crawl'::text) = (job_crawl IS NOT NULL))),
    CONSTRAINT knowledge_job_job_kind_check CHECK ((job_kind = ANY (ARRAY['import'::text, 'export'::text, 'crawl'::text]))),
    CONSTRAINT knowledge_job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.knowledge_job FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_job OWNER TO atrium_owner;

CREATE TABLE public.knowledge_job_fault (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    fault_row integer NOT NULL,
    fault_place integer NOT NULL,
    fault_field text NOT NULL,
    fault_code text NOT NULL,
    fault_reason text NOT NULL
);

ALTER TABLE ONLY public.knowledge_job_fault FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_job_fault OWNER TO atrium_owner;

CREATE TABLE public.knowledge_record (
    tenant_id uuid NOT NULL,
    rec_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    rec_base uuid NOT NULL,
    rec_form uuid,
    rec_name text NOT NULL,
    rec_name_key text GENERATED ALWAYS AS (lower("left"(rec_name, 64))) STORED NOT NULL,
    rec_content jsonb NOT NULL,
    rec_url text,
    rec_external_id text,
    rec_tags text[] DEFAULT '{}'::text[] NOT NULL,
    rec_language text,
    rec_source text DEFAULT 'manual'::text NOT NULL,
    rec_crawl uuid,
    rec_status text DEFAULT 'published'::text NOT NULL,
    rec_valid_from timestamp(3) with time zone,
    rec_valid_until timestamp(3) with time zone,
    rec_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    rec_active boolean DEFAULT true NOT NULL,
    rec_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    rec_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    rec_created_by uuid,
    rec_updated_by uuid,
    rec_hash text NOT NULL,
    rec_text text NOT NULL,
    rec_tsv tsvector DEFAULT ''::tsvector NOT NULL,
    CONSTRAINT knowledge_record_rec_source_check CHECK ((rec_source = ANY (ARRAY['manual'::text, 'import'::text, 'crawl'::text, 'api'::text, 'agent'::text]))),
    CONSTRAINT knowledge_record_rec_status_check CHECK ((rec_status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.knowledge_record FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_record OWNER TO atrium_owner;

CREATE TABLE public.knowledge_record_version (
    tenant_id uuid NOT NULL,
    rec_id uuid NOT NULL,
    rv_version integer NOT NULL,
    rv_facts jsonb NOT NULL,
    rv_written timestamp(3) with time zone NOT NULL,
    rv_written_by uuid
);

ALTER TABLE ONLY public.knowledge_record_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_record_version OWNER TO atrium_owner;

CREATE TABLE public.legal_hold (
    tenant_id uuid NOT NULL,
    lh_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    lh_name text NOT NULL,
    lh_target_type text NOT NULL,
    lh_target_id uuid NOT NULL,
    lh_reason text NOT NULL,
    lh_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    lh_created_by uuid,
    lh_released_at timestamp(3) with time zone,
    CONSTRAINT legal_hold_lh_target_type_check CHECK ((lh_target_type = ANY (ARRAY['user'::text, 'file'::text, 'album'::text, 'thread'::text, 'knowledge_base'::text])))
);

ALTER TABLE ONLY public.legal_hold FORCE ROW LEVEL SECURITY;

ALTER TABLE public.legal_hold OWNER TO atrium_owner;

CREATE TABLE public.licence (
    tenant_id uuid NOT NULL,
    lic_module text NOT NULL,
    lic_starts_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    lic_expires_at timestamp(3) with time zone,
    lic_source text,
    lic_note text,
    lic_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    lic_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    lic_announced smallint
);

ALTER TABLE ONLY public.licence FORCE ROW LEVEL SECURITY;

ALTER TABLE public.licence OWNER TO atrium_owner;

CREATE TABLE public.media_analysis_schema (
    tenant_id uuid NOT NULL,
    mas_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    mas_name text NOT NULL,
    mas_title text,
    mas_title_key text GENERATED ALWAYS AS (lower("left"(COALESCE(mas_title, mas_name), 64))) STORED NOT NULL,
    mas_description text,
    mas_kinds text[] DEFAULT '{}'::text[] NOT NULL,
    mas_fields jsonb NOT NULL,
    mas_prompt text,
    mas_auto boolean DEFAULT false NOT NULL,
    mas_version integer DEFAULT 1 NOT NULL,
    mas_active boolean DEFAULT true NOT NULL,
    mas_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    mas_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT media_analysis_schema_mas_name_check CHECK ((mas_name ~ '^[a-z][a-z0-9_]{0,39}$'::text))
);

ALTER TABLE ONLY public.media_analysis_schema FORCE ROW LEVEL SECURITY;

ALTER TABLE public.media_analysis_schema OWNER TO atrium_owner;

CREATE TABLE public.media_status_flow (
    tenant_id uuid NOT NULL,
    msf_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    msf_name text NOT NULL,
    msf_name_key text GENERATED ALWAYS AS (lower("left"(msf_name, 64))) STORED NOT NULL,
    msf_description text,
    msf_scope text[] NOT NULL,
    msf_active boolean DEFAULT false NOT NULL,
    msf_states jsonb NOT NULL,
    msf_transitions jsonb DEFAULT '[]'::jsonb NOT NULL,
    msf_remap jsonb DEFAULT '{}'::jsonb NOT NULL,
    msf_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    msf_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT media_status_flow_msf_scope_check CHECK (((msf_scope <@ ARRAY['media'::text, 'docs'::text, 'design'::text, 'generated'::text]) AND (cardinality(msf_scope) > 0)))
);

ALTER TABLE ONLY public.media_status_flow FORCE ROW LEVEL SECURITY;

ALTER TABLE public.media_status_flow OWNER TO atrium_owner;

CREATE TABLE public.media_tag (
    tenant_id uuid NOT NULL,
    mt_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    mt_group uuid NOT NULL,
    mt_value text NOT NULL,
    mt_value_key text GENERATED ALWAYS AS (lower("left"(mt_value, 64))) STORED NOT NULL,
    mt_synonyms text[] DEFAULT '{}'::text[] NOT NULL,
    mt_parent uuid,
    mt_active boolean DEFAULT true NOT NULL,
    mt_file_count bigint DEFAULT 0 NOT NULL,
    mt_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    mt_updated timestamp(3) with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.media_tag FORCE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag OWNER TO atrium_owner;

CREATE TABLE public.media_tag_group (
    tenant_id uuid NOT NULL,
    mtg_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    mtg_scope text DEFAULT 'media'::text NOT NULL,
    mtg_name text NOT NULL,
    mtg_name_key text GENERATED ALWAYS AS (lower("left"(mtg_name, 64))) STORED NOT NULL,
    mtg_description text,
    mtg_color text,
    mtg_multiple boolean DEFAULT true NOT NULL,
    mtg_closed boolean DEFAULT false NOT NULL,
    mtg_required_for text[] DEFAULT '{}'::text[] NOT NULL,
    mtg_rules jsonb DEFAULT '[]'::jsonb NOT NULL,
    mtg_position integer DEFAULT 0 NOT NULL,
    mtg_active boolean DEFAULT true NOT NULL,
    mtg_tag_count bigint DEFAULT 0 NOT NULL,
    mtg_file_count bigint DEFAULT 0 NOT NULL,
    mtg_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    mtg_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT media_tag_group_mtg_scope_check CHECK ((mtg_scope = ANY (ARRAY['media'::text, 'docs'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.media_tag_group FORCE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag_group OWNER TO atrium_owner;

CREATE TABLE public.media_tag_word (
    tenant_id uuid NOT NULL,
    mtw_group uuid NOT NULL,
    mtw_word text NOT NULL,
    mtw_tag uuid NOT NULL,
    mtw_synonym boolean NOT NULL
);

ALTER TABLE ONLY public.media_tag_word FORCE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag_word OWNER TO atrium_owner;

CREATE TABLE public.memory (
    tenant_id uuid NOT NULL,
    mem_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    mem_user uuid NOT NULL,
    mem_value text NOT NULL,
    mem_type text DEFAULT 'fact'::text NOT NULL,
    mem_source text DEFAULT 'user'::text NOT NULL,
    mem_thread uuid,
    mem_hash text NOT NULL,
    mem_active boolean DEFAULT true NOT NULL,
    mem_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    mem_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    mem_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    mem_tainted boolean DEFAULT false NOT NULL,
    mem_wordings text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT memory_mem_source_check CHECK ((mem_source = ANY (ARRAY['user'::text, 'assistant'::text, 'import'::text]))),
    CONSTRAINT memory_mem_type_check CHECK ((mem_type = ANY (ARRAY['fact'::text, 'preference'::text, 'context'::text]))),
    CONSTRAINT memory_mem_value_check CHECK (((length(mem_value) >= 1) AND (length(mem_value) <= 1000)))
);

ALTER TABLE ONLY public.memory FORCE ROW LEVEL SECURITY;

ALTER TABLE public.memory OWNER TO atrium_owner;

CREATE TABLE public.memory_forgotten (
    tenant_id uuid NOT NULL,
    mem_id uuid NOT NULL,
    mem_user uuid NOT NULL,
    fg_texts text[] DEFAULT '{}'::text[] NOT NULL,
    fg_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.memory_forgotten FORCE ROW LEVEL SECURITY;

ALTER TABLE public.memory_forgotten OWNER TO atrium_owner;

CREATE TABLE public.message (
    tenant_id uuid NOT NULL,
    msg_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    msg_thread uuid NOT NULL,
    msg_parent uuid,
    msg_role text NOT NULL,
    msg_status text DEFAULT 'complete'::text NOT NULL,
    msg_parts jsonb DEFAULT '[]'::jsonb NOT NULL,
    msg_text text DEFAULT ''::text NOT NULL,
    msg_citations jsonb DEFAULT '[]'::jsonb NOT NULL,
    msg_user uuid,
    msg_agent uuid,
    msg_model text,
    msg_prompt uuid,
    msg_run uuid,
    msg_usage jsonb,
    msg_finish text,
    msg_error jsonb,
    msg_visibility text DEFAULT 'all'::text NOT NULL,
    msg_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    msg_active boolean DEFAULT true NOT NULL,
    msg_deleted timestamp(3) with time zone,
    msg_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    msg_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    msg_tsv tsvector DEFAULT ''::tsvector NOT NULL,
    msg_prompt_terms jsonb,
    msg_recalls boolean DEFAULT false NOT NULL,
    CONSTRAINT message_msg_finish_check CHECK ((msg_finish = ANY (ARRAY['stop'::text, 'length'::text, 'filter'::text, 'stopped'::text, 'error'::text]))),
    CONSTRAINT message_msg_role_check CHECK ((msg_role = ANY (ARRAY['user'::text, 'assistant'::text, 'operator'::text]))),
    CONSTRAINT message_msg_status_check CHECK ((msg_status = ANY (ARRAY['complete'::text, 'queued'::text, 'generating'::text, 'waiting'::text, 'stopped'::text, 'failed'::text]))),
    CONSTRAINT message_msg_visibility_check CHECK ((msg_visibility = ANY (ARRAY['all'::text, 'staff'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.message FORCE ROW LEVEL SECURITY;

ALTER TABLE public.message OWNER TO atrium_owner;

CREATE TABLE public.message_file (
    tenant_id uuid NOT NULL,
    msg_id uuid NOT NULL,
    file_id uuid NOT NULL,
    mf_position integer NOT NULL
);

ALTER TABLE ONLY public.message_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.message_file OWNER TO atrium_owner;

CREATE TABLE public.model_provider (
    tenant_id uuid NOT NULL,
    mp_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    mp_name text NOT NULL,
    mp_type text NOT NULL,
    mp_base_url text,
    mp_models jsonb DEFAULT '[]'::jsonb NOT NULL,
    mp_headers text[] DEFAULT '{}'::text[] NOT NULL,
    mp_key_enc text,
    mp_key_id text,
    mp_active boolean DEFAULT true NOT NULL,
    mp_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    mp_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT model_provider_mp_name_check CHECK ((mp_name ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
    CONSTRAINT model_provider_mp_type_check CHECK ((mp_type = ANY (ARRAY['openai'::text, 'anthropic'::text, 'openai-compatible'::text, 'local'::text])))
);

ALTER TABLE ONLY public.model_provider FORCE ROW LEVEL SECURITY;

ALTER TABLE public.model_provider OWNER TO atrium_owner;

CREATE TABLE public.node (
    tenant_id uuid NOT NULL,
    node_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    node_site uuid NOT NULL,
    node_parent uuid,
    node_kind text NOT NULL,
    node_name text NOT NULL,
    node_name_key text GENERATED ALWAYS AS (lower("left"(node_name, 64))) STORED NOT NULL,
    node_slug text NOT NULL,
    node_slugs jsonb DEFAULT '{}'::jsonb NOT NULL,
    node_order text NOT NULL COLLATE pg_catalog."C",
    node_template uuid,
    node_tree jsonb DEFAULT '{}'::jsonb NOT NULL,
    node_seo jsonb DEFAULT '{}'::jsonb NOT NULL,
    node_link jsonb,
    node_tags text[] DEFAULT '{}'::text[] NOT NULL,
    node_menu boolean DEFAULT true NOT NULL,
    node_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    node_active boolean DEFAULT true NOT NULL,
    node_removed timestamp(3) with time zone,
    node_removed_by uuid,
    node_removed_with uuid,
    node_lineage text NOT NULL COLLATE pg_catalog."C",
    node_created timestamp(3) with time zone NOT NULL,
    node_updated timestamp(3) with time zone NOT NULL,
    node_created_by uuid,
    node_updated_by uuid,
    CONSTRAINT node_check CHECK (((node_kind = 'page'::text) = (node_template IS NOT NULL))),
    CONSTRAINT node_node_kind_check CHECK ((node_kind = ANY (ARRAY['page'::text, 'folder'::text, 'link'::text]))),
    CONSTRAINT node_node_lineage_check CHECK (((length(node_lineage) >= 32) AND (length(node_lineage) <= 480) AND ((length(node_lineage) % 32) = 0)))
);

ALTER TABLE ONLY public.node FORCE ROW LEVEL SECURITY;

ALTER TABLE public.node OWNER TO atrium_owner;

CREATE TABLE public.node_locale (
    tenant_id uuid NOT NULL,
    nl_node uuid NOT NULL,
    nl_locale text NOT NULL COLLATE pg_catalog."C",
    nl_site uuid NOT NULL,
    nl_parent uuid,
    nl_active boolean DEFAULT true NOT NULL,
    nl_slug text NOT NULL,
    nl_overlay jsonb DEFAULT '{}'::jsonb NOT NULL,
    nl_sources jsonb DEFAULT '{}'::jsonb NOT NULL,
    nl_revision integer DEFAULT 1 NOT NULL,
    nl_hash text NOT NULL COLLATE pg_catalog."C",
    nl_missing integer DEFAULT 0 NOT NULL,
    nl_stale integer DEFAULT 0 NOT NULL,
    nl_status text DEFAULT 'draft'::text NOT NULL,
    nl_live_slug text,
    nl_first_published timestamp(3) with time zone,
    nl_updated timestamp(3) with time zone NOT NULL,
    nl_updated_by uuid,
    CONSTRAINT node_locale_nl_status_check CHECK ((nl_status = ANY (ARRAY['draft'::text, 'published'::text, 'changed'::text, 'unpublished'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.node_locale FORCE ROW LEVEL SECURITY;

ALTER TABLE public.node_locale OWNER TO atrium_owner;

CREATE TABLE public.node_reference (
    tenant_id uuid NOT NULL,
    nref_node uuid NOT NULL,
    nref_kind text NOT NULL,
    nref_ref uuid NOT NULL,
    CONSTRAINT node_reference_nref_kind_check CHECK ((nref_kind = ANY (ARRAY['page'::text, 'file'::text])))
);

ALTER TABLE ONLY public.node_reference FORCE ROW LEVEL SECURITY;

ALTER TABLE public.node_reference OWNER TO atrium_owner;

CREATE TABLE public.object (
    tenant_id uuid NOT NULL,
    obj_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    obj_form uuid NOT NULL,
    obj_name text NOT NULL,
    obj_name_key text GENERATED ALWAYS AS (lower("left"(obj_name, 64))) STORED NOT NULL,
    obj_content jsonb DEFAULT '{}'::jsonb NOT NULL,
    obj_status text,
    obj_flow uuid,
    obj_status_since timestamp(3) with time zone,
    obj_terms uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    obj_cover_file uuid,
    obj_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    obj_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    obj_source uuid,
    obj_external_id text,
    obj_external_url text,
    obj_synced timestamp(3) with time zone,
    obj_locked_fields text[] DEFAULT '{}'::text[] NOT NULL,
    obj_issues jsonb DEFAULT '[]'::jsonb NOT NULL,
    obj_active boolean DEFAULT true NOT NULL,
    obj_deleted timestamp(3) with time zone,
    obj_dropped boolean DEFAULT false NOT NULL,
    obj_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    obj_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    obj_created_by uuid,
    obj_updated_by uuid,
    obj_hash text,
    obj_text text NOT NULL,
    obj_tsv tsvector DEFAULT ''::tsvector NOT NULL,
    obj_shelf jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT object_check CHECK ((obj_active = (obj_deleted IS NULL))),
    CONSTRAINT object_check1 CHECK (((obj_status IS NULL) = (obj_flow IS NULL))),
    CONSTRAINT object_check2 CHECK (((obj_status IS NULL) = (obj_status_since IS NULL))),
    CONSTRAINT object_check3 CHECK ((NOT (obj_active AND obj_dropped)))
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.object FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object OWNER TO atrium_owner;

CREATE TABLE public.object_flow (
    tenant_id uuid NOT NULL,
    olf_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    olf_name text NOT NULL,
    olf_name_key text GENERATED ALWAYS AS (lower("left"(olf_name, 64))) STORED NOT NULL,
    olf_description text,
    olf_active boolean DEFAULT false NOT NULL,
    olf_forms uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    olf_states jsonb NOT NULL,
    olf_transitions jsonb DEFAULT '[]'::jsonb NOT NULL,
    olf_map jsonb DEFAULT '{}'::jsonb NOT NULL,
    olf_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    olf_revision integer DEFAULT 1 NOT NULL,
    olf_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    olf_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.object_flow FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_flow OWNER TO atrium_owner;

CREATE TABLE public.object_import (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    imp_order jsonb NOT NULL,
    imp_row integer DEFAULT 0 NOT NULL,
    imp_total integer,
    imp_created integer DEFAULT 0 NOT NULL,
    imp_updated integer DEFAULT 0 NOT NULL,
    imp_unchanged integer DEFAULT 0 NOT NULL,
    imp_failed integer DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.object_import FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_import OWNER TO atrium_owner;

CREATE TABLE public.object_import_fault (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    fault_row integer NOT NULL,
    fault_place integer NOT NULL,
    fault_column text NOT NULL,
    fault_message text NOT NULL
);

ALTER TABLE ONLY public.object_import_fault FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_import_fault OWNER TO atrium_owner;

CREATE TABLE public.object_revision (
    tenant_id uuid NOT NULL,
    rev_object uuid NOT NULL,
    rev_version integer NOT NULL,
    rev_id uuid NOT NULL,
    rev_action text NOT NULL,
    rev_changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    rev_content jsonb NOT NULL,
    rev_created timestamp(3) with time zone NOT NULL,
    rev_created_by uuid,
    CONSTRAINT object_revision_rev_action_check CHECK ((rev_action = ANY (ARRAY['created'::text, 'updated'::text, 'transitioned'::text, 'synced'::text, 'restored'::text, 'schema_changed'::text])))
);

ALTER TABLE ONLY public.object_revision FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_revision OWNER TO atrium_owner;

CREATE TABLE public.object_source (
    tenant_id uuid NOT NULL,
    osr_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    osr_name text NOT NULL,
    osr_description text,
    osr_kind text NOT NULL,
    osr_form uuid NOT NULL,
    osr_config jsonb NOT NULL,
    osr_credentials text,
    osr_mapping jsonb NOT NULL,
    osr_mode text DEFAULT 'full'::text NOT NULL,
    osr_on_missing text DEFAULT 'deactivate'::text NOT NULL,
    osr_delete_limit integer DEFAULT 15 NOT NULL,
    osr_conflict text DEFAULT 'local_wins'::text NOT NULL,
    osr_cron text,
    osr_timezone text DEFAULT 'UTC'::text NOT NULL,
    osr_active boolean DEFAULT true NOT NULL,
    osr_last_run uuid,
    osr_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    osr_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    osr_created_by uuid,
    osr_next timestamp(3) with time zone,
    osr_removed timestamp(3) with time zone,
    CONSTRAINT object_source_check CHECK (((osr_removed IS NULL) OR (osr_next IS NULL))),
    CONSTRAINT object_source_osr_conflict_check CHECK ((osr_conflict = ANY (ARRAY['source_wins'::text, 'local_wins'::text]))),
    CONSTRAINT object_source_osr_delete_limit_check CHECK (((osr_delete_limit >= 1) AND (osr_delete_limit <= 100))),
    CONSTRAINT object_source_osr_kind_check CHECK ((osr_kind = ANY (ARRAY['http_json'::text, 'http_csv'::text, 'sql'::text]))),
    CONSTRAINT object_source_osr_mode_check CHECK ((osr_mode = 'full'::text)),
    CONSTRAINT object_source_osr_on_missing_check CHECK ((osr_on_missing = ANY (ARRAY['keep'::text, 'deactivate'::text, 'flag'::text])))
);

ALTER TABLE ONLY public.object_source FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_source OWNER TO atrium_owner;

CREATE TABLE public.object_source_removal (
    tenant_id uuid NOT NULL,
    osr_id uuid NOT NULL,
    external_id text NOT NULL
);

ALTER TABLE ONLY public.object_source_removal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_source_removal OWNER TO atrium_owner;

CREATE TABLE public.object_sync_row (
    tenant_id uuid NOT NULL,
    row_id uuid NOT NULL,
    job_id uuid NOT NULL,
    external_id text,
    action text NOT NULL,
    obj_id uuid,
    error text,
    diff jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT object_sync_row_action_check CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'deactivated'::text, 'held'::text, 'conflict'::text, 'failed'::text])))
);

ALTER TABLE ONLY public.object_sync_row FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_row OWNER TO atrium_owner;

CREATE TABLE public.object_sync_run (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    job_source uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    trigger text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    total integer,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    deactivated integer DEFAULT 0 NOT NULL,
    conflicts integer DEFAULT 0 NOT NULL,
    held_deletes integer DEFAULT 0 NOT NULL,
    error text,
    queued timestamp(3) with time zone DEFAULT now() NOT NULL,
    started timestamp(3) with time zone,
    finished timestamp(3) with time zone,
    job_created_by uuid,
    job_key uuid,
    force_deletes boolean DEFAULT false NOT NULL,
    place jsonb DEFAULT '{}'::jsonb NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    beat timestamp(3) with time zone,
    CONSTRAINT object_sync_run_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT object_sync_run_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'schedule'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.object_sync_run FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_run OWNER TO atrium_owner;

CREATE TABLE public.object_sync_seen (
    tenant_id uuid NOT NULL,
    job_id uuid NOT NULL,
    external_id text NOT NULL,
    page integer NOT NULL,
    gone boolean NOT NULL
);

ALTER TABLE ONLY public.object_sync_seen FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_seen OWNER TO atrium_owner;

CREATE TABLE public.object_transition (
    tenant_id uuid NOT NULL,
    otr_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    otr_object uuid NOT NULL,
    otr_flow uuid NOT NULL,
    otr_transition text,
    otr_from text,
    otr_to text NOT NULL,
    otr_comment text,
    otr_by uuid,
    otr_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    otr_status text DEFAULT 'done'::text NOT NULL,
    CONSTRAINT object_transition_otr_status_check CHECK ((otr_status = 'done'::text))
);

ALTER TABLE ONLY public.object_transition FORCE ROW LEVEL SECURITY;

ALTER TABLE public.object_transition OWNER TO atrium_owner;

CREATE TABLE public.operator_call (
    op_id uuid NOT NULL,
    op_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    op_actor text NOT NULL,
    op_method text NOT NULL,
    op_path text NOT NULL,
    op_status integer NOT NULL,
    op_ip text,
    op_request_id text NOT NULL
);

ALTER TABLE public.operator_call OWNER TO atrium_owner;

CREATE TABLE public.page_part (
    tenant_id uuid NOT NULL,
    part_node uuid NOT NULL,
    part_hash text NOT NULL COLLATE pg_catalog."C",
    part_value jsonb NOT NULL
);

ALTER TABLE ONLY public.page_part FORCE ROW LEVEL SECURITY;

ALTER TABLE public.page_part OWNER TO atrium_owner;

CREATE TABLE public.page_publication (
    tenant_id uuid NOT NULL,
    np_id uuid NOT NULL,
    np_site uuid NOT NULL,
    np_node uuid NOT NULL,
    np_locale text NOT NULL COLLATE pg_catalog."C",
    np_kind text NOT NULL,
    np_parent uuid,
    np_lineage text NOT NULL COLLATE pg_catalog."C",
    np_order text NOT NULL COLLATE pg_catalog."C",
    np_slug text NOT NULL,
    np_path text NOT NULL,
    np_path_hash text NOT NULL COLLATE pg_catalog."C",
    np_name text NOT NULL,
    np_name_key text GENERATED ALWAYS AS (lower("left"(np_name, 64))) STORED NOT NULL,
    np_template uuid,
    np_template_key text COLLATE pg_catalog."C",
    np_link jsonb,
    np_tags text[] DEFAULT '{}'::text[] NOT NULL,
    np_menu boolean DEFAULT true NOT NULL,
    np_noindex boolean DEFAULT false NOT NULL,
    np_version uuid,
    np_snapshot uuid,
    np_hash text NOT NULL COLLATE pg_catalog."C",
    np_from_seq bigint NOT NULL,
    np_to_seq bigint,
    np_published timestamp(3) with time zone NOT NULL,
    np_published_by uuid,
    np_first_published timestamp(3) with time zone NOT NULL,
    np_closed timestamp(3) with time zone,
    CONSTRAINT page_publication_check CHECK (((np_to_seq IS NULL) OR (np_to_seq > np_from_seq))),
    CONSTRAINT page_publication_check1 CHECK (((np_kind = ANY (ARRAY['page'::text, 'link'::text])) = (np_snapshot IS NOT NULL))),
    CONSTRAINT page_publication_np_kind_check CHECK ((np_kind = ANY (ARRAY['page'::text, 'folder'::text, 'link'::text, 'segment'::text]))),
    CONSTRAINT page_publication_np_path_check CHECK ((length(np_path) <= 2000))
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.page_publication FORCE ROW LEVEL SECURITY;

ALTER TABLE public.page_publication OWNER TO atrium_owner;

CREATE TABLE public.page_snapshot (
    tenant_id uuid NOT NULL,
    snap_id uuid NOT NULL,
    snap_site uuid NOT NULL,
    snap_node uuid NOT NULL,
    snap_locale text NOT NULL COLLATE pg_catalog."C",
    snap_template uuid,
    snap_hash text NOT NULL COLLATE pg_catalog."C",
    snap_doc jsonb NOT NULL,
    snap_created timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.page_snapshot FORCE ROW LEVEL SECURITY;

ALTER TABLE public.page_snapshot OWNER TO atrium_owner;

CREATE TABLE public.page_snapshot_ref (
    tenant_id uuid NOT NULL,
    snref_snapshot uuid NOT NULL,
    snref_kind text NOT NULL,
    snref_ref uuid NOT NULL,
    snref_hash text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT page_snapshot_ref_snref_kind_check CHECK ((snref_kind = ANY (ARRAY['page'::text, 'file'::text])))
);

ALTER TABLE ONLY public.page_snapshot_ref FORCE ROW LEVEL SECURITY;

ALTER TABLE public.page_snapshot_ref OWNER TO atrium_owner;

CREATE TABLE public.page_version (
    tenant_id uuid NOT NULL,
    ver_id uuid NOT NULL,
    ver_node uuid NOT NULL,
    ver_number integer NOT NULL,
    ver_kind text NOT NULL,
    ver_locales text[] DEFAULT '{}'::text[] NOT NULL,
    ver_name text,
    ver_note text,
    ver_pinned boolean DEFAULT false NOT NULL,
    ver_hash text NOT NULL COLLATE pg_catalog."C",
    ver_parts jsonb NOT NULL,
    ver_created timestamp(3) with time zone NOT NULL,
    ver_updated timestamp(3) with time zone NOT NULL,
    ver_created_by uuid,
    CONSTRAINT page_version_ver_kind_check CHECK ((ver_kind = ANY (ARRAY['saved'::text, 'published'::text, 'restored'::text, 'synced'::text, 'merged'::text, 'imported'::text])))
);

ALTER TABLE ONLY public.page_version FORCE ROW LEVEL SECURITY;

ALTER TABLE public.page_version OWNER TO atrium_owner;

CREATE TABLE public.partition_plan (
    part_table name NOT NULL,
    part_key name NOT NULL,
    part_keep_min integer NOT NULL,
    part_held text,
    CONSTRAINT partition_plan_part_keep_min_check CHECK ((part_keep_min > 0))
);

ALTER TABLE public.partition_plan OWNER TO atrium_owner;

CREATE TABLE public.passage (
    tenant_id uuid NOT NULL,
    passage_id uuid NOT NULL,
    source_kind text NOT NULL,
    source_id uuid NOT NULL,
    psg_ordinal integer NOT NULL,
    psg_text text NOT NULL,
    psg_heading text DEFAULT ''::text NOT NULL,
    psg_lead text DEFAULT ''::text NOT NULL,
    psg_page_from integer,
    psg_page_to integer,
    psg_char_start integer NOT NULL,
    psg_char_end integer NOT NULL,
    psg_tokens integer NOT NULL,
    psg_hash text NOT NULL,
    psg_tsv tsvector NOT NULL,
    psg_length integer NOT NULL
);

ALTER TABLE ONLY public.passage FORCE ROW LEVEL SECURITY;

ALTER TABLE public.passage OWNER TO atrium_owner;

CREATE TABLE public.passage_scope (
    tenant_id uuid NOT NULL,
    source_kind text NOT NULL,
    source_id uuid NOT NULL,
    scope_key text NOT NULL
);

ALTER TABLE ONLY public.passage_scope FORCE ROW LEVEL SECURITY;

ALTER TABLE public.passage_scope OWNER TO atrium_owner;

CREATE TABLE public.passage_source (
    tenant_id uuid NOT NULL,
    source_kind text NOT NULL,
    source_id uuid NOT NULL,
    source_wanted text NOT NULL,
    source_version text,
    source_version_id uuid,
    source_title text DEFAULT ''::text NOT NULL,
    source_url text,
    source_lang text,
    source_meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    source_options jsonb DEFAULT '{}'::jsonb NOT NULL,
    source_generation integer DEFAULT 0 NOT NULL,
    source_status text DEFAULT 'pending'::text NOT NULL,
    source_error text,
    source_model text,
    source_passages integer DEFAULT 0 NOT NULL,
    source_truncated boolean DEFAULT false NOT NULL,
    source_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT passage_source_source_status_check CHECK ((source_status = ANY (ARRAY['pending'::text, 'live'::text, 'failed'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.passage_source FORCE ROW LEVEL SECURITY;

ALTER TABLE public.passage_source OWNER TO atrium_owner;

CREATE TABLE public.person (
    tenant_id uuid NOT NULL,
    person_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    person_name text,
    person_name_key text GENERATED ALWAYS AS (COALESCE(lower("left"(person_name, 64)), chr(65535))) STORED NOT NULL,
    person_description text,
    person_birth_date text,
    person_hidden boolean DEFAULT false NOT NULL,
    person_cover_face uuid,
    person_consent jsonb DEFAULT '{"status": "unknown"}'::jsonb NOT NULL,
    person_consent_status text GENERATED ALWAYS AS (COALESCE((person_consent ->> 'status'::text), 'unknown'::text)) STORED NOT NULL,
    person_consent_until timestamp(3) with time zone,
    person_merged_into uuid,
    person_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    person_face_count bigint DEFAULT 0 NOT NULL,
    person_file_count bigint GENERATED ALWAYS AS (person_face_count) STORED NOT NULL,
    person_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    person_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    person_created_by uuid,
    CONSTRAINT person_person_birth_date_check CHECK ((person_birth_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
    CONSTRAINT person_person_consent_status_check CHECK ((person_consent_status = ANY (ARRAY['unknown'::text, 'granted'::text, 'refused'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.person FORCE ROW LEVEL SECURITY;

ALTER TABLE public.person OWNER TO atrium_owner;

CREATE TABLE public.person_merge (
    tenant_id uuid NOT NULL,
    pm_id uuid NOT NULL,
    pm_person uuid NOT NULL,
    pm_record jsonb NOT NULL,
    pm_until timestamp(3) with time zone NOT NULL,
    pm_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    pm_created_by uuid
);

ALTER TABLE ONLY public.person_merge FORCE ROW LEVEL SECURITY;

ALTER TABLE public.person_merge OWNER TO atrium_owner;

CREATE TABLE public.person_pref (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    person_id uuid NOT NULL
);

ALTER TABLE ONLY public.person_pref FORCE ROW LEVEL SECURITY;

ALTER TABLE public.person_pref OWNER TO atrium_owner;

CREATE TABLE public.preview_link (
    tenant_id uuid NOT NULL,
    prv_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    prv_site uuid NOT NULL,
    prv_node uuid,
    prv_locale text COLLATE pg_catalog."C",
    prv_version integer,
    prv_token_hash text NOT NULL COLLATE pg_catalog."C",
    prv_expires timestamp(3) with time zone NOT NULL,
    prv_uses integer DEFAULT 0 NOT NULL,
    prv_created timestamp(3) with time zone NOT NULL,
    prv_created_by uuid
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.preview_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.preview_link OWNER TO atrium_owner;

CREATE TABLE public.privacy_request (
    tenant_id uuid NOT NULL,
    dsr_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    dsr_kind text NOT NULL,
    dsr_subject_type text NOT NULL,
    dsr_subject text NOT NULL,
    dsr_user uuid,
    dsr_subject_key text NOT NULL,
    dsr_status text NOT NULL,
    dsr_include_files boolean DEFAULT true NOT NULL,
    dsr_execute_after timestamp(3) with time zone NOT NULL,
    dsr_requested_by uuid,
    dsr_approved_by uuid,
    dsr_done integer DEFAULT 0 NOT NULL,
    dsr_total integer DEFAULT 0 NOT NULL,
    dsr_report jsonb DEFAULT '{}'::jsonb NOT NULL,
    dsr_archive text,
    dsr_bytes bigint,
    dsr_expires_at timestamp(3) with time zone,
    dsr_error text,
    dsr_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    dsr_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    dsr_stored boolean DEFAULT false NOT NULL,
    CONSTRAINT privacy_request_dsr_kind_check CHECK ((dsr_kind = ANY (ARRAY['export'::text, 'erasure'::text]))),
    CONSTRAINT privacy_request_dsr_status_check CHECK ((dsr_status = ANY (ARRAY['pending_approval'::text, 'scheduled'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'blocked'::text]))),
    CONSTRAINT privacy_request_dsr_subject_type_check CHECK ((dsr_subject_type = ANY (ARRAY['user'::text, 'email'::text, 'person'::text])))
);

ALTER TABLE ONLY public.privacy_request FORCE ROW LEVEL SECURITY;

ALTER TABLE public.privacy_request OWNER TO atrium_owner;

CREATE TABLE public.prompt (
    tenant_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    prompt_name text NOT NULL,
    prompt_name_key text GENERATED ALWAYS AS (lower("left"(prompt_name, 64))) STORED NOT NULL,
    prompt_description text,
    prompt_text text NOT NULL,
    prompt_agent uuid,
    prompt_model text,
    prompt_params jsonb DEFAULT '{}'::jsonb NOT NULL,
    prompt_knowledge uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    prompt_wildcards text[] DEFAULT '{}'::text[] NOT NULL,
    prompt_icon text,
    prompt_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    prompt_user uuid,
    prompt_version integer DEFAULT 1 NOT NULL,
    prompt_run_count integer DEFAULT 0 NOT NULL,
    prompt_active boolean DEFAULT true NOT NULL,
    prompt_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    prompt_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    prompt_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    prompt_tsv tsvector DEFAULT ''::tsvector NOT NULL
);

ALTER TABLE ONLY public.prompt FORCE ROW LEVEL SECURITY;

ALTER TABLE public.prompt OWNER TO atrium_owner;

CREATE TABLE public.prompt_category (
    tenant_id uuid NOT NULL,
    pcat_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    pcat_name text NOT NULL,
    pcat_name_key text GENERATED ALWAYS AS (lower("left"(pcat_name, 64))) STORED NOT NULL,
    pcat_description text,
    pcat_parent uuid,
    pcat_order integer DEFAULT 0 NOT NULL,
    pcat_active boolean DEFAULT true NOT NULL,
    pcat_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    pcat_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.prompt_category FORCE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_category OWNER TO atrium_owner;

CREATE TABLE public.prompt_category_link (
    tenant_id uuid NOT NULL,
    pcat_id uuid NOT NULL,
    prompt_id uuid NOT NULL
);

ALTER TABLE ONLY public.prompt_category_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_category_link OWNER TO atrium_owner;

CREATE TABLE public.prompt_revision (
    tenant_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    prompt_version integer NOT NULL,
    rev_body jsonb NOT NULL,
    rev_user uuid,
    rev_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.prompt_revision FORCE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_revision OWNER TO atrium_owner;

CREATE TABLE public.prompt_wildcard (
    tenant_id uuid NOT NULL,
    pw_key text NOT NULL,
    prompt_id uuid NOT NULL
);

ALTER TABLE ONLY public.prompt_wildcard FORCE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_wildcard OWNER TO atrium_owner;

CREATE TABLE public.publication (
    tenant_id uuid NOT NULL,
    pub_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    pub_file uuid NOT NULL,
    pub_state text NOT NULL,
    pub_version integer NOT NULL,
    pub_key text,
    pub_hostname text,
    pub_name text,
    pub_url text,
    pub_size bigint,
    pub_content_type text,
    pub_hash text,
    pub_object text,
    pub_copied timestamp(3) with time zone,
    pub_start timestamp(3) with time zone,
    pub_end timestamp(3) with time zone,
    pub_distribution text NOT NULL,
    pub_deny text[] DEFAULT '{}'::text[] NOT NULL,
    pub_restrictions uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    pub_copy_state text DEFAULT 'none'::text NOT NULL,
    pub_error text,
    pub_wanted_version integer,
    pub_wanted_hash text,
    pub_file_name text NOT NULL,
    pub_file_version integer NOT NULL,
    pub_repo_type text NOT NULL,
    pub_stale boolean GENERATED ALWAYS AS (((pub_state = ANY (ARRAY['published'::text, 'scheduled'::text])) AND (pub_version <> pub_file_version))) STORED NOT NULL,
    pub_published_name text,
    pub_draft jsonb,
    pub_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    pub_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    pub_created_by uuid,
    pub_published timestamp(3) with time zone,
    pub_revoked timestamp(3) with time zone,
    pub_revoked_reason text,
    pub_hit_count bigint DEFAULT 0 NOT NULL,
    pub_last_hit timestamp(3) with time zone,
    pub_edge_revision integer DEFAULT 0 NOT NULL,
    pub_edge_due timestamp(3) with time zone,
    pub_search text GENERATED ALWAYS AS (lower(((((pub_file_name || '
'::text) || COALESCE(pub_published_name, ''::text)) || '
'::text) || COALESCE(pub_url, ''::text)))) STORED NOT NULL,
    pub_copy_object text,
    CONSTRAINT publication_check CHECK ((((pub_key IS NULL) = (pub_url IS NULL)) AND ((pub_key IS NULL) = (pub_name IS NULL)))),
    CONSTRAINT publication_check1 CHECK (((pub_key IS NOT NULL) OR (pub_state = 'draft'::text))),
    CONSTRAINT publication_check2 CHECK (((pub_state = 'revoked'::text) = (pub_revoked_reason IS NOT NULL))),
    CONSTRAINT publication_pub_copy_state_check CHECK ((pub_copy_state = ANY (ARRAY['none'::text, 'pending'::text, 'copying'::text, 'ready'::text, 'failed'::text]))),
    CONSTRAINT publication_pub_deny_check CHECK ((cardinality(pub_deny) <= 300)),
    CONSTRAINT publication_pub_distribution_check CHECK ((pub_distribution = ANY (ARRAY['worldwide'::text, 'restricted'::text]))),
    CONSTRAINT publication_pub_key_check CHECK ((pub_key ~ '^[1-9A-HJ-NP-Za-km-z]{16}$'::text)),
    CONSTRAINT publication_pub_restrictions_check CHECK ((cardinality(pub_restrictions) <= 50)),
    CONSTRAINT publication_pub_revoked_reason_check CHECK ((pub_revoked_reason = ANY (ARRAY['user'::text, 'expired'::text, 'trashed'::text, 'status'::text, 'consent'::text, 'rights'::text, 'hold'::text]))),
    CONSTRAINT publication_pub_state_check CHECK ((pub_state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'published'::text, 'revoked'::text])))
);

ALTER TABLE ONLY public.publication FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publication OWNER TO atrium_owner;

CREATE TABLE public.publication_history (
    tenant_id uuid NOT NULL,
    ph_id uuid NOT NULL,
    ph_publication uuid NOT NULL,
    ph_action text NOT NULL,
    ph_actor uuid,
    ph_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    ph_from jsonb,
    ph_to jsonb,
    ph_revision integer,
    ph_edges jsonb DEFAULT '[]'::jsonb NOT NULL
);

ALTER TABLE ONLY public.publication_history FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publication_history OWNER TO atrium_owner;

CREATE TABLE public.publication_restriction (
    tenant_id uuid NOT NULL,
    pr_restriction uuid NOT NULL,
    pr_publication uuid NOT NULL
);

ALTER TABLE ONLY public.publication_restriction FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publication_restriction OWNER TO atrium_owner;

CREATE TABLE public.publication_stat (
    tenant_id uuid NOT NULL,
    ps_publication uuid NOT NULL,
    ps_day date NOT NULL,
    ps_outcome text NOT NULL,
    ps_country text NOT NULL,
    ps_hits bigint DEFAULT 0 NOT NULL,
    ps_bytes bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.publication_stat FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publication_stat OWNER TO atrium_owner;

CREATE TABLE public.publish_schedule (
    tenant_id uuid NOT NULL,
    sch_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    sch_site uuid NOT NULL,
    sch_node uuid,
    sch_nodes uuid[],
    sch_action text NOT NULL,
    sch_at timestamp(3) with time zone NOT NULL,
    sch_locales text[],
    sch_freeze boolean DEFAULT true NOT NULL,
    sch_versions jsonb DEFAULT '{}'::jsonb NOT NULL,
    sch_version uuid,
    sch_options jsonb DEFAULT '{}'::jsonb NOT NULL,
    sch_status text DEFAULT 'waiting'::text NOT NULL,
    sch_error text,
    sch_created timestamp(3) with time zone NOT NULL,
    sch_finished timestamp(3) with time zone,
    sch_created_by uuid,
    sch_key uuid,
    CONSTRAINT publish_schedule_check CHECK (((sch_node IS NULL) <> (sch_nodes IS NULL))),
    CONSTRAINT publish_schedule_sch_action_check CHECK ((sch_action = ANY (ARRAY['publish'::text, 'unpublish'::text]))),
    CONSTRAINT publish_schedule_sch_status_check CHECK ((sch_status = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.publish_schedule FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publish_schedule OWNER TO atrium_owner;

CREATE TABLE public.publish_schedule_node (
    tenant_id uuid NOT NULL,
    schn_schedule uuid NOT NULL,
    schn_node uuid NOT NULL
);

ALTER TABLE ONLY public.publish_schedule_node FORCE ROW LEVEL SECURITY;

ALTER TABLE public.publish_schedule_node OWNER TO atrium_owner;

CREATE UNLOGGED TABLE public.rate_count (
    rc_key text NOT NULL,
    rc_minute bigint NOT NULL,
    rc_count integer NOT NULL
);

ALTER TABLE public.rate_count OWNER TO atrium_owner;

CREATE TABLE public.rate_override (
    tenant_id uuid NOT NULL,
    rl_class text NOT NULL,
    rl_limit integer NOT NULL,
    rl_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT rate_override_rl_class_check CHECK ((rl_class = ANY (ARRAY['read'::text, 'write'::text, 'ai'::text, 'upload'::text, 'search'::text, 'admin-report'::text, 'auth'::text, 'workspace'::text]))),
    CONSTRAINT rate_override_rl_limit_check CHECK ((rl_limit > 0))
);

ALTER TABLE ONLY public.rate_override FORCE ROW LEVEL SECURITY;

ALTER TABLE public.rate_override OWNER TO atrium_owner;

CREATE TABLE public.refresh_replay (
    rr_key text NOT NULL,
    ses_id uuid NOT NULL,
    rr_sealed text NOT NULL,
    rr_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.refresh_replay OWNER TO atrium_owner;

CREATE TABLE public.refresh_token (
    rt_hash text NOT NULL,
    ses_id uuid NOT NULL,
    rt_created timestamp(6) with time zone DEFAULT clock_timestamp() NOT NULL,
    rt_expires_at timestamp(3) with time zone NOT NULL,
    rt_spent_at timestamp(6) with time zone,
    rt_settled_at timestamp(6) with time zone
);

ALTER TABLE public.refresh_token OWNER TO atrium_owner;

CREATE UNLOGGED TABLE public.request_strike (
    rst_fingerprint text NOT NULL,
    rst_operation text NOT NULL,
    rst_strikes integer NOT NULL,
    rst_last timestamp with time zone NOT NULL
);

ALTER TABLE public.request_strike OWNER TO atrium_owner;

CREATE TABLE public.retention_check (
    tenant_id uuid NOT NULL,
    check_date date NOT NULL,
    check_keys text[] NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.retention_check FORCE ROW LEVEL SECURITY;

ALTER TABLE public.retention_check OWNER TO atrium_owner;

CREATE TABLE public.retention_held (
    tenant_id uuid NOT NULL,
    held_run uuid NOT NULL,
    held_id uuid NOT NULL,
    held_hold uuid NOT NULL
);

ALTER TABLE ONLY public.retention_held FORCE ROW LEVEL SECURITY;

ALTER TABLE public.retention_held OWNER TO atrium_owner;

CREATE VIEW public.retention_look WITH (security_invoker='true') AS
 SELECT retention_check.tenant_id,
    retention_check.check_date AS look_date,
    retention_check.check_keys AS look_keys
   FROM public.retention_check;

ALTER TABLE public.retention_look OWNER TO atrium_owner;

CREATE TABLE public.retention_policy (
    tenant_id uuid NOT NULL,
    ret_key text NOT NULL,
    ret_days integer NOT NULL,
    ret_days_before integer,
    ret_effective_at timestamp(3) with time zone,
    ret_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    ret_updated_by uuid,
    CONSTRAINT retention_policy_check CHECK ((ret_days_before > ret_days)),
    CONSTRAINT retention_policy_check1 CHECK (((ret_days_before IS NULL) = (ret_effective_at IS NULL))),
    CONSTRAINT retention_policy_ret_days_check CHECK ((ret_days > 0))
);

ALTER TABLE ONLY public.retention_policy FORCE ROW LEVEL SECURITY;

ALTER TABLE public.retention_policy OWNER TO atrium_owner;

CREATE TABLE public.retention_run (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    ret_key text NOT NULL,
    run_date date NOT NULL,
    run_before timestamp(3) with time zone NOT NULL,
    run_status text DEFAULT 'running'::text NOT NULL,
    run_removed bigint DEFAULT 0 NOT NULL,
    run_bytes bigint DEFAULT 0 NOT NULL,
    run_held bigint DEFAULT 0 NOT NULL,
    run_started timestamp(3) with time zone DEFAULT now() NOT NULL,
    run_finished timestamp(3) with time zone,
    run_error text,
    CONSTRAINT retention_run_run_status_check CHECK ((run_status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);

ALTER TABLE ONLY public.retention_run FORCE ROW LEVEL SECURITY;

ALTER TABLE public.retention_run OWNER TO atrium_owner;

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
    role_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    role_name_key text GENERATED ALWAYS AS (lower("left"(role_name, 64))) STORED NOT NULL
);

ALTER TABLE ONLY public.role FORCE ROW LEVEL SECURITY;

ALTER TABLE public.role OWNER TO atrium_owner;

CREATE TABLE public.run (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    run_thread uuid,
    run_message uuid,
    run_user uuid,
    run_key uuid,
    run_agent uuid NOT NULL,
    run_agent_version integer NOT NULL,
    run_model text NOT NULL,
    run_status text DEFAULT 'queued'::text NOT NULL,
    run_options jsonb DEFAULT '{}'::jsonb NOT NULL,
    run_input jsonb,
    run_output jsonb,
    run_attempt integer DEFAULT 0 NOT NULL,
    run_steps integer DEFAULT 0 NOT NULL,
    run_tainted text,
    run_sources jsonb DEFAULT '[]'::jsonb NOT NULL,
    run_losses integer DEFAULT 0 NOT NULL,
    run_kept_parts integer DEFAULT 0 NOT NULL,
    run_pending_tokens integer DEFAULT 0 NOT NULL,
    run_usage jsonb,
    run_error jsonb,
    run_stop_requested boolean DEFAULT false NOT NULL,
    run_hold text,
    run_checkpoint text,
    run_alive timestamp(3) with time zone DEFAULT now() NOT NULL,
    run_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    run_started timestamp(3) with time zone,
    run_finished timestamp(3) with time zone,
    run_due timestamp(3) with time zone,
    run_pending_output integer DEFAULT 0 NOT NULL,
    run_reason text,
    CONSTRAINT run_run_reason_check CHECK ((char_length(run_reason) <= 1000)),
    CONSTRAINT run_run_status_check CHECK ((run_status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'completed'::text, 'failed'::text, 'stopped'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.run FORCE ROW LEVEL SECURITY;

ALTER TABLE public.run OWNER TO atrium_owner;

CREATE TABLE public.run_step (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    step integer NOT NULL,
    attempt integer NOT NULL,
    model text NOT NULL,
    input_tokens integer DEFAULT 0 NOT NULL,
    cached_tokens integer DEFAULT 0 NOT NULL,
    output_tokens integer DEFAULT 0 NOT NULL,
    reasoning_tokens integer DEFAULT 0 NOT NULL,
    estimated boolean DEFAULT false NOT NULL,
    parts jsonb DEFAULT '[]'::jsonb NOT NULL,
    state text NOT NULL,
    charges uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created timestamp(3) with time zone DEFAULT now() NOT NULL,
    finish text,
    correction text,
    carried jsonb,
    CONSTRAINT run_step_carried_check CHECK ((octet_length((carried)::text) <= 131072)),
    CONSTRAINT run_step_finish_check CHECK ((finish = ANY (ARRAY['stop'::text, 'length'::text, 'filter'::text]))),
    CONSTRAINT run_step_state_check CHECK ((state = ANY (ARRAY['done'::text, 'stopped'::text, 'lost'::text])))
);

ALTER TABLE ONLY public.run_step FORCE ROW LEVEL SECURITY;

ALTER TABLE public.run_step OWNER TO atrium_owner;

CREATE TABLE public.run_tool_call (
    tenant_id uuid NOT NULL,
    run_id uuid NOT NULL,
    call_id text NOT NULL,
    step integer NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    tool text NOT NULL,
    input jsonb DEFAULT '{}'::jsonb NOT NULL,
    output jsonb,
    shown jsonb,
    error text,
    state text NOT NULL,
    waits_for text,
    approved boolean,
    decided_by uuid,
    idempotent boolean DEFAULT false NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    started timestamp(3) with time zone,
    finished timestamp(3) with time zone,
    invalid boolean DEFAULT false NOT NULL,
    CONSTRAINT run_tool_call_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'done'::text, 'error'::text, 'unknown'::text, 'denied'::text]))),
    CONSTRAINT run_tool_call_waits_for_check CHECK ((waits_for = ANY (ARRAY['approval'::text, 'client'::text])))
);

ALTER TABLE ONLY public.run_tool_call FORCE ROW LEVEL SECURITY;

ALTER TABLE public.run_tool_call OWNER TO atrium_owner;

CREATE TABLE public.saved_search (
    tenant_id uuid NOT NULL,
    sq_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    sq_name text NOT NULL,
    sq_name_key text GENERATED ALWAYS AS (lower("left"(sq_name, 64))) STORED NOT NULL,
    sq_scope text NOT NULL,
    sq_query jsonb NOT NULL,
    sq_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sq_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    sq_created_by uuid,
    CONSTRAINT saved_search_sq_scope_check CHECK ((sq_scope = ANY (ARRAY['media'::text, 'docs'::text])))
);

ALTER TABLE ONLY public.saved_search FORCE ROW LEVEL SECURITY;

ALTER TABLE public.saved_search OWNER TO atrium_owner;

CREATE TABLE public.schedule (
    sch_name text NOT NULL,
    sch_due timestamp(3) with time zone DEFAULT now() NOT NULL,
    sch_holder uuid,
    sch_last_run timestamp(3) with time zone,
    sch_last_error text
);

ALTER TABLE public.schedule OWNER TO atrium_owner;

CREATE TABLE public.seal_key (
    sk_id uuid NOT NULL,
    sk_public text NOT NULL,
    sk_private_sealed text NOT NULL,
    sk_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.seal_key OWNER TO atrium_owner;

CREATE TABLE public.share_device (
    tenant_id uuid NOT NULL,
    kd_share uuid NOT NULL,
    kd_device text NOT NULL,
    kd_visit text,
    kd_changed timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.share_device FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_device OWNER TO atrium_owner;

CREATE TABLE public.share_download (
    tenant_id uuid NOT NULL,
    sd_job uuid NOT NULL,
    sd_share uuid NOT NULL,
    sd_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.share_download FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_download OWNER TO atrium_owner;

CREATE TABLE public.share_event (
    tenant_id uuid NOT NULL,
    se_id uuid NOT NULL,
    se_share uuid NOT NULL,
    se_type text NOT NULL,
    se_file uuid,
    se_created timestamp(3) with time zone NOT NULL,
    se_visitor text NOT NULL,
    se_country text,
    se_agent_kind text NOT NULL,
    se_name text,
    se_email text,
    se_details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT share_event_se_agent_kind_check CHECK ((se_agent_kind = ANY (ARRAY['browser'::text, 'bot'::text, 'other'::text]))),
    CONSTRAINT share_event_se_type_check CHECK ((se_type = ANY (ARRAY['view'::text, 'unlock'::text, 'unlock_failed'::text, 'download'::text, 'zip'::text, 'upload'::text, 'terms_accepted'::text, 'refused'::text, 'verdict'::text])))
)
PARTITION BY RANGE (se_created);

ALTER TABLE ONLY public.share_event FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_event OWNER TO atrium_definer;

CREATE TABLE public.share_event_default (
    tenant_id uuid NOT NULL,
    se_id uuid NOT NULL,
    se_share uuid NOT NULL,
    se_type text NOT NULL,
    se_file uuid,
    se_created timestamp(3) with time zone NOT NULL,
    se_visitor text NOT NULL,
    se_country text,
    se_agent_kind text NOT NULL,
    se_name text,
    se_email text,
    se_details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT share_event_se_agent_kind_check CHECK ((se_agent_kind = ANY (ARRAY['browser'::text, 'bot'::text, 'other'::text]))),
    CONSTRAINT share_event_se_type_check CHECK ((se_type = ANY (ARRAY['view'::text, 'unlock'::text, 'unlock_failed'::text, 'download'::text, 'zip'::text, 'upload'::text, 'terms_accepted'::text, 'refused'::text, 'verdict'::text])))
);

ALTER TABLE public.share_event_default OWNER TO atrium_definer;

CREATE TABLE public.share_link (
    tenant_id uuid NOT NULL,
    share_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    share_name text NOT NULL,
    share_name_key text GENERATED ALWAYS AS (lower("left"(share_name, 64))) STORED NOT NULL,
    share_type text NOT NULL,
    share_active boolean DEFAULT true NOT NULL,
    share_expires_at timestamp(3) with time zone,
    share_file_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    share_album_id uuid,
    share_album_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    share_pre_tags text[] DEFAULT '{}'::text[] NOT NULL,
    share_allow_change_tags boolean DEFAULT false NOT NULL,
    share_allow_change_albums boolean DEFAULT false NOT NULL,
    share_max_files bigint,
    share_max_size bigint,
    share_options jsonb DEFAULT '{}'::jsonb NOT NULL,
    share_max_views bigint GENERATED ALWAYS AS (((share_options ->> 'max_views'::text))::bigint) STORED,
    share_max_downloads bigint GENERATED ALWAYS AS (((share_options ->> 'max_downloads'::text))::bigint) STORED,
    share_view_count integer DEFAULT 0 NOT NULL,
    share_download_count integer DEFAULT 0 NOT NULL,
    share_upload_count integer DEFAULT 0 NOT NULL,
    share_upload_open integer DEFAULT 0 NOT NULL,
    share_last_view_at timestamp(3) with time zone,
    share_last_upload_at timestamp(3) with time zone,
    share_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    share_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    share_created_by uuid NOT NULL,
    share_revoked timestamp(3) with time zone,
    share_token_hash text NOT NULL,
    share_token_enc text NOT NULL,
    share_password_hash text,
    share_password_set boolean GENERATED ALWAYS AS ((share_password_hash IS NOT NULL)) STORED NOT NULL,
    share_password_rev integer DEFAULT 0 NOT NULL,
    CONSTRAINT share_link_share_max_files_check CHECK ((share_max_files >= 1)),
    CONSTRAINT share_link_share_max_size_check CHECK ((share_max_size >= 1)),
    CONSTRAINT share_link_share_type_check CHECK ((share_type = ANY (ARRAY['files'::text, 'album'::text, 'upload'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.share_link FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_link OWNER TO atrium_owner;

CREATE TABLE public.share_token (
    tenant_id uuid NOT NULL,
    st_hash text NOT NULL,
    st_share uuid NOT NULL,
    st_retired timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.share_token FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_token OWNER TO atrium_owner;

CREATE TABLE public.share_upload (
    tenant_id uuid NOT NULL,
    su_id uuid NOT NULL,
    su_share uuid NOT NULL,
    su_visit text NOT NULL,
    su_state text DEFAULT 'open'::text NOT NULL,
    su_review text DEFAULT 'none'::text NOT NULL,
    su_file uuid,
    su_file_name text NOT NULL,
    su_file_size bigint NOT NULL,
    su_file_hash text,
    su_albums uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    su_name text,
    su_email text,
    su_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    su_finalized timestamp(3) with time zone,
    CONSTRAINT share_upload_su_review_check CHECK ((su_review = ANY (ARRAY['none'::text, 'pending'::text, 'accepted'::text, 'rejected'::text]))),
    CONSTRAINT share_upload_su_state_check CHECK ((su_state = ANY (ARRAY['open'::text, 'finalized'::text, 'ended'::text])))
);

ALTER TABLE ONLY public.share_upload FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_upload OWNER TO atrium_owner;

CREATE TABLE public.share_verdict (
    tenant_id uuid NOT NULL,
    sv_id uuid NOT NULL,
    sv_share uuid NOT NULL,
    sv_file uuid NOT NULL,
    sv_visitor text NOT NULL,
    sv_verdict text NOT NULL,
    sv_comment text,
    sv_name text,
    sv_email text,
    sv_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sv_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT share_verdict_sv_verdict_check CHECK ((sv_verdict = ANY (ARRAY['approved'::text, 'rejected'::text])))
);

ALTER TABLE ONLY public.share_verdict FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_verdict OWNER TO atrium_owner;

CREATE TABLE public.share_visit (
    tenant_id uuid NOT NULL,
    vi_share uuid NOT NULL,
    vi_visitor text NOT NULL,
    vi_counted timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.share_visit FORCE ROW LEVEL SECURITY;

ALTER TABLE public.share_visit OWNER TO atrium_owner;

CREATE TABLE public.sign_in_throttle (
    thr_key text NOT NULL,
    thr_points integer NOT NULL,
    thr_until timestamp(3) with time zone
);

ALTER TABLE public.sign_in_throttle OWNER TO atrium_owner;

CREATE TABLE public.site (
    tenant_id uuid NOT NULL,
    site_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    site_name text NOT NULL,
    site_name_key text GENERATED ALWAYS AS (lower("left"(site_name, 64))) STORED NOT NULL,
    site_description text,
    site_key text NOT NULL COLLATE pg_catalog."C",
    site_base_url text,
    site_preview_url text,
    site_locales jsonb NOT NULL,
    site_default_locale text NOT NULL COLLATE pg_catalog."C",
    site_library uuid NOT NULL,
    site_cache jsonb DEFAULT '{}'::jsonb NOT NULL,
    site_robots text NOT NULL,
    site_contacts uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    site_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    site_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    site_active boolean DEFAULT true NOT NULL,
    site_removed timestamp(3) with time zone,
    site_seq bigint DEFAULT 0 NOT NULL,
    site_created timestamp(3) with time zone NOT NULL,
    site_updated timestamp(3) with time zone NOT NULL,
    site_created_by uuid
);

ALTER TABLE ONLY public.site FORCE ROW LEVEL SECURITY;

ALTER TABLE public.site OWNER TO atrium_owner;

CREATE TABLE public.site_redirect (
    tenant_id uuid NOT NULL,
    red_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    red_site uuid NOT NULL,
    red_from text NOT NULL,
    red_from_hash text NOT NULL COLLATE pg_catalog."C",
    red_locale text COLLATE pg_catalog."C",
    red_to text,
    red_node uuid,
    red_status integer DEFAULT 301 NOT NULL,
    red_kind text NOT NULL,
    red_created timestamp(3) with time zone NOT NULL,
    red_created_by uuid,
    CONSTRAINT site_redirect_red_kind_check CHECK ((red_kind = ANY (ARRAY['manual'::text, 'auto'::text]))),
    CONSTRAINT site_redirect_red_status_check CHECK ((red_status = ANY (ARRAY[301, 302, 307, 308, 410])))
);

ALTER TABLE ONLY public.site_redirect FORCE ROW LEVEL SECURITY;

ALTER TABLE public.site_redirect OWNER TO atrium_owner;

CREATE TABLE public.social_api_version (
    sav_platform text NOT NULL,
    sav_version text NOT NULL,
    sav_instead_of text NOT NULL,
    sav_found timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.social_api_version OWNER TO atrium_owner;

CREATE TABLE public.social_attempt (
    tenant_id uuid NOT NULL,
    spa_id uuid NOT NULL,
    spa_variant uuid NOT NULL,
    spa_number integer NOT NULL,
    spa_step text NOT NULL,
    spa_status text NOT NULL,
    spa_http integer,
    spa_error text,
    spa_request_id text,
    spa_started timestamp(3) with time zone DEFAULT now() NOT NULL,
    spa_ended timestamp(3) with time zone,
    CONSTRAINT social_attempt_spa_status_check CHECK ((spa_status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text, 'unknown'::text]))),
    CONSTRAINT social_attempt_spa_step_check CHECK ((spa_step = ANY (ARRAY['token'::text, 'upload'::text, 'process'::text, 'create'::text, 'verify'::text])))
);

ALTER TABLE ONLY public.social_attempt FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_attempt OWNER TO atrium_owner;

CREATE TABLE public.social_auth (
    tenant_id uuid NOT NULL,
    auth_id uuid NOT NULL,
    auth_state_hash text NOT NULL,
    auth_user uuid NOT NULL,
    auth_platform text NOT NULL,
    auth_redirect_uri text NOT NULL,
    auth_expires timestamp(3) with time zone NOT NULL,
    auth_used timestamp(3) with time zone
);

ALTER TABLE ONLY public.social_auth FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_auth OWNER TO atrium_owner;

CREATE TABLE public.social_connection (
    tenant_id uuid NOT NULL,
    con_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    con_platform text NOT NULL,
    con_account_id text NOT NULL,
    con_account_name text NOT NULL,
    con_account_picture text,
    con_scopes text[] DEFAULT '{}'::text[] NOT NULL,
    con_status text DEFAULT 'active'::text NOT NULL,
    con_expires timestamp(3) with time zone NOT NULL,
    con_refresh_expires timestamp(3) with time zone,
    con_connected_by uuid,
    con_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    con_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    con_last_used timestamp(3) with time zone,
    con_last_error text,
    con_access text,
    con_refresh text,
    con_token_version integer DEFAULT 0 NOT NULL,
    con_refreshing timestamp(3) with time zone,
    con_warned integer,
    con_next timestamp(3) with time zone,
    con_accounts_read timestamp(3) with time zone DEFAULT now() NOT NULL,
    con_removed timestamp(3) with time zone,
    CONSTRAINT social_connection_con_platform_check CHECK ((con_platform = 'linkedin'::text)),
    CONSTRAINT social_connection_con_status_check CHECK ((con_status = ANY (ARRAY['active'::text, 'expiring'::text, 'expired'::text, 'revoked'::text])))
);

ALTER TABLE ONLY public.social_connection FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_connection OWNER TO atrium_owner;

CREATE TABLE public.social_metric (
    tenant_id uuid NOT NULL,
    spm_variant uuid NOT NULL,
    spm_at timestamp(3) with time zone NOT NULL,
    spm_impressions bigint,
    spm_reach bigint,
    spm_clicks bigint,
    spm_reactions bigint,
    spm_comments bigint,
    spm_shares bigint
);

ALTER TABLE ONLY public.social_metric FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_metric OWNER TO atrium_owner;

CREATE TABLE public.social_post (
    tenant_id uuid NOT NULL,
    sp_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    sp_title text NOT NULL,
    sp_text text DEFAULT ''::text NOT NULL,
    sp_files jsonb DEFAULT '[]'::jsonb NOT NULL,
    sp_link jsonb,
    sp_targets uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    sp_state text DEFAULT 'draft'::text NOT NULL,
    sp_schedule_at timestamp(3) with time zone,
    sp_schedule_key timestamp(3) with time zone GENERATED ALWAYS AS (COALESCE(sp_schedule_at, '9999-12-31 00:00:00+00'::timestamp with time zone)) STORED NOT NULL,
    sp_timezone text NOT NULL,
    sp_slot uuid,
    sp_utm jsonb,
    sp_campaign text,
    sp_labels text[] DEFAULT '{}'::text[] NOT NULL,
    sp_source jsonb DEFAULT '{"ref": null, "kind": "manual"}'::jsonb NOT NULL,
    sp_issues jsonb DEFAULT '[]'::jsonb NOT NULL,
    sp_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    sp_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    sp_active boolean DEFAULT true NOT NULL,
    sp_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sp_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    sp_created_by uuid,
    sp_updated_by uuid,
    sp_scheduled_by uuid,
    sp_scheduled_key uuid,
    sp_started timestamp(3) with time zone,
    CONSTRAINT social_post_check CHECK (((sp_state <> 'scheduled'::text) OR (sp_schedule_at IS NOT NULL))),
    CONSTRAINT social_post_sp_state_check CHECK ((sp_state = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text, 'scheduled'::text, 'publishing'::text, 'published'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.social_post FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_post OWNER TO atrium_owner;

CREATE TABLE public.social_post_file (
    tenant_id uuid NOT NULL,
    spf_file uuid NOT NULL,
    spf_post uuid NOT NULL
);

ALTER TABLE ONLY public.social_post_file FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_post_file OWNER TO atrium_owner;

CREATE TABLE public.social_slot (
    tenant_id uuid NOT NULL,
    sls_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    sls_target uuid,
    sls_weekday integer NOT NULL,
    sls_time text NOT NULL,
    sls_timezone text NOT NULL,
    sls_active boolean DEFAULT true NOT NULL,
    sls_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT social_slot_sls_weekday_check CHECK (((sls_weekday >= 1) AND (sls_weekday <= 7)))
);

ALTER TABLE ONLY public.social_slot FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_slot OWNER TO atrium_owner;

CREATE TABLE public.social_target (
    tenant_id uuid NOT NULL,
    tgt_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    tgt_connection uuid NOT NULL,
    tgt_kind text NOT NULL,
    tgt_external_id text NOT NULL,
    tgt_name text NOT NULL,
    tgt_picture text,
    tgt_role text,
    tgt_can jsonb NOT NULL,
    tgt_enabled boolean DEFAULT true NOT NULL,
    tgt_timezone text NOT NULL,
    tgt_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT social_target_tgt_kind_check CHECK ((tgt_kind = ANY (ARRAY['person'::text, 'organization'::text])))
);

ALTER TABLE ONLY public.social_target FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_target OWNER TO atrium_owner;

CREATE TABLE public.social_variant (
    tenant_id uuid NOT NULL,
    spv_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    spv_post uuid NOT NULL,
    spv_target uuid NOT NULL,
    spv_platform text NOT NULL,
    spv_text text,
    spv_files jsonb,
    spv_link jsonb,
    spv_visibility text DEFAULT 'public'::text NOT NULL,
    spv_reshare boolean DEFAULT true NOT NULL,
    spv_state text DEFAULT 'pending'::text NOT NULL,
    spv_external_id text,
    spv_url text,
    spv_published timestamp(3) with time zone,
    spv_removed boolean DEFAULT false NOT NULL,
    spv_error jsonb,
    spv_attempts integer DEFAULT 0 NOT NULL,
    spv_tries integer DEFAULT 0 NOT NULL,
    spv_sent_text text,
    spv_body_hash text,
    spv_assets jsonb DEFAULT '{}'::jsonb NOT NULL,
    spv_rounds integer DEFAULT 0 NOT NULL,
    spv_metrics_step integer DEFAULT 0 NOT NULL,
    spv_metrics_next timestamp(3) with time zone,
    CONSTRAINT social_variant_spv_state_check CHECK ((spv_state = ANY (ARRAY['pending'::text, 'sending'::text, 'published'::text, 'failed'::text, 'unknown'::text, 'deleted'::text]))),
    CONSTRAINT social_variant_spv_visibility_check CHECK ((spv_visibility = ANY (ARRAY['public'::text, 'connections'::text, 'logged_in'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.social_variant FORCE ROW LEVEL SECURITY;

ALTER TABLE public.social_variant OWNER TO atrium_owner;

CREATE TABLE public.space (
    tenant_id uuid NOT NULL,
    space_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    space_name text NOT NULL,
    space_name_key text GENERATED ALWAYS AS (lower("left"(space_name, 64))) STORED NOT NULL,
    space_description text,
    space_icon text,
    space_instructions text,
    space_agent uuid,
    space_knowledge uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    space_color text,
    space_user uuid,
    space_active boolean DEFAULT true NOT NULL,
    space_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    space_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    space_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.space FORCE ROW LEVEL SECURITY;

ALTER TABLE public.space OWNER TO atrium_owner;

CREATE TABLE public.space_member (
    tenant_id uuid NOT NULL,
    sm_space uuid NOT NULL,
    sm_principal_type text NOT NULL,
    sm_principal uuid NOT NULL,
    sm_role text NOT NULL,
    sm_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sm_created_by uuid,
    CONSTRAINT space_member_sm_principal_type_check CHECK ((sm_principal_type = ANY (ARRAY['user'::text, 'role'::text]))),
    CONSTRAINT space_member_sm_role_check CHECK ((sm_role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);

ALTER TABLE ONLY public.space_member FORCE ROW LEVEL SECURITY;

ALTER TABLE public.space_member OWNER TO atrium_owner;

CREATE TABLE public.stock_import (
    tenant_id uuid NOT NULL,
    si_file uuid NOT NULL,
    si_stock text NOT NULL,
    si_job uuid,
    si_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    si_created_by uuid,
    si_ping text,
    si_told timestamp(3) with time zone,
    CONSTRAINT stock_import_si_ping_check CHECK ((length(si_ping) <= 4000))
);

ALTER TABLE ONLY public.stock_import FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stock_import OWNER TO atrium_owner;

CREATE TABLE public.storage_consumption (
    tenant_id uuid NOT NULL,
    con_provider uuid NOT NULL,
    con_class text NOT NULL,
    con_repo_type text NOT NULL,
    con_family text NOT NULL,
    con_user uuid NOT NULL,
    con_bytes bigint NOT NULL,
    con_objects bigint NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.storage_consumption FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_consumption OWNER TO atrium_owner;

CREATE TABLE public.storage_delta (
    tenant_id uuid NOT NULL,
    delta_id bigint NOT NULL,
    con_provider uuid NOT NULL,
    con_class text NOT NULL,
    con_repo_type text NOT NULL,
    con_family text NOT NULL,
    con_user uuid NOT NULL,
    con_bytes bigint NOT NULL,
    con_objects bigint NOT NULL,
    CONSTRAINT storage_delta_con_class_check CHECK ((con_class = ANY (ARRAY['original'::text, 'version'::text, 'rendition'::text, 'generated'::text, 'trash'::text, 'publication'::text, 'export'::text]))),
    CONSTRAINT storage_delta_con_family_check CHECK ((con_family = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text, 'document'::text, 'font'::text, 'archive'::text, 'other'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');

ALTER TABLE ONLY public.storage_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_delta OWNER TO atrium_owner;

ALTER TABLE public.storage_delta ALTER COLUMN delta_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.storage_delta_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.storage_person (
    tenant_id uuid NOT NULL,
    per_user uuid NOT NULL,
    per_used bigint DEFAULT 0 NOT NULL,
    per_reserved bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.storage_person FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_person OWNER TO atrium_owner;

CREATE TABLE public.storage_provider (
    tenant_id uuid NOT NULL,
    sto_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    sto_name text NOT NULL,
    sto_name_key text GENERATED ALWAYS AS (lower("left"(sto_name, 64))) STORED NOT NULL,
    sto_kind text DEFAULT 's3'::text NOT NULL,
    sto_endpoint text,
    sto_region text,
    sto_bucket text,
    sto_prefix text,
    sto_path_style boolean DEFAULT true NOT NULL,
    sto_access_key text,
    sto_credential text,
    sto_sse text DEFAULT 'none'::text NOT NULL,
    sto_managed_by text DEFAULT 'workspace'::text NOT NULL,
    sto_default boolean DEFAULT false NOT NULL,
    sto_active boolean DEFAULT true NOT NULL,
    sto_status text DEFAULT 'unverified'::text NOT NULL,
    sto_checked_at timestamp(3) with time zone,
    sto_error text,
    sto_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    sto_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT storage_provider_check CHECK (((sto_managed_by = 'platform'::text) OR ((sto_kind = 's3'::text) AND (sto_endpoint IS NOT NULL) AND (sto_bucket IS NOT NULL) AND (sto_credential IS NOT NULL)))),
    CONSTRAINT storage_provider_sto_kind_check CHECK ((sto_kind = ANY (ARRAY['s3'::text, 'disk'::text]))),
    CONSTRAINT storage_provider_sto_managed_by_check CHECK ((sto_managed_by = ANY (ARRAY['platform'::text, 'workspace'::text]))),
    CONSTRAINT storage_provider_sto_sse_check CHECK ((sto_sse = ANY (ARRAY['none'::text, 'AES256'::text, 'aws:kms'::text]))),
    CONSTRAINT storage_provider_sto_status_check CHECK ((sto_status = ANY (ARRAY['unverified'::text, 'ok'::text, 'failing'::text])))
);

ALTER TABLE ONLY public.storage_provider FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_provider OWNER TO atrium_owner;

CREATE TABLE public.storage_quota (
    tenant_id uuid NOT NULL,
    quota_bytes bigint,
    quota_used bigint DEFAULT 0 NOT NULL,
    quota_reserved bigint DEFAULT 0 NOT NULL,
    quota_warn_percent integer DEFAULT 90 NOT NULL,
    quota_user_bytes bigint,
    quota_notified integer DEFAULT 0 NOT NULL,
    quota_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT storage_quota_quota_bytes_check CHECK ((quota_bytes >= 0)),
    CONSTRAINT storage_quota_quota_user_bytes_check CHECK ((quota_user_bytes >= 0)),
    CONSTRAINT storage_quota_quota_warn_percent_check CHECK (((quota_warn_percent >= 1) AND (quota_warn_percent <= 99)))
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.storage_quota FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_quota OWNER TO atrium_owner;

CREATE TABLE public.storage_snapshot (
    tenant_id uuid NOT NULL,
    snap_date date NOT NULL,
    snap_provider uuid NOT NULL,
    snap_class text NOT NULL,
    snap_at timestamp(3) with time zone NOT NULL,
    snap_bytes bigint NOT NULL,
    snap_objects bigint NOT NULL
);

ALTER TABLE ONLY public.storage_snapshot FORCE ROW LEVEL SECURITY;

ALTER TABLE public.storage_snapshot OWNER TO atrium_owner;

CREATE TABLE public.stream_event (
    tenant_id uuid NOT NULL,
    se_stream text NOT NULL,
    se_id bigint NOT NULL,
    se_event jsonb NOT NULL,
    se_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.stream_event FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stream_event OWNER TO atrium_owner;

CREATE TABLE public.stream_fence (
    tenant_id uuid NOT NULL,
    sf_stream text NOT NULL,
    sf_name text NOT NULL,
    sf_token bigint NOT NULL,
    sf_raised timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.stream_fence FORCE ROW LEVEL SECURITY;

ALTER TABLE public.stream_fence OWNER TO atrium_owner;

CREATE TABLE public.taxonomy (
    tenant_id uuid NOT NULL,
    tax_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    tax_name text NOT NULL,
    tax_name_key text GENERATED ALWAYS AS (lower("left"(tax_name, 64))) STORED NOT NULL,
    tax_slug text NOT NULL COLLATE pg_catalog."C",
    tax_description text,
    tax_hierarchical boolean DEFAULT true NOT NULL,
    tax_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    tax_managed_by uuid,
    tax_active boolean DEFAULT true NOT NULL,
    tax_term_count integer DEFAULT 0 NOT NULL,
    tax_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    tax_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.taxonomy FORCE ROW LEVEL SECURITY;

ALTER TABLE public.taxonomy OWNER TO atrium_owner;

CREATE TABLE public.term (
    tenant_id uuid NOT NULL,
    term_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    term_taxonomy uuid NOT NULL,
    term_parent uuid,
    term_name text NOT NULL,
    term_name_key text GENERATED ALWAYS AS (lower("left"(term_name, 64))) STORED NOT NULL,
    term_slug text NOT NULL COLLATE pg_catalog."C",
    term_description text,
    term_aliases text[] DEFAULT '{}'::text[] NOT NULL,
    term_color text,
    term_order double precision DEFAULT 0 NOT NULL,
    term_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    term_active boolean DEFAULT true NOT NULL,
    term_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    term_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    term_lineage text NOT NULL COLLATE pg_catalog."C",
    term_words text NOT NULL,
    CONSTRAINT term_term_lineage_check CHECK (((length(term_lineage) >= 32) AND (length(term_lineage) <= 320) AND ((length(term_lineage) % 32) = 0)))
);

ALTER TABLE ONLY public.term FORCE ROW LEVEL SECURITY;

ALTER TABLE public.term OWNER TO atrium_owner;

CREATE TABLE public.thread (
    tenant_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    thread_title text,
    thread_title_key text GENERATED ALWAYS AS (lower("left"(COALESCE(thread_title, ''::text), 64))) STORED NOT NULL,
    thread_type text DEFAULT 'chat'::text NOT NULL,
    thread_status text DEFAULT 'open'::text NOT NULL,
    thread_summary text,
    thread_context text,
    thread_ref jsonb,
    thread_ref_key text,
    thread_agent uuid,
    thread_space uuid,
    thread_user uuid,
    thread_acl jsonb DEFAULT '{}'::jsonb NOT NULL,
    thread_share_mode text DEFAULT 'private'::text NOT NULL,
    thread_generating_for uuid,
    thread_leaf uuid,
    thread_memory boolean DEFAULT true NOT NULL,
    thread_prompt uuid,
    thread_run uuid,
    thread_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    thread_active boolean DEFAULT true NOT NULL,
    thread_deleted timestamp(3) with time zone,
    thread_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    thread_updated timestamp(3) with time zone DEFAULT now() NOT NULL,
    thread_tsv tsvector DEFAULT ''::tsvector NOT NULL,
    CONSTRAINT thread_check CHECK (((thread_share_mode = 'private'::text) OR (thread_space IS NOT NULL))),
    CONSTRAINT thread_thread_share_mode_check CHECK ((thread_share_mode = ANY (ARRAY['private'::text, 'space'::text, 'collab'::text]))),
    CONSTRAINT thread_thread_status_check CHECK ((thread_status = ANY (ARRAY['open'::text, 'archived'::text, 'closed'::text]))),
    CONSTRAINT thread_thread_type_check CHECK ((thread_type = ANY (ARRAY['chat'::text, 'context'::text, 'channel'::text, 'voice'::text, 'workflow'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.thread FORCE ROW LEVEL SECURITY;

ALTER TABLE public.thread OWNER TO atrium_owner;

CREATE TABLE public.thread_grant (
    tenant_id uuid NOT NULL,
    grant_kind text NOT NULL,
    grant_to uuid NOT NULL,
    thread_id uuid NOT NULL,
    grant_level text NOT NULL,
    CONSTRAINT thread_grant_grant_kind_check CHECK ((grant_kind = ANY (ARRAY['user'::text, 'role'::text, 'space'::text]))),
    CONSTRAINT thread_grant_grant_level_check CHECK ((grant_level = ANY (ARRAY['view'::text, 'edit'::text, 'owner'::text])))
);

ALTER TABLE ONLY public.thread_grant FORCE ROW LEVEL SECURITY;

ALTER TABLE public.thread_grant OWNER TO atrium_owner;

CREATE UNLOGGED TABLE public.thread_presence (
    tenant_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    user_id uuid NOT NULL,
    tp_state text NOT NULL,
    tp_since timestamp(3) with time zone DEFAULT now() NOT NULL,
    tp_until timestamp(3) with time zone NOT NULL,
    CONSTRAINT thread_presence_tp_state_check CHECK ((tp_state = ANY (ARRAY['viewing'::text, 'typing'::text])))
);

ALTER TABLE ONLY public.thread_presence FORCE ROW LEVEL SECURITY;

ALTER TABLE public.thread_presence OWNER TO atrium_owner;

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
    upl_created_by uuid,
    upl_file_id uuid,
    upl_error text,
    media_tags jsonb DEFAULT '{}'::jsonb NOT NULL,
    upl_source jsonb,
    CONSTRAINT upload_check CHECK (((upl_created_by IS NULL) = (upl_source IS NOT NULL))),
    CONSTRAINT upload_upl_mode_check CHECK ((upl_mode = ANY (ARRAY['single'::text, 'multipart'::text]))),
    CONSTRAINT upload_upl_on_duplicate_check CHECK ((upl_on_duplicate = ANY (ARRAY['keep'::text, 'skip'::text, 'version'::text]))),
    CONSTRAINT upload_upl_state_check CHECK ((upl_state = ANY (ARRAY['open'::text, 'completing'::text, 'finalized'::text, 'aborted'::text, 'expired'::text, 'rejected'::text])))
);

ALTER TABLE ONLY public.upload FORCE ROW LEVEL SECURITY;

ALTER TABLE public.upload OWNER TO atrium_owner;

CREATE TABLE public.usage_cells (
    tenant_id uuid NOT NULL,
    cell_start timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_details text NOT NULL,
    usage_user uuid NOT NULL,
    usage_agent uuid NOT NULL,
    usage_prompt uuid NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.usage_cells FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_cells OWNER TO atrium_owner;

CREATE TABLE public.usage_daily (
    tenant_id uuid NOT NULL,
    usage_group text NOT NULL,
    day_start timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_subject uuid NOT NULL,
    usage_details text NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL,
    CONSTRAINT usage_daily_usage_group_check CHECK ((usage_group = ANY (ARRAY['all'::text, 'user'::text, 'agent'::text, 'prompt'::text, 'details'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.usage_daily FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_daily OWNER TO atrium_owner;

CREATE TABLE public.usage_days (
    tenant_id uuid NOT NULL,
    day_start timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_details text NOT NULL,
    usage_user uuid NOT NULL,
    usage_agent uuid NOT NULL,
    usage_prompt uuid NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.usage_days FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_days OWNER TO atrium_owner;

CREATE TABLE public.usage_delta (
    tenant_id uuid NOT NULL,
    delta_id bigint NOT NULL,
    usage_timestamp timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_details text DEFAULT ''::text NOT NULL,
    usage_user uuid,
    usage_agent uuid,
    usage_prompt uuid,
    usage_consumed_units numeric(20,6) NOT NULL,
    usage_consumed_credits numeric(20,6) NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');

ALTER TABLE ONLY public.usage_delta FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_delta OWNER TO atrium_owner;

ALTER TABLE public.usage_delta ALTER COLUMN delta_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.usage_delta_delta_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.usage_entry_default (
    tenant_id uuid NOT NULL,
    usage_id uuid NOT NULL,
    usage_timestamp timestamp(3) with time zone NOT NULL,
    usage_user uuid,
    usage_param text NOT NULL,
    usage_details text DEFAULT ''::text NOT NULL,
    usage_consumed_units numeric(20,6) NOT NULL,
    usage_consumed_credits numeric(20,6) NOT NULL,
    usage_cost_id uuid NOT NULL,
    usage_agent uuid,
    usage_prompt uuid,
    usage_key uuid,
    usage_extension uuid,
    usage_ref jsonb DEFAULT '{}'::jsonb NOT NULL,
    usage_reverses uuid,
    usage_consumed_credits_key bigint GENERATED ALWAYS AS (((LEAST(GREATEST(usage_consumed_credits, ('-9000000000000'::bigint)::numeric), ('9000000000000'::bigint)::numeric) * (1000000)::numeric))::bigint) STORED NOT NULL,
    CONSTRAINT usage_entry_check CHECK (((usage_consumed_units >= (0)::numeric) OR (usage_reverses IS NOT NULL))),
    CONSTRAINT usage_entry_usage_details_check CHECK (((length(usage_details) <= 200) AND (usage_details ~ '^[A-Za-z0-9._:@/+-]*$'::text))),
    CONSTRAINT usage_entry_usage_ref_check CHECK ((jsonb_typeof(usage_ref) = 'object'::text))
);

ALTER TABLE public.usage_entry_default OWNER TO atrium_definer;

CREATE TABLE public.usage_horizon (
    tenant_id uuid NOT NULL,
    hor_raw_from timestamp(3) with time zone NOT NULL
);

ALTER TABLE ONLY public.usage_horizon FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_horizon OWNER TO atrium_owner;

CREATE TABLE public.usage_hourly (
    tenant_id uuid NOT NULL,
    usage_group text NOT NULL,
    hour_start timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_subject uuid NOT NULL,
    usage_details text NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL,
    CONSTRAINT usage_hourly_usage_group_check CHECK ((usage_group = ANY (ARRAY['all'::text, 'user'::text, 'agent'::text, 'prompt'::text, 'details'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.usage_hourly FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_hourly OWNER TO atrium_owner;

CREATE TABLE public.usage_reversal (
    tenant_id uuid NOT NULL,
    rev_usage uuid NOT NULL,
    rev_by uuid NOT NULL,
    rev_created timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.usage_reversal FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_reversal OWNER TO atrium_owner;

CREATE TABLE public.usage_sources (
    tenant_id uuid NOT NULL,
    usage_source text NOT NULL,
    src_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT usage_sources_usage_source_check CHECK (((length(usage_source) >= 1) AND (length(usage_source) <= 200)))
);

ALTER TABLE ONLY public.usage_sources FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_sources OWNER TO atrium_owner;

CREATE TABLE public.usage_thin (
    tenant_id uuid NOT NULL,
    cell_start timestamp(3) with time zone NOT NULL,
    usage_param text NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.usage_thin FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_thin OWNER TO atrium_owner;

CREATE TABLE public.usage_unreported (
    tenant_id uuid NOT NULL,
    usage_param text NOT NULL,
    rep_from timestamp(3) with time zone NOT NULL,
    rep_to timestamp(3) with time zone NOT NULL,
    usage_entries bigint NOT NULL,
    usage_consumed_units numeric(30,6) NOT NULL,
    usage_consumed_credits numeric(30,6) NOT NULL
);

ALTER TABLE ONLY public.usage_unreported FORCE ROW LEVEL SECURITY;

ALTER TABLE public.usage_unreported OWNER TO atrium_owner;

CREATE VIEW public.usage_untold WITH (security_invoker='true') AS
 SELECT usage_unreported.tenant_id,
    usage_unreported.usage_param,
    usage_unreported.rep_from AS unt_from,
    usage_unreported.rep_to AS unt_to,
    usage_unreported.usage_entries,
    usage_unreported.usage_consumed_units,
    usage_unreported.usage_consumed_credits
   FROM public.usage_unreported;

ALTER TABLE public.usage_untold OWNER TO atrium_owner;

CREATE TABLE public.vector_entry (
    tenant_id uuid NOT NULL,
    ve_kind text NOT NULL,
    ve_model text NOT NULL,
    ve_id uuid NOT NULL,
    ve_hash text,
    ve_sig bit(512),
    ve_chunks public.cube[],
    ve_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.vector_entry ALTER COLUMN ve_chunks SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.vector_entry FORCE ROW LEVEL SECURITY;

ALTER TABLE public.vector_entry OWNER TO atrium_owner;

CREATE TABLE public.wildcard (
    tenant_id uuid NOT NULL,
    wildcard_id uuid NOT NULL,
    row_version integer DEFAULT 1 NOT NULL,
    wildcard_name text NOT NULL,
    wildcard_name_key text GENERATED ALWAYS AS (lower("left"(wildcard_name, 64))) STORED NOT NULL,
    wildcard_description text,
    wildcard_control_type text NOT NULL,
    wildcard_control_props jsonb DEFAULT '{}'::jsonb NOT NULL,
    wildcard_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    wildcard_managed_by uuid,
    wildcard_active boolean DEFAULT true NOT NULL,
    wildcard_created timestamp(3) with time zone DEFAULT now() NOT NULL,
    wildcard_updated timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.wildcard FORCE ROW LEVEL SECURITY;

ALTER TABLE public.wildcard OWNER TO atrium_owner;

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
    user_mfa boolean DEFAULT false NOT NULL,
    user_issuer uuid,
    user_extension uuid,
    user_invited_by uuid,
    user_invited_at timestamp(3) with time zone,
    user_invite_expires_at timestamp(3) with time zone,
    user_invite_error text,
    user_name_key text GENERATED ALWAYS AS (lower("left"(user_name, 64))) STORED NOT NULL,
    user_email_key text GENERATED ALWAYS AS (lower("left"(COALESCE(user_email, ''::text), 64))) STORED NOT NULL,
    user_last_seen_at_key timestamp(3) with time zone GENERATED ALWAYS AS (COALESCE(user_last_seen_at, '1970-01-01 00:00:00+00'::timestamp with time zone)) STORED NOT NULL,
    user_search text GENERATED ALWAYS AS (lower(((((user_name || ' '::text) || COALESCE(user_email, ''::text)) || ' '::text) || COALESCE(user_title, ''::text)))) STORED NOT NULL,
    user_signed_out_at timestamp(3) with time zone,
    CONSTRAINT workspace_user_user_kind_check CHECK ((user_kind = ANY (ARRAY['person'::text, 'service'::text, 'extension'::text]))),
    CONSTRAINT workspace_user_user_status_check CHECK ((user_status = ANY (ARRAY['invited'::text, 'active'::text, 'suspended'::text, 'removed'::text])))
);

ALTER TABLE ONLY public.workspace_user FORCE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_user OWNER TO atrium_owner;

ALTER TABLE ONLY public.access_log ATTACH PARTITION public.access_log_default DEFAULT;

ALTER TABLE ONLY public.audit_event ATTACH PARTITION public.audit_event_default DEFAULT;

ALTER TABLE ONLY public.share_event ATTACH PARTITION public.share_event_default DEFAULT;

ALTER TABLE ONLY public.usage_entry ATTACH PARTITION public.usage_entry_default DEFAULT;

ALTER TABLE ONLY public.access_log
    ADD CONSTRAINT access_log_pkey PRIMARY KEY (tenant_id, log_timestamp, log_id);

ALTER TABLE ONLY public.access_log_default
    ADD CONSTRAINT access_log_default_pkey PRIMARY KEY (tenant_id, log_timestamp, log_id);

ALTER TABLE ONLY public.access_log_scrubbing
    ADD CONSTRAINT access_log_scrubbing_pkey PRIMARY KEY (scrub_part);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_acc_email_key UNIQUE (acc_email);

ALTER TABLE ONLY public.account_link
    ADD CONSTRAINT account_link_pkey PRIMARY KEY (tenant_id, link_issuer, link_subject);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (acc_id);

ALTER TABLE ONLY public.account_session
    ADD CONSTRAINT account_session_pkey PRIMARY KEY (ses_id);

ALTER TABLE ONLY public.account_token
    ADD CONSTRAINT account_token_pkey PRIMARY KEY (tok_hash);

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY (tenant_id, agent_id);

ALTER TABLE ONLY public.agent_revision
    ADD CONSTRAINT agent_revision_pkey PRIMARY KEY (tenant_id, agent_id, agent_version);

ALTER TABLE ONLY public.album_change
    ADD CONSTRAINT album_change_pkey PRIMARY KEY (tenant_id, ac_id);

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_pkey PRIMARY KEY (tenant_id, af_album, af_file);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_pkey PRIMARY KEY (tenant_id, album_id);

ALTER TABLE ONLY public.album_snapshot_file
    ADD CONSTRAINT album_snapshot_file_pkey PRIMARY KEY (tenant_id, asf_album, asf_file);

ALTER TABLE ONLY public.album_snapshot
    ADD CONSTRAINT album_snapshot_pkey PRIMARY KEY (tenant_id, as_album);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_key_public_id_key UNIQUE (key_public_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (tenant_id, key_id);

ALTER TABLE ONLY public.approval_decision
    ADD CONSTRAINT approval_decision_pkey PRIMARY KEY (tenant_id, cad_id);

ALTER TABLE ONLY public.approval_flow
    ADD CONSTRAINT approval_flow_pkey PRIMARY KEY (tenant_id, caf_id);

ALTER TABLE ONLY public.approval_request
    ADD CONSTRAINT approval_request_pkey PRIMARY KEY (tenant_id, car_id);

ALTER TABLE ONLY public.approval_standing
    ADD CONSTRAINT approval_standing_pkey PRIMARY KEY (tenant_id, cas_id);

ALTER TABLE ONLY public.approval_waiting
    ADD CONSTRAINT approval_waiting_pkey PRIMARY KEY (tenant_id, caw_id);

ALTER TABLE ONLY public.atrium_migration
    ADD CONSTRAINT atrium_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.audit_event
    ADD CONSTRAINT audit_event_pkey PRIMARY KEY (tenant_id, aud_timestamp, aud_id);

ALTER TABLE ONLY public.audit_event_default
    ADD CONSTRAINT audit_event_default_pkey PRIMARY KEY (tenant_id, aud_timestamp, aud_id);

ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal_pkey PRIMARY KEY (tenant_id, seal_id);

ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal_tenant_id_seal_seq_key UNIQUE (tenant_id, seal_seq);

ALTER TABLE ONLY public.background_job
    ADD CONSTRAINT background_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.budget_counter
    ADD CONSTRAINT budget_counter_pkey PRIMARY KEY (tenant_id, cnt_budget, cnt_from, cnt_subject);

ALTER TABLE ONLY public.budget
    ADD CONSTRAINT budget_pkey PRIMARY KEY (tenant_id, bud_id);

ALTER TABLE ONLY public.cms_asset
    ADD CONSTRAINT cms_asset_pkey PRIMARY KEY (tenant_id, cas_site, cas_file, cas_hash);

ALTER TABLE ONLY public.cms_component
    ADD CONSTRAINT cms_component_pkey PRIMARY KEY (tenant_id, cmp_site, cmp_key);

ALTER TABLE ONLY public.cms_connection
    ADD CONSTRAINT cms_connection_cms_hook_key_key UNIQUE (cms_hook_key);

ALTER TABLE ONLY public.cms_connection
    ADD CONSTRAINT cms_connection_pkey PRIMARY KEY (tenant_id, cms_site);

ALTER TABLE ONLY public.cms_link
    ADD CONSTRAINT cms_link_pkey PRIMARY KEY (tenant_id, lnk_id);

ALTER TABLE ONLY public.cms_link
    ADD CONSTRAINT cms_link_tenant_id_lnk_node_key UNIQUE (tenant_id, lnk_node);

ALTER TABLE ONLY public.cms_link
    ADD CONSTRAINT cms_link_tenant_id_lnk_site_lnk_external_id_key UNIQUE (tenant_id, lnk_site, lnk_external_id);

ALTER TABLE ONLY public.cms_news
    ADD CONSTRAINT cms_news_pkey PRIMARY KEY (tenant_id, news_site, news_page);

ALTER TABLE ONLY public.cms_run_page
    ADD CONSTRAINT cms_run_page_pkey PRIMARY KEY (tenant_id, crp_run, crp_seq);

ALTER TABLE ONLY public.cms_run_page
    ADD CONSTRAINT cms_run_page_tenant_id_crp_run_crp_external_id_key UNIQUE (tenant_id, crp_run, crp_external_id);

ALTER TABLE ONLY public.cms_run_page
    ADD CONSTRAINT cms_run_page_tenant_id_crp_run_crp_node_key UNIQUE (tenant_id, crp_run, crp_node);

ALTER TABLE ONLY public.cms_run
    ADD CONSTRAINT cms_run_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.consent_expiry_position
    ADD CONSTRAINT consent_expiry_position_pkey PRIMARY KEY (tenant_id, cl_source);

ALTER TABLE ONLY public.content_library
    ADD CONSTRAINT content_library_pkey PRIMARY KEY (tenant_id, lib_id);

ALTER TABLE ONLY public.content_schema
    ADD CONSTRAINT content_schema_pkey PRIMARY KEY (tenant_id, tpl_id);

ALTER TABLE ONLY public.crawl_page
    ADD CONSTRAINT crawl_page_pkey PRIMARY KEY (tenant_id, page_id);

ALTER TABLE ONLY public.credit_balance
    ADD CONSTRAINT credit_balance_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.credit_grant
    ADD CONSTRAINT credit_grant_pkey PRIMARY KEY (tenant_id, grant_id);

ALTER TABLE ONLY public.credit_grant
    ADD CONSTRAINT credit_grant_tenant_id_grant_external_id_key UNIQUE (tenant_id, grant_external_id);

ALTER TABLE ONLY public.credit_hold
    ADD CONSTRAINT credit_hold_pkey PRIMARY KEY (tenant_id, hold_id);

ALTER TABLE ONLY public.credit_ledger
    ADD CONSTRAINT credit_ledger_pkey PRIMARY KEY (tenant_id, led_id);

ALTER TABLE ONLY public.credit_ledger
    ADD CONSTRAINT credit_ledger_tenant_id_led_seq_key UNIQUE (tenant_id, led_seq);

ALTER TABLE ONLY public.distribution_restriction
    ADD CONSTRAINT distribution_restriction_pkey PRIMARY KEY (tenant_id, dr_id);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (tenant_id, file_id);

ALTER TABLE ONLY public.document_relation
    ADD CONSTRAINT document_relation_pkey PRIMARY KEY (tenant_id, rel_id);

ALTER TABLE ONLY public.document_relation_type
    ADD CONSTRAINT document_relation_type_pkey PRIMARY KEY (tenant_id, rt_id);

ALTER TABLE ONLY public.download_job
    ADD CONSTRAINT download_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.ds_file
    ADD CONSTRAINT ds_file_pkey PRIMARY KEY (tenant_id, ds_id, file_id);

ALTER TABLE ONLY public.duplicate_dismissal
    ADD CONSTRAINT duplicate_dismissal_pkey PRIMARY KEY (tenant_id, dd_one, dd_other);

ALTER TABLE ONLY public.duplicate_group_file
    ADD CONSTRAINT duplicate_group_file_pkey PRIMARY KEY (tenant_id, dgf_group, dgf_file);

ALTER TABLE ONLY public.duplicate_group
    ADD CONSTRAINT duplicate_group_pkey PRIMARY KEY (tenant_id, dup_id);

ALTER TABLE ONLY public.duplicate_merge
    ADD CONSTRAINT duplicate_merge_pkey PRIMARY KEY (tenant_id, dm_group);

ALTER TABLE ONLY public.edge_sync
    ADD CONSTRAINT edge_sync_pkey PRIMARY KEY (tenant_id, es_id);

ALTER TABLE ONLY public.embedding_cache
    ADD CONSTRAINT embedding_cache_pkey PRIMARY KEY (tenant_id, emb_model, emb_hash);

ALTER TABLE ONLY public.erasure_subject
    ADD CONSTRAINT erasure_subject_pkey PRIMARY KEY (tenant_id, dsr_id);

ALTER TABLE ONLY public.face_erasure
    ADD CONSTRAINT face_erasure_pkey PRIMARY KEY (tenant_id, fe_hash);

ALTER TABLE ONLY public.face
    ADD CONSTRAINT face_pkey PRIMARY KEY (tenant_id, face_id);

ALTER TABLE ONLY public.face_rejection
    ADD CONSTRAINT face_rejection_pkey PRIMARY KEY (tenant_id, fr_face, fr_person);

ALTER TABLE ONLY public.face_scan
    ADD CONSTRAINT face_scan_pkey PRIMARY KEY (tenant_id, fs_file);

ALTER TABLE ONLY public.face_suggestion
    ADD CONSTRAINT face_suggestion_pkey PRIMARY KEY (tenant_id, fsg_face, fsg_person);

ALTER TABLE ONLY public.file_analysis
    ADD CONSTRAINT file_analysis_pkey PRIMARY KEY (tenant_id, fa_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_pkey PRIMARY KEY (tenant_id, blob_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_tenant_id_blob_hash_blob_size_key UNIQUE (tenant_id, blob_hash, blob_size);

ALTER TABLE ONLY public.file_day_delta
    ADD CONSTRAINT file_day_delta_pkey PRIMARY KEY (tenant_id, delta_id);

ALTER TABLE ONLY public.file_day
    ADD CONSTRAINT file_day_pkey PRIMARY KEY (tenant_id, fd_repo, fd_day, fd_quarantined);

ALTER TABLE ONLY public.file_history
    ADD CONSTRAINT file_history_pkey PRIMARY KEY (tenant_id, fh_id);

ALTER TABLE ONLY public.file_job
    ADD CONSTRAINT file_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.file_phash_band
    ADD CONSTRAINT file_phash_band_pkey PRIMARY KEY (tenant_id, fpb_band, file_id) INCLUDE (fpb_hash);

ALTER TABLE ONLY public.file_pin
    ADD CONSTRAINT file_pin_pkey PRIMARY KEY (tenant_id, file_id, pin_hash, pin_owner);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (tenant_id, file_id);

ALTER TABLE ONLY public.file_pref
    ADD CONSTRAINT file_pref_pkey PRIMARY KEY (tenant_id, file_id, user_id);

ALTER TABLE ONLY public.file_rights_notice
    ADD CONSTRAINT file_rights_notice_pkey PRIMARY KEY (tenant_id, frn_file, frn_expires, frn_days);

ALTER TABLE ONLY public.file_search_text
    ADD CONSTRAINT file_search_text_pkey PRIMARY KEY (tenant_id, file_id);

ALTER TABLE ONLY public.file_tag
    ADD CONSTRAINT file_tag_pkey PRIMARY KEY (tenant_id, ft_tag, ft_file);

ALTER TABLE ONLY public.file_tag_refusal
    ADD CONSTRAINT file_tag_refusal_pkey PRIMARY KEY (tenant_id, ftr_file, ftr_tag);

ALTER TABLE ONLY public.file_text
    ADD CONSTRAINT file_text_pkey PRIMARY KEY (tenant_id, file_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_pkey PRIMARY KEY (tenant_id, fv_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_file_fv_number_key UNIQUE (tenant_id, fv_file, fv_number);

ALTER TABLE ONLY public.file_word_delta
    ADD CONSTRAINT file_word_delta_pkey PRIMARY KEY (tenant_id, delta_id);

ALTER TABLE ONLY public.file_word
    ADD CONSTRAINT file_word_pkey PRIMARY KEY (tenant_id, fw_repo, fw_word);

ALTER TABLE ONLY public.form_migration
    ADD CONSTRAINT form_migration_pkey PRIMARY KEY (tenant_id, mig_form);

ALTER TABLE ONLY public.form_number
    ADD CONSTRAINT form_number_pkey PRIMARY KEY (tenant_id, form_id, field_key);

ALTER TABLE ONLY public.form_number_range
    ADD CONSTRAINT form_number_range_pkey PRIMARY KEY (tenant_id, form_id, field_key, range_holder);

ALTER TABLE ONLY public.form
    ADD CONSTRAINT form_pkey PRIMARY KEY (tenant_id, form_id);

ALTER TABLE ONLY public.form_revision_log
    ADD CONSTRAINT form_revision_log_pkey PRIMARY KEY (tenant_id, frl_form, frl_revision);

ALTER TABLE ONLY public.form_unique
    ADD CONSTRAINT form_unique_pkey PRIMARY KEY (tenant_id, form_id, scope_id, field_key, value_hash);

ALTER TABLE ONLY public.form_value
    ADD CONSTRAINT form_value_pkey PRIMARY KEY (tenant_id, owner_id, field_key, "position");

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (tenant_id, user_id, idem_route, idem_key);

ALTER TABLE ONLY public.import_batch
    ADD CONSTRAINT import_batch_pkey PRIMARY KEY (tenant_id, job_id, batch_row);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (tenant_id, inv_id);

ALTER TABLE ONLY public.issuer_keys
    ADD CONSTRAINT issuer_keys_pkey PRIMARY KEY (tenant_id, ik_issuer);

ALTER TABLE ONLY public.issuer
    ADD CONSTRAINT issuer_once UNIQUE (tenant_id, iss_issuer);

ALTER TABLE ONLY public.issuer
    ADD CONSTRAINT issuer_pkey PRIMARY KEY (tenant_id, iss_id);

ALTER TABLE ONLY public.job_turn
    ADD CONSTRAINT job_turn_pkey PRIMARY KEY (turn_queue, turn_workspace, turn_flow);

ALTER TABLE ONLY public.job_worker
    ADD CONSTRAINT job_worker_pkey PRIMARY KEY (worker_id);

ALTER TABLE ONLY public.knowledge_base
    ADD CONSTRAINT knowledge_base_pkey PRIMARY KEY (tenant_id, ds_id);

ALTER TABLE ONLY public.knowledge_base_tally
    ADD CONSTRAINT knowledge_base_tally_pkey PRIMARY KEY (tenant_id, ds_id, tally_id);

ALTER TABLE ONLY public.knowledge_crawl
    ADD CONSTRAINT knowledge_crawl_pkey PRIMARY KEY (tenant_id, crw_id);

ALTER TABLE ONLY public.knowledge_job_fault
    ADD CONSTRAINT knowledge_job_fault_pkey PRIMARY KEY (tenant_id, job_id, fault_row, fault_place);

ALTER TABLE ONLY public.knowledge_job
    ADD CONSTRAINT knowledge_job_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.knowledge_record
    ADD CONSTRAINT knowledge_record_pkey PRIMARY KEY (tenant_id, rec_id);

ALTER TABLE ONLY public.knowledge_record_version
    ADD CONSTRAINT knowledge_record_version_pkey PRIMARY KEY (tenant_id, rec_id, rv_version);

ALTER TABLE ONLY public.legal_hold
    ADD CONSTRAINT legal_hold_pkey PRIMARY KEY (tenant_id, lh_id);

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_pkey PRIMARY KEY (tenant_id, lic_module);

ALTER TABLE ONLY public.media_analysis_schema
    ADD CONSTRAINT media_analysis_schema_pkey PRIMARY KEY (tenant_id, mas_id);

ALTER TABLE ONLY public.media_analysis_schema
    ADD CONSTRAINT media_analysis_schema_tenant_id_mas_name_key UNIQUE (tenant_id, mas_name);

ALTER TABLE ONLY public.media_status_flow
    ADD CONSTRAINT media_status_flow_pkey PRIMARY KEY (tenant_id, msf_id);

ALTER TABLE ONLY public.media_tag_group
    ADD CONSTRAINT media_tag_group_pkey PRIMARY KEY (tenant_id, mtg_id);

ALTER TABLE ONLY public.media_tag
    ADD CONSTRAINT media_tag_pkey PRIMARY KEY (tenant_id, mt_id);

ALTER TABLE ONLY public.media_tag
    ADD CONSTRAINT media_tag_tenant_id_mt_group_mt_id_key UNIQUE (tenant_id, mt_group, mt_id);

ALTER TABLE ONLY public.media_tag_word
    ADD CONSTRAINT media_tag_word_once PRIMARY KEY (tenant_id, mtw_group, mtw_word);

ALTER TABLE ONLY public.memory_forgotten
    ADD CONSTRAINT memory_forgotten_pkey PRIMARY KEY (tenant_id, mem_id);

ALTER TABLE ONLY public.memory
    ADD CONSTRAINT memory_pkey PRIMARY KEY (tenant_id, mem_id);

ALTER TABLE ONLY public.message_file
    ADD CONSTRAINT message_file_pkey PRIMARY KEY (tenant_id, msg_id, file_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (tenant_id, msg_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_tenant_id_msg_thread_msg_id_key UNIQUE (tenant_id, msg_thread, msg_id);

ALTER TABLE ONLY public.model_provider
    ADD CONSTRAINT model_provider_pkey PRIMARY KEY (tenant_id, mp_id);

ALTER TABLE ONLY public.model_provider
    ADD CONSTRAINT model_provider_tenant_id_mp_name_key UNIQUE (tenant_id, mp_name);

ALTER TABLE ONLY public.node_locale
    ADD CONSTRAINT node_locale_pkey PRIMARY KEY (tenant_id, nl_node, nl_locale);

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_pkey PRIMARY KEY (tenant_id, node_id);

ALTER TABLE ONLY public.node_reference
    ADD CONSTRAINT node_reference_pkey PRIMARY KEY (tenant_id, nref_node, nref_kind, nref_ref);

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_tenant_id_node_site_node_id_key UNIQUE (tenant_id, node_site, node_id);

ALTER TABLE ONLY public.object_flow
    ADD CONSTRAINT object_flow_pkey PRIMARY KEY (tenant_id, olf_id);

ALTER TABLE ONLY public.object_import_fault
    ADD CONSTRAINT object_import_fault_pkey PRIMARY KEY (tenant_id, job_id, fault_row, fault_place);

ALTER TABLE ONLY public.object_import
    ADD CONSTRAINT object_import_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_pkey PRIMARY KEY (tenant_id, obj_id);

ALTER TABLE ONLY public.object_revision
    ADD CONSTRAINT object_revision_pkey PRIMARY KEY (tenant_id, rev_object, rev_version);

ALTER TABLE ONLY public.object_source
    ADD CONSTRAINT object_source_pkey PRIMARY KEY (tenant_id, osr_id);

ALTER TABLE ONLY public.object_source_removal
    ADD CONSTRAINT object_source_removal_pkey PRIMARY KEY (tenant_id, osr_id, external_id);

ALTER TABLE ONLY public.object_sync_row
    ADD CONSTRAINT object_sync_row_pkey PRIMARY KEY (tenant_id, row_id);

ALTER TABLE ONLY public.object_sync_run
    ADD CONSTRAINT object_sync_run_pkey PRIMARY KEY (tenant_id, job_id);

ALTER TABLE ONLY public.object_sync_seen
    ADD CONSTRAINT object_sync_seen_pkey PRIMARY KEY (tenant_id, job_id, external_id);

ALTER TABLE ONLY public.object_transition
    ADD CONSTRAINT object_transition_pkey PRIMARY KEY (tenant_id, otr_id);

ALTER TABLE ONLY public.operator_call
    ADD CONSTRAINT operator_call_pkey PRIMARY KEY (op_id);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (tenant_id, ev_id);

ALTER TABLE ONLY public.page_part
    ADD CONSTRAINT page_part_pkey PRIMARY KEY (tenant_id, part_node, part_hash);

ALTER TABLE ONLY public.page_publication
    ADD CONSTRAINT page_publication_pkey PRIMARY KEY (tenant_id, np_id);

ALTER TABLE ONLY public.page_snapshot
    ADD CONSTRAINT page_snapshot_pkey PRIMARY KEY (tenant_id, snap_id);

ALTER TABLE ONLY public.page_snapshot_ref
    ADD CONSTRAINT page_snapshot_ref_pkey PRIMARY KEY (tenant_id, snref_snapshot, snref_kind, snref_ref);

ALTER TABLE ONLY public.page_version
    ADD CONSTRAINT page_version_pkey PRIMARY KEY (tenant_id, ver_id);

ALTER TABLE ONLY public.page_version
    ADD CONSTRAINT page_version_tenant_id_ver_node_ver_number_key UNIQUE (tenant_id, ver_node, ver_number);

ALTER TABLE ONLY public.partition_plan
    ADD CONSTRAINT partition_plan_pkey PRIMARY KEY (part_table);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_pkey PRIMARY KEY (tenant_id, passage_id);

ALTER TABLE ONLY public.passage_scope
    ADD CONSTRAINT passage_scope_pkey PRIMARY KEY (tenant_id, source_kind, source_id, scope_key);

ALTER TABLE ONLY public.passage_source
    ADD CONSTRAINT passage_source_pkey PRIMARY KEY (tenant_id, source_kind, source_id);

ALTER TABLE ONLY public.person_merge
    ADD CONSTRAINT person_merge_pkey PRIMARY KEY (tenant_id, pm_id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (tenant_id, person_id);

ALTER TABLE ONLY public.person_pref
    ADD CONSTRAINT person_pref_pkey PRIMARY KEY (tenant_id, user_id, person_id);

ALTER TABLE ONLY public.platform_cost
    ADD CONSTRAINT platform_cost_overlap EXCLUDE USING gist (cost_param WITH =, COALESCE(cost_details, '*'::text) WITH =, tstzrange(cost_valid_from, cost_valid_to) WITH &&);

ALTER TABLE ONLY public.platform_cost
    ADD CONSTRAINT platform_cost_pkey PRIMARY KEY (cost_id);

ALTER TABLE ONLY public.preview_link
    ADD CONSTRAINT preview_link_pkey PRIMARY KEY (tenant_id, prv_id);

ALTER TABLE ONLY public.preview_link
    ADD CONSTRAINT preview_link_tenant_id_prv_token_hash_key UNIQUE (tenant_id, prv_token_hash);

ALTER TABLE ONLY public.privacy_request
    ADD CONSTRAINT privacy_request_pkey PRIMARY KEY (tenant_id, dsr_id);

ALTER TABLE ONLY public.prompt_category_link
    ADD CONSTRAINT prompt_category_link_pkey PRIMARY KEY (tenant_id, pcat_id, prompt_id);

ALTER TABLE ONLY public.prompt_category
    ADD CONSTRAINT prompt_category_pkey PRIMARY KEY (tenant_id, pcat_id);

ALTER TABLE ONLY public.prompt
    ADD CONSTRAINT prompt_pkey PRIMARY KEY (tenant_id, prompt_id);

ALTER TABLE ONLY public.prompt_revision
    ADD CONSTRAINT prompt_revision_pkey PRIMARY KEY (tenant_id, prompt_id, prompt_version);

ALTER TABLE ONLY public.prompt_wildcard
    ADD CONSTRAINT prompt_wildcard_pkey PRIMARY KEY (tenant_id, pw_key, prompt_id);

ALTER TABLE ONLY public.publication_history
    ADD CONSTRAINT publication_history_pkey PRIMARY KEY (tenant_id, ph_id);

ALTER TABLE ONLY public.publication
    ADD CONSTRAINT publication_of_file UNIQUE (tenant_id, pub_file);

ALTER TABLE ONLY public.publication
    ADD CONSTRAINT publication_pkey PRIMARY KEY (tenant_id, pub_id);

ALTER TABLE ONLY public.publication
    ADD CONSTRAINT publication_pub_key_key UNIQUE (pub_key);

ALTER TABLE ONLY public.publication_restriction
    ADD CONSTRAINT publication_restriction_pkey PRIMARY KEY (tenant_id, pr_restriction, pr_publication);

ALTER TABLE ONLY public.publication_stat
    ADD CONSTRAINT publication_stat_pkey PRIMARY KEY (tenant_id, ps_publication, ps_day, ps_outcome, ps_country);

ALTER TABLE ONLY public.publish_schedule_node
    ADD CONSTRAINT publish_schedule_node_pkey PRIMARY KEY (tenant_id, schn_schedule, schn_node);

ALTER TABLE ONLY public.publish_schedule
    ADD CONSTRAINT publish_schedule_pkey PRIMARY KEY (tenant_id, sch_id);

ALTER TABLE ONLY public.rate_count
    ADD CONSTRAINT rate_count_pkey PRIMARY KEY (rc_key, rc_minute);

ALTER TABLE ONLY public.rate_override
    ADD CONSTRAINT rate_override_pkey PRIMARY KEY (tenant_id, rl_class);

ALTER TABLE ONLY public.refresh_replay
    ADD CONSTRAINT refresh_replay_pkey PRIMARY KEY (rr_key);

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (rt_hash);

ALTER TABLE ONLY public.request_strike
    ADD CONSTRAINT request_strike_pkey PRIMARY KEY (rst_fingerprint);

ALTER TABLE ONLY public.retention_check
    ADD CONSTRAINT retention_check_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.retention_held
    ADD CONSTRAINT retention_held_pkey PRIMARY KEY (tenant_id, held_run, held_id);

ALTER TABLE ONLY public.retention_policy
    ADD CONSTRAINT retention_policy_pkey PRIMARY KEY (tenant_id, ret_key);

ALTER TABLE ONLY public.retention_run
    ADD CONSTRAINT retention_run_pkey PRIMARY KEY (tenant_id, run_id);

ALTER TABLE ONLY public.retention_run
    ADD CONSTRAINT retention_run_tenant_id_ret_key_run_date_key UNIQUE (tenant_id, ret_key, run_date);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (tenant_id, role_id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_tenant_id_role_key_key UNIQUE (tenant_id, role_key);

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (tenant_id, run_id);

ALTER TABLE ONLY public.run_step
    ADD CONSTRAINT run_step_pkey PRIMARY KEY (tenant_id, run_id, step, attempt);

ALTER TABLE ONLY public.run_tool_call
    ADD CONSTRAINT run_tool_call_pkey PRIMARY KEY (tenant_id, run_id, call_id);

ALTER TABLE ONLY public.saved_search
    ADD CONSTRAINT saved_search_pkey PRIMARY KEY (tenant_id, sq_id);

ALTER TABLE ONLY public.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (sch_name);

ALTER TABLE ONLY public.seal_key
    ADD CONSTRAINT seal_key_pkey PRIMARY KEY (sk_id);

ALTER TABLE ONLY public.share_device
    ADD CONSTRAINT share_device_pkey PRIMARY KEY (tenant_id, kd_share, kd_device);

ALTER TABLE ONLY public.share_download
    ADD CONSTRAINT share_download_pkey PRIMARY KEY (tenant_id, sd_job);

ALTER TABLE ONLY public.share_event
    ADD CONSTRAINT share_event_pkey PRIMARY KEY (tenant_id, se_created, se_id);

ALTER TABLE ONLY public.share_event_default
    ADD CONSTRAINT share_event_default_pkey PRIMARY KEY (tenant_id, se_created, se_id);

ALTER TABLE ONLY public.share_link
    ADD CONSTRAINT share_link_pkey PRIMARY KEY (tenant_id, share_id);

ALTER TABLE ONLY public.share_link
    ADD CONSTRAINT share_link_share_token_hash_key UNIQUE (share_token_hash);

ALTER TABLE ONLY public.share_token
    ADD CONSTRAINT share_token_pkey PRIMARY KEY (tenant_id, st_hash);

ALTER TABLE ONLY public.share_token
    ADD CONSTRAINT share_token_st_hash_key UNIQUE (st_hash);

ALTER TABLE ONLY public.share_upload
    ADD CONSTRAINT share_upload_pkey PRIMARY KEY (tenant_id, su_id);

ALTER TABLE ONLY public.share_verdict
    ADD CONSTRAINT share_verdict_pkey PRIMARY KEY (tenant_id, sv_id);

ALTER TABLE ONLY public.share_verdict
    ADD CONSTRAINT share_verdict_tenant_id_sv_share_sv_file_sv_visitor_key UNIQUE (tenant_id, sv_share, sv_file, sv_visitor);

ALTER TABLE ONLY public.share_visit
    ADD CONSTRAINT share_visit_pkey PRIMARY KEY (tenant_id, vi_share, vi_visitor);

ALTER TABLE ONLY public.sign_in_throttle
    ADD CONSTRAINT sign_in_throttle_pkey PRIMARY KEY (thr_key);

ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (sk_id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_pkey PRIMARY KEY (tenant_id, site_id);

ALTER TABLE ONLY public.site_redirect
    ADD CONSTRAINT site_redirect_pkey PRIMARY KEY (tenant_id, red_id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_site_key_key UNIQUE (site_key);

ALTER TABLE ONLY public.social_api_version
    ADD CONSTRAINT social_api_version_pkey PRIMARY KEY (sav_platform);

ALTER TABLE ONLY public.social_attempt
    ADD CONSTRAINT social_attempt_pkey PRIMARY KEY (tenant_id, spa_id);

ALTER TABLE ONLY public.social_auth
    ADD CONSTRAINT social_auth_pkey PRIMARY KEY (tenant_id, auth_id);

ALTER TABLE ONLY public.social_connection
    ADD CONSTRAINT social_connection_pkey PRIMARY KEY (tenant_id, con_id);

ALTER TABLE ONLY public.social_metric
    ADD CONSTRAINT social_metric_pkey PRIMARY KEY (tenant_id, spm_variant, spm_at);

ALTER TABLE ONLY public.social_post_file
    ADD CONSTRAINT social_post_file_pkey PRIMARY KEY (tenant_id, spf_file, spf_post);

ALTER TABLE ONLY public.social_post
    ADD CONSTRAINT social_post_pkey PRIMARY KEY (tenant_id, sp_id);

ALTER TABLE ONLY public.social_slot
    ADD CONSTRAINT social_slot_pkey PRIMARY KEY (tenant_id, sls_id);

ALTER TABLE ONLY public.social_target
    ADD CONSTRAINT social_target_pkey PRIMARY KEY (tenant_id, tgt_id);

ALTER TABLE ONLY public.social_variant
    ADD CONSTRAINT social_variant_pkey PRIMARY KEY (tenant_id, spv_id);

ALTER TABLE ONLY public.space_member
    ADD CONSTRAINT space_member_pkey PRIMARY KEY (tenant_id, sm_space, sm_principal_type, sm_principal);

ALTER TABLE ONLY public.space
    ADD CONSTRAINT space_pkey PRIMARY KEY (tenant_id, space_id);

ALTER TABLE ONLY public.stock_import
    ADD CONSTRAINT stock_import_pkey PRIMARY KEY (tenant_id, si_file);

ALTER TABLE ONLY public.storage_consumption
    ADD CONSTRAINT storage_consumption_pkey PRIMARY KEY (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user);

ALTER TABLE ONLY public.storage_delta
    ADD CONSTRAINT storage_delta_pkey PRIMARY KEY (tenant_id, delta_id);

ALTER TABLE ONLY public.storage_person
    ADD CONSTRAINT storage_person_pkey PRIMARY KEY (tenant_id, per_user);

ALTER TABLE ONLY public.storage_provider
    ADD CONSTRAINT storage_provider_pkey PRIMARY KEY (tenant_id, sto_id);

ALTER TABLE ONLY public.storage_quota
    ADD CONSTRAINT storage_quota_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.storage_snapshot
    ADD CONSTRAINT storage_snapshot_pkey PRIMARY KEY (tenant_id, snap_date, snap_provider, snap_class);

ALTER TABLE ONLY public.stream_event
    ADD CONSTRAINT stream_event_pkey PRIMARY KEY (tenant_id, se_stream, se_id);

ALTER TABLE ONLY public.stream_fence
    ADD CONSTRAINT stream_fence_pkey PRIMARY KEY (tenant_id, sf_stream, sf_name);

ALTER TABLE ONLY public.taxonomy
    ADD CONSTRAINT taxonomy_pkey PRIMARY KEY (tenant_id, tax_id);

ALTER TABLE ONLY public.term
    ADD CONSTRAINT term_pkey PRIMARY KEY (tenant_id, term_id);

ALTER TABLE ONLY public.term
    ADD CONSTRAINT term_tenant_id_term_taxonomy_term_id_key UNIQUE (tenant_id, term_taxonomy, term_id);

ALTER TABLE ONLY public.thread_grant
    ADD CONSTRAINT thread_grant_pkey PRIMARY KEY (tenant_id, grant_kind, grant_to, thread_id);

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_pkey PRIMARY KEY (tenant_id, thread_id);

ALTER TABLE ONLY public.thread_presence
    ADD CONSTRAINT thread_presence_pkey PRIMARY KEY (tenant_id, thread_id, user_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (tenant_id, upl_id);

ALTER TABLE ONLY public.usage_cells
    ADD CONSTRAINT usage_cells_pkey PRIMARY KEY (tenant_id, cell_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt);

ALTER TABLE ONLY public.usage_daily
    ADD CONSTRAINT usage_daily_pkey PRIMARY KEY (tenant_id, usage_group, day_start, usage_param, usage_subject, usage_details);

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (tenant_id, day_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt);

ALTER TABLE ONLY public.usage_delta
    ADD CONSTRAINT usage_delta_pkey PRIMARY KEY (tenant_id, delta_id);

ALTER TABLE ONLY public.usage_entry
    ADD CONSTRAINT usage_entry_pkey PRIMARY KEY (tenant_id, usage_timestamp, usage_id);

ALTER TABLE ONLY public.usage_entry_default
    ADD CONSTRAINT usage_entry_default_pkey PRIMARY KEY (tenant_id, usage_timestamp, usage_id);

ALTER TABLE ONLY public.usage_horizon
    ADD CONSTRAINT usage_horizon_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.usage_hourly
    ADD CONSTRAINT usage_hourly_pkey PRIMARY KEY (tenant_id, usage_group, hour_start, usage_param, usage_subject, usage_details);

ALTER TABLE ONLY public.usage_reversal
    ADD CONSTRAINT usage_reversal_pkey PRIMARY KEY (tenant_id, rev_usage);

ALTER TABLE ONLY public.usage_sources
    ADD CONSTRAINT usage_sources_pkey PRIMARY KEY (tenant_id, usage_source);

ALTER TABLE ONLY public.usage_thin
    ADD CONSTRAINT usage_thin_pkey PRIMARY KEY (tenant_id, cell_start, usage_param);

ALTER TABLE ONLY public.usage_unreported
    ADD CONSTRAINT usage_unreported_pkey PRIMARY KEY (tenant_id, usage_param);

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_pkey PRIMARY KEY (tenant_id, user_id, role_id);

ALTER TABLE ONLY public.vector_entry
    ADD CONSTRAINT vector_entry_pkey PRIMARY KEY (tenant_id, ve_kind, ve_model, ve_id) INCLUDE (ve_sig);

ALTER TABLE ONLY public.wildcard
    ADD CONSTRAINT wildcard_pkey PRIMARY KEY (tenant_id, wildcard_id);

ALTER TABLE ONLY public.workspace_cost
    ADD CONSTRAINT workspace_cost_overlap EXCLUDE USING gist (tenant_id WITH =, cost_param WITH =, COALESCE(cost_details, '*'::text) WITH =, tstzrange(cost_valid_from, cost_valid_to) WITH &&);

ALTER TABLE ONLY public.workspace_cost
    ADD CONSTRAINT workspace_cost_pkey PRIMARY KEY (tenant_id, cost_id);

ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY public.workspace_tombstone
    ADD CONSTRAINT workspace_tombstone_pkey PRIMARY KEY (ws_id);

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

CREATE INDEX access_log_duration ON ONLY public.access_log USING btree (tenant_id, log_duration_ms, log_id);

CREATE INDEX access_log_default_tenant_id_log_duration_ms_log_id_idx ON public.access_log_default USING btree (tenant_id, log_duration_ms, log_id);

CREATE INDEX access_log_request ON ONLY public.access_log USING btree (tenant_id, log_request_id);

CREATE INDEX access_log_default_tenant_id_log_request_id_idx ON public.access_log_default USING btree (tenant_id, log_request_id);

CREATE INDEX access_log_text ON ONLY public.access_log USING gin (tenant_id, log_text public.gin_trgm_ops, log_ids);

CREATE INDEX access_log_default_tenant_id_log_text_log_ids_idx ON public.access_log_default USING gin (tenant_id, log_text public.gin_trgm_ops, log_ids);

CREATE INDEX access_log_user ON ONLY public.access_log USING btree (tenant_id, log_user, log_timestamp DESC);

CREATE INDEX access_log_default_tenant_id_log_user_log_timestamp_idx ON public.access_log_default USING btree (tenant_id, log_user, log_timestamp DESC);

CREATE INDEX account_link_account ON public.account_link USING btree (tenant_id, link_account);

CREATE INDEX account_session_account ON public.account_session USING btree (acc_id, ses_created DESC, ses_id DESC);

CREATE INDEX account_session_expiry ON public.account_session USING btree (ses_expires_at);

CREATE INDEX account_session_issuer ON public.account_session USING btree (ses_issuer) WHERE (ses_issuer IS NOT NULL);

CREATE INDEX account_token_account ON public.account_token USING btree (acc_id, tok_kind, tok_created);

CREATE INDEX account_token_expiry ON public.account_token USING btree (tok_expires_at);

CREATE INDEX agent_changed ON public.agent USING btree (tenant_id, agent_active, agent_updated, agent_id);

CREATE UNIQUE INDEX agent_name_taken ON public.agent USING btree (tenant_id, public.folded(agent_name)) WHERE agent_active;

CREATE INDEX agent_named ON public.agent USING btree (tenant_id, agent_active, agent_name_key, agent_id);

CREATE INDEX agent_newest ON public.agent USING btree (tenant_id, agent_active, agent_created, agent_id);

CREATE INDEX agent_of_model ON public.agent USING btree (tenant_id, agent_model) WHERE ((agent_model IS NOT NULL) AND agent_active);

CREATE UNIQUE INDEX agent_only_default ON public.agent USING btree (tenant_id) WHERE (agent_default AND agent_active);

CREATE INDEX agent_words ON public.agent USING gin (tenant_id, agent_tsv);

CREATE INDEX album_change_album ON public.album_change USING btree (tenant_id, ac_album, ac_created, ac_id);

CREATE INDEX album_children ON public.album USING btree (tenant_id, album_parent, album_created, album_id);

CREATE INDEX album_created ON public.album USING btree (tenant_id, album_kind, album_created, album_id);

CREATE INDEX album_file_albums ON public.album_file USING btree (tenant_id, af_file, af_album);

CREATE INDEX album_file_created ON public.album_file USING btree (tenant_id, af_created, af_id) WHERE (NOT af_hidden);

CREATE INDEX album_file_file ON public.album_file USING btree (tenant_id, af_file, af_created, af_id);

CREATE INDEX album_file_listed ON public.album_file USING btree (tenant_id, af_album, af_file_created, af_file) WHERE (NOT af_hidden);

CREATE INDEX album_file_newest ON public.album_file USING btree (tenant_id, af_album, af_created, af_id) WHERE (NOT af_hidden);

CREATE INDEX album_file_position ON public.album_file USING btree (tenant_id, af_album, af_position, af_file);

CREATE INDEX album_fts ON public.album USING gin (tenant_id, album_fts);

CREATE INDEX album_name ON public.album USING btree (tenant_id, album_kind, album_name_key, album_id);

CREATE INDEX album_path ON public.album USING gin (tenant_id, album_path_ids);

CREATE INDEX album_query ON public.album USING btree (tenant_id, album_query) WHERE (album_query IS NOT NULL);

CREATE INDEX album_restricted ON public.album USING btree (tenant_id, album_kind, album_id) WHERE (album_acl <> '{}'::jsonb);

CREATE INDEX album_tree_created ON public.album USING btree (tenant_id, album_kind, album_parent, album_created, album_id);

CREATE INDEX album_tree_name ON public.album USING btree (tenant_id, album_kind, album_parent, album_name_key, album_id);

CREATE INDEX album_tree_updated ON public.album USING btree (tenant_id, album_kind, album_parent, album_updated, album_id);

CREATE INDEX album_updated ON public.album USING btree (tenant_id, album_kind, album_updated, album_id);

CREATE INDEX api_key_created ON public.api_key USING btree (tenant_id, key_created, key_id);

CREATE INDEX api_key_expiry ON public.api_key USING btree (key_expires_at) WHERE ((key_expires_at IS NOT NULL) AND (key_revoked_at IS NULL));

CREATE INDEX api_key_name_order ON public.api_key USING btree (tenant_id, key_name_key, key_id);

CREATE INDEX api_key_overlap ON public.api_key USING btree (key_prev_expires_at) WHERE (key_prev_hash IS NOT NULL);

CREATE INDEX api_key_prefix ON public.api_key USING btree (tenant_id, key_prefix);

CREATE INDEX api_key_user ON public.api_key USING btree (tenant_id, key_user);

CREATE INDEX approval_decision_of_person ON public.approval_decision USING btree (tenant_id, cad_by);

CREATE UNIQUE INDEX approval_decision_once ON public.approval_decision USING btree (tenant_id, cad_request, cad_by);

CREATE INDEX approval_flow_changed ON public.approval_flow USING btree (tenant_id, caf_updated, caf_id);

CREATE INDEX approval_flow_followed ON public.approval_flow USING btree (tenant_id, caf_subject) WHERE caf_active;

CREATE INDEX approval_flow_named ON public.approval_flow USING btree (tenant_id, caf_name_key, caf_id);

CREATE INDEX approval_flow_newest ON public.approval_flow USING btree (tenant_id, caf_created, caf_id);

CREATE INDEX approval_request_by_status ON public.approval_request USING btree (tenant_id, car_status, car_created, car_id);

CREATE INDEX approval_request_closed ON public.approval_request USING btree (tenant_id, car_closed, car_id) WHERE (car_closed IS NOT NULL);

CREATE INDEX approval_request_newest ON public.approval_request USING btree (tenant_id, car_created, car_id);

CREATE INDEX approval_request_of_flow ON public.approval_request USING btree (tenant_id, car_flow);

CREATE INDEX approval_request_of_person ON public.approval_request USING btree (tenant_id, car_requested_by, car_created, car_id);

CREATE INDEX approval_request_of_subject ON public.approval_request USING btree (tenant_id, car_subject_id, car_created, car_id);

CREATE UNIQUE INDEX approval_request_open ON public.approval_request USING btree (tenant_id, car_subject_type, car_subject_id, car_locale) NULLS NOT DISTINCT WHERE (car_status = 'open'::text);

CREATE INDEX approval_standing_in_flow ON public.approval_standing USING btree (tenant_id, cas_flow, cas_state, cas_id);

CREATE UNIQUE INDEX approval_standing_once ON public.approval_standing USING btree (tenant_id, cas_subject_type, cas_subject_id, cas_locale) NULLS NOT DISTINCT;

CREATE INDEX approval_waiting_of ON public.approval_waiting USING btree (tenant_id, caw_request);

CREATE UNIQUE INDEX approval_waiting_queue ON public.approval_waiting USING btree (tenant_id, caw_kind, caw_ref, caw_request);

CREATE INDEX audit_event_actor ON ONLY public.audit_event USING btree (tenant_id, aud_actor, aud_timestamp DESC);

CREATE INDEX audit_event_default_tenant_id_aud_actor_aud_timestamp_idx ON public.audit_event_default USING btree (tenant_id, aud_actor, aud_timestamp DESC);

CREATE INDEX audit_event_id ON ONLY public.audit_event USING btree (tenant_id, aud_id);

CREATE INDEX audit_event_default_tenant_id_aud_id_idx ON public.audit_event_default USING btree (tenant_id, aud_id);

CREATE INDEX audit_event_seal ON ONLY public.audit_event USING btree (tenant_id, aud_seal, aud_id);

CREATE INDEX audit_event_default_tenant_id_aud_seal_aud_id_idx ON public.audit_event_default USING btree (tenant_id, aud_seal, aud_id);

CREATE INDEX audit_event_target ON ONLY public.audit_event USING btree (tenant_id, aud_target_type, aud_target_id, aud_timestamp DESC);

CREATE INDEX audit_event_default_tenant_id_aud_target_type_aud_target_id_idx ON public.audit_event_default USING btree (tenant_id, aud_target_type, aud_target_id, aud_timestamp DESC);

CREATE INDEX audit_event_unsealed ON ONLY public.audit_event USING btree (tenant_id) WHERE (aud_seal IS NULL);

CREATE INDEX audit_event_default_tenant_id_idx ON public.audit_event_default USING btree (tenant_id) WHERE (aud_seal IS NULL);

CREATE INDEX audit_seal_span ON public.audit_seal USING btree (tenant_id, seal_to);

CREATE INDEX background_job_failing ON public.background_job USING btree (tenant_id, job_created_by, job_created, job_id) WHERE (job_status = ANY (ARRAY['failed'::text, 'partial'::text]));

CREATE INDEX background_job_finished ON public.background_job USING btree (tenant_id, job_updated) WHERE (job_status = ANY (ARRAY['completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text]));

CREATE INDEX background_job_mine ON public.background_job USING btree (tenant_id, job_created_by, job_created, job_id);

CREATE INDEX background_job_of_kind ON public.background_job USING btree (tenant_id, job_created_by, job_kind, job_created, job_id);

CREATE INDEX background_job_open ON public.background_job USING btree (job_created) WHERE (job_status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX background_job_unfinished ON public.background_job USING btree (tenant_id, job_created, job_id) WHERE (job_status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX budget_counter_age ON public.budget_counter USING btree (tenant_id, cnt_to);

CREATE INDEX budget_created ON public.budget USING btree (tenant_id, bud_created, bud_id);

CREATE INDEX budget_name ON public.budget USING btree (tenant_id, bud_name_key, bud_id);

CREATE UNIQUE INDEX budget_subject ON public.budget USING btree (tenant_id, bud_scope, COALESCE(bud_target, ''::text), bud_period);

CREATE INDEX cms_connection_due ON public.cms_connection USING btree (cms_next_scan, tenant_id, cms_site) WHERE (cms_next_scan IS NOT NULL);

CREATE INDEX cms_link_by_verdict ON public.cms_link USING btree (tenant_id, lnk_site, lnk_verdict, lnk_created, lnk_id);

CREATE INDEX cms_link_newest ON public.cms_link USING btree (tenant_id, lnk_site, lnk_created, lnk_id);

CREATE INDEX cms_link_pending ON public.cms_link USING btree (tenant_id, lnk_site, lnk_id) WHERE (lnk_pending <> '{}'::jsonb);

CREATE INDEX cms_run_failing ON public.cms_run USING btree (tenant_id, queued_at, job_id) WHERE (status = ANY (ARRAY['failed'::text, 'partial'::text]));

CREATE INDEX cms_run_finished ON public.cms_run USING btree (tenant_id, finished_at, job_id) WHERE (finished_at IS NOT NULL);

CREATE INDEX cms_run_in_order ON public.cms_run USING btree (tenant_id, queued_at, job_id);

CREATE INDEX cms_run_mine ON public.cms_run USING btree (tenant_id, job_created_by, queued_at, job_id) WHERE (job_created_by IS NOT NULL);

CREATE INDEX cms_run_newest ON public.cms_run USING btree (tenant_id, site_id, queued_at, job_id);

CREATE UNIQUE INDEX cms_run_open ON public.cms_run USING btree (tenant_id, site_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX cms_run_page_next ON public.cms_run_page USING btree (tenant_id, crp_run, crp_status, crp_rank, crp_seq);

CREATE INDEX cms_run_unfinished ON public.cms_run USING btree (tenant_id, queued_at, job_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX content_library_changed ON public.content_library USING btree (tenant_id, lib_active, lib_updated, lib_id);

CREATE UNIQUE INDEX content_library_mirror ON public.content_library USING btree (tenant_id, lib_site) WHERE ((lib_site IS NOT NULL) AND lib_active);

CREATE UNIQUE INDEX content_library_name_taken ON public.content_library USING btree (tenant_id, public.folded(lib_name)) WHERE lib_active;

CREATE INDEX content_library_named ON public.content_library USING btree (tenant_id, lib_active, lib_name_key, lib_id);

CREATE INDEX content_library_newest ON public.content_library USING btree (tenant_id, lib_active, lib_created, lib_id);

CREATE UNIQUE INDEX content_library_standard ON public.content_library USING btree (tenant_id) WHERE lib_standard;

CREATE INDEX content_schema_changed ON public.content_schema USING btree (tenant_id, tpl_active, tpl_updated, tpl_id);

CREATE UNIQUE INDEX content_schema_key_taken ON public.content_schema USING btree (tenant_id, tpl_library, tpl_key) WHERE tpl_active;

CREATE INDEX content_schema_named ON public.content_schema USING btree (tenant_id, tpl_active, tpl_name_key, tpl_id);

CREATE INDEX content_schema_newest ON public.content_schema USING btree (tenant_id, tpl_active, tpl_created, tpl_id);

CREATE INDEX content_schema_of_library ON public.content_schema USING btree (tenant_id, tpl_library, tpl_active, tpl_created, tpl_id);

CREATE INDEX content_schema_preview ON public.content_schema USING btree (tenant_id, tpl_preview_file) WHERE (tpl_preview_file IS NOT NULL);

CREATE INDEX crawl_page_canonical ON public.crawl_page USING btree (tenant_id, crw_id, canonical) WHERE (canonical IS NOT NULL);

CREATE INDEX crawl_page_frontier ON public.crawl_page USING btree (tenant_id, crw_id, depth, page_id) WHERE (state = 'queued'::text);

CREATE INDEX crawl_page_listed ON public.crawl_page USING btree (tenant_id, crw_id, page_created, page_id);

CREATE INDEX crawl_page_missing ON public.crawl_page USING btree (tenant_id, crw_id, page_id) WHERE (page_misses > 0);

CREATE UNIQUE INDEX crawl_page_url ON public.crawl_page USING btree (tenant_id, crw_id, url);

CREATE INDEX credit_grant_announce ON public.credit_grant USING btree (grant_expires_at) WHERE ((grant_state = 'active'::text) AND (NOT grant_announced));

CREATE INDEX credit_grant_clock ON public.credit_grant USING btree (grant_due) WHERE (grant_due IS NOT NULL);

CREATE INDEX credit_grant_created ON public.credit_grant USING btree (tenant_id, grant_created, grant_id);

CREATE INDEX credit_grant_due ON public.credit_grant USING btree (tenant_id, grant_due) WHERE (grant_due IS NOT NULL);

CREATE INDEX credit_grant_expiry ON public.credit_grant USING btree (tenant_id, grant_expires_at, grant_id);

CREATE INDEX credit_grant_order ON public.credit_grant USING btree (tenant_id, grant_priority, grant_expires_at, grant_created, grant_id) WHERE (grant_state = 'active'::text);

CREATE INDEX credit_hold_age ON public.credit_hold USING btree (hold_expires_at);

CREATE INDEX credit_hold_alive ON public.credit_hold USING btree (tenant_id, hold_expires_at) WHERE (hold_settled_at IS NULL);

CREATE INDEX credit_hold_source ON public.credit_hold USING btree (tenant_id, hold_source) WHERE (hold_settled_at IS NULL);

CREATE INDEX credit_ledger_grant ON public.credit_ledger USING btree (tenant_id, led_grant, led_seq) WHERE (led_grant IS NOT NULL);

CREATE INDEX credit_ledger_kind ON public.credit_ledger USING btree (tenant_id, led_kind, led_seq);

CREATE INDEX credit_ledger_time ON public.credit_ledger USING btree (tenant_id, led_timestamp, led_id);

CREATE INDEX credit_ledger_usage ON public.credit_ledger USING btree (tenant_id, led_usage) WHERE (led_usage IS NOT NULL);

CREATE INDEX distribution_restriction_created ON public.distribution_restriction USING btree (tenant_id, dr_created, dr_id);

CREATE INDEX distribution_restriction_name ON public.distribution_restriction USING btree (tenant_id, dr_name_key, dr_id);

CREATE INDEX distribution_restriction_updated ON public.distribution_restriction USING btree (tenant_id, dr_updated, dr_id);

CREATE INDEX document_relation_from ON public.document_relation USING btree (tenant_id, rel_from, rel_created, rel_id);

CREATE UNIQUE INDEX document_relation_key ON public.document_relation USING btree (tenant_id, rel_type, rel_key);

CREATE INDEX document_relation_to ON public.document_relation USING btree (tenant_id, rel_to, rel_created, rel_id);

CREATE INDEX document_relation_type_created ON public.document_relation_type USING btree (tenant_id, rt_created, rt_id);

CREATE UNIQUE INDEX document_relation_type_name ON public.document_relation_type USING btree (tenant_id, public.folded(rt_name));

CREATE INDEX document_superseded ON public.document USING btree (tenant_id, file_superseded_by) WHERE (file_superseded_by IS NOT NULL);

CREATE INDEX download_job_due ON public.download_job USING btree (tenant_id, expires_at) WHERE (status = 'completed'::text);

CREATE INDEX download_job_ended ON public.download_job USING btree (expires_at) WHERE ((status = 'expired'::text) AND (archive_key IS NOT NULL));

CREATE INDEX download_job_expiry ON public.download_job USING btree (expires_at) WHERE (status = 'completed'::text);

CREATE INDEX download_job_left ON public.download_job USING btree (job_created) WHERE ((status = ANY (ARRAY['failed'::text, 'cancelled'::text])) AND (archive_key IS NOT NULL));

CREATE INDEX download_job_mine ON public.download_job USING btree (tenant_id, job_created_by, job_created, job_id);

CREATE INDEX download_job_open ON public.download_job USING btree (job_created) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX download_job_over ON public.download_job USING btree (tenant_id, COALESCE(job_finished, job_created), job_id) WHERE ((status = ANY (ARRAY['failed'::text, 'cancelled'::text, 'expired'::text])) AND (archive_key IS NULL));

CREATE INDEX download_job_unfinished ON public.download_job USING btree (tenant_id, job_created, job_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX ds_file_of_file ON public.ds_file USING btree (tenant_id, file_id);

CREATE INDEX duplicate_dismissal_group ON public.duplicate_dismissal USING btree (tenant_id, dd_group);

CREATE INDEX duplicate_dismissal_other ON public.duplicate_dismissal USING btree (tenant_id, dd_other);

CREATE INDEX duplicate_group_created ON public.duplicate_group USING btree (tenant_id, dup_state, dup_created, dup_id);

CREATE INDEX duplicate_group_file_file ON public.duplicate_group_file USING btree (tenant_id, dgf_file);

CREATE UNIQUE INDEX duplicate_group_file_open ON public.duplicate_group_file USING btree (tenant_id, dgf_file) WHERE dgf_open;

CREATE INDEX duplicate_merge_until ON public.duplicate_merge USING btree (tenant_id, dm_until);

CREATE INDEX edge_sync_touched ON public.edge_sync USING btree (es_touched);

CREATE INDEX embedding_cache_used ON public.embedding_cache USING btree (emb_used);

CREATE INDEX face_created ON public.face USING btree (tenant_id, face_created, face_id);

CREATE INDEX face_in_state ON public.face USING btree (tenant_id, face_state, face_created, face_id);

CREATE INDEX face_known ON public.face USING btree (tenant_id, face_id) WHERE (face_embedding IS NOT NULL);

CREATE INDEX face_of_file ON public.face USING btree (tenant_id, face_file, face_created, face_id);

CREATE INDEX face_of_person ON public.face USING btree (tenant_id, face_person, face_created, face_id) WHERE (face_person IS NOT NULL);

CREATE INDEX face_of_person_file ON public.face USING btree (tenant_id, face_person, face_file) WHERE (face_person IS NOT NULL);

CREATE UNIQUE INDEX face_person_once ON public.face USING btree (tenant_id, face_file, face_person) WHERE (face_state = 'assigned'::text);

CREATE INDEX face_rejection_person ON public.face_rejection USING btree (tenant_id, fr_person);

CREATE INDEX face_suggestion_person ON public.face_suggestion USING btree (tenant_id, fsg_person, fsg_face);

CREATE INDEX face_to_cluster ON public.face USING btree (tenant_id, face_id) WHERE ((NOT face_clustered) AND (face_embedding IS NOT NULL));

CREATE INDEX face_updated ON public.face USING btree (tenant_id, face_updated, face_id);

CREATE INDEX file_analysis_asked ON public.file_analysis USING btree (tenant_id, fa_created, fa_id) WHERE (((fa_created_by IS NOT NULL) OR (fa_joined_by IS NOT NULL)) AND (fa_job IS NULL));

CREATE INDEX file_analysis_created ON public.file_analysis USING btree (tenant_id, fa_created, fa_id);

CREATE INDEX file_analysis_file ON public.file_analysis USING btree (tenant_id, fa_file, fa_created, fa_id);

CREATE UNIQUE INDEX file_analysis_live ON public.file_analysis USING btree (tenant_id, fa_file, fa_schema) WHERE fa_live;

CREATE INDEX file_analysis_mine ON public.file_analysis USING btree (tenant_id, COALESCE(fa_created_by, fa_joined_by), fa_created, fa_id) WHERE (((fa_created_by IS NOT NULL) OR (fa_joined_by IS NOT NULL)) AND (fa_job IS NULL));

CREATE INDEX file_analysis_of_schema ON public.file_analysis USING btree (tenant_id, fa_schema, fa_file) WHERE fa_live;

CREATE UNIQUE INDEX file_analysis_open ON public.file_analysis USING btree (tenant_id, fa_file, fa_schema) WHERE (fa_status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX file_analysis_result ON public.file_analysis USING gin (tenant_id, fa_schema, fa_result jsonb_path_ops) WHERE fa_live;

CREATE INDEX file_analysis_schema ON public.file_analysis USING btree (tenant_id, fa_schema, fa_created, fa_id);

CREATE INDEX file_analysis_status ON public.file_analysis USING btree (tenant_id, fa_status, fa_created, fa_id);

CREATE INDEX file_analysis_waiting ON public.file_analysis USING btree (tenant_id, fa_id) WHERE fa_lacks_credits;

CREATE INDEX file_blob_looks ON public.file_blob USING gin (public.look_keys(tenant_id, (blob_system ->> 'views'::text))) WHERE ((blob_system ->> 'views'::text) IS NOT NULL);
ALTER INDEX public.file_blob_looks ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX file_blob_orphan ON public.file_blob USING btree (blob_orphaned) WHERE (blob_state = 'orphan'::text);

CREATE INDEX file_blob_use ON public.file USING btree (tenant_id, file_blob);

CREATE INDEX file_blob_verify ON public.file_blob USING btree (tenant_id, blob_verified, blob_id) WHERE ((blob_state = 'live'::text) AND (blob_hash IS NOT NULL));

CREATE INDEX file_colored ON public.file USING gin (tenant_id, file_color_cells) WHERE ((file_deleted IS NULL) AND (file_color_cells IS NOT NULL));

CREATE INDEX file_day_none ON public.file_day USING btree (tenant_id) WHERE (fd_files = 0);

CREATE INDEX file_deprecated_listed ON public.file USING btree (tenant_id, repo_key, file_created, file_id) WHERE (file_deprecated AND (file_deleted IS NULL));

CREATE INDEX file_free_metadata ON public.file USING gin (tenant_id, ((file_metadata - 'system'::text)) jsonb_path_ops) WHERE (file_deleted IS NULL);

CREATE INDEX file_hash ON public.file USING btree (tenant_id, file_hash) WHERE (file_deleted IS NULL);

CREATE INDEX file_history_file ON public.file_history USING btree (tenant_id, fh_file, fh_id);

CREATE INDEX file_job_failing ON public.file_job USING btree (tenant_id, job_created_by, job_created, job_id) WHERE (status = ANY (ARRAY['failed'::text, 'partial'::text]));

CREATE INDEX file_job_mine ON public.file_job USING btree (tenant_id, job_created_by, job_created, job_id);

CREATE INDEX file_job_of_kind ON public.file_job USING btree (tenant_id, job_created_by, job_kind, job_created, job_id);

CREATE INDEX file_job_open ON public.file_job USING btree (job_updated) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX file_job_over ON public.file_job USING btree (tenant_id, job_updated, job_id) WHERE (status = ANY (ARRAY['completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text]));

CREATE UNIQUE INDEX file_job_subject ON public.file_job USING btree (tenant_id, job_subject) WHERE ((job_subject IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));

CREATE INDEX file_job_unfinished ON public.file_job USING btree (tenant_id, job_created, job_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX file_name_trigram ON public.file USING gin (public.dotless(lower(file_name)) public.gin_trgm_ops, tenant_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_named ON public.file USING btree (tenant_id, repo_type, public.dotless(lower(file_name)) COLLATE "C", file_id) INCLUDE (file_name) WHERE (file_deleted IS NULL);

CREATE INDEX file_phash_band_file ON public.file_phash_band USING btree (tenant_id, file_id);

CREATE INDEX file_pref_user ON public.file_pref USING btree (tenant_id, user_id, favorite, file_id);

CREATE INDEX file_purge ON public.file USING btree (file_purge_at) WHERE (file_purge_at IS NOT NULL);

CREATE INDEX file_purge_here ON public.file USING btree (tenant_id, file_purge_at) WHERE (file_purge_at IS NOT NULL);

CREATE INDEX file_repo_added_by ON public.file USING btree (tenant_id, repo_key, file_added_by, file_created, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_altitude ON public.file USING btree (tenant_id, repo_key, file_altitude) WHERE ((file_deleted IS NULL) AND (file_altitude IS NOT NULL));

CREATE INDEX file_repo_aperture ON public.file USING btree (tenant_id, repo_key, file_aperture) WHERE ((file_deleted IS NULL) AND (file_aperture IS NOT NULL));

CREATE INDEX file_repo_camera ON public.file USING btree (tenant_id, repo_key, file_camera_key, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE ((file_deleted IS NULL) AND (file_camera_key IS NOT NULL));

CREATE INDEX file_repo_created ON public.file USING btree (tenant_id, repo_key, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_duration ON public.file USING btree (tenant_id, repo_key, file_duration) WHERE ((file_deleted IS NULL) AND (file_duration IS NOT NULL));

CREATE INDEX file_repo_exposure ON public.file USING btree (tenant_id, repo_key, file_exposure) WHERE ((file_deleted IS NULL) AND (file_exposure IS NOT NULL));

CREATE INDEX file_repo_focal_length ON public.file USING btree (tenant_id, repo_key, file_focal_length) WHERE ((file_deleted IS NULL) AND (file_focal_length IS NOT NULL));

CREATE INDEX file_repo_format ON public.file USING btree (tenant_id, repo_key, file_ext, file_type_key, file_kind, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_height ON public.file USING btree (tenant_id, repo_key, file_height) WHERE ((file_deleted IS NULL) AND (file_height IS NOT NULL));

CREATE INDEX file_repo_iso ON public.file USING btree (tenant_id, repo_key, file_iso) WHERE ((file_deleted IS NULL) AND (file_iso IS NOT NULL));

CREATE INDEX file_repo_kind ON public.file USING btree (tenant_id, repo_key, file_kind, file_created, file_id) INCLUDE (file_status, file_processing) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_megapixels ON public.file USING btree (tenant_id, repo_key, file_megapixels) WHERE ((file_deleted IS NULL) AND (file_megapixels IS NOT NULL));

CREATE INDEX file_repo_name ON public.file USING btree (tenant_id, repo_key, file_name_key, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_orientation ON public.file USING btree (tenant_id, repo_key, file_orientation, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE ((file_deleted IS NULL) AND (file_orientation IS NOT NULL));

CREATE INDEX file_repo_pages ON public.file USING btree (tenant_id, repo_key, file_pages) WHERE ((file_deleted IS NULL) AND (file_pages IS NOT NULL));

CREATE INDEX file_repo_place ON public.file USING btree (tenant_id, repo_key, file_lat, file_lng) WHERE ((file_deleted IS NULL) AND (file_lat IS NOT NULL));

CREATE INDEX file_repo_rating ON public.file USING btree (tenant_id, repo_key, file_rating) WHERE ((file_deleted IS NULL) AND (file_rating IS NOT NULL));

CREATE INDEX file_repo_rights ON public.file USING btree (tenant_id, repo_key, file_rights_expires) WHERE ((file_deleted IS NULL) AND (file_rights_expires IS NOT NULL));

CREATE INDEX file_repo_size ON public.file USING btree (tenant_id, repo_key, file_size, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_source ON public.file USING btree (tenant_id, repo_key, file_source, file_created, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_status ON public.file USING btree (tenant_id, repo_key, file_status, file_created, file_id) INCLUDE (file_kind, file_processing) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_status_size ON public.file USING btree (tenant_id, repo_key, file_status, file_size, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_taken ON public.file USING btree (tenant_id, repo_key, file_taken, file_id) INCLUDE (file_kind, file_status, file_processing) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_type ON public.file USING btree (tenant_id, repo_key, file_type_key, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_updated ON public.file USING btree (tenant_id, repo_key, file_updated, file_id) WHERE (file_deleted IS NULL);

CREATE INDEX file_repo_width ON public.file USING btree (tenant_id, repo_key, file_width) WHERE ((file_deleted IS NULL) AND (file_width IS NOT NULL));

CREATE INDEX file_search_embedded ON public.file_search_text USING gin (public.dotless(lower(fst_embedded)) public.gin_trgm_ops, tenant_id) WHERE (fst_embedded <> ''::text);

CREATE INDEX file_search_words ON public.file_search_text USING gin (fst_words, tenant_id);

CREATE INDEX file_summary_trigram ON public.file USING gin (public.dotless(lower(file_summary)) public.gin_trgm_ops, tenant_id) WHERE ((file_deleted IS NULL) AND (file_summary IS NOT NULL));

CREATE INDEX file_tag_file ON public.file_tag USING btree (tenant_id, ft_file) INCLUDE (ft_tag);

CREATE INDEX file_tag_group ON public.file_tag USING btree (tenant_id, ft_group, ft_tag);

CREATE INDEX file_tag_refusal_tag ON public.file_tag_refusal USING btree (tenant_id, ftr_tag);

CREATE INDEX file_text_open ON public.file_text USING btree (tenant_id, ft_updated) WHERE (ft_status = ANY (ARRAY['pending'::text, 'running'::text]));

CREATE INDEX file_trash ON public.file USING btree (tenant_id, file_deleted, file_id) WHERE (file_deleted IS NOT NULL);

CREATE INDEX file_version_blob ON public.file_version USING btree (tenant_id, fv_blob);

CREATE INDEX file_version_superseded ON public.file_version USING btree (tenant_id, fv_superseded) WHERE (fv_superseded IS NOT NULL);

CREATE INDEX file_word_none ON public.file_word USING btree (tenant_id) WHERE (fw_files = 0);

CREATE INDEX file_word_parts ON public.file_word USING gin (fw_word public.gin_trgm_ops, tenant_id);

CREATE INDEX form_changed ON public.form USING btree (tenant_id, form_kind, form_active, form_updated, form_id);

CREATE INDEX form_closing ON public.form USING btree (tenant_id, form_id) WHERE jsonb_path_exists(form_config, '$."fields".**?(@."hidden" == true || @."sensitive" == true)'::jsonpath);

CREATE INDEX form_migration_in_order ON public.form_migration USING btree (tenant_id, COALESCE(mig_created, mig_updated), COALESCE(mig_id, mig_form));

CREATE INDEX form_migration_job ON public.form_migration USING btree (tenant_id, COALESCE(mig_id, mig_form));

CREATE INDEX form_migration_open ON public.form_migration USING btree (mig_updated) WHERE (mig_status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX form_migration_unfinished ON public.form_migration USING btree (tenant_id) WHERE (mig_status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE UNIQUE INDEX form_name_taken ON public.form USING btree (tenant_id, form_kind, public.folded(form_name)) WHERE form_active;

CREATE INDEX form_named ON public.form USING btree (tenant_id, form_kind, form_active, form_name_key, form_id);

CREATE INDEX form_newest ON public.form USING btree (tenant_id, form_kind, form_active, form_created, form_id);

CREATE INDEX form_number_range_holder ON public.form_number_range USING btree (tenant_id, range_holder);

CREATE INDEX form_unique_owner ON public.form_unique USING btree (tenant_id, owner_id);

CREATE INDEX form_unique_unfolded ON public.form_unique USING btree (tenant_id, form_id, owner_id) WHERE (NOT value_folded);

CREATE INDEX form_value_num ON public.form_value USING btree (tenant_id, form_id, field_key, value_num, owner_id) WHERE (value_num IS NOT NULL);

CREATE INDEX form_value_ref ON public.form_value USING btree (tenant_id, value_ref, form_id, field_key, owner_id) WHERE (value_ref IS NOT NULL);

CREATE INDEX form_value_text ON public.form_value USING btree (tenant_id, form_id, field_key, value_text, owner_id) WHERE (value_text IS NOT NULL);

CREATE INDEX form_value_unfolded ON public.form_value USING btree (tenant_id, form_id, owner_id) WHERE ((NOT value_folded) AND (value_text IS NOT NULL));

CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (idem_created);

CREATE INDEX invitation_hash ON public.invitation USING btree (inv_hash);

CREATE UNIQUE INDEX invitation_open ON public.invitation USING btree (tenant_id, inv_user) WHERE (inv_ended_at IS NULL);

CREATE INDEX invitation_user ON public.invitation USING btree (tenant_id, inv_user, inv_created);

CREATE INDEX issuer_active ON public.issuer USING btree (iss_id) WHERE iss_active;

CREATE INDEX issuer_created ON public.issuer USING btree (tenant_id, iss_created, iss_id);

CREATE INDEX issuer_name_order ON public.issuer USING btree (tenant_id, iss_name_key, iss_id);

CREATE INDEX job_turn_at ON public.job_turn USING btree (turn_at);

CREATE INDEX knowledge_base_changed ON public.knowledge_base USING btree (tenant_id, ds_active, ds_updated, ds_id);

CREATE INDEX knowledge_base_deleted ON public.knowledge_base USING btree (tenant_id, ds_deleted) WHERE (NOT ds_active);

CREATE INDEX knowledge_base_form ON public.knowledge_base USING btree (tenant_id, form_id) WHERE (form_id IS NOT NULL);

CREATE UNIQUE INDEX knowledge_base_name_taken ON public.knowledge_base USING btree (tenant_id, public.folded(ds_name)) WHERE ds_active;

CREATE INDEX knowledge_base_named ON public.knowledge_base USING btree (tenant_id, ds_active, ds_name_key, ds_id);

CREATE INDEX knowledge_base_newest ON public.knowledge_base USING btree (tenant_id, ds_active, ds_created, ds_id);

CREATE INDEX knowledge_crawl_due ON public.knowledge_crawl USING btree (crw_next) WHERE (crw_next IS NOT NULL);

CREATE INDEX knowledge_crawl_newest ON public.knowledge_crawl USING btree (tenant_id, crw_base, crw_created, crw_id);

CREATE INDEX knowledge_job_exported ON public.knowledge_job USING btree (tenant_id, job_finished, job_id) WHERE (job_object IS NOT NULL);

CREATE INDEX knowledge_job_failing ON public.knowledge_job USING btree (tenant_id, job_created, job_id) WHERE ((status = ANY (ARRAY['failed'::text, 'partial'::text])) OR ((status = 'completed'::text) AND (failed > 0)));

CREATE INDEX knowledge_job_finished ON public.knowledge_job USING btree (tenant_id, job_finished, job_id) WHERE (job_finished IS NOT NULL);

CREATE INDEX knowledge_job_in_order ON public.knowledge_job USING btree (tenant_id, job_created, job_id);

CREATE INDEX knowledge_job_mine ON public.knowledge_job USING btree (tenant_id, job_created_by, job_created, job_id);

CREATE INDEX knowledge_job_newest ON public.knowledge_job USING btree (tenant_id, job_base, job_created, job_id);

CREATE UNIQUE INDEX knowledge_job_of_crawl ON public.knowledge_job USING btree (tenant_id, job_crawl) WHERE ((status = ANY (ARRAY['queued'::text, 'running'::text])) AND (job_crawl IS NOT NULL));

CREATE INDEX knowledge_job_open ON public.knowledge_job USING btree (job_created) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX knowledge_job_unfinished ON public.knowledge_job USING btree (tenant_id, job_created, job_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX knowledge_record_changed ON public.knowledge_record USING btree (tenant_id, rec_base, rec_active, rec_updated, rec_id);

CREATE INDEX knowledge_record_deleted ON public.knowledge_record USING btree (tenant_id, rec_updated, rec_id) WHERE (NOT rec_active);

CREATE UNIQUE INDEX knowledge_record_external ON public.knowledge_record USING btree (tenant_id, rec_base, rec_external_id) WHERE ((rec_external_id IS NOT NULL) AND rec_active);

CREATE INDEX knowledge_record_named ON public.knowledge_record USING btree (tenant_id, rec_base, rec_active, rec_name_key, rec_id);

CREATE INDEX knowledge_record_newest ON public.knowledge_record USING btree (tenant_id, rec_base, rec_active, rec_created, rec_id);

CREATE INDEX knowledge_record_of_crawl ON public.knowledge_record USING btree (tenant_id, rec_crawl, rec_id) WHERE (rec_crawl IS NOT NULL);

CREATE INDEX knowledge_record_of_form ON public.knowledge_record USING btree (tenant_id, rec_form, rec_id) WHERE (rec_form IS NOT NULL);

CREATE INDEX knowledge_record_words ON public.knowledge_record USING gin (tenant_id, rec_tsv);

CREATE INDEX legal_hold_created ON public.legal_hold USING btree (tenant_id, lh_created, lh_id);

CREATE INDEX legal_hold_live ON public.legal_hold USING btree (tenant_id, lh_target_type, lh_target_id) WHERE (lh_released_at IS NULL);

CREATE INDEX licence_expiry ON public.licence USING btree (lic_expires_at) WHERE (lic_expires_at IS NOT NULL);

CREATE INDEX media_analysis_schema_auto ON public.media_analysis_schema USING btree (tenant_id) WHERE (mas_auto AND mas_active);

CREATE INDEX media_analysis_schema_created ON public.media_analysis_schema USING btree (tenant_id, mas_created, mas_id);

CREATE INDEX media_analysis_schema_title ON public.media_analysis_schema USING btree (tenant_id, mas_title_key, mas_id);

CREATE INDEX media_analysis_schema_updated ON public.media_analysis_schema USING btree (tenant_id, mas_updated, mas_id);

CREATE INDEX media_status_flow_created ON public.media_status_flow USING btree (tenant_id, msf_created, msf_id);

CREATE UNIQUE INDEX media_status_flow_design ON public.media_status_flow USING btree (tenant_id) WHERE (msf_active AND ('design'::text = ANY (msf_scope)));

CREATE UNIQUE INDEX media_status_flow_docs ON public.media_status_flow USING btree (tenant_id) WHERE (msf_active AND ('docs'::text = ANY (msf_scope)));

CREATE UNIQUE INDEX media_status_flow_generated ON public.media_status_flow USING btree (tenant_id) WHERE (msf_active AND ('generated'::text = ANY (msf_scope)));

CREATE UNIQUE INDEX media_status_flow_media ON public.media_status_flow USING btree (tenant_id) WHERE (msf_active AND ('media'::text = ANY (msf_scope)));

CREATE UNIQUE INDEX media_status_flow_name ON public.media_status_flow USING btree (tenant_id, public.folded(msf_name));

CREATE INDEX media_status_flow_sorted ON public.media_status_flow USING btree (tenant_id, msf_name_key, msf_id);

CREATE INDEX media_status_flow_updated ON public.media_status_flow USING btree (tenant_id, msf_updated, msf_id);

CREATE INDEX media_tag_children ON public.media_tag USING btree (tenant_id, mt_parent, mt_value_key, mt_id) WHERE (mt_parent IS NOT NULL);

CREATE INDEX media_tag_created ON public.media_tag USING btree (tenant_id, mt_created, mt_id);

CREATE INDEX media_tag_group_created ON public.media_tag_group USING btree (tenant_id, mtg_created, mtg_id);

CREATE UNIQUE INDEX media_tag_group_name ON public.media_tag_group USING btree (tenant_id, mtg_scope, public.folded(mtg_name));

CREATE INDEX media_tag_group_newest ON public.media_tag USING btree (tenant_id, mt_group, mt_created, mt_id);

CREATE INDEX media_tag_group_position ON public.media_tag_group USING btree (tenant_id, mtg_position, mtg_id);

CREATE INDEX media_tag_group_sorted ON public.media_tag_group USING btree (tenant_id, mtg_name_key, mtg_id);

CREATE INDEX media_tag_group_sorted_values ON public.media_tag USING btree (tenant_id, mt_group, mt_value_key, mt_id);

CREATE INDEX media_tag_group_updated ON public.media_tag_group USING btree (tenant_id, mtg_updated, mtg_id);

CREATE INDEX media_tag_sorted ON public.media_tag USING btree (tenant_id, mt_value_key, mt_id);

CREATE INDEX media_tag_updated ON public.media_tag USING btree (tenant_id, mt_updated, mt_id);

CREATE UNIQUE INDEX media_tag_value ON public.media_tag USING btree (tenant_id, mt_group, public.folded(mt_value));

CREATE INDEX media_tag_word_parts ON public.media_tag_word USING gin (tenant_id, public.dotless(mtw_word) public.gin_trgm_ops);

CREATE INDEX media_tag_word_tag ON public.media_tag_word USING btree (tenant_id, mtw_group, mtw_tag);

CREATE INDEX memory_changed ON public.memory USING btree (tenant_id, mem_user, mem_active, mem_updated, mem_id);

CREATE INDEX memory_forgotten_of_person ON public.memory_forgotten USING btree (tenant_id, mem_user, mem_id);

CREATE INDEX memory_newest ON public.memory USING btree (tenant_id, mem_user, mem_active, mem_created, mem_id);

CREATE UNIQUE INDEX memory_once ON public.memory USING btree (tenant_id, mem_user, mem_hash);

CREATE INDEX memory_typed ON public.memory USING btree (tenant_id, mem_user, mem_active, mem_type, mem_id);

CREATE INDEX message_below ON public.message USING btree (tenant_id, msg_thread, msg_parent, msg_id);

CREATE INDEX message_deleted_before ON public.message USING btree (tenant_id, msg_deleted, msg_id) WHERE ((NOT msg_active) AND (msg_deleted IS NOT NULL));

CREATE INDEX message_file_of ON public.message_file USING btree (tenant_id, file_id);

CREATE INDEX message_of_person ON public.message USING btree (tenant_id, msg_thread, msg_user) WHERE (msg_user IS NOT NULL);

CREATE INDEX message_words ON public.message USING gin (tenant_id, msg_tsv) WHERE msg_active;

CREATE INDEX model_provider_created ON public.model_provider USING btree (tenant_id, mp_created, mp_id);

CREATE INDEX node_by_creator ON public.node USING btree (tenant_id, node_created_by, node_id);

CREATE INDEX node_by_template ON public.node USING btree (tenant_id, node_template, node_id) WHERE (node_template IS NOT NULL);

CREATE INDEX node_changed ON public.node USING btree (tenant_id, node_site, node_active, node_updated, node_id);

CREATE INDEX node_in_order ON public.node USING btree (tenant_id, node_site, node_active, node_order, node_id);

CREATE INDEX node_locale_by_status ON public.node_locale USING btree (tenant_id, nl_site, nl_locale, nl_status, nl_node) WHERE nl_active;

CREATE INDEX node_locale_missing ON public.node_locale USING btree (tenant_id, nl_site, nl_locale, nl_node) WHERE (nl_active AND (nl_missing > 0));

CREATE UNIQUE INDEX node_locale_slug_taken ON public.node_locale USING btree (tenant_id, nl_site, nl_parent, nl_locale, nl_slug) NULLS NOT DISTINCT WHERE nl_active;

CREATE INDEX node_locale_stale ON public.node_locale USING btree (tenant_id, nl_site, nl_locale, nl_node) WHERE (nl_active AND (nl_stale > 0));

CREATE INDEX node_named ON public.node USING btree (tenant_id, node_site, node_active, node_name_key, node_id);

CREATE INDEX node_ordered ON public.node USING btree (tenant_id, node_site, node_parent, node_active, node_order, node_id);

CREATE INDEX node_reference_of ON public.node_reference USING btree (tenant_id, nref_kind, nref_ref, nref_node);

CREATE INDEX node_removed ON public.node USING btree (tenant_id, node_removed, node_id) WHERE (node_removed IS NOT NULL);

CREATE INDEX node_subtree ON public.node USING btree (tenant_id, node_site, node_lineage);

CREATE INDEX object_changed ON public.object USING btree (tenant_id, obj_form, obj_active, obj_updated, obj_id);

CREATE INDEX object_changed_of_all ON public.object USING btree (tenant_id, obj_active, obj_updated, obj_id);

CREATE INDEX object_cover ON public.object USING btree (tenant_id, obj_cover_file) WHERE (obj_cover_file IS NOT NULL);

CREATE INDEX object_deleted ON public.object USING btree (tenant_id, obj_deleted, obj_id) WHERE (NOT obj_active);

CREATE UNIQUE INDEX object_external ON public.object USING btree (tenant_id, obj_form, obj_external_id) WHERE ((obj_source IS NULL) AND (obj_external_id IS NOT NULL) AND obj_active);

CREATE INDEX object_flow_changed ON public.object_flow USING btree (tenant_id, olf_updated, olf_id);

CREATE INDEX object_flow_followed ON public.object_flow USING btree (tenant_id) WHERE olf_active;

CREATE INDEX object_flow_named ON public.object_flow USING btree (tenant_id, olf_name_key, olf_id);

CREATE INDEX object_flow_newest ON public.object_flow USING btree (tenant_id, olf_created, olf_id);

CREATE INDEX object_in_flow ON public.object USING btree (tenant_id, obj_flow, obj_status, obj_id) WHERE (obj_flow IS NOT NULL);

CREATE INDEX object_in_state ON public.object USING btree (tenant_id, obj_form, obj_status, obj_active, obj_created, obj_id) WHERE (obj_status IS NOT NULL);

CREATE INDEX object_named ON public.object USING btree (tenant_id, obj_form, obj_active, obj_name_key, obj_id);

CREATE INDEX object_named_of_all ON public.object USING btree (tenant_id, obj_active, obj_name_key, obj_id);

CREATE INDEX object_newest ON public.object USING btree (tenant_id, obj_form, obj_active, obj_created, obj_id);

CREATE INDEX object_newest_of_all ON public.object USING btree (tenant_id, obj_active, obj_created, obj_id);

CREATE INDEX object_of_form ON public.object USING btree (tenant_id, obj_form, obj_id);

CREATE UNIQUE INDEX object_of_source ON public.object USING btree (tenant_id, obj_source, obj_external_id) WHERE (obj_source IS NOT NULL);

CREATE INDEX object_restricted ON public.object USING btree (tenant_id, obj_id) WHERE (obj_acl <> '{}'::jsonb);

CREATE INDEX object_shelved ON public.object USING btree (tenant_id, obj_id) WHERE (obj_shelf <> '{}'::jsonb);

CREATE INDEX object_source_due ON public.object_source USING btree (osr_next) WHERE (osr_next IS NOT NULL);

CREATE UNIQUE INDEX object_source_name ON public.object_source USING btree (tenant_id, public.folded(osr_name)) WHERE (osr_removed IS NULL);

CREATE INDEX object_source_newest ON public.object_source USING btree (tenant_id, osr_created, osr_id);

CREATE INDEX object_source_of_form ON public.object_source USING btree (tenant_id, osr_form);

CREATE INDEX object_sync_row_listed ON public.object_sync_row USING btree (tenant_id, job_id, row_id);

CREATE INDEX object_sync_run_failing ON public.object_sync_run USING btree (tenant_id, queued, job_id) WHERE (status = ANY (ARRAY['failed'::text, 'partial'::text]));

CREATE INDEX object_sync_run_finished ON public.object_sync_run USING btree (tenant_id, finished, job_id) WHERE (finished IS NOT NULL);

CREATE INDEX object_sync_run_in_order ON public.object_sync_run USING btree (tenant_id, queued, job_id);

CREATE INDEX object_sync_run_mine ON public.object_sync_run USING btree (tenant_id, job_created_by, queued, job_id) WHERE (job_created_by IS NOT NULL);

CREATE INDEX object_sync_run_newest ON public.object_sync_run USING btree (tenant_id, job_source, queued, job_id);

CREATE UNIQUE INDEX object_sync_run_open ON public.object_sync_run USING btree (tenant_id, job_source) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX object_sync_run_unfinished ON public.object_sync_run USING btree (queued) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX object_sync_run_unfinished_here ON public.object_sync_run USING btree (tenant_id, queued, job_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX object_transition_flow ON public.object_transition USING btree (tenant_id, otr_flow);

CREATE INDEX object_transition_of ON public.object_transition USING btree (tenant_id, otr_object, otr_created, otr_id);

CREATE INDEX object_words ON public.object USING gin (tenant_id, obj_tsv);

CREATE INDEX operator_call_at ON public.operator_call USING btree (op_at);

CREATE INDEX outbox_events ON public.outbox USING btree (tenant_id, ev_created) WHERE (ev_kind = 'event'::text);

CREATE INDEX outbox_finished ON public.outbox USING btree (ev_done) WHERE ((ev_kind = 'job'::text) AND (ev_done IS NOT NULL));

CREATE INDEX outbox_flows ON public.outbox USING btree (ev_name, tenant_id, ev_bulk, ev_flow, ev_due) WHERE ((ev_kind = 'job'::text) AND (ev_sent IS NULL) AND (ev_done IS NULL) AND (ev_parked IS NULL));

CREATE INDEX outbox_in_flight ON public.outbox USING btree (tenant_id, ev_name, ev_key) WHERE ((ev_kind = 'job'::text) AND (ev_done IS NULL) AND ((ev_sent IS NOT NULL) OR (ev_lease IS NOT NULL)));

CREATE INDEX outbox_open ON public.outbox USING btree (ev_sent) WHERE ((ev_kind = 'job'::text) AND (ev_sent IS NOT NULL) AND (ev_done IS NULL));

CREATE INDEX outbox_open_key ON public.outbox USING btree (tenant_id, ev_name, ev_key) WHERE ((ev_kind = 'job'::text) AND (ev_done IS NULL));

CREATE INDEX outbox_outages ON public.outbox USING btree (ev_waits_for, ev_waiting_since) WHERE ((ev_waits_for IS NOT NULL) AND (ev_done IS NULL));

CREATE INDEX outbox_parked ON public.outbox USING btree (tenant_id) WHERE (ev_parked IS NOT NULL);

CREATE INDEX outbox_unsent_events ON public.outbox USING btree (ev_due) WHERE ((ev_kind = 'event'::text) AND (ev_sent IS NULL) AND (ev_done IS NULL) AND (ev_parked IS NULL));

CREATE INDEX outbox_unsent_jobs ON public.outbox USING btree (ev_name, ev_due) WHERE ((ev_kind = 'job'::text) AND (ev_sent IS NULL) AND (ev_done IS NULL) AND (ev_parked IS NULL));

CREATE INDEX page_publication_by_snapshot ON public.page_publication USING btree (tenant_id, np_snapshot);

CREATE INDEX page_publication_children ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_parent, np_order, np_node) WHERE (np_to_seq IS NULL);

CREATE INDEX page_publication_closed ON public.page_publication USING btree (tenant_id, np_closed, np_id) WHERE (np_closed IS NOT NULL);

CREATE INDEX page_publication_from ON public.page_publication USING btree (tenant_id, np_site, np_from_seq);

CREATE INDEX page_publication_listed ON public.page_publication USING btree (tenant_id, np_site, np_node) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text) AND (NOT np_noindex));

CREATE UNIQUE INDEX page_publication_live ON public.page_publication USING btree (tenant_id, np_node, np_locale) WHERE (np_to_seq IS NULL);

CREATE INDEX page_publication_named ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_name_key, np_snapshot) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE INDEX page_publication_newest ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_published, np_snapshot) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE INDEX page_publication_of_template ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_template_key, np_published, np_snapshot) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE INDEX page_publication_ordered ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_order, np_snapshot) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE UNIQUE INDEX page_publication_path_taken ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_path_hash) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE INDEX page_publication_subtree ON public.page_publication USING btree (tenant_id, np_site, np_locale, np_lineage) WHERE (np_to_seq IS NULL);

CREATE INDEX page_publication_tags ON public.page_publication USING gin (tenant_id, np_tags) WHERE ((np_to_seq IS NULL) AND (np_kind = 'page'::text));

CREATE INDEX page_snapshot_of_node ON public.page_snapshot USING btree (tenant_id, snap_node, snap_locale, snap_id);

CREATE INDEX page_snapshot_ref_of ON public.page_snapshot_ref USING btree (tenant_id, snref_kind, snref_ref, snref_hash, snref_snapshot);

CREATE INDEX page_version_newest ON public.page_version USING btree (tenant_id, ver_node, ver_created, ver_id);

CREATE INDEX passage_of_source ON public.passage USING btree (tenant_id, source_kind, source_id, psg_ordinal);

CREATE INDEX passage_scope_key ON public.passage_scope USING btree (tenant_id, scope_key, source_kind, source_id);

CREATE INDEX passage_source_failed ON public.passage_source USING btree (tenant_id, source_updated, source_kind, source_id) WHERE (source_status = 'failed'::text);

CREATE INDEX passage_source_open ON public.passage_source USING btree (tenant_id, source_updated) WHERE (source_status = 'pending'::text);

CREATE INDEX passage_source_with_passages ON public.passage_source USING btree (tenant_id, source_kind, source_id) WHERE (source_passages > 0);

CREATE INDEX passage_words ON public.passage USING gin (public.passage_word_keys(tenant_id, psg_tsv)) WITH (fastupdate=off);

CREATE INDEX passage_words_sampled ON public.passage USING gin (public.passage_word_keys(tenant_id, psg_tsv)) WITH (fastupdate=off) WHERE ((uuid_hash(passage_id) & 63) = 0);

CREATE INDEX person_consent_end ON public.person USING btree (tenant_id, person_consent_until, person_id) WHERE (person_consent_until IS NOT NULL);

CREATE INDEX person_cover ON public.person USING btree (tenant_id, person_cover_face) WHERE (person_cover_face IS NOT NULL);

CREATE INDEX person_created ON public.person USING btree (tenant_id, person_created, person_id) WHERE (person_merged_into IS NULL);

CREATE INDEX person_faces ON public.person USING btree (tenant_id, person_face_count, person_id) WHERE (person_merged_into IS NULL);

CREATE INDEX person_merge_person ON public.person_merge USING btree (tenant_id, pm_person, pm_created);

CREATE INDEX person_merged ON public.person USING btree (tenant_id, person_merged_into) WHERE (person_merged_into IS NOT NULL);

CREATE INDEX person_names ON public.person USING gin (tenant_id, public.dotless(public.folded(((COALESCE(person_name, ''::text) || ' '::text) || COALESCE(person_description, ''::text)))) public.gin_trgm_ops);

CREATE INDEX person_pref_person ON public.person_pref USING btree (tenant_id, person_id);

CREATE INDEX person_sorted ON public.person USING btree (tenant_id, person_name_key, person_id) WHERE (person_merged_into IS NULL);

CREATE INDEX person_updated ON public.person USING btree (tenant_id, person_updated, person_id) WHERE (person_merged_into IS NULL);

CREATE INDEX person_withheld ON public.person USING btree (tenant_id, person_id) WHERE ((person_consent_status = 'refused'::text) OR (person_consent_until IS NOT NULL));

CREATE INDEX platform_cost_param ON public.platform_cost USING btree (cost_param, cost_valid_from DESC);

CREATE INDEX preview_link_expired ON public.preview_link USING btree (tenant_id, prv_expires, prv_id);

CREATE INDEX preview_link_newest ON public.preview_link USING btree (tenant_id, prv_site, prv_created, prv_id);

CREATE INDEX privacy_request_archive ON public.privacy_request USING btree (dsr_expires_at) WHERE (dsr_archive IS NOT NULL);

CREATE INDEX privacy_request_created ON public.privacy_request USING btree (tenant_id, dsr_created, dsr_id);

CREATE UNIQUE INDEX privacy_request_open ON public.privacy_request USING btree (tenant_id, dsr_kind, dsr_subject_key) WHERE (dsr_status = ANY (ARRAY['pending_approval'::text, 'scheduled'::text, 'running'::text, 'blocked'::text]));

CREATE INDEX privacy_request_updated ON public.privacy_request USING btree (tenant_id, dsr_updated, dsr_id);

CREATE INDEX privacy_request_user ON public.privacy_request USING btree (tenant_id, dsr_user, dsr_created, dsr_id);

CREATE INDEX prompt_category_link_of ON public.prompt_category_link USING btree (tenant_id, prompt_id, pcat_id);

CREATE UNIQUE INDEX prompt_category_name_taken ON public.prompt_category USING btree (tenant_id, pcat_parent, public.folded(pcat_name)) NULLS NOT DISTINCT WHERE pcat_active;

CREATE INDEX prompt_category_named ON public.prompt_category USING btree (tenant_id, pcat_active, pcat_name_key, pcat_id);

CREATE INDEX prompt_category_newest ON public.prompt_category USING btree (tenant_id, pcat_active, pcat_created, pcat_id);

CREATE INDEX prompt_category_ordered ON public.prompt_category USING btree (tenant_id, pcat_active, pcat_order, pcat_id);

CREATE INDEX prompt_category_under ON public.prompt_category USING btree (tenant_id, pcat_parent, pcat_id);

CREATE INDEX prompt_changed ON public.prompt USING btree (tenant_id, prompt_active, prompt_updated, prompt_id);

CREATE UNIQUE INDEX prompt_name_taken ON public.prompt USING btree (tenant_id, prompt_user, public.folded(prompt_name)) NULLS NOT DISTINCT WHERE prompt_active;

CREATE INDEX prompt_named ON public.prompt USING btree (tenant_id, prompt_active, prompt_name_key, prompt_id);

CREATE INDEX prompt_newest ON public.prompt USING btree (tenant_id, prompt_active, prompt_created, prompt_id);

CREATE INDEX prompt_of_agent ON public.prompt USING btree (tenant_id, prompt_agent) WHERE (prompt_agent IS NOT NULL);

CREATE INDEX prompt_wildcard_of ON public.prompt_wildcard USING btree (tenant_id, prompt_id);

CREATE INDEX prompt_words ON public.prompt USING gin (tenant_id, prompt_tsv);

CREATE INDEX publication_copy ON public.publication USING btree (tenant_id, pub_copy_state, pub_created, pub_id) WHERE (pub_copy_state <> ALL (ARRAY['none'::text, 'ready'::text]));

CREATE INDEX publication_created ON public.publication USING btree (tenant_id, pub_created, pub_id);

CREATE INDEX publication_edge_due ON public.publication USING btree (pub_edge_due) WHERE (pub_edge_due IS NOT NULL);

CREATE INDEX publication_end_due ON public.publication USING btree (pub_end) WHERE ((pub_state = ANY (ARRAY['published'::text, 'scheduled'::text])) AND (pub_end IS NOT NULL));

CREATE INDEX publication_ending ON public.publication USING btree (tenant_id, pub_end, pub_id) WHERE (pub_end IS NOT NULL);

CREATE INDEX publication_history_of ON public.publication_history USING btree (tenant_id, ph_publication, ph_created, ph_id);

CREATE INDEX publication_restriction_of ON public.publication_restriction USING btree (tenant_id, pr_publication);

CREATE INDEX publication_search ON public.publication USING gin (public.dotless(public.folded(((((pub_file_name || '
'::text) || COALESCE(pub_published_name, ''::text)) || '
'::text) || COALESCE(pub_url, ''::text)))) public.gin_trgm_ops, tenant_id);

CREATE INDEX publication_stale ON public.publication USING btree (tenant_id, pub_created, pub_id) WHERE pub_stale;

CREATE INDEX publication_start_due ON public.publication USING btree (pub_start) WHERE (pub_state = 'scheduled'::text);

CREATE INDEX publication_stat_day ON public.publication_stat USING btree (tenant_id, ps_day);

CREATE INDEX publication_state ON public.publication USING btree (tenant_id, pub_state, pub_created DESC, pub_id DESC);

CREATE INDEX publication_updated ON public.publication USING btree (tenant_id, pub_updated, pub_id);

CREATE INDEX publish_schedule_by_status ON public.publish_schedule USING btree (tenant_id, sch_site, sch_status, sch_at, sch_id);

CREATE INDEX publish_schedule_due ON public.publish_schedule USING btree (sch_at, tenant_id, sch_id) WHERE (sch_status = 'waiting'::text);

CREATE INDEX publish_schedule_finished ON public.publish_schedule USING btree (tenant_id, sch_finished, sch_id) WHERE (sch_finished IS NOT NULL);

CREATE INDEX publish_schedule_newest ON public.publish_schedule USING btree (tenant_id, sch_site, sch_at, sch_id);

CREATE INDEX publish_schedule_node_of ON public.publish_schedule_node USING btree (tenant_id, schn_node, schn_schedule);

CREATE INDEX refresh_replay_created ON public.refresh_replay USING btree (rr_created);

CREATE INDEX refresh_replay_session ON public.refresh_replay USING btree (ses_id);

CREATE INDEX refresh_token_session ON public.refresh_token USING btree (ses_id);

CREATE UNIQUE INDEX restriction_name ON public.distribution_restriction USING btree (tenant_id, public.folded(dr_name));

CREATE INDEX retention_run_started ON public.retention_run USING btree (tenant_id, run_started, run_id);

CREATE INDEX role_created ON public.role USING btree (tenant_id, role_created, role_id);

CREATE INDEX role_name_order ON public.role USING btree (tenant_id, role_name_key, role_id);

CREATE UNIQUE INDEX role_name_unique ON public.role USING btree (tenant_id, public.folded(role_name));

CREATE UNIQUE INDEX role_one_default ON public.role USING btree (tenant_id) WHERE role_default;

CREATE INDEX role_updated ON public.role USING btree (tenant_id, role_updated, role_id);

CREATE INDEX run_alone_finished ON public.run USING btree (tenant_id, run_finished, run_id) WHERE ((run_thread IS NULL) AND (run_finished IS NOT NULL));

CREATE INDEX run_of_agent ON public.run USING btree (tenant_id, run_agent, run_created, run_id);

CREATE INDEX run_of_message ON public.run USING btree (tenant_id, run_message) WHERE (run_message IS NOT NULL);

CREATE INDEX run_of_person ON public.run USING btree (tenant_id, run_user, run_created, run_id) WHERE (run_user IS NOT NULL);

CREATE INDEX run_of_thread ON public.run USING btree (tenant_id, run_thread, run_created, run_id);

CREATE INDEX run_of_user ON public.run USING btree (tenant_id, run_user) WHERE (run_status = 'running'::text);

CREATE INDEX run_open ON public.run USING btree (run_alive) WHERE (run_status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text]));

CREATE INDEX saved_search_created ON public.saved_search USING btree (tenant_id, sq_created, sq_id);

CREATE INDEX saved_search_name ON public.saved_search USING btree (tenant_id, sq_name_key, sq_id);

CREATE INDEX saved_search_updated ON public.saved_search USING btree (tenant_id, sq_updated, sq_id);

CREATE INDEX share_download_share ON public.share_download USING btree (tenant_id, sd_share, sd_created);

CREATE INDEX share_event_share ON ONLY public.share_event USING btree (tenant_id, se_share, se_created, se_id);

CREATE INDEX share_event_default_tenant_id_se_share_se_created_se_id_idx ON public.share_event_default USING btree (tenant_id, se_share, se_created, se_id);

CREATE INDEX share_link_album ON public.share_link USING btree (tenant_id, share_album_id, share_created, share_id) WHERE (share_album_id IS NOT NULL);

CREATE INDEX share_link_created ON public.share_link USING btree (tenant_id, share_created, share_id);

CREATE INDEX share_link_files ON public.share_link USING gin (tenant_id, share_file_ids);

CREATE INDEX share_link_id ON public.share_link USING btree (share_id);

CREATE INDEX share_link_mine ON public.share_link USING btree (tenant_id, share_created_by, share_created, share_id);

CREATE INDEX share_link_name ON public.share_link USING btree (tenant_id, share_name_key, share_id);

CREATE INDEX share_link_standing ON public.share_link USING btree (tenant_id, share_created_by) WHERE (share_revoked IS NULL);

CREATE INDEX share_link_updated ON public.share_link USING btree (tenant_id, share_updated, share_id);

CREATE INDEX share_token_share ON public.share_token USING btree (tenant_id, st_share);

CREATE INDEX share_upload_file ON public.share_upload USING btree (tenant_id, su_file) WHERE (su_file IS NOT NULL);

CREATE INDEX share_upload_hash ON public.share_upload USING btree (tenant_id, su_share, su_file_hash) WHERE (su_file_hash IS NOT NULL);

CREATE INDEX share_upload_review ON public.share_upload USING btree (tenant_id, su_share, su_review, su_created, su_id);

CREATE INDEX share_upload_share ON public.share_upload USING btree (tenant_id, su_share, su_created, su_id);

CREATE INDEX share_upload_visit ON public.share_upload USING btree (tenant_id, su_share, su_visit, su_created, su_id);

CREATE INDEX share_verdict_share ON public.share_verdict USING btree (tenant_id, sv_share, sv_updated, sv_id);

CREATE INDEX sign_in_throttle_until ON public.sign_in_throttle USING btree (thr_until);

CREATE UNIQUE INDEX signing_key_one_active ON public.signing_key USING btree (sk_state) WHERE (sk_state = 'active'::text);

CREATE UNIQUE INDEX signing_key_one_next ON public.signing_key USING btree (sk_state) WHERE (sk_state = 'next'::text);

CREATE INDEX site_by_library ON public.site USING btree (tenant_id, site_library);

CREATE INDEX site_changed ON public.site USING btree (tenant_id, site_active, site_updated, site_id);

CREATE UNIQUE INDEX site_name_taken ON public.site USING btree (tenant_id, public.folded(site_name)) WHERE site_active;

CREATE INDEX site_named ON public.site USING btree (tenant_id, site_active, site_name_key, site_id);

CREATE INDEX site_newest ON public.site USING btree (tenant_id, site_active, site_created, site_id);

CREATE INDEX site_redirect_newest ON public.site_redirect USING btree (tenant_id, red_site, red_created, red_id);

CREATE UNIQUE INDEX site_redirect_taken ON public.site_redirect USING btree (tenant_id, red_site, red_from_hash, red_locale) NULLS NOT DISTINCT;

CREATE INDEX site_redirect_to_node ON public.site_redirect USING btree (tenant_id, red_site, red_node) WHERE (red_node IS NOT NULL);

CREATE INDEX site_removed ON public.site USING btree (tenant_id, site_removed) WHERE (site_removed IS NOT NULL);

CREATE INDEX social_attempt_of_variant ON public.social_attempt USING btree (tenant_id, spa_variant, spa_started, spa_id);

CREATE INDEX social_attempt_oldest ON public.social_attempt USING btree (tenant_id, spa_started, spa_id);

CREATE INDEX social_auth_of_user ON public.social_auth USING btree (tenant_id, auth_user, auth_expires);

CREATE UNIQUE INDEX social_auth_state ON public.social_auth USING btree (tenant_id, auth_state_hash);

CREATE UNIQUE INDEX social_connection_account ON public.social_connection USING btree (tenant_id, con_platform, con_account_id) WHERE (con_removed IS NULL);

CREATE INDEX social_connection_due ON public.social_connection USING btree (con_next) WHERE (con_next IS NOT NULL);

CREATE INDEX social_connection_newest ON public.social_connection USING btree (tenant_id, con_created, con_id);

CREATE INDEX social_post_by_state ON public.social_post USING btree (tenant_id, sp_state, sp_updated DESC);

CREATE INDEX social_post_by_time ON public.social_post USING btree (tenant_id, sp_schedule_key, sp_id);

CREATE INDEX social_post_calendar ON public.social_post USING btree (tenant_id, (
CASE
    WHEN (sp_schedule_at IS NULL) THEN sp_started
    ELSE sp_schedule_at
END), sp_id);

CREATE INDEX social_post_created ON public.social_post USING btree (tenant_id, sp_created, sp_id);

CREATE INDEX social_post_due ON public.social_post USING btree (sp_schedule_at, sp_id) WHERE (sp_state = 'scheduled'::text);

CREATE INDEX social_post_file_of_post ON public.social_post_file USING btree (tenant_id, spf_post);

CREATE INDEX social_post_newest ON public.social_post USING btree (tenant_id, sp_active, sp_created DESC, sp_id);

CREATE INDEX social_post_removed ON public.social_post USING btree (sp_updated, sp_id) WHERE (NOT sp_active);

CREATE INDEX social_post_unsent ON public.social_post USING btree (tenant_id, sp_schedule_at, sp_id) WHERE ((sp_schedule_at IS NOT NULL) AND (sp_state = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text, 'scheduled'::text])));

CREATE INDEX social_post_updated ON public.social_post USING btree (tenant_id, sp_updated, sp_id);

CREATE INDEX social_slot_newest ON public.social_slot USING btree (tenant_id, sls_created, sls_id);

CREATE UNIQUE INDEX social_slot_time ON public.social_slot USING btree (tenant_id, sls_target, sls_weekday, sls_time, sls_timezone) NULLS NOT DISTINCT;

CREATE UNIQUE INDEX social_target_external ON public.social_target USING btree (tenant_id, tgt_external_id);

CREATE INDEX social_target_newest ON public.social_target USING btree (tenant_id, tgt_updated, tgt_id);

CREATE INDEX social_target_of_connection ON public.social_target USING btree (tenant_id, tgt_connection);

CREATE UNIQUE INDEX social_variant_external ON public.social_variant USING btree (tenant_id, spv_external_id) WHERE (spv_external_id IS NOT NULL);

CREATE INDEX social_variant_metrics ON public.social_variant USING btree (spv_metrics_next) WHERE (spv_metrics_next IS NOT NULL);

CREATE INDEX social_variant_of_target ON public.social_variant USING btree (tenant_id, spv_target, spv_published);

CREATE UNIQUE INDEX social_variant_target ON public.social_variant USING btree (tenant_id, spv_post, spv_target);

CREATE INDEX space_changed ON public.space USING btree (tenant_id, space_active, space_updated, space_id);

CREATE INDEX space_member_of ON public.space_member USING btree (tenant_id, sm_principal_type, sm_principal);

CREATE UNIQUE INDEX space_name_taken ON public.space USING btree (tenant_id, public.folded(space_name)) WHERE space_active;

CREATE INDEX space_named ON public.space USING btree (tenant_id, space_active, space_name_key, space_id);

CREATE INDEX space_newest ON public.space USING btree (tenant_id, space_active, space_created, space_id);

CREATE INDEX stock_import_job ON public.stock_import USING btree (tenant_id, si_job) WHERE (si_job IS NOT NULL);

CREATE INDEX stock_import_photo ON public.stock_import USING btree (tenant_id, si_stock, si_created);

CREATE INDEX storage_provider_by_name ON public.storage_provider USING btree (tenant_id, sto_name_key, sto_id);

CREATE INDEX storage_provider_created ON public.storage_provider USING btree (tenant_id, sto_created, sto_id);

CREATE UNIQUE INDEX storage_provider_default ON public.storage_provider USING btree (tenant_id) WHERE sto_default;

CREATE UNIQUE INDEX storage_provider_name ON public.storage_provider USING btree (tenant_id, public.folded(sto_name));

CREATE INDEX stream_event_age ON public.stream_event USING btree (se_created);

CREATE INDEX stream_fence_age ON public.stream_fence USING btree (sf_raised);

CREATE INDEX taxonomy_changed ON public.taxonomy USING btree (tenant_id, tax_active, tax_updated, tax_id);

CREATE UNIQUE INDEX taxonomy_name_taken ON public.taxonomy USING btree (tenant_id, public.folded(tax_name)) WHERE tax_active;

CREATE INDEX taxonomy_named ON public.taxonomy USING btree (tenant_id, tax_active, tax_name_key, tax_id);

CREATE INDEX taxonomy_newest ON public.taxonomy USING btree (tenant_id, tax_active, tax_created, tax_id);

CREATE UNIQUE INDEX taxonomy_slug_taken ON public.taxonomy USING btree (tenant_id, tax_slug) WHERE tax_active;

CREATE INDEX term_changed ON public.term USING btree (tenant_id, term_taxonomy, term_active, term_updated, term_id);

CREATE INDEX term_children ON public.term USING btree (tenant_id, term_taxonomy, term_parent, term_active, term_order, term_id);

CREATE UNIQUE INDEX term_name_taken ON public.term USING btree (tenant_id, term_taxonomy, COALESCE(term_parent, '00000000-0000-0000-0000-000000000000'::uuid), public.folded(term_name)) WHERE term_active;

CREATE INDEX term_named ON public.term USING btree (tenant_id, term_taxonomy, term_active, term_name_key, term_id);

CREATE INDEX term_newest ON public.term USING btree (tenant_id, term_taxonomy, term_active, term_created, term_id);

CREATE INDEX term_ordered ON public.term USING btree (tenant_id, term_taxonomy, term_active, term_order, term_id);

CREATE UNIQUE INDEX term_slug_taken ON public.term USING btree (tenant_id, term_taxonomy, term_slug) WHERE term_active;

CREATE INDEX term_subtree ON public.term USING btree (tenant_id, term_taxonomy, term_lineage);

CREATE INDEX thread_deleted_before ON public.thread USING btree (tenant_id, thread_deleted, thread_id) WHERE (NOT thread_active);

CREATE INDEX thread_grant_of ON public.thread_grant USING btree (tenant_id, thread_id);

CREATE INDEX thread_of_space ON public.thread USING btree (tenant_id, thread_space) WHERE (thread_space IS NOT NULL);

CREATE UNIQUE INDEX thread_of_subject ON public.thread USING btree (tenant_id, thread_user, thread_agent, thread_ref_key) NULLS NOT DISTINCT WHERE (thread_active AND (thread_ref_key IS NOT NULL) AND (thread_type = 'context'::text));

CREATE INDEX thread_own_changed ON public.thread USING btree (tenant_id, thread_user, thread_updated DESC, thread_id DESC) WHERE thread_active;

CREATE INDEX thread_own_deleted ON public.thread USING btree (tenant_id, thread_user, thread_updated DESC, thread_id DESC) WHERE (NOT thread_active);

CREATE INDEX thread_own_in_space_changed ON public.thread USING btree (tenant_id, thread_user, thread_space, thread_updated DESC, thread_id DESC) WHERE (thread_active AND (thread_space IS NOT NULL));

CREATE INDEX thread_own_in_space_named ON public.thread USING btree (tenant_id, thread_user, thread_space, thread_title_key, thread_id) WHERE (thread_active AND (thread_space IS NOT NULL));

CREATE INDEX thread_own_in_space_newest ON public.thread USING btree (tenant_id, thread_user, thread_space, thread_created DESC, thread_id DESC) WHERE (thread_active AND (thread_space IS NOT NULL));

CREATE INDEX thread_own_named ON public.thread USING btree (tenant_id, thread_user, thread_title_key, thread_id) WHERE thread_active;

CREATE INDEX thread_own_newest ON public.thread USING btree (tenant_id, thread_user, thread_created DESC, thread_id DESC) WHERE thread_active;

CREATE INDEX thread_space_changed ON public.thread USING btree (tenant_id, thread_space, thread_updated DESC, thread_id DESC) WHERE (thread_active AND (thread_share_mode <> 'private'::text));

CREATE INDEX thread_space_named ON public.thread USING btree (tenant_id, thread_space, thread_title_key, thread_id) WHERE (thread_active AND (thread_share_mode <> 'private'::text));

CREATE INDEX thread_space_newest ON public.thread USING btree (tenant_id, thread_space, thread_created DESC, thread_id DESC) WHERE (thread_active AND (thread_share_mode <> 'private'::text));

CREATE INDEX thread_words ON public.thread USING gin (tenant_id, thread_tsv) WHERE thread_active;

CREATE INDEX upload_expiry ON public.upload USING btree (upl_expires) WHERE upl_staged;

CREATE INDEX upload_mine ON public.upload USING btree (tenant_id, upl_created_by, upl_state, upl_id);

CREATE INDEX upload_mine_created ON public.upload USING btree (tenant_id, upl_created_by, upl_created, upl_id);

CREATE INDEX usage_cells_user ON public.usage_cells USING btree (tenant_id, usage_user, cell_start);

CREATE INDEX usage_days_user ON public.usage_days USING btree (tenant_id, usage_user, day_start);

CREATE INDEX usage_entry_agent ON ONLY public.usage_entry USING btree (tenant_id, usage_agent, usage_timestamp, usage_id) WHERE (usage_agent IS NOT NULL);

CREATE INDEX usage_entry_credits ON ONLY public.usage_entry USING btree (tenant_id, usage_consumed_credits_key, usage_id);

CREATE INDEX usage_entry_default_tenant_id_usage_agent_usage_timestamp_u_idx ON public.usage_entry_default USING btree (tenant_id, usage_agent, usage_timestamp, usage_id) WHERE (usage_agent IS NOT NULL);

CREATE INDEX usage_entry_default_tenant_id_usage_consumed_credits_key_us_idx ON public.usage_entry_default USING btree (tenant_id, usage_consumed_credits_key, usage_id);

CREATE INDEX usage_entry_param ON ONLY public.usage_entry USING btree (tenant_id, usage_param, usage_timestamp, usage_id);

CREATE INDEX usage_entry_default_tenant_id_usage_param_usage_timestamp_u_idx ON public.usage_entry_default USING btree (tenant_id, usage_param, usage_timestamp, usage_id);

CREATE INDEX usage_entry_prompt ON ONLY public.usage_entry USING btree (tenant_id, usage_prompt, usage_timestamp, usage_id) WHERE (usage_prompt IS NOT NULL);

CREATE INDEX usage_entry_default_tenant_id_usage_prompt_usage_timestamp__idx ON public.usage_entry_default USING btree (tenant_id, usage_prompt, usage_timestamp, usage_id) WHERE (usage_prompt IS NOT NULL);

CREATE INDEX usage_entry_user_credits ON ONLY public.usage_entry USING btree (tenant_id, usage_user, usage_consumed_credits_key, usage_id);

CREATE INDEX usage_entry_default_tenant_id_usage_user_usage_consumed_cre_idx ON public.usage_entry_default USING btree (tenant_id, usage_user, usage_consumed_credits_key, usage_id);

CREATE INDEX usage_entry_user ON ONLY public.usage_entry USING btree (tenant_id, usage_user, usage_timestamp, usage_id);

CREATE INDEX usage_entry_default_tenant_id_usage_user_usage_timestamp_us_idx ON public.usage_entry_default USING btree (tenant_id, usage_user, usage_timestamp, usage_id);

CREATE INDEX usage_sources_created ON public.usage_sources USING btree (src_created);

CREATE INDEX user_role_link_role ON public.user_role_link USING btree (tenant_id, role_id);

CREATE INDEX vector_entry_thing ON public.vector_entry USING btree (tenant_id, ve_kind, ve_id);

CREATE INDEX wildcard_changed ON public.wildcard USING btree (tenant_id, wildcard_active, wildcard_updated, wildcard_id);

CREATE UNIQUE INDEX wildcard_name_taken ON public.wildcard USING btree (tenant_id, public.folded(wildcard_name)) WHERE wildcard_active;

CREATE INDEX wildcard_named ON public.wildcard USING btree (tenant_id, wildcard_active, wildcard_name_key, wildcard_id);

CREATE INDEX wildcard_newest ON public.wildcard USING btree (tenant_id, wildcard_active, wildcard_created, wildcard_id);

CREATE INDEX workspace_cost_param ON public.workspace_cost USING btree (tenant_id, cost_param, cost_valid_from DESC);

CREATE INDEX workspace_deletion ON public.workspace USING btree (ws_delete_after) WHERE (ws_status = 'deleting'::text);

CREATE INDEX workspace_order ON public.workspace USING btree (ws_created DESC, tenant_id DESC);

CREATE INDEX workspace_telling_usage ON public.workspace USING btree (tenant_id) WHERE ((ws_options ->> 'usage_events'::text) = 'true'::text);

CREATE INDEX workspace_tombstone_deleted ON public.workspace_tombstone USING btree (deleted_at);

CREATE INDEX workspace_user_account ON public.workspace_user USING btree (user_id);

CREATE INDEX workspace_user_created ON public.workspace_user USING btree (tenant_id, user_created, user_id);

CREATE INDEX workspace_user_directory ON public.workspace_user USING btree (tenant_id, user_status, user_name_key, user_id);

CREATE INDEX workspace_user_email ON public.workspace_user USING btree (tenant_id, user_email_key, user_id);

CREATE INDEX workspace_user_name ON public.workspace_user USING btree (tenant_id, user_name_key, user_id);

CREATE INDEX workspace_user_search ON public.workspace_user USING gin (tenant_id, public.dotless(public.folded(((((user_name || ' '::text) || COALESCE(user_email, ''::text)) || ' '::text) || COALESCE(user_title, ''::text)))) public.gin_trgm_ops);

CREATE INDEX workspace_user_seen ON public.workspace_user USING btree (tenant_id, user_last_seen_at_key, user_id);

CREATE INDEX workspace_user_status ON public.workspace_user USING btree (tenant_id, user_status, user_created, user_id);

ALTER INDEX public.access_log_pkey ATTACH PARTITION public.access_log_default_pkey;

ALTER INDEX public.access_log_duration ATTACH PARTITION public.access_log_default_tenant_id_log_duration_ms_log_id_idx;

ALTER INDEX public.access_log_request ATTACH PARTITION public.access_log_default_tenant_id_log_request_id_idx;

ALTER INDEX public.access_log_text ATTACH PARTITION public.access_log_default_tenant_id_log_text_log_ids_idx;

ALTER INDEX public.access_log_user ATTACH PARTITION public.access_log_default_tenant_id_log_user_log_timestamp_idx;

ALTER INDEX public.audit_event_pkey ATTACH PARTITION public.audit_event_default_pkey;

ALTER INDEX public.audit_event_actor ATTACH PARTITION public.audit_event_default_tenant_id_aud_actor_aud_timestamp_idx;

ALTER INDEX public.audit_event_id ATTACH PARTITION public.audit_event_default_tenant_id_aud_id_idx;

ALTER INDEX public.audit_event_seal ATTACH PARTITION public.audit_event_default_tenant_id_aud_seal_aud_id_idx;

ALTER INDEX public.audit_event_target ATTACH PARTITION public.audit_event_default_tenant_id_aud_target_type_aud_target_id_idx;

ALTER INDEX public.audit_event_unsealed ATTACH PARTITION public.audit_event_default_tenant_id_idx;

ALTER INDEX public.share_event_pkey ATTACH PARTITION public.share_event_default_pkey;

ALTER INDEX public.share_event_share ATTACH PARTITION public.share_event_default_tenant_id_se_share_se_created_se_id_idx;

ALTER INDEX public.usage_entry_pkey ATTACH PARTITION public.usage_entry_default_pkey;

ALTER INDEX public.usage_entry_agent ATTACH PARTITION public.usage_entry_default_tenant_id_usage_agent_usage_timestamp_u_idx;

ALTER INDEX public.usage_entry_credits ATTACH PARTITION public.usage_entry_default_tenant_id_usage_consumed_credits_key_us_idx;

ALTER INDEX public.usage_entry_param ATTACH PARTITION public.usage_entry_default_tenant_id_usage_param_usage_timestamp_u_idx;

ALTER INDEX public.usage_entry_prompt ATTACH PARTITION public.usage_entry_default_tenant_id_usage_prompt_usage_timestamp__idx;

ALTER INDEX public.usage_entry_user_credits ATTACH PARTITION public.usage_entry_default_tenant_id_usage_user_usage_consumed_cre_idx;

ALTER INDEX public.usage_entry_user ATTACH PARTITION public.usage_entry_default_tenant_id_usage_user_usage_timestamp_us_idx;

CREATE STATISTICS public.form_value_numbers (dependencies, mcv) ON tenant_id, field_key, form_id, value_num FROM public.form_value;

ALTER STATISTICS public.form_value_numbers OWNER TO atrium_owner;

CREATE STATISTICS public.form_value_references (dependencies, mcv) ON tenant_id, field_key, form_id, value_ref FROM public.form_value;

ALTER STATISTICS public.form_value_references OWNER TO atrium_owner;

CREATE STATISTICS public.form_value_texts (dependencies, mcv) ON tenant_id, field_key, form_id, value_text FROM public.form_value;

ALTER STATISTICS public.form_value_texts OWNER TO atrium_owner;

CREATE STATISTICS public.object_forms (dependencies) ON tenant_id, obj_form FROM public.object;

ALTER STATISTICS public.object_forms OWNER TO atrium_owner;

CREATE TRIGGER access_log_complete BEFORE INSERT ON public.access_log FOR EACH ROW WHEN ((new.log_text IS NULL)) EXECUTE FUNCTION public.access_log_complete();

CREATE TRIGGER announce BEFORE UPDATE OF key_expires_at ON public.api_key FOR EACH ROW WHEN ((old.key_expires_at IS DISTINCT FROM new.key_expires_at)) EXECUTE FUNCTION public.announce_key_anew();

CREATE TRIGGER announce BEFORE UPDATE OF lic_expires_at ON public.licence FOR EACH ROW WHEN ((old.lic_expires_at IS DISTINCT FROM new.lic_expires_at)) EXECUTE FUNCTION public.announce_licence_anew();

CREATE TRIGGER authz BEFORE UPDATE OF acc_password_hash, acc_totp, acc_recovery, acc_status, acc_email ON public.account FOR EACH ROW EXECUTE FUNCTION public.raise_account_version();

CREATE TRIGGER authz AFTER UPDATE OF ses_ended_at, ses_expires_at, ses_methods ON public.account_session FOR EACH ROW EXECUTE FUNCTION public.raise_version_of_session();

CREATE TRIGGER authz AFTER DELETE OR UPDATE OF key_hash, key_prev_hash, key_prev_expires_at, key_user, key_scopes, key_ip_allow, key_rate_limit, key_expires_at, key_revoked_at, key_extension ON public.api_key FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF iss_issuer, iss_jwks_url, iss_audiences, iss_algorithms, iss_claims, iss_role_map, iss_provision, iss_domains, iss_default_role, iss_active ON public.issuer FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF lic_module, lic_starts_at, lic_expires_at ON public.licence FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER DELETE OR UPDATE OF role_permissions ON public.role FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER UPDATE OF space_active ON public.space FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF sm_space, sm_principal_type, sm_principal ON public.space_member FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz BEFORE UPDATE OF ws_status, ws_security ON public.workspace FOR EACH ROW EXECUTE FUNCTION public.raise_own_authz_version();

CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF user_status, user_kind, user_signed_out_at ON public.workspace_user FOR EACH ROW EXECUTE FUNCTION public.raise_authz_version();

CREATE TRIGGER authz_given AFTER INSERT ON public.user_role_link REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.raise_authz_version_once();

CREATE TRIGGER authz_taken AFTER DELETE ON public.user_role_link REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.raise_authz_version_once();

CREATE TRIGGER blob_facts AFTER UPDATE OF blob_refs, blob_corrupt ON public.file_blob FOR EACH ROW WHEN ((((old.blob_refs > 1) IS DISTINCT FROM (new.blob_refs > 1)) OR ((old.blob_corrupt IS NOT NULL) IS DISTINCT FROM (new.blob_corrupt IS NOT NULL)))) EXECUTE FUNCTION public.tell_blob_facts();

CREATE TRIGGER blob_facts_of_changed BEFORE UPDATE OF file_blob ON public.file FOR EACH ROW WHEN ((old.file_blob IS DISTINCT FROM new.file_blob)) EXECUTE FUNCTION public.read_blob_facts();

CREATE TRIGGER blob_facts_of_new BEFORE INSERT ON public.file FOR EACH ROW WHEN ((new.file_blob IS NOT NULL)) EXECUTE FUNCTION public.read_blob_facts();

CREATE TRIGGER count_added AFTER INSERT ON public.face REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_faces_added();

CREATE TRIGGER count_added AFTER INSERT ON public.file_tag REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_tags_added();

CREATE TRIGGER count_changed AFTER UPDATE ON public.face REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_faces_changed();

CREATE TRIGGER count_changed AFTER UPDATE ON public.file_tag REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_tags_changed();

CREATE TRIGGER count_deleted AFTER DELETE ON public.album_file REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

CREATE TRIGGER count_deleted AFTER DELETE ON public.knowledge_record REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_knowledge_records();

CREATE TRIGGER count_deleted AFTER DELETE ON public.publication_restriction REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_publications();

CREATE TRIGGER count_group_tags AFTER INSERT OR DELETE ON public.media_tag FOR EACH ROW EXECUTE FUNCTION public.count_group_tags();

CREATE TRIGGER count_inserted AFTER INSERT ON public.album_file REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

CREATE TRIGGER count_inserted AFTER INSERT ON public.knowledge_record REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_knowledge_records();

CREATE TRIGGER count_inserted AFTER INSERT ON public.publication_restriction REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_publications();

CREATE TRIGGER count_removed AFTER DELETE ON public.face REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_faces_removed();

CREATE TRIGGER count_removed AFTER DELETE ON public.file_tag REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.count_tags_removed();

CREATE TRIGGER count_updated AFTER UPDATE ON public.album_file REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_album_files();

CREATE TRIGGER count_updated AFTER UPDATE ON public.knowledge_record REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.count_knowledge_records();

CREATE TRIGGER date_album_file BEFORE INSERT ON public.album_file FOR EACH ROW WHEN ((new.af_file_created IS NULL)) EXECUTE FUNCTION public.date_album_file();

CREATE TRIGGER day_of_changed AFTER UPDATE ON public.file FOR EACH ROW WHEN ((((old.file_deleted IS NULL) <> (new.file_deleted IS NULL)) OR (old.repo_key <> new.repo_key) OR ((old.file_processing = 'quarantined'::text) <> (new.file_processing = 'quarantined'::text)) OR (old.file_taken <> new.file_taken))) EXECUTE FUNCTION public.tell_file_day();

CREATE TRIGGER deprecated_file AFTER INSERT OR DELETE ON public.document FOR EACH ROW EXECUTE FUNCTION public.tell_deprecated();

CREATE TRIGGER file_hold_ended AFTER UPDATE OF lh_released_at ON public.legal_hold FOR EACH ROW WHEN ((new.lh_target_type = 'file'::text)) EXECUTE FUNCTION public.tell_file_holds();

CREATE TRIGGER file_hold_made AFTER INSERT ON public.legal_hold FOR EACH ROW WHEN ((new.lh_target_type = 'file'::text)) EXECUTE FUNCTION public.tell_file_holds();

CREATE TRIGGER group_file_tag BEFORE INSERT ON public.file_tag FOR EACH ROW WHEN ((new.ft_group IS NULL)) EXECUTE FUNCTION public.group_file_tag();

CREATE TRIGGER import_ended AFTER UPDATE OF job_status ON public.background_job FOR EACH ROW WHEN (((new.job_kind = 'objects.import'::text) AND (new.job_status = ANY (ARRAY['completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION public.end_import();

CREATE TRIGGER import_ended AFTER UPDATE OF status ON public.knowledge_job FOR EACH ROW WHEN (((new.job_kind = 'import'::text) AND (new.status = ANY (ARRAY['completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION public.end_import();

CREATE TRIGGER link_restrictions AFTER INSERT OR UPDATE OF pub_restrictions, pub_state ON public.publication FOR EACH ROW EXECUTE FUNCTION public.link_restrictions();

CREATE TRIGGER mfa AFTER UPDATE OF acc_totp ON public.account FOR EACH ROW WHEN (((old.acc_totp IS NULL) <> (new.acc_totp IS NULL))) EXECUTE FUNCTION public.tell_memberships_of_mfa();

CREATE TRIGGER mfa BEFORE INSERT OR UPDATE OF user_status ON public.workspace_user FOR EACH ROW EXECUTE FUNCTION public.membership_mfa();

CREATE TRIGGER object_import_ended AFTER UPDATE OF job_status ON public.background_job FOR EACH ROW WHEN (((new.job_kind = 'objects.import'::text) AND (new.job_status = ANY (ARRAY['completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION public.end_object_import();

CREATE TRIGGER object_removed_of_source AFTER DELETE ON public.object REFERENCING OLD TABLE AS purged FOR EACH STATEMENT EXECUTE FUNCTION public.keep_source_removals();

CREATE TRIGGER phash_bands_of_changed AFTER UPDATE ON public.file FOR EACH ROW WHEN ((((old.file_metadata #>> '{system,phash}'::text[]) IS DISTINCT FROM (new.file_metadata #>> '{system,phash}'::text[])) OR ((old.file_deleted IS NULL) <> (new.file_deleted IS NULL)) OR (old.file_kind <> new.file_kind))) EXECUTE FUNCTION public.keep_phash_bands();

CREATE TRIGGER phash_bands_of_new AFTER INSERT ON public.file FOR EACH ROW WHEN (((new.file_metadata #>> '{system,phash}'::text[]) IS NOT NULL)) EXECUTE FUNCTION public.keep_phash_bands();

CREATE TRIGGER place_album BEFORE INSERT OR UPDATE OF album_parent ON public.album FOR EACH ROW EXECUTE FUNCTION public.place_album();

CREATE TRIGGER place_albums_below AFTER UPDATE OF album_parent ON public.album FOR EACH ROW WHEN ((old.album_parent IS DISTINCT FROM new.album_parent)) EXECUTE FUNCTION public.place_albums_below();

CREATE TRIGGER superseded AFTER INSERT ON public.file_version FOR EACH ROW WHEN ((new.fv_number > 1)) EXECUTE FUNCTION public.supersede_versions();

CREATE TRIGGER tag_words_of_changed AFTER UPDATE ON public.media_tag FOR EACH ROW WHEN (((old.mt_value <> new.mt_value) OR (old.mt_synonyms <> new.mt_synonyms))) EXECUTE FUNCTION public.keep_tag_words();

CREATE TRIGGER tag_words_of_new AFTER INSERT ON public.media_tag FOR EACH ROW EXECUTE FUNCTION public.keep_tag_words();

CREATE TRIGGER tallies_of_gone AFTER DELETE ON public.file REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION public.tell_files_go();

CREATE TRIGGER tallies_of_new AFTER INSERT ON public.file REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.tell_files_come();

CREATE TRIGGER term_words_folded BEFORE INSERT OR UPDATE OF term_words ON public.term FOR EACH ROW EXECUTE FUNCTION public.fold_term_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF agent_name, agent_description, agent_tsv ON public.agent FOR EACH ROW EXECUTE FUNCTION public.keep_agent_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF album_name, album_description, album_fts ON public.album FOR EACH ROW EXECUTE FUNCTION public.keep_album_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF fst_name, fst_summary, fst_embedded, fst_tags, fst_analysis, fst_content, fst_words ON public.file_search_text FOR EACH ROW EXECUTE FUNCTION public.keep_file_search_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF rec_tsv ON public.knowledge_record FOR EACH ROW EXECUTE FUNCTION public.keep_knowledge_record_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF msg_text, msg_status, msg_tsv ON public.message FOR EACH ROW EXECUTE FUNCTION public.keep_message_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF obj_tsv ON public.object FOR EACH ROW EXECUTE FUNCTION public.keep_object_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF prompt_name, prompt_description, prompt_text, prompt_tsv ON public.prompt FOR EACH ROW EXECUTE FUNCTION public.keep_prompt_words();

CREATE TRIGGER words_kept BEFORE INSERT OR UPDATE OF thread_title, thread_tsv ON public.thread FOR EACH ROW EXECUTE FUNCTION public.keep_thread_words();

CREATE TRIGGER words_of_changed AFTER UPDATE OF file_name, file_summary, file_metadata ON public.file FOR EACH ROW WHEN (((old.file_name <> new.file_name) OR (old.file_summary IS DISTINCT FROM new.file_summary) OR ((old.file_metadata #> '{system,embedded}'::text[]) IS DISTINCT FROM (new.file_metadata #> '{system,embedded}'::text[])))) EXECUTE FUNCTION public.keep_file_words();

CREATE TRIGGER words_of_new AFTER INSERT ON public.file FOR EACH ROW EXECUTE FUNCTION public.keep_file_words();

CREATE TRIGGER words_of_renamed AFTER UPDATE ON public.file FOR EACH ROW WHEN ((((old.file_deleted IS NULL) <> (new.file_deleted IS NULL)) OR (old.repo_type <> new.repo_type) OR (old.file_name <> new.file_name))) EXECUTE FUNCTION public.tell_file_words();

ALTER TABLE ONLY public.account_link
    ADD CONSTRAINT account_link_tenant_id_link_account_fkey FOREIGN KEY (tenant_id, link_account) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.account_link
    ADD CONSTRAINT account_link_tenant_id_link_issuer_fkey FOREIGN KEY (tenant_id, link_issuer) REFERENCES public.issuer(tenant_id, iss_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.account_session
    ADD CONSTRAINT account_session_acc_id_fkey FOREIGN KEY (acc_id) REFERENCES public.account(acc_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.account_token
    ADD CONSTRAINT account_token_acc_id_fkey FOREIGN KEY (acc_id) REFERENCES public.account(acc_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.agent_revision
    ADD CONSTRAINT agent_revision_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES public.agent(tenant_id, agent_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.agent
    ADD CONSTRAINT agent_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.album_change
    ADD CONSTRAINT album_change_tenant_id_ac_album_fkey FOREIGN KEY (tenant_id, ac_album) REFERENCES public.album(tenant_id, album_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_tenant_id_af_album_fkey FOREIGN KEY (tenant_id, af_album) REFERENCES public.album(tenant_id, album_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album_file
    ADD CONSTRAINT album_file_tenant_id_af_file_fkey FOREIGN KEY (tenant_id, af_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_saved_search FOREIGN KEY (tenant_id, album_query) REFERENCES public.saved_search(tenant_id, sq_id) ON DELETE RESTRICT;

ALTER TABLE ONLY public.album_snapshot_file
    ADD CONSTRAINT album_snapshot_file_tenant_id_asf_album_fkey FOREIGN KEY (tenant_id, asf_album) REFERENCES public.album_snapshot(tenant_id, as_album) ON DELETE CASCADE;

ALTER TABLE ONLY public.album_snapshot
    ADD CONSTRAINT album_snapshot_tenant_id_as_album_fkey FOREIGN KEY (tenant_id, as_album) REFERENCES public.album(tenant_id, album_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_album_cover_file_fkey FOREIGN KEY (tenant_id, album_cover_file) REFERENCES public.file(tenant_id, file_id) ON DELETE SET NULL (album_cover_file);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_album_parent_fkey FOREIGN KEY (tenant_id, album_parent) REFERENCES public.album(tenant_id, album_id) ON DELETE SET NULL (album_parent);

ALTER TABLE ONLY public.album
    ADD CONSTRAINT album_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_tenant_id_key_user_fkey FOREIGN KEY (tenant_id, key_user) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.approval_decision
    ADD CONSTRAINT approval_decision_tenant_id_cad_request_fkey FOREIGN KEY (tenant_id, cad_request) REFERENCES public.approval_request(tenant_id, car_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.approval_flow
    ADD CONSTRAINT approval_flow_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.approval_request
    ADD CONSTRAINT approval_request_tenant_id_car_flow_fkey FOREIGN KEY (tenant_id, car_flow) REFERENCES public.approval_flow(tenant_id, caf_id);

ALTER TABLE ONLY public.approval_request
    ADD CONSTRAINT approval_request_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.approval_standing
    ADD CONSTRAINT approval_standing_tenant_id_cas_flow_fkey FOREIGN KEY (tenant_id, cas_flow) REFERENCES public.approval_flow(tenant_id, caf_id);

ALTER TABLE ONLY public.approval_standing
    ADD CONSTRAINT approval_standing_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.approval_waiting
    ADD CONSTRAINT approval_waiting_tenant_id_caw_request_fkey FOREIGN KEY (tenant_id, caw_request) REFERENCES public.approval_request(tenant_id, car_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.budget_counter
    ADD CONSTRAINT budget_counter_tenant_id_cnt_budget_fkey FOREIGN KEY (tenant_id, cnt_budget) REFERENCES public.budget(tenant_id, bud_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.budget
    ADD CONSTRAINT budget_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.cms_asset
    ADD CONSTRAINT cms_asset_tenant_id_cas_site_fkey FOREIGN KEY (tenant_id, cas_site) REFERENCES public.cms_connection(tenant_id, cms_site) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_component
    ADD CONSTRAINT cms_component_tenant_id_cmp_site_fkey FOREIGN KEY (tenant_id, cmp_site) REFERENCES public.cms_connection(tenant_id, cms_site) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_connection
    ADD CONSTRAINT cms_connection_tenant_id_cms_site_fkey FOREIGN KEY (tenant_id, cms_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_connection
    ADD CONSTRAINT cms_connection_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.cms_link
    ADD CONSTRAINT cms_link_tenant_id_lnk_site_fkey FOREIGN KEY (tenant_id, lnk_site) REFERENCES public.cms_connection(tenant_id, cms_site) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_link
    ADD CONSTRAINT cms_link_tenant_id_lnk_site_lnk_node_fkey FOREIGN KEY (tenant_id, lnk_site, lnk_node) REFERENCES public.node(tenant_id, node_site, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_news
    ADD CONSTRAINT cms_news_tenant_id_news_site_fkey FOREIGN KEY (tenant_id, news_site) REFERENCES public.cms_connection(tenant_id, cms_site) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_run_page
    ADD CONSTRAINT cms_run_page_tenant_id_crp_run_fkey FOREIGN KEY (tenant_id, crp_run) REFERENCES public.cms_run(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.cms_run
    ADD CONSTRAINT cms_run_tenant_id_site_id_fkey FOREIGN KEY (tenant_id, site_id) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.content_library
    ADD CONSTRAINT content_library_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.content_schema
    ADD CONSTRAINT content_schema_tenant_id_tpl_library_fkey FOREIGN KEY (tenant_id, tpl_library) REFERENCES public.content_library(tenant_id, lib_id);

ALTER TABLE ONLY public.crawl_page
    ADD CONSTRAINT crawl_page_tenant_id_crw_id_fkey FOREIGN KEY (tenant_id, crw_id) REFERENCES public.knowledge_crawl(tenant_id, crw_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.credit_balance
    ADD CONSTRAINT credit_balance_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.credit_grant
    ADD CONSTRAINT credit_grant_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.credit_hold
    ADD CONSTRAINT credit_hold_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.credit_ledger
    ADD CONSTRAINT credit_ledger_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.distribution_restriction
    ADD CONSTRAINT distribution_restriction_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.document_relation
    ADD CONSTRAINT document_relation_tenant_id_rel_from_fkey FOREIGN KEY (tenant_id, rel_from) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_relation
    ADD CONSTRAINT document_relation_tenant_id_rel_to_fkey FOREIGN KEY (tenant_id, rel_to) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_relation
    ADD CONSTRAINT document_relation_tenant_id_rel_type_fkey FOREIGN KEY (tenant_id, rel_type) REFERENCES public.document_relation_type(tenant_id, rt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_relation_type
    ADD CONSTRAINT document_relation_type_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_tenant_id_file_superseded_by_fkey FOREIGN KEY (tenant_id, file_superseded_by) REFERENCES public.file(tenant_id, file_id) ON DELETE SET NULL (file_superseded_by);

ALTER TABLE ONLY public.download_job
    ADD CONSTRAINT download_job_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.ds_file
    ADD CONSTRAINT ds_file_tenant_id_ds_id_fkey FOREIGN KEY (tenant_id, ds_id) REFERENCES public.knowledge_base(tenant_id, ds_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.ds_file
    ADD CONSTRAINT ds_file_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_dismissal
    ADD CONSTRAINT duplicate_dismissal_tenant_id_dd_one_fkey FOREIGN KEY (tenant_id, dd_one) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_dismissal
    ADD CONSTRAINT duplicate_dismissal_tenant_id_dd_other_fkey FOREIGN KEY (tenant_id, dd_other) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_group_file
    ADD CONSTRAINT duplicate_group_file_tenant_id_dgf_file_fkey FOREIGN KEY (tenant_id, dgf_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_group_file
    ADD CONSTRAINT duplicate_group_file_tenant_id_dgf_group_fkey FOREIGN KEY (tenant_id, dgf_group) REFERENCES public.duplicate_group(tenant_id, dup_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_group
    ADD CONSTRAINT duplicate_group_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.duplicate_merge
    ADD CONSTRAINT duplicate_merge_tenant_id_dm_group_fkey FOREIGN KEY (tenant_id, dm_group) REFERENCES public.duplicate_group(tenant_id, dup_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.edge_sync
    ADD CONSTRAINT edge_sync_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.embedding_cache
    ADD CONSTRAINT embedding_cache_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.erasure_subject
    ADD CONSTRAINT erasure_subject_tenant_id_dsr_id_fkey FOREIGN KEY (tenant_id, dsr_id) REFERENCES public.privacy_request(tenant_id, dsr_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face_erasure
    ADD CONSTRAINT face_erasure_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.face_rejection
    ADD CONSTRAINT face_rejection_tenant_id_fr_face_fkey FOREIGN KEY (tenant_id, fr_face) REFERENCES public.face(tenant_id, face_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face_rejection
    ADD CONSTRAINT face_rejection_tenant_id_fr_person_fkey FOREIGN KEY (tenant_id, fr_person) REFERENCES public.person(tenant_id, person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face_scan
    ADD CONSTRAINT face_scan_tenant_id_fs_file_fkey FOREIGN KEY (tenant_id, fs_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face_suggestion
    ADD CONSTRAINT face_suggestion_tenant_id_fsg_face_fkey FOREIGN KEY (tenant_id, fsg_face) REFERENCES public.face(tenant_id, face_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face_suggestion
    ADD CONSTRAINT face_suggestion_tenant_id_fsg_person_fkey FOREIGN KEY (tenant_id, fsg_person) REFERENCES public.person(tenant_id, person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face
    ADD CONSTRAINT face_tenant_id_face_file_fkey FOREIGN KEY (tenant_id, face_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.face
    ADD CONSTRAINT face_tenant_id_face_person_fkey FOREIGN KEY (tenant_id, face_person) REFERENCES public.person(tenant_id, person_id);

ALTER TABLE ONLY public.file_analysis
    ADD CONSTRAINT file_analysis_tenant_id_fa_file_fkey FOREIGN KEY (tenant_id, fa_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_analysis
    ADD CONSTRAINT file_analysis_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_day
    ADD CONSTRAINT file_day_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_job
    ADD CONSTRAINT file_job_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_phash_band
    ADD CONSTRAINT file_phash_band_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_pin
    ADD CONSTRAINT file_pin_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_pref
    ADD CONSTRAINT file_pref_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_rights_notice
    ADD CONSTRAINT file_rights_notice_tenant_id_frn_file_fkey FOREIGN KEY (tenant_id, frn_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_search_text
    ADD CONSTRAINT file_search_text_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_tag_refusal
    ADD CONSTRAINT file_tag_refusal_tenant_id_ftr_file_fkey FOREIGN KEY (tenant_id, ftr_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_tag_refusal
    ADD CONSTRAINT file_tag_refusal_tenant_id_ftr_tag_fkey FOREIGN KEY (tenant_id, ftr_tag) REFERENCES public.media_tag(tenant_id, mt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_tag
    ADD CONSTRAINT file_tag_tenant_id_ft_file_fkey FOREIGN KEY (tenant_id, ft_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_tag
    ADD CONSTRAINT file_tag_tenant_id_ft_group_ft_tag_fkey FOREIGN KEY (tenant_id, ft_group, ft_tag) REFERENCES public.media_tag(tenant_id, mt_group, mt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_tenant_id_file_blob_fkey FOREIGN KEY (tenant_id, file_blob) REFERENCES public.file_blob(tenant_id, blob_id);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.file_text
    ADD CONSTRAINT file_text_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_blob_fkey FOREIGN KEY (tenant_id, fv_blob) REFERENCES public.file_blob(tenant_id, blob_id);

ALTER TABLE ONLY public.file_version
    ADD CONSTRAINT file_version_tenant_id_fv_file_fkey FOREIGN KEY (tenant_id, fv_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_word
    ADD CONSTRAINT file_word_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.form_migration
    ADD CONSTRAINT form_migration_from FOREIGN KEY (tenant_id, mig_from) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.form_migration
    ADD CONSTRAINT form_migration_tenant_id_mig_form_fkey FOREIGN KEY (tenant_id, mig_form) REFERENCES public.form(tenant_id, form_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.form_number_range
    ADD CONSTRAINT form_number_range_tenant_id_form_id_fkey FOREIGN KEY (tenant_id, form_id) REFERENCES public.form(tenant_id, form_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.form_number
    ADD CONSTRAINT form_number_tenant_id_form_id_fkey FOREIGN KEY (tenant_id, form_id) REFERENCES public.form(tenant_id, form_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.form_revision_log
    ADD CONSTRAINT form_revision_log_tenant_id_frl_form_fkey FOREIGN KEY (tenant_id, frl_form) REFERENCES public.form(tenant_id, form_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.form
    ADD CONSTRAINT form_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.form_unique
    ADD CONSTRAINT form_unique_tenant_id_form_id_fkey FOREIGN KEY (tenant_id, form_id) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_tenant_id_inv_user_fkey FOREIGN KEY (tenant_id, inv_user) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issuer_keys
    ADD CONSTRAINT issuer_keys_tenant_id_ik_issuer_fkey FOREIGN KEY (tenant_id, ik_issuer) REFERENCES public.issuer(tenant_id, iss_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issuer
    ADD CONSTRAINT issuer_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.issuer
    ADD CONSTRAINT issuer_tenant_id_iss_default_role_fkey FOREIGN KEY (tenant_id, iss_default_role) REFERENCES public.role(tenant_id, role_id) ON DELETE SET NULL (iss_default_role);

ALTER TABLE ONLY public.knowledge_base_tally
    ADD CONSTRAINT knowledge_base_tally_tenant_id_ds_id_fkey FOREIGN KEY (tenant_id, ds_id) REFERENCES public.knowledge_base(tenant_id, ds_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.knowledge_base
    ADD CONSTRAINT knowledge_base_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.knowledge_base
    ADD CONSTRAINT knowledge_base_tenant_id_form_id_fkey FOREIGN KEY (tenant_id, form_id) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.knowledge_crawl
    ADD CONSTRAINT knowledge_crawl_tenant_id_crw_base_fkey FOREIGN KEY (tenant_id, crw_base) REFERENCES public.knowledge_base(tenant_id, ds_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.knowledge_job_fault
    ADD CONSTRAINT knowledge_job_fault_tenant_id_job_id_fkey FOREIGN KEY (tenant_id, job_id) REFERENCES public.knowledge_job(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.knowledge_job
    ADD CONSTRAINT knowledge_job_tenant_id_job_base_fkey FOREIGN KEY (tenant_id, job_base) REFERENCES public.knowledge_base(tenant_id, ds_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.knowledge_job
    ADD CONSTRAINT knowledge_job_tenant_id_job_crawl_fkey FOREIGN KEY (tenant_id, job_crawl) REFERENCES public.knowledge_crawl(tenant_id, crw_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.knowledge_record
    ADD CONSTRAINT knowledge_record_tenant_id_rec_base_fkey FOREIGN KEY (tenant_id, rec_base) REFERENCES public.knowledge_base(tenant_id, ds_id);

ALTER TABLE ONLY public.knowledge_record
    ADD CONSTRAINT knowledge_record_tenant_id_rec_form_fkey FOREIGN KEY (tenant_id, rec_form) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.knowledge_record_version
    ADD CONSTRAINT knowledge_record_version_tenant_id_rec_id_fkey FOREIGN KEY (tenant_id, rec_id) REFERENCES public.knowledge_record(tenant_id, rec_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.legal_hold
    ADD CONSTRAINT legal_hold_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.licence
    ADD CONSTRAINT licence_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.media_analysis_schema
    ADD CONSTRAINT media_analysis_schema_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.media_status_flow
    ADD CONSTRAINT media_status_flow_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.media_tag_group
    ADD CONSTRAINT media_tag_group_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.media_tag
    ADD CONSTRAINT media_tag_tenant_id_mt_group_fkey FOREIGN KEY (tenant_id, mt_group) REFERENCES public.media_tag_group(tenant_id, mtg_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.media_tag
    ADD CONSTRAINT media_tag_tenant_id_mt_group_mt_parent_fkey FOREIGN KEY (tenant_id, mt_group, mt_parent) REFERENCES public.media_tag(tenant_id, mt_group, mt_id) ON DELETE SET NULL (mt_parent);

ALTER TABLE ONLY public.media_tag_word
    ADD CONSTRAINT media_tag_word_tenant_id_mtw_group_mtw_tag_fkey FOREIGN KEY (tenant_id, mtw_group, mtw_tag) REFERENCES public.media_tag(tenant_id, mt_group, mt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.memory_forgotten
    ADD CONSTRAINT memory_forgotten_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.memory
    ADD CONSTRAINT memory_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.message_file
    ADD CONSTRAINT message_file_tenant_id_file_id_fkey FOREIGN KEY (tenant_id, file_id) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.message_file
    ADD CONSTRAINT message_file_tenant_id_msg_id_fkey FOREIGN KEY (tenant_id, msg_id) REFERENCES public.message(tenant_id, msg_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_tenant_id_msg_agent_fkey FOREIGN KEY (tenant_id, msg_agent) REFERENCES public.agent(tenant_id, agent_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_tenant_id_msg_prompt_fkey FOREIGN KEY (tenant_id, msg_prompt) REFERENCES public.prompt(tenant_id, prompt_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_tenant_id_msg_thread_fkey FOREIGN KEY (tenant_id, msg_thread) REFERENCES public.thread(tenant_id, thread_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_tenant_id_msg_thread_msg_parent_fkey FOREIGN KEY (tenant_id, msg_thread, msg_parent) REFERENCES public.message(tenant_id, msg_thread, msg_id);

ALTER TABLE ONLY public.model_provider
    ADD CONSTRAINT model_provider_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.node_locale
    ADD CONSTRAINT node_locale_tenant_id_nl_site_nl_node_fkey FOREIGN KEY (tenant_id, nl_site, nl_node) REFERENCES public.node(tenant_id, node_site, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.node_reference
    ADD CONSTRAINT node_reference_tenant_id_nref_node_fkey FOREIGN KEY (tenant_id, nref_node) REFERENCES public.node(tenant_id, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_tenant_id_node_site_fkey FOREIGN KEY (tenant_id, node_site) REFERENCES public.site(tenant_id, site_id);

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_tenant_id_node_site_node_parent_fkey FOREIGN KEY (tenant_id, node_site, node_parent) REFERENCES public.node(tenant_id, node_site, node_id);

ALTER TABLE ONLY public.node
    ADD CONSTRAINT node_tenant_id_node_template_fkey FOREIGN KEY (tenant_id, node_template) REFERENCES public.content_schema(tenant_id, tpl_id);

ALTER TABLE ONLY public.object_flow
    ADD CONSTRAINT object_flow_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.object_import_fault
    ADD CONSTRAINT object_import_fault_tenant_id_job_id_fkey FOREIGN KEY (tenant_id, job_id) REFERENCES public.object_import(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_import
    ADD CONSTRAINT object_import_tenant_id_job_id_fkey FOREIGN KEY (tenant_id, job_id) REFERENCES public.background_job(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_revision
    ADD CONSTRAINT object_revision_tenant_id_rev_object_fkey FOREIGN KEY (tenant_id, rev_object) REFERENCES public.object(tenant_id, obj_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_source_removal
    ADD CONSTRAINT object_source_removal_tenant_id_osr_id_fkey FOREIGN KEY (tenant_id, osr_id) REFERENCES public.object_source(tenant_id, osr_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_source
    ADD CONSTRAINT object_source_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.object_source
    ADD CONSTRAINT object_source_tenant_id_osr_form_fkey FOREIGN KEY (tenant_id, osr_form) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.object_sync_row
    ADD CONSTRAINT object_sync_row_tenant_id_job_id_fkey FOREIGN KEY (tenant_id, job_id) REFERENCES public.object_sync_run(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_sync_run
    ADD CONSTRAINT object_sync_run_tenant_id_job_source_fkey FOREIGN KEY (tenant_id, job_source) REFERENCES public.object_source(tenant_id, osr_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object_sync_seen
    ADD CONSTRAINT object_sync_seen_tenant_id_job_id_fkey FOREIGN KEY (tenant_id, job_id) REFERENCES public.object_sync_run(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_tenant_id_obj_cover_file_fkey FOREIGN KEY (tenant_id, obj_cover_file) REFERENCES public.file(tenant_id, file_id) ON DELETE SET NULL (obj_cover_file);

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_tenant_id_obj_flow_fkey FOREIGN KEY (tenant_id, obj_flow) REFERENCES public.object_flow(tenant_id, olf_id);

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_tenant_id_obj_form_fkey FOREIGN KEY (tenant_id, obj_form) REFERENCES public.form(tenant_id, form_id);

ALTER TABLE ONLY public.object
    ADD CONSTRAINT object_tenant_id_obj_source_fkey FOREIGN KEY (tenant_id, obj_source) REFERENCES public.object_source(tenant_id, osr_id);

ALTER TABLE ONLY public.object_transition
    ADD CONSTRAINT object_transition_tenant_id_otr_flow_fkey FOREIGN KEY (tenant_id, otr_flow) REFERENCES public.object_flow(tenant_id, olf_id);

ALTER TABLE ONLY public.object_transition
    ADD CONSTRAINT object_transition_tenant_id_otr_object_fkey FOREIGN KEY (tenant_id, otr_object) REFERENCES public.object(tenant_id, obj_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.page_part
    ADD CONSTRAINT page_part_tenant_id_part_node_fkey FOREIGN KEY (tenant_id, part_node) REFERENCES public.node(tenant_id, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.page_publication
    ADD CONSTRAINT page_publication_tenant_id_np_site_fkey FOREIGN KEY (tenant_id, np_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.page_publication
    ADD CONSTRAINT page_publication_tenant_id_np_snapshot_fkey FOREIGN KEY (tenant_id, np_snapshot) REFERENCES public.page_snapshot(tenant_id, snap_id);

ALTER TABLE ONLY public.page_snapshot_ref
    ADD CONSTRAINT page_snapshot_ref_tenant_id_snref_snapshot_fkey FOREIGN KEY (tenant_id, snref_snapshot) REFERENCES public.page_snapshot(tenant_id, snap_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.page_snapshot
    ADD CONSTRAINT page_snapshot_tenant_id_snap_site_fkey FOREIGN KEY (tenant_id, snap_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.page_version
    ADD CONSTRAINT page_version_tenant_id_ver_node_fkey FOREIGN KEY (tenant_id, ver_node) REFERENCES public.node(tenant_id, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passage_scope
    ADD CONSTRAINT passage_scope_tenant_id_source_kind_source_id_fkey FOREIGN KEY (tenant_id, source_kind, source_id) REFERENCES public.passage_source(tenant_id, source_kind, source_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.passage_source
    ADD CONSTRAINT passage_source_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.passage
    ADD CONSTRAINT passage_tenant_id_source_kind_source_id_fkey FOREIGN KEY (tenant_id, source_kind, source_id) REFERENCES public.passage_source(tenant_id, source_kind, source_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.person_merge
    ADD CONSTRAINT person_merge_tenant_id_pm_person_fkey FOREIGN KEY (tenant_id, pm_person) REFERENCES public.person(tenant_id, person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.person_pref
    ADD CONSTRAINT person_pref_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES public.person(tenant_id, person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_tenant_id_person_cover_face_fkey FOREIGN KEY (tenant_id, person_cover_face) REFERENCES public.face(tenant_id, face_id) ON DELETE SET NULL (person_cover_face);

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_tenant_id_person_merged_into_fkey FOREIGN KEY (tenant_id, person_merged_into) REFERENCES public.person(tenant_id, person_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.preview_link
    ADD CONSTRAINT preview_link_tenant_id_prv_site_fkey FOREIGN KEY (tenant_id, prv_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.preview_link
    ADD CONSTRAINT preview_link_tenant_id_prv_site_prv_node_fkey FOREIGN KEY (tenant_id, prv_site, prv_node) REFERENCES public.node(tenant_id, node_site, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.privacy_request
    ADD CONSTRAINT privacy_request_tenant_id_dsr_user_fkey FOREIGN KEY (tenant_id, dsr_user) REFERENCES public.workspace_user(tenant_id, user_id);

ALTER TABLE ONLY public.privacy_request
    ADD CONSTRAINT privacy_request_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.prompt_category_link
    ADD CONSTRAINT prompt_category_link_tenant_id_pcat_id_fkey FOREIGN KEY (tenant_id, pcat_id) REFERENCES public.prompt_category(tenant_id, pcat_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompt_category_link
    ADD CONSTRAINT prompt_category_link_tenant_id_prompt_id_fkey FOREIGN KEY (tenant_id, prompt_id) REFERENCES public.prompt(tenant_id, prompt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompt_category
    ADD CONSTRAINT prompt_category_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.prompt_category
    ADD CONSTRAINT prompt_category_tenant_id_pcat_parent_fkey FOREIGN KEY (tenant_id, pcat_parent) REFERENCES public.prompt_category(tenant_id, pcat_id);

ALTER TABLE ONLY public.prompt_revision
    ADD CONSTRAINT prompt_revision_tenant_id_prompt_id_fkey FOREIGN KEY (tenant_id, prompt_id) REFERENCES public.prompt(tenant_id, prompt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompt
    ADD CONSTRAINT prompt_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.prompt
    ADD CONSTRAINT prompt_tenant_id_prompt_agent_fkey FOREIGN KEY (tenant_id, prompt_agent) REFERENCES public.agent(tenant_id, agent_id);

ALTER TABLE ONLY public.prompt_wildcard
    ADD CONSTRAINT prompt_wildcard_tenant_id_prompt_id_fkey FOREIGN KEY (tenant_id, prompt_id) REFERENCES public.prompt(tenant_id, prompt_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publication_history
    ADD CONSTRAINT publication_history_tenant_id_ph_publication_fkey FOREIGN KEY (tenant_id, ph_publication) REFERENCES public.publication(tenant_id, pub_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publication_restriction
    ADD CONSTRAINT publication_restriction_tenant_id_pr_publication_fkey FOREIGN KEY (tenant_id, pr_publication) REFERENCES public.publication(tenant_id, pub_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publication_restriction
    ADD CONSTRAINT publication_restriction_tenant_id_pr_restriction_fkey FOREIGN KEY (tenant_id, pr_restriction) REFERENCES public.distribution_restriction(tenant_id, dr_id);

ALTER TABLE ONLY public.publication_stat
    ADD CONSTRAINT publication_stat_tenant_id_ps_publication_fkey FOREIGN KEY (tenant_id, ps_publication) REFERENCES public.publication(tenant_id, pub_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publication
    ADD CONSTRAINT publication_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.publish_schedule_node
    ADD CONSTRAINT publish_schedule_node_tenant_id_schn_schedule_fkey FOREIGN KEY (tenant_id, schn_schedule) REFERENCES public.publish_schedule(tenant_id, sch_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.publish_schedule
    ADD CONSTRAINT publish_schedule_tenant_id_sch_site_fkey FOREIGN KEY (tenant_id, sch_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.rate_override
    ADD CONSTRAINT rate_override_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.refresh_replay
    ADD CONSTRAINT refresh_replay_ses_id_fkey FOREIGN KEY (ses_id) REFERENCES public.account_session(ses_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_ses_id_fkey FOREIGN KEY (ses_id) REFERENCES public.account_session(ses_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.retention_check
    ADD CONSTRAINT retention_check_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.retention_held
    ADD CONSTRAINT retention_held_tenant_id_held_run_fkey FOREIGN KEY (tenant_id, held_run) REFERENCES public.retention_run(tenant_id, run_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.retention_policy
    ADD CONSTRAINT retention_policy_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.retention_run
    ADD CONSTRAINT retention_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.role
    ADD CONSTRAINT role_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.run_step
    ADD CONSTRAINT run_step_tenant_id_run_id_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES public.run(tenant_id, run_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_tenant_id_run_agent_fkey FOREIGN KEY (tenant_id, run_agent) REFERENCES public.agent(tenant_id, agent_id);

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_tenant_id_run_message_fkey FOREIGN KEY (tenant_id, run_message) REFERENCES public.message(tenant_id, msg_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_tenant_id_run_thread_fkey FOREIGN KEY (tenant_id, run_thread) REFERENCES public.thread(tenant_id, thread_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.run_tool_call
    ADD CONSTRAINT run_tool_call_tenant_id_run_id_fkey FOREIGN KEY (tenant_id, run_id) REFERENCES public.run(tenant_id, run_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saved_search
    ADD CONSTRAINT saved_search_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.share_device
    ADD CONSTRAINT share_device_tenant_id_kd_share_fkey FOREIGN KEY (tenant_id, kd_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_download
    ADD CONSTRAINT share_download_tenant_id_sd_job_fkey FOREIGN KEY (tenant_id, sd_job) REFERENCES public.download_job(tenant_id, job_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_download
    ADD CONSTRAINT share_download_tenant_id_sd_share_fkey FOREIGN KEY (tenant_id, sd_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_link
    ADD CONSTRAINT share_link_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.share_token
    ADD CONSTRAINT share_token_tenant_id_st_share_fkey FOREIGN KEY (tenant_id, st_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_upload
    ADD CONSTRAINT share_upload_tenant_id_su_file_fkey FOREIGN KEY (tenant_id, su_file) REFERENCES public.file(tenant_id, file_id) ON DELETE SET NULL (su_file);

ALTER TABLE ONLY public.share_upload
    ADD CONSTRAINT share_upload_tenant_id_su_id_fkey FOREIGN KEY (tenant_id, su_id) REFERENCES public.upload(tenant_id, upl_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_upload
    ADD CONSTRAINT share_upload_tenant_id_su_share_fkey FOREIGN KEY (tenant_id, su_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_verdict
    ADD CONSTRAINT share_verdict_tenant_id_sv_file_fkey FOREIGN KEY (tenant_id, sv_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_verdict
    ADD CONSTRAINT share_verdict_tenant_id_sv_share_fkey FOREIGN KEY (tenant_id, sv_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_visit
    ADD CONSTRAINT share_visit_tenant_id_vi_share_fkey FOREIGN KEY (tenant_id, vi_share) REFERENCES public.share_link(tenant_id, share_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.site_redirect
    ADD CONSTRAINT site_redirect_tenant_id_red_site_fkey FOREIGN KEY (tenant_id, red_site) REFERENCES public.site(tenant_id, site_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.site_redirect
    ADD CONSTRAINT site_redirect_tenant_id_red_site_red_node_fkey FOREIGN KEY (tenant_id, red_site, red_node) REFERENCES public.node(tenant_id, node_site, node_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_tenant_id_site_library_fkey FOREIGN KEY (tenant_id, site_library) REFERENCES public.content_library(tenant_id, lib_id);

ALTER TABLE ONLY public.social_attempt
    ADD CONSTRAINT social_attempt_tenant_id_spa_variant_fkey FOREIGN KEY (tenant_id, spa_variant) REFERENCES public.social_variant(tenant_id, spv_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.social_auth
    ADD CONSTRAINT social_auth_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.social_connection
    ADD CONSTRAINT social_connection_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.social_metric
    ADD CONSTRAINT social_metric_tenant_id_spm_variant_fkey FOREIGN KEY (tenant_id, spm_variant) REFERENCES public.social_variant(tenant_id, spv_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.social_post_file
    ADD CONSTRAINT social_post_file_tenant_id_spf_post_fkey FOREIGN KEY (tenant_id, spf_post) REFERENCES public.social_post(tenant_id, sp_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.social_post
    ADD CONSTRAINT social_post_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.social_slot
    ADD CONSTRAINT social_slot_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.social_slot
    ADD CONSTRAINT social_slot_tenant_id_sls_target_fkey FOREIGN KEY (tenant_id, sls_target) REFERENCES public.social_target(tenant_id, tgt_id);

ALTER TABLE ONLY public.social_target
    ADD CONSTRAINT social_target_tenant_id_tgt_connection_fkey FOREIGN KEY (tenant_id, tgt_connection) REFERENCES public.social_connection(tenant_id, con_id);

ALTER TABLE ONLY public.social_variant
    ADD CONSTRAINT social_variant_tenant_id_spv_post_fkey FOREIGN KEY (tenant_id, spv_post) REFERENCES public.social_post(tenant_id, sp_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.social_variant
    ADD CONSTRAINT social_variant_tenant_id_spv_target_fkey FOREIGN KEY (tenant_id, spv_target) REFERENCES public.social_target(tenant_id, tgt_id);

ALTER TABLE ONLY public.space_member
    ADD CONSTRAINT space_member_tenant_id_sm_space_fkey FOREIGN KEY (tenant_id, sm_space) REFERENCES public.space(tenant_id, space_id);

ALTER TABLE ONLY public.space
    ADD CONSTRAINT space_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.space
    ADD CONSTRAINT space_tenant_id_space_agent_fkey FOREIGN KEY (tenant_id, space_agent) REFERENCES public.agent(tenant_id, agent_id);

ALTER TABLE ONLY public.stock_import
    ADD CONSTRAINT stock_import_tenant_id_si_file_fkey FOREIGN KEY (tenant_id, si_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.storage_consumption
    ADD CONSTRAINT storage_consumption_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.storage_delta
    ADD CONSTRAINT storage_delta_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.storage_person
    ADD CONSTRAINT storage_person_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.storage_provider
    ADD CONSTRAINT storage_provider_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.storage_quota
    ADD CONSTRAINT storage_quota_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.storage_snapshot
    ADD CONSTRAINT storage_snapshot_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.taxonomy
    ADD CONSTRAINT taxonomy_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.term
    ADD CONSTRAINT term_tenant_id_term_taxonomy_fkey FOREIGN KEY (tenant_id, term_taxonomy) REFERENCES public.taxonomy(tenant_id, tax_id);

ALTER TABLE ONLY public.term
    ADD CONSTRAINT term_tenant_id_term_taxonomy_term_parent_fkey FOREIGN KEY (tenant_id, term_taxonomy, term_parent) REFERENCES public.term(tenant_id, term_taxonomy, term_id);

ALTER TABLE ONLY public.thread_grant
    ADD CONSTRAINT thread_grant_tenant_id_thread_id_fkey FOREIGN KEY (tenant_id, thread_id) REFERENCES public.thread(tenant_id, thread_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_tenant_id_thread_agent_fkey FOREIGN KEY (tenant_id, thread_agent) REFERENCES public.agent(tenant_id, agent_id);

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_tenant_id_thread_prompt_fkey FOREIGN KEY (tenant_id, thread_prompt) REFERENCES public.prompt(tenant_id, prompt_id);

ALTER TABLE ONLY public.thread
    ADD CONSTRAINT thread_tenant_id_thread_space_fkey FOREIGN KEY (tenant_id, thread_space) REFERENCES public.space(tenant_id, space_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_tenant_id_upl_file_fkey FOREIGN KEY (tenant_id, upl_file) REFERENCES public.file(tenant_id, file_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_reversal
    ADD CONSTRAINT usage_reversal_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_tenant_id_role_id_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES public.role(tenant_id, role_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_role_link
    ADD CONSTRAINT user_role_link_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES public.workspace_user(tenant_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.vector_entry
    ADD CONSTRAINT vector_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.wildcard
    ADD CONSTRAINT wildcard_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.workspace_cost
    ADD CONSTRAINT workspace_cost_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE ONLY public.workspace_user
    ADD CONSTRAINT workspace_user_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.workspace(tenant_id);

ALTER TABLE public.access_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.account_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.agent ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.agent_revision ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album_snapshot ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.album_snapshot_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.approval_decision ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.approval_flow ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.approval_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.approval_standing ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.approval_waiting ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_seal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.background_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.budget ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.budget_counter ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_asset ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_component ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_connection ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_news ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cms_run_page ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.consent_expiry_position ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.content_library ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.content_schema ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.crawl_page ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.credit_balance ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.credit_grant ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.credit_hold ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.credit_ledger ENABLE ROW LEVEL SECURITY;

CREATE POLICY definer ON public.access_log TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.account_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.agent TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.agent_revision TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.album TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.album_change TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.album_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.album_snapshot TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.album_snapshot_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.api_key TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.approval_decision TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.approval_flow TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.approval_request TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.approval_standing TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.approval_waiting TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.audit_event TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.audit_seal TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.background_job TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.budget TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.budget_counter TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_asset TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_component TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_connection TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_news TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_run TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.cms_run_page TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.consent_expiry_position TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.content_library TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.content_schema TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.crawl_page TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.credit_balance TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.credit_grant TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.credit_hold TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.credit_ledger TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.distribution_restriction TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.document TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.document_relation TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.document_relation_type TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.download_job TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.ds_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.duplicate_dismissal TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.duplicate_group TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.duplicate_group_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.duplicate_merge TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.edge_sync TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.embedding_cache TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.erasure_subject TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.face TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.face_erasure TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.face_rejection TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.face_scan TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.face_suggestion TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_analysis TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_blob TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_day TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_day_delta TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_history TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_job TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_phash_band TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_pin TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_pref TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_rights_notice TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_search_text TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_tag TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_tag_refusal TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_text TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_version TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_word TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.file_word_delta TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_migration TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_number TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_number_range TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_revision_log TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_unique TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.form_value TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.idempotency_key TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.import_batch TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.invitation TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.issuer TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.issuer_keys TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_base TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_base_tally TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_crawl TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_job TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_job_fault TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_record TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.knowledge_record_version TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.legal_hold TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.licence TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.media_analysis_schema TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.media_status_flow TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.media_tag TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.media_tag_group TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.media_tag_word TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.memory TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.memory_forgotten TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.message TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.message_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.model_provider TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.node TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.node_locale TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.node_reference TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_flow TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_import TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_import_fault TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_revision TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_source TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_source_removal TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_sync_row TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_sync_run TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_sync_seen TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.object_transition TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.outbox TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.page_part TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.page_publication TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.page_snapshot TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.page_snapshot_ref TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.page_version TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.passage TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.passage_scope TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.passage_source TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.person TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.person_merge TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.person_pref TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.preview_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.privacy_request TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.prompt TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.prompt_category TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.prompt_category_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.prompt_revision TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.prompt_wildcard TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publication TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publication_history TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publication_restriction TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publication_stat TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publish_schedule TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.publish_schedule_node TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.rate_override TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.retention_check TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.retention_held TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.retention_policy TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.retention_run TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.role TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.run TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.run_step TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.run_tool_call TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.saved_search TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_device TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_download TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_event TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_token TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_upload TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_verdict TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.share_visit TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.site TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.site_redirect TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_attempt TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_auth TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_connection TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_metric TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_post TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_post_file TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_slot TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_target TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.social_variant TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.space TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.space_member TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.stock_import TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_consumption TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_delta TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_person TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_provider TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_quota TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.storage_snapshot TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.stream_event TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.stream_fence TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.taxonomy TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.term TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.thread TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.thread_grant TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.thread_presence TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.upload TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_cells TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_daily TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_days TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_delta TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_entry TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_horizon TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_hourly TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_reversal TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_sources TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_thin TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.usage_unreported TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.user_role_link TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.vector_entry TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.wildcard TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.workspace TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.workspace_cost TO atrium_definer USING (true) WITH CHECK (true);

CREATE POLICY definer ON public.workspace_user TO atrium_definer USING (true) WITH CHECK (true);

ALTER TABLE public.distribution_restriction ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.document ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.document_relation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.document_relation_type ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.download_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.ds_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_dismissal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_group ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_group_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.duplicate_merge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.edge_sync ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.embedding_cache ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.erasure_subject ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.face ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.face_erasure ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.face_rejection ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.face_scan ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.face_suggestion ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_analysis ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_blob ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_day ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_day_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_phash_band ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_pin ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_pref ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_rights_notice ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_search_text ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_tag ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_tag_refusal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_text ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_word ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.file_word_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_migration ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_number ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_number_range ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_revision_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_unique ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.form_value ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.import_batch ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.invitation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.issuer ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.issuer_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_base ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_base_tally ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_crawl ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_job ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_job_fault ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_record ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.knowledge_record_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.legal_hold ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.licence ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.media_analysis_schema ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.media_status_flow ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag_group ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.media_tag_word ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.memory ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.memory_forgotten ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.message ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.message_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.model_provider ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.node ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.node_locale ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.node_reference ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_flow ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_import ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_import_fault ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_revision ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_source ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_source_removal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_row ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_sync_seen ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.object_transition ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.page_part ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.page_publication ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.page_snapshot ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.page_snapshot_ref ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.page_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passage_scope ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passage_source ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.person ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.person_merge ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.person_pref ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.preview_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.privacy_request ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_category ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_category_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_revision ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_wildcard ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publication ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publication_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publication_restriction ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publication_stat ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publish_schedule ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.publish_schedule_node ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.rate_override ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.retention_check ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.retention_held ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.retention_policy ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.retention_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.role ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.run ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.run_step ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.run_tool_call ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.saved_search ENABLE ROW LEVEL SECURITY;

CREATE POLICY search ON public.access_log FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.agent FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.album FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file_analysis FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file_blob FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file_search_text FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file_word FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.file_word_delta FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.knowledge_record FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.media_tag_word FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.message FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.node FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.object FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.page_publication FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.passage FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.passage_scope FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.person FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.prompt FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.publication FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.share_link FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.thread FOR SELECT TO atrium_search USING (true);

CREATE POLICY search ON public.workspace_user FOR SELECT TO atrium_search USING (true);

ALTER TABLE public.share_device ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_download ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_token ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_verdict ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.share_visit ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.site ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.site_redirect ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_auth ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_connection ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_metric ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_post ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_post_file ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_slot ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_target ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.social_variant ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.space ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.space_member ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stock_import ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_consumption ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_person ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_provider ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_quota ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.storage_snapshot ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stream_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stream_fence ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.taxonomy ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON public.access_log USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.account_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.agent USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.agent_revision USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album_change USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album_snapshot USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.album_snapshot_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.api_key USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.approval_decision USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.approval_flow USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.approval_request USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.approval_standing USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.approval_waiting USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.audit_event USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.audit_seal USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.background_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.budget USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.budget_counter USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_asset USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_component USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_connection USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_news USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_run USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.cms_run_page USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.consent_expiry_position USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.content_library USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.content_schema USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.crawl_page USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.credit_balance USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.credit_grant USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.credit_hold USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.credit_ledger USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.distribution_restriction USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.document USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.document_relation USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.document_relation_type USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.download_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.ds_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.duplicate_dismissal USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.duplicate_group USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.duplicate_group_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.duplicate_merge USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.edge_sync USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.embedding_cache USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.erasure_subject USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.face USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.face_erasure USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.face_rejection USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.face_scan USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.face_suggestion USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_analysis USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_blob USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_day USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_day_delta USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_history USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_phash_band USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_pin USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_pref USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_rights_notice USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_search_text USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_tag USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_tag_refusal USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_text USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_version USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_word USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.file_word_delta USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_migration USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_number USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_number_range USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_revision_log USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_unique USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.form_value USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.idempotency_key USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.import_batch USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.invitation USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.issuer USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.issuer_keys USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_base USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_base_tally USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_crawl USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_job USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_job_fault USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_record USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.knowledge_record_version USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.legal_hold USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.licence USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.media_analysis_schema USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.media_status_flow USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.media_tag USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.media_tag_group USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.media_tag_word USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.memory USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.memory_forgotten USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.message USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.message_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.model_provider USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.node USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.node_locale USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.node_reference USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_flow USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_import USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_import_fault USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_revision USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_source USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_source_removal USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_sync_row USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_sync_run USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_sync_seen USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.object_transition USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.outbox USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.page_part USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.page_publication USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.page_snapshot USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.page_snapshot_ref USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.page_version USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.passage USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.passage_scope USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.passage_source USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.person USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.person_merge USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.person_pref USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.preview_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.privacy_request USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.prompt USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.prompt_category USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.prompt_category_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.prompt_revision USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.prompt_wildcard USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publication USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publication_history USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publication_restriction USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publication_stat USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publish_schedule USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.publish_schedule_node USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.rate_override USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.retention_check USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.retention_held USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.retention_policy USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.retention_run USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.role USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.run USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.run_step USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.run_tool_call USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.saved_search USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_device USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_download USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_event USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_token USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_upload USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_verdict USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.share_visit USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.site USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.site_redirect USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_attempt USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_auth USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_connection USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_metric USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_post USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_post_file USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_slot USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_target USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.social_variant USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.space USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.space_member USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.stock_import USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_consumption USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_delta USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_person USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_provider USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_quota USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.storage_snapshot USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.stream_event USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.stream_fence USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.taxonomy USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.term USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.thread USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.thread_grant USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.thread_presence USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.upload USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_cells USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_daily USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_days USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_delta USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_entry USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_horizon USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_hourly USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_reversal USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_sources USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_thin USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.usage_unreported USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.user_role_link USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.vector_entry USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.wildcard USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.workspace USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.workspace_cost USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY tenant ON public.workspace_user USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)) WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.term ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.thread ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.thread_grant ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.thread_presence ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_cells ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_daily ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_delta ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_entry ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_horizon ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_hourly ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_reversal ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_sources ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_thin ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_unreported ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_role_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.vector_entry ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.wildcard ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.workspace ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_cost ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.workspace_user ENABLE ROW LEVEL SECURITY;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO atrium_search;
GRANT ALL ON SCHEMA public TO atrium_definer;
GRANT USAGE ON SCHEMA public TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_append(p_rows jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_append(p_rows jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_body_shape(p_body jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_body_shape(p_body jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.access_log_complete() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.access_log_forget(p_user uuid, p_email text, p_name text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_forget(p_user uuid, p_email text, p_name text, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_ids(p_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_ids(p_text text) TO atrium_definer;
GRANT ALL ON FUNCTION public.access_log_ids(p_text text) TO atrium_search;

REVOKE ALL ON FUNCTION public.access_log_without_ids(p_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_without_ids(p_text text) TO atrium_definer;
GRANT ALL ON FUNCTION public.access_log_without_ids(p_text text) TO atrium_search;

REVOKE ALL ON FUNCTION public.access_log_narrowed(p_needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_narrowed(p_needle text) TO atrium_definer;
GRANT ALL ON FUNCTION public.access_log_narrowed(p_needle text) TO atrium_search;

REVOKE ALL ON FUNCTION public.access_log_purge(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_purge(p_before timestamp with time zone, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_query_shape(p_query jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_query_shape(p_query jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.access_log_scrub(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_scrub(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.access_log_shape(p_value jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_shape(p_value jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) TO atrium_definer;
GRANT ALL ON FUNCTION public.access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) TO atrium_search;

REVOKE ALL ON FUNCTION public.access_log_write(p_rows public.access_log_line[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.access_log_write(p_rows public.access_log_line[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.acl_handed_over(acl jsonb, giver uuid, taker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.acl_handed_over(acl jsonb, giver uuid, taker uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) TO atrium_app;
GRANT ALL ON FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) TO atrium_search;
GRANT ALL ON FUNCTION public.acl_level(acl jsonb, subject uuid, roles uuid[], spaces uuid[]) TO atrium_definer;

REVOKE ALL ON FUNCTION public.acl_names_somebody(acl jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.acl_names_somebody(acl jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.acl_with_a_way_back(acl jsonb, creator uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.acl_with_a_way_back(acl jsonb, creator uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.acl_with_owner(acl jsonb, kind text, entries jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.acl_with_owner(acl jsonb, kind text, entries jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.address_pattern(p_email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.address_pattern(p_email text) TO atrium_app;
GRANT ALL ON FUNCTION public.address_pattern(p_email text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.ai_overdue_runs(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ai_overdue_runs(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.albums_below(root text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.albums_below(root text) TO atrium_app;

REVOKE ALL ON FUNCTION public.albums_matching(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.albums_matching(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.announce_key_anew() FROM PUBLIC;
GRANT ALL ON FUNCTION public.announce_key_anew() TO atrium_app;
GRANT ALL ON FUNCTION public.announce_key_anew() TO atrium_search;
GRANT ALL ON FUNCTION public.announce_key_anew() TO atrium_definer;

REVOKE ALL ON FUNCTION public.announce_licence_anew() FROM PUBLIC;
GRANT ALL ON FUNCTION public.announce_licence_anew() TO atrium_app;
GRANT ALL ON FUNCTION public.announce_licence_anew() TO atrium_search;
GRANT ALL ON FUNCTION public.announce_licence_anew() TO atrium_definer;

REVOKE ALL ON FUNCTION public.audit_horizon(p_tenant uuid, p_before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_horizon(p_tenant uuid, p_before timestamp with time zone) TO atrium_app;
GRANT ALL ON FUNCTION public.audit_horizon(p_tenant uuid, p_before timestamp with time zone) TO atrium_definer;

REVOKE ALL ON FUNCTION public.audit_purge(p_tenant uuid, p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_purge(p_tenant uuid, p_before timestamp with time zone, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.audit_redact(p_seal uuid, p_root text, p_events jsonb, p_redacted timestamp with time zone, p_redacted_root text, p_redacted_signature text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_redact(p_seal uuid, p_root text, p_events jsonb, p_redacted timestamp with time zone, p_redacted_root text, p_redacted_signature text) TO atrium_app;

REVOKE ALL ON FUNCTION public.audit_seal_add(p_seal jsonb, p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_seal_add(p_seal jsonb, p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamp with time zone, p_to timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamp with time zone, p_to timestamp with time zone) TO atrium_app;

REVOKE ALL ON FUNCTION public.audit_unsealed(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_unsealed(p_after uuid, p_limit integer) TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.account TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_account(account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_account(account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_account_rules(account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_account_rules(account_id uuid) TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.signing_key TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_add_signing_key(p_id uuid, p_public text, p_private_sealed text, p_state text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_add_signing_key(p_id uuid, p_public text, p_private_sealed text, p_state text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_add_token(p_token jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_add_token(p_token jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_clear_unproven(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_clear_unproven(p_account uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_confirm_email(token_hash text, undo_hash text, undo_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_confirm_email(token_hash text, undo_hash text, undo_seconds integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_begun(p_account uuid, p_keep uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_begun(p_account uuid, p_keep uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_end_session(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_session(session_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_session_of(account_id uuid, session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_session_of(account_id uuid, session_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_session_of_token(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_session_of_token(token_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_sessions(account_id uuid, keep uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_sessions(account_id uuid, keep uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_end_vouched_sessions(p_issuer uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_end_vouched_sessions(p_issuer uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_enter(tenant uuid, account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_enter(tenant uuid, account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_facts(tenant uuid, account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_facts(tenant uuid, account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_find_account(email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_account(email text) TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_key TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.api_key TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_find_key(public_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_key(public_id text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_find_leaked(p_public_ids text[], p_hashes text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_leaked(p_public_ids text[], p_hashes text[]) TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_session TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_find_session(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_session(session_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_find_token(token_hash text, kind text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_find_token(token_hash text, kind text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_finish_mfa(token_hash text, step bigint, recovery text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_finish_mfa(token_hash text, step bigint, recovery text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_forget_person(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_forget_person(p_account uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_memberships(account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_memberships(account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_mfa_begin(account_id uuid, sealed text, life_seconds integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_mfa_begin(account_id uuid, sealed text, life_seconds integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_mfa_enable(account_id uuid, sealed text, recovery text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_mfa_enable(account_id uuid, sealed text, recovery text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_mfa_off(account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_mfa_off(account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_mfa_recovery(account_id uuid, recovery text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_mfa_recovery(account_id uuid, recovery text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_person(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_person(p_account uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_refresh_session(token_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_refresh_session(token_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_rehash_password(account_id uuid, old_hash text, new_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_rehash_password(account_id uuid, old_hash text, new_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_release_address(p_email text, p_for uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_release_address(p_email text, p_for uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_replayed_refresh(replay_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_replayed_refresh(replay_key text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_reset_password(token_hash text, new_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_reset_password(token_hash text, new_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_revoke_keys(p_account uuid, p_own boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_revoke_keys(p_account uuid, p_own boolean) TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, replay_key text, sealed text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_rotate_refresh(old_hash text, new_hash text, replay_key text, sealed text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_rotate_signing_key(p_id uuid, p_public text, p_private_sealed text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_rotate_signing_key(p_id uuid, p_public text, p_private_sealed text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_sessions(account_id uuid, before timestamp with time zone, before_id uuid, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_sessions(account_id uuid, before timestamp with time zone, before_id uuid, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid, revoke_keys boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_set_password(account_id uuid, old_hash text, new_hash text, keep uuid, revoke_keys boolean) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_settle_refresh(old_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_settle_refresh(old_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_signing_keys() FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_signing_keys() TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_spend_code(account_id uuid, step bigint, recovery text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_spend_code(account_id uuid, step bigint, recovery text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_start_session(spec jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_start_session(spec jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_sweep(p_now timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_sweep(p_now timestamp with time zone) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.auth_throttle_add(key text, points integer, life_ms bigint, anew boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_throttle_add(key text, points integer, life_ms bigint, anew boolean) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_throttle_drop(keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_throttle_drop(keys text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_throttle_get(keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_throttle_get(keys text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid, session_id uuid, ip text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_touch(tenant uuid, account_id uuid, key uuid, session_id uuid, ip text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_undo_email(token_hash text, new_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_undo_email(token_hash text, new_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.auth_vouch_password(p_account uuid, p_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.auth_vouch_password(p_account uuid, p_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.background_jobs_purge(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.background_jobs_purge(p_before timestamp with time zone, p_limit integer) TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.budget TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.budget TO atrium_definer;

REVOKE ALL ON FUNCTION public.budget_add(p_budget public.budget, p_subject uuid, p_from timestamp with time zone, p_to timestamp with time zone, p_credits numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) TO atrium_app;
GRANT ALL ON FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) TO atrium_search;
GRANT ALL ON FUNCTION public.budget_binds(b public.budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.usage_entry TO atrium_app;

REVOKE ALL ON FUNCTION public.budget_count(p_entry public.usage_entry, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.budget_enter(p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budget_enter(p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.budget_start(p_budget uuid, p_anew boolean, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budget_start(p_budget uuid, p_anew boolean, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.budget_subject(p_scope text, p_user uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budget_subject(p_scope text, p_user uuid) TO atrium_app;
GRANT ALL ON FUNCTION public.budget_subject(p_scope text, p_user uuid) TO atrium_search;
GRANT ALL ON FUNCTION public.budget_subject(p_scope text, p_user uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.budget_sums(b public.budget, p_from timestamp with time zone, p_to timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.budget_tell(b public.budget, p_subject uuid, p_from timestamp with time zone, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) TO atrium_app;
GRANT ALL ON FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) TO atrium_search;
GRANT ALL ON FUNCTION public.budget_window(p_period text, p_zone text, p_at timestamp with time zone) TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_role_link TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.user_role_link TO atrium_definer;

REVOKE ALL ON FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) TO atrium_app;
GRANT ALL ON FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) TO atrium_search;
GRANT ALL ON FUNCTION public.budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) TO atrium_definer;

REVOKE ALL ON FUNCTION public.cms_by_hook(p_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cms_by_hook(p_key text) TO atrium_app;

REVOKE ALL ON FUNCTION public.cms_sites_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cms_sites_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.color_lab(hex text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.color_lab(hex text) TO atrium_app;
GRANT ALL ON FUNCTION public.color_lab(hex text) TO atrium_search;
GRANT ALL ON FUNCTION public.color_lab(hex text) TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.platform_cost TO atrium_definer;

GRANT SELECT ON TABLE public.workspace_cost TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_cost TO atrium_definer;

REVOKE ALL ON FUNCTION public.cost_at(p_tenant uuid, p_param text, p_details text, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.cost_set(p_tenant uuid, p_cost jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cost_set(p_tenant uuid, p_cost jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.costs_of_platform() FROM PUBLIC;
GRANT ALL ON FUNCTION public.costs_of_platform() TO atrium_app;

REVOKE ALL ON FUNCTION public.costs_visible() FROM PUBLIC;
GRANT ALL ON FUNCTION public.costs_visible() TO atrium_app;

REVOKE ALL ON FUNCTION public.count_album_files() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_album_files() TO atrium_app;
GRANT ALL ON FUNCTION public.count_album_files() TO atrium_search;
GRANT ALL ON FUNCTION public.count_album_files() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_faces_added() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_faces_added() TO atrium_app;
GRANT ALL ON FUNCTION public.count_faces_added() TO atrium_search;
GRANT ALL ON FUNCTION public.count_faces_added() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_faces_changed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_faces_changed() TO atrium_app;
GRANT ALL ON FUNCTION public.count_faces_changed() TO atrium_search;
GRANT ALL ON FUNCTION public.count_faces_changed() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_faces_removed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_faces_removed() TO atrium_app;
GRANT ALL ON FUNCTION public.count_faces_removed() TO atrium_search;
GRANT ALL ON FUNCTION public.count_faces_removed() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.count_file_tags(workspace uuid, olds jsonb, news jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_group_tags() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_group_tags() TO atrium_app;
GRANT ALL ON FUNCTION public.count_group_tags() TO atrium_search;
GRANT ALL ON FUNCTION public.count_group_tags() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_knowledge_records() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_knowledge_records() TO atrium_app;
GRANT ALL ON FUNCTION public.count_knowledge_records() TO atrium_search;
GRANT ALL ON FUNCTION public.count_knowledge_records() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_person_faces(workspace uuid, people uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_person_faces(workspace uuid, people uuid[]) TO atrium_app;
GRANT ALL ON FUNCTION public.count_person_faces(workspace uuid, people uuid[]) TO atrium_search;
GRANT ALL ON FUNCTION public.count_person_faces(workspace uuid, people uuid[]) TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_publications() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_publications() TO atrium_app;
GRANT ALL ON FUNCTION public.count_publications() TO atrium_search;
GRANT ALL ON FUNCTION public.count_publications() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_tags_added() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_tags_added() TO atrium_app;
GRANT ALL ON FUNCTION public.count_tags_added() TO atrium_search;
GRANT ALL ON FUNCTION public.count_tags_added() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_tags_changed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_tags_changed() TO atrium_app;
GRANT ALL ON FUNCTION public.count_tags_changed() TO atrium_search;
GRANT ALL ON FUNCTION public.count_tags_changed() TO atrium_definer;

REVOKE ALL ON FUNCTION public.count_tags_removed() FROM PUBLIC;
GRANT ALL ON FUNCTION public.count_tags_removed() TO atrium_app;
GRANT ALL ON FUNCTION public.count_tags_removed() TO atrium_search;
GRANT ALL ON FUNCTION public.count_tags_removed() TO atrium_definer;

REVOKE ALL ON FUNCTION public.crawls_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.crawls_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_balances(p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_balances(p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_catch_up(p_tenant uuid, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credit_configure(p_policy text, p_low_percent integer, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_configure(p_policy text, p_low_percent integer, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_correct(p_credits numeric, p_note text, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_correct(p_credits numeric, p_note text, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_enter(p_tenant uuid, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credit_extend(p_hold uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_extend(p_hold uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_give(p_grant jsonb, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_give(p_grant jsonb, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_note(p_tenant uuid, p_kind text, p_credits numeric, p_grant uuid, p_usage uuid, p_note text) FROM PUBLIC;

GRANT SELECT ON TABLE public.credit_grant TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credit_grant TO atrium_definer;

REVOKE ALL ON FUNCTION public.credit_plan(p_tenant uuid, p_grant public.credit_grant) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credit_release(p_hold uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_release(p_hold uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_reserve(p_hold jsonb, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_reserve(p_hold jsonb, p_by jsonb) TO atrium_app;

GRANT SELECT ON TABLE public.credit_balance TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credit_balance TO atrium_definer;

GRANT SELECT ON TABLE public.credit_hold TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.credit_hold TO atrium_definer;

REVOKE ALL ON FUNCTION public.credit_state(p_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_state(p_tenant uuid) TO atrium_app;
GRANT ALL ON FUNCTION public.credit_state(p_tenant uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.credit_take(p_tenant uuid, p_kind text, p_credits numeric, p_usage uuid, p_note text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credit_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credit_tick(p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_tick(p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.credit_watch(p_tenant uuid, p_by jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.credits_due(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credits_due(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.current_tenant() FROM PUBLIC;
GRANT ALL ON FUNCTION public.current_tenant() TO atrium_search;
GRANT ALL ON FUNCTION public.current_tenant() TO atrium_app;
GRANT ALL ON FUNCTION public.current_tenant() TO atrium_definer;

REVOKE ALL ON FUNCTION public.date_album_file() FROM PUBLIC;
GRANT ALL ON FUNCTION public.date_album_file() TO atrium_app;
GRANT ALL ON FUNCTION public.date_album_file() TO atrium_search;
GRANT ALL ON FUNCTION public.date_album_file() TO atrium_definer;

REVOKE ALL ON FUNCTION public.demand_stamp(actual text, expected text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.demand_stamp(actual text, expected text) TO atrium_app;

REVOKE ALL ON FUNCTION public.dotless(written text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.dotless(written text) TO atrium_app;
GRANT ALL ON FUNCTION public.dotless(written text) TO atrium_search;
GRANT ALL ON FUNCTION public.dotless(written text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.embedding_cache_evict(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.embedding_cache_evict(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.end_import() FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_import() TO atrium_app;
GRANT ALL ON FUNCTION public.end_import() TO atrium_search;
GRANT ALL ON FUNCTION public.end_import() TO atrium_definer;

REVOKE ALL ON FUNCTION public.end_object_import() FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_object_import() TO atrium_app;
GRANT ALL ON FUNCTION public.end_object_import() TO atrium_search;
GRANT ALL ON FUNCTION public.end_object_import() TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_labs(colors jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_labs(colors jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.file_labs(colors jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.file_labs(colors jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.lab_cell(l double precision, a double precision, b double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lab_cell(l double precision, a double precision, b double precision) TO atrium_app;
GRANT ALL ON FUNCTION public.lab_cell(l double precision, a double precision, b double precision) TO atrium_search;
GRANT ALL ON FUNCTION public.lab_cell(l double precision, a double precision, b double precision) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_color_cells(colors jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_color_cells(colors jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.file_color_cells(colors jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.file_color_cells(colors jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_counts(p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_counts(p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.file_embedded_words(metadata jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_embedded_words(metadata jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.file_embedded_words(metadata jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.file_embedded_words(metadata jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_family(type text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_family(type text) TO atrium_app;
GRANT ALL ON FUNCTION public.file_family(type text) TO atrium_search;
GRANT ALL ON FUNCTION public.file_family(type text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_instant(written text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_instant(written text) TO atrium_app;
GRANT ALL ON FUNCTION public.file_instant(written text) TO atrium_search;
GRANT ALL ON FUNCTION public.file_instant(written text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_number(written jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_number(written jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.file_number(written jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.file_number(written jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_says(metadata jsonb, field text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_says(metadata jsonb, field text) TO atrium_app;
GRANT ALL ON FUNCTION public.file_says(metadata jsonb, field text) TO atrium_search;
GRANT ALL ON FUNCTION public.file_says(metadata jsonb, field text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.file_tallies_roll(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_tallies_roll(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_analysed_as(p_schema text, p_wanted jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_analysed_as(p_schema text, p_wanted jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_colored(wanted double precision[], tolerance double precision, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_colored(wanted double precision[], tolerance double precision, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) TO atrium_app;
GRANT ALL ON FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) TO atrium_search;
GRANT ALL ON FUNCTION public.files_holding(words text[], repo text, besides text, from_name text, most integer) TO atrium_definer;

REVOKE ALL ON FUNCTION public.files_like(what text, pattern text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_like(what text, pattern text, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_named_like(needle text, repo text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_named_like(needle text, repo text, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_saying(field text, pattern text, held text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_saying(field text, pattern text, held text, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) TO atrium_app;
GRANT ALL ON FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) TO atrium_search;
GRANT ALL ON FUNCTION public.files_spelt_like(small text, besides text, repo text, most integer) TO atrium_definer;

REVOKE ALL ON FUNCTION public.files_with_metadata(fragment jsonb, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_with_metadata(fragment jsonb, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.files_with_words(needle text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.files_with_words(needle text, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.fold_term_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.fold_term_words() TO atrium_app;
GRANT ALL ON FUNCTION public.fold_term_words() TO atrium_search;
GRANT ALL ON FUNCTION public.fold_term_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.folded(written text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.folded(written text) TO atrium_app;
GRANT ALL ON FUNCTION public.folded(written text) TO atrium_search;
GRANT ALL ON FUNCTION public.folded(written text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.form_next_unfolded(after_tenant uuid, after_form uuid, OUT tenant_id uuid, OUT form_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.form_next_unfolded(after_tenant uuid, after_form uuid, OUT tenant_id uuid, OUT form_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) TO atrium_app;
GRANT ALL ON FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) TO atrium_search;
GRANT ALL ON FUNCTION public.geo_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision) TO atrium_definer;

REVOKE ALL ON FUNCTION public.group_file_tag() FROM PUBLIC;
GRANT ALL ON FUNCTION public.group_file_tag() TO atrium_app;
GRANT ALL ON FUNCTION public.group_file_tag() TO atrium_search;
GRANT ALL ON FUNCTION public.group_file_tag() TO atrium_definer;

REVOKE ALL ON FUNCTION public.hash_of_look(metadata jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hash_of_look(metadata jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.hash_of_look(metadata jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.hash_of_look(metadata jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.idempotency_prune(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.idempotency_prune(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.issuers_due(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.issuers_due(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.keep_agent_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_agent_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_agent_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_agent_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_album_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_album_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_album_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_album_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_file_search_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_file_search_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_file_search_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_file_search_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_file_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_file_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_file_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_file_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_knowledge_record_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_knowledge_record_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_knowledge_record_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_knowledge_record_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_message_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_message_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_message_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_message_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_object_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_object_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_object_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_object_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) TO atrium_app;
GRANT ALL ON FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) TO atrium_search;
GRANT ALL ON FUNCTION public.keep_outcome(p_user uuid, p_route text, p_key text, p_claim uuid, p_status integer, p_headers jsonb, p_body jsonb) TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_phash_bands() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_phash_bands() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_phash_bands() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_phash_bands() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_prompt_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_prompt_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_prompt_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_prompt_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_source_removals() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_source_removals() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_source_removals() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_source_removals() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_tag_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_tag_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_tag_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_tag_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.keep_thread_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_thread_words() TO atrium_app;
GRANT ALL ON FUNCTION public.keep_thread_words() TO atrium_search;
GRANT ALL ON FUNCTION public.keep_thread_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) TO atrium_app;
GRANT ALL ON FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) TO atrium_search;
GRANT ALL ON FUNCTION public.labs_near(labs double precision[], wanted double precision[], tolerance double precision) TO atrium_definer;

REVOKE ALL ON FUNCTION public.link_restrictions() FROM PUBLIC;
GRANT ALL ON FUNCTION public.link_restrictions() TO atrium_app;
GRANT ALL ON FUNCTION public.link_restrictions() TO atrium_search;
GRANT ALL ON FUNCTION public.link_restrictions() TO atrium_definer;

REVOKE ALL ON FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) TO atrium_app;
GRANT ALL ON FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) TO atrium_search;
GRANT ALL ON FUNCTION public.local_start(p_local timestamp without time zone, p_zone text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.look_bits(view text, band integer, beside boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.look_bits(view text, band integer, beside boolean) TO atrium_app;
GRANT ALL ON FUNCTION public.look_bits(view text, band integer, beside boolean) TO atrium_search;
GRANT ALL ON FUNCTION public.look_bits(view text, band integer, beside boolean) TO atrium_definer;

REVOKE ALL ON FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) TO atrium_app;
GRANT ALL ON FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) TO atrium_search;
GRANT ALL ON FUNCTION public.look_key(tenant uuid, is_part boolean, band integer, bits integer) TO atrium_definer;

REVOKE ALL ON FUNCTION public.look_keys(tenant uuid, views text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.look_keys(tenant uuid, views text) TO atrium_app;
GRANT ALL ON FUNCTION public.look_keys(tenant uuid, views text) TO atrium_search;
GRANT ALL ON FUNCTION public.look_keys(tenant uuid, views text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.lost_work(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lost_work(most integer) TO atrium_app;

REVOKE ALL ON PROCEDURE public.make_definer(IN f regprocedure, IN owner name) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.make_inner(IN f regprocedure) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.make_month(p_parent regclass, p_key name, p_month timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.make_searchable(IN target regclass) FROM PUBLIC;

REVOKE ALL ON PROCEDURE public.make_tenant_table(IN target regclass, IN grants text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.media_tags_matching(needle text, with_synonyms boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.media_tags_matching(needle text, with_synonyms boolean) TO atrium_app;

REVOKE ALL ON FUNCTION public.membership_mfa() FROM PUBLIC;
GRANT ALL ON FUNCTION public.membership_mfa() TO atrium_app;

REVOKE ALL ON FUNCTION public.name_pattern(p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.name_pattern(p_name text) TO atrium_app;
GRANT ALL ON FUNCTION public.name_pattern(p_name text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.name_words(name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.name_words(name text) TO atrium_app;
GRANT ALL ON FUNCTION public.name_words(name text) TO atrium_search;
GRANT ALL ON FUNCTION public.name_words(name text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.object_sources_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.object_sources_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.operator_called(p_call jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.operator_called(p_call jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_shares integer[], p_lease_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_admit(p_queues text[], p_rooms integer[], p_shares integer[], p_lease_seconds double precision) TO atrium_app;

GRANT SELECT,INSERT ON TABLE public.outbox TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outbox TO atrium_definer;

GRANT UPDATE(ev_done) ON TABLE public.outbox TO atrium_app;

GRANT UPDATE(ev_error) ON TABLE public.outbox TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_claim_events(p_limit integer, p_lease_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_claim_events(p_limit integer, p_lease_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_depths() FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_depths() TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_due(p_jobs text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_due(p_jobs text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_events_purge(p_before timestamp with time zone, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_events_purge(p_before timestamp with time zone, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_forget(p_email text, p_name text, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_forget(p_email text, p_name text, p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_forget_turns(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_forget_turns(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_hold(p_job uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_hold(p_job uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_outages() FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_outages() TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_park(p_job uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_park(p_job uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_pause(p_job uuid, p_attempts integer, p_pause_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_pause(p_job uuid, p_attempts integer, p_pause_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_prune(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_release(p_tenants uuid[], p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_release(p_tenants uuid[], p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_sent(p_tenants uuid[], p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_still_open(p_tenants uuid[], p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_still_open(p_tenants uuid[], p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_strike(p_tenant uuid, p_job uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_strike(p_tenant uuid, p_job uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_take(p_tenants uuid[], p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_take(p_tenants uuid[], p_ids uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_unpark() FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_unpark() TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_waiting() FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_waiting() TO atrium_app;

REVOKE ALL ON FUNCTION public.outbox_workers(p_worker uuid, p_seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.outbox_workers(p_worker uuid, p_seconds double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.partitions_overview() FROM PUBLIC;
GRANT ALL ON FUNCTION public.partitions_overview() TO atrium_app;

REVOKE ALL ON FUNCTION public.partitions_prepare(p_table name, p_keep_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.partitions_prepare(p_table name, p_keep_days integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.passage_word_key(tenant uuid, word text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.passage_word_key(tenant uuid, word text) TO atrium_app;
GRANT ALL ON FUNCTION public.passage_word_key(tenant uuid, word text) TO atrium_search;
GRANT ALL ON FUNCTION public.passage_word_key(tenant uuid, word text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.passage_word_keys(tenant uuid, words tsvector) FROM PUBLIC;
GRANT ALL ON FUNCTION public.passage_word_keys(tenant uuid, words tsvector) TO atrium_app;
GRANT ALL ON FUNCTION public.passage_word_keys(tenant uuid, words tsvector) TO atrium_search;
GRANT ALL ON FUNCTION public.passage_word_keys(tenant uuid, words tsvector) TO atrium_definer;

REVOKE ALL ON FUNCTION public.people_account(candidate uuid, email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_account(candidate uuid, email text) TO atrium_app;

REVOKE ALL ON FUNCTION public.people_claim(p_account uuid, p_password_hash text, p_mailed boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_claim(p_account uuid, p_password_hash text, p_mailed boolean) TO atrium_app;

REVOKE ALL ON FUNCTION public.people_find_invitation(p_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_find_invitation(p_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.people_matching(needle text, with_description boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_matching(needle text, with_description boolean) TO atrium_app;

REVOKE ALL ON FUNCTION public.people_proved(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_proved(p_account uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.people_sign_out(p_account uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.people_sign_out(p_account uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.person_pattern(p_email text, p_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.person_pattern(p_email text, p_name text) TO atrium_app;
GRANT ALL ON FUNCTION public.person_pattern(p_email text, p_name text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.phash_bands(hash bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.phash_bands(hash bigint) TO atrium_app;
GRANT ALL ON FUNCTION public.phash_bands(hash bigint) TO atrium_search;
GRANT ALL ON FUNCTION public.phash_bands(hash bigint) TO atrium_definer;

REVOKE ALL ON FUNCTION public.phash_probes(hash bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.phash_probes(hash bigint) TO atrium_app;
GRANT ALL ON FUNCTION public.phash_probes(hash bigint) TO atrium_search;
GRANT ALL ON FUNCTION public.phash_probes(hash bigint) TO atrium_definer;

REVOKE ALL ON FUNCTION public.pictures_like(probes text, in_parts boolean, distance integer, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pictures_like(probes text, in_parts boolean, distance integer, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.place_album() FROM PUBLIC;
GRANT ALL ON FUNCTION public.place_album() TO atrium_app;
GRANT ALL ON FUNCTION public.place_album() TO atrium_search;
GRANT ALL ON FUNCTION public.place_album() TO atrium_definer;

REVOKE ALL ON FUNCTION public.place_albums_below() FROM PUBLIC;
GRANT ALL ON FUNCTION public.place_albums_below() TO atrium_app;
GRANT ALL ON FUNCTION public.place_albums_below() TO atrium_search;
GRANT ALL ON FUNCTION public.place_albums_below() TO atrium_definer;

REVOKE ALL ON FUNCTION public.privacy_archives_due(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.privacy_archives_due(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.publications_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.publications_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.publications_matching(needle text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.publications_matching(needle text, most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.publications_served(keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.publications_served(keys text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.publish_schedules_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.publish_schedules_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.raise_account_version() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_account_version() TO atrium_app;
GRANT ALL ON FUNCTION public.raise_account_version() TO atrium_search;
GRANT ALL ON FUNCTION public.raise_account_version() TO atrium_definer;

REVOKE ALL ON FUNCTION public.raise_authz_version() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_authz_version() TO atrium_app;
GRANT ALL ON FUNCTION public.raise_authz_version() TO atrium_search;
GRANT ALL ON FUNCTION public.raise_authz_version() TO atrium_definer;

REVOKE ALL ON FUNCTION public.raise_authz_version_once() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_authz_version_once() TO atrium_app;
GRANT ALL ON FUNCTION public.raise_authz_version_once() TO atrium_search;
GRANT ALL ON FUNCTION public.raise_authz_version_once() TO atrium_definer;

REVOKE ALL ON FUNCTION public.raise_own_authz_version() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_own_authz_version() TO atrium_app;
GRANT ALL ON FUNCTION public.raise_own_authz_version() TO atrium_search;
GRANT ALL ON FUNCTION public.raise_own_authz_version() TO atrium_definer;

REVOKE ALL ON FUNCTION public.raise_version_of_session() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_version_of_session() TO atrium_app;
GRANT ALL ON FUNCTION public.raise_version_of_session() TO atrium_search;
GRANT ALL ON FUNCTION public.raise_version_of_session() TO atrium_definer;

REVOKE ALL ON FUNCTION public.rate_share(p_counts jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rate_share(p_counts jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.read_blob_facts() FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_blob_facts() TO atrium_app;
GRANT ALL ON FUNCTION public.read_blob_facts() TO atrium_search;
GRANT ALL ON FUNCTION public.read_blob_facts() TO atrium_definer;

REVOKE ALL ON FUNCTION public.request_strike(p_fingerprint text, p_operation text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.request_strike(p_fingerprint text, p_operation text) TO atrium_app;

REVOKE ALL ON FUNCTION public.requests_struck(p_strikes integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.requests_struck(p_strikes integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.retention_due(p_keys text[], p_at timestamp with time zone, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retention_due(p_keys text[], p_at timestamp with time zone, p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.retention_longest(p_key text, p_default integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retention_longest(p_key text, p_default integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.retrieval_overdue(p_age_seconds double precision, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.retrieval_overdue(p_age_seconds double precision, p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.schedule_claim(p_name text, p_holder uuid, p_lease_ms double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.schedule_claim(p_name text, p_holder uuid, p_lease_ms double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.schedule_done(p_name text, p_holder uuid, p_next_ms double precision, p_error text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.schedule_done(p_name text, p_holder uuid, p_next_ms double precision, p_error text) TO atrium_app;

REVOKE ALL ON FUNCTION public.schedule_extend(p_name text, p_holder uuid, p_lease_ms double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION public.schedule_extend(p_name text, p_holder uuid, p_lease_ms double precision) TO atrium_app;

REVOKE ALL ON FUNCTION public.schedules_overview() FROM PUBLIC;
GRANT ALL ON FUNCTION public.schedules_overview() TO atrium_app;

REVOKE ALL ON FUNCTION public.seal_key_add(p_id uuid, p_public text, p_private_sealed text, p_newest uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.seal_key_add(p_id uuid, p_public text, p_private_sealed text, p_newest uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.seal_keys() FROM PUBLIC;
GRANT ALL ON FUNCTION public.seal_keys() TO atrium_app;

REVOKE ALL ON FUNCTION public.search_agents(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_agents(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_live_pages(p_site text, p_locale text, p_tags text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_live_pages(p_site text, p_locale text, p_tags text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_messages_text(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_messages_text(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_objects(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_objects(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_passages_words(words text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_passages_words(words text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_prompts(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_prompts(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_records(base text, needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_records(base text, needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.search_threads_text(needle text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_threads_text(needle text) TO atrium_app;

REVOKE ALL ON FUNCTION public.share_by_kiosk(p_share uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.share_by_kiosk(p_share uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.share_by_token(p_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.share_by_token(p_hash text) TO atrium_app;

REVOKE ALL ON FUNCTION public.share_links_naming(p_file text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.share_links_naming(p_file text) TO atrium_app;

REVOKE ALL ON FUNCTION public.site_by_key(p_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.site_by_key(p_key text) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_api_version_found(p_platform text, p_version text, p_instead_of text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_api_version_found(p_platform text, p_version text, p_instead_of text) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_api_version_in_use(p_platform text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_api_version_in_use(p_platform text) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_connections_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_connections_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_metrics_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_metrics_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_posts_due(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_posts_due(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.social_posts_removed(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.social_posts_removed(most integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.spaces_of(tenant uuid, account_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.spaces_of(tenant uuid, account_id uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.storage_reserve(p_bytes bigint, p_user uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.storage_reserve(p_bytes bigint, p_user uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.storage_roll(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.storage_roll(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.storage_settle(p_lines jsonb, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.storage_settle(p_lines jsonb, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.storage_watch(p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.storage_watch(p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.stream_event_trim(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.stream_fence_trim(p_age_seconds double precision, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.stream_fence_trim(p_age_seconds double precision, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.supersede_versions() FROM PUBLIC;
GRANT ALL ON FUNCTION public.supersede_versions() TO atrium_app;
GRANT ALL ON FUNCTION public.supersede_versions() TO atrium_search;
GRANT ALL ON FUNCTION public.supersede_versions() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tag_words_of(workspace uuid, file uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.tag_words_of(workspace uuid, file uuid) TO atrium_app;
GRANT ALL ON FUNCTION public.tag_words_of(workspace uuid, file uuid) TO atrium_search;
GRANT ALL ON FUNCTION public.tag_words_of(workspace uuid, file uuid) TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_blob_facts() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_blob_facts() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_blob_facts() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_blob_facts() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_deprecated() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_deprecated() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_deprecated() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_deprecated() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_file_day() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_file_day() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_file_day() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_file_day() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_file_holds() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_file_holds() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_file_holds() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_file_holds() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_file_words() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_file_words() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_file_words() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_file_words() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_files_come() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_files_come() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_files_come() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_files_come() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_files_go() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_files_go() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_files_go() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_files_go() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tell_memberships_of_mfa() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tell_memberships_of_mfa() TO atrium_app;
GRANT ALL ON FUNCTION public.tell_memberships_of_mfa() TO atrium_search;
GRANT ALL ON FUNCTION public.tell_memberships_of_mfa() TO atrium_definer;

REVOKE ALL ON FUNCTION public.tenant_tables() FROM PUBLIC;
GRANT ALL ON FUNCTION public.tenant_tables() TO atrium_app;
GRANT ALL ON FUNCTION public.tenant_tables() TO atrium_search;
GRANT ALL ON FUNCTION public.tenant_tables() TO atrium_definer;

REVOKE ALL ON FUNCTION public.time_ordered_id() FROM PUBLIC;
GRANT ALL ON FUNCTION public.time_ordered_id() TO atrium_app;
GRANT ALL ON FUNCTION public.time_ordered_id() TO atrium_search;
GRANT ALL ON FUNCTION public.time_ordered_id() TO atrium_definer;

REVOKE ALL ON FUNCTION public.unfinished_work(p_work text, p_at timestamp with time zone, p_id uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unfinished_work(p_work text, p_at timestamp with time zone, p_id uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.unfinished_work_in(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unfinished_work_in(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_charge(p_lines jsonb, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_charge(p_lines jsonb, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_day(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_day(at timestamp with time zone) TO atrium_app;
GRANT ALL ON FUNCTION public.usage_day(at timestamp with time zone) TO atrium_search;
GRANT ALL ON FUNCTION public.usage_day(at timestamp with time zone) TO atrium_definer;

REVOKE ALL ON FUNCTION public.usage_entries_purge(p_before timestamp with time zone, p_limit integer, p_spared uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_entries_purge(p_before timestamp with time zone, p_limit integer, p_spared uuid[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_group_of(p_left_out integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_group_of(p_left_out integer) TO atrium_app;
GRANT ALL ON FUNCTION public.usage_group_of(p_left_out integer) TO atrium_search;
GRANT ALL ON FUNCTION public.usage_group_of(p_left_out integer) TO atrium_definer;

REVOKE ALL ON FUNCTION public.usage_hour(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_hour(at timestamp with time zone) TO atrium_app;
GRANT ALL ON FUNCTION public.usage_hour(at timestamp with time zone) TO atrium_search;
GRANT ALL ON FUNCTION public.usage_hour(at timestamp with time zone) TO atrium_definer;

REVOKE ALL ON FUNCTION public.usage_quarter(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_quarter(at timestamp with time zone) TO atrium_app;
GRANT ALL ON FUNCTION public.usage_quarter(at timestamp with time zone) TO atrium_search;
GRANT ALL ON FUNCTION public.usage_quarter(at timestamp with time zone) TO atrium_definer;

REVOKE ALL ON FUNCTION public.usage_rebuild(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_rebuild(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_reverse(p_usage uuid, p_id uuid, p_note text, p_by jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_reverse(p_usage uuid, p_id uuid, p_note text, p_by jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_roll(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_roll(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_sources_prune(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_sources_prune(p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_sum_up(p_tenant uuid, p_from timestamp with time zone, p_to timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.usage_unreported_in(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_unreported_in(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_untold_in(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.usage_untold_in(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.usage_write(e public.usage_entry) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.users_search(part text, needles text[], without text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.users_search(part text, needles text[], without text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) TO atrium_app;
GRANT ALL ON FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) TO atrium_search;
GRANT ALL ON FUNCTION public.why_no_renditions(kind text, size bigint, processing text, fault text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.without_person(p_text text, p_pattern text, p_mark text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.without_person(p_text text, p_pattern text, p_mark text) TO atrium_app;
GRANT ALL ON FUNCTION public.without_person(p_text text, p_pattern text, p_mark text) TO atrium_definer;

REVOKE ALL ON FUNCTION public.without_phrases(p_text text, p_phrases text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.without_phrases(p_text text, p_phrases text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.words_like(part text, repo text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.words_like(part text, repo text, most integer) TO atrium_app;
GRANT ALL ON FUNCTION public.words_like(part text, repo text, most integer) TO atrium_search;
GRANT ALL ON FUNCTION public.words_like(part text, repo text, most integer) TO atrium_definer;

REVOKE ALL ON FUNCTION public.words_of(p_texts text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.words_of(p_texts text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.words_without(p_words tsvector, p_old text[], p_new text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.words_without(p_words tsvector, p_old text[], p_new text[]) TO atrium_app;

REVOKE ALL ON FUNCTION public.work_backlog() FROM PUBLIC;
GRANT ALL ON FUNCTION public.work_backlog() TO atrium_app;

REVOKE ALL ON FUNCTION public.workspace_at_work() FROM PUBLIC;
GRANT ALL ON FUNCTION public.workspace_at_work() TO atrium_app;
GRANT ALL ON FUNCTION public.workspace_at_work() TO atrium_search;
GRANT ALL ON FUNCTION public.workspace_at_work() TO atrium_definer;

REVOKE ALL ON FUNCTION public.workspaces_active(p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.workspaces_active(p_after uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_add_user(tenant uuid, spec jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_add_user(tenant uuid, spec jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_find_external(p_external_id text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_find_external(p_external_id text) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_list() FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_list() TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_may_purge(p_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_may_purge(p_tenant uuid) TO atrium_definer;

GRANT SELECT,UPDATE ON TABLE public.workspace TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace TO atrium_definer;

REVOKE ALL ON FUNCTION public.ws_page(p_filters jsonb, p_before timestamp with time zone, p_before_id uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_page(p_filters jsonb, p_before timestamp with time zone, p_before_id uuid, p_limit integer) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_provision(spec jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_provision(spec jsonb) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_purge_begin(p_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_purge_begin(p_tenant uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_purge_end(p_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_purge_end(p_tenant uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_purge_note(p_tenant uuid, p_step text, p_more bigint, p_left bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_purge_note(p_tenant uuid, p_step text, p_more bigint, p_left bigint) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_purge_step(p_tenant uuid, p_table text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_purge_step(p_tenant uuid, p_table text, p_limit integer) TO atrium_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.workspace_tombstone TO atrium_definer;

REVOKE ALL ON FUNCTION public.ws_tombstone(p_tenant uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_tombstone(p_tenant uuid) TO atrium_app;

REVOKE ALL ON FUNCTION public.ws_user_counts(p_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ws_user_counts(p_ids uuid[]) TO atrium_app;

GRANT SELECT ON TABLE public.access_log TO atrium_app;
GRANT SELECT ON TABLE public.access_log TO atrium_search;

GRANT SELECT,UPDATE ON TABLE public.access_log_scrubbing TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_link TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.account_link TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_token TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.agent TO atrium_definer;
GRANT SELECT ON TABLE public.agent TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.agent_revision TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.agent_revision TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album TO atrium_app;
GRANT SELECT ON TABLE public.album TO atrium_search;
GRANT SELECT,DELETE,UPDATE ON TABLE public.album TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.album_change TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.album_change TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.album_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album_snapshot TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.album_snapshot TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.album_snapshot_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.album_snapshot_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approval_decision TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.approval_decision TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approval_flow TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.approval_flow TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approval_request TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.approval_request TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approval_standing TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.approval_standing TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.approval_waiting TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.approval_waiting TO atrium_definer;

GRANT SELECT ON TABLE public.atrium_migration TO atrium_app;

GRANT SELECT,INSERT ON TABLE public.audit_event TO atrium_app;

GRANT SELECT ON TABLE public.audit_seal TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.audit_seal TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.background_job TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.background_job TO atrium_definer;

GRANT SELECT ON TABLE public.budget_counter TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.budget_counter TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_asset TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_asset TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_component TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_component TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_connection TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_connection TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_link TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_link TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_news TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_news TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_run TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_run TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.cms_run_page TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.cms_run_page TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.consent_expiry_position TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.consent_expiry_position TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.consent_look TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.consent_look TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_library TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.content_library TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.content_schema TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.content_schema TO atrium_definer;

GRANT SELECT ON TABLE public.cost TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.crawl_page TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.crawl_page TO atrium_definer;

GRANT SELECT ON TABLE public.credit_ledger TO atrium_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.credit_ledger TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.distribution_restriction TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.distribution_restriction TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.document TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document_relation TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.document_relation TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document_relation_type TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.document_relation_type TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.download_job TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.download_job TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.ds_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.ds_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.duplicate_dismissal TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.duplicate_dismissal TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.duplicate_group TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.duplicate_group TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.duplicate_group_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.duplicate_group_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.duplicate_merge TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.duplicate_merge TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.edge_sync TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.edge_sync TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.embedding_cache TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.embedding_cache TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasure_subject TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.erasure_subject TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.face TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.face TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.face_erasure TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.face_erasure TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.face_rejection TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.face_rejection TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.face_scan TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.face_scan TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.face_suggestion TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.face_suggestion TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file TO atrium_app;
GRANT SELECT ON TABLE public.file TO atrium_search;
GRANT SELECT,DELETE ON TABLE public.file TO atrium_definer;

GRANT UPDATE(file_deprecated) ON TABLE public.file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_analysis TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_analysis TO atrium_definer;
GRANT SELECT ON TABLE public.file_analysis TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_blob TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_blob TO atrium_definer;
GRANT SELECT ON TABLE public.file_blob TO atrium_search;

GRANT SELECT ON TABLE public.file_day TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_day TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.file_day_delta TO atrium_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.file_day_delta TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.file_history TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_history TO atrium_definer;

GRANT UPDATE(fh_details) ON TABLE public.file_history TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_job TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_job TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.file_phash_band TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_phash_band TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_pin TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_pin TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_pref TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_pref TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.file_rights_notice TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_rights_notice TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_search_text TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.file_search_text TO atrium_definer;
GRANT SELECT ON TABLE public.file_search_text TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_tag TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_tag TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.file_tag_refusal TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_tag_refusal TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_text TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_text TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_version TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.file_version TO atrium_definer;

GRANT SELECT ON TABLE public.file_word TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.file_word TO atrium_definer;
GRANT SELECT ON TABLE public.file_word TO atrium_search;

GRANT SELECT,INSERT ON TABLE public.file_word_delta TO atrium_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.file_word_delta TO atrium_definer;
GRANT SELECT ON TABLE public.file_word_delta TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_migration TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_migration TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_number TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_number TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_number_range TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_number_range TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_revision_log TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_revision_log TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_unique TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_unique TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.form_value TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.form_value TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_key TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.idempotency_key TO atrium_definer;

GRANT UPDATE(idem_created) ON TABLE public.idempotency_key TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.import_batch TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.import_batch TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.invitation TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.invitation TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.issuer TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.issuer TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.issuer_keys TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.issuer_keys TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.job_turn TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.job_worker TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_base TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.knowledge_base TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_base_tally TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_base_tally TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_crawl TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.knowledge_crawl TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_job TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.knowledge_job TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_job_fault TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.knowledge_job_fault TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_record TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.knowledge_record TO atrium_definer;
GRANT SELECT ON TABLE public.knowledge_record TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.knowledge_record_version TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.knowledge_record_version TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.legal_hold TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.legal_hold TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.licence TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.licence TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_analysis_schema TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.media_analysis_schema TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_status_flow TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.media_status_flow TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_tag TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.media_tag TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_tag_group TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.media_tag_group TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.media_tag_word TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.media_tag_word TO atrium_definer;
GRANT SELECT ON TABLE public.media_tag_word TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memory TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.memory TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memory_forgotten TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.memory_forgotten TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.message TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.message TO atrium_definer;
GRANT SELECT ON TABLE public.message TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.message_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.message_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.model_provider TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.model_provider TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.node TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.node TO atrium_definer;
GRANT SELECT ON TABLE public.node TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.node_locale TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.node_locale TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.node_reference TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.node_reference TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object TO atrium_definer;
GRANT SELECT ON TABLE public.object TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_flow TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_flow TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_import TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_import TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_import_fault TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_import_fault TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_revision TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_revision TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_source TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_source TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_source_removal TO atrium_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.object_source_removal TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_sync_row TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_sync_row TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_sync_run TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_sync_run TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_sync_seen TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_sync_seen TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.object_transition TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.object_transition TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.operator_call TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_part TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.page_part TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_publication TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.page_publication TO atrium_definer;
GRANT SELECT ON TABLE public.page_publication TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_snapshot TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.page_snapshot TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_snapshot_ref TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.page_snapshot_ref TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.page_version TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.page_version TO atrium_definer;

GRANT SELECT ON TABLE public.partition_plan TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passage TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.passage TO atrium_definer;
GRANT SELECT ON TABLE public.passage TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passage_scope TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.passage_scope TO atrium_definer;
GRANT SELECT ON TABLE public.passage_scope TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.passage_source TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.passage_source TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.person TO atrium_app;
GRANT SELECT,DELETE,UPDATE ON TABLE public.person TO atrium_definer;
GRANT SELECT ON TABLE public.person TO atrium_search;

GRANT SELECT,INSERT,DELETE ON TABLE public.person_merge TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.person_merge TO atrium_definer;

GRANT UPDATE(pm_record) ON TABLE public.person_merge TO atrium_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.person_pref TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.person_pref TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.preview_link TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.preview_link TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.privacy_request TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.privacy_request TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.prompt TO atrium_definer;
GRANT SELECT ON TABLE public.prompt TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_category TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.prompt_category TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_category_link TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.prompt_category_link TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_revision TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.prompt_revision TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.prompt_wildcard TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.prompt_wildcard TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publication TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publication TO atrium_definer;
GRANT SELECT ON TABLE public.publication TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publication_history TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publication_history TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publication_restriction TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publication_restriction TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publication_stat TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publication_stat TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publish_schedule TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publish_schedule TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.publish_schedule_node TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.publish_schedule_node TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rate_count TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.rate_override TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.rate_override TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refresh_replay TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refresh_token TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.request_strike TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.retention_check TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.retention_check TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.retention_held TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.retention_held TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.retention_look TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.retention_look TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.retention_policy TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.retention_policy TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.retention_run TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.retention_run TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.role TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.run TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run_step TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.run_step TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.run_tool_call TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.run_tool_call TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.saved_search TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.saved_search TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.schedule TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.seal_key TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_device TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_device TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_download TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_download TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_event TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_link TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_link TO atrium_definer;
GRANT SELECT ON TABLE public.share_link TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_token TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_token TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_upload TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_upload TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_verdict TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_verdict TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.share_visit TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.share_visit TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_throttle TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.site TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.site TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.site_redirect TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.site_redirect TO atrium_definer;

GRANT SELECT,INSERT,UPDATE ON TABLE public.social_api_version TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_attempt TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_attempt TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_auth TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_auth TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_connection TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_connection TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_metric TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_metric TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_post TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_post TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_post_file TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_post_file TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_slot TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_slot TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_target TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_target TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.social_variant TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.social_variant TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.space TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.space TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.space_member TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.space_member TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.stock_import TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.stock_import TO atrium_definer;

GRANT UPDATE(si_told) ON TABLE public.stock_import TO atrium_app;

GRANT SELECT ON TABLE public.storage_consumption TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_consumption TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.storage_delta TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_delta TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_person TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.storage_person TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_provider TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.storage_provider TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.storage_quota TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.storage_quota TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.storage_snapshot TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.storage_snapshot TO atrium_definer;

GRANT SELECT,INSERT,DELETE ON TABLE public.stream_event TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.stream_event TO atrium_definer;

GRANT UPDATE(se_event) ON TABLE public.stream_event TO atrium_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.stream_fence TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.stream_fence TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.taxonomy TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.taxonomy TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.term TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.term TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.thread TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.thread TO atrium_definer;
GRANT SELECT ON TABLE public.thread TO atrium_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.thread_grant TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.thread_grant TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.thread_presence TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.thread_presence TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.upload TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.upload TO atrium_definer;

GRANT SELECT ON TABLE public.usage_cells TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_cells TO atrium_definer;

GRANT SELECT ON TABLE public.usage_daily TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_daily TO atrium_definer;

GRANT SELECT ON TABLE public.usage_days TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_days TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.usage_delta TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_delta TO atrium_definer;

GRANT SELECT ON TABLE public.usage_horizon TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_horizon TO atrium_definer;

GRANT SELECT ON TABLE public.usage_hourly TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_hourly TO atrium_definer;

GRANT SELECT ON TABLE public.usage_reversal TO atrium_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.usage_reversal TO atrium_definer;

GRANT SELECT,INSERT ON TABLE public.usage_sources TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_sources TO atrium_definer;

GRANT SELECT ON TABLE public.usage_thin TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_thin TO atrium_definer;

GRANT SELECT,DELETE,UPDATE ON TABLE public.usage_unreported TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_unreported TO atrium_definer;

GRANT SELECT,DELETE,UPDATE ON TABLE public.usage_untold TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usage_untold TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vector_entry TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.vector_entry TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.wildcard TO atrium_app;
GRANT SELECT,DELETE ON TABLE public.wildcard TO atrium_definer;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_user TO atrium_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workspace_user TO atrium_definer;
GRANT SELECT ON TABLE public.workspace_user TO atrium_search;
