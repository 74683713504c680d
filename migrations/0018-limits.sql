-- How many requests of a class a minute an operator grants one workspace instead of the usual number.
CREATE TABLE rate_override (
  tenant_id uuid NOT NULL REFERENCES workspace,
  rl_class text NOT NULL CHECK (rl_class IN ('read', 'write', 'ai', 'upload', 'search', 'admin-report', 'auth', 'workspace')),
  rl_limit integer NOT NULL CHECK (rl_limit > 0),
  rl_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, rl_class)
);
CALL make_tenant_table('rate_override');

-- Requests of the running minute, as the processes tell each other when there is no Redis. Lost with a crash, like the minute.
CREATE UNLOGGED TABLE rate_count (
  rc_key text NOT NULL,
  rc_minute bigint NOT NULL,
  rc_count integer NOT NULL,
  PRIMARY KEY (rc_key, rc_minute)
);

-- Adds what one process has counted since it last told, and answers the sums of all; forgets minutes long over.
CREATE FUNCTION rate_share(p_counts jsonb) RETURNS TABLE (rc_key text, rc_minute bigint, rc_count integer)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM rate_count c WHERE c.rc_minute < extract(epoch FROM clock_timestamp()) / 60 - 2;
  INSERT INTO rate_count AS c (rc_key, rc_minute, rc_count)
    SELECT n.rc_key, n.rc_minute, n.rc_count FROM jsonb_to_recordset(p_counts) AS n (rc_key text, rc_minute bigint, rc_count integer) ORDER BY 1, 2
    ON CONFLICT (rc_key, rc_minute) DO UPDATE SET rc_count = c.rc_count + excluded.rc_count
    RETURNING c.rc_key, c.rc_minute, c.rc_count
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_count TO atrium_definer;
CALL make_definer('rate_share(jsonb)');

-- A key belongs to one caller and one route. The outcome is the handler's own; headers are made of it anew.
ALTER TABLE idempotency_key ADD COLUMN idem_route text NOT NULL DEFAULT '';
ALTER TABLE idempotency_key DROP CONSTRAINT idempotency_key_pkey, ADD PRIMARY KEY (tenant_id, user_id, idem_route, idem_key), DROP COLUMN idem_headers;

-- Outcomes older than their day, a batch at a time.
CREATE FUNCTION idempotency_prune(p_limit integer) RETURNS bigint
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM idempotency_key k
    USING (SELECT tenant_id, user_id, idem_route, idem_key FROM idempotency_key WHERE idem_created < clock_timestamp() - interval '24 hours' ORDER BY idem_created LIMIT p_limit FOR UPDATE SKIP LOCKED) old
    WHERE k.tenant_id = old.tenant_id AND k.user_id = old.user_id AND k.idem_route = old.idem_route AND k.idem_key = old.idem_key RETURNING 1)
  SELECT count(*) FROM gone
$$;
GRANT SELECT, DELETE ON idempotency_key TO atrium_definer;
GRANT UPDATE (idem_created) ON idempotency_key TO atrium_definer;
CALL make_definer('idempotency_prune(integer)');
