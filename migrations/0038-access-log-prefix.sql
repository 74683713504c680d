-- Every path of the service begins alike. What they begin with says nothing and was a third of what a plain request put into
-- the index over text: the service leaves it out, and no search is narrowed by it.
CREATE OR REPLACE FUNCTION access_log_narrowed(p_needle text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT coalesce((SELECT string_agg(format(' AND (l.log_ids @> %L::uuid[] OR l.log_text ILIKE %L)', ARRAY[i], '%' || i || '%'), '') FROM unnest(access_log_ids(p_needle)) i), '')
        || coalesce((SELECT string_agg(format(' AND l.log_text ILIKE %L', '%' || w.word || '%'), '')
                     FROM (SELECT DISTINCT m[1] AS word, length(m[1]) FROM regexp_matches(access_log_without_ids(p_needle), '([0-9A-Za-z\u0080-\U0010FFFF]{3,})', 'g') m
                           WHERE m[1] !~ '^[0-9A-Fa-f]{1,12}$' AND lower(m[1]) <> 'api' ORDER BY 2 DESC, 1 LIMIT 5) w), '')
  $$;

-- Writes a batch of rows of any workspaces; a row that is there already stays, so that a batch may be sent again. That is
-- looked for only when it happens: speculative insertion costs each row a second record of the write-ahead log. Each
-- connection plans the statements once.
CREATE OR REPLACE FUNCTION access_log_write(p_rows access_log_line[]) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
