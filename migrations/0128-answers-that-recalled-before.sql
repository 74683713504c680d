-- Answers of before: those whose runs were given memories.
UPDATE message m SET msg_recalls = true
WHERE m.msg_role = 'assistant' AND EXISTS (
  SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_id = m.msg_run AND r.run_sources @> '[{"source_kind": "memory"}]');
