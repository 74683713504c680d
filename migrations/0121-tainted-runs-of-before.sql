-- Runs of before: what they found, read or were told by tools may stand in their answers.
UPDATE run r SET run_tainted = 'passages that were found'
WHERE r.run_tainted IS NULL AND (
  EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s ->> 'source_kind' <> 'memory')
  OR EXISTS (SELECT FROM run_tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = r.run_id AND c.state IN ('done', 'error')
    AND c.tool NOT IN ('remember', 'forget', 'calculate', 'current_time', 'create_document')));
