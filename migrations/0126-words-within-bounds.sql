-- What a search reads of a word is bounded again, also where little of it is in the scopes that are searched: as many entries of the
-- index as are three times what a word may have that chooses. Searches of few passages read these themselves and ask no index. The
-- memory is for the places of a frequent word: where they do not fit, the words of each passage are made again to compare them.
CREATE OR REPLACE FUNCTION search_passages_text(query text, words text[], weights real[], together text[], only_together boolean, scope_keys text[], sources text[], most integer)
  RETURNS TABLE (passage_id uuid, source_kind text, source_id uuid, psg_weight real)
  LANGUAGE sql STABLE SECURITY DEFINER ROWS 200 SET search_path = public, pg_temp SET work_mem = '32MB' AS $$
  WITH standing AS (
    SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, w.weight, false AS is_whole FROM unnest(words, weights) AS w (word, weight)
    CROSS JOIN LATERAL (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM (
      SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM passage p
      WHERE (p.tenant_id = current_tenant()) IS TRUE AND passage_word_keys(p.tenant_id, p.psg_tsv) && ARRAY[passage_word_key(current_tenant(), w.word)] LIMIT 100000) p
      WHERE (sources IS NULL OR p.source_id IN (SELECT s.id::uuid FROM unnest(sources) AS s (id)))
        AND EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = current_tenant() AND k.source_kind = p.source_kind AND k.source_id = p.source_id AND k.scope_key = ANY (scope_keys)) IS TRUE
      LIMIT 40000) p
    UNION ALL
    (SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length, 0::real, true FROM (
       SELECT p.passage_id, p.source_kind, p.source_id, p.psg_length FROM passage p
       WHERE cardinality(together) > 0 AND (p.tenant_id = current_tenant()) IS TRUE
         AND passage_word_keys(p.tenant_id, p.psg_tsv) @> ARRAY(SELECT passage_word_key(current_tenant(), t.word) FROM unnest(together) AS t (word)) LIMIT 100000) p
     WHERE (sources IS NULL OR p.source_id IN (SELECT s.id::uuid FROM unnest(sources) AS s (id)))
       AND EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = current_tenant() AND k.source_kind = p.source_kind AND k.source_id = p.source_id AND k.scope_key = ANY (scope_keys)) IS TRUE
     LIMIT 20000)
  ), chosen AS (
    SELECT s.passage_id, s.source_kind, s.source_id, min(s.psg_length) AS psg_length, sum(s.weight)::real AS psg_weight FROM standing s
    GROUP BY s.passage_id, s.source_kind, s.source_id HAVING NOT only_together OR bool_or(s.is_whole)
  )
  SELECT c.passage_id, c.source_kind, c.source_id, c.psg_weight FROM chosen c
  WHERE (query IS NULL OR EXISTS (SELECT FROM passage p WHERE p.tenant_id = current_tenant() AND p.passage_id = c.passage_id AND p.psg_tsv @@ query::tsquery))
  ORDER BY c.psg_weight DESC, c.psg_length, c.passage_id LIMIT most
$$;

-- Sources that are still to be read are not looked through by a search that asks how much there is.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS passage_source_with_passages ON passage_source (tenant_id, source_kind, source_id) WHERE source_passages > 0;
