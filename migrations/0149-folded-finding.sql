-- People and publications are found by what is written, compared folded. Both are looked for by functions of the database, which hosts of
-- the release before call as well: they find by the new indexes from then on, and nobody needs the old ones.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS person_names_folded ON person
  USING gin (tenant_id, folded(coalesce(person_name, '') || ' ' || coalesce(person_description, '')) gin_trgm_ops);

-- part
CREATE OR REPLACE FUNCTION people_matching(needle text, with_description boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.person_id FROM person p, (SELECT '%' || replace(replace(replace(folded(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' AS part) n
  WHERE p.tenant_id = current_tenant() AND folded(coalesce(p.person_name, '') || ' ' || coalesce(p.person_description, '')) LIKE n.part
    AND (with_description OR folded(p.person_name) LIKE n.part)
$$;

-- part
DROP INDEX person_names;
ALTER INDEX person_names_folded RENAME TO person_names;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS publication_search_folded ON publication
  USING gin (folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, '')) gin_trgm_ops, tenant_id);

-- part
CREATE OR REPLACE FUNCTION publications_matching(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT pub_id FROM publication
  WHERE tenant_id = current_tenant() AND folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, ''))
    LIKE '%' || replace(replace(replace(folded(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' LIMIT most
$$;

-- part
DROP INDEX publication_search;
ALTER INDEX publication_search_folded RENAME TO publication_search;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS workspace_user_search_folded ON workspace_user
  USING gin (tenant_id, folded(user_name || ' ' || coalesce(user_email, '') || ' ' || coalesce(user_title, '')) gin_trgm_ops);

-- part
CREATE OR REPLACE FUNCTION users_search(part text, needles text[], without text[]) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp AS $$
DECLARE
  first text := folded(coalesce(needles[1], '%'));
BEGIN
  IF part = 'name' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, '')) LIKE first AND folded(u.user_name) LIKE first;
  ELSIF part = 'email' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, '')) LIKE first AND folded(u.user_email) LIKE first;
  ELSE
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, '')) LIKE first
        AND folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, '')) LIKE ALL (ARRAY(SELECT folded(n) FROM unnest(needles) n))
        AND folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, '')) NOT LIKE ALL (ARRAY(SELECT folded(w) FROM unnest(without) w));
  END IF;
END
$$;

-- part
DROP INDEX workspace_user_search;
ALTER INDEX workspace_user_search_folded RENAME TO workspace_user_search;

-- A word of a memory that ends with sigma is compared with the letter that all forms of it fold to; the others are compared as before.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT m.tenant_id, m.mem_id, m.mem_user, m.mem_value, m.mem_hash FROM memory m
  WHERE $1::jsonb IS NULL OR (m.tenant_id, m.mem_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY m.tenant_id, m.mem_id LIMIT 1000
), said AS MATERIALIZED (
  SELECT p.*, encode(sha256(convert_to(btrim(regexp_replace(normalize(folded(normalize(p.mem_value, NFKC)), NFKC), '[\s\u1680\u2028\u2029\ufeff]+', ' ', 'g')), 'UTF8')), 'hex') AS hash
  FROM page p WHERE p.mem_value ~ U&'[\03C2\03C3\03A3]'
), again AS (
  UPDATE memory m SET mem_hash = s.hash FROM (SELECT DISTINCT ON (tenant_id, mem_user, hash) * FROM said ORDER BY tenant_id, mem_user, hash, mem_id) s
  WHERE m.tenant_id = s.tenant_id AND m.mem_id = s.mem_id AND s.hash <> s.mem_hash
    AND NOT EXISTS (SELECT FROM memory o WHERE o.tenant_id = s.tenant_id AND o.mem_user = s.mem_user AND o.mem_hash = s.hash)
)
SELECT jsonb_build_array(tenant_id, mem_id) AS cursor FROM page ORDER BY tenant_id DESC, mem_id DESC LIMIT 1;

-- Words of terms are stored as they are compared, whichever release writes them.
-- part
CREATE FUNCTION fold_term_words() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.term_words := folded(NEW.term_words);
  RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION fold_term_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_term_words() TO atrium_app, atrium_search, atrium_definer;
CREATE TRIGGER term_words_folded BEFORE INSERT OR UPDATE OF term_words ON term FOR EACH ROW EXECUTE FUNCTION fold_term_words();

-- Those that were written since the step before.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT t.tenant_id, t.term_id FROM term t
  WHERE $1::jsonb IS NULL OR (t.tenant_id, t.term_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY t.tenant_id, t.term_id LIMIT 1000
), folds AS (
  UPDATE term t SET term_words = folded(t.term_words) FROM page p
  WHERE t.tenant_id = p.tenant_id AND t.term_id = p.term_id AND t.term_words <> folded(t.term_words)
)
SELECT jsonb_build_array(tenant_id, term_id) AS cursor FROM page ORDER BY tenant_id DESC, term_id DESC LIMIT 1;
