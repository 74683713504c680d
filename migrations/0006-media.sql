-- Albums of the media library (and, later, document folders: album_kind 'docs').
CREATE TABLE album (
  tenant_id uuid NOT NULL REFERENCES workspace,
  album_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  album_kind text NOT NULL DEFAULT 'media' CHECK (album_kind IN ('media', 'docs')),
  album_name text NOT NULL,
  album_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(album_name, 64))) STORED,
  album_description text,
  album_cover_file uuid,
  album_metadata jsonb NOT NULL DEFAULT '{}',
  album_acl jsonb NOT NULL DEFAULT '{}',
  album_active boolean NOT NULL DEFAULT true,
  album_smart boolean NOT NULL DEFAULT false,
  album_parent uuid,
  album_file_count bigint NOT NULL DEFAULT 0,
  album_created timestamptz(3) NOT NULL DEFAULT now(),
  album_updated timestamptz(3) NOT NULL DEFAULT now(),
  album_created_by uuid,
  album_fts tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', album_name || ' ' || coalesce(album_description, ''))) STORED,
  PRIMARY KEY (tenant_id, album_id),
  FOREIGN KEY (tenant_id, album_parent) REFERENCES album ON DELETE SET NULL (album_parent),
  FOREIGN KEY (tenant_id, album_cover_file) REFERENCES file ON DELETE SET NULL (album_cover_file)
);
CREATE INDEX album_created ON album (tenant_id, album_kind, album_created, album_id);
CREATE INDEX album_updated ON album (tenant_id, album_kind, album_updated, album_id);
CREATE INDEX album_name ON album (tenant_id, album_kind, album_name_key, album_id);
CREATE INDEX album_children ON album (tenant_id, album_parent, album_created, album_id);
CREATE INDEX album_fts ON album USING gin (tenant_id, album_fts);
CALL make_tenant_table('album');
CALL make_searchable('album');

CREATE TABLE album_file (
  tenant_id uuid NOT NULL,
  af_id uuid NOT NULL DEFAULT gen_random_uuid(),
  af_album uuid NOT NULL,
  af_file uuid NOT NULL,
  af_created timestamptz(3) NOT NULL DEFAULT now(),
  af_added_by uuid,
  af_hidden boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, af_album, af_file),
  FOREIGN KEY (tenant_id, af_album) REFERENCES album ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, af_file) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX album_file_file ON album_file (tenant_id, af_file, af_created, af_id);
CREATE INDEX album_file_created ON album_file (tenant_id, af_created, af_id) WHERE NOT af_hidden;
CREATE INDEX album_file_newest ON album_file (tenant_id, af_album, af_created, af_id) WHERE NOT af_hidden;
CALL make_tenant_table('album_file');

-- The count of visible members is kept on the album, so that a page of albums counts nothing.
CREATE FUNCTION count_album_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE album a SET album_file_count = album_file_count + n.more
      FROM (SELECT tenant_id, af_album, count(*) FILTER (WHERE NOT af_hidden) AS more FROM fresh GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.more <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE album a SET album_file_count = album_file_count - n.less
      FROM (SELECT tenant_id, af_album, count(*) FILTER (WHERE NOT af_hidden) AS less FROM stale GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.less <> 0;
  ELSE
    UPDATE album a SET album_file_count = album_file_count + n.delta
      FROM (SELECT tenant_id, af_album, sum(d) AS delta FROM (
              SELECT tenant_id, af_album, CASE WHEN af_hidden THEN 0 ELSE 1 END AS d FROM fresh
              UNION ALL SELECT tenant_id, af_album, CASE WHEN af_hidden THEN 0 ELSE -1 END FROM stale) x GROUP BY 1, 2) n
      WHERE a.tenant_id = n.tenant_id AND a.album_id = n.af_album AND n.delta <> 0;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_inserted AFTER INSERT ON album_file REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_album_files();
CREATE TRIGGER count_deleted AFTER DELETE ON album_file REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_album_files();
CREATE TRIGGER count_updated AFTER UPDATE ON album_file REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_album_files();

-- Albums of the workspace whose name or description matches a web search text.
CREATE FUNCTION albums_matching(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT album_id FROM album WHERE tenant_id = current_tenant() AND album_fts @@ websearch_to_tsquery('simple', needle) $$;
ALTER FUNCTION albums_matching(text) OWNER TO atrium_search;
REVOKE ALL ON FUNCTION albums_matching(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION albums_matching(text) TO atrium_app;
