-- Requests that have blocked a process until its watchdog ended it, by the digest of their route and body. They belong to no workspace:
-- some come from callers who have not signed in. A crash of the database may lose them.
CREATE UNLOGGED TABLE request_strike (
  rst_fingerprint text PRIMARY KEY,
  rst_operation   text NOT NULL,
  rst_strikes     integer NOT NULL,
  rst_last        timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_strike TO atrium_definer;

-- Counts a strike; strikes of a day ago are forgotten.
CREATE FUNCTION request_strike(p_fingerprint text, p_operation text) RETURNS integer
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM request_strike WHERE rst_last < clock_timestamp() - interval '1 day' AND rst_fingerprint <> p_fingerprint;
    INSERT INTO request_strike (rst_fingerprint, rst_operation, rst_strikes, rst_last) VALUES (p_fingerprint, p_operation, 1, clock_timestamp())
    ON CONFLICT (rst_fingerprint) DO UPDATE SET rst_last = excluded.rst_last,
      rst_strikes = CASE WHEN request_strike.rst_last < clock_timestamp() - interval '1 day' THEN 1 ELSE request_strike.rst_strikes + 1 END
    RETURNING rst_strikes
  $$;
CALL make_definer('request_strike(text, text)');

-- The requests that are refused: those with so many strikes within a day.
CREATE FUNCTION requests_struck(p_strikes integer) RETURNS TABLE (operation text, fingerprint text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.rst_operation, s.rst_fingerprint FROM request_strike s
    WHERE s.rst_strikes >= p_strikes AND s.rst_last >= clock_timestamp() - interval '1 day' ORDER BY s.rst_last DESC LIMIT 1000
  $$;
CALL make_definer('requests_struck(integer)');

-- For the metrics: how much work waits in all workspaces that are at work, and for how long. A count ends at 10,000: more is not better known.
CREATE FUNCTION work_backlog() RETURNS TABLE (work text, many integer, oldest_seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT b.work, count(*)::integer, coalesce(extract(epoch FROM clock_timestamp() - min(b.since)), 0)::double precision
    FROM (
      (SELECT 'runs_' || r.run_status AS work, r.run_alive AS since FROM run r
       WHERE r.run_status IN ('queued', 'running', 'waiting') ORDER BY r.run_alive LIMIT 10000)
      UNION ALL
      (SELECT 'sources_pending', s.source_updated FROM passage_source s WHERE s.source_status = 'pending' LIMIT 10000)
    ) b GROUP BY b.work
  $$;
CALL make_definer('work_backlog()');
GRANT SELECT ON run, passage_source TO atrium_definer;

-- Of each schedule, how long it is overdue, and whether its last run failed.
CREATE FUNCTION schedules_overview() RETURNS TABLE (name text, overdue_seconds double precision, has_failed boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.sch_name, greatest(0, extract(epoch FROM clock_timestamp() - s.sch_due))::double precision, s.sch_last_error IS NOT NULL
    FROM schedule s ORDER BY s.sch_name
  $$;
CALL make_definer('schedules_overview()');
