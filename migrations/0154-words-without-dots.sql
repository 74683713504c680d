-- Words are the same with a dot on the i and without it, stems as well.
-- part: in batches
WITH page AS MATERIALIZED (
  SELECT p.tenant_id, p.passage_id FROM passage p
  WHERE $1::jsonb IS NULL OR (p.tenant_id, p.passage_id) > (($1::jsonb ->> 0)::uuid, ($1::jsonb ->> 1)::uuid)
  ORDER BY p.tenant_id, p.passage_id LIMIT 1000
), dotted AS (
  UPDATE passage p SET psg_tsv = replace(p.psg_tsv::text, 'ı', 'i')::tsvector FROM page g
  WHERE p.tenant_id = g.tenant_id AND p.passage_id = g.passage_id AND strpos(p.psg_tsv::text, 'ı') > 0
)
SELECT jsonb_build_array(tenant_id, passage_id) AS cursor FROM page ORDER BY tenant_id DESC, passage_id DESC LIMIT 1;
