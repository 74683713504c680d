-- Of what agents wrote down only that is taken for the person's own words which came from a thread whose runs read nothing else.
UPDATE memory m SET mem_tainted = true
WHERE m.mem_source = 'assistant' AND (m.mem_thread IS NULL
  OR NOT EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread)
  OR EXISTS (SELECT FROM run r WHERE r.tenant_id = m.tenant_id AND r.run_thread = m.mem_thread AND r.run_tainted IS NOT NULL));
