-- Values of content in lists are compared as names are. Of what is long there is a digest of the whole, which is made again with the next
-- change of its row.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT v.tenant_id, v.owner_id, v.field_key, v.position, v.value_text FROM form_value v
  WHERE $1::jsonb IS NULL OR (v.tenant_id, v.owner_id, v.field_key, v.position) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2, ($1::jsonb ->> 3)::integer)
  ORDER BY v.tenant_id, v.owner_id, v.field_key, v.position LIMIT 5000
), other AS MATERIALIZED (
  SELECT p.tenant_id, p.owner_id, p.field_key, p.position, folded(p.value_text) AS value FROM page p
  WHERE octet_length(p.value_text) <> char_length(p.value_text) AND p.value_text !~ '~[A-Za-z0-9_-]{22}$'
), folds AS (
  UPDATE form_value v SET value_text = o.value FROM other o
  WHERE v.tenant_id = o.tenant_id AND v.owner_id = o.owner_id AND v.field_key = o.field_key AND v.position = o.position
    AND v.value_text IS DISTINCT FROM o.value COLLATE "C" AND octet_length(to_json(o.value)::text) <= 190 AND v.value_text <> chr(1114111)
)
SELECT jsonb_build_array(tenant_id, owner_id, field_key, position) AS cursor FROM page
ORDER BY tenant_id DESC, owner_id DESC, field_key DESC, position DESC LIMIT 1;

-- Unique texts are the same when they fold to the same. Of those that were two values until now, the later ones keep the claim to theirs as
-- it is written: nothing is lost, and a change of such a row says that its value is taken.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash, u.owner_id FROM form_unique u
  WHERE $1::jsonb IS NULL OR (u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash)
    > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, ($1::jsonb ->> 2)::uuid, $1::jsonb ->> 3, decode($1::jsonb ->> 4, 'hex'))
  ORDER BY u.tenant_id, u.form_id, u.scope_id, u.field_key, u.value_hash LIMIT 1000
), held AS (
  SELECT p.*, coalesce(o.obj_content, r.rec_content) #>> string_to_array(p.field_key, '.') AS value
  FROM page p JOIN form f ON f.tenant_id = p.tenant_id AND f.form_id = p.form_id
  LEFT JOIN object o ON o.tenant_id = p.tenant_id AND o.obj_id = p.owner_id
  LEFT JOIN knowledge_record r ON r.tenant_id = p.tenant_id AND r.rec_id = p.owner_id
  WHERE jsonb_path_exists(f.form_config, '$.fields.** ? (@.key == $key && (@.type == "text" || @.type == "long_text" || @.type == "rich_text" || @.type == "markdown"))',
    jsonb_build_object('key', (string_to_array(p.field_key, '.'))[cardinality(string_to_array(p.field_key, '.'))]))
), folds AS MATERIALIZED (
  SELECT h.*, sha256(convert_to(folded(h.value), 'UTF8')) AS folds FROM held h
  WHERE h.value_hash = sha256(convert_to(normalize(h.value, NFC), 'UTF8'))
), first AS (
  SELECT DISTINCT ON (f.tenant_id, f.form_id, f.scope_id, f.field_key, f.folds) f.* FROM folds f
  WHERE f.folds <> f.value_hash AND NOT EXISTS (
    SELECT FROM form_unique t WHERE t.tenant_id = f.tenant_id AND t.form_id = f.form_id AND t.scope_id = f.scope_id AND t.field_key = f.field_key AND t.value_hash = f.folds)
  ORDER BY f.tenant_id, f.form_id, f.scope_id, f.field_key, f.folds, f.owner_id
), moved AS (
  UPDATE form_unique u SET value_hash = n.folds FROM first n
  WHERE u.tenant_id = n.tenant_id AND u.form_id = n.form_id AND u.scope_id = n.scope_id AND u.field_key = n.field_key AND u.value_hash = n.value_hash
)
SELECT jsonb_build_array(tenant_id, form_id, scope_id, field_key, encode(value_hash, 'hex')) AS cursor FROM page
ORDER BY tenant_id DESC, form_id DESC, scope_id DESC, field_key DESC, value_hash DESC LIMIT 1;

-- Words of terms are stored as they are compared.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT t.tenant_id, t.term_id FROM term t
  WHERE $1::jsonb IS NULL OR (t.tenant_id, t.term_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY t.tenant_id, t.term_id LIMIT 1000
), folds AS (
  UPDATE term t SET term_words = folded(array_to_string(t.term_name || t.term_aliases, E'\n')) FROM page p
  WHERE t.tenant_id = p.tenant_id AND t.term_id = p.term_id AND t.term_words <> folded(array_to_string(t.term_name || t.term_aliases, E'\n'))
)
SELECT jsonb_build_array(tenant_id, term_id) AS cursor FROM page ORDER BY tenant_id DESC, term_id DESC LIMIT 1;
