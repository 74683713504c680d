-- Sums by one dimension at a time, by hour and by UTC day: reports that group by no more than one read these, so that what they
-- cost does not grow with how many members, agents, prompts and variants meet in a quarter of an hour. `usage_subject` is the
-- member, the agent or the prompt (the nil uuid for none, and where the group is another).
CREATE TABLE usage_hourly (
  tenant_id              uuid NOT NULL,
  usage_group            text NOT NULL CHECK (usage_group IN ('all', 'user', 'agent', 'prompt', 'details')),
  hour_start             timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_subject          uuid NOT NULL,
  usage_details          text NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, usage_group, hour_start, usage_param, usage_subject, usage_details)
) WITH (fillfactor = 80);
CALL make_tenant_table('usage_hourly', 'SELECT');
CREATE TABLE usage_daily (
  tenant_id              uuid NOT NULL,
  usage_group            text NOT NULL CHECK (usage_group IN ('all', 'user', 'agent', 'prompt', 'details')),
  day_start              timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_subject          uuid NOT NULL,
  usage_details          text NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, usage_group, day_start, usage_param, usage_subject, usage_details)
) WITH (fillfactor = 80);
CALL make_tenant_table('usage_daily', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_hourly, usage_daily TO atrium_definer;

-- The hour a moment lies in.
CREATE FUNCTION usage_hour(at timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00+00');

-- What a sum groups by, from GROUPING(usage_user, usage_agent, usage_prompt, usage_details).
CREATE FUNCTION usage_group_of(p_left_out integer) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE p_left_out WHEN 7 THEN 'user' WHEN 11 THEN 'agent' WHEN 13 THEN 'prompt' WHEN 14 THEN 'details' ELSE 'all' END;

-- Makes the sums of whole UTC days of a workspace anew from its cells. Whoever calls it holds the roller's lock.
CREATE FUNCTION usage_sum_up(p_tenant uuid, p_from timestamptz, p_to timestamptz) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  DELETE FROM usage_hourly WHERE tenant_id = p_tenant AND hour_start >= p_from AND hour_start < p_to;
  INSERT INTO usage_hourly
    SELECT p_tenant, usage_group_of(GROUPING(usage_user, usage_agent, usage_prompt, usage_details)), usage_hour(cell_start), usage_param, coalesce(usage_user, usage_agent, usage_prompt, nil),
           coalesce(usage_details, ''), sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= p_from AND cell_start < p_to
    GROUP BY usage_hour(cell_start), usage_param, GROUPING SETS ((), (usage_user), (usage_agent), (usage_prompt), (usage_details)) ORDER BY 1, 2, 3, 4, 5, 6;
  DELETE FROM usage_daily WHERE tenant_id = p_tenant AND day_start >= p_from AND day_start < p_to;
  INSERT INTO usage_daily
    SELECT p_tenant, usage_group, usage_day(hour_start), usage_param, usage_subject, usage_details, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_hourly WHERE tenant_id = p_tenant AND hour_start >= p_from AND hour_start < p_to GROUP BY 2, 3, 4, 5, 6 ORDER BY 2, 3, 4, 5, 6;
END
$$;
ALTER FUNCTION usage_sum_up(uuid, timestamptz, timestamptz) OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION usage_sum_up(uuid, timestamptz, timestamptz) FROM PUBLIC;

-- Moves a batch of the delta into the rollups and into what is to be told, in one statement; zero when there is none or another
-- holds the lock.
CREATE OR REPLACE FUNCTION usage_roll(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  ), untold AS (
    INSERT INTO usage_untold AS u
    SELECT t.tenant_id, t.usage_param, min(t.usage_timestamp), max(t.usage_timestamp), count(*), sum(t.usage_consumed_units), sum(t.usage_consumed_credits)
    FROM taken t JOIN workspace w ON w.tenant_id = t.tenant_id AND w.ws_options ->> 'usage_events' = 'true' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, usage_param) DO UPDATE SET
      unt_from = least(u.unt_from, excluded.unt_from), unt_to = greatest(u.unt_to, excluded.unt_to), usage_entries = u.usage_entries + excluded.usage_entries,
      usage_consumed_units = u.usage_consumed_units + excluded.usage_consumed_units, usage_consumed_credits = u.usage_consumed_credits + excluded.usage_consumed_credits
  )
  SELECT coalesce(sum(entries), 0) INTO moved FROM fine;
  RETURN moved;
END
$$;

-- Makes the rollups of whole UTC days anew from the entries, as far back as all entries are there. Entries less delta is
-- the same in every snapshot while the roller is kept out, so reports stay exact before, during and after. Answers how many
-- cells stand in the range now.
CREATE OR REPLACE FUNCTION usage_rebuild(p_tenant uuid, p_from timestamptz, p_to timestamptz) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  kept timestamptz := greatest((SELECT hor_raw_from FROM usage_horizon WHERE tenant_id = p_tenant), clock_timestamp() - interval '3650 days');
  first_day timestamptz := usage_day(greatest(p_from, kept + interval '1 day' - interval '1 millisecond'));
  last_day timestamptz := usage_day(p_to + interval '1 day' - interval '1 millisecond');
  made integer;
BEGIN
  IF usage_day(p_from) >= kept THEN
    first_day := usage_day(p_from);
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('usage_roll'));
  DELETE FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day;
  INSERT INTO usage_cells
    SELECT p_tenant, usage_quarter(usage_timestamp), usage_param, usage_details, coalesce(usage_user, nil), coalesce(usage_agent, nil), coalesce(usage_prompt, nil), sum(n), sum(n * units), sum(n * credits)
    FROM (
      SELECT usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, 1 AS n, usage_consumed_units AS units, usage_consumed_credits AS credits
        FROM usage_entry WHERE tenant_id = p_tenant AND usage_timestamp >= first_day AND usage_timestamp < last_day
      UNION ALL
      SELECT usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, -1, usage_consumed_units, usage_consumed_credits
        FROM usage_delta WHERE tenant_id = p_tenant AND usage_timestamp >= first_day AND usage_timestamp < last_day
    ) rolled GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0;
  GET DIAGNOSTICS made = ROW_COUNT;
  DELETE FROM usage_days WHERE tenant_id = p_tenant AND day_start >= first_day AND day_start < last_day;
  INSERT INTO usage_days
    SELECT tenant_id, usage_day(cell_start), usage_param, usage_details, usage_user, usage_agent, usage_prompt, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day GROUP BY 1, 2, 3, 4, 5, 6, 7;
  DELETE FROM usage_thin WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day;
  INSERT INTO usage_thin
    SELECT tenant_id, cell_start, usage_param, sum(usage_entries), sum(usage_consumed_units), sum(usage_consumed_credits)
    FROM usage_cells WHERE tenant_id = p_tenant AND cell_start >= first_day AND cell_start < last_day GROUP BY 1, 2, 3;
  PERFORM usage_sum_up(p_tenant, first_day, last_day);
  RETURN made;
END
$$;

-- What is rolled up already; no roller adds to it until this is done.
SELECT pg_advisory_xact_lock(hashtext('usage_roll'));
SET ROLE atrium_definer;
SELECT usage_sum_up(tenant_id, '-infinity', 'infinity') FROM (SELECT DISTINCT tenant_id FROM usage_days) used;
RESET ROLE;
