-- Every path of the service begins alike. What they begin with says nothing and was a third of what a plain request put into
-- the index over text: the service leaves it out, and no search is narrowed by it.
CREATE OR REPLACE FUNCTION access_log_narrowed(p_needle text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
    SELECT coalesce((SELECT string_agg(format(' AND (l.log_ids @> %L::uuid[] OR l.log_text ILIKE %L)', ARRAY[i], '%' || i || '%'), '') FROM unnest(access_log_ids(p_needle)) i), '')
        || coalesce((SELECT string_agg(format(' AND l.log_text ILIKE %L', '%' || w.word || '%'), '')
                     FROM (SELECT DISTINCT m[1] AS word, length(m[1]) FROM regexp_matches(access_log_without_ids(p_needle), '([0-9A-Za-z\u0080-\U0010FFFF]{3,})', 'g') m
                           WHERE m[1] !~ '^[0-9A-Fa-f]{1,12}$' AND lower(m[1]) <> 'api' ORDER BY 2 DESC, 1 LIMIT 5) w), '')
  $$;
