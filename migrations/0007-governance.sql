-- The access log: one row a finished request of a known workspace, one partition a month. The definer role owns it,
-- because it makes and drops the months; the service may read it, and write through access_log_append alone.
CREATE TABLE access_log (
  tenant_id           uuid NOT NULL,
  log_id              uuid NOT NULL,
  log_timestamp       timestamptz(3) NOT NULL,
  log_user            uuid,
  log_key             uuid,
  log_extension       uuid,
  log_session         uuid,
  log_principal       text NOT NULL CHECK (log_principal IN ('person', 'service', 'extension', 'user_via_extension', 'public')),
  log_method          text NOT NULL,
  log_url             text NOT NULL,
  log_route           text,
  log_operation       text,
  log_params          jsonb,
  log_query           jsonb,
  log_body            jsonb,
  log_status          integer NOT NULL,
  log_code            text,
  log_duration_ms     double precision NOT NULL,
  log_bytes_in        bigint,
  log_bytes_out       bigint,
  log_ip              text,
  log_user_agent      text,
  log_request_id      text NOT NULL,
  log_trace_id        text,
  log_idempotency_key text,
  log_replayed        boolean,
  log_permission      text,
  PRIMARY KEY (tenant_id, log_timestamp, log_id)
) PARTITION BY RANGE (log_timestamp);
CREATE INDEX access_log_user ON access_log (tenant_id, log_user, log_timestamp DESC);
CREATE INDEX access_log_request ON access_log (tenant_id, log_request_id);
CALL make_tenant_table('access_log', 'SELECT');
CREATE TABLE access_log_default PARTITION OF access_log DEFAULT;
ALTER TABLE access_log OWNER TO atrium_definer;
ALTER TABLE access_log_default OWNER TO atrium_definer;

-- Writes a batch of rows of any workspaces; a row that is there already stays, so that a batch may be sent again.
CREATE FUNCTION access_log_append(p_rows jsonb) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ INSERT INTO access_log SELECT * FROM jsonb_populate_recordset(NULL::access_log, p_rows) ON CONFLICT DO NOTHING $$;

-- Makes the months of now and of the two to come, moving rows that came too early out of the default partition, and
-- drops the months that lie wholly behind the days to keep (never fewer than 30).
CREATE FUNCTION access_log_prepare(p_keep_days integer DEFAULT 365) RETURNS TABLE (made integer, dropped integer)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s'
  AS $$
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
$$;

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOREACH f IN ARRAY ARRAY['access_log_append(jsonb)', 'access_log_prepare(integer)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO atrium_definer', f);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO atrium_app', f);
  END LOOP;
END
$$;
SELECT access_log_prepare();
