-- Runs of before: what they found, read or were told by tools may stand in their answers.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT r.tenant_id, r.run_id FROM run r
  WHERE $1::jsonb IS NULL OR (r.tenant_id, r.run_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY r.tenant_id, r.run_id LIMIT 1000
), tainted AS (
  UPDATE run r SET run_tainted = 'passages that were found' FROM page p
  WHERE r.tenant_id = p.tenant_id AND r.run_id = p.run_id AND r.run_tainted IS NULL AND (
    EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s ->> 'source_kind' <> 'memory')
    OR EXISTS (SELECT FROM run_tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = r.run_id AND c.state IN ('done', 'error')
      AND c.tool NOT IN ('remember', 'forget', 'calculate', 'current_time', 'create_document')))
)
SELECT jsonb_build_array(tenant_id, run_id) AS cursor FROM page ORDER BY tenant_id DESC, run_id DESC LIMIT 1;
