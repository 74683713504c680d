-- Tables by month: which there are, by which column, and how many days no setting can undercut.
CREATE TABLE partition_plan (
  part_table    name PRIMARY KEY,
  part_key      name NOT NULL,
  part_keep_min integer NOT NULL CHECK (part_keep_min > 0)
);
GRANT SELECT ON partition_plan TO atrium_definer;
INSERT INTO partition_plan (part_table, part_key, part_keep_min)
VALUES ('access_log', 'log_timestamp', 30), ('audit_event', 'aud_timestamp', 365), ('usage_entry', 'usage_timestamp', 400);

-- Substrings are searched over one column, through the function of the search role: see audit_search.
ALTER TABLE access_log ADD COLUMN log_sampled boolean NOT NULL DEFAULT false;
ALTER TABLE access_log ADD COLUMN log_text text
  GENERATED ALWAYS AS (log_url || E'\n' || coalesce(log_query::text, '') || E'\n' || coalesce(log_params::text, '') || E'\n' || coalesce(log_body::text, '')) STORED;
CREATE INDEX access_log_text ON access_log USING gin (tenant_id, log_text gin_trgm_ops);
CREATE INDEX access_log_duration ON access_log (tenant_id, log_duration_ms, log_id);
CALL make_searchable('access_log');

-- Writes a batch of rows of any workspaces; a row that is there already stays, so that a batch may be sent again.
CREATE OR REPLACE FUNCTION access_log_append(p_rows jsonb) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
  INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
                          log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission, log_sampled)
  SELECT tenant_id, log_id, log_timestamp, log_user, log_key, log_extension, log_session, log_principal, log_method, log_url, log_route, log_operation, log_params, log_query, log_body,
         log_status, log_code, log_duration_ms, log_bytes_in, log_bytes_out, log_ip, log_user_agent, log_request_id, log_trace_id, log_idempotency_key, log_replayed, log_permission, coalesce(log_sampled, false)
  FROM jsonb_populate_recordset(NULL::access_log, p_rows)
  ON CONFLICT DO NOTHING
$$;

-- Rows of the workspace whose path, query, parameters or body hold a text, by LIKE patterns; those that are null are not
-- asked. Planned anew for each pattern, because what an index is worth depends on it.
CREATE FUNCTION audit_search(p_url text, p_query text, p_params text, p_body text, p_from timestamptz, p_to timestamptz) RETURNS TABLE (log_timestamp timestamptz, log_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
  AS $$
BEGIN
  RETURN QUERY EXECUTE 'SELECT l.log_timestamp, l.log_id FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp BETWEEN $5 AND $6'
    || CASE WHEN p_url IS NOT NULL THEN ' AND l.log_text ILIKE $1 AND l.log_url ILIKE $1' ELSE '' END
    || CASE WHEN p_query IS NOT NULL THEN ' AND l.log_text ILIKE $2 AND l.log_query::text ILIKE $2' ELSE '' END
    || CASE WHEN p_params IS NOT NULL THEN ' AND l.log_text ILIKE $3 AND l.log_params::text ILIKE $3' ELSE '' END
    || CASE WHEN p_body IS NOT NULL THEN ' AND l.log_text ILIKE $4 AND l.log_body::text ILIKE $4' ELSE '' END
    USING p_url, p_query, p_params, p_body, p_from, p_to;
END
$$;
CALL make_definer('audit_search(text, text, text, text, timestamptz, timestamptz)', 'atrium_search');

-- Audit events: by their id, by their seal, and those that have none yet.
CREATE INDEX audit_event_id ON audit_event (tenant_id, aud_id);
CREATE INDEX audit_event_seal ON audit_event (tenant_id, aud_seal, aud_id);
CREATE INDEX audit_event_unsealed ON audit_event (tenant_id) WHERE aud_seal IS NULL;

-- A seal over some events, chained to the one before it and signed.
CREATE TABLE audit_seal (
  tenant_id      uuid NOT NULL,
  seal_id        uuid NOT NULL,
  seal_seq       integer NOT NULL CHECK (seal_seq > 0),
  seal_from      timestamptz(3) NOT NULL,
  seal_to        timestamptz(3) NOT NULL,
  seal_count     integer NOT NULL CHECK (seal_count > 0),
  seal_root      text NOT NULL,
  seal_prev      text,
  seal_signature text NOT NULL,
  seal_created   timestamptz(3) NOT NULL,
  -- Since when its events, or some of them, are gone by retention.
  seal_removed   timestamptz(3),
  PRIMARY KEY (tenant_id, seal_id),
  UNIQUE (tenant_id, seal_seq)
);
CALL make_tenant_table('audit_seal', 'SELECT');

-- The keys that sign seals; the private part is sealed at rest. The newest one that can be opened signs.
CREATE TABLE seal_key (
  sk_id             uuid PRIMARY KEY,
  sk_public         text NOT NULL,
  sk_private_sealed text NOT NULL,
  sk_created        timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON seal_key TO atrium_definer;
GRANT SELECT, INSERT, UPDATE ON audit_seal TO atrium_definer;

CREATE FUNCTION seal_keys() RETURNS TABLE (sk_id uuid, sk_public text, sk_private_sealed text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT k.sk_id, k.sk_public, k.sk_private_sealed FROM seal_key k ORDER BY k.sk_created DESC, k.sk_id DESC $$;
CALL make_definer('seal_keys()');

-- Adds a key unless another one came after the newest that the caller knew.
CREATE FUNCTION seal_key_add(p_id uuid, p_public text, p_private_sealed text, p_newest uuid) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('seal_key'));
  IF (SELECT k.sk_id FROM seal_key k ORDER BY k.sk_created DESC, k.sk_id DESC LIMIT 1) IS DISTINCT FROM p_newest THEN RETURN false; END IF;
  INSERT INTO seal_key (sk_id, sk_public, sk_private_sealed) VALUES (p_id, p_public, p_private_sealed);
  RETURN true;
END
$$;
CALL make_definer('seal_key_add(uuid, text, text, uuid)');

-- The workspaces with events that no seal covers, a page at a time.
CREATE FUNCTION audit_unsealed(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT DISTINCT e.tenant_id FROM audit_event e WHERE e.aud_seal IS NULL AND (p_after IS NULL OR e.tenant_id > p_after) ORDER BY 1 LIMIT p_limit $$;
CALL make_definer('audit_unsealed(uuid, integer)');

-- Adds the next seal of a workspace and marks its events; false when another seal was faster. Nothing else ever changes an event.
CREATE FUNCTION audit_seal_add(p_seal jsonb, p_ids uuid[]) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CALL make_definer('audit_seal_add(jsonb, uuid[])');

-- Removes the events of whole seals that ended before a moment, oldest first, some p_limit events at a time; how many. The seals stay and say so.
CREATE FUNCTION audit_purge(p_tenant uuid, p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  s audit_seal;
  removed integer := 0;
  gone integer;
BEGIN
  FOR s IN SELECT * FROM audit_seal a WHERE a.tenant_id = p_tenant AND a.seal_removed IS NULL AND a.seal_to < least(p_before, now() - interval '365 days') ORDER BY a.seal_seq LOOP
    DELETE FROM audit_event e WHERE e.tenant_id = p_tenant AND e.aud_seal = s.seal_id;
    GET DIAGNOSTICS gone = ROW_COUNT;
    UPDATE audit_seal a SET seal_removed = now() WHERE a.tenant_id = p_tenant AND a.seal_id = s.seal_id;
    removed := removed + gone;
    EXIT WHEN removed >= p_limit;
  END LOOP;
  RETURN removed;
END
$$;
CALL make_definer('audit_purge(uuid, timestamptz, integer)');

-- Makes the months of now and of the three to come of a planned table, and drops those that lie wholly behind the days to
-- keep; null keeps everything.
CREATE FUNCTION partitions_prepare(p_table name, p_keep_days integer) RETURNS TABLE (made integer, dropped integer)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
DECLARE
  plan partition_plan;
  part text;
  horizon timestamptz;
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
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  EXECUTE format('DELETE FROM %I WHERE %I < %L', plan.part_table || '_default', plan.part_key, horizon);
  IF plan.part_table = 'audit_event' THEN
    UPDATE audit_seal a SET seal_removed = now() WHERE a.seal_removed IS NULL AND a.seal_from < horizon;
  END IF;
  RETURN NEXT;
END
$$;
CALL make_definer('partitions_prepare(name, integer)');

-- Every planned table with its months, the last of them, and the rows that lie in no month.
CREATE FUNCTION partitions_overview() RETURNS TABLE (part_table name, part_count integer, part_last text, part_default_rows bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  FOR part_table IN SELECT p.part_table FROM partition_plan p WHERE to_regclass(p.part_table::text) IS NOT NULL ORDER BY 1 LOOP
    SELECT count(*), max(right(c.relname, 7)) INTO part_count, part_last FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = part_table::text::regclass AND c.relname ~ ('^' || part_table || '_\d{4}_\d{2}$');
    EXECUTE format('SELECT count(*) FROM %I', part_table || '_default') INTO part_default_rows;
    RETURN NEXT;
  END LOOP;
END
$$;
CALL make_definer('partitions_overview()');

DROP FUNCTION access_log_prepare(integer);
SELECT partitions_prepare(part_table, NULL) FROM partition_plan;
