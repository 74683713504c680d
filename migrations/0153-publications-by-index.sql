-- A few rows of a search for a text the planner does not know may look cheaper in the order of the primary key: all that match are asked for.
CREATE OR REPLACE FUNCTION publications_matching(needle text, most integer) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH found AS MATERIALIZED (
    SELECT pub_id FROM publication
    WHERE tenant_id = current_tenant() AND folded(pub_file_name || E'\n' || coalesce(pub_published_name, '') || E'\n' || coalesce(pub_url, ''))
      LIKE '%' || replace(replace(replace(folded(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%'
  )
  SELECT pub_id FROM found LIMIT most
$$;
