-- Every function names where it looks: what restores a dump (pg_restore, psql, pg_upgrade) sets an empty search path, under
-- which `file_color_cells`, behind a stored column of `file`, did not find `file_labs`, and the table could not be made.
-- Functions that PostgreSQL writes out in the statement that calls them have a body of the SQL standard, whose names are
-- resolved when it is made: a `SET` would make a call of each. A change of what such a body names replaces the function too
-- (`budgets_of` after a column is added to `budget`).
CREATE OR REPLACE FUNCTION file_number(written jsonb) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE WHEN jsonb_typeof(written) = 'number' AND abs(written::numeric) < 1e300 THEN written::double precision END;

CREATE OR REPLACE FUNCTION file_family(type text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
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
    END;

CREATE OR REPLACE FUNCTION file_color_cells(colors jsonb) RETURNS integer[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT array_agg(DISTINCT lab_cell(labs[3 * i - 2], labs[3 * i - 1], labs[3 * i])) FROM (SELECT file_labs(colors) AS labs) x, generate_series(1, cardinality(labs) / 3) i;
  END;

CREATE OR REPLACE FUNCTION hash_of_look(metadata jsonb) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN metadata #>> '{system,phash}' ~ '^[0-9a-f]{16}$' THEN ('x' || (metadata #>> '{system,phash}'))::bit(64)::bigint END;

CREATE OR REPLACE FUNCTION phash_bands(hash bigint) RETURNS SETOF integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT (n << 16) | ((hash >> (48 - 16 * n)) & 65535)::integer FROM generate_series(0, 3) AS n;
  END;

CREATE OR REPLACE FUNCTION phash_probes(hash bigint) RETURNS integer[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT array_agg(b # mask ORDER BY b, mask) FROM phash_bands(hash) AS b, (SELECT 0 AS mask UNION ALL SELECT 1 << n FROM generate_series(0, 15) AS n) AS m;
  END;

CREATE OR REPLACE FUNCTION name_words(name text) RETURNS SETOF text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT ROWS 3
  BEGIN ATOMIC
    SELECT DISTINCT left(m[1], 64) FROM regexp_matches(lower(name), '[[:alpha:]]{3,}', 'g') m;
  END;

CREATE OR REPLACE FUNCTION time_ordered_id() RETURNS uuid
  LANGUAGE sql PARALLEL SAFE
  RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;

CREATE OR REPLACE FUNCTION local_start(p_local timestamp, p_zone text) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN (p_local AT TIME ZONE p_zone) AT TIME ZONE p_zone = p_local AND ((p_local AT TIME ZONE p_zone) - interval '3 hours') AT TIME ZONE p_zone = p_local - interval '3 hours' THEN p_local AT TIME ZONE p_zone
    -- Clocks change about then: every quarter of an hour is looked at.
    ELSE (SELECT min(at) FROM (SELECT (p_local AT TIME ZONE p_zone) + step * interval '15 minutes' AS at FROM generate_series(-12, 12) step) around WHERE at AT TIME ZONE p_zone >= p_local)
  END;

CREATE OR REPLACE FUNCTION budget_subject(p_scope text, p_user uuid) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN p_scope = 'each_user' THEN p_user ELSE '00000000-0000-0000-0000-000000000000'::uuid END;

CREATE OR REPLACE FUNCTION budget_window(p_period text, p_zone text, p_at timestamptz) RETURNS TABLE(window_from timestamptz, window_to timestamptz)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT CASE WHEN p_period = 'total' THEN timestamptz '1970-01-01 00:00:00+00' ELSE date_trunc(p_period, p_at AT TIME ZONE p_zone) AT TIME ZONE p_zone END,
             CASE WHEN p_period = 'total' THEN timestamptz '9999-01-01 00:00:00+00' ELSE (date_trunc(p_period, p_at AT TIME ZONE p_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_zone END;
  END;

CREATE OR REPLACE FUNCTION budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) RETURNS SETOF budget
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT b.* FROM (
        VALUES ('workspace', ''), ('each_user', CASE WHEN p_user IS NOT NULL THEN '' END), ('user', p_user::text), ('agent', p_agent::text), ('prompt', p_prompt::text), ('key', p_key::text), ('extension', p_extension::text)
        UNION ALL SELECT 'role', l.role_id::text FROM user_role_link l WHERE l.tenant_id = p_tenant AND l.user_id = p_user
        UNION ALL SELECT 'param', unnest(p_params)
      ) AS s (scope, target)
      CROSS JOIN LATERAL (SELECT * FROM budget b WHERE b.tenant_id = p_tenant AND b.bud_scope = s.scope AND coalesce(b.bud_target, '') = s.target OFFSET 0) b;
  END;

CREATE OR REPLACE FUNCTION cost_at(p_tenant uuid, p_param text, p_details text, p_at timestamptz) RETURNS TABLE(cost_id uuid, price numeric)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT c.cost_id, c.price FROM (
        SELECT w.cost_id, w.cost_credits_per_unit AS price, CASE WHEN w.cost_details IS NULL THEN 2 ELSE 1 END AS rank FROM workspace_cost w
        WHERE w.tenant_id = p_tenant AND w.cost_param = p_param AND (w.cost_details IS NULL OR w.cost_details = p_details) AND w.cost_valid_from <= p_at AND (w.cost_valid_to IS NULL OR w.cost_valid_to > p_at)
        UNION ALL
        SELECT p.cost_id, p.cost_credits_per_unit, CASE WHEN p.cost_details IS NULL THEN 4 ELSE 3 END FROM platform_cost p
        WHERE p.cost_param = p_param AND (p.cost_details IS NULL OR p.cost_details = p_details) AND p.cost_valid_from <= p_at AND (p.cost_valid_to IS NULL OR p.cost_valid_to > p_at)
      ) c ORDER BY c.rank LIMIT 1;
  END;

CREATE OR REPLACE FUNCTION credit_state(p_tenant uuid) RETURNS TABLE(credit_balance numeric, credit_held numeric, credit_available numeric, credit_policy text, credit_low_percent integer, credit_low boolean, credit_updated timestamptz)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT s.balance, s.held, s.balance - s.held, s.policy, s.percent, s.balance - s.held <= 0 OR s.balance - s.held < s.alive * s.percent / 100, s.updated
      FROM (
        SELECT coalesce(b.credit_balance, 0) AS balance, coalesce(b.credit_policy, 'enforced') AS policy, coalesce(b.credit_low_percent, 20) AS percent, b.credit_updated AS updated,
          (SELECT coalesce(sum(h.hold_credits), 0) FROM credit_hold h WHERE h.tenant_id = p_tenant AND h.hold_settled_at IS NULL AND h.hold_expires_at > clock_timestamp()) AS held,
          (SELECT coalesce(sum(g.grant_credits), 0) FROM credit_grant g WHERE g.tenant_id = p_tenant AND g.grant_state = 'active') AS alive
        FROM (VALUES (1)) AS one (n) LEFT JOIN credit_balance b ON b.tenant_id = p_tenant
      ) s;
  END;

CREATE OR REPLACE FUNCTION address_pattern(p_email text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '((?<![A-Za-z0-9._+-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4})|(?<=%[0-9A-Fa-f]{2}))' || replace(regexp_replace(p_email, '([^A-Za-z0-9@])', '\\\1', 'g'), '@', '(@|%40)') || '(?![A-Za-z0-9-]|\.[A-Za-z0-9])';

CREATE OR REPLACE FUNCTION without_address(p_text text, p_email text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(p_text, address_pattern(p_email), '[erased]', 'gi');

CREATE OR REPLACE FUNCTION access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN p_url || E'\n' || coalesce(p_query::text, '') || E'\n' || coalesce(p_params::text, '') || E'\n' || coalesce(p_body::text, '');

CREATE OR REPLACE FUNCTION access_log_without_ids(p_text text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(p_text, '(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])', '', 'g');

CREATE OR REPLACE FUNCTION access_log_ids(p_text text) RETURNS uuid[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT array_agg(DISTINCT lower(m[1])::uuid)
      FROM regexp_matches(p_text, '(?<![0-9A-Za-z])([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Za-z])', 'g') m;
  END;

CREATE OR REPLACE FUNCTION access_log_narrowed(p_needle text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce((SELECT string_agg(format(' AND (l.log_ids @> %L::uuid[] OR l.log_text ILIKE %L)', ARRAY[i], '%' || i || '%'), '') FROM unnest(access_log_ids(p_needle)) i), '')
        || coalesce((SELECT string_agg(format(' AND l.log_text ILIKE %L', '%' || w.word || '%'), '')
                     FROM (SELECT DISTINCT m[1] AS word, length(m[1]) FROM regexp_matches(access_log_without_ids(p_needle), '([0-9A-Za-z\u0080-\U0010FFFF]{3,})', 'g') m
                           WHERE m[1] !~ '^[0-9A-Fa-f]{1,12}$' AND lower(m[1]) <> 'api' ORDER BY 2 DESC, 1 LIMIT 5) w), '');

-- All others, one call each: under another search path while they run.
ALTER PROCEDURE make_tenant_table(regclass,text) SET search_path = public, pg_temp;
ALTER PROCEDURE make_searchable(regclass) SET search_path = public, pg_temp;
ALTER FUNCTION raise_authz_version() SET search_path = public, pg_temp;
ALTER FUNCTION raise_own_authz_version() SET search_path = public, pg_temp;
ALTER FUNCTION acl_level(jsonb,uuid,uuid[],uuid[]) SET search_path = public, pg_temp;
ALTER FUNCTION count_album_files() SET search_path = public, pg_temp;
ALTER PROCEDURE make_definer(regprocedure,name) SET search_path = public, pg_temp;
ALTER FUNCTION demand_stamp(text,text) SET search_path = public, pg_temp;
ALTER FUNCTION raise_account_version() SET search_path = public, pg_temp;
ALTER FUNCTION raise_version_of_session() SET search_path = public, pg_temp;
ALTER FUNCTION tell_memberships_of_mfa() SET search_path = public, pg_temp;
ALTER FUNCTION raise_authz_version_once() SET search_path = public, pg_temp;
ALTER FUNCTION tenant_tables() SET search_path = public, pg_temp;
ALTER FUNCTION workspace_at_work() SET search_path = public, pg_temp;
ALTER FUNCTION ws_may_purge(uuid) SET search_path = public, pg_temp;
ALTER FUNCTION announce_key_anew() SET search_path = public, pg_temp;
ALTER FUNCTION announce_licence_anew() SET search_path = public, pg_temp;
ALTER FUNCTION auth_tell(uuid,text,uuid,jsonb) SET search_path = public, pg_temp;
ALTER PROCEDURE make_inner(regprocedure) SET search_path = public, pg_temp;
ALTER FUNCTION credit_tell(uuid,text,uuid,jsonb,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION credit_note(uuid,text,numeric,uuid,uuid,text) SET search_path = public, pg_temp;
ALTER FUNCTION credit_take(uuid,text,numeric,uuid,text) SET search_path = public, pg_temp;
ALTER FUNCTION credit_catch_up(uuid,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION credit_plan(uuid,credit_grant) SET search_path = public, pg_temp;
ALTER FUNCTION credit_enter(uuid,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION credit_watch(uuid,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION budget_binds(budget,uuid,uuid,uuid,uuid,uuid) SET search_path = public, pg_temp;
ALTER FUNCTION budget_tell(budget,uuid,timestamptz,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION budget_add(budget,uuid,timestamptz,timestamptz,numeric) SET search_path = public, pg_temp;
ALTER FUNCTION budget_count(usage_entry,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION budget_sums(budget,timestamptz,timestamptz) SET search_path = public, pg_temp;
ALTER FUNCTION usage_write(usage_entry) SET search_path = public, pg_temp;
ALTER FUNCTION storage_reserve(bigint,uuid) SET search_path = public, pg_temp;
ALTER FUNCTION storage_watch(jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION storage_settle(jsonb,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION file_instant(text) SET search_path = public, pg_temp;
ALTER FUNCTION color_lab(text) SET search_path = public, pg_temp;
ALTER FUNCTION file_labs(jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION labs_near(double precision[],double precision[],double precision) SET search_path = public, pg_temp;
ALTER FUNCTION keep_file_words() SET search_path = public, pg_temp;
ALTER FUNCTION place_album() SET search_path = public, pg_temp;
ALTER FUNCTION place_albums_below() SET search_path = public, pg_temp;
ALTER FUNCTION date_album_file() SET search_path = public, pg_temp;
ALTER FUNCTION keep_phash_bands() SET search_path = public, pg_temp;
ALTER FUNCTION keep_tag_words() SET search_path = public, pg_temp;
ALTER FUNCTION group_file_tag() SET search_path = public, pg_temp;
ALTER FUNCTION tag_words_of(uuid,uuid) SET search_path = public, pg_temp;
ALTER FUNCTION count_file_tags(uuid,jsonb,jsonb) SET search_path = public, pg_temp;
ALTER FUNCTION count_tags_added() SET search_path = public, pg_temp;
ALTER FUNCTION count_tags_removed() SET search_path = public, pg_temp;
ALTER FUNCTION count_tags_changed() SET search_path = public, pg_temp;
ALTER FUNCTION count_group_tags() SET search_path = public, pg_temp;
ALTER FUNCTION count_person_faces(uuid,uuid[]) SET search_path = public, pg_temp;
ALTER FUNCTION count_faces_added() SET search_path = public, pg_temp;
ALTER FUNCTION count_faces_removed() SET search_path = public, pg_temp;
ALTER FUNCTION count_faces_changed() SET search_path = public, pg_temp;
ALTER FUNCTION link_restrictions() SET search_path = public, pg_temp;
ALTER FUNCTION count_publications() SET search_path = public, pg_temp;
ALTER FUNCTION read_blob_facts() SET search_path = public, pg_temp;
ALTER FUNCTION tell_blob_facts() SET search_path = public, pg_temp;
ALTER FUNCTION tell_file_holds() SET search_path = public, pg_temp;
ALTER FUNCTION tell_files_come() SET search_path = public, pg_temp;
ALTER FUNCTION tell_files_go() SET search_path = public, pg_temp;
ALTER FUNCTION tell_file_day() SET search_path = public, pg_temp;
ALTER FUNCTION tell_file_words() SET search_path = public, pg_temp;
ALTER FUNCTION files_holding(text[],text,text,text,integer) SET search_path = public, pg_temp;
ALTER FUNCTION words_like(text,text,integer) SET search_path = public, pg_temp;
ALTER FUNCTION files_spelt_like(text,text,text,integer) SET search_path = public, pg_temp;
