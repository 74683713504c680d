-- Names in the terms of the field. Hosts of the release before find the tables under their former names; the views go with the
-- next release.
CREATE OR REPLACE FUNCTION ws_purge_step(p_tenant uuid, p_table text, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
DECLARE
  -- A host of the release before names tables as they were called, before and after each part of this step.
  named CONSTANT text := CASE p_table WHEN 'usage_untold' THEN 'usage_unreported' WHEN 'retention_look' THEN 'retention_check' WHEN 'consent_look' THEN 'consent_expiry_position' ELSE p_table END;
  target regclass := (SELECT t FROM tenant_tables() t WHERE t::text IN (p_table, named) AND p_table <> 'workspace');
  spared text := CASE WHEN p_table = 'outbox' THEN $c$ AND NOT (ev_name = 'identity.workspace-purge' AND ev_done IS NULL)$c$ ELSE '' END;
  people uuid[] := '{}';
  total bigint;
  gone bigint;
BEGIN
  IF target IS NULL THEN RAISE EXCEPTION 'no table of workspaces is called %', p_table; END IF;
  IF NOT ws_may_purge(p_tenant) THEN RAISE EXCEPTION 'the workspace % is not to be purged', p_tenant; END IF;
  IF NOT EXISTS (SELECT FROM workspace_tombstone WHERE ws_id = p_tenant AND (deleted_at IS NOT NULL OR ws_purge ? p_table)) THEN
    EXECUTE format('SELECT count(*) FROM %s WHERE tenant_id = $1%s', target, spared) INTO total USING p_tenant;
  END IF;
  IF p_table = 'workspace_user' THEN
    people := ARRAY(SELECT user_id FROM workspace_user WHERE tenant_id = p_tenant ORDER BY user_id LIMIT p_limit);
    DELETE FROM workspace_user WHERE tenant_id = p_tenant AND user_id = ANY (people);
  ELSE
    EXECUTE format('DELETE FROM %1$s WHERE tenant_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE tenant_id = $1%2$s LIMIT $2))', target, spared) USING p_tenant, p_limit;
  END IF;
  GET DIAGNOSTICS gone = ROW_COUNT;
  -- Locked before anybody asks where else they are: who is made a member at this moment comes first, or finds no account.
  PERFORM FROM account a WHERE a.acc_id = ANY (people) ORDER BY a.acc_id FOR UPDATE;
  people := ARRAY(SELECT p FROM unnest(people) p WHERE NOT EXISTS (SELECT FROM workspace_user o WHERE o.user_id = p AND o.user_email IS NOT NULL));
  DELETE FROM account_session s WHERE s.acc_id = ANY (people);
  DELETE FROM account_token t WHERE t.acc_id = ANY (people);
  UPDATE account a SET acc_email = NULL, acc_email_verified_at = NULL, acc_password_hash = NULL, acc_password_changed_at = NULL, acc_totp = NULL, acc_totp_step = NULL,
                       acc_totp_pending = NULL, acc_totp_pending_until = NULL, acc_recovery = '{}', acc_status = 'erased'
    WHERE a.acc_id = ANY (people);
  IF gone > 0 OR total IS NOT NULL THEN PERFORM ws_purge_note(p_tenant, p_table, gone, coalesce(total - gone, 0)); END IF;
  RETURN gone;
END
$$;

-- part
ALTER TABLE usage_untold RENAME TO usage_unreported;
ALTER TABLE usage_unreported RENAME COLUMN unt_from TO rep_from;
ALTER TABLE usage_unreported RENAME COLUMN unt_to TO rep_to;
ALTER TABLE usage_unreported RENAME CONSTRAINT usage_untold_pkey TO usage_unreported_pkey;
CREATE VIEW usage_untold WITH (security_invoker = true) AS
  SELECT tenant_id, usage_param, rep_from AS unt_from, rep_to AS unt_to, usage_entries, usage_consumed_units, usage_consumed_credits FROM usage_unreported;
GRANT SELECT, UPDATE, DELETE ON usage_untold TO atrium_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_untold TO atrium_definer;
CREATE OR REPLACE FUNCTION usage_roll(p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  moved integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('usage_roll')) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM usage_delta WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_delta ORDER BY tenant_id, delta_id LIMIT p_limit)) RETURNING *
  ), fine AS MATERIALIZED (
    SELECT tenant_id, usage_quarter(usage_timestamp) AS cell_start, usage_param, usage_details, coalesce(usage_user, nil) AS usage_user, coalesce(usage_agent, nil) AS usage_agent,
           coalesce(usage_prompt, nil) AS usage_prompt, count(*) AS entries, sum(usage_consumed_units) AS units, sum(usage_consumed_credits) AS credits
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), sums AS MATERIALIZED (
    SELECT tenant_id, usage_group_of(GROUPING(usage_user, usage_agent, usage_prompt, usage_details)) AS usage_group, usage_hour(cell_start) AS hour_start, usage_param,
           coalesce(usage_user, usage_agent, usage_prompt, nil) AS usage_subject, coalesce(usage_details, '') AS usage_details, sum(entries) AS entries, sum(units) AS units, sum(credits) AS credits
    FROM fine GROUP BY tenant_id, usage_hour(cell_start), usage_param, GROUPING SETS ((), (usage_user), (usage_agent), (usage_prompt), (usage_details))
  ), cells AS (
    INSERT INTO usage_cells AS c SELECT * FROM fine ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (tenant_id, cell_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt) DO UPDATE SET
      usage_entries = c.usage_entries + excluded.usage_entries, usage_consumed_units = c.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = c.usage_consumed_credits + excluded.usage_consumed_credits
  ), days AS (
    INSERT INTO usage_days AS d
    SELECT tenant_id, usage_day(cell_start), usage_param, usage_details, usage_user, usage_agent, usage_prompt, sum(entries), sum(units), sum(credits) FROM fine GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (tenant_id, day_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt) DO UPDATE SET
      usage_entries = d.usage_entries + excluded.usage_entries, usage_consumed_units = d.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = d.usage_consumed_credits + excluded.usage_consumed_credits
  ), thin AS (
    INSERT INTO usage_thin AS t SELECT tenant_id, cell_start, usage_param, sum(entries), sum(units), sum(credits) FROM fine GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, cell_start, usage_param) DO UPDATE SET
      usage_entries = t.usage_entries + excluded.usage_entries, usage_consumed_units = t.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = t.usage_consumed_credits + excluded.usage_consumed_credits
  ), hourly AS (
    INSERT INTO usage_hourly AS h SELECT * FROM sums ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, usage_group, hour_start, usage_param, usage_subject, usage_details) DO UPDATE SET
      usage_entries = h.usage_entries + excluded.usage_entries, usage_consumed_units = h.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = h.usage_consumed_credits + excluded.usage_consumed_credits
  ), daily AS (
    INSERT INTO usage_daily AS d
    SELECT tenant_id, usage_group, usage_day(hour_start), usage_param, usage_subject, usage_details, sum(entries), sum(units), sum(credits) FROM sums GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, usage_group, day_start, usage_param, usage_subject, usage_details) DO UPDATE SET
      usage_entries = d.usage_entries + excluded.usage_entries, usage_consumed_units = d.usage_consumed_units + excluded.usage_consumed_units,
      usage_consumed_credits = d.usage_consumed_credits + excluded.usage_consumed_credits
  ), unreported AS (
    INSERT INTO usage_unreported AS u
    SELECT t.tenant_id, t.usage_param, min(t.usage_timestamp), max(t.usage_timestamp), count(*), sum(t.usage_consumed_units), sum(t.usage_consumed_credits)
    FROM taken t JOIN workspace w ON w.tenant_id = t.tenant_id AND w.ws_options ->> 'usage_events' = 'true' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, usage_param) DO UPDATE SET
      rep_from = least(u.rep_from, excluded.rep_from), rep_to = greatest(u.rep_to, excluded.rep_to), usage_entries = u.usage_entries + excluded.usage_entries,
      usage_consumed_units = u.usage_consumed_units + excluded.usage_consumed_units, usage_consumed_credits = u.usage_consumed_credits + excluded.usage_consumed_credits
  )
  SELECT coalesce(sum(entries), 0) INTO moved FROM fine;
  RETURN moved;
END
$$;

CREATE FUNCTION usage_unreported_in(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
  AS $$
    SELECT DISTINCT u.tenant_id FROM usage_unreported u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND (p_after IS NULL OR u.tenant_id > p_after) ORDER BY u.tenant_id LIMIT p_limit
  $$;
CALL make_definer('usage_unreported_in(uuid, integer)');
CREATE OR REPLACE FUNCTION usage_untold_in(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
  AS $$ SELECT tenant_id FROM usage_unreported_in(p_after, p_limit) $$;

-- part
ALTER TABLE retention_look RENAME TO retention_check;
ALTER TABLE retention_check RENAME COLUMN look_date TO check_date;
ALTER TABLE retention_check RENAME COLUMN look_keys TO check_keys;
ALTER TABLE retention_check RENAME CONSTRAINT retention_look_pkey TO retention_check_pkey;
ALTER TABLE retention_check RENAME CONSTRAINT retention_look_tenant_id_fkey TO retention_check_tenant_id_fkey;
CREATE VIEW retention_look WITH (security_invoker = true) AS SELECT tenant_id, check_date AS look_date, check_keys AS look_keys FROM retention_check;
GRANT SELECT, INSERT, UPDATE ON retention_look TO atrium_app;
GRANT SELECT, DELETE ON retention_look TO atrium_definer;
CREATE OR REPLACE FUNCTION retention_due(p_keys text[], p_at timestamptz, p_after uuid, p_limit integer) RETURNS TABLE(tenant_id uuid, ret_keys text[], run_date date)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
    SELECT w.tenant_id, array_agg(k.ret_key ORDER BY k.ret_key), d.local_day
    FROM workspace w CROSS JOIN LATERAL (SELECT (p_at AT TIME ZONE w.ws_timezone)::date AS local_day, (p_at AT TIME ZONE w.ws_timezone)::time AS local_time) d CROSS JOIN unnest(p_keys) k (ret_key)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) AND d.local_time >= '03:00'
      AND NOT EXISTS (SELECT FROM retention_run r WHERE r.tenant_id = w.tenant_id AND r.ret_key = k.ret_key AND r.run_date = d.local_day
                      AND (r.run_status = 'completed' OR (r.run_status = 'failed' AND r.run_finished > p_at - interval '1 hour')))
      AND NOT EXISTS (SELECT FROM retention_check c WHERE c.tenant_id = w.tenant_id AND c.check_date = d.local_day AND k.ret_key = ANY (c.check_keys))
    GROUP BY w.tenant_id, d.local_day ORDER BY w.tenant_id LIMIT p_limit
  $$;

-- part
ALTER TABLE consent_look RENAME TO consent_expiry_position;
ALTER TABLE consent_expiry_position RENAME CONSTRAINT consent_look_pkey TO consent_expiry_position_pkey;
CREATE VIEW consent_look WITH (security_invoker = true) AS SELECT tenant_id, cl_source, cl_at, cl_id, cl_file FROM consent_expiry_position;
GRANT SELECT, INSERT, UPDATE, DELETE ON consent_look TO atrium_app;
GRANT SELECT, DELETE ON consent_look TO atrium_definer;

-- part
ALTER TABLE budget_counter RENAME COLUMN cnt_told TO cnt_notified;
CREATE OR REPLACE FUNCTION budget_start(p_budget uuid, p_anew boolean, p_by jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp
    AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  b budget;
  w record;
  main uuid;
BEGIN
  SELECT * INTO b FROM budget WHERE tenant_id = current_tenant() AND bud_id = p_budget;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM credit_enter(b.tenant_id, p_by);
  DELETE FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND p_anew;
  UPDATE budget_counter SET cnt_spent = 0 WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_to > clock_timestamp();
  -- The next period too where entries may bear its time already.
  FOR w IN SELECT DISTINCT p.* FROM unnest(ARRAY[clock_timestamp(), clock_timestamp() + interval '5 minutes']) AS moment, budget_window(b.bud_period, b.bud_timezone, moment) p LOOP
    INSERT INTO budget_counter AS c (tenant_id, cnt_budget, cnt_subject, cnt_from, cnt_to, cnt_spent)
      SELECT b.tenant_id, b.bud_id, coalesce(s.subject, nil), w.window_from, w.window_to, sum(s.spent) FROM budget_sums(b, w.window_from, w.window_to) s
      GROUP BY GROUPING SETS ((s.subject), ()) HAVING NOT (b.bud_scope = 'each_user' AND GROUPING(s.subject) = 1) AND NOT (b.bud_scope NOT IN ('each_user', 'role') AND GROUPING(s.subject) = 0) AND sum(s.spent) IS NOT NULL
    ON CONFLICT (tenant_id, cnt_budget, cnt_from, cnt_subject) DO UPDATE SET cnt_spent = excluded.cnt_spent;
  END LOOP;
  UPDATE budget_counter c SET cnt_notified = ARRAY(SELECT t FROM unnest(c.cnt_notified) t WHERE c.cnt_spent * 100 >= t * b.bud_credits)
    WHERE c.tenant_id = b.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_notified <> '{}' AND c.cnt_to > clock_timestamp();
  FOR w IN SELECT cnt_from, cnt_subject FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_to > clock_timestamp() AND (b.bud_scope <> 'role' OR cnt_subject = nil) LOOP
    PERFORM budget_tell(b, w.cnt_subject, w.cnt_from, p_by);
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION budget_tell(b budget, p_subject uuid, p_from timestamptz, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp
    AS $$
DECLARE
  c budget_counter;
  crossed integer[];
  threshold integer;
BEGIN
  IF NOT b.bud_active THEN RETURN; END IF;
  SELECT * INTO c FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  crossed := ARRAY(SELECT t FROM unnest(b.bud_thresholds) t WHERE c.cnt_spent * 100 >= t * b.bud_credits AND t <> ALL (c.cnt_notified) ORDER BY t);
  IF crossed = '{}' THEN RETURN; END IF;
  UPDATE budget_counter SET cnt_notified = cnt_notified || crossed WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  FOREACH threshold IN ARRAY crossed LOOP
    PERFORM credit_tell(b.tenant_id, 'budget.threshold', b.bud_id, jsonb_build_object('bud_name', b.bud_name, 'threshold', threshold, 'subject', nullif(p_subject, '00000000-0000-0000-0000-000000000000'),
      'bud_spent', c.cnt_spent, 'bud_credits', b.bud_credits, 'bud_action', b.bud_action), p_by);
  END LOOP;
END
$$;

-- part
ALTER TABLE credit_balance RENAME COLUMN credit_told_low TO credit_notified_low;
ALTER TABLE credit_balance RENAME COLUMN credit_told_exhausted TO credit_notified_exhausted;
CREATE OR REPLACE FUNCTION credit_watch(p_tenant uuid, p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp
    AS $$
DECLARE
  s record;
  b credit_balance;
  facts jsonb;
BEGIN
  SELECT * INTO s FROM credit_state(p_tenant);
  SELECT * INTO b FROM credit_balance WHERE tenant_id = p_tenant;
  IF b.credit_seq = 0 OR s.credit_low = b.credit_notified_low AND (s.credit_available <= 0) = b.credit_notified_exhausted THEN RETURN; END IF;
  UPDATE credit_balance SET credit_notified_low = s.credit_low, credit_notified_exhausted = s.credit_available <= 0 WHERE tenant_id = p_tenant;
  facts := jsonb_build_object('credit_available', s.credit_available, 'credit_balance', s.credit_balance, 'credit_low_percent', s.credit_low_percent);
  IF s.credit_low AND NOT b.credit_notified_low THEN PERFORM credit_tell(p_tenant, 'credits.low', NULL, facts, p_by); END IF;
  IF s.credit_available <= 0 AND NOT b.credit_notified_exhausted THEN PERFORM credit_tell(p_tenant, 'credits.exhausted', NULL, facts, p_by); END IF;
END
$$;

-- part
ALTER TABLE storage_quota RENAME COLUMN quota_told TO quota_notified;
CREATE OR REPLACE FUNCTION storage_watch(p_by jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp
    AS $$
DECLARE
  q storage_quota;
  level integer;
BEGIN
  SELECT * INTO q FROM storage_quota WHERE tenant_id = current_tenant();
  level := CASE WHEN q.quota_bytes IS NULL THEN 0 WHEN q.quota_used >= q.quota_bytes THEN 2 WHEN q.quota_used::numeric * 100 >= q.quota_bytes::numeric * q.quota_warn_percent THEN 1 ELSE 0 END;
  IF level = q.quota_notified THEN RETURN; END IF;
  UPDATE storage_quota SET quota_notified = level WHERE tenant_id = q.tenant_id;
  INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
  SELECT q.tenant_id, id, 'event', (ARRAY['storage.quota_warning', 'storage.quota_exceeded'])[n], q.tenant_id, id::text,
         jsonb_build_object('quota_bytes', q.quota_bytes, 'quota_used', q.quota_used, 'quota_warn_percent', q.quota_warn_percent), p_by -> 'actor', p_by ->> 'request', p_by ->> 'trace'
  FROM generate_series(q.quota_notified + 1, level) n, LATERAL (SELECT time_ordered_id() AS id WHERE n > 0) made;
END
$$;
