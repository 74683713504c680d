-- The outbox: an event or a job is a row of the transaction it belongs to. A relay moves jobs to the queue and turns
-- events into one job a subscriber. A row is leased while a relay holds it, so that a dead relay's rows come back.
CREATE TABLE outbox (
  tenant_id  uuid NOT NULL,
  ev_id      uuid NOT NULL,
  ev_kind    text NOT NULL CHECK (ev_kind IN ('event', 'job')),
  ev_name    text NOT NULL,
  ev_subject uuid,
  ev_key     text NOT NULL,
  ev_version integer NOT NULL DEFAULT 1,
  ev_payload jsonb NOT NULL,
  ev_actor   jsonb NOT NULL,
  ev_request text NOT NULL,
  ev_trace   text,
  ev_tracked boolean NOT NULL DEFAULT false,
  ev_created timestamptz(3) NOT NULL DEFAULT now(),
  ev_due     timestamptz(3) NOT NULL DEFAULT now(),
  ev_lease   timestamptz(3),
  ev_sent    timestamptz(3),
  ev_done    timestamptz(3),
  ev_error   text,
  PRIMARY KEY (tenant_id, ev_id)
);
CALL make_tenant_table('outbox', 'SELECT, INSERT, UPDATE (ev_done, ev_error)');
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO atrium_definer;
CREATE INDEX outbox_unsent ON outbox (ev_due) WHERE ev_sent IS NULL AND ev_done IS NULL;
CREATE INDEX outbox_open ON outbox (ev_sent) WHERE ev_kind = 'job' AND ev_sent IS NOT NULL AND ev_done IS NULL;
CREATE INDEX outbox_open_key ON outbox (tenant_id, ev_name, ev_key) WHERE ev_kind = 'job' AND ev_done IS NULL;
CREATE INDEX outbox_finished ON outbox (ev_done) WHERE ev_kind = 'job' AND ev_done IS NOT NULL;

-- Due rows that no relay holds: every event, and the jobs whose definition the calling relay knows.
CREATE FUNCTION outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) RETURNS SETOF outbox
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    WITH due AS MATERIALIZED (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_due <= clock_timestamp()
        AND (ev_lease IS NULL OR ev_lease < clock_timestamp())
        AND (ev_kind = 'event' OR ev_name = ANY (p_jobs))
      ORDER BY ev_due LIMIT p_limit FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due
    WHERE o.tenant_id = due.tenant_id AND o.ev_id = due.ev_id
    RETURNING o.*
  $$;

-- Jobs sent long enough ago and not done, each shown to one relay at a time: the queue may have lost them.
CREATE FUNCTION outbox_overdue(p_jobs text[], p_limit integer, p_age_seconds double precision) RETURNS SETOF outbox
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
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

-- Says that the rows reached the queue (or, for events, their subscribers).
CREATE FUNCTION outbox_sent(p_tenants uuid[], p_ids uuid[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    UPDATE outbox o SET ev_sent = clock_timestamp(), ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS sent (tenant_id, ev_id)
    WHERE o.tenant_id = sent.tenant_id AND o.ev_id = sent.ev_id
  $$;

-- Writes one job a subscriber of each event; a job carries the whole event and the event's actor and trace.
CREATE FUNCTION outbox_fan_out(p_tenants uuid[], p_events uuid[], p_jobs uuid[], p_subscribers text[]) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
    SELECT e.tenant_id, d.job_id, 'job', d.subscriber, e.ev_subject, e.ev_id::text,
           jsonb_build_object('event_id', e.ev_id, 'name', e.ev_name, 'subject_id', e.ev_subject, 'payload', e.ev_payload,
                              'at', to_char(e.ev_created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
           e.ev_actor, e.ev_request, e.ev_trace
    FROM unnest(p_tenants, p_events, p_jobs, p_subscribers) AS d (tenant_id, event_id, job_id, subscriber)
    JOIN outbox e ON e.tenant_id = d.tenant_id AND e.ev_id = d.event_id AND e.ev_kind = 'event'
  $$;

-- Forgets jobs done long ago; events stay, they are the workspace's history.
CREATE FUNCTION outbox_prune(p_age_seconds double precision, p_limit integer) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
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

-- Background work that its context shows at no route of its own.
CREATE TABLE background_job (
  tenant_id      uuid NOT NULL,
  job_id         uuid NOT NULL,
  job_kind       text NOT NULL,
  job_status     text NOT NULL DEFAULT 'queued' CHECK (job_status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  job_done       bigint NOT NULL DEFAULT 0,
  job_failed     bigint NOT NULL DEFAULT 0,
  job_total      bigint,
  job_error      text,
  job_result     jsonb,
  job_created_by uuid,
  job_created    timestamptz(3) NOT NULL DEFAULT now(),
  job_updated    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, job_id)
);
CALL make_tenant_table('background_job', 'SELECT, INSERT, UPDATE');

-- Recent events of streams that clients follow and resume, such as the answer of an agent; used when there is no Redis.
CREATE TABLE stream_event (
  tenant_id  uuid NOT NULL,
  se_stream  text NOT NULL,
  se_id      bigint NOT NULL,
  se_event   jsonb NOT NULL,
  se_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, se_stream, se_id)
);
CALL make_tenant_table('stream_event', 'SELECT, INSERT, DELETE');
GRANT SELECT, DELETE ON stream_event TO atrium_definer;
CREATE INDEX stream_event_age ON stream_event (se_created);

CREATE FUNCTION stream_event_trim(p_age_seconds double precision, p_limit integer) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
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

-- The functions above work across workspaces: they belong to the definer role and only the service may call them.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOREACH f IN ARRAY ARRAY[
    'outbox_claim(text[], integer, double precision)', 'outbox_overdue(text[], integer, double precision)',
    'outbox_sent(uuid[], uuid[])', 'outbox_fan_out(uuid[], uuid[], uuid[], text[])',
    'outbox_prune(double precision, integer)', 'stream_event_trim(double precision, integer)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO atrium_definer', f);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO atrium_app', f);
  END LOOP;
END
$$;
