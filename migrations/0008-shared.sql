-- Gives a definer function its owner and lets the service alone call it.
CREATE PROCEDURE make_definer(f regprocedure, owner name DEFAULT 'atrium_definer')
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %s OWNER TO %I', f, owner);
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO atrium_app', f);
END
$$;

-- Work by the clock: one row a schedule, held by one worker at a time through a lease.
CREATE TABLE schedule (
  sch_name text PRIMARY KEY,
  sch_due timestamptz(3) NOT NULL DEFAULT now(),
  sch_holder uuid,
  sch_last_run timestamptz(3),
  sch_last_error text
);

-- Takes a schedule that is due, for the length of a lease; else answers in how many milliseconds to ask again.
CREATE FUNCTION schedule_claim(p_name text, p_holder uuid, p_lease_ms double precision) RETURNS TABLE (claimed boolean, wait_ms double precision)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO schedule (sch_name) VALUES (p_name) ON CONFLICT DO NOTHING;
  UPDATE schedule SET sch_holder = p_holder, sch_due = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    WHERE sch_name = p_name AND sch_due <= clock_timestamp();
  claimed := FOUND;
  wait_ms := (SELECT greatest(0, 1000 * extract(epoch FROM sch_due - clock_timestamp())) FROM schedule WHERE sch_name = p_name);
  RETURN NEXT;
END
$$;

-- Keeps a claimed schedule for another lease; false when another worker has it.
CREATE FUNCTION schedule_extend(p_name text, p_holder uuid, p_lease_ms double precision) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE schedule SET sch_due = clock_timestamp() + p_lease_ms * interval '1 millisecond' WHERE sch_name = p_name AND sch_holder = p_holder;
  RETURN FOUND;
END
$$;

-- Notes the end of a run and when the next one is due.
CREATE FUNCTION schedule_done(p_name text, p_holder uuid, p_next_ms double precision, p_error text) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE schedule SET sch_holder = NULL, sch_due = clock_timestamp() + p_next_ms * interval '1 millisecond', sch_last_run = clock_timestamp(), sch_last_error = p_error
  WHERE sch_name = p_name AND sch_holder = p_holder
$$;
GRANT SELECT, INSERT, UPDATE ON schedule TO atrium_definer;
CALL make_definer('schedule_claim(text, uuid, double precision)');
CALL make_definer('schedule_extend(text, uuid, double precision)');
CALL make_definer('schedule_done(text, uuid, double precision, text)');

-- The workspaces that are at work, a page at a time: for schedules that look at each.
CREATE FUNCTION workspaces_active(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid, ws_timezone text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT w.tenant_id, w.ws_timezone FROM workspace w WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) ORDER BY w.tenant_id LIMIT p_limit $$;
CALL make_definer('workspaces_active(uuid, integer)');

-- Audit events: who changed what, written in the transaction of the change. The service adds rows and reads them, no more.
CREATE TABLE audit_event (
  tenant_id       uuid NOT NULL,
  aud_id          uuid NOT NULL,
  aud_timestamp   timestamptz(3) NOT NULL DEFAULT now(),
  aud_type        text NOT NULL,
  aud_actor       uuid,
  aud_actor_kind  text NOT NULL,
  aud_actor_name  text,
  aud_key         uuid,
  aud_target_type text NOT NULL,
  aud_target_id   text,
  aud_target_name text,
  aud_before      jsonb,
  aud_after       jsonb,
  aud_reason      text,
  aud_ip          text,
  aud_request_id  text,
  aud_seal        uuid,
  PRIMARY KEY (tenant_id, aud_timestamp, aud_id)
) PARTITION BY RANGE (aud_timestamp);
CREATE INDEX audit_event_target ON audit_event (tenant_id, aud_target_type, aud_target_id, aud_timestamp DESC);
CREATE INDEX audit_event_actor ON audit_event (tenant_id, aud_actor, aud_timestamp DESC);
CALL make_tenant_table('audit_event', 'SELECT, INSERT');
CREATE TABLE audit_event_default PARTITION OF audit_event DEFAULT;
ALTER TABLE audit_event OWNER TO atrium_definer;
ALTER TABLE audit_event_default OWNER TO atrium_definer;
