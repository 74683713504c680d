-- Tools that were entered with the approval null were never asked consent for. They are given the usual one of their risk, as a new
-- version of their agent.
ALTER TABLE agent NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_revision NO FORCE ROW LEVEL SECURITY;
WITH mended AS (
  UPDATE agent a SET agent_tools = (
      SELECT jsonb_agg(CASE
        WHEN t.tool -> 'approval' IS DISTINCT FROM 'null' THEN t.tool
        WHEN t.tool ? 'client' OR t.tool ->> 'tool' IN ('search_knowledge', 'read_document', 'find_files', 'get_subject', 'calculate', 'current_time') THEN t.tool || '{"approval": "never"}'
        ELSE t.tool || '{"approval": "tainted"}' END ORDER BY t.at)
      FROM jsonb_array_elements(a.agent_tools) WITH ORDINALITY t (tool, at)),
    agent_version = a.agent_version + 1, row_version = a.row_version + 1
  WHERE a.agent_tools @> '[{"approval": null}]'
  RETURNING a.tenant_id, a.agent_id, a.agent_version, a.agent_tools)
INSERT INTO agent_revision (tenant_id, agent_id, agent_version, rev_body)
SELECT m.tenant_id, m.agent_id, m.agent_version, r.rev_body || jsonb_build_object('agent_tools', m.agent_tools)
FROM mended m JOIN agent_revision r ON r.tenant_id = m.tenant_id AND r.agent_id = m.agent_id AND r.agent_version = m.agent_version - 1;
ALTER TABLE agent FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_revision FORCE ROW LEVEL SECURITY;
