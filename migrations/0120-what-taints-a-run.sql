-- A memory that was written after text of strangers had been read taints the runs that read it.
ALTER TABLE memory ADD COLUMN mem_tainted boolean NOT NULL DEFAULT false;

-- Runs of before: what they found, read or were told by tools may stand in their answers.
ALTER TABLE run NO FORCE ROW LEVEL SECURITY;
ALTER TABLE run_tool_call NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory NO FORCE ROW LEVEL SECURITY;
UPDATE run r SET run_tainted = 'passages that were found'
WHERE r.run_tainted IS NULL AND (
  EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s ->> 'source_kind' <> 'memory')
  OR EXISTS (SELECT FROM run_tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = r.run_id AND c.state IN ('done', 'error')
    AND c.tool NOT IN ('remember', 'forget', 'calculate', 'current_time', 'create_document')));
-- Of what agents wrote down only that is taken for the person's own words which came from a thread whose runs read nothing else.
UPDATE memory m SET mem_tainted = true
WHERE m.mem_source = 'assistant' AND (m.mem_thread IS NULL
  OR NOT EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread)
  OR EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread AND r.run_tainted IS NOT NULL));
ALTER TABLE run FORCE ROW LEVEL SECURITY;
ALTER TABLE run_tool_call FORCE ROW LEVEL SECURITY;
ALTER TABLE memory FORCE ROW LEVEL SECURITY;
