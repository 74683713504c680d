-- 1. Who holds a job: a number that grows with every run that follows another. Only the run that holds the job closes its row, so that a
--    worker that was overtaken never ends the job of the one that follows it.
-- 2. Attempts are counted here, and a job that is tried again waits here: what pauses takes no place in a queue.
-- 3. Strikes: how often the job has blocked a worker until that one was ended by its watchdog.
ALTER TABLE outbox
  ADD COLUMN ev_hold integer NOT NULL DEFAULT 0,
  ADD COLUMN ev_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN ev_strikes integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN outbox.ev_hold IS 'Number of the run that holds the job; no other run closes the row.';
COMMENT ON COLUMN outbox.ev_attempts IS 'Runs that failed and were followed by another one.';
COMMENT ON COLUMN outbox.ev_strikes IS 'How often the job blocked a worker until its watchdog ended it.';

-- The job of the current workspace is the calling run's from now on; its number, or null where the job is done.
CREATE FUNCTION outbox_hold(p_job uuid) RETURNS integer
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox SET ev_hold = ev_hold + 1 WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL RETURNING ev_hold
  $$;
CALL make_definer('outbox_hold(uuid)');

-- Jobs that their queue has lost: whoever still runs one of them holds it no more.
CREATE FUNCTION outbox_take(p_tenants uuid[], p_ids uuid[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox o SET ev_hold = o.ev_hold + 1
    FROM unnest(p_tenants, p_ids) AS lost (tenant_id, ev_id)
    WHERE o.tenant_id = lost.tenant_id AND o.ev_id = lost.ev_id AND o.ev_done IS NULL
  $$;
CALL make_definer('outbox_take(uuid[], uuid[])');

-- As before, and whoever still runs the job holds it no more.
CREATE OR REPLACE FUNCTION outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox SET ev_due = clock_timestamp() + make_interval(secs => p_pause_seconds), ev_sent = NULL, ev_lease = NULL, ev_hold = ev_hold + 1,
           ev_waits = ev_waits + 1, ev_waiting_since = coalesce(ev_waiting_since, clock_timestamp()), ev_waits_for = p_for
    WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL
  $$;

-- The job runs again after the pause: because a run failed, which counts as an attempt, or because it has nothing to do until then.
CREATE FUNCTION outbox_pause(p_job uuid, p_attempts integer, p_pause_seconds double precision) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox SET ev_due = clock_timestamp() + make_interval(secs => p_pause_seconds), ev_sent = NULL, ev_lease = NULL, ev_hold = ev_hold + 1,
           ev_attempts = ev_attempts + p_attempts
    WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL
  $$;
CALL make_definer('outbox_pause(uuid, integer, double precision)');

-- A watchdog ends the worker that this job blocks. It knows the workspace from the worker's memory and has no unit of work.
CREATE FUNCTION outbox_strike(p_tenant uuid, p_job uuid) RETURNS integer
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox SET ev_strikes = ev_strikes + 1 WHERE tenant_id = p_tenant AND ev_id = p_job AND ev_done IS NULL RETURNING ev_strikes
  $$;
CALL make_definer('outbox_strike(uuid, uuid)');

-- Worker processes, by when they were last seen: a workspace has a share of each. A crash may lose them; they come again within seconds.
CREATE UNLOGGED TABLE job_worker (
  worker_id   uuid PRIMARY KEY,
  worker_seen timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_worker TO atrium_definer;

-- Notes that the worker is there, or is not any more (p_seconds = 0), and answers how many are.
CREATE FUNCTION outbox_workers(p_worker uuid, p_seconds double precision) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CALL make_definer('outbox_workers(uuid, double precision)');

-- The jobs that enter their queues next, each leased to the calling relay, best first. A queue takes as many as it has
-- room for, and one of each workspace that has none in it: a queue filled by retries of one workspace is open to the others. A workspace
-- never has more than its share there, waiting or running, however long its jobs take: the other slots are for other workspaces.
-- A job whose key is in the queue waits until that run ends. `ev_place` orders jobs within the queue: how many of its
-- workspace come before it. One relay chooses at a time, so that no turn is given twice and no key sent twice.
CREATE FUNCTION outbox_admit(p_queues text[], p_rooms integer[], p_shares integer[], p_lease_seconds double precision)
  RETURNS TABLE (tenant_id uuid, ev_id uuid, ev_kind text, ev_name text, ev_key text, ev_version integer, ev_payload jsonb, ev_actor jsonb,
                 ev_request text, ev_trace text, ev_tracked boolean, ev_flow text, ev_bulk boolean, ev_created timestamptz, ev_place integer, ev_attempts integer)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CALL make_definer('outbox_admit(text[], integer[], integer[], double precision)');

-- For workers of the release before, which know of no shares.
CREATE OR REPLACE FUNCTION outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision)
  RETURNS TABLE (tenant_id uuid, ev_id uuid, ev_kind text, ev_name text, ev_key text, ev_version integer, ev_payload jsonb, ev_actor jsonb,
                 ev_request text, ev_trace text, ev_tracked boolean, ev_flow text, ev_bulk boolean, ev_created timestamptz, ev_place integer)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.tenant_id, a.ev_id, a.ev_kind, a.ev_name, a.ev_key, a.ev_version, a.ev_payload, a.ev_actor, a.ev_request, a.ev_trace, a.ev_tracked, a.ev_flow, a.ev_bulk,
         a.ev_created, a.ev_place
  FROM outbox_admit(p_queues, p_rooms, array_fill(10000, ARRAY[cardinality(p_queues)]), p_lease_seconds) a
$$;
