-- What a row of the access log costs to write is above all its index over text. Ids make up most of its trigrams, each of
-- them new: they are left out of the indexed text and kept beside it, and the service says both with a row.

-- The parts of a row that are searched, as one text; what of it is indexed; and the ids in it. An id is five groups joined
-- by hyphens that no letter or digit adjoins.
CREATE FUNCTION access_log_whole(p_url text, p_query jsonb, p_params jsonb, p_body jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT p_url || E'\n' || coalesce(p_query::text, '') || E'\n' || coalesce(p_params::text, '') || E'\n' || coalesce(p_body::text, '') $$;
CREATE FUNCTION access_log_without_ids(p_text text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT regexp_replace(p_text, '(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])', '', 'g') $$;
CREATE FUNCTION access_log_ids(p_text text) RETURNS uuid[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT array_agg(DISTINCT lower(m[1])::uuid)
    FROM regexp_matches(p_text, '(?<![0-9A-Za-z])([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?![0-9A-Za-z])', 'g') m
  $$;

-- What every text that holds `p_needle` (by ILIKE) has in its index, as conditions on the row `l`; empty when nothing is
-- sure. Words are compared one by one, because the service joins JSON with other blanks than PostgreSQL. A word of up to
-- twelve hexadecimal digits may be a fragment of an id, which no index holds: it narrows nothing, and a needle of such
-- words alone reads the rows of the time that is asked. A whole id may also stand in a longer word, where it is none.
CREATE FUNCTION access_log_narrowed(p_needle text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT coalesce((SELECT string_agg(format(' AND (l.log_ids @> %L::uuid[] OR l.log_text ILIKE %L)', ARRAY[i], '%' || i || '%'), '') FROM unnest(access_log_ids(p_needle)) i), '')
        || coalesce((SELECT string_agg(format(' AND l.log_text ILIKE %L', '%' || w.word || '%'), '')
                     FROM (SELECT DISTINCT m[1] AS word, length(m[1]) FROM regexp_matches(access_log_without_ids(p_needle), '([0-9A-Za-z\u0080-\U0010FFFF]{3,})', 'g') m
                           WHERE m[1] !~ '^[0-9A-Fa-f]{1,12}$' ORDER BY 2 DESC, 1 LIMIT 5) w), '')
  $$;
REVOKE ALL ON FUNCTION access_log_whole(text, jsonb, jsonb, jsonb), access_log_without_ids(text), access_log_ids(text), access_log_narrowed(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access_log_whole(text, jsonb, jsonb, jsonb), access_log_without_ids(text), access_log_ids(text), access_log_narrowed(text) TO atrium_definer, atrium_search;

-- The column is kept by whoever writes. Rows that are there are done as the owner of the table, whom no policy binds.
DROP INDEX access_log_text;
ALTER TABLE access_log ALTER COLUMN log_text DROP EXPRESSION;
ALTER TABLE access_log ADD COLUMN log_ids uuid[];
SET ROLE atrium_definer;
UPDATE access_log l SET log_text = access_log_without_ids(l.log_text), log_ids = access_log_ids(l.log_text) WHERE l.log_text ~ '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-';
RESET ROLE;
CREATE INDEX access_log_text ON access_log USING gin (tenant_id, log_text gin_trgm_ops, log_ids);

-- A row that comes without its text gets it here.
CREATE FUNCTION access_log_complete() RETURNS trigger
  LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  whole CONSTANT text := access_log_whole(NEW.log_url, NEW.log_query, NEW.log_params, NEW.log_body);
BEGIN
  NEW.log_text := access_log_without_ids(whole);
  NEW.log_ids := access_log_ids(whole);
  RETURN NEW;
END
$$;
ALTER FUNCTION access_log_complete() OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION access_log_complete() FROM PUBLIC;
CREATE TRIGGER access_log_complete BEFORE INSERT ON access_log FOR EACH ROW WHEN (NEW.log_text IS NULL) EXECUTE FUNCTION access_log_complete();

-- A row as the service sends it: PostgreSQL reads its own form of rows sooner than JSON.
CREATE TYPE access_log_line AS (
  tenant_id uuid, log_id uuid, log_timestamp timestamptz(3), log_user uuid, log_key uuid, log_extension uuid, log_session uuid, log_principal text, log_method text, log_url text, log_route text,
  log_operation text, log_params jsonb, log_query jsonb, log_body jsonb, log_status integer, log_code text, log_duration_ms double precision, log_bytes_in bigint, log_bytes_out bigint, log_ip text,
  log_user_agent text, log_request_id text, log_trace_id text, log_idempotency_key text, log_replayed boolean, log_permission text, log_sampled boolean, log_text text, log_ids uuid[]);

-- Writes a batch of rows of any workspaces; a row that is there already stays, so that a batch may be sent again. That is
-- looked for only when it happens: speculative insertion costs each row a second record of the write-ahead log.
CREATE FUNCTION access_log_write(p_rows access_log_line[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  conflict text;
BEGIN
  FOREACH conflict IN ARRAY ARRAY['', ' ON CONFLICT DO NOTHING'] LOOP
    BEGIN
      EXECUTE 'INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query,
                                       log_body, log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key,
                                       log_replayed, log_permission, log_sampled, log_text, log_ids)
               SELECT r.* FROM unnest($1) r' || conflict USING p_rows;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
END
$$;
CALL make_definer('access_log_write(access_log_line[])');

-- Rows of the workspace whose path, query, parameters or body hold a text, by LIKE patterns; those that are null are not
-- asked. The index narrows, the part itself decides. Planned anew for each pattern, because what an index is worth depends on it.
CREATE OR REPLACE FUNCTION audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamptz, p_to timestamptz) RETURNS TABLE (log_timestamp timestamptz, log_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
  AS $$
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
$$;

-- Takes a person out of rows of the access log: from where they called, and their address wherever somebody sent it. How many rows were changed.
CREATE OR REPLACE FUNCTION access_log_forget(p_user uuid, p_email text, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found integer;
  mentioned integer := 0;
BEGIN
  UPDATE access_log l SET log_ip = NULL, log_user_agent = NULL FROM (
    SELECT d.log_timestamp, d.log_id FROM access_log d
    WHERE d.tenant_id = current_tenant() AND d.log_user = p_user AND (d.log_ip IS NOT NULL OR d.log_user_agent IS NOT NULL) LIMIT p_limit) due
  WHERE l.tenant_id = current_tenant() AND l.log_timestamp = due.log_timestamp AND l.log_id = due.log_id;
  GET DIAGNOSTICS found = ROW_COUNT;
  IF p_email IS NOT NULL THEN
    EXECUTE 'UPDATE access_log c SET log_url = n.url, log_query = n.query, log_params = n.params, log_body = n.body,
                                     log_text = access_log_without_ids(access_log_whole(n.url, n.query, n.params, n.body)), log_ids = access_log_ids(access_log_whole(n.url, n.query, n.params, n.body))
             FROM (SELECT l.log_timestamp, l.log_id, without_address(l.log_url, $1) AS url, without_address(l.log_query::text, $1)::jsonb AS query,
                          without_address(l.log_params::text, $1)::jsonb AS params, without_address(l.log_body::text, $1)::jsonb AS body
                   FROM access_log l
                   WHERE l.tenant_id = current_tenant() AND access_log_whole(l.log_url, l.log_query, l.log_params, l.log_body) ~* address_pattern($1)' || access_log_narrowed(p_email) || ' LIMIT $2) n
             WHERE c.tenant_id = current_tenant() AND c.log_timestamp = n.log_timestamp AND c.log_id = n.log_id'
      USING p_email, p_limit;
    GET DIAGNOSTICS mentioned = ROW_COUNT;
  END IF;
  RETURN found + mentioned;
END
$$;
