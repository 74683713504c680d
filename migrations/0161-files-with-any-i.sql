-- Names and summaries of files, and what pictures say of themselves, are found with any i. The functions that look for them are those of before
-- with another body, so that hosts of the release before find by the new indexes at once. The indexes are built beside those of before, which
-- serve until then: nobody waits for them, and each takes some minutes for a million files and as much room as the one that it replaces,
-- which is dropped with the step.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_name_trigram_dotless ON file USING gin (dotless(lower(file_name)) gin_trgm_ops, tenant_id) WHERE file_deleted IS NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_summary_trigram_dotless ON file USING gin (dotless(lower(file_summary)) gin_trgm_ops, tenant_id)
  WHERE file_deleted IS NULL AND file_summary IS NOT NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_named_dotless ON file (tenant_id, repo_type, (dotless(lower(file_name))) COLLATE "C", file_id) INCLUDE (file_name)
  WHERE file_deleted IS NULL;

-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS file_search_embedded_dotless ON file_search_text USING gin (dotless(lower(fst_embedded)) gin_trgm_ops, tenant_id)
  WHERE fst_embedded <> '';

-- part
CREATE OR REPLACE FUNCTION files_like(what text, pattern text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  (SELECT file_id FROM file WHERE what = 'name' AND tenant_id = current_tenant() AND file_deleted IS NULL AND dotless(lower(file_name)) LIKE dotless(pattern) LIMIT most)
  UNION ALL
  (SELECT file_id FROM file WHERE what = 'summary' AND tenant_id = current_tenant() AND file_deleted IS NULL AND file_summary IS NOT NULL AND dotless(lower(file_summary)) LIKE dotless(pattern) LIMIT most)
$$;

CREATE OR REPLACE FUNCTION files_saying(field text, pattern text, held text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT f.file_id
  FROM file_search_text s JOIN file f ON f.tenant_id = s.tenant_id AND f.file_id = s.file_id
  WHERE s.tenant_id = current_tenant() AND s.fst_embedded <> '' AND dotless(lower(s.fst_embedded)) LIKE dotless(held) AND f.file_deleted IS NULL
    AND EXISTS (SELECT FROM unnest(file_says(f.file_metadata, field)) v WHERE dotless(v) LIKE dotless(pattern))
  LIMIT most
$$;

CREATE OR REPLACE FUNCTION files_holding(words text[], repo text, besides text, from_name text, most integer) RETURNS TABLE(file_id uuid, name text)
  LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $_$
BEGIN
  IF from_name IS NOT NULL THEN
    RETURN QUERY
      SELECT x.file_id, x.name
      FROM (SELECT f.file_id, dotless(lower(f.file_name)) AS name FROM file f
            WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND dotless(lower(f.file_name)) COLLATE "C" >= dotless(from_name)
            ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT 3000) x
      WHERE x.name LIKE ALL (SELECT '%' || dotless(w) || '%' FROM unnest(words) w) AND x.name NOT LIKE besides LIMIT most;
    RETURN;
  END IF;
  -- A condition for each word, what is rare first: the index asks for the next one where those before it hold.
  RETURN QUERY EXECUTE format(
    'SELECT f.file_id, dotless(lower(f.file_name)) FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = $1 AND f.file_deleted IS NULL AND %s AND dotless(lower(f.file_name)) NOT LIKE $2 LIMIT $3',
    (SELECT string_agg(format('dotless(lower(f.file_name)) LIKE %L', '%' || dotless(w) || '%'), ' AND ') FROM unnest(words) w))
    USING repo, besides, most;
END
$_$;

CREATE OR REPLACE FUNCTION files_spelt_like(small text, besides text, repo text, most integer) RETURNS TABLE(file_id uuid, likeness real)
  LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  common CONSTANT integer := 10000;
  gathered CONSTANT integer := 1000;
  like_as_a_whole CONSTANT real := 0.3;
  parts CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:alpha:]]{3,}', 'g') m LIMIT 6);
  numbers CONSTANT text[] := ARRAY(SELECT m[1] FROM regexp_matches(small, '[[:digit:]]{3,}', 'g') m ORDER BY length(m[1]) DESC LIMIT 4);
  part text;
  near text[];
  near_alike real[];
  near_files bigint[];
  -- Ways to spell the words of the text, likeliest first: the words (the rarest leads), how like they are, and how many names hold the rarest.
  ways text[] := '{""}';
  alike real[] := '{0}';
  rarest bigint[] := '{9223372036854775807}';
  lone text[] := '{}';
  lone_files bigint[] := '{}';
  words text[];
  -- Where names are read along from; null: by their parts.
  along text[];
  start text;
  found uuid[] := '{}';
  names text[] := '{}';
BEGIN
  FOREACH part IN ARRAY parts LOOP
    SELECT array_agg(w.word), array_agg(w.likeness), array_agg(w.files) INTO near, near_alike, near_files FROM words_like(part, repo, 4) w;
    CONTINUE WHEN near IS NULL;
    lone := lone || near[1];
    lone_files := lone_files || near_files[1];
    SELECT array_agg(t.way), array_agg(t.score), array_agg(t.files) INTO ways, alike, rarest
    FROM (SELECT CASE WHEN s.files < w.files THEN s.word || ' ' || w.way ELSE w.way || ' ' || s.word END AS way, w.score + s.likeness AS score, least(w.files, s.files) AS files
          FROM unnest(ways, alike, rarest) AS w (way, score, files) CROSS JOIN unnest(near, near_alike, near_files) AS s (word, likeness, files)
          ORDER BY score DESC, files DESC, way LIMIT 6) t;
  END LOOP;
  IF cardinality(lone) * 2 < cardinality(parts) OR cardinality(lone) = 0 THEN
    RETURN;
  END IF;
  FOR step IN CASE WHEN cardinality(numbers) > 0 THEN 1 ELSE 2 END .. CASE WHEN cardinality(lone) > 1 THEN 3 ELSE 2 END LOOP
    EXIT WHEN step = 3 AND cardinality(found) > 0;
    IF step = 3 THEN
      ways := lone;
      rarest := lone_files;
    END IF;
    FOR i IN 1 .. cardinality(ways) LOOP
      words := string_to_array(btrim(ways[i]), ' ');
      IF step = 1 THEN
        words := CASE WHEN rarest[i] > common THEN numbers || words ELSE words || numbers END;
      END IF;
      -- A number of four digits, such as a year, may be as common as a word.
      along := CASE WHEN rarest[i] > common AND i <= 2 AND (step > 1 OR (SELECT max(length(n)) FROM unnest(numbers) n) < 5) THEN ARRAY[words[cardinality(words)], ''] ELSE '{}' END;
      IF rarest[i] <= common OR step = 1 THEN
        along := along || NULL::text;
      END IF;
      FOREACH start IN ARRAY along LOOP
        EXIT WHEN cardinality(found) >= most;
        SELECT found || array_agg(h.file_id), names || array_agg(h.name) INTO found, names FROM files_holding(words, repo, besides, start, gathered) h WHERE h.file_id <> ALL (found);
      END LOOP;
    END LOOP;
    IF step = 3 THEN
      SELECT coalesce(array_agg(f.id), '{}'), coalesce(array_agg(f.name), '{}') INTO found, names FROM unnest(found, names) AS f (id, name) WHERE similarity(f.name, dotless(small)) >= like_as_a_whole;
    END IF;
  END LOOP;
  RETURN QUERY
    SELECT x.id, x.likeness
    FROM (SELECT f.id, f.name, similarity(f.name, dotless(small)) AS likeness FROM unnest(found, names) AS f (id, name)) x
    ORDER BY x.likeness DESC, x.name, x.id LIMIT most;
END
$$;

CREATE OR REPLACE FUNCTION files_named_like(needle text, repo text, most integer) RETURNS TABLE(file_id uuid, rank real)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp SET enable_seqscan = off SET work_mem = '16MB' AS $$
#variable_conflict use_column
DECLARE
  small CONSTANT text := dotless(lower(needle));
  held CONSTANT text := '%' || replace(replace(replace(small, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  -- Without three letters or digits in a row it has no part that the index knows: the names are read along their own.
  parted CONSTANT boolean := small ~ '[[:alnum:]]{3}';
  begun uuid[];
  holding uuid[];
BEGIN
  begun := ARRAY(
    SELECT f.file_id FROM file f
    WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL AND dotless(lower(f.file_name)) COLLATE "C" >= small AND dotless(lower(f.file_name)) COLLATE "C" < small || chr(1114111)
    ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT most);
  RETURN QUERY SELECT one, 3::real FROM unnest(begun) one;
  most := most - cardinality(begun);
  IF most <= 0 THEN
    RETURN;
  END IF;

  holding := ARRAY(
    SELECT x.file_id
    FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
          ORDER BY dotless(lower(f.file_name)) COLLATE "C", f.file_id LIMIT CASE WHEN parted THEN 5000 END) x
    WHERE dotless(lower(x.file_name)) LIKE held AND NOT starts_with(dotless(lower(x.file_name)), small) LIMIT most);
  IF parted AND cardinality(holding) < most THEN
    holding := ARRAY(
      SELECT x.file_id
      FROM (SELECT f.file_id, f.file_name FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_type = repo AND f.file_deleted IS NULL
            AND dotless(lower(f.file_name)) LIKE held AND NOT starts_with(dotless(lower(f.file_name)), small) LIMIT 10000) x
      ORDER BY dotless(lower(x.file_name)) COLLATE "C", x.file_id LIMIT most);
  END IF;
  RETURN QUERY SELECT one, 2::real FROM unnest(holding) one;
  most := most - cardinality(holding);
  IF most <= 0 THEN
    RETURN;
  END IF;

  RETURN QUERY SELECT s.file_id, s.likeness FROM files_spelt_like(lower(needle), held, repo, most) s;
END
$$;

-- part
DROP INDEX file_name_trigram;
ALTER INDEX file_name_trigram_dotless RENAME TO file_name_trigram;
DROP INDEX file_summary_trigram;
ALTER INDEX file_summary_trigram_dotless RENAME TO file_summary_trigram;
DROP INDEX file_named;
ALTER INDEX file_named_dotless RENAME TO file_named;

-- part
DROP INDEX file_search_embedded;
ALTER INDEX file_search_embedded_dotless RENAME TO file_search_embedded;
