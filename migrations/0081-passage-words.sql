-- Passages are found by keys that a word and the workspace make together, so that a search reads of the index what its own
-- workspace has of the word, however many others have it too. A word that a passage stresses (three times in the text, in a
-- heading or in the title) has a second key, which is the word followed by an exclamation mark.
CREATE FUNCTION passage_word_key(tenant uuid, word text) RETURNS bigint
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN hashtextextended(word COLLATE "C", uuid_hash_extended(tenant, 0));

-- The cost keeps the planner from making the keys of a passage to see whether it has one: the index knows.
CREATE FUNCTION passage_word_keys(tenant uuid, words tsvector) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
  BEGIN ATOMIC
    SELECT array_agg(hashtextextended(k.word COLLATE "C", uuid_hash_extended(tenant, 0)))
    FROM unnest(words) AS w (lexeme, positions, weights)
    CROSS JOIN LATERAL (VALUES (w.lexeme), (CASE WHEN cardinality(w.positions) >= 3 OR w.weights && '{A,B}'::text[] THEN w.lexeme || '!' END)) AS k (word)
    WHERE k.word IS NOT NULL;
  END;

-- Entries are written at once: what waits to be written would be read from end to end by every search.
DROP INDEX passage_words;
CREATE INDEX passage_words ON passage USING gin (passage_word_keys(tenant_id, psg_tsv)) WITH (fastupdate = off);
-- One passage in 64, by which frequent words are counted.
CREATE INDEX passage_words_sampled ON passage USING gin (passage_word_keys(tenant_id, psg_tsv)) WITH (fastupdate = off) WHERE (uuid_hash(passage_id) & 63) = 0;

-- In how many passages of the workspace each word stands: counted where it is rare, else estimated by a sample. Keys are of one
-- workspace; `IS TRUE` keeps the planner from reading all its passages in another index besides.
DROP FUNCTION search_passages_words(text[], integer);
CREATE FUNCTION search_passages_words(words text[]) RETURNS TABLE (word text, passages integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT n.word, n.passages FROM (
    SELECT w.word, CASE WHEN sampled.passages < 16 THEN counted.passages ELSE 64 * sampled.passages END AS passages FROM unnest(words) AS w (word)
    CROSS JOIN LATERAL (SELECT count(*)::integer AS passages FROM (
      SELECT FROM passage p WHERE (p.tenant_id = current_tenant()) IS TRUE AND (uuid_hash(p.passage_id) & 63) = 0
        AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 1000) x) sampled
    CROSS JOIN LATERAL (SELECT count(*)::integer AS passages FROM (
      SELECT FROM passage p WHERE sampled.passages < 16 AND (p.tenant_id = current_tenant()) IS TRUE
        AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 5000) x) counted
  ) n WHERE n.passages > 0
$$;
CALL make_definer('search_passages_words(text[])', 'atrium_search');

-- The passages of the scopes that are most worth ranking, by the weights of the words that they have; texts are not read. With
-- `together`, passages that have all of these words are found too, and no others where `only_together`. `query` is a condition
-- on what is found; with `sources`, only theirs are.
DROP FUNCTION search_passages_text(text, text[], real[], text[], integer);
CREATE FUNCTION search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer)
  RETURNS TABLE (passage_id uuid, source_kind text, source_id uuid, psg_weight real)
  LANGUAGE sql STABLE SECURITY DEFINER ROWS 200 SET search_path = public, pg_temp AS $$
  WITH standing AS (
    SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, w.weight, false AS is_whole FROM unnest(words, weights) AS w (word, weight)
    CROSS JOIN LATERAL (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM passage p
      WHERE (p.tenant_id = current_tenant()) IS TRUE AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 20000) p
    UNION ALL
    (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, 0::real, true FROM passage p
     WHERE cardinality(together) > 0 AND (p.tenant_id = current_tenant()) IS TRUE
       AND passage_word_keys(p.tenant_id, p.psg_tsv) @> ARRAY(SELECT passage_word_key(current_tenant(), t.word) FROM unnest(together) AS t (word)) LIMIT 20000)
  ), chosen AS (
    SELECT s.passage_id, s.source_kind, s.source_id, min(s.psg_length) AS psg_length, sum(s.weight)::real AS psg_weight FROM standing s
    GROUP BY s.passage_id, s.source_kind, s.source_id HAVING NOT only_together OR bool_or(s.is_whole)
  )
  SELECT c.passage_id, c.source_kind, c.source_id, c.psg_weight FROM chosen c
  WHERE EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = current_tenant() AND k.source_kind = c.source_kind AND k.source_id = c.source_id AND k.scope_key = ANY (scope_keys))
    AND (sources IS NULL OR c.source_id = ANY (sources::uuid[]))
    AND (query IS NULL OR EXISTS (SELECT FROM passage p WHERE p.tenant_id = current_tenant() AND p.passage_id = c.passage_id AND p.psg_tsv @@ query::tsquery))
  ORDER BY c.psg_weight DESC, c.psg_length, c.passage_id LIMIT most
$$;
CALL make_definer('search_passages_text(text, text[], real[], text[], boolean, text[], text[], integer)', 'atrium_search');
