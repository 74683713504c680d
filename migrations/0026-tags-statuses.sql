-- The words a workspace describes its files with, and the states its files go through.

CREATE TABLE media_tag_group (
  tenant_id uuid NOT NULL REFERENCES workspace,
  mtg_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  mtg_scope text NOT NULL DEFAULT 'media' CHECK (mtg_scope IN ('media', 'docs')),
  mtg_name text NOT NULL,
  mtg_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(mtg_name, 64))) STORED,
  mtg_description text,
  mtg_color text,
  mtg_multiple boolean NOT NULL DEFAULT true,
  mtg_closed boolean NOT NULL DEFAULT false,
  mtg_required_for text[] NOT NULL DEFAULT '{}',
  mtg_rules jsonb NOT NULL DEFAULT '[]',
  mtg_position integer NOT NULL DEFAULT 0,
  mtg_active boolean NOT NULL DEFAULT true,
  mtg_tag_count bigint NOT NULL DEFAULT 0,
  mtg_file_count bigint NOT NULL DEFAULT 0,
  mtg_created timestamptz(3) NOT NULL DEFAULT now(),
  mtg_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mtg_id)
);
CREATE UNIQUE INDEX media_tag_group_name ON media_tag_group (tenant_id, mtg_scope, lower(mtg_name));
CREATE INDEX media_tag_group_position ON media_tag_group (tenant_id, mtg_position, mtg_id);
CREATE INDEX media_tag_group_sorted ON media_tag_group (tenant_id, mtg_name_key, mtg_id);
CREATE INDEX media_tag_group_created ON media_tag_group (tenant_id, mtg_created, mtg_id);
CREATE INDEX media_tag_group_updated ON media_tag_group (tenant_id, mtg_updated, mtg_id);
CALL make_tenant_table('media_tag_group');

CREATE TABLE media_tag (
  tenant_id uuid NOT NULL,
  mt_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  mt_group uuid NOT NULL,
  mt_value text NOT NULL,
  mt_value_key text NOT NULL GENERATED ALWAYS AS (lower(left(mt_value, 64))) STORED,
  mt_synonyms text[] NOT NULL DEFAULT '{}',
  mt_parent uuid,
  mt_active boolean NOT NULL DEFAULT true,
  mt_file_count bigint NOT NULL DEFAULT 0,
  mt_created timestamptz(3) NOT NULL DEFAULT now(),
  mt_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mt_id),
  UNIQUE (tenant_id, mt_group, mt_id),
  FOREIGN KEY (tenant_id, mt_group) REFERENCES media_tag_group ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, mt_group, mt_parent) REFERENCES media_tag (tenant_id, mt_group, mt_id) ON DELETE SET NULL (mt_parent)
);
CREATE UNIQUE INDEX media_tag_value ON media_tag (tenant_id, mt_group, lower(mt_value));
CREATE INDEX media_tag_group_sorted_values ON media_tag (tenant_id, mt_group, mt_value_key, mt_id);
CREATE INDEX media_tag_group_newest ON media_tag (tenant_id, mt_group, mt_created, mt_id);
CREATE INDEX media_tag_sorted ON media_tag (tenant_id, mt_value_key, mt_id);
CREATE INDEX media_tag_created ON media_tag (tenant_id, mt_created, mt_id);
CREATE INDEX media_tag_updated ON media_tag (tenant_id, mt_updated, mt_id);
CREATE INDEX media_tag_children ON media_tag (tenant_id, mt_parent, mt_value_key, mt_id) WHERE mt_parent IS NOT NULL;
CALL make_tenant_table('media_tag');

-- Every word that stands for a tag: its value and its synonyms, in small letters, each once in a group.
CREATE TABLE media_tag_word (
  tenant_id uuid NOT NULL,
  mtw_group uuid NOT NULL,
  mtw_word text NOT NULL,
  mtw_tag uuid NOT NULL,
  mtw_synonym boolean NOT NULL,
  CONSTRAINT media_tag_word_once PRIMARY KEY (tenant_id, mtw_group, mtw_word),
  FOREIGN KEY (tenant_id, mtw_group, mtw_tag) REFERENCES media_tag (tenant_id, mt_group, mt_id) ON DELETE CASCADE
);
CREATE INDEX media_tag_word_tag ON media_tag_word (tenant_id, mtw_group, mtw_tag);
CREATE INDEX media_tag_word_parts ON media_tag_word USING gin (tenant_id, mtw_word gin_trgm_ops);
CALL make_tenant_table('media_tag_word');
CALL make_searchable('media_tag_word');

CREATE FUNCTION keep_tag_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM media_tag_word WHERE tenant_id = NEW.tenant_id AND mtw_group = OLD.mt_group AND mtw_tag = NEW.mt_id;
  END IF;
  INSERT INTO media_tag_word (tenant_id, mtw_group, mtw_word, mtw_tag, mtw_synonym)
    SELECT NEW.tenant_id, NEW.mt_group, word, NEW.mt_id, bool_and(synonym)
    FROM (SELECT lower(NEW.mt_value) AS word, false AS synonym UNION ALL SELECT lower(s), true FROM unnest(NEW.mt_synonyms) s) w GROUP BY word;
  RETURN NULL;
END
$$;
CREATE TRIGGER tag_words_of_new AFTER INSERT ON media_tag FOR EACH ROW EXECUTE FUNCTION keep_tag_words();
CREATE TRIGGER tag_words_of_changed AFTER UPDATE ON media_tag FOR EACH ROW
  WHEN (OLD.mt_value <> NEW.mt_value OR OLD.mt_synonyms <> NEW.mt_synonyms) EXECUTE FUNCTION keep_tag_words();

-- Tags of the workspace one of whose words holds the text.
CREATE FUNCTION media_tags_matching(needle text, with_synonyms boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT mtw_tag FROM media_tag_word
  WHERE tenant_id = current_tenant() AND mtw_word LIKE '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' AND (with_synonyms OR NOT mtw_synonym)
$$;
CALL make_definer('media_tags_matching(text, boolean)', 'atrium_search');

-- Which file bears which tag, and who or what says so. Hidden while the file lies in the trash.
CREATE TABLE file_tag (
  tenant_id uuid NOT NULL,
  ft_tag uuid NOT NULL,
  ft_file uuid NOT NULL,
  -- Follows from the tag; may be left out when a row is added.
  ft_group uuid NOT NULL,
  ft_source text NOT NULL DEFAULT 'user' CHECK (ft_source IN ('user', 'rule', 'guest', 'model')),
  ft_confidence real,
  ft_hidden boolean NOT NULL DEFAULT false,
  ft_created timestamptz(3) NOT NULL DEFAULT now(),
  ft_created_by uuid,
  PRIMARY KEY (tenant_id, ft_tag, ft_file),
  FOREIGN KEY (tenant_id, ft_file) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, ft_group, ft_tag) REFERENCES media_tag (tenant_id, mt_group, mt_id) ON DELETE CASCADE
);
CREATE INDEX file_tag_file ON file_tag (tenant_id, ft_file);
CREATE INDEX file_tag_group ON file_tag (tenant_id, ft_group, ft_tag);
CALL make_tenant_table('file_tag');

CREATE FUNCTION group_file_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ft_group := (SELECT t.mt_group FROM media_tag t WHERE t.tenant_id = NEW.tenant_id AND t.mt_id = NEW.ft_tag);
  RETURN NEW;
END
$$;
CREATE TRIGGER group_file_tag BEFORE INSERT ON file_tag FOR EACH ROW WHEN (NEW.ft_group IS NULL) EXECUTE FUNCTION group_file_tag();

-- Tags that people took off a file although a rule or a model had put them there: machines leave it at that.
CREATE TABLE file_tag_refusal (
  tenant_id uuid NOT NULL,
  ftr_file uuid NOT NULL,
  ftr_tag uuid NOT NULL,
  ftr_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, ftr_file, ftr_tag),
  FOREIGN KEY (tenant_id, ftr_file) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, ftr_tag) REFERENCES media_tag ON DELETE CASCADE
);
CREATE INDEX file_tag_refusal_tag ON file_tag_refusal (tenant_id, ftr_tag);
CALL make_tenant_table('file_tag_refusal', 'SELECT, INSERT, DELETE');

-- The words by which the tags of a file are found: values and synonyms.
CREATE FUNCTION tag_words_of(workspace uuid, file uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(string_agg(t.mt_value || ' ' || array_to_string(t.mt_synonyms, ' '), ' ' ORDER BY t.mt_value_key, t.mt_id), '')
  FROM file_tag v JOIN media_tag t ON t.tenant_id = v.tenant_id AND t.mt_id = v.ft_tag WHERE v.tenant_id = workspace AND v.ft_file = file
$$;

-- Counts are kept on tags and groups in the statement that changes rows, in the order of ids, and so are the words by
-- which files are found. Who tags a file holds its row, so that nobody else changes its tags meanwhile.
CREATE FUNCTION count_file_tags(workspace uuid, olds jsonb, news jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM media_tag t WHERE t.tenant_id = workspace
    AND t.mt_id IN (SELECT (o ->> 't')::uuid FROM jsonb_array_elements(olds || news) o) ORDER BY t.mt_id FOR NO KEY UPDATE;
  UPDATE media_tag t SET mt_file_count = mt_file_count + d.delta
    FROM (SELECT tag, sum(n) AS delta FROM (
            SELECT (x ->> 't')::uuid AS tag, 1 AS n FROM jsonb_array_elements(news) x WHERE NOT (x ->> 'h')::boolean
            UNION ALL SELECT (x ->> 't')::uuid, -1 FROM jsonb_array_elements(olds) x WHERE NOT (x ->> 'h')::boolean) y GROUP BY tag) d
    WHERE t.tenant_id = workspace AND t.mt_id = d.tag AND d.delta <> 0;
  PERFORM 1 FROM media_tag_group g WHERE g.tenant_id = workspace
    AND g.mtg_id IN (SELECT (o ->> 'g')::uuid FROM jsonb_array_elements(olds || news) o) ORDER BY g.mtg_id FOR NO KEY UPDATE;
  UPDATE media_tag_group g SET mtg_file_count = mtg_file_count + d.delta
    FROM (SELECT grp, sum(after::integer - before::integer) AS delta FROM (
            SELECT p.grp,
                   EXISTS (SELECT FROM file_tag v WHERE v.tenant_id = workspace AND v.ft_file = p.file AND v.ft_group = p.grp AND NOT v.ft_hidden) AS after,
                   p.was OR EXISTS (SELECT FROM file_tag v WHERE v.tenant_id = workspace AND v.ft_file = p.file AND v.ft_group = p.grp AND NOT v.ft_hidden AND NOT v.ft_tag = ANY(p.fresh)) AS before
            FROM (SELECT (x.o ->> 'f')::uuid AS file, (x.o ->> 'g')::uuid AS grp, bool_or(x.old AND NOT (x.o ->> 'h')::boolean) AS was,
                         coalesce(array_agg((x.o ->> 't')::uuid) FILTER (WHERE NOT x.old), '{}') AS fresh
                  FROM (SELECT o, true AS old FROM jsonb_array_elements(olds) o UNION ALL SELECT n, false FROM jsonb_array_elements(news) n) x GROUP BY 1, 2) p) q GROUP BY grp) d
    WHERE g.tenant_id = workspace AND g.mtg_id = d.grp AND d.delta <> 0;
  UPDATE file_search_text s SET fst_tags = w.words
    FROM (SELECT c.file, tag_words_of(workspace, c.file) AS words FROM (SELECT DISTINCT (x ->> 'f')::uuid AS file FROM jsonb_array_elements(olds || news) x) c) w
    WHERE s.tenant_id = workspace AND s.file_id = w.file AND s.fst_tags <> w.words;
END
$$;
CREATE FUNCTION count_tags_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_file_tags(n.tenant_id, '[]', n.rows) FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM fresh GROUP BY 1) n;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_tags_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_file_tags(n.tenant_id, n.rows, '[]') FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM stale GROUP BY 1) n;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_tags_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_file_tags(o.tenant_id, o.rows, n.rows)
    FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM stale GROUP BY 1) o
    JOIN (SELECT tenant_id, jsonb_agg(jsonb_build_object('t', ft_tag, 'f', ft_file, 'g', ft_group, 'h', ft_hidden)) AS rows FROM fresh GROUP BY 1) n USING (tenant_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER count_added AFTER INSERT ON file_tag REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_tags_added();
CREATE TRIGGER count_removed AFTER DELETE ON file_tag REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_tags_removed();
CREATE TRIGGER count_changed AFTER UPDATE ON file_tag REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_tags_changed();

CREATE FUNCTION count_group_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE media_tag_group SET mtg_tag_count = mtg_tag_count + 1 WHERE tenant_id = NEW.tenant_id AND mtg_id = NEW.mt_group;
  ELSE
    UPDATE media_tag_group SET mtg_tag_count = mtg_tag_count - 1 WHERE tenant_id = OLD.tenant_id AND mtg_id = OLD.mt_group;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_group_tags AFTER INSERT OR DELETE ON media_tag FOR EACH ROW EXECUTE FUNCTION count_group_tags();

-- Rows that go with their workspace are taken away by a function that runs as the definer, and so do the triggers on them.
GRANT SELECT, UPDATE ON media_tag, media_tag_group, file_search_text TO atrium_definer;
GRANT SELECT ON file_tag TO atrium_definer;

-- States of files and the ways between them. At most one active flow a repository type.
CREATE TABLE media_status_flow (
  tenant_id uuid NOT NULL REFERENCES workspace,
  msf_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  msf_name text NOT NULL,
  msf_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(msf_name, 64))) STORED,
  msf_description text,
  msf_scope text[] NOT NULL CHECK (msf_scope <@ ARRAY['media', 'docs', 'design', 'generated'] AND cardinality(msf_scope) > 0),
  msf_active boolean NOT NULL DEFAULT false,
  msf_states jsonb NOT NULL,
  msf_transitions jsonb NOT NULL DEFAULT '[]',
  -- States of before and what they mean now, for files that could not be told at once.
  msf_remap jsonb NOT NULL DEFAULT '{}',
  msf_created timestamptz(3) NOT NULL DEFAULT now(),
  msf_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, msf_id)
);
CREATE UNIQUE INDEX media_status_flow_name ON media_status_flow (tenant_id, lower(msf_name));
CREATE INDEX media_status_flow_sorted ON media_status_flow (tenant_id, msf_name_key, msf_id);
CREATE INDEX media_status_flow_created ON media_status_flow (tenant_id, msf_created, msf_id);
CREATE INDEX media_status_flow_updated ON media_status_flow (tenant_id, msf_updated, msf_id);
CREATE UNIQUE INDEX media_status_flow_media ON media_status_flow (tenant_id) WHERE msf_active AND 'media' = ANY(msf_scope);
CREATE UNIQUE INDEX media_status_flow_docs ON media_status_flow (tenant_id) WHERE msf_active AND 'docs' = ANY(msf_scope);
CREATE UNIQUE INDEX media_status_flow_design ON media_status_flow (tenant_id) WHERE msf_active AND 'design' = ANY(msf_scope);
CREATE UNIQUE INDEX media_status_flow_generated ON media_status_flow (tenant_id) WHERE msf_active AND 'generated' = ANY(msf_scope);

ALTER TABLE workspace NO FORCE ROW LEVEL SECURITY;
INSERT INTO media_status_flow (tenant_id, msf_id, msf_name, msf_description, msf_scope, msf_active, msf_states, msf_transitions)
SELECT w.tenant_id, gen_random_uuid(), 'Standard', 'Files are active, in review, approved or archived, and move freely between these.', '{media}', true, s.states,
       (SELECT jsonb_agg(jsonb_build_object('from', a ->> 'key', 'to', b ->> 'key', 'label', b ->> 'label', 'movers', '{"permissions": [], "roles": [], "users": []}'::jsonb, 'requires_comment', false, 'required_tags', '[]'::jsonb, 'side', '{"notify": []}'::jsonb))
        FROM jsonb_array_elements(s.states) a, jsonb_array_elements(s.states) b WHERE a ->> 'key' <> b ->> 'key')
FROM workspace w, (SELECT '[
  {"key": "active", "label": "Active", "color": "#2f7d4f", "initial": true, "final": false, "locks_edit": false, "allows_download": true, "allows_publish": true, "allows_share": true},
  {"key": "in_review", "label": "In review", "color": "#b7791f", "initial": false, "final": false, "locks_edit": false, "allows_download": true, "allows_publish": true, "allows_share": true},
  {"key": "approved", "label": "Approved", "color": "#2b6cb0", "initial": false, "final": false, "locks_edit": false, "allows_download": true, "allows_publish": true, "allows_share": true},
  {"key": "archived", "label": "Archived", "color": "#718096", "initial": false, "final": true, "locks_edit": false, "allows_download": true, "allows_publish": true, "allows_share": true}]'::jsonb AS states) s;
ALTER TABLE workspace FORCE ROW LEVEL SECURITY;
CALL make_tenant_table('media_status_flow');

-- How often it was told that the rights to a file end: once for each of the days before.
CREATE TABLE file_rights_notice (
  tenant_id uuid NOT NULL,
  frn_file uuid NOT NULL,
  frn_expires timestamptz(3) NOT NULL,
  frn_days integer NOT NULL CHECK (frn_days IN (30, 7, 0)),
  frn_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, frn_file, frn_expires, frn_days),
  FOREIGN KEY (tenant_id, frn_file) REFERENCES file ON DELETE CASCADE
);
CALL make_tenant_table('file_rights_notice', 'SELECT, INSERT, DELETE');
