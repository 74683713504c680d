-- Views of a picture: hashes of all of it and of parts of it that a crop would show, 128 bits each, 32 hexadecimal digits; the
-- first is that of the whole. Keys are bands of 16 of the first 64 bits, apart by workspace and by whole or part.
CREATE FUNCTION look_key(tenant uuid, is_part boolean, band integer, bits integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (hashtext(tenant::text)::bigint << 20) | ((is_part::integer << 18) | (band << 16) | bits)::bigint;

CREATE FUNCTION look_keys(tenant uuid, views text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_agg(look_key(tenant, n > 0, band, ('x' || substr(views, n * 32 + band * 4 + 1, 4))::bit(16)::integer)) FROM generate_series(0, length(views) / 32 - 1) AS n, generate_series(0, 3) AS band);

CREATE INDEX file_blob_looks ON file_blob USING gin (look_keys(tenant_id, blob_system ->> 'views')) WHERE blob_system ->> 'views' IS NOT NULL;

CALL make_searchable('file_blob');

-- Pictures of the workspace that look like one of the views: as a whole, or in a part of them. Views whose first 64 bits differ
-- in at most 7 share a band up to one bit, so all pictures are found that differ so little.
CREATE FUNCTION pictures_like(probes text, in_parts boolean, distance integer, most integer) RETURNS TABLE (blob_id uuid, apart integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH probe AS MATERIALIZED (SELECT substr(probes, n * 32 + 1, 32) AS view FROM generate_series(0, length(probes) / 32 - 1) AS n),
  sought AS MATERIALIZED (
    SELECT array_agg(DISTINCT look_key(current_tenant(), in_parts, band, ('x' || substr(view, band * 4 + 1, 4))::bit(16)::integer # mask)) AS keys
    FROM probe, generate_series(0, 3) AS band, (SELECT 0 AS mask UNION ALL SELECT 1 << n FROM generate_series(0, 15) AS n) AS m),
  found AS MATERIALIZED (
    SELECT b.blob_id, b.blob_system ->> 'views' AS views FROM file_blob b
    WHERE b.tenant_id = current_tenant() AND b.blob_system ->> 'views' IS NOT NULL AND look_keys(b.tenant_id, b.blob_system ->> 'views') && (SELECT keys FROM sought) LIMIT 20000)
  SELECT f.blob_id, min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128)))::integer AS apart
  FROM found f CROSS JOIN LATERAL generate_series(in_parts::integer, CASE WHEN in_parts THEN length(f.views) / 32 - 1 ELSE 0 END) AS n CROSS JOIN probe p
  GROUP BY f.blob_id HAVING min(bit_count(('x' || substr(f.views, n * 32 + 1, 32))::bit(128) # ('x' || p.view)::bit(128))) <= distance
  ORDER BY apart, f.blob_id LIMIT most
$$;
CALL make_definer('pictures_like(text, boolean, integer, integer)', 'atrium_search');
