-- What was charged and is still to be told of by the event `usage.recorded`: sums by parameter, of workspaces that asked for it
-- alone. The roller adds to them what it takes from the delta, in the transaction in which it takes it, so that each entry
-- is told of once and no charge waits for it.
CREATE TABLE usage_untold (
  tenant_id              uuid NOT NULL,
  usage_param            text NOT NULL,
  unt_from               timestamptz(3) NOT NULL,
  unt_to                 timestamptz(3) NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, usage_param)
);
CALL make_tenant_table('usage_untold', 'SELECT, UPDATE, DELETE');
GRANT INSERT, UPDATE ON usage_untold TO atrium_definer;

-- The workspaces that asked for it.
CREATE INDEX workspace_telling_usage ON workspace (tenant_id) WHERE ws_options ->> 'usage_events' = 'true';

-- Moves a batch of the delta into the three rollups and into what is to be told, in one statement; zero when there is none or
-- another holds the lock.
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

-- Workspaces at work of which something is to be told, after the one named.
CREATE FUNCTION usage_untold_in(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT DISTINCT u.tenant_id FROM usage_untold u JOIN workspace w USING (tenant_id) WHERE w.ws_status = 'active' AND (p_after IS NULL OR u.tenant_id > p_after) ORDER BY u.tenant_id LIMIT p_limit
  $$;
CALL make_definer('usage_untold_in(uuid, integer)');

-- Whether the archive of an export counts among what the workspace stores. Those that lie there now are gone within a week.
ALTER TABLE privacy_request ADD COLUMN dsr_stored boolean NOT NULL DEFAULT false;
