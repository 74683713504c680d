-- Of what agents wrote down only that is taken for the person's own words which came from a thread whose runs read nothing else.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT m.tenant_id, m.mem_id FROM memory m
  WHERE $1::jsonb IS NULL OR (m.tenant_id, m.mem_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY m.tenant_id, m.mem_id LIMIT 1000
), tainted AS (
  UPDATE memory m SET mem_tainted = true FROM page p
  WHERE m.tenant_id = p.tenant_id AND m.mem_id = p.mem_id AND m.mem_source = 'assistant' AND NOT m.mem_tainted AND (m.mem_thread IS NULL
    OR NOT EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread)
    OR EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread AND r.run_tainted IS NOT NULL))
)
SELECT jsonb_build_array(tenant_id, mem_id) AS cursor FROM page ORDER BY tenant_id DESC, mem_id DESC LIMIT 1;
