-- The access log keeps the shape of what is written, unless a route says by name that it keeps more. Rows from before that hold
-- values: workers shape them, a page at a time, so that neither a migration nor a lock takes long.

-- JSON without what it says; a shape stays as it is, so that a page may be done twice.
CREATE FUNCTION access_log_shape(p_value jsonb) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
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
$$;

-- A body as its shape; of one that was too large to be kept, the note on it.
CREATE FUNCTION access_log_body_shape(p_body jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp
  AS $$
    SELECT CASE WHEN p_body @> '{"_truncated": true}' AND jsonb_typeof(p_body -> '_keys') = 'array' AND p_body ? '_bytes' AND (SELECT count(*) FROM jsonb_object_keys(p_body)) = 3
                THEN p_body ELSE access_log_shape(p_body) END
  $$;

-- A query without what it says of content: ids, days, truth values and the size of the page stay.
CREATE FUNCTION access_log_query_shape(p_query jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = public, pg_temp
  AS $$
    SELECT CASE WHEN jsonb_typeof(p_query) <> 'object' THEN access_log_shape(p_query) ELSE (
      SELECT coalesce(jsonb_object_agg(key, CASE
        WHEN (key IN ('limit', 'limit_extended', 'offset') AND value #>> '{}' ~ '^\d{1,9}$')
          OR (key = 'sort' AND value #>> '{}' ~ '^-?[a-z_]{1,60}$')
          OR (key !~ '\[' AND value::text ~* '^(\[)?("([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|true|false|\d{4}-\d{2}-\d{2}(T[\d:.]{5,18}(Z|[+ -]\d{2}:?\d{2})?)?)"(, )?){1,20}(\])?$')
        THEN value ELSE access_log_shape(value) END), '{}') FROM jsonb_each(p_query)) END
  $$;
REVOKE ALL ON FUNCTION access_log_shape(jsonb), access_log_body_shape(jsonb), access_log_query_shape(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access_log_shape(jsonb), access_log_body_shape(jsonb), access_log_query_shape(jsonb) TO atrium_definer;

-- How far each month has come. The month at hand is passed over again a day later: processes of the version before may have
-- written to it meanwhile.
CREATE TABLE access_log_scrubbing (
  scrub_part   text PRIMARY KEY,
  scrub_tenant uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  scrub_time   timestamptz(3) NOT NULL DEFAULT '-infinity',
  scrub_id     uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  scrub_due    timestamptz(3) DEFAULT now(),
  scrub_again  timestamptz(3)
);
INSERT INTO access_log_scrubbing (scrub_part, scrub_again)
SELECT c.relname, CASE WHEN c.relname = 'access_log_default' OR c.relname >= 'access_log_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM') THEN now() + interval '1 day' END
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'access_log'::regclass;
GRANT SELECT, UPDATE ON access_log_scrubbing TO atrium_definer;

-- Shapes the next rows of the log; how many were looked at, none when nothing is left to do for now. Workers never share a month.
CREATE FUNCTION access_log_scrub(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
$$;
CALL make_definer('access_log_scrub(integer)');
