-- Bands of 24 bits, five of the 128 of a view, instead of 16: of 100,000 pictures that are nothing to one another dozens share one
-- with a picture, not thousands. Keys of a whole are also those one bit beside it, those of parts only their own, so that to look
-- for wholes takes few keys although there are many views to compare them with.
DROP INDEX file_blob_looks;
DROP FUNCTION look_keys(uuid, text);
DROP FUNCTION look_key(uuid, boolean, integer, integer);

CREATE FUNCTION look_key(tenant uuid, is_part boolean, band integer, bits integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (hashtext(tenant::text)::bigint << 28) | ((is_part::integer << 27) | (band << 24) | bits)::bigint;

-- The bits of a band, and where those beside count, each with one bit changed.
CREATE FUNCTION look_bits(view text, band integer, beside boolean) RETURNS SETOF integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT ('x' || substr(view, band * 6 + 1, 6))::bit(24)::integer # mask FROM (SELECT 0 AS mask UNION ALL SELECT 1 << n FROM generate_series(0, 23) AS n WHERE beside) AS m;
  END;

CREATE FUNCTION look_keys(tenant uuid, views text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_agg(look_key(tenant, n > 0, band, bits))
    FROM generate_series(0, length(views) / 32 - 1) AS n, generate_series(0, 4) AS band, look_bits(substr(views, n * 32 + 1, 32), band, n = 0) AS bits);

CREATE INDEX file_blob_looks ON file_blob USING gin (look_keys(tenant_id, blob_system ->> 'views')) WHERE blob_system ->> 'views' IS NOT NULL;
-- Statistics of the keys would take minutes to gather, and no plan looks at them.
ALTER INDEX file_blob_looks ALTER COLUMN 1 SET STATISTICS 0;

-- Pictures of the workspace that look like one of the views: as a whole, or in a part of them. Views that differ in at most 9 bits
-- share a band up to one bit, so all pictures are found that differ so little, and most of those up to 14. Where more share bands
-- than can be compared in a moment, so many are alike that some tell enough.
CREATE OR REPLACE FUNCTION pictures_like(probes text, in_parts boolean, distance integer, most integer) RETURNS TABLE (blob_id uuid, apart integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH probe AS MATERIALIZED (SELECT substr(probes, n * 32 + 1, 32) AS view FROM generate_series(0, length(probes) / 32 - 1) AS n),
  sought AS MATERIALIZED (
    SELECT array_agg(DISTINCT look_key(current_tenant(), in_parts, band, bits)) AS keys
    FROM probe, generate_series(0, 4) AS band, look_bits(view, band, in_parts) AS bits),
  found AS MATERIALIZED (
    SELECT b.blob_id, b.blob_system ->> 'views' AS views FROM file_blob b
    WHERE b.tenant_id = current_tenant() AND b.blob_system ->> 'views' IS NOT NULL AND look_keys(b.tenant_id, b.blob_system ->> 'views') && (SELECT keys FROM sought) LIMIT 4 * most)
  SELECT f.blob_id, min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128)))::integer AS apart
  FROM found f CROSS JOIN LATERAL generate_series(in_parts::integer, CASE WHEN in_parts THEN length(f.views) / 32 - 1 ELSE 0 END) AS n CROSS JOIN probe p
  GROUP BY f.blob_id HAVING min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128))) <= distance
  ORDER BY apart, f.blob_id LIMIT most
$$;
