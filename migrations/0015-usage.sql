-- Makes the month of a table that is partitioned by month, unless it stands: rows that came too early move over from the
-- default partition, by name, so that generated columns may be among them. Only functions of the definer role call it.
CREATE FUNCTION make_month(p_parent regclass, p_key name, p_month timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '5s' AS $$
DECLARE
  month timestamptz := date_trunc('month', p_month);
  part text := p_parent::text || '_' || to_char(month, 'YYYY_MM');
  columns text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_month'));
  IF to_regclass(part) IS NOT NULL THEN
    RETURN false;
  END IF;
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns FROM pg_attribute WHERE attrelid = p_parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', p_parent::text || '_default');
  EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED)', part, p_parent);
  EXECUTE format(
    'WITH early AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I (%s) SELECT %s FROM early',
    p_parent::text || '_default', p_key, month, p_key, month + interval '1 month', part, columns, columns);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p_parent, part, month, month + interval '1 month');
  EXECUTE format('ALTER TABLE %I OWNER TO atrium_definer', part);
  RETURN true;
END
$$;
ALTER FUNCTION make_month(regclass, name, timestamptz) OWNER TO atrium_definer;
REVOKE ALL ON FUNCTION make_month(regclass, name, timestamptz) FROM PUBLIC;

-- What was used, a row a charge, never changed; one partition a month.
CREATE TABLE usage_entry (
  tenant_id              uuid NOT NULL,
  usage_id               uuid NOT NULL,
  usage_timestamp        timestamptz(3) NOT NULL,
  usage_user             uuid,
  usage_param            text NOT NULL,
  usage_details          text NOT NULL DEFAULT '' CHECK (length(usage_details) <= 200 AND usage_details ~ '^[A-Za-z0-9._:@/+-]*$'),
  usage_consumed_units   numeric(20,6) NOT NULL,
  usage_consumed_credits numeric(20,6) NOT NULL,
  usage_cost_id          uuid NOT NULL,
  usage_agent            uuid,
  usage_prompt           uuid,
  usage_key              uuid,
  usage_extension        uuid,
  usage_ref              jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(usage_ref) = 'object'),
  usage_reverses         uuid,
  -- The credits as a whole number of millionths: numeric comparisons are not leakproof, so row-level security would keep them off an index.
  usage_consumed_credits_key      bigint NOT NULL GENERATED ALWAYS AS ((least(greatest(usage_consumed_credits, -9000000000000), 9000000000000) * 1000000)::bigint) STORED,
  PRIMARY KEY (tenant_id, usage_timestamp, usage_id),
  CHECK (usage_consumed_units >= 0 OR usage_reverses IS NOT NULL)
) PARTITION BY RANGE (usage_timestamp);
CREATE INDEX usage_entry_user ON usage_entry (tenant_id, usage_user, usage_timestamp, usage_id);
CREATE INDEX usage_entry_param ON usage_entry (tenant_id, usage_param, usage_timestamp, usage_id);
CREATE INDEX usage_entry_agent ON usage_entry (tenant_id, usage_agent, usage_timestamp, usage_id) WHERE usage_agent IS NOT NULL;
CREATE INDEX usage_entry_prompt ON usage_entry (tenant_id, usage_prompt, usage_timestamp, usage_id) WHERE usage_prompt IS NOT NULL;
CREATE INDEX usage_entry_credits ON usage_entry (tenant_id, usage_consumed_credits_key, usage_id);
CREATE INDEX usage_entry_user_credits ON usage_entry (tenant_id, usage_user, usage_consumed_credits_key, usage_id);
CALL make_tenant_table('usage_entry', 'SELECT, INSERT');
CREATE TABLE usage_entry_default PARTITION OF usage_entry DEFAULT;
ALTER TABLE usage_entry OWNER TO atrium_definer;
ALTER TABLE usage_entry_default OWNER TO atrium_definer;
SELECT make_month('usage_entry', 'usage_timestamp', now() + make_interval(months => m)) FROM generate_series(-2, 3) m;

-- What has been charged already, by the writer's own key: inserted first, in the transaction of the entry; kept 90 days.
CREATE TABLE usage_sources (
  tenant_id    uuid NOT NULL,
  usage_source text NOT NULL CHECK (length(usage_source) BETWEEN 1 AND 200),
  src_created  timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, usage_source)
);
CREATE INDEX usage_sources_created ON usage_sources (src_created);
CALL make_tenant_table('usage_sources', 'SELECT, INSERT');

-- Entries that the rollups do not hold yet: one row beside each entry, in its transaction. In every snapshot, rollups
-- and delta together are all entries.
CREATE TABLE usage_delta (
  tenant_id              uuid NOT NULL,
  delta_id               bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  usage_timestamp        timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_details          text NOT NULL DEFAULT '',
  usage_user             uuid,
  usage_agent            uuid,
  usage_prompt           uuid,
  usage_consumed_units   numeric(20,6) NOT NULL,
  usage_consumed_credits numeric(20,6) NOT NULL,
  PRIMARY KEY (tenant_id, delta_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CALL make_tenant_table('usage_delta', 'SELECT, INSERT');

-- The rollups, written by the roller alone. Nobody, no agent and no prompt are the nil uuid here.
CREATE TABLE usage_cells (
  tenant_id              uuid NOT NULL,
  cell_start             timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_details          text NOT NULL,
  usage_user             uuid NOT NULL,
  usage_agent            uuid NOT NULL,
  usage_prompt           uuid NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, cell_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt)
) WITH (fillfactor = 90);
CREATE INDEX usage_cells_user ON usage_cells (tenant_id, usage_user, cell_start);
CALL make_tenant_table('usage_cells', 'SELECT');
CREATE TABLE usage_days (
  tenant_id              uuid NOT NULL,
  day_start              timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_details          text NOT NULL,
  usage_user             uuid NOT NULL,
  usage_agent            uuid NOT NULL,
  usage_prompt           uuid NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, day_start, usage_param, usage_details, usage_user, usage_agent, usage_prompt)
) WITH (fillfactor = 80);
CREATE INDEX usage_days_user ON usage_days (tenant_id, usage_user, day_start);
CALL make_tenant_table('usage_days', 'SELECT');
CREATE TABLE usage_thin (
  tenant_id              uuid NOT NULL,
  cell_start             timestamptz(3) NOT NULL,
  usage_param            text NOT NULL,
  usage_entries          bigint NOT NULL,
  usage_consumed_units   numeric(30,6) NOT NULL,
  usage_consumed_credits numeric(30,6) NOT NULL,
  PRIMARY KEY (tenant_id, cell_start, usage_param)
) WITH (fillfactor = 80);
CALL make_tenant_table('usage_thin', 'SELECT');

-- From when on a workspace's entries are all there; older ones may have been removed, their rollups stay.
CREATE TABLE usage_horizon (
  tenant_id    uuid PRIMARY KEY,
  hor_raw_from timestamptz(3) NOT NULL
);
CALL make_tenant_table('usage_horizon', 'SELECT');

GRANT SELECT, INSERT, UPDATE, DELETE ON usage_sources, usage_delta, usage_cells, usage_days, usage_thin, usage_horizon TO atrium_definer;

-- The quarter of an hour a moment lies in.
CREATE FUNCTION usage_quarter(at timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00');
CREATE FUNCTION usage_day(at timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN date_bin('1 day', at, timestamptz '2000-01-01 00:00:00+00');

-- The first moment at which clocks of a zone read a local time or a later one: where clocks went over it, that is the moment
-- they jumped; where they read it twice, the first time.
CREATE FUNCTION local_start(p_local timestamp, p_zone text) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN (p_local AT TIME ZONE p_zone) AT TIME ZONE p_zone = p_local AND ((p_local AT TIME ZONE p_zone) - interval '3 hours') AT TIME ZONE p_zone = p_local - interval '3 hours' THEN p_local AT TIME ZONE p_zone
    -- Clocks change about then: every quarter of an hour is looked at.
    ELSE (SELECT min(at) FROM (SELECT (p_local AT TIME ZONE p_zone) + step * interval '15 minutes' AS at FROM generate_series(-12, 12) step) around WHERE at AT TIME ZONE p_zone >= p_local)
  END
$$;

-- Moves a batch of the delta into the three rollups, in one statement; zero when there is none or another holds the lock.
CREATE FUNCTION usage_roll(p_limit integer) RETURNS integer
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
  )
  SELECT coalesce(sum(entries), 0) INTO moved FROM fine;
  RETURN moved;
END
$$;

-- Makes the rollups of whole UTC days anew from the entries, as far back as all entries are there. Entries less delta is
-- the same in every snapshot while the roller is kept out, so reports stay exact before, during and after. Answers how many
-- cells stand in the range now.
CREATE FUNCTION usage_rebuild(p_tenant uuid, p_from timestamptz, p_to timestamptz) RETURNS integer
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
  RETURN made;
END
$$;

-- Forgets a batch of sources that no queue delivers any more.
CREATE FUNCTION usage_sources_prune(p_limit integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM usage_sources WHERE ctid = ANY (ARRAY(SELECT ctid FROM usage_sources WHERE src_created < clock_timestamp() - interval '90 days' ORDER BY src_created LIMIT p_limit));
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- Removes a batch of the workspace's entries before a moment, but for those of the users named; their rollups stay, and
-- reports know from the horizon that bounds back there can not be finer than a quarter of an hour.
CREATE FUNCTION usage_entries_purge(p_before timestamptz, p_limit integer, p_spared uuid[] DEFAULT '{}') RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  IF current_tenant() IS NULL THEN
    RETURN 0;
  END IF;
  INSERT INTO usage_horizon AS h VALUES (current_tenant(), p_before) ON CONFLICT (tenant_id) DO UPDATE SET hor_raw_from = greatest(h.hor_raw_from, excluded.hor_raw_from);
  WITH due AS (
    SELECT usage_timestamp, usage_id FROM usage_entry WHERE tenant_id = current_tenant() AND usage_timestamp < p_before AND (usage_user IS NULL OR usage_user <> ALL (p_spared))
    ORDER BY usage_timestamp LIMIT p_limit
  )
  DELETE FROM usage_entry e USING due WHERE e.tenant_id = current_tenant() AND e.usage_timestamp = due.usage_timestamp AND e.usage_id = due.usage_id;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

CALL make_definer('usage_roll(integer)');
CALL make_definer('usage_rebuild(uuid, timestamptz, timestamptz)');
CALL make_definer('usage_sources_prune(integer)');
CALL make_definer('usage_entries_purge(timestamptz, integer, uuid[])');
