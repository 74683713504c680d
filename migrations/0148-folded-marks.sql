-- Values of content that a host of the release before writes are not folded: it does not name the column, and so they are found and folded
-- by a worker. What is there already was folded by the step before, but for digests of long texts and what was written since.
ALTER TABLE form_value ADD COLUMN value_folded boolean NOT NULL DEFAULT true;
ALTER TABLE form_value ALTER COLUMN value_folded SET DEFAULT false;

-- part
ALTER TABLE form_unique ADD COLUMN value_folded boolean NOT NULL DEFAULT true;
ALTER TABLE form_unique ALTER COLUMN value_folded SET DEFAULT false;

-- part
-- The next form of workspaces at work, behind another, with values that are not folded.
CREATE FUNCTION form_next_unfolded(after_tenant uuid, after_form uuid, OUT tenant_id uuid, OUT form_id uuid) RETURNS SETOF record
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT v.tenant_id, v.form_id FROM form_value v
    WHERE NOT v.value_folded AND v.value_text IS NOT NULL AND (after_tenant IS NULL OR (v.tenant_id, v.form_id) > (after_tenant, after_form))
      AND EXISTS (SELECT FROM workspace w WHERE w.tenant_id = v.tenant_id AND w.ws_status = 'active')
    ORDER BY v.tenant_id, v.form_id LIMIT 1)
  UNION ALL
  (SELECT u.tenant_id, u.form_id FROM form_unique u
    WHERE NOT u.value_folded AND (after_tenant IS NULL OR (u.tenant_id, u.form_id) > (after_tenant, after_form))
      AND EXISTS (SELECT FROM workspace w WHERE w.tenant_id = u.tenant_id AND w.ws_status = 'active')
    ORDER BY u.tenant_id, u.form_id LIMIT 1)
  ORDER BY 1, 2 LIMIT 1
$$;
CALL make_definer('form_next_unfolded(uuid, uuid)');

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_value_unfolded ON form_value (tenant_id, form_id, owner_id) WHERE NOT value_folded AND value_text IS NOT NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS form_unique_unfolded ON form_unique (tenant_id, form_id, owner_id) WHERE NOT value_folded;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT v.tenant_id, v.owner_id, v.field_key, v.position, v.value_text FROM form_value v
  WHERE $1::jsonb IS NULL OR (v.tenant_id, v.owner_id, v.field_key, v.position) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2, ($1::jsonb ->> 3)::integer)
  ORDER BY v.tenant_id, v.owner_id, v.field_key, v.position LIMIT 5000
), marks AS (
  UPDATE form_value v SET value_folded = false FROM page p
  WHERE v.tenant_id = p.tenant_id AND v.owner_id = p.owner_id AND v.field_key = p.field_key AND v.position = p.position
    AND (p.value_text ~ '~[A-Za-z0-9_-]{22}$' OR octet_length(p.value_text) <> char_length(p.value_text) AND p.value_text <> folded(p.value_text))
)
SELECT jsonb_build_array(tenant_id, owner_id, field_key, position) AS cursor FROM page
ORDER BY tenant_id DESC, owner_id DESC, field_key DESC, position DESC LIMIT 1;

-- part: in batches
WITH page AS MATERIALIZED (
  SELECT u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash, u.owner_id FROM form_unique u
  WHERE $1::jsonb IS NULL OR (u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash)
    > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, ($1::jsonb ->> 2)::uuid, $1::jsonb ->> 3, decode($1::jsonb ->> 4, 'hex'))
  ORDER BY u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash LIMIT 1000
), held AS (
  SELECT p.*, coalesce(o.obj_content, r.rec_content) #>> string_to_array(p.field_key, '.') AS value
  FROM page p
  LEFT JOIN object o ON o.tenant_id = p.tenant_id AND o.obj_id = p.owner_id
  LEFT JOIN knowledge_record r ON r.tenant_id = p.tenant_id AND r.rec_id = p.owner_id
), marks AS (
  UPDATE form_unique u SET value_folded = false FROM held h
  WHERE u.tenant_id = h.tenant_id AND u.form_id = h.form_id AND u.scope_id = h.scope_id AND u.field_key = h.field_key AND u.value_hash = h.value_hash
    AND octet_length(h.value) <> 0 AND h.value_hash = sha256(convert_to(normalize(h.value, NFC), 'UTF8')) AND normalize(h.value, NFC) <> folded(h.value)
)
SELECT jsonb_build_array(tenant_id, form_id, scope_id, field_key, encode(value_hash, 'hex')) AS cursor FROM page
ORDER BY tenant_id DESC, form_id DESC, scope_id DESC, field_key DESC, value_hash DESC LIMIT 1;
