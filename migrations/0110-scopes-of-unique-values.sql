-- Unique values of records hold within their base: across bases a conflict would reveal records that the writer may not read. The
-- nil scope is that of values which are unique among all rows of a form.
ALTER TABLE form_unique ADD COLUMN scope_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT u.tenant_id, u.form_id, u.field_key, u.value_hash, u.owner_id FROM form_unique u
  WHERE $1::jsonb IS NULL OR (u.tenant_id, u.form_id, u.field_key, u.value_hash)
    > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2, decode($1::jsonb ->> 3, 'hex'))
  ORDER BY u.tenant_id, u.form_id, u.field_key, u.value_hash LIMIT 5000
), scoped AS (
  UPDATE form_unique u SET scope_id = r.rec_base FROM page p JOIN knowledge_record r ON r.tenant_id = p.tenant_id AND r.rec_id = p.owner_id
  WHERE u.tenant_id = p.tenant_id AND u.form_id = p.form_id AND u.field_key = p.field_key AND u.value_hash = p.value_hash
    AND u.owner_id = p.owner_id
)
SELECT jsonb_build_array(tenant_id, form_id, field_key, encode(value_hash, 'hex')) AS cursor FROM page
ORDER BY tenant_id DESC, form_id DESC, field_key DESC, value_hash DESC LIMIT 1;
-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS form_unique_scoped ON form_unique (tenant_id, form_id, scope_id, field_key, value_hash);
-- part
ALTER TABLE form_unique DROP CONSTRAINT form_unique_pkey, ADD CONSTRAINT form_unique_pkey PRIMARY KEY USING INDEX form_unique_scoped;
