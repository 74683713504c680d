-- What the outbox holds for each queue: jobs that are due and have not begun, and how long the oldest has waited; the row
-- without a queue is that of events. Rows far beyond what a scrape needs to know are not counted.
CREATE FUNCTION outbox_waiting() RETURNS TABLE (queue text, jobs integer, oldest_seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT due.name, count(*)::integer, extract(epoch FROM clock_timestamp() - min(due.since))::double precision
    FROM (
      (SELECT o.ev_name AS name, o.ev_due AS since FROM outbox o
       WHERE o.ev_kind = 'job' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_due <= clock_timestamp() LIMIT 100000)
      UNION ALL
      (SELECT NULL, o.ev_due FROM outbox o
       WHERE o.ev_kind = 'event' AND o.ev_sent IS NULL AND o.ev_done IS NULL AND o.ev_parked IS NULL AND o.ev_due <= clock_timestamp() ORDER BY o.ev_due LIMIT 1000)
    ) due
    GROUP BY due.name
  $$;
CALL make_definer('outbox_waiting()');
