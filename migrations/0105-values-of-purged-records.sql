-- Values of records that are purged were left behind.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT v.tenant_id, v.owner_id, v.field_key, v.position, v.form_id FROM form_value v
  WHERE $1::jsonb IS NULL OR (v.tenant_id, v.owner_id, v.field_key, v.position)
    > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2, ($1::jsonb ->> 3)::integer)
  ORDER BY v.tenant_id, v.owner_id, v.field_key, v.position LIMIT 5000
), gone AS (
  DELETE FROM form_value v USING page p JOIN form f ON f.tenant_id = p.tenant_id AND f.form_id = p.form_id AND f.form_kind = 'record'
  WHERE v.tenant_id = p.tenant_id AND v.owner_id = p.owner_id AND v.field_key = p.field_key AND v.position = p.position
    AND NOT EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = p.tenant_id AND r.rec_id = p.owner_id)
)
SELECT jsonb_build_array(tenant_id, owner_id, field_key, position) AS cursor FROM page
ORDER BY tenant_id DESC, owner_id DESC, field_key DESC, position DESC LIMIT 1;
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT u.tenant_id, u.form_id, u.field_key, u.value_hash, u.owner_id FROM form_unique u
  WHERE $1::jsonb IS NULL OR (u.tenant_id, u.form_id, u.field_key, u.value_hash)
    > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2, decode($1::jsonb ->> 3, 'hex'))
  ORDER BY u.tenant_id, u.form_id, u.field_key, u.value_hash LIMIT 5000
), gone AS (
  DELETE FROM form_unique u USING page p JOIN form f ON f.tenant_id = p.tenant_id AND f.form_id = p.form_id AND f.form_kind = 'record'
  WHERE u.tenant_id = p.tenant_id AND u.form_id = p.form_id AND u.field_key = p.field_key AND u.value_hash = p.value_hash
    AND NOT EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = p.tenant_id AND r.rec_id = p.owner_id)
)
SELECT jsonb_build_array(tenant_id, form_id, field_key, encode(value_hash, 'hex')) AS cursor FROM page
ORDER BY tenant_id DESC, form_id DESC, field_key DESC, value_hash DESC LIMIT 1;
