-- Values of records that are purged were left behind.
DELETE FROM form_value v USING form f
WHERE f.tenant_id = v.tenant_id AND f.form_id = v.form_id AND f.form_kind = 'record'
  AND NOT EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = v.tenant_id AND r.rec_id = v.owner_id);
DELETE FROM form_unique u USING form f
WHERE f.tenant_id = u.tenant_id AND f.form_id = u.form_id AND f.form_kind = 'record'
  AND NOT EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = u.tenant_id AND r.rec_id = u.owner_id);
