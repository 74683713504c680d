-- Prices, credits and budgets. Money is numeric. Whatever moves credits holds the workspace's row of credit_balance for
-- its own statements, so that grants, holds, budgets and the ledger are changed by one at a time.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- A new UUIDv7, for rows that functions of the database write.
CREATE FUNCTION time_ordered_id() RETURNS uuid
  LANGUAGE sql VOLATILE PARALLEL SAFE
  AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
  $$;

-- Lets only functions of the definer role call a function.
CREATE PROCEDURE make_inner(f regprocedure)
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER FUNCTION %s OWNER TO atrium_definer', f);
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
END
$$;

-- Prices in versions: the list price of the installation, and what was agreed with a workspace. Two versions of one
-- parameter and variant never overlap; '*' is no variant that an entry may have.
CREATE TABLE platform_cost (
  cost_id uuid PRIMARY KEY,
  cost_param text NOT NULL,
  cost_details text CHECK (cost_details ~ '^[A-Za-z0-9._:@/+-]{0,200}$'),
  cost_credits_per_unit numeric(20,8) NOT NULL CHECK (cost_credits_per_unit >= 0),
  cost_valid_from timestamptz(3) NOT NULL,
  cost_valid_to timestamptz(3) CHECK (cost_valid_to > cost_valid_from),
  cost_note text,
  cost_created timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT platform_cost_overlap EXCLUDE USING gist (cost_param WITH =, (coalesce(cost_details, '*')) WITH =, tstzrange(cost_valid_from, cost_valid_to) WITH &&)
);
CREATE INDEX platform_cost_param ON platform_cost (cost_param, cost_valid_from DESC);
CREATE TABLE workspace_cost (
  tenant_id uuid NOT NULL REFERENCES workspace,
  cost_id uuid NOT NULL,
  cost_param text NOT NULL,
  cost_details text CHECK (cost_details ~ '^[A-Za-z0-9._:@/+-]{0,200}$'),
  cost_credits_per_unit numeric(20,8) NOT NULL CHECK (cost_credits_per_unit >= 0),
  cost_valid_from timestamptz(3) NOT NULL,
  cost_valid_to timestamptz(3) CHECK (cost_valid_to > cost_valid_from),
  cost_note text,
  cost_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, cost_id),
  CONSTRAINT workspace_cost_overlap EXCLUDE USING gist (tenant_id WITH =, cost_param WITH =, (coalesce(cost_details, '*')) WITH =, tstzrange(cost_valid_from, cost_valid_to) WITH &&)
);
CREATE INDEX workspace_cost_param ON workspace_cost (tenant_id, cost_param, cost_valid_from DESC);
CALL make_tenant_table('workspace_cost', 'SELECT');
GRANT SELECT, INSERT, UPDATE ON platform_cost, workspace_cost TO atrium_definer;

INSERT INTO platform_cost (cost_id, cost_param, cost_credits_per_unit, cost_valid_from, cost_note)
SELECT time_ordered_id(), param, price, '2020-01-01T00:00:00Z', 'List price'
FROM (VALUES
  ('ai.input_tokens', 0.00002), ('ai.cached_tokens', 0.000005), ('ai.output_tokens', 0.00006), ('ai.assist_tokens', 0.00004), ('ai.lost_tokens', 0), ('ai.tool_calls', 0),
  ('ai.embedding_tokens', 0.000002), ('media.analysis_images', 0.01), ('media.face_images', 0.005), ('media.transcription_seconds', 0.002), ('media.stock_downloads', 0.1),
  ('render', 0), ('design_ai', 0.00004), ('studio_image', 0.5), ('studio_video', 1), ('studio_copy', 0.00004), ('infographic_ai', 0.00004), ('presentation_ai', 0.00004),
  ('documents.conversion_pages', 0), ('knowledge.crawl_pages', 0.001), ('social.posts', 0), ('site.cms_pages', 0), ('workflow.steps', 0), ('voice.seconds', 0.01),
  ('voice.input_tokens', 0.00002), ('voice.output_tokens', 0.00006), ('voice.audio_input_tokens', 0.0001), ('voice.audio_output_tokens', 0.0002), ('channel.messages', 0),
  ('publication.egress_gb', 0), ('files.egress_gb', 0), ('storage.gb_days', 0.001)) AS seed (param, price);

-- The prices that the workspace at hand may see: the installation's and its own.
CREATE FUNCTION costs_visible() RETURNS TABLE (tenant_id uuid, cost_id uuid, cost_param text, cost_details text, cost_credits_per_unit numeric, cost_valid_from timestamptz(3), cost_valid_to timestamptz(3), cost_workspace boolean, cost_note text, cost_created timestamptz(3))
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT current_tenant(), p.cost_id, p.cost_param, p.cost_details, p.cost_credits_per_unit, p.cost_valid_from, p.cost_valid_to, false, p.cost_note, p.cost_created
    FROM platform_cost p WHERE current_tenant() IS NOT NULL
    UNION ALL
    SELECT w.tenant_id, w.cost_id, w.cost_param, w.cost_details, w.cost_credits_per_unit, w.cost_valid_from, w.cost_valid_to, true, w.cost_note, w.cost_created
    FROM workspace_cost w WHERE w.tenant_id = current_tenant()
  $$;
CALL make_definer('costs_visible()');
CREATE VIEW cost WITH (security_invoker = true) AS
  SELECT tenant_id, cost_id, cost_param, cost_details, cost_credits_per_unit, cost_valid_from::timestamptz(3), cost_valid_to::timestamptz(3), cost_workspace, cost_note, cost_created::timestamptz(3) FROM costs_visible();
GRANT SELECT ON cost TO atrium_app;

-- The list prices, for whoever runs the installation.
CREATE FUNCTION costs_of_platform() RETURNS SETOF platform_cost
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT * FROM platform_cost $$;
CALL make_definer('costs_of_platform()');

-- The price of one unit at a moment: the workspace's for the variant, the workspace's, the list's for the variant, the list's.
CREATE FUNCTION cost_at(p_tenant uuid, p_param text, p_details text, p_at timestamptz) RETURNS TABLE (cost_id uuid, price numeric)
  LANGUAGE sql STABLE
  AS $$
    SELECT c.cost_id, c.price FROM (
      SELECT w.cost_id, w.cost_credits_per_unit AS price, CASE WHEN w.cost_details IS NULL THEN 2 ELSE 1 END AS rank FROM workspace_cost w
      WHERE w.tenant_id = p_tenant AND w.cost_param = p_param AND (w.cost_details IS NULL OR w.cost_details = p_details) AND w.cost_valid_from <= p_at AND (w.cost_valid_to IS NULL OR w.cost_valid_to > p_at)
      UNION ALL
      SELECT p.cost_id, p.cost_credits_per_unit, CASE WHEN p.cost_details IS NULL THEN 4 ELSE 3 END FROM platform_cost p
      WHERE p.cost_param = p_param AND (p.cost_details IS NULL OR p.cost_details = p_details) AND p.cost_valid_from <= p_at AND (p.cost_valid_to IS NULL OR p.cost_valid_to > p_at)
    ) c ORDER BY c.rank LIMIT 1
  $$;
CALL make_inner('cost_at(uuid, text, text, timestamptz)');

-- A new price, the installation's where no workspace is named: it ends the open one and begins where that ends. Its id;
-- null where a price from then on, or later, is there already.
CREATE FUNCTION cost_set(p_tenant uuid, p_cost jsonb) RETURNS uuid
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  c platform_cost := jsonb_populate_record(NULL::platform_cost, p_cost || '{"cost_valid_to": null}');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('cost:' || coalesce(p_tenant::text, '') || ':' || c.cost_param || ':' || coalesce(c.cost_details, '*'), 0));
  c.cost_valid_from := greatest(coalesce(c.cost_valid_from, clock_timestamp()), date_trunc('milliseconds', clock_timestamp()));
  c.cost_created := clock_timestamp();
  IF p_tenant IS NULL THEN
    IF EXISTS (SELECT FROM platform_cost o WHERE o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND o.cost_valid_from >= c.cost_valid_from) THEN RETURN NULL; END IF;
    UPDATE platform_cost o SET cost_valid_to = c.cost_valid_from
      WHERE o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND (o.cost_valid_to IS NULL OR o.cost_valid_to > c.cost_valid_from);
    INSERT INTO platform_cost SELECT c.*;
  ELSE
    IF EXISTS (SELECT FROM workspace_cost o WHERE o.tenant_id = p_tenant AND o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND o.cost_valid_from >= c.cost_valid_from) THEN RETURN NULL; END IF;
    UPDATE workspace_cost o SET cost_valid_to = c.cost_valid_from
      WHERE o.tenant_id = p_tenant AND o.cost_param = c.cost_param AND o.cost_details IS NOT DISTINCT FROM c.cost_details AND (o.cost_valid_to IS NULL OR o.cost_valid_to > c.cost_valid_from);
    INSERT INTO workspace_cost SELECT p_tenant, c.*;
  END IF;
  RETURN c.cost_id;
END
$$;
CALL make_definer('cost_set(uuid, jsonb)');

-- Balance: the sum of the ledger. A workspace without a row has nothing yet.
CREATE TABLE credit_balance (
  tenant_id uuid PRIMARY KEY REFERENCES workspace,
  credit_balance numeric(20,6) NOT NULL DEFAULT 0,
  credit_policy text NOT NULL DEFAULT 'enforced' CHECK (credit_policy IN ('enforced', 'metered')),
  credit_low_percent integer NOT NULL DEFAULT 20 CHECK (credit_low_percent BETWEEN 1 AND 99),
  credit_seq bigint NOT NULL DEFAULT 0,
  credit_told_low boolean NOT NULL DEFAULT false,
  credit_told_exhausted boolean NOT NULL DEFAULT false,
  credit_updated timestamptz(3) NOT NULL DEFAULT now()
);
CALL make_tenant_table('credit_balance', 'SELECT');

-- Grants. grant_due is when its state changes next by the clock. While the balance is below zero no grant has a rest.
CREATE TABLE credit_grant (
  tenant_id uuid NOT NULL REFERENCES workspace,
  grant_id uuid NOT NULL,
  grant_state text NOT NULL DEFAULT 'scheduled' CHECK (grant_state IN ('scheduled', 'active', 'used_up', 'expired')),
  grant_credits numeric(20,6) NOT NULL CHECK (grant_credits > 0),
  grant_remaining numeric(20,6) NOT NULL CHECK (grant_remaining >= 0),
  grant_priority integer NOT NULL DEFAULT 50 CHECK (grant_priority BETWEEN 1 AND 100),
  grant_source text NOT NULL CHECK (grant_source IN ('plan', 'purchase', 'promotion', 'adjustment')),
  grant_starts_at timestamptz(3) NOT NULL,
  grant_expires_at timestamptz(3) CHECK (grant_expires_at > grant_starts_at),
  grant_until timestamptz(3),
  grant_recurs text NOT NULL DEFAULT 'none' CHECK (grant_recurs IN ('none', 'monthly')),
  grant_note text,
  grant_external_id text,
  grant_due timestamptz(3),
  grant_announced boolean NOT NULL DEFAULT false,
  grant_created timestamptz(3) NOT NULL DEFAULT now(),
  grant_created_by text,
  PRIMARY KEY (tenant_id, grant_id),
  UNIQUE (tenant_id, grant_external_id)
);
CREATE INDEX credit_grant_created ON credit_grant (tenant_id, grant_created, grant_id);
CREATE INDEX credit_grant_expiry ON credit_grant (tenant_id, grant_expires_at, grant_id);
CREATE INDEX credit_grant_order ON credit_grant (tenant_id, grant_priority, grant_expires_at, grant_created, grant_id) WHERE grant_state = 'active';
CREATE INDEX credit_grant_due ON credit_grant (tenant_id, grant_due) WHERE grant_due IS NOT NULL;
CREATE INDEX credit_grant_clock ON credit_grant (grant_due) WHERE grant_due IS NOT NULL;
CREATE INDEX credit_grant_announce ON credit_grant (grant_expires_at) WHERE grant_state = 'active' AND NOT grant_announced;
CALL make_tenant_table('credit_grant', 'SELECT');

-- The ledger: every move of the balance, in a gapless sequence, written once.
CREATE TABLE credit_ledger (
  tenant_id uuid NOT NULL REFERENCES workspace,
  led_id uuid NOT NULL,
  led_seq bigint NOT NULL,
  led_timestamp timestamptz(3) NOT NULL,
  led_kind text NOT NULL CHECK (led_kind IN ('grant', 'charge', 'expire', 'correction')),
  led_credits numeric(20,6) NOT NULL,
  led_balance numeric(20,6) NOT NULL,
  led_grant uuid,
  led_usage uuid,
  led_note text,
  PRIMARY KEY (tenant_id, led_id),
  UNIQUE (tenant_id, led_seq)
);
CREATE INDEX credit_ledger_time ON credit_ledger (tenant_id, led_timestamp, led_id);
CREATE INDEX credit_ledger_grant ON credit_ledger (tenant_id, led_grant, led_seq) WHERE led_grant IS NOT NULL;
CREATE INDEX credit_ledger_usage ON credit_ledger (tenant_id, led_usage) WHERE led_usage IS NOT NULL;
CREATE INDEX credit_ledger_kind ON credit_ledger (tenant_id, led_kind, led_seq);
CALL make_tenant_table('credit_ledger', 'SELECT');

-- Credits set aside for work that has begun. Only those count that are neither settled nor past their time; the row stays
-- a day longer, because later charges of the same work are priced as of its beginning.
CREATE TABLE credit_hold (
  tenant_id uuid NOT NULL REFERENCES workspace,
  hold_id uuid NOT NULL,
  hold_at timestamptz(3) NOT NULL,
  hold_expires_at timestamptz(3) NOT NULL,
  hold_settled_at timestamptz(3),
  hold_credits numeric(20,6) NOT NULL CHECK (hold_credits >= 0),
  hold_lines jsonb NOT NULL,
  hold_user uuid,
  hold_agent uuid,
  hold_prompt uuid,
  hold_key uuid,
  hold_extension uuid,
  hold_source text NOT NULL,
  PRIMARY KEY (tenant_id, hold_id)
);
CREATE INDEX credit_hold_alive ON credit_hold (tenant_id, hold_expires_at) WHERE hold_settled_at IS NULL;
CREATE INDEX credit_hold_source ON credit_hold (tenant_id, hold_source) WHERE hold_settled_at IS NULL;
CREATE INDEX credit_hold_age ON credit_hold (hold_expires_at);
CALL make_tenant_table('credit_hold', 'SELECT');

-- Budgets, and what was spent of each in each period: in all (subject nil), by person where it is each one's or a role's.
CREATE TABLE budget (
  tenant_id uuid NOT NULL REFERENCES workspace,
  bud_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  bud_name text NOT NULL,
  bud_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(bud_name, 64))) STORED,
  bud_scope text NOT NULL CHECK (bud_scope IN ('workspace', 'user', 'each_user', 'role', 'agent', 'prompt', 'key', 'extension', 'param')),
  bud_target text CHECK ((bud_target IS NULL) = (bud_scope IN ('workspace', 'each_user'))),
  bud_period text NOT NULL CHECK (bud_period IN ('day', 'week', 'month', 'total')),
  bud_timezone text NOT NULL,
  bud_credits numeric(20,6) NOT NULL CHECK (bud_credits > 0),
  bud_action text NOT NULL CHECK (bud_action IN ('warn', 'block')),
  bud_thresholds integer[] NOT NULL DEFAULT '{80,100}',
  bud_active boolean NOT NULL DEFAULT true,
  bud_created timestamptz(3) NOT NULL DEFAULT now(),
  bud_updated timestamptz(3) NOT NULL DEFAULT now(),
  bud_created_by uuid,
  PRIMARY KEY (tenant_id, bud_id)
);
CREATE UNIQUE INDEX budget_subject ON budget (tenant_id, bud_scope, coalesce(bud_target, ''), bud_period);
CREATE INDEX budget_created ON budget (tenant_id, bud_created, bud_id);
CREATE INDEX budget_name ON budget (tenant_id, bud_name_key, bud_id);
CALL make_tenant_table('budget');
CREATE TABLE budget_counter (
  tenant_id uuid NOT NULL,
  cnt_budget uuid NOT NULL,
  cnt_subject uuid NOT NULL,
  cnt_from timestamptz(3) NOT NULL,
  cnt_to timestamptz(3) NOT NULL,
  cnt_spent numeric(20,6) NOT NULL,
  cnt_told integer[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, cnt_budget, cnt_from, cnt_subject),
  FOREIGN KEY (tenant_id, cnt_budget) REFERENCES budget ON DELETE CASCADE
);
CREATE INDEX budget_counter_age ON budget_counter (tenant_id, cnt_to);
CALL make_tenant_table('budget_counter', 'SELECT');

-- Which entry took back which: each is taken back once.
CREATE TABLE usage_reversal (
  tenant_id uuid NOT NULL REFERENCES workspace,
  rev_usage uuid NOT NULL,
  rev_by uuid NOT NULL,
  rev_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, rev_usage)
);
CALL make_tenant_table('usage_reversal', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON credit_balance, credit_grant, credit_hold, budget_counter TO atrium_definer;
GRANT SELECT, INSERT ON credit_ledger, usage_reversal, usage_entry, usage_delta TO atrium_definer;
GRANT SELECT ON budget TO atrium_definer;

-- How a workspace stands: its balance, what is set aside, what is left, and whether that is little. Also for a workspace
-- that has no row of its own yet.
CREATE FUNCTION credit_state(p_tenant uuid) RETURNS TABLE (credit_balance numeric, credit_held numeric, credit_available numeric, credit_policy text, credit_low_percent integer, credit_low boolean, credit_updated timestamptz)
  LANGUAGE sql STABLE
  AS $$
    SELECT s.balance, s.held, s.balance - s.held, s.policy, s.percent, s.balance - s.held <= 0 OR s.balance - s.held < s.alive * s.percent / 100, s.updated
    FROM (
      SELECT coalesce(b.credit_balance, 0) AS balance, coalesce(b.credit_policy, 'enforced') AS policy, coalesce(b.credit_low_percent, 20) AS percent, b.credit_updated AS updated,
        (SELECT coalesce(sum(h.hold_credits), 0) FROM credit_hold h WHERE h.tenant_id = p_tenant AND h.hold_settled_at IS NULL AND h.hold_expires_at > clock_timestamp()) AS held,
        (SELECT coalesce(sum(g.grant_credits), 0) FROM credit_grant g WHERE g.tenant_id = p_tenant AND g.grant_state = 'active') AS alive
      FROM (VALUES (1)) AS one (n) LEFT JOIN credit_balance b ON b.tenant_id = p_tenant
    ) s
  $$;
REVOKE ALL ON FUNCTION credit_state(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_state(uuid) TO atrium_app, atrium_definer;

-- An event of the workspace, from whoever caused it.
CREATE FUNCTION credit_tell(p_tenant uuid, p_name text, p_subject uuid, p_payload jsonb, p_by jsonb) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO outbox (tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_payload, ev_actor, ev_request, ev_trace)
    SELECT p_tenant, id, 'event', p_name, p_subject, id::text, p_payload, p_by -> 'actor', p_by ->> 'request', p_by ->> 'trace' FROM time_ordered_id() id
  $$;
CALL make_inner('credit_tell(uuid, text, uuid, jsonb, jsonb)');

-- Moves the balance and writes the ledger's next row.
CREATE FUNCTION credit_note(p_tenant uuid, p_kind text, p_credits numeric, p_grant uuid, p_usage uuid, p_note text) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    WITH moved AS (
      UPDATE credit_balance SET credit_balance = credit_balance + p_credits, credit_seq = credit_seq + 1, credit_updated = clock_timestamp() WHERE tenant_id = p_tenant RETURNING credit_balance, credit_seq
    )
    INSERT INTO credit_ledger (tenant_id, led_id, led_seq, led_timestamp, led_kind, led_credits, led_balance, led_grant, led_usage, led_note)
    SELECT p_tenant, time_ordered_id(), m.credit_seq, clock_timestamp(), p_kind, p_credits, m.credit_balance, p_grant, p_usage, p_note FROM moved m
  $$;
CALL make_inner('credit_note(uuid, text, numeric, uuid, uuid, text)');

-- Takes credits from the grants in their order (priority, expiry, age) and the rest from the balance alone.
CREATE FUNCTION credit_take(p_tenant uuid, p_kind text, p_credits numeric, p_usage uuid, p_note text) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  needed numeric := p_credits;
  part numeric;
  g record;
BEGIN
  FOR g IN SELECT grant_id, grant_remaining FROM credit_grant WHERE tenant_id = p_tenant AND grant_state = 'active' ORDER BY grant_priority, grant_expires_at NULLS LAST, grant_created, grant_id LOOP
    EXIT WHEN needed <= 0;
    part := least(needed, g.grant_remaining);
    UPDATE credit_grant SET grant_remaining = grant_remaining - part, grant_state = CASE WHEN grant_remaining = part THEN 'used_up' ELSE 'active' END WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
    PERFORM credit_note(p_tenant, p_kind, -part, g.grant_id, p_usage, p_note);
    needed := needed - part;
  END LOOP;
  IF needed > 0 THEN
    PERFORM credit_note(p_tenant, p_kind, -needed, NULL, p_usage, p_note);
  END IF;
END
$$;
CALL make_inner('credit_take(uuid, text, numeric, uuid, text)');

-- Does what the clock asks of the grants, in the order of time: begin, end, begin anew each month. What a workspace owes
-- is taken from a grant that begins.
CREATE FUNCTION credit_catch_up(p_tenant uuid, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  g credit_grant;
  owed numeric;
BEGIN
  LOOP
    SELECT * INTO g FROM credit_grant WHERE tenant_id = p_tenant AND grant_due <= clock_timestamp() ORDER BY grant_due, grant_state = 'scheduled', grant_created, grant_id LIMIT 1;
    EXIT WHEN NOT FOUND;
    IF g.grant_state = 'scheduled' THEN
      owed := least(g.grant_credits, (SELECT greatest(0, -b.credit_balance) FROM credit_balance b WHERE b.tenant_id = p_tenant));
      UPDATE credit_grant SET grant_state = CASE WHEN owed = g.grant_credits THEN 'used_up' ELSE 'active' END, grant_remaining = g.grant_credits - owed, grant_due = g.grant_expires_at
        WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
      PERFORM credit_note(p_tenant, 'grant', g.grant_credits, g.grant_id, NULL, g.grant_note);
      PERFORM credit_tell(p_tenant, 'credits.granted', g.grant_id, jsonb_build_object('grant_credits', g.grant_credits, 'grant_source', g.grant_source, 'grant_expires_at', g.grant_expires_at), p_by);
    ELSE
      UPDATE credit_grant SET grant_state = 'expired', grant_remaining = 0, grant_due = NULL WHERE tenant_id = p_tenant AND grant_id = g.grant_id;
      IF g.grant_remaining > 0 THEN
        PERFORM credit_note(p_tenant, 'expire', -g.grant_remaining, g.grant_id, NULL, NULL);
      END IF;
      IF g.grant_recurs = 'monthly' AND (g.grant_until IS NULL OR g.grant_until > g.grant_expires_at) THEN
        PERFORM credit_plan(p_tenant, jsonb_populate_record(g, jsonb_build_object('grant_id', time_ordered_id(), 'grant_starts_at', g.grant_expires_at, 'grant_external_id', NULL, 'grant_created', clock_timestamp())));
      END IF;
    END IF;
  END LOOP;
END
$$;
CALL make_inner('credit_catch_up(uuid, jsonb)');

-- Writes a grant that has yet to begin. One that recurs ends with its month; the next takes its place then, up to grant_until.
CREATE FUNCTION credit_plan(p_tenant uuid, p_grant credit_grant) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  zone text := (SELECT ws_timezone FROM workspace WHERE tenant_id = p_tenant);
BEGIN
  IF p_grant.grant_recurs = 'monthly' THEN
    p_grant.grant_expires_at := least(p_grant.grant_until, (date_trunc('month', p_grant.grant_starts_at AT TIME ZONE zone) + interval '1 month') AT TIME ZONE zone);
  END IF;
  p_grant.tenant_id := p_tenant;
  p_grant.grant_state := 'scheduled';
  p_grant.grant_remaining := p_grant.grant_credits;
  p_grant.grant_due := p_grant.grant_starts_at;
  p_grant.grant_announced := false;
  INSERT INTO credit_grant SELECT p_grant.*;
END
$$;
CALL make_inner('credit_plan(uuid, credit_grant)');

-- Takes the workspace's balance for the rest of the transaction and brings the grants up to the clock.
CREATE FUNCTION credit_enter(p_tenant uuid, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM credit_balance WHERE tenant_id = p_tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO credit_balance (tenant_id) VALUES (p_tenant) ON CONFLICT DO NOTHING;
    PERFORM FROM credit_balance WHERE tenant_id = p_tenant FOR UPDATE;
  END IF;
  PERFORM credit_catch_up(p_tenant, p_by);
END
$$;
CALL make_inner('credit_enter(uuid, jsonb)');

-- Tells once that the balance is low, and once that it is used up, until it is not any more.
CREATE FUNCTION credit_watch(p_tenant uuid, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  s record;
  b credit_balance;
  facts jsonb;
BEGIN
  SELECT * INTO s FROM credit_state(p_tenant);
  SELECT * INTO b FROM credit_balance WHERE tenant_id = p_tenant;
  IF b.credit_seq = 0 OR s.credit_low = b.credit_told_low AND (s.credit_available <= 0) = b.credit_told_exhausted THEN RETURN; END IF;
  UPDATE credit_balance SET credit_told_low = s.credit_low, credit_told_exhausted = s.credit_available <= 0 WHERE tenant_id = p_tenant;
  facts := jsonb_build_object('credit_available', s.credit_available, 'credit_balance', s.credit_balance, 'credit_low_percent', s.credit_low_percent);
  IF s.credit_low AND NOT b.credit_told_low THEN PERFORM credit_tell(p_tenant, 'credits.low', NULL, facts, p_by); END IF;
  IF s.credit_available <= 0 AND NOT b.credit_told_exhausted THEN PERFORM credit_tell(p_tenant, 'credits.exhausted', NULL, facts, p_by); END IF;
END
$$;
CALL make_inner('credit_watch(uuid, jsonb)');

-- The period of a budget that a moment lies in, by the clocks of its zone.
CREATE FUNCTION budget_window(p_period text, p_zone text, p_at timestamptz) RETURNS TABLE (window_from timestamptz(3), window_to timestamptz(3))
  LANGUAGE sql STABLE
  AS $$
    SELECT CASE WHEN p_period = 'total' THEN timestamptz '1970-01-01 00:00:00+00' ELSE date_trunc(p_period, p_at AT TIME ZONE p_zone) AT TIME ZONE p_zone END,
           CASE WHEN p_period = 'total' THEN timestamptz '9999-01-01 00:00:00+00' ELSE (date_trunc(p_period, p_at AT TIME ZONE p_zone) + ('1 ' || p_period)::interval) AT TIME ZONE p_zone END
  $$;

-- Whether work of these is bound by a budget, whatever it uses.
CREATE FUNCTION budget_binds(b budget, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$
    SELECT coalesce(CASE b.bud_scope
      WHEN 'workspace' THEN true
      WHEN 'each_user' THEN p_user IS NOT NULL
      WHEN 'user' THEN b.bud_target = p_user::text
      WHEN 'role' THEN p_user IS NOT NULL AND EXISTS (SELECT FROM user_role_link l WHERE l.tenant_id = b.tenant_id AND l.user_id = p_user AND l.role_id = b.bud_target::uuid)
      WHEN 'agent' THEN b.bud_target = p_agent::text
      WHEN 'prompt' THEN b.bud_target = p_prompt::text
      WHEN 'key' THEN b.bud_target = p_key::text
      WHEN 'extension' THEN b.bud_target = p_extension::text
    END, false)
  $$;

-- The budgets that bind work of these, each looked up by its scope and target (OFFSET 0: by the index, whatever is thought of the table's size).
CREATE FUNCTION budgets_of(p_tenant uuid, p_user uuid, p_agent uuid, p_prompt uuid, p_key uuid, p_extension uuid, p_params text[]) RETURNS SETOF budget
  LANGUAGE sql STABLE
  AS $$
    SELECT b.* FROM (
      VALUES ('workspace', ''), ('each_user', CASE WHEN p_user IS NOT NULL THEN '' END), ('user', p_user::text), ('agent', p_agent::text), ('prompt', p_prompt::text), ('key', p_key::text), ('extension', p_extension::text)
      UNION ALL SELECT 'role', l.role_id::text FROM user_role_link l WHERE l.tenant_id = p_tenant AND l.user_id = p_user
      UNION ALL SELECT 'param', unnest(p_params)
    ) AS s (scope, target)
    CROSS JOIN LATERAL (SELECT * FROM budget b WHERE b.tenant_id = p_tenant AND b.bud_scope = s.scope AND coalesce(b.bud_target, '') = s.target OFFSET 0) b
  $$;

-- Whose spend is counted apart: each person's own, else all together (the nil uuid).
CREATE FUNCTION budget_subject(p_scope text, p_user uuid) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN p_scope = 'each_user' THEN p_user ELSE '00000000-0000-0000-0000-000000000000'::uuid END $$;

-- Tells of the thresholds that a counter of an active budget has crossed, each once in its period.
CREATE FUNCTION budget_tell(b budget, p_subject uuid, p_from timestamptz, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  c budget_counter;
  crossed integer[];
  threshold integer;
BEGIN
  IF NOT b.bud_active THEN RETURN; END IF;
  SELECT * INTO c FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  crossed := ARRAY(SELECT t FROM unnest(b.bud_thresholds) t WHERE c.cnt_spent * 100 >= t * b.bud_credits AND t <> ALL (c.cnt_told) ORDER BY t);
  IF crossed = '{}' THEN RETURN; END IF;
  UPDATE budget_counter SET cnt_told = cnt_told || crossed WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  FOREACH threshold IN ARRAY crossed LOOP
    PERFORM credit_tell(b.tenant_id, 'budget.threshold', b.bud_id, jsonb_build_object('bud_name', b.bud_name, 'threshold', threshold, 'subject', nullif(p_subject, '00000000-0000-0000-0000-000000000000'),
      'bud_spent', c.cnt_spent, 'bud_credits', b.bud_credits, 'bud_action', b.bud_action), p_by);
  END LOOP;
END
$$;
CALL make_inner('budget_tell(budget, uuid, timestamptz, jsonb)');

-- Adds to one counter. A period that is over gets no counter any more: nothing is decided by it.
CREATE FUNCTION budget_add(p_budget budget, p_subject uuid, p_from timestamptz, p_to timestamptz, p_credits numeric) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE budget_counter SET cnt_spent = cnt_spent + p_credits WHERE tenant_id = p_budget.tenant_id AND cnt_budget = p_budget.bud_id AND cnt_from = p_from AND cnt_subject = p_subject;
  IF NOT FOUND AND p_to > clock_timestamp() THEN
    INSERT INTO budget_counter (tenant_id, cnt_budget, cnt_subject, cnt_from, cnt_to, cnt_spent) VALUES (p_budget.tenant_id, p_budget.bud_id, p_subject, p_from, p_to, p_credits);
  END IF;
END
$$;
CALL make_inner('budget_add(budget, uuid, timestamptz, timestamptz, numeric)');

-- Counts what an entry costs in every budget that binds it.
CREATE FUNCTION budget_count(p_entry usage_entry, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  b budget;
  w record;
  subject uuid;
BEGIN
  FOR b IN SELECT * FROM budgets_of(p_entry.tenant_id, p_entry.usage_user, p_entry.usage_agent, p_entry.usage_prompt, p_entry.usage_key, p_entry.usage_extension, ARRAY[p_entry.usage_param]) LOOP
    SELECT * INTO w FROM budget_window(b.bud_period, b.bud_timezone, p_entry.usage_timestamp);
    subject := budget_subject(b.bud_scope, p_entry.usage_user);
    PERFORM budget_add(b, subject, w.window_from, w.window_to, p_entry.usage_consumed_credits);
    IF b.bud_scope = 'role' THEN
      PERFORM budget_add(b, p_entry.usage_user, w.window_from, w.window_to, p_entry.usage_consumed_credits);
    END IF;
    PERFORM budget_tell(b, subject, w.window_from, p_by);
  END LOOP;
END
$$;
CALL make_inner('budget_count(usage_entry, jsonb)');

-- What was really spent of a budget in a span that begins and ends on a quarter of an hour, by person: from the rollups
-- and what they do not hold yet; from the entries where the rollups do not tell keys and extensions apart.
CREATE FUNCTION budget_sums(b budget, p_from timestamptz, p_to timestamptz) RETURNS TABLE (subject uuid, spent numeric)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  first_day timestamptz := usage_day(p_from + interval '1 day' - interval '1 millisecond');
  last_day timestamptz := usage_day(p_to);
BEGIN
  IF b.bud_scope IN ('key', 'extension') THEN
    RETURN QUERY SELECT nil, coalesce(sum(e.usage_consumed_credits), 0) FROM usage_entry e
      WHERE e.tenant_id = b.tenant_id AND e.usage_timestamp >= p_from AND e.usage_timestamp < p_to AND b.bud_target::uuid = CASE WHEN b.bud_scope = 'key' THEN e.usage_key ELSE e.usage_extension END;
    RETURN;
  END IF;
  IF last_day <= first_day THEN
    first_day := p_to;
    last_day := p_to;
  END IF;
  RETURN QUERY
    SELECT CASE WHEN b.bud_scope IN ('each_user', 'role') THEN u.person ELSE nil END, sum(u.credits) FROM (
      SELECT d.usage_user AS person, d.usage_agent AS agent, d.usage_prompt AS prompt, d.usage_param AS param, d.usage_consumed_credits AS credits
        FROM usage_days d WHERE d.tenant_id = b.tenant_id AND d.day_start >= first_day AND d.day_start < last_day
      UNION ALL
      SELECT c.usage_user, c.usage_agent, c.usage_prompt, c.usage_param, c.usage_consumed_credits
        FROM usage_cells c WHERE c.tenant_id = b.tenant_id AND c.cell_start >= p_from AND c.cell_start < first_day
      UNION ALL
      SELECT c.usage_user, c.usage_agent, c.usage_prompt, c.usage_param, c.usage_consumed_credits
        FROM usage_cells c WHERE c.tenant_id = b.tenant_id AND c.cell_start >= last_day AND c.cell_start < p_to
      UNION ALL
      SELECT coalesce(t.usage_user, nil), coalesce(t.usage_agent, nil), coalesce(t.usage_prompt, nil), t.usage_param, t.usage_consumed_credits
        FROM usage_delta t WHERE t.tenant_id = b.tenant_id AND t.usage_timestamp >= p_from AND t.usage_timestamp < p_to
    ) u
    WHERE CASE b.bud_scope
      WHEN 'workspace' THEN true
      WHEN 'each_user' THEN u.person <> nil
      WHEN 'user' THEN u.person = b.bud_target::uuid
      WHEN 'role' THEN u.person IN (SELECT l.user_id FROM user_role_link l WHERE l.tenant_id = b.tenant_id AND l.role_id = b.bud_target::uuid)
      WHEN 'agent' THEN u.agent = b.bud_target::uuid
      WHEN 'prompt' THEN u.prompt = b.bud_target::uuid
      ELSE u.param = b.bud_target
    END
    GROUP BY 1;
END
$$;
CALL make_inner('budget_sums(budget, timestamptz, timestamptz)');

-- Takes the balance of the workspace at hand, so that budgets change while nobody charges or sets aside.
CREATE FUNCTION budget_enter(p_by jsonb) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT credit_enter(current_tenant(), p_by) WHERE current_tenant() IS NOT NULL $$;
CALL make_definer('budget_enter(jsonb)');

-- Counts a new or changed budget of the workspace at hand from what was really spent in the period that runs, and tells
-- of the thresholds that are crossed. `p_anew`: it is another budget than before, all that was told is forgotten.
CREATE FUNCTION budget_start(p_budget uuid, p_anew boolean, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  UPDATE budget_counter c SET cnt_told = ARRAY(SELECT t FROM unnest(c.cnt_told) t WHERE c.cnt_spent * 100 >= t * b.bud_credits)
    WHERE c.tenant_id = b.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_told <> '{}' AND c.cnt_to > clock_timestamp();
  FOR w IN SELECT cnt_from, cnt_subject FROM budget_counter WHERE tenant_id = b.tenant_id AND cnt_budget = b.bud_id AND cnt_to > clock_timestamp() AND (b.bud_scope <> 'role' OR cnt_subject = nil) LOOP
    PERFORM budget_tell(b, w.cnt_subject, w.cnt_from, p_by);
  END LOOP;
END
$$;
CALL make_definer('budget_start(uuid, boolean, jsonb)');

-- Sets credits aside in the workspace at hand, or says what stands against it: the balance (where the policy enforces
-- it), or the first budget that would be passed, counting what others have set aside. Work that asks again replaces what
-- it had set aside.
CREATE FUNCTION credit_reserve(p_hold jsonb, p_by jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  h credit_hold := jsonb_populate_record(NULL::credit_hold, p_hold);
  s record;
  b budget;
  spent numeric;
  aside numeric;
  needed numeric;
BEGIN
  h.tenant_id := current_tenant();
  IF h.tenant_id IS NULL THEN RETURN NULL; END IF;
  h.hold_at := date_trunc('milliseconds', clock_timestamp());
  h.hold_expires_at := h.hold_at + interval '15 minutes';
  IF p_hold ? 'lines' THEN
    SELECT coalesce(sum(l.credits), 0), coalesce(jsonb_object_agg(l.param, l.credits), '{}') INTO h.hold_credits, h.hold_lines FROM (
      SELECT r.param, sum(round(round(r.units, 6) * c.price, 6)) AS credits FROM jsonb_to_recordset(p_hold -> 'lines') AS r (param text, details text, units numeric), cost_at(h.tenant_id, r.param, r.details, h.hold_at) c GROUP BY r.param
    ) l;
  ELSE
    h.hold_lines := '{}';
  END IF;
  PERFORM credit_enter(h.tenant_id, p_by);
  UPDATE credit_hold o SET hold_settled_at = h.hold_at WHERE o.tenant_id = h.tenant_id AND o.hold_source = h.hold_source AND o.hold_settled_at IS NULL;
  SELECT * INTO s FROM credit_state(h.tenant_id);
  IF s.credit_policy = 'enforced' AND s.credit_available < h.hold_credits THEN
    RETURN jsonb_build_object('needed', h.hold_credits, 'available', s.credit_available);
  END IF;
  FOR b IN SELECT * FROM budgets_of(h.tenant_id, h.hold_user, h.hold_agent, h.hold_prompt, h.hold_key, h.hold_extension, ARRAY(SELECT jsonb_object_keys(h.hold_lines))) o
    WHERE o.bud_active AND o.bud_action = 'block' ORDER BY o.bud_created, o.bud_id
  LOOP
    needed := CASE WHEN b.bud_scope = 'param' THEN (h.hold_lines ->> b.bud_target)::numeric ELSE h.hold_credits END;
    spent := coalesce((SELECT c.cnt_spent FROM budget_counter c, budget_window(b.bud_period, b.bud_timezone, h.hold_at) w
      WHERE c.tenant_id = h.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_from = w.window_from AND c.cnt_subject = budget_subject(b.bud_scope, h.hold_user)), 0);
    aside := coalesce((SELECT sum(CASE WHEN b.bud_scope = 'param' THEN coalesce((o.hold_lines ->> b.bud_target)::numeric, 0) ELSE o.hold_credits END) FROM credit_hold o
      WHERE o.tenant_id = h.tenant_id AND o.hold_settled_at IS NULL AND o.hold_expires_at > h.hold_at AND (b.bud_scope <> 'each_user' OR o.hold_user = h.hold_user)
        AND (b.bud_scope = 'param' OR budget_binds(b, o.hold_user, o.hold_agent, o.hold_prompt, o.hold_key, o.hold_extension))), 0);
    IF spent + aside + needed > b.bud_credits THEN
      RETURN jsonb_build_object('needed', needed, 'available', b.bud_credits - spent - aside, 'bud_id', b.bud_id, 'bud_name', b.bud_name);
    END IF;
  END LOOP;
  INSERT INTO credit_hold SELECT h.*;
  RETURN jsonb_build_object('hold_id', h.hold_id, 'hold_credits', h.hold_credits, 'hold_expires_at', h.hold_expires_at);
END
$$;
CALL make_definer('credit_reserve(jsonb, jsonb)');

-- Keeps credits set aside for another quarter of an hour; false where they no longer are.
CREATE FUNCTION credit_extend(p_hold uuid) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE credit_hold SET hold_expires_at = clock_timestamp() + interval '15 minutes'
    WHERE tenant_id = current_tenant() AND hold_id = p_hold AND hold_settled_at IS NULL AND hold_expires_at > clock_timestamp();
  RETURN FOUND;
END
$$;
CALL make_definer('credit_extend(uuid)');

-- Gives back what is still set aside.
CREATE FUNCTION credit_release(p_hold uuid) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ UPDATE credit_hold SET hold_settled_at = clock_timestamp() WHERE tenant_id = current_tenant() AND hold_id = p_hold AND hold_settled_at IS NULL $$;
CALL make_definer('credit_release(uuid)');

-- Writes an entry with what the rollups take from it.
CREATE FUNCTION usage_write(e usage_entry) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$
    INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_details, usage_consumed_units, usage_consumed_credits, usage_cost_id, usage_agent, usage_prompt, usage_key, usage_extension, usage_ref, usage_reverses)
      SELECT e.tenant_id, e.usage_id, e.usage_timestamp, e.usage_user, e.usage_param, e.usage_details, e.usage_consumed_units, e.usage_consumed_credits, e.usage_cost_id, e.usage_agent, e.usage_prompt, e.usage_key, e.usage_extension, e.usage_ref, e.usage_reverses;
    INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_details, usage_user, usage_agent, usage_prompt, usage_consumed_units, usage_consumed_credits)
      SELECT e.tenant_id, e.usage_timestamp, e.usage_param, e.usage_details, e.usage_user, e.usage_agent, e.usage_prompt, e.usage_consumed_units, e.usage_consumed_credits;
  $$;
CALL make_inner('usage_write(usage_entry)');

-- Charges the workspace at hand for work that was done: entries, ledger, balance, budgets and holds, each source once.
-- Called with the commit, since the balance is taken until then. The price is of the hold's moment, else of the work's.
-- How many entries were written.
CREATE FUNCTION usage_charge(p_lines jsonb, p_by jsonb) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  fresh text[];
  entered boolean := false;
  line record;
  priced record;
  hold credit_hold;
  e usage_entry;
BEGIN
  IF tenant IS NULL THEN RETURN 0; END IF;
  WITH taken AS (
    INSERT INTO usage_sources (tenant_id, usage_source) SELECT tenant, l.source FROM jsonb_to_recordset(p_lines) AS l (source text) ORDER BY l.source ON CONFLICT DO NOTHING RETURNING usage_sources.usage_source
  )
  SELECT array_agg(taken.usage_source) INTO fresh FROM taken;
  IF fresh IS NULL THEN RETURN 0; END IF;
  FOR line IN
    SELECT DISTINCT ON (l.source) l.* FROM jsonb_to_recordset(p_lines)
      AS l (usage_id uuid, param text, details text, units numeric, person uuid, agent uuid, prompt uuid, key uuid, extension uuid, ref jsonb, at timestamptz, source text, hold uuid, keep boolean)
    WHERE l.source = ANY (fresh) ORDER BY l.source, l.usage_id
  LOOP
    IF line.at < clock_timestamp() - interval '35 days' OR line.at > clock_timestamp() + interval '5 minutes' THEN
      RAISE EXCEPTION 'the time % of the usage is too far from now', line.at USING ERRCODE = '22008';
    END IF;
    IF line.hold IS NOT NULL AND NOT entered THEN
      PERFORM credit_enter(tenant, p_by);
      entered := true;
    END IF;
    SELECT * INTO hold FROM credit_hold WHERE tenant_id = tenant AND hold_id = line.hold;
    SELECT * INTO priced FROM cost_at(tenant, line.param, line.details, coalesce(hold.hold_at, line.at));
    IF priced.cost_id IS NULL THEN RAISE EXCEPTION 'there is no price of %', line.param; END IF;
    e.tenant_id := tenant;
    e.usage_id := line.usage_id;
    e.usage_timestamp := line.at;
    e.usage_user := line.person;
    e.usage_param := line.param;
    e.usage_details := line.details;
    e.usage_consumed_units := line.units;
    e.usage_consumed_credits := round(e.usage_consumed_units * priced.price, 6);
    e.usage_cost_id := priced.cost_id;
    e.usage_agent := line.agent;
    e.usage_prompt := line.prompt;
    e.usage_key := line.key;
    e.usage_extension := line.extension;
    e.usage_ref := line.ref;
    e.usage_reverses := NULL;
    PERFORM usage_write(e);
    IF e.usage_consumed_credits > 0 THEN
      IF NOT entered THEN
        PERFORM credit_enter(tenant, p_by);
        entered := true;
      END IF;
      PERFORM credit_take(tenant, 'charge', e.usage_consumed_credits, e.usage_id, NULL);
      PERFORM budget_count(e, p_by);
    END IF;
    IF line.hold IS NOT NULL THEN
      UPDATE credit_hold SET
        hold_settled_at = CASE WHEN line.keep THEN hold_settled_at ELSE coalesce(hold_settled_at, clock_timestamp()) END,
        hold_credits = CASE WHEN line.keep THEN greatest(0, hold_credits - e.usage_consumed_credits) ELSE hold_credits END,
        hold_lines = CASE WHEN line.keep AND hold_lines ? line.param THEN hold_lines || jsonb_build_object(line.param, greatest(0, (hold_lines ->> line.param)::numeric - e.usage_consumed_credits)) ELSE hold_lines END
      WHERE tenant_id = tenant AND hold_id = line.hold;
    END IF;
  END LOOP;
  IF entered THEN PERFORM credit_watch(tenant, p_by); END IF;
  RETURN cardinality(fresh);
END
$$;
CALL make_definer('usage_charge(jsonb, jsonb)');

-- Takes an entry of the workspace at hand back, once: a correction of the opposite sign, and its credits return to the
-- grants they came from as far as those live, after what is owed. Answers what became of it.
CREATE FUNCTION usage_reverse(p_usage uuid, p_id uuid, p_note text, p_by jsonb) RETURNS text
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  made CONSTANT timestamptz := to_timestamp(('x' || substr(replace(p_usage::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0);
  e usage_entry;
  part record;
  given numeric;
  loose numeric;
BEGIN
  IF tenant IS NULL THEN RETURN 'unknown'; END IF;
  PERFORM credit_enter(tenant, p_by);
  -- An id tells when its entry was written; most entries are of work that had just ended.
  SELECT * INTO e FROM usage_entry WHERE tenant_id = tenant AND usage_id = p_usage AND usage_timestamp BETWEEN made - interval '1 hour' AND made + interval '10 minutes';
  IF NOT FOUND THEN
    SELECT * INTO e FROM usage_entry WHERE tenant_id = tenant AND usage_id = p_usage AND usage_timestamp BETWEEN made - interval '36 days' AND made + interval '10 minutes';
  END IF;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF e.usage_reverses IS NOT NULL THEN RETURN 'correction'; END IF;
  INSERT INTO usage_reversal (tenant_id, rev_usage, rev_by) VALUES (tenant, p_usage, p_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'twice'; END IF;
  e.usage_id := p_id;
  e.usage_timestamp := clock_timestamp();
  e.usage_consumed_units := -e.usage_consumed_units;
  e.usage_consumed_credits := -e.usage_consumed_credits;
  e.usage_reverses := p_usage;
  PERFORM usage_write(e);
  loose := 0;
  FOR part IN
    SELECT l.led_grant, -l.led_credits AS credits, g.grant_state IN ('active', 'used_up') AS alive FROM credit_ledger l LEFT JOIN credit_grant g ON g.tenant_id = tenant AND g.grant_id = l.led_grant
    WHERE l.tenant_id = tenant AND l.led_usage = p_usage AND l.led_kind = 'charge' ORDER BY l.led_seq DESC
  LOOP
    given := 0;
    IF part.alive THEN
      given := greatest(0, part.credits - (SELECT greatest(0, -b.credit_balance - loose) FROM credit_balance b WHERE b.tenant_id = tenant));
    END IF;
    loose := loose + part.credits - given;
    IF given > 0 THEN
      UPDATE credit_grant SET grant_remaining = grant_remaining + given, grant_state = 'active' WHERE tenant_id = tenant AND grant_id = part.led_grant;
      PERFORM credit_note(tenant, 'correction', given, part.led_grant, p_id, p_note);
    END IF;
  END LOOP;
  IF loose > 0 THEN PERFORM credit_note(tenant, 'correction', loose, NULL, p_id, p_note); END IF;
  IF e.usage_consumed_credits <> 0 THEN
    PERFORM budget_count(e, p_by);
    PERFORM credit_watch(tenant, p_by);
  END IF;
  RETURN 'reversed';
END
$$;
CALL make_definer('usage_reverse(uuid, uuid, text, jsonb)');

-- Gives the workspace at hand credits, once for an outside reference: the grant's id and whether it is new.
CREATE FUNCTION credit_give(p_grant jsonb, p_by jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  g credit_grant;
  known uuid;
BEGIN
  IF tenant IS NULL THEN RETURN NULL; END IF;
  PERFORM credit_enter(tenant, p_by);
  SELECT grant_id INTO known FROM credit_grant WHERE tenant_id = tenant AND grant_external_id = p_grant ->> 'grant_external_id';
  IF FOUND THEN RETURN jsonb_build_object('grant_id', known, 'made', false); END IF;
  g := jsonb_populate_record(NULL::credit_grant, p_grant);
  -- Cut, not rounded: what begins now must not begin a part of a millisecond later.
  g.grant_created := date_trunc('milliseconds', clock_timestamp());
  g.grant_starts_at := greatest(g.grant_starts_at, g.grant_created);
  g.grant_until := g.grant_expires_at;
  PERFORM credit_plan(tenant, g);
  PERFORM credit_catch_up(tenant, p_by);
  PERFORM credit_watch(tenant, p_by);
  RETURN jsonb_build_object('grant_id', g.grant_id, 'made', true);
END
$$;
CALL make_definer('credit_give(jsonb, jsonb)');

-- Corrects the balance of the workspace at hand.
CREATE FUNCTION credit_correct(p_credits numeric, p_note text, p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF current_tenant() IS NULL THEN RETURN; END IF;
  PERFORM credit_enter(current_tenant(), p_by);
  IF p_credits > 0 THEN
    PERFORM credit_note(current_tenant(), 'correction', p_credits, NULL, NULL, p_note);
  ELSE
    PERFORM credit_take(current_tenant(), 'correction', -p_credits, NULL, p_note);
  END IF;
  PERFORM credit_watch(current_tenant(), p_by);
END
$$;
CALL make_definer('credit_correct(numeric, text, jsonb)');

-- Changes how the credits of the workspace at hand are kept; null leaves a setting as it is. Answers what it was.
CREATE FUNCTION credit_configure(p_policy text, p_low_percent integer, p_by jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was jsonb;
BEGIN
  IF current_tenant() IS NULL THEN RETURN NULL; END IF;
  PERFORM credit_enter(current_tenant(), p_by);
  SELECT jsonb_build_object('credit_policy', credit_policy, 'credit_low_percent', credit_low_percent) INTO was FROM credit_balance WHERE tenant_id = current_tenant();
  UPDATE credit_balance SET credit_policy = coalesce(p_policy, credit_policy), credit_low_percent = coalesce(p_low_percent, credit_low_percent), credit_updated = clock_timestamp() WHERE tenant_id = current_tenant();
  PERFORM credit_watch(current_tenant(), p_by);
  RETURN was;
END
$$;
CALL make_definer('credit_configure(text, integer, jsonb)');

-- What the clock asks of the credits of the workspace at hand: grants begin and end, ends a week ahead are told of once,
-- old holds and counters go.
CREATE FUNCTION credit_tick(p_by jsonb) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := current_tenant();
  g credit_grant;
BEGIN
  IF tenant IS NULL THEN RETURN; END IF;
  PERFORM credit_enter(tenant, p_by);
  FOR g IN
    UPDATE credit_grant SET grant_announced = true WHERE tenant_id = tenant AND grant_state = 'active' AND NOT grant_announced AND grant_expires_at <= clock_timestamp() + interval '7 days' RETURNING *
  LOOP
    PERFORM credit_tell(tenant, 'credits.expiring', g.grant_id, jsonb_build_object('grant_remaining', g.grant_remaining, 'grant_expires_at', g.grant_expires_at), p_by);
  END LOOP;
  PERFORM credit_watch(tenant, p_by);
  DELETE FROM credit_hold WHERE tenant_id = tenant AND hold_expires_at < clock_timestamp() - interval '1 day';
  DELETE FROM budget_counter WHERE tenant_id = tenant AND cnt_to < clock_timestamp() - interval '100 days';
END
$$;
CALL make_definer('credit_tick(jsonb)');

-- Workspaces at work of whose credits the clock asks something, a page at a time.
CREATE FUNCTION credits_due(p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT w.tenant_id FROM workspace w JOIN (
      SELECT g.tenant_id FROM credit_grant g WHERE g.grant_due <= clock_timestamp()
      UNION SELECT g.tenant_id FROM credit_grant g WHERE g.grant_state = 'active' AND NOT g.grant_announced AND g.grant_expires_at <= clock_timestamp() + interval '7 days'
      UNION SELECT h.tenant_id FROM credit_hold h WHERE h.hold_expires_at < clock_timestamp() - interval '1 day'
    ) due USING (tenant_id)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) ORDER BY w.tenant_id LIMIT p_limit
  $$;
CALL make_definer('credits_due(uuid, integer)');

-- What is left to workspaces, for many at once.
CREATE FUNCTION credit_balances(p_ids uuid[]) RETURNS TABLE (ws_id uuid, available numeric)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT b.tenant_id, s.credit_available FROM credit_balance b, credit_state(b.tenant_id) s WHERE b.tenant_id = ANY (p_ids) $$;
CALL make_definer('credit_balances(uuid[])');
