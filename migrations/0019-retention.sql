-- How many days a workspace keeps what, where it is not the usual number. A shortening waits: until then the days before it count.
CREATE TABLE retention_policy (
  tenant_id         uuid NOT NULL REFERENCES workspace,
  ret_key           text NOT NULL,
  ret_days          integer NOT NULL CHECK (ret_days > 0),
  ret_days_before   integer CHECK (ret_days_before > ret_days),
  ret_effective_at  timestamptz(3),
  ret_updated       timestamptz(3) NOT NULL DEFAULT now(),
  ret_updated_by    uuid,
  PRIMARY KEY (tenant_id, ret_key),
  CHECK ((ret_days_before IS NULL) = (ret_effective_at IS NULL))
);
CALL make_tenant_table('retention_policy', 'SELECT, INSERT, UPDATE');

-- What is to be kept whatever the policies say, until it is released.
CREATE TABLE legal_hold (
  tenant_id      uuid NOT NULL REFERENCES workspace,
  lh_id          uuid NOT NULL,
  row_version    integer NOT NULL DEFAULT 1,
  lh_name        text NOT NULL,
  lh_target_type text NOT NULL CHECK (lh_target_type IN ('user', 'file', 'album', 'thread', 'knowledge_base')),
  lh_target_id   uuid NOT NULL,
  lh_reason      text NOT NULL,
  lh_created     timestamptz(3) NOT NULL DEFAULT now(),
  lh_created_by  uuid,
  lh_released_at timestamptz(3),
  PRIMARY KEY (tenant_id, lh_id)
);
CREATE INDEX legal_hold_created ON legal_hold (tenant_id, lh_created, lh_id);
CREATE INDEX legal_hold_live ON legal_hold (tenant_id, lh_target_type, lh_target_id) WHERE lh_released_at IS NULL;
CALL make_tenant_table('legal_hold', 'SELECT, INSERT, UPDATE');

-- One row a workspace, policy and local day: what was removed, and what a hold kept.
CREATE TABLE retention_run (
  tenant_id    uuid NOT NULL REFERENCES workspace,
  run_id       uuid NOT NULL,
  ret_key      text NOT NULL,
  run_date     date NOT NULL,
  run_before   timestamptz(3) NOT NULL,
  run_status   text NOT NULL DEFAULT 'running' CHECK (run_status IN ('running', 'completed', 'failed')),
  run_removed  bigint NOT NULL DEFAULT 0,
  run_bytes    bigint NOT NULL DEFAULT 0,
  run_held     bigint NOT NULL DEFAULT 0,
  run_started  timestamptz(3) NOT NULL DEFAULT now(),
  run_finished timestamptz(3),
  run_error    text,
  PRIMARY KEY (tenant_id, run_id),
  UNIQUE (tenant_id, ret_key, run_date)
);
CREATE INDEX retention_run_started ON retention_run (tenant_id, run_started, run_id);
CALL make_tenant_table('retention_run');

CREATE TABLE retention_held (
  tenant_id uuid NOT NULL,
  held_run  uuid NOT NULL,
  held_id   uuid NOT NULL,
  held_hold uuid NOT NULL,
  PRIMARY KEY (tenant_id, held_run, held_id),
  FOREIGN KEY (tenant_id, held_run) REFERENCES retention_run ON DELETE CASCADE
);
CALL make_tenant_table('retention_held', 'SELECT, INSERT, DELETE');

-- The policies that are due: in active workspaces where it is past three in the morning, without a run of that day that ended.
CREATE FUNCTION retention_due(p_keys text[], p_at timestamptz, p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid, ret_keys text[], run_date date)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT w.tenant_id, array_agg(k.ret_key ORDER BY k.ret_key), d.local_day
    FROM workspace w CROSS JOIN LATERAL (SELECT (p_at AT TIME ZONE w.ws_timezone)::date AS local_day, (p_at AT TIME ZONE w.ws_timezone)::time AS local_time) d CROSS JOIN unnest(p_keys) k (ret_key)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) AND d.local_time >= '03:00'
      AND NOT EXISTS (SELECT FROM retention_run r WHERE r.tenant_id = w.tenant_id AND r.ret_key = k.ret_key AND r.run_date = d.local_day
                      AND (r.run_status = 'completed' OR (r.run_status = 'failed' AND r.run_finished > p_at - interval '1 hour')))
    GROUP BY w.tenant_id, d.local_day ORDER BY w.tenant_id LIMIT p_limit
  $$;
CALL make_definer('retention_due(text[], timestamptz, uuid, integer)');

-- The most days that any workspace keeps what a policy is about.
CREATE FUNCTION retention_longest(p_key text, p_default integer) RETURNS integer
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT coalesce(max(coalesce(CASE WHEN p.ret_effective_at > now() THEN p.ret_days_before END, p.ret_days, p_default)), p_default)
    FROM workspace w LEFT JOIN retention_policy p ON p.tenant_id = w.tenant_id AND p.ret_key = p_key
  $$;
CALL make_definer('retention_longest(text, integer)');

-- The four below remove a batch of the workspace at hand from before a moment, oldest first, but for what is held; how many rows went.
CREATE FUNCTION access_log_purge(p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before CONSTANT timestamptz := least(p_before, now() - interval '30 days');
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  SELECT min(due.log_timestamp), max(due.log_timestamp) INTO oldest, latest FROM (
    SELECT l.log_timestamp FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp < before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = l.log_user AND h.lh_released_at IS NULL)
    ORDER BY l.log_timestamp LIMIT p_limit) due;
  DELETE FROM access_log l WHERE l.tenant_id = current_tenant() AND l.log_timestamp BETWEEN oldest AND latest
    AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = l.log_user AND h.lh_released_at IS NULL);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
CALL make_definer('access_log_purge(timestamptz, integer)');

-- Up to when the events of a workspace may go: seals go whole, so that one which reaches beyond the moment stays.
CREATE FUNCTION audit_horizon(p_tenant uuid, p_before timestamptz) RETURNS timestamptz
  LANGUAGE sql STABLE SET search_path = public, pg_temp
  AS $$
    SELECT least(b.before, (SELECT min(s.seal_from) FROM audit_seal s WHERE s.tenant_id = p_tenant AND s.seal_to >= b.before AND s.seal_from < b.before))
    FROM (SELECT least(p_before, now() - interval '365 days') AS before) b
  $$;
REVOKE ALL ON FUNCTION audit_horizon(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_horizon(uuid, timestamptz) TO atrium_app, atrium_definer;
CREATE INDEX audit_seal_span ON audit_seal (tenant_id, seal_to);

-- The seals of events that go stay and say so.
CREATE OR REPLACE FUNCTION audit_purge(p_tenant uuid, p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  before CONSTANT timestamptz := audit_horizon(p_tenant, p_before);
  held CONSTANT boolean := EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL);
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  SELECT min(due.aud_timestamp), max(due.aud_timestamp) INTO oldest, latest FROM (
    SELECT e.aud_timestamp FROM audit_event e WHERE e.tenant_id = p_tenant AND e.aud_timestamp < before AND e.aud_seal IS NOT NULL
      AND (NOT held OR NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL
           AND ((h.lh_target_type = 'user' AND h.lh_target_id = e.aud_actor) OR (h.lh_target_type = e.aud_target_type AND h.lh_target_id::text = e.aud_target_id))))
    ORDER BY e.aud_timestamp LIMIT p_limit) due;
  WITH removed AS (
    DELETE FROM audit_event e WHERE e.tenant_id = p_tenant AND e.aud_timestamp BETWEEN oldest AND latest AND e.aud_seal IS NOT NULL
      AND (NOT held OR NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = p_tenant AND h.lh_released_at IS NULL
           AND ((h.lh_target_type = 'user' AND h.lh_target_id = e.aud_actor) OR (h.lh_target_type = e.aud_target_type AND h.lh_target_id::text = e.aud_target_id))))
    RETURNING e.aud_seal
  ), told AS (
    UPDATE audit_seal a SET seal_removed = now() WHERE a.tenant_id = p_tenant AND a.seal_removed IS NULL AND a.seal_id IN (SELECT r.aud_seal FROM removed r)
  )
  SELECT count(*) INTO gone FROM removed;
  RETURN gone;
END
$$;

-- Events go once their subscribers have them.
CREATE INDEX outbox_events ON outbox (tenant_id, ev_created) WHERE ev_kind = 'event';
CREATE FUNCTION outbox_events_purge(p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = ANY (ARRAY(
    SELECT e.ev_id FROM outbox e WHERE e.tenant_id = current_tenant() AND e.ev_kind = 'event' AND e.ev_sent IS NOT NULL AND e.ev_created < p_before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id::text = e.ev_actor ->> 'user_id' AND h.lh_released_at IS NULL)
    ORDER BY e.ev_created LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
CALL make_definer('outbox_events_purge(timestamptz, integer)');

CREATE INDEX background_job_ended ON background_job (tenant_id, job_updated) WHERE job_status IN ('completed', 'failed', 'cancelled');
CREATE FUNCTION background_jobs_purge(p_before timestamptz, p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM background_job b WHERE b.tenant_id = current_tenant() AND b.job_id = ANY (ARRAY(
    SELECT j.job_id FROM background_job j WHERE j.tenant_id = current_tenant() AND j.job_status IN ('completed', 'failed', 'cancelled') AND j.job_updated < p_before
      AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_target_id = j.job_created_by AND h.lh_released_at IS NULL)
    ORDER BY j.job_updated LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
CALL make_definer('background_jobs_purge(timestamptz, integer)');

-- The entries of usage go by stretches of time, as the others do; the users named are spared besides those that are held.
CREATE OR REPLACE FUNCTION usage_entries_purge(p_before timestamptz, p_limit integer, p_spared uuid[] DEFAULT '{}') RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  spared CONSTANT uuid[] := p_spared || ARRAY(SELECT h.lh_target_id FROM legal_hold h WHERE h.tenant_id = current_tenant() AND h.lh_target_type = 'user' AND h.lh_released_at IS NULL);
  oldest timestamptz;
  latest timestamptz;
  gone integer;
BEGIN
  IF current_tenant() IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO usage_horizon AS h VALUES (current_tenant(), p_before) ON CONFLICT (tenant_id) DO UPDATE SET hor_raw_from = greatest(h.hor_raw_from, excluded.hor_raw_from);
  SELECT min(due.usage_timestamp), max(due.usage_timestamp) INTO oldest, latest FROM (
    SELECT u.usage_timestamp FROM usage_entry u WHERE u.tenant_id = current_tenant() AND u.usage_timestamp < p_before AND (u.usage_user IS NULL OR u.usage_user <> ALL (spared))
    ORDER BY u.usage_timestamp LIMIT p_limit) due;
  DELETE FROM usage_entry u WHERE u.tenant_id = current_tenant() AND u.usage_timestamp BETWEEN oldest AND latest AND (u.usage_user IS NULL OR u.usage_user <> ALL (spared));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- Which rows of a table by month a hold keeps: over a row `e` and a hold `h`.
ALTER TABLE partition_plan ADD COLUMN part_held text;
UPDATE partition_plan SET part_held = CASE part_table
  WHEN 'access_log' THEN $$h.lh_target_type = 'user' AND h.lh_target_id = e.log_user$$
  WHEN 'usage_entry' THEN $$h.lh_target_type = 'user' AND h.lh_target_id = e.usage_user$$
  WHEN 'audit_event' THEN $$((h.lh_target_type = 'user' AND h.lh_target_id = e.aud_actor) OR (h.lh_target_type = e.aud_target_type AND h.lh_target_id::text = e.aud_target_id))$$ END;
GRANT INSERT, UPDATE ON usage_horizon TO atrium_definer;

-- Makes the months of now and of the three to come of a planned table, and drops those that lie wholly behind the days to
-- keep and hold nothing that a legal hold keeps; null keeps everything.
CREATE OR REPLACE FUNCTION partitions_prepare(p_table name, p_keep_days integer) RETURNS TABLE (made integer, dropped integer)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
DECLARE
  plan partition_plan;
  part text;
  horizon timestamptz;
  held boolean;
BEGIN
  made := 0;
  dropped := 0;
  SELECT * INTO plan FROM partition_plan p WHERE p.part_table = p_table;
  IF plan.part_table IS NULL OR to_regclass(plan.part_table::text) IS NULL THEN RETURN NEXT; RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('partitions_prepare'));
  SELECT count(*) FILTER (WHERE make_month(plan.part_table::text::regclass, plan.part_key, now() + make_interval(months => m))) INTO made FROM generate_series(0, 3) m;
  horizon := date_trunc('month', now() - make_interval(days => greatest(p_keep_days, plan.part_keep_min)));
  IF p_keep_days IS NULL THEN RETURN NEXT; RETURN; END IF;
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = plan.part_table::text::regclass AND c.relname ~ ('^' || plan.part_table || '_\d{4}_\d{2}$') AND to_date(right(c.relname, 7), 'YYYY_MM') < horizon
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM legal_hold h JOIN %I e ON e.tenant_id = h.tenant_id WHERE h.lh_released_at IS NULL AND %s)', part, coalesce(plan.part_held, 'false')) INTO held;
    CONTINUE WHEN held;
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  EXECUTE format('DELETE FROM %I e WHERE e.%I < %L AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.tenant_id = e.tenant_id AND h.lh_released_at IS NULL AND %s)',
                 plan.part_table || '_default', plan.part_key, horizon, coalesce(plan.part_held, 'false'));
  IF plan.part_table = 'audit_event' THEN
    UPDATE audit_seal a SET seal_removed = now() WHERE a.seal_removed IS NULL AND a.seal_from < horizon;
  ELSIF plan.part_table = 'usage_entry' AND dropped > 0 THEN
    INSERT INTO usage_horizon AS h SELECT w.tenant_id, horizon FROM workspace w
      ON CONFLICT (tenant_id) DO UPDATE SET hor_raw_from = excluded.hor_raw_from WHERE h.hor_raw_from < excluded.hor_raw_from;
  END IF;
  RETURN NEXT;
END
$$;
CALL make_definer('partitions_prepare(name, integer)');

-- What retention of files looks for.
CREATE INDEX file_purge_here ON file (tenant_id, file_purge_at) WHERE file_purge_at IS NOT NULL;
CREATE INDEX download_job_due ON download_job (tenant_id, expires_at) WHERE status = 'completed';
CREATE INDEX download_job_ended ON download_job (expires_at) WHERE status = 'expired' AND archive_key IS NOT NULL;

-- Since when a later version stands in the place of a version: kept here, since no index could find the moment otherwise.
ALTER TABLE file_version ADD COLUMN fv_superseded timestamptz(3);
ALTER TABLE file_version NO FORCE ROW LEVEL SECURITY;
UPDATE file_version v SET fv_superseded = (SELECT min(n.fv_created) FROM file_version n WHERE n.tenant_id = v.tenant_id AND n.fv_file = v.fv_file AND n.fv_number > v.fv_number);
ALTER TABLE file_version FORCE ROW LEVEL SECURITY;
CREATE INDEX file_version_superseded ON file_version (tenant_id, fv_superseded) WHERE fv_superseded IS NOT NULL;
CREATE FUNCTION supersede_versions() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE file_version v SET fv_superseded = NEW.fv_created WHERE v.tenant_id = NEW.tenant_id AND v.fv_file = NEW.fv_file AND v.fv_number < NEW.fv_number AND v.fv_superseded IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER superseded AFTER INSERT ON file_version FOR EACH ROW WHEN (NEW.fv_number > 1) EXECUTE FUNCTION supersede_versions();

-- Work of the sweeper in workspaces that are not at rest: only ids and workspaces leave; the work itself runs bound to
-- each workspace. A trash is named as a whole: which of its files may go, holds decide there.
CREATE OR REPLACE FUNCTION files_due(most integer) RETURNS TABLE (kind text, tenant_id uuid, id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT 'upload', u.tenant_id, u.upl_id FROM upload u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND u.upl_staged AND u.upl_expires < now() ORDER BY u.upl_expires LIMIT most)
  UNION ALL
  (SELECT DISTINCT 'trash', f.tenant_id, f.tenant_id FROM file f JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND f.file_purge_at < now() LIMIT most)
  UNION ALL
  (SELECT 'blob', b.tenant_id, b.blob_id FROM file_blob b JOIN workspace w USING (tenant_id)
   WHERE w.ws_status = 'active' AND b.blob_state = 'orphan' AND b.blob_orphaned < now() - interval '24 hours' ORDER BY b.blob_orphaned LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'completed' AND d.expires_at < now() ORDER BY d.expires_at LIMIT most)
  UNION ALL
  (SELECT 'archive', d.tenant_id, d.job_id FROM download_job d JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND d.status = 'expired' AND d.archive_key IS NOT NULL ORDER BY d.expires_at LIMIT most)
$$;
