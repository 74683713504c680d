-- The life of a workspace: provisioned, suspended, resumed, deleted after a grace, purged without a trace but its tombstone.
ALTER TABLE workspace
  ADD COLUMN ws_delete_after timestamptz(3),
  ADD COLUMN ws_status_reason text;
CREATE INDEX workspace_order ON workspace (ws_created DESC, tenant_id DESC);
CREATE INDEX workspace_deletion ON workspace (ws_delete_after) WHERE ws_status = 'deleting';

-- All that decides what a caller may do in one workspace, in one statement; where it is closed, why.
CREATE OR REPLACE FUNCTION auth_facts(tenant uuid, account_id uuid) RETURNS jsonb
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object(
      'stamp', auth_enter(tenant, account_id),
      'ws_status', w.ws_status,
      'ws_status_reason', w.ws_status_reason,
      'security', w.ws_security,
      'user_kind', u.user_kind,
      'user_status', u.user_status,
      'acc_status', a.acc_status,
      'mfa', a.acc_totp IS NOT NULL,
      'role_ids', coalesce((SELECT jsonb_agg(l.role_id) FROM user_role_link l WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'grants', coalesce((SELECT jsonb_agg(DISTINCT g) FROM user_role_link l JOIN role r USING (tenant_id, role_id), unnest(r.role_permissions) g
                          WHERE l.tenant_id = tenant AND l.user_id = account_id), '[]'),
      'licenses', coalesce((SELECT jsonb_agg(jsonb_build_object('module', lic_module, 'from', lic_starts_at, 'until', lic_expires_at)) FROM licence WHERE tenant_id = tenant), '[]'))
    FROM workspace w JOIN workspace_user u USING (tenant_id) LEFT JOIN account a ON a.acc_id = u.user_id
    WHERE w.tenant_id = tenant AND u.user_id = account_id);
END
$$;

-- Whatever has rows of workspaces has to be purged of them: the definer role reads and deletes in every tenant table.
CREATE OR REPLACE PROCEDURE make_tenant_table(target regclass, grants text DEFAULT 'SELECT, INSERT, UPDATE, DELETE')
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant ON %s USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)
     WITH CHECK (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', target);
  EXECUTE format('GRANT %s ON %s TO atrium_app', grants, target);
  EXECUTE format('GRANT SELECT, DELETE ON %s TO atrium_definer', target);
END
$$;

-- Every table with rows of workspaces; partitions are reached through their parents.
CREATE FUNCTION tenant_tables() RETURNS SETOF regclass
  LANGUAGE sql STABLE
  AS $$
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
    ORDER BY c.relname
  $$;
DO $$
DECLARE
  target regclass;
BEGIN
  FOR target IN SELECT tenant_tables() LOOP
    EXECUTE format('GRANT SELECT, DELETE ON %s TO atrium_definer', target);
  END LOOP;
END
$$;
-- Written by triggers on rows that go.
GRANT UPDATE ON album TO atrium_definer;
GRANT DELETE ON account_session, refresh_token, signing_key TO atrium_definer;

-- Jobs of a workspace that is suspended or to be deleted wait: they are parked, and due again when it is resumed.
ALTER TABLE outbox ADD COLUMN ev_parked timestamptz(3);
DROP INDEX outbox_unsent;
CREATE INDEX outbox_unsent ON outbox (ev_due) WHERE ev_sent IS NULL AND ev_done IS NULL AND ev_parked IS NULL;
CREATE INDEX outbox_parked ON outbox (tenant_id) WHERE ev_parked IS NOT NULL;

-- Whether jobs of the workspace at hand may run.
CREATE FUNCTION workspace_at_work() RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT NOT EXISTS (SELECT FROM workspace w WHERE w.tenant_id = current_tenant() AND w.ws_status <> 'active') $$;
GRANT EXECUTE ON FUNCTION workspace_at_work() TO atrium_app;

-- Due rows that no relay holds: every event, and the jobs whose definition the calling relay knows.
CREATE OR REPLACE FUNCTION outbox_claim(p_jobs text[], p_limit integer, p_lease_seconds double precision) RETURNS SETOF outbox
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

-- Parks a job of the workspace at hand while that is not at work; false when it is. The lock holds a resumption back
-- until the job is parked, so that none is forgotten.
CREATE FUNCTION outbox_park(p_job uuid) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM workspace WHERE tenant_id = current_tenant() AND ws_status <> 'active' FOR SHARE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE outbox SET ev_parked = clock_timestamp(), ev_sent = NULL, ev_lease = NULL WHERE tenant_id = current_tenant() AND ev_id = p_job AND ev_done IS NULL;
  RETURN true;
END
$$;
CALL make_definer('outbox_park(uuid)');

-- Lets the parked jobs of the workspace at hand go on.
CREATE FUNCTION outbox_unpark() RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    WITH woken AS (UPDATE outbox SET ev_parked = NULL WHERE tenant_id = current_tenant() AND ev_parked IS NOT NULL RETURNING 1)
    SELECT count(*) FROM woken
  $$;
CALL make_definer('outbox_unpark()');

-- A new workspace with its roles, owner and licences; an e-mail that is known keeps its account and password.
CREATE OR REPLACE FUNCTION ws_provision(spec jsonb) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant uuid := (spec ->> 'ws_id')::uuid;
  owner_id uuid;
BEGIN
  INSERT INTO workspace (tenant_id, ws_name, ws_slug, ws_external_id, ws_seat_limit, ws_timezone, ws_locale)
    VALUES (tenant, spec ->> 'ws_name', spec ->> 'ws_slug', spec ->> 'ws_external_id', (spec ->> 'ws_seat_limit')::integer, coalesce(spec ->> 'ws_timezone', 'UTC'), coalesce(spec ->> 'ws_locale', 'en'));
  INSERT INTO role (tenant_id, role_id, role_key, role_name, role_description, role_permissions, role_default)
    SELECT tenant, r.role_id, r.role_key, r.role_name, r.role_description, r.role_permissions, r.role_default
    FROM jsonb_to_recordset(spec -> 'roles') AS r (role_id uuid, role_key text, role_name text, role_description text, role_permissions text[], role_default boolean);
  INSERT INTO licence (tenant_id, lic_module, lic_source) SELECT tenant, m, 'provisioning' FROM jsonb_array_elements_text(spec -> 'modules') m;
  owner_id := (ws_add_user(tenant, spec -> 'owner') ->> 'user_id')::uuid;
  RETURN jsonb_build_object('ws_id', tenant, 'user_id', owner_id);
END
$$;

-- The workspace that was provisioned for an outside reference.
CREATE FUNCTION ws_find_external(p_external_id text) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT tenant_id FROM workspace WHERE ws_external_id = p_external_id $$;
CALL make_definer('ws_find_external(text)');

-- A page of all workspaces, latest first, after a position.
CREATE FUNCTION ws_page(p_filters jsonb, p_before timestamptz, p_before_id uuid, p_limit integer) RETURNS SETOF workspace
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT * FROM workspace w
    WHERE (p_before IS NULL OR (w.ws_created, w.tenant_id) < (p_before, p_before_id))
      AND (p_filters ->> 'ws_name' IS NULL OR w.ws_name ILIKE p_filters ->> 'ws_name') AND (p_filters ->> 'ws_slug' IS NULL OR w.ws_slug = p_filters ->> 'ws_slug')
      AND (p_filters ->> 'ws_status' IS NULL OR w.ws_status = p_filters ->> 'ws_status') AND (p_filters ->> 'ws_external_id' IS NULL OR w.ws_external_id = p_filters ->> 'ws_external_id')
    ORDER BY w.ws_created DESC, w.tenant_id DESC LIMIT p_limit
  $$;
CALL make_definer('ws_page(jsonb, timestamptz, uuid, integer)');

-- Members, taken seats and active modules of many workspaces at once.
CREATE FUNCTION ws_user_counts(p_ids uuid[]) RETURNS TABLE (ws_id uuid, users bigint, seats bigint, modules text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT u.tenant_id, count(*) FILTER (WHERE u.user_status <> 'removed'), count(*) FILTER (WHERE u.user_kind = 'person' AND u.user_status IN ('active', 'invited')),
           ARRAY(SELECT l.lic_module FROM licence l WHERE l.tenant_id = u.tenant_id AND l.lic_starts_at <= now() AND (l.lic_expires_at IS NULL OR l.lic_expires_at > now()) ORDER BY l.lic_module)
    FROM workspace_user u WHERE u.tenant_id = ANY (p_ids) GROUP BY u.tenant_id
  $$;
CALL make_definer('ws_user_counts(uuid[])');

-- Files of workspaces and their bytes, for many workspaces at once.
CREATE FUNCTION file_counts(p_ids uuid[]) RETURNS TABLE (ws_id uuid, files bigint, bytes numeric)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT f.tenant_id, count(*), coalesce(sum(f.file_size), 0) FROM file f WHERE f.tenant_id = ANY (p_ids) GROUP BY f.tenant_id $$;
CALL make_definer('file_counts(uuid[])');

-- Keys that sign access tokens: the next one is shown before it signs, the retired one verifies until no token of it can be alive.
ALTER TABLE signing_key DROP CONSTRAINT signing_key_sk_state_check;
ALTER TABLE signing_key ADD CONSTRAINT signing_key_sk_state_check CHECK (sk_state IN ('next', 'active', 'retired')), ADD COLUMN sk_retired_at timestamptz(3);
CREATE UNIQUE INDEX signing_key_one_next ON signing_key (sk_state) WHERE sk_state = 'next';

-- Adds a key in the state that is asked for, unless there is one; the keys that there are.
CREATE FUNCTION auth_add_signing_key(p_id uuid, p_public text, p_private_sealed text, p_state text) RETURNS SETOF signing_key
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed, sk_state) VALUES (p_id, p_public, p_private_sealed, p_state) ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT * FROM signing_key ORDER BY sk_created;
END
$$;
DROP FUNCTION auth_add_signing_key(uuid, text, text);
CALL make_definer('auth_add_signing_key(uuid, text, text, text)');

-- The active key retires, the next one signs (the given one, where none is waiting), the given one becomes the next.
CREATE FUNCTION auth_rotate_signing_key(p_id uuid, p_public text, p_private_sealed text) RETURNS SETOF signing_key
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('signing_key'));
  UPDATE signing_key SET sk_state = 'retired', sk_retired_at = clock_timestamp() WHERE sk_state = 'active';
  UPDATE signing_key SET sk_state = 'active' WHERE sk_state = 'next';
  INSERT INTO signing_key (sk_id, sk_public, sk_private_sealed, sk_state) VALUES (p_id, p_public, p_private_sealed, CASE WHEN FOUND THEN 'next' ELSE 'active' END);
  RETURN QUERY SELECT * FROM signing_key ORDER BY sk_created;
END
$$;
CALL make_definer('auth_rotate_signing_key(uuid, text, text)');

-- What remains of a deleted workspace; while it is being purged, how far that is: {step: {done, total}}.
CREATE TABLE workspace_tombstone (
  ws_id uuid PRIMARY KEY,
  ws_purge jsonb NOT NULL DEFAULT '{}',
  deleted_at timestamptz(3),
  counts jsonb
);
CREATE INDEX workspace_tombstone_deleted ON workspace_tombstone (deleted_at);
GRANT SELECT, INSERT, UPDATE ON workspace_tombstone TO atrium_definer;

-- Whether a workspace may be purged: its time is over, or it is gone and something came late. Within the functions below.
CREATE FUNCTION ws_may_purge(p_tenant uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$
    SELECT coalesce((SELECT ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FROM workspace WHERE tenant_id = p_tenant),
                    EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND deleted_at IS NOT NULL))
  $$;
REVOKE ALL ON FUNCTION ws_may_purge(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ws_may_purge(uuid) TO atrium_definer;

-- Begins the purge, or takes it up again; false when it is not due, or done.
CREATE FUNCTION ws_purge_begin(p_tenant uuid) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM workspace WHERE tenant_id = p_tenant AND ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO workspace_tombstone (ws_id) VALUES (p_tenant) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;
CALL make_definer('ws_purge_begin(uuid)');

-- Notes how far a step of the purge is: how many more went, and how many are left.
CREATE FUNCTION ws_purge_note(p_tenant uuid, p_step text, p_more bigint, p_left bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    UPDATE workspace_tombstone t SET ws_purge = t.ws_purge || jsonb_build_object(p_step, jsonb_build_object(
      'done', s.done + p_more, 'total', greatest(s.total, s.done + p_more + p_left)))
    FROM (SELECT ws_id, coalesce((ws_purge #>> ARRAY[p_step, 'done'])::bigint, 0) AS done, coalesce((ws_purge #>> ARRAY[p_step, 'total'])::bigint, 0) AS total FROM workspace_tombstone) s
    WHERE t.ws_id = p_tenant AND s.ws_id = t.ws_id AND t.deleted_at IS NULL
  $$;
CALL make_definer('ws_purge_note(uuid, text, bigint, bigint)');

-- Deletes rows of one table of a workspace whose time is over, and notes it in the same transaction; how many went.
-- The row of the purge itself stays to the end.
CREATE FUNCTION ws_purge_step(p_tenant uuid, p_table text, p_limit integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  target regclass := (SELECT t FROM tenant_tables() t WHERE t::text = p_table AND p_table <> 'workspace');
  spared text := CASE WHEN p_table = 'outbox' THEN $c$ AND NOT (ev_name = 'identity.workspace-purge' AND ev_done IS NULL)$c$ ELSE '' END;
  total bigint;
  gone bigint;
BEGIN
  IF target IS NULL THEN RAISE EXCEPTION 'no table of workspaces is called %', p_table; END IF;
  IF NOT ws_may_purge(p_tenant) THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  IF NOT EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND (deleted_at IS NOT NULL OR ws_purge ? p_table)) THEN
    EXECUTE format('SELECT count(*) FROM %s WHERE tenant_id = $1%s', target, spared) INTO total USING p_tenant;
  END IF;
  EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE tenant_id = $1%2$s LIMIT $2))', target, spared) USING p_tenant, p_limit;
  GET DIAGNOSTICS gone = ROW_COUNT;
  IF gone > 0 OR total IS NOT NULL THEN PERFORM ws_purge_note(p_tenant, p_table, gone, coalesce(total - gone, 0)); END IF;
  RETURN gone;
END
$$;
CALL make_definer('ws_purge_step(uuid, text, integer)');

-- Ends the purge: nothing but the workspace and its purge may be left, else it fails and says where. The tombstone stays.
CREATE FUNCTION ws_purge_end(p_tenant uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  target regclass;
  left_over boolean;
BEGIN
  PERFORM FROM workspace WHERE tenant_id = p_tenant AND ws_status = 'deleting' AND ws_delete_after <= clock_timestamp() FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  DELETE FROM outbox WHERE tenant_id = p_tenant;
  FOR target IN SELECT t FROM tenant_tables() t WHERE t <> 'workspace'::regclass LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE tenant_id = $1)', target) INTO left_over USING p_tenant;
    IF left_over THEN RAISE EXCEPTION 'rows of the workspace are left in %', target; END IF;
  END LOOP;
  UPDATE account_session SET ses_ended_at = now() WHERE ses_tenant = p_tenant AND ses_ended_at IS NULL;
  DELETE FROM account_token WHERE tok_tenant = p_tenant;
  DELETE FROM workspace WHERE tenant_id = p_tenant;
  UPDATE workspace_tombstone SET deleted_at = clock_timestamp(), counts = (SELECT coalesce(jsonb_object_agg(key, value -> 'done'), '{}') FROM jsonb_each(ws_purge)), ws_purge = '{}' WHERE ws_id = p_tenant;
END
$$;
CALL make_definer('ws_purge_end(uuid)');

-- How far the purge of a workspace is, and the tombstone when it is done.
CREATE FUNCTION ws_tombstone(p_tenant uuid) RETURNS SETOF workspace_tombstone
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM workspace_tombstone WHERE ws_id = p_tenant $$;
CALL make_definer('ws_tombstone(uuid)');

-- Every call of an operator, whatever became of it.
CREATE TABLE operator_call (
  op_id uuid PRIMARY KEY,
  op_at timestamptz(3) NOT NULL DEFAULT now(),
  op_actor text NOT NULL,
  op_method text NOT NULL,
  op_path text NOT NULL,
  op_status integer NOT NULL,
  op_ip text,
  op_request_id text NOT NULL
);
CREATE INDEX operator_call_at ON operator_call (op_at);
GRANT SELECT, INSERT, DELETE ON operator_call TO atrium_definer;

CREATE FUNCTION operator_called(p_call jsonb) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ INSERT INTO operator_call SELECT * FROM jsonb_populate_record(NULL::operator_call, p_call) $$;
CALL make_definer('operator_called(jsonb)');

-- Jobs that wait, and how long the oldest has: for operators.
CREATE FUNCTION outbox_depths() RETURNS TABLE (queue text, waiting bigint, sent bigint, parked bigint, oldest_seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT ev_name, count(*) FILTER (WHERE ev_sent IS NULL AND ev_parked IS NULL), count(*) FILTER (WHERE ev_sent IS NOT NULL), count(*) FILTER (WHERE ev_parked IS NOT NULL),
           max(extract(epoch FROM clock_timestamp() - ev_due)) FILTER (WHERE ev_parked IS NULL AND ev_due <= clock_timestamp())::double precision
    FROM outbox WHERE ev_kind = 'job' AND ev_done IS NULL GROUP BY ev_name ORDER BY ev_name
  $$;
CALL make_definer('outbox_depths()');

-- What was told of the end of a key or licence: days before, 0 for the end itself.
ALTER TABLE api_key ADD COLUMN key_announced smallint;
ALTER TABLE licence ADD COLUMN lic_announced smallint;
CREATE INDEX api_key_expiry ON api_key (key_expires_at) WHERE key_expires_at IS NOT NULL AND key_revoked_at IS NULL;
CREATE INDEX api_key_overlap ON api_key (key_prev_expires_at) WHERE key_prev_hash IS NOT NULL;
CREATE INDEX licence_expiry ON licence (lic_expires_at) WHERE lic_expires_at IS NOT NULL;
CREATE INDEX account_session_expiry ON account_session (ses_expires_at);

-- A key or licence that is given another end is announced anew.
CREATE FUNCTION announce_key_anew() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.key_announced := NULL; RETURN NEW; END $$;
CREATE TRIGGER announce BEFORE UPDATE OF key_expires_at ON api_key FOR EACH ROW WHEN (OLD.key_expires_at IS DISTINCT FROM NEW.key_expires_at) EXECUTE FUNCTION announce_key_anew();
CREATE FUNCTION announce_licence_anew() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.lic_announced := NULL; RETURN NEW; END $$;
CREATE TRIGGER announce BEFORE UPDATE OF lic_expires_at ON licence FOR EACH ROW WHEN (OLD.lic_expires_at IS DISTINCT FROM NEW.lic_expires_at) EXECUTE FUNCTION announce_licence_anew();
-- Telling of an end changes nothing about what somebody may do.
DROP TRIGGER authz ON licence;
CREATE TRIGGER authz AFTER INSERT OR DELETE OR UPDATE OF lic_module, lic_starts_at, lic_expires_at ON licence FOR EACH ROW EXECUTE FUNCTION raise_authz_version();

-- Writes an event of a workspace that the service itself tells of; within the functions below alone.
CREATE FUNCTION auth_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request)
    SELECT p_tenant, id, 'event', p_name, p_subject, id::text, p_payload, '{"kind": "system", "user_id": null, "key_id": null}', 'sweep-' || id FROM gen_random_uuid() id
  $$;
REVOKE ALL ON FUNCTION auth_tell(uuid, text, uuid, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION auth_tell(uuid, text, uuid, jsonb) TO atrium_definer;

-- Ends what has expired and tells of what is about to: sessions, tokens, rotation overlaps, keys, licences, signing keys.
-- Answers what else is due: workspaces to purge that nobody purges, and those purged of late, which something may reach still.
CREATE FUNCTION auth_sweep(p_now timestamptz) RETURNS jsonb
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  k api_key;
  l licence;
BEGIN
  UPDATE account_session SET ses_ended_at = p_now
    WHERE ses_ended_at IS NULL AND least(ses_expires_at, ses_last_used_at + (ses_idle_minutes + 10) * interval '1 minute') <= p_now;
  DELETE FROM account_session WHERE ses_ended_at < p_now - interval '30 days';
  DELETE FROM refresh_token WHERE rt_expires_at < p_now - interval '1 day';
  DELETE FROM account_token WHERE tok_expires_at < p_now - interval '1 day';
  DELETE FROM refresh_replay WHERE rr_created < p_now - interval '1 minute';
  DELETE FROM sign_in_throttle WHERE thr_until <= p_now;
  DELETE FROM operator_call WHERE op_at < p_now - interval '400 days';
  DELETE FROM signing_key WHERE sk_state = 'retired' AND sk_retired_at < p_now - interval '25 hours';
  UPDATE api_key SET key_prev_hash = NULL, key_prev_expires_at = NULL WHERE key_prev_hash IS NOT NULL AND key_prev_expires_at <= p_now;

  FOR k IN
    UPDATE api_key a SET key_announced = due.days
    FROM (SELECT e.tenant_id, e.key_id, CASE WHEN e.key_expires_at <= p_now THEN 0 WHEN e.key_expires_at <= p_now + interval '1 day' THEN 1 ELSE 7 END AS days
          FROM api_key e JOIN workspace w USING (tenant_id)
          WHERE e.key_revoked_at IS NULL AND e.key_expires_at <= p_now + interval '7 days' AND coalesce(e.key_announced, 9) > 0 AND w.ws_status <> 'deleting') due
    WHERE a.tenant_id = due.tenant_id AND a.key_id = due.key_id AND coalesce(a.key_announced, 9) > due.days
    RETURNING a.*
  LOOP
    PERFORM auth_tell(k.tenant_id, CASE WHEN k.key_announced = 0 THEN 'api_key.expired' ELSE 'api_key.expiring' END, k.key_id,
      jsonb_build_object('key_name', k.key_name, 'key_user', k.key_user, 'key_expires_at', k.key_expires_at, 'days', k.key_announced));
  END LOOP;

  FOR l IN
    UPDATE licence a SET lic_announced = due.days
    FROM (SELECT e.tenant_id, e.lic_module, CASE WHEN e.lic_expires_at <= p_now THEN 0 WHEN e.lic_expires_at <= p_now + interval '1 day' THEN 1 ELSE 7 END AS days
          FROM licence e JOIN workspace w USING (tenant_id)
          WHERE e.lic_expires_at <= p_now + interval '7 days' AND coalesce(e.lic_announced, 9) > 0 AND w.ws_status <> 'deleting') due
    WHERE a.tenant_id = due.tenant_id AND a.lic_module = due.lic_module AND coalesce(a.lic_announced, 9) > due.days
    RETURNING a.*
  LOOP
    PERFORM auth_tell(l.tenant_id, CASE WHEN l.lic_announced = 0 THEN 'license.expired' ELSE 'license.expiring' END, l.tenant_id,
      jsonb_build_object('lic_module', l.lic_module, 'lic_expires_at', l.lic_expires_at, 'days', l.lic_announced));
  END LOOP;

  RETURN jsonb_build_object(
    'overdue', (SELECT coalesce(jsonb_agg(w.tenant_id), '[]') FROM workspace w
                WHERE w.ws_status = 'deleting' AND w.ws_delete_after <= p_now
                  AND NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = w.tenant_id AND o.ev_name = 'identity.workspace-purge' AND o.ev_kind = 'job' AND o.ev_done IS NULL)),
    'buried', (SELECT coalesce(jsonb_agg(t.ws_id), '[]') FROM workspace_tombstone t WHERE t.deleted_at > p_now - interval '2 days'));
END
$$;
CALL make_definer('auth_sweep(timestamptz)');
