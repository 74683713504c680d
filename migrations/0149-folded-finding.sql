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
