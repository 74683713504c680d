-- Jobs wait in the outbox and enter their queue in turn: workspace after workspace, and within one its members and keys
-- after each other, work asked for one by one before work in bulk. The queue itself holds no more than its workers are
-- about to do, so who comes last waits behind the running jobs and not behind a neighbour's thousands.
ALTER TABLE outbox
  ADD COLUMN ev_flow text NOT NULL DEFAULT '',
  ADD COLUMN ev_bulk boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN outbox.ev_flow IS 'Whose work it is within the workspace: a member or a key; empty for the service itself.';
COMMENT ON COLUMN outbox.ev_bulk IS 'Part of work in bulk: done after what the workspace asks for one by one.';

DROP INDEX outbox_unsent;
CREATE INDEX outbox_unsent_events ON outbox (ev_due) WHERE ev_kind = 'event' AND ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL;
CREATE INDEX outbox_unsent_jobs ON outbox (ev_name, ev_due) WHERE ev_kind = 'job' AND ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL;
CREATE INDEX outbox_flows ON outbox (ev_name, tenant_id, ev_bulk, ev_flow, ev_due) WHERE ev_kind = 'job' AND ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL;
CREATE INDEX outbox_in_flight ON outbox (tenant_id, ev_name, ev_key) WHERE ev_kind = 'job' AND ev_done IS NULL AND (ev_sent IS NOT NULL OR ev_lease IS NOT NULL);

-- When each flow was served last, in microseconds; forgotten after an hour, for who was not served that long comes first
-- anyway. A crash may lose it all: then the turns begin again. Its rows are no workspace's, so that a purge needs not wait for them.
CREATE UNLOGGED TABLE job_turn (
  turn_queue     text NOT NULL,
  turn_workspace uuid NOT NULL,
  turn_flow      text NOT NULL,
  turn_at        bigint NOT NULL,
  PRIMARY KEY (turn_queue, turn_workspace, turn_flow)
) WITH (fillfactor = 70);
CREATE INDEX job_turn_at ON job_turn (turn_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_turn TO atrium_definer;

DROP FUNCTION outbox_claim(text[], integer, double precision);

-- Due events that no relay holds.
CREATE FUNCTION outbox_claim_events(p_limit integer, p_lease_seconds double precision) RETURNS SETOF outbox
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
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
CALL make_definer('outbox_claim_events(integer, double precision)');

-- The queues for which a job is due.
CREATE FUNCTION outbox_due(p_jobs text[]) RETURNS SETOF text
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT q.queue FROM unnest(p_jobs) q (queue) WHERE EXISTS (
      SELECT FROM outbox o WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL
        AND o.ev_name = q.queue AND o.ev_due <= clock_timestamp())
  $$;
CALL make_definer('outbox_due(text[])');

-- The jobs that enter their queues next, each leased to the calling relay, best first. A queue takes as many as it has
-- room for, and one of each workspace that has none in it: a queue filled by retries of one workspace is open to the others.
-- A job whose key is in the queue waits until that run ends. `ev_place` orders jobs within the queue: how many of its
-- workspace come before it. One relay chooses at a time, so that no turn is given twice and no key sent twice.
CREATE FUNCTION outbox_admit(p_queues text[], p_rooms integer[], p_lease_seconds double precision)
  RETURNS TABLE (tenant_id uuid, ev_id uuid, ev_kind text, ev_name text, ev_key text, ev_version integer, ev_payload jsonb, ev_actor jsonb,
                 ev_request text, ev_trace text, ev_tracked boolean, ev_flow text, ev_bulk boolean, ev_created timestamptz, ev_place integer)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  turn CONSTANT bigint := floor(extract(epoch FROM clock_timestamp()) * 1000000);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('outbox_admit', 0));
  RETURN QUERY
  WITH RECURSIVE asked AS MATERIALIZED (
    SELECT q.queue, q.room FROM unnest(p_queues, p_rooms) q (queue, room)
  ), flows AS (
    -- A step of the index a flow: thousands of rows of one are not read.
    SELECT a.queue, a.room, f.tenant_id, f.ev_bulk, f.ev_flow FROM asked a CROSS JOIN LATERAL (
      SELECT o.tenant_id, o.ev_bulk, o.ev_flow FROM outbox o
      WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_name = a.queue
      ORDER BY o.tenant_id, o.ev_bulk, o.ev_flow LIMIT 1) f
    UNION ALL
    SELECT p.queue, p.room, n.tenant_id, n.ev_bulk, n.ev_flow FROM flows p CROSS JOIN LATERAL (
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
          AND o.tenant_id = w.tenant_id AND o.ev_name = w.queue AND (o.ev_sent IS NOT NULL OR o.ev_lease > clock_timestamp()) LIMIT 1000) k) held
  ), in_queue AS (
    SELECT i.*, w.total AS held, row_number() OVER (PARTITION BY i.queue ORDER BY i.rank, coalesce(w.served, 0), i.ev_due, i.ev_id) AS nth_in_queue,
           CASE WHEN i.ev_bulk THEN w.total ELSE w.single END + i.rank AS place
    FROM in_workspace i JOIN workspaces w USING (queue, tenant_id)
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
         l.ev_created::timestamptz, l.place::integer
  FROM leased l ORDER BY l.ev_name, l.nth_in_queue;
END
$$;
CALL make_definer('outbox_admit(text[], integer[], double precision)');

-- Gives admitted jobs back that could not be sent, to be admitted again at once.
CREATE FUNCTION outbox_release(p_tenants uuid[], p_ids uuid[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    UPDATE outbox o SET ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS held (tenant_id, ev_id)
    WHERE o.tenant_id = held.tenant_id AND o.ev_id = held.ev_id AND o.ev_sent IS NULL
  $$;
CALL make_definer('outbox_release(uuid[], uuid[])');

-- Forgets the turns of flows that were not served for an hour.
CREATE FUNCTION outbox_forget_turns(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CALL make_definer('outbox_forget_turns(integer)');

-- A subscriber's job is the work of whom the event is, in bulk or not.
CREATE OR REPLACE FUNCTION outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace, ev_flow, ev_bulk)
    SELECT e.tenant_id, d.job_id, 'job', d.subscriber, e.ev_subject, e.ev_id::text,
           jsonb_build_object('event_id', e.ev_id, 'name', e.ev_name, 'subject_id', e.ev_subject, 'payload', e.ev_payload,
                              'at', to_char(e.ev_created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           e.ev_actor, e.ev_request, e.ev_trace, e.ev_flow, e.ev_bulk
    FROM unnest(p_tenants, p_events, p_jobs, p_subscribers) AS d (tenant_id, event_id, job_id, subscriber)
    JOIN outbox e ON e.tenant_id = d.tenant_id AND e.ev_id = d.event_id AND e.ev_kind = 'event'
  $$;
