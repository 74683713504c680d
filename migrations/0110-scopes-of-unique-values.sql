-- Unique values of records hold within their base: across bases a conflict would reveal records that the writer may not read. The
-- nil scope is that of values which are unique among all rows of a form.
ALTER TABLE form_unique ADD COLUMN scope_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
UPDATE form_unique u SET scope_id = r.rec_base FROM knowledge_record r WHERE r.tenant_id = u.tenant_id AND r.rec_id = u.owner_id;
ALTER TABLE form_unique DROP CONSTRAINT form_unique_pkey;
ALTER TABLE form_unique ADD PRIMARY KEY (tenant_id, form_id, scope_id, field_key, value_hash);
