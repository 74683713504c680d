-- Lists that look for a part of a text know one letter i as well. The functions that look for people, publications, members and tags are
-- those of before with another body: hosts of the release before find by the new indexes at once. Indexes are built beside those of before,
-- which serve until then, and nobody waits for them: a million names take about a minute each.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS person_names_dotless ON person
  USING gin (tenant_id, dotless(folded(coalesce(person_name, '') || ' ' || coalesce(person_description, ''))) gin_trgm_ops);

-- part
CREATE OR REPLACE FUNCTION people_matching(needle text, with_description boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT p.person_id FROM person p, (SELECT '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%' AS part) n
  WHERE p.tenant_id = current_tenant() AND dotless(folded(coalesce(p.person_name, '') || ' ' || coalesce(p.person_description, ''))) LIKE n.part
    AND (with_description OR dotless(folded(p.person_name)) LIKE n.part)
$$;

-- part
DROP INDEX person_names;
ALTER INDEX person_names_dotless RENAME TO person_names;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS publication_search_dotless ON publication
  USING gin (dotless(folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, ''))) gin_trgm_ops, tenant_id);

-- part
CREATE OR REPLACE FUNCTION publications_matching(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT pub_id FROM publication
    WHERE tenant_id = current_tenant() AND dotless(folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, '')))
      LIKE '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
  )
  SELECT pub_id FROM found LIMIT most
$$;

-- part
DROP INDEX publication_search;
ALTER INDEX publication_search_dotless RENAME TO publication_search;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS workspace_user_search_dotless ON workspace_user
  USING gin (tenant_id, dotless(folded(user_name || ' ' || coalesce(user_email, '') || ' ' || coalesce(user_title, ''))) gin_trgm_ops);

-- part
CREATE OR REPLACE FUNCTION users_search(part text, needles text[], without text[]) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 SET search_path = public, pg_temp SET enable_seqscan = off AS $$
DECLARE
  first text := dotless(folded(coalesce(needles[1], '%')));
BEGIN
  IF part = 'name' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first AND dotless(folded(u.user_name)) LIKE first;
  ELSIF part = 'email' THEN
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first AND dotless(folded(u.user_email)) LIKE first;
  ELSE
    RETURN QUERY SELECT u.user_id FROM workspace_user u
      WHERE u.tenant_id = current_tenant() AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE first
        AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) LIKE ALL (ARRAY(SELECT dotless(folded(n)) FROM unnest(needles) n))
        AND dotless(folded(u.user_name || ' ' || coalesce(u.user_email, '') || ' ' || coalesce(u.user_title, ''))) NOT LIKE ALL (ARRAY(SELECT dotless(folded(w)) FROM unnest(without) w));
  END IF;
END
$$;

-- part
DROP INDEX workspace_user_search;
ALTER INDEX workspace_user_search_dotless RENAME TO workspace_user_search;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS media_tag_word_parts_dotless ON media_tag_word USING gin (tenant_id, dotless(mtw_word) gin_trgm_ops);

-- part
CREATE OR REPLACE FUNCTION media_tags_matching(needle text, with_synonyms boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT mtw_tag FROM media_tag_word
  WHERE tenant_id = current_tenant() AND dotless(mtw_word) LIKE '%' || replace(replace(replace(dotless(folded(needle)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
    AND (with_synonyms OR NOT mtw_synonym)
$$;

-- part
DROP INDEX media_tag_word_parts;
ALTER INDEX media_tag_word_parts_dotless RENAME TO media_tag_word_parts;
