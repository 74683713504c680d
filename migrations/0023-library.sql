-- The media library as it is listed: when things were taken, what albums hold in which order, and what a saved search fills.

-- When a picture was taken, else when the file came.
ALTER TABLE file ADD COLUMN file_taken timestamptz(3) NOT NULL GENERATED ALWAYS AS (coalesce(file_instant(file_metadata #>> '{system,taken}'), file_created)) STORED;
CREATE INDEX file_repo_taken ON file (tenant_id, repo_key, file_taken, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_kind ON file (tenant_id, repo_key, file_kind, file_created, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_status ON file (tenant_id, repo_key, file_status, file_created, file_id) WHERE file_deleted IS NULL;
CREATE INDEX file_repo_format ON file (tenant_id, repo_key, file_ext, file_type_key, file_kind, file_id) WHERE file_deleted IS NULL;

-- Albums: the saved search that fills a smart one (and whether it was made for it alone), and the albums above each, root first, kept by triggers.
ALTER TABLE album
  ADD COLUMN album_query uuid,
  ADD COLUMN album_query_own boolean NOT NULL DEFAULT false,
  ADD COLUMN album_path_ids uuid[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT album_saved_search FOREIGN KEY (tenant_id, album_query) REFERENCES saved_search ON DELETE RESTRICT,
  ADD CONSTRAINT album_smart_query CHECK (album_smart = (album_query IS NOT NULL));
CREATE INDEX album_query ON album (tenant_id, album_query) WHERE album_query IS NOT NULL;
CREATE INDEX album_path ON album USING gin (tenant_id, album_path_ids);
CREATE INDEX album_tree_created ON album (tenant_id, album_kind, album_parent, album_created, album_id);
CREATE INDEX album_tree_updated ON album (tenant_id, album_kind, album_parent, album_updated, album_id);
CREATE INDEX album_tree_name ON album (tenant_id, album_kind, album_parent, album_name_key, album_id);

-- The albums below one, and how many levels below it each lies.
CREATE FUNCTION albums_below(root text) RETURNS TABLE (album_id uuid, levels integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT a.album_id, cardinality(a.album_path_ids) - array_position(a.album_path_ids, root::uuid) + 1 FROM album a WHERE a.tenant_id = current_tenant() AND a.album_path_ids @> ARRAY[root::uuid] $$;
CALL make_definer('albums_below(text)', 'atrium_search');

CREATE FUNCTION place_album() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.album_path_ids := coalesce((SELECT p.album_path_ids || p.album_id FROM album p WHERE p.tenant_id = NEW.tenant_id AND p.album_id = NEW.album_parent), '{}');
  RETURN NEW;
END
$$;
CREATE FUNCTION place_albums_below() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE album d SET album_path_ids = NEW.album_path_ids || d.album_path_ids[array_position(d.album_path_ids, NEW.album_id):]
    FROM albums_below(NEW.album_id::text) b WHERE d.tenant_id = NEW.tenant_id AND d.album_id = b.album_id;
  RETURN NULL;
END
$$;
ALTER TABLE album NO FORCE ROW LEVEL SECURITY;
WITH RECURSIVE placed AS (
  SELECT tenant_id, album_id, '{}'::uuid[] AS path FROM album WHERE album_parent IS NULL
  UNION ALL
  SELECT a.tenant_id, a.album_id, p.path || p.album_id FROM placed p JOIN album a ON a.tenant_id = p.tenant_id AND a.album_parent = p.album_id)
UPDATE album a SET album_path_ids = p.path FROM placed p WHERE a.tenant_id = p.tenant_id AND a.album_id = p.album_id AND p.path <> '{}';
ALTER TABLE album FORCE ROW LEVEL SECURITY;
CREATE TRIGGER place_album BEFORE INSERT OR UPDATE OF album_parent ON album FOR EACH ROW EXECUTE FUNCTION place_album();
CREATE TRIGGER place_albums_below AFTER UPDATE OF album_parent ON album FOR EACH ROW WHEN (OLD.album_parent IS DISTINCT FROM NEW.album_parent) EXECUTE FUNCTION place_albums_below();

-- Members in the order people gave them (a fraction as hexadecimal text), and in that of their files without a look at the files.
ALTER TABLE album_file
  ADD COLUMN af_position text COLLATE "C" NOT NULL DEFAULT lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint), 14, '0') CHECK (length(af_position) <= 400 AND af_position ~ '^[0-9a-f]+$'),
  ADD COLUMN af_file_created timestamptz(3);
ALTER TABLE album_file NO FORCE ROW LEVEL SECURITY;
ALTER TABLE file NO FORCE ROW LEVEL SECURITY;
UPDATE album_file m SET af_file_created = f.file_created FROM file f WHERE f.tenant_id = m.tenant_id AND f.file_id = m.af_file;
ALTER TABLE file FORCE ROW LEVEL SECURITY;
ALTER TABLE album_file FORCE ROW LEVEL SECURITY;
CREATE FUNCTION date_album_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.af_file_created := (SELECT f.file_created FROM file f WHERE f.tenant_id = NEW.tenant_id AND f.file_id = NEW.af_file);
  RETURN NEW;
END
$$;
CREATE TRIGGER date_album_file BEFORE INSERT ON album_file FOR EACH ROW WHEN (NEW.af_file_created IS NULL) EXECUTE FUNCTION date_album_file();
CREATE INDEX album_file_position ON album_file (tenant_id, af_album, af_position, af_file);
CREATE INDEX album_file_listed ON album_file (tenant_id, af_album, af_file_created, af_file) WHERE NOT af_hidden;
CREATE INDEX album_file_albums ON album_file (tenant_id, af_file, af_album);

-- What a smart album held when it was last looked at, so that what entered and left it can be told.
CREATE TABLE album_snapshot (
  tenant_id uuid NOT NULL,
  as_album uuid NOT NULL,
  as_hash text NOT NULL,
  as_count integer NOT NULL,
  as_complete boolean NOT NULL,
  as_taken timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, as_album),
  FOREIGN KEY (tenant_id, as_album) REFERENCES album ON DELETE CASCADE
);
CALL make_tenant_table('album_snapshot');

CREATE TABLE album_snapshot_file (
  tenant_id uuid NOT NULL,
  asf_album uuid NOT NULL,
  asf_file uuid NOT NULL,
  PRIMARY KEY (tenant_id, asf_album, asf_file),
  FOREIGN KEY (tenant_id, asf_album) REFERENCES album_snapshot ON DELETE CASCADE
);
CALL make_tenant_table('album_snapshot_file');

CREATE TABLE album_change (
  tenant_id uuid NOT NULL,
  ac_id uuid NOT NULL,
  ac_album uuid NOT NULL,
  ac_file uuid NOT NULL,
  ac_change text NOT NULL CHECK (ac_change IN ('entered', 'left')),
  ac_created timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, ac_id),
  FOREIGN KEY (tenant_id, ac_album) REFERENCES album ON DELETE CASCADE
);
CREATE INDEX album_change_album ON album_change (tenant_id, ac_album, ac_created, ac_id);
CALL make_tenant_table('album_change', 'SELECT, INSERT, DELETE');
