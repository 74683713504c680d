-- Workers of the version before go on relaying until they have been replaced: what they claim is theirs, and jobs they
-- hold or have sent count as in the queue for the others. Nothing else uses it.
CREATE FUNCTION outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) RETURNS SETOF outbox
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    WITH due AS MATERIALIZED (
      SELECT tenant_id, ev_id FROM outbox
      WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL AND ev_due <= clock_timestamp()
        AND (ev_lease IS NULL OR ev_lease < clock_timestamp())
        AND (ev_kind = 'event' OR ev_name = ANY (p_jobs))
      ORDER BY ev_due LIMIT p_limit FOR UPDATE SKIP LOCKED
    )
    UPDATE outbox o SET ev_lease = clock_timestamp() + make_interval(secs => p_lease_seconds)
    FROM due
    WHERE o.tenant_id = due.tenant_id AND o.ev_id = due.ev_id
    RETURNING o.*
  $$;
CALL make_definer('outbox_claim(text[], integer, double precision)');

-- Which of the rows are not done yet. A relay that finds a job in no queue asks again: it may have ended in between.
CREATE FUNCTION outbox_still_open(p_tenants uuid[], p_ids uuid[]) RETURNS SETOF uuid
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT o.ev_id FROM unnest(p_tenants, p_ids) AS asked (tenant_id, ev_id)
    JOIN outbox o ON o.tenant_id = asked.tenant_id AND o.ev_id = asked.ev_id
    WHERE o.ev_done IS NULL AND o.ev_sent IS NOT NULL AND o.ev_parked IS NULL
  $$;
CALL make_definer('outbox_still_open(uuid[], uuid[])');
