-- Names and words of people are compared by what they say: in canonical form and by full case folding, the same as `folded` of the
-- service does it. Letters become small by a collation that knows those of Unicode, whatever the database was created with.
DO $do$
DECLARE
  letters text := coalesce((SELECT format('COLLATE %I', c.collname) FROM pg_collation c
    WHERE c.collnamespace = 'pg_catalog'::regnamespace AND c.collname IN ('pg_c_utf8', 'und-x-icu') ORDER BY c.collname LIMIT 1), '');
  plain text := format('lower(%%s %s)', letters);
  one record;
BEGIN
  -- Small letters that fold to several.
  FOR one IN SELECT * FROM (VALUES
    ('00DF', 'ss'), ('0149', U&'\02BCn'), ('0587', U&'\0565\0582'), ('1E9A', U&'a\02BE'), ('FB00', 'ff'), ('FB01', 'fi'), ('FB02', 'fl'), ('FB03', 'ffi'), ('FB04', 'ffl'),
    ('FB05', 'st'), ('FB06', 'st'), ('FB13', U&'\0574\0576'), ('FB14', U&'\0574\0565'), ('FB15', U&'\0574\056B'), ('FB16', U&'\057E\0576'), ('FB17', U&'\0574\056D')) AS v (code, folds)
  LOOP
    plain := format('replace(%s, %L, %L)', plain, chr(('x' || lpad(one.code, 8, '0'))::bit(32)::integer), one.folds);
  END LOOP;
  -- Small letters that are another form of one.
  plain := format('translate(%s, %L, %L)', plain,
    U&'\00B5\017F\0345\03C2\03D0\03D1\03D5\03D6\03F0\03F1\03F5\1C80\1C81\1C82\1C83\1C84\1C85\1C86\1C87\1C88\1FBE',
    U&'\03BCs\03B9\03C3\03B2\03B8\03C6\03C0\03BA\03C1\03B5\0432\0434\043E\0441\0442\0442\044A\0463\A64B\03B9');
  -- What is longer keeps its form: marks in very long rows are put in order in the square of their number.
  EXECUTE format(
    'CREATE FUNCTION folded(written text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN CASE WHEN octet_length(written) = char_length(written) THEN lower(written COLLATE "C") COLLATE "default" WHEN char_length(written) > 4000 THEN %s COLLATE "default" ELSE normalize(%s, NFC) COLLATE "default" END',
    replace(plain, '%s', 'written'), replace(plain, '%s', 'normalize(written, NFD)'));
END
$do$;
REVOKE ALL ON FUNCTION folded(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION folded(text) TO atrium_app, atrium_search, atrium_definer;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.agent_id FROM (
    SELECT tenant_id, agent_id, row_number() OVER (PARTITION BY tenant_id, folded(agent_name) ORDER BY agent_id) AS place FROM agent WHERE agent_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.agent_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.agent_id LIMIT 1000
), renamed AS (
  UPDATE agent r SET agent_name = left(r.agent_name, 81) || ' (' || r.agent_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.agent_id = d.agent_id
)
SELECT jsonb_build_array(tenant_id, agent_id) AS cursor FROM doubled ORDER BY tenant_id DESC, agent_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS agent_name_taken_folded ON agent (tenant_id, folded(agent_name)) WHERE agent_active;
-- part
DROP INDEX agent_name_taken;
ALTER INDEX agent_name_taken_folded RENAME TO agent_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.rt_id FROM (
    SELECT tenant_id, rt_id, row_number() OVER (PARTITION BY tenant_id, folded(rt_name) ORDER BY rt_id) AS place FROM document_relation_type) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.rt_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.rt_id LIMIT 1000
), renamed AS (
  UPDATE document_relation_type r SET rt_name = left(r.rt_name, 41) || ' (' || r.rt_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.rt_id = d.rt_id
)
SELECT jsonb_build_array(tenant_id, rt_id) AS cursor FROM doubled ORDER BY tenant_id DESC, rt_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS document_relation_type_name_folded ON document_relation_type (tenant_id, folded(rt_name));
-- part
DROP INDEX document_relation_type_name;
ALTER INDEX document_relation_type_name_folded RENAME TO document_relation_type_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.form_id FROM (
    SELECT tenant_id, form_id, row_number() OVER (PARTITION BY tenant_id, form_kind, folded(form_name) ORDER BY form_id) AS place FROM form WHERE form_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.form_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.form_id LIMIT 1000
), renamed AS (
  UPDATE form r SET form_name = left(r.form_name, 216) || ' (' || r.form_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.form_id = d.form_id
)
SELECT jsonb_build_array(tenant_id, form_id) AS cursor FROM doubled ORDER BY tenant_id DESC, form_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS form_name_taken_folded ON form (tenant_id, form_kind, folded(form_name)) WHERE form_active;
-- part
DROP INDEX form_name_taken;
ALTER INDEX form_name_taken_folded RENAME TO form_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.ds_id FROM (
    SELECT tenant_id, ds_id, row_number() OVER (PARTITION BY tenant_id, folded(ds_name) ORDER BY ds_id) AS place FROM knowledge_base WHERE ds_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.ds_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.ds_id LIMIT 1000
), renamed AS (
  UPDATE knowledge_base r SET ds_name = left(r.ds_name, 216) || ' (' || r.ds_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.ds_id = d.ds_id
)
SELECT jsonb_build_array(tenant_id, ds_id) AS cursor FROM doubled ORDER BY tenant_id DESC, ds_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS knowledge_base_name_taken_folded ON knowledge_base (tenant_id, folded(ds_name)) WHERE ds_active;
-- part
DROP INDEX knowledge_base_name_taken;
ALTER INDEX knowledge_base_name_taken_folded RENAME TO knowledge_base_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.msf_id FROM (
    SELECT tenant_id, msf_id, row_number() OVER (PARTITION BY tenant_id, folded(msf_name) ORDER BY msf_id) AS place FROM media_status_flow) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.msf_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.msf_id LIMIT 1000
), renamed AS (
  UPDATE media_status_flow r SET msf_name = left(r.msf_name, 216) || ' (' || r.msf_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.msf_id = d.msf_id
)
SELECT jsonb_build_array(tenant_id, msf_id) AS cursor FROM doubled ORDER BY tenant_id DESC, msf_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS media_status_flow_name_folded ON media_status_flow (tenant_id, folded(msf_name));
-- part
DROP INDEX media_status_flow_name;
ALTER INDEX media_status_flow_name_folded RENAME TO media_status_flow_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.mtg_id FROM (
    SELECT tenant_id, mtg_id, row_number() OVER (PARTITION BY tenant_id, mtg_scope, folded(mtg_name) ORDER BY mtg_id) AS place FROM media_tag_group) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.mtg_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.mtg_id LIMIT 1000
), renamed AS (
  UPDATE media_tag_group r SET mtg_name = left(r.mtg_name, 41) || ' (' || r.mtg_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.mtg_id = d.mtg_id
)
SELECT jsonb_build_array(tenant_id, mtg_id) AS cursor FROM doubled ORDER BY tenant_id DESC, mtg_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS media_tag_group_name_folded ON media_tag_group (tenant_id, mtg_scope, folded(mtg_name));
-- part
DROP INDEX media_tag_group_name;
ALTER INDEX media_tag_group_name_folded RENAME TO media_tag_group_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.mt_id FROM (
    SELECT tenant_id, mt_id, row_number() OVER (PARTITION BY tenant_id, mt_group, folded(mt_value) ORDER BY mt_id) AS place FROM media_tag) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.mt_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.mt_id LIMIT 1000
), renamed AS (
  UPDATE media_tag r SET mt_value = left(r.mt_value, 81) || ' (' || r.mt_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.mt_id = d.mt_id
)
SELECT jsonb_build_array(tenant_id, mt_id) AS cursor FROM doubled ORDER BY tenant_id DESC, mt_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS media_tag_value_folded ON media_tag (tenant_id, mt_group, folded(mt_value));
-- part
DROP INDEX media_tag_value;
ALTER INDEX media_tag_value_folded RENAME TO media_tag_value;

-- Words of tags are stored as they are compared.
CREATE OR REPLACE FUNCTION keep_tag_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM media_tag_word WHERE tenant_id = NEW.tenant_id AND mtw_group = OLD.mt_group AND mtw_tag = NEW.mt_id;
  END IF;
  INSERT INTO media_tag_word (tenant_id, mtw_group, mtw_word, mtw_tag, mtw_synonym)
    SELECT NEW.tenant_id, NEW.mt_group, word, NEW.mt_id, bool_and(synonym)
    FROM (SELECT folded(NEW.mt_value) AS word, false AS synonym UNION ALL SELECT folded(s), true FROM unnest(NEW.mt_synonyms) s) w GROUP BY word;
  RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION media_tags_matching(needle text, with_synonyms boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT mtw_tag FROM media_tag_word
  WHERE tenant_id = current_tenant() AND mtw_word LIKE '%' || replace(replace(replace(folded(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' AND (with_synonyms OR NOT mtw_synonym)
$$;

-- Of words of several tags that say the same, the value stays before synonyms, and the first of those.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT w.tenant_id, w.mtw_group, w.mtw_word, w.mtw_tag, w.mtw_synonym, folded(w.mtw_word) AS word FROM media_tag_word w
  WHERE $1::jsonb IS NULL OR (w.tenant_id, w.mtw_group, w.mtw_word) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid, $1::jsonb ->> 2)
  ORDER BY w.tenant_id, w.mtw_group, w.mtw_word LIMIT 1000
), other AS MATERIALIZED (
  SELECT p.tenant_id, p.mtw_group, p.mtw_word, p.mtw_tag, p.mtw_synonym, p.word,
    row_number() OVER (PARTITION BY p.tenant_id, p.mtw_group, p.word ORDER BY p.mtw_synonym, p.mtw_word) = 1 AS is_first,
    EXISTS (SELECT FROM media_tag_word o WHERE o.tenant_id = p.tenant_id AND o.mtw_group = p.mtw_group AND o.mtw_word = p.word) AS is_there
  FROM page p WHERE p.word <> p.mtw_word
), folds AS (
  UPDATE media_tag_word w SET mtw_word = o.word FROM other o
  WHERE o.is_first AND NOT o.is_there AND w.tenant_id = o.tenant_id AND w.mtw_group = o.mtw_group AND w.mtw_word = o.mtw_word
), takes AS (
  UPDATE media_tag_word w SET mtw_tag = o.mtw_tag, mtw_synonym = false FROM other o
  WHERE o.is_first AND o.is_there AND NOT o.mtw_synonym AND w.mtw_synonym AND w.tenant_id = o.tenant_id AND w.mtw_group = o.mtw_group AND w.mtw_word = o.word
), goes AS (
  DELETE FROM media_tag_word w USING other o
  WHERE NOT (o.is_first AND NOT o.is_there) AND w.tenant_id = o.tenant_id AND w.mtw_group = o.mtw_group AND w.mtw_word = o.mtw_word
)
SELECT jsonb_build_array(tenant_id, mtw_group, mtw_word) AS cursor FROM page ORDER BY tenant_id DESC, mtw_group DESC, mtw_word DESC LIMIT 1;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.osr_id FROM (
    SELECT tenant_id, osr_id, row_number() OVER (PARTITION BY tenant_id, folded(osr_name) ORDER BY osr_id) AS place FROM object_source WHERE osr_removed IS NULL) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.osr_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.osr_id LIMIT 1000
), renamed AS (
  UPDATE object_source r SET osr_name = left(r.osr_name, 216) || ' (' || r.osr_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.osr_id = d.osr_id
)
SELECT jsonb_build_array(tenant_id, osr_id) AS cursor FROM doubled ORDER BY tenant_id DESC, osr_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS object_source_name_folded ON object_source (tenant_id, folded(osr_name)) WHERE osr_removed IS NULL;
-- part
DROP INDEX object_source_name;
ALTER INDEX object_source_name_folded RENAME TO object_source_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.pcat_id FROM (
    SELECT tenant_id, pcat_id, row_number() OVER (PARTITION BY tenant_id, pcat_parent, folded(pcat_name) ORDER BY pcat_id) AS place FROM prompt_category WHERE pcat_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.pcat_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.pcat_id LIMIT 1000
), renamed AS (
  UPDATE prompt_category r SET pcat_name = left(r.pcat_name, 41) || ' (' || r.pcat_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.pcat_id = d.pcat_id
)
SELECT jsonb_build_array(tenant_id, pcat_id) AS cursor FROM doubled ORDER BY tenant_id DESC, pcat_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS prompt_category_name_taken_folded ON prompt_category (tenant_id, pcat_parent, folded(pcat_name)) NULLS NOT DISTINCT WHERE pcat_active;
-- part
DROP INDEX prompt_category_name_taken;
ALTER INDEX prompt_category_name_taken_folded RENAME TO prompt_category_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.prompt_id FROM (
    SELECT tenant_id, prompt_id, row_number() OVER (PARTITION BY tenant_id, prompt_user, folded(prompt_name) ORDER BY prompt_id) AS place FROM prompt WHERE prompt_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.prompt_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.prompt_id LIMIT 1000
), renamed AS (
  UPDATE prompt r SET prompt_name = left(r.prompt_name, 81) || ' (' || r.prompt_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.prompt_id = d.prompt_id
)
SELECT jsonb_build_array(tenant_id, prompt_id) AS cursor FROM doubled ORDER BY tenant_id DESC, prompt_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS prompt_name_taken_folded ON prompt (tenant_id, prompt_user, folded(prompt_name)) NULLS NOT DISTINCT WHERE prompt_active;
-- part
DROP INDEX prompt_name_taken;
ALTER INDEX prompt_name_taken_folded RENAME TO prompt_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.dr_id FROM (
    SELECT tenant_id, dr_id, row_number() OVER (PARTITION BY tenant_id, folded(dr_name) ORDER BY dr_id) AS place FROM distribution_restriction) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.dr_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.dr_id LIMIT 1000
), renamed AS (
  UPDATE distribution_restriction r SET dr_name = left(r.dr_name, 216) || ' (' || r.dr_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.dr_id = d.dr_id
)
SELECT jsonb_build_array(tenant_id, dr_id) AS cursor FROM doubled ORDER BY tenant_id DESC, dr_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS restriction_name_folded ON distribution_restriction (tenant_id, folded(dr_name));
-- part
ALTER TABLE distribution_restriction DROP CONSTRAINT restriction_name;
ALTER INDEX restriction_name_folded RENAME TO restriction_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.role_id FROM (
    SELECT tenant_id, role_id, row_number() OVER (PARTITION BY tenant_id, folded(role_name) ORDER BY role_id) AS place FROM role) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.role_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.role_id LIMIT 1000
), renamed AS (
  UPDATE role r SET role_name = left(r.role_name, 41) || ' (' || r.role_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.role_id = d.role_id
)
SELECT jsonb_build_array(tenant_id, role_id) AS cursor FROM doubled ORDER BY tenant_id DESC, role_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS role_name_unique_folded ON role (tenant_id, folded(role_name));
-- part
DROP INDEX role_name_unique;
ALTER INDEX role_name_unique_folded RENAME TO role_name_unique;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.space_id FROM (
    SELECT tenant_id, space_id, row_number() OVER (PARTITION BY tenant_id, folded(space_name) ORDER BY space_id) AS place FROM space WHERE space_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.space_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.space_id LIMIT 1000
), renamed AS (
  UPDATE space r SET space_name = left(r.space_name, 81) || ' (' || r.space_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.space_id = d.space_id
)
SELECT jsonb_build_array(tenant_id, space_id) AS cursor FROM doubled ORDER BY tenant_id DESC, space_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS space_name_taken_folded ON space (tenant_id, folded(space_name)) WHERE space_active;
-- part
DROP INDEX space_name_taken;
ALTER INDEX space_name_taken_folded RENAME TO space_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.sto_id FROM (
    SELECT tenant_id, sto_id, row_number() OVER (PARTITION BY tenant_id, folded(sto_name) ORDER BY sto_id) AS place FROM storage_provider) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.sto_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.sto_id LIMIT 1000
), renamed AS (
  UPDATE storage_provider r SET sto_name = left(r.sto_name, 41) || ' (' || r.sto_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.sto_id = d.sto_id
)
SELECT jsonb_build_array(tenant_id, sto_id) AS cursor FROM doubled ORDER BY tenant_id DESC, sto_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS storage_provider_name_folded ON storage_provider (tenant_id, folded(sto_name));
-- part
DROP INDEX storage_provider_name;
ALTER INDEX storage_provider_name_folded RENAME TO storage_provider_name;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.tax_id FROM (
    SELECT tenant_id, tax_id, row_number() OVER (PARTITION BY tenant_id, folded(tax_name) ORDER BY tax_id) AS place FROM taxonomy WHERE tax_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.tax_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.tax_id LIMIT 1000
), renamed AS (
  UPDATE taxonomy r SET tax_name = left(r.tax_name, 216) || ' (' || r.tax_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.tax_id = d.tax_id
)
SELECT jsonb_build_array(tenant_id, tax_id) AS cursor FROM doubled ORDER BY tenant_id DESC, tax_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS taxonomy_name_taken_folded ON taxonomy (tenant_id, folded(tax_name)) WHERE tax_active;
-- part
DROP INDEX taxonomy_name_taken;
ALTER INDEX taxonomy_name_taken_folded RENAME TO taxonomy_name_taken;

-- A later one whose name says the same as another's bears its id beside it.
-- part: in batches
WITH doubled AS MATERIALIZED (
  SELECT n.tenant_id, n.term_id FROM (
    SELECT tenant_id, term_id, row_number() OVER (PARTITION BY tenant_id, term_taxonomy, coalesce(term_parent, '00000000-0000-0000-0000-000000000000'), folded(term_name) ORDER BY term_id) AS place FROM term WHERE term_active) n
  WHERE n.place > 1 AND ($1::jsonb IS NULL OR (n.tenant_id, n.term_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)) ORDER BY n.tenant_id, n.term_id LIMIT 1000
), renamed AS (
  UPDATE term r SET term_name = left(r.term_name, 216) || ' (' || r.term_id || ')', row_version = r.row_version + 1 FROM doubled d
  WHERE r.tenant_id = d.tenant_id AND r.term_id = d.term_id
)
SELECT jsonb_build_array(tenant_id, term_id) AS cursor FROM doubled ORDER BY tenant_id DESC, term_id DESC LIMIT 1;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS term_name_taken_folded ON term (tenant_id, term_taxonomy, coalesce(term_parent, '00000000-0000-0000-0000-000000000000'), folded(term_name)) WHERE term_active;
-- part
DROP INDEX term_name_taken;
ALTER INDEX term_name_taken_folded RENAME TO term_name_taken;

-- part: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS wildcard_name_taken_folded ON wildcard (tenant_id, folded(wildcard_name)) WHERE wildcard_active;
-- part
DROP INDEX wildcard_name_taken;
ALTER INDEX wildcard_name_taken_folded RENAME TO wildcard_name_taken;
