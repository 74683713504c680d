-- Jobs that wait for a part outside of the service, such as storage: how often, since when and for which.
ALTER TABLE outbox
  ADD COLUMN ev_waits integer NOT NULL DEFAULT 0,
  ADD COLUMN ev_waiting_since timestamptz(3),
  ADD COLUMN ev_waits_for text;

CREATE INDEX outbox_outages ON outbox (ev_waits_for, ev_waiting_since) WHERE ev_waits_for IS NOT NULL AND ev_done IS NULL;

-- The job comes back when the pause is over.
CREATE FUNCTION outbox_postpone(p_job uuid, p_for text, p_pause_seconds double precision) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox SET ev_due = clock_timestamp() + make_interval(secs => p_pause_seconds), ev_sent = NULL, ev_lease = NULL,
           ev_waits = ev_waits + 1, ev_waiting_since = coalesce(ev_waiting_since, clock_timestamp()), ev_waits_for = p_for
    WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL
  $$;

CALL make_definer('outbox_postpone(uuid, text, double precision)');

-- A job may have run, and wait, before its relay notes that it was sent: what is not due any more stays to be sent.
CREATE OR REPLACE FUNCTION outbox_sent(p_tenants uuid[], p_ids uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE outbox o SET ev_sent = clock_timestamp(), ev_lease = NULL
    FROM unnest(p_tenants, p_ids) AS sent (tenant_id, ev_id)
    WHERE o.tenant_id = sent.tenant_id AND o.ev_id = sent.ev_id AND o.ev_due <= clock_timestamp()
  $$;

-- For which parts jobs of all workspaces wait.
CREATE FUNCTION outbox_outages() RETURNS TABLE (part text, jobs bigint, since timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT ev_waits_for, count(*), min(ev_waiting_since) FROM outbox WHERE ev_waits_for IS NOT NULL AND ev_done IS NULL GROUP BY ev_waits_for ORDER BY ev_waits_for
  $$;
CALL make_definer('outbox_outages()');
