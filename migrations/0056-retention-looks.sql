-- The day on which a workspace was last looked through for what its policies would remove, and those that found nothing: for them no
-- run is started.
CREATE TABLE retention_look (
  tenant_id uuid PRIMARY KEY REFERENCES workspace,
  look_date date NOT NULL,
  look_keys text[] NOT NULL
) WITH (fillfactor = 70);
CALL make_tenant_table('retention_look', 'SELECT, INSERT, UPDATE');

CREATE OR REPLACE FUNCTION retention_due(p_keys text[], p_at timestamptz, p_after uuid, p_limit integer) RETURNS TABLE (tenant_id uuid, ret_keys text[], run_date date)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    SELECT w.tenant_id, array_agg(k.ret_key ORDER BY k.ret_key), d.local_day
    FROM workspace w CROSS JOIN LATERAL (SELECT (p_at AT TIME ZONE w.ws_timezone)::date AS local_day, (p_at AT TIME ZONE w.ws_timezone)::time AS local_time) d CROSS JOIN unnest(p_keys) k (ret_key)
    WHERE w.ws_status = 'active' AND (p_after IS NULL OR w.tenant_id > p_after) AND d.local_time >= '03:00'
      AND NOT EXISTS (SELECT FROM retention_run r WHERE r.tenant_id = w.tenant_id AND r.ret_key = k.ret_key AND r.run_date = d.local_day
                      AND (r.run_status = 'completed' OR (r.run_status = 'failed' AND r.run_finished > p_at - interval '1 hour')))
      AND NOT EXISTS (SELECT FROM retention_look l WHERE l.tenant_id = w.tenant_id AND l.look_date = d.local_day AND k.ret_key = ANY (l.look_keys))
    GROUP BY w.tenant_id, d.local_day ORDER BY w.tenant_id LIMIT p_limit
  $$;

-- A link is found by its id alone, which is random: that it is unique follows from its key, and no index over all workspaces has to
-- say so again.
DROP INDEX share_link_id;
CREATE INDEX share_link_id ON share_link (share_id);
