-- Answers of before: those whose runs were given memories.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT m.tenant_id, m.msg_id FROM message m
  WHERE $1::jsonb IS NULL OR (m.tenant_id, m.msg_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY m.tenant_id, m.msg_id LIMIT 1000
), recalled AS (
  UPDATE message m SET msg_recalls = true FROM page p
  WHERE m.tenant_id = p.tenant_id AND m.msg_id = p.msg_id AND m.msg_role = 'assistant' AND NOT m.msg_recalls AND EXISTS (
    SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_id = m.msg_run AND r.run_sources @> '[{"source_kind": "memory"}]')
)
SELECT jsonb_build_array(tenant_id, msg_id) AS cursor FROM page ORDER BY tenant_id DESC, msg_id DESC LIMIT 1;
