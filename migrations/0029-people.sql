-- Faces that were found or marked in files of the library, and the people they belong to.

CREATE TABLE person (
  tenant_id uuid NOT NULL REFERENCES workspace,
  person_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  person_name text,
  -- People without a name come last.
  person_name_key text NOT NULL GENERATED ALWAYS AS (coalesce(lower(left(person_name, 64)), chr(65535))) STORED,
  person_description text,
  person_birth_date text CHECK (person_birth_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  person_hidden boolean NOT NULL DEFAULT false,
  person_cover_face uuid,
  person_consent jsonb NOT NULL DEFAULT '{"status": "unknown"}',
  person_consent_status text NOT NULL GENERATED ALWAYS AS (coalesce(person_consent ->> 'status', 'unknown')) STORED,
  person_consent_until timestamptz(3),
  person_merged_into uuid,
  person_metadata jsonb NOT NULL DEFAULT '{}',
  -- Faces of files that do not lie in the trash; a person has one at most in a file, so there are as many files.
  person_face_count bigint NOT NULL DEFAULT 0,
  person_file_count bigint NOT NULL GENERATED ALWAYS AS (person_face_count) STORED,
  person_created timestamptz(3) NOT NULL DEFAULT now(),
  person_updated timestamptz(3) NOT NULL DEFAULT now(),
  person_created_by uuid,
  PRIMARY KEY (tenant_id, person_id),
  CHECK (person_consent_status IN ('unknown', 'granted', 'refused')),
  FOREIGN KEY (tenant_id, person_merged_into) REFERENCES person ON DELETE CASCADE
);
CREATE INDEX person_sorted ON person (tenant_id, person_name_key, person_id) WHERE person_merged_into IS NULL;
CREATE INDEX person_created ON person (tenant_id, person_created, person_id) WHERE person_merged_into IS NULL;
CREATE INDEX person_updated ON person (tenant_id, person_updated, person_id) WHERE person_merged_into IS NULL;
CREATE INDEX person_faces ON person (tenant_id, person_face_count, person_id) WHERE person_merged_into IS NULL;
CREATE INDEX person_merged ON person (tenant_id, person_merged_into) WHERE person_merged_into IS NOT NULL;
CREATE INDEX person_withheld ON person (tenant_id, person_id) WHERE person_consent_status = 'refused' OR person_consent_until IS NOT NULL;
CREATE INDEX person_names ON person USING gin (tenant_id, (lower(coalesce(person_name, '') || ' ' || coalesce(person_description, ''))) gin_trgm_ops);
CALL make_tenant_table('person');
CALL make_searchable('person');

-- People of the workspace whose name (or, if wished, description) holds the text.
CREATE FUNCTION people_matching(needle text, with_description boolean) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.person_id FROM person p, (SELECT '%' || replace(replace(replace(lower(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%' AS part) n
  WHERE p.tenant_id = current_tenant() AND lower(coalesce(p.person_name, '') || ' ' || coalesce(p.person_description, '')) LIKE n.part
    AND (with_description OR lower(p.person_name) LIKE n.part)
$$;
CALL make_definer('people_matching(text, boolean)', 'atrium_search');

-- What each user thinks of people.
CREATE TABLE person_pref (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  person_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, user_id, person_id),
  FOREIGN KEY (tenant_id, person_id) REFERENCES person ON DELETE CASCADE
);
CREATE INDEX person_pref_person ON person_pref (tenant_id, person_id);
CALL make_tenant_table('person_pref', 'SELECT, INSERT, DELETE');

CREATE TABLE face (
  tenant_id uuid NOT NULL,
  face_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  face_file uuid NOT NULL,
  face_person uuid,
  face_box jsonb NOT NULL,
  face_confidence real NOT NULL DEFAULT 1,
  face_state text NOT NULL DEFAULT 'unassigned' CHECK (face_state IN ('unassigned', 'suggested', 'assigned', 'ignored')),
  face_source text NOT NULL CHECK (face_source IN ('detected', 'manual')),
  -- Who decided; kept apart from whether anybody did, so that a decision outlives whoever made it.
  face_decided_by uuid,
  face_decided boolean NOT NULL DEFAULT false,
  face_embedding real[] CHECK (cardinality(face_embedding) = 512),
  face_model text,
  -- Where the cut-out lies, and whether the people on it were sorted in since it was found.
  face_crop text,
  face_clustered boolean NOT NULL DEFAULT false,
  -- What it looked like must not be known any more.
  face_erased boolean NOT NULL DEFAULT false,
  -- The file lies in the trash.
  face_hidden boolean NOT NULL DEFAULT false,
  face_created timestamptz(3) NOT NULL DEFAULT now(),
  face_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, face_id),
  CHECK ((face_state = 'assigned') = (face_person IS NOT NULL)),
  CHECK (NOT face_erased OR face_embedding IS NULL),
  FOREIGN KEY (tenant_id, face_file) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, face_person) REFERENCES person
);
CREATE UNIQUE INDEX face_person_once ON face (tenant_id, face_file, face_person) WHERE face_state = 'assigned';
CREATE INDEX face_created ON face (tenant_id, face_created, face_id);
CREATE INDEX face_updated ON face (tenant_id, face_updated, face_id);
CREATE INDEX face_of_file ON face (tenant_id, face_file, face_created, face_id);
CREATE INDEX face_of_person ON face (tenant_id, face_person, face_created, face_id) WHERE face_person IS NOT NULL;
CREATE INDEX face_in_state ON face (tenant_id, face_state, face_created, face_id);
CREATE INDEX face_to_cluster ON face (tenant_id, face_id) WHERE NOT face_clustered AND face_embedding IS NOT NULL;
CREATE INDEX face_known ON face (tenant_id, face_id) WHERE face_embedding IS NOT NULL;
CALL make_tenant_table('face');
ALTER TABLE person ADD FOREIGN KEY (tenant_id, person_cover_face) REFERENCES face ON DELETE SET NULL (person_cover_face);
CREATE INDEX person_cover ON person (tenant_id, person_cover_face) WHERE person_cover_face IS NOT NULL;

-- People that a face may belong to, nearest first.
CREATE TABLE face_suggestion (
  tenant_id uuid NOT NULL,
  fsg_face uuid NOT NULL,
  fsg_person uuid NOT NULL,
  fsg_distance real NOT NULL,
  PRIMARY KEY (tenant_id, fsg_face, fsg_person),
  FOREIGN KEY (tenant_id, fsg_face) REFERENCES face ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, fsg_person) REFERENCES person ON DELETE CASCADE
);
CREATE INDEX face_suggestion_person ON face_suggestion (tenant_id, fsg_person, fsg_face);
CALL make_tenant_table('face_suggestion');

-- Who people said a face is not.
CREATE TABLE face_rejection (
  tenant_id uuid NOT NULL,
  fr_face uuid NOT NULL,
  fr_person uuid NOT NULL,
  fr_created timestamptz(3) NOT NULL DEFAULT now(),
  fr_created_by uuid,
  PRIMARY KEY (tenant_id, fr_face, fr_person),
  FOREIGN KEY (tenant_id, fr_face) REFERENCES face ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, fr_person) REFERENCES person ON DELETE CASCADE
);
CREATE INDEX face_rejection_person ON face_rejection (tenant_id, fr_person);
CALL make_tenant_table('face_rejection', 'SELECT, INSERT, DELETE');

-- Digests of faces that were erased, so that none of them is sorted in again.
CREATE TABLE face_erasure (
  tenant_id uuid NOT NULL REFERENCES workspace,
  fe_hash bytea NOT NULL,
  fe_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, fe_hash)
);
CALL make_tenant_table('face_erasure', 'SELECT, INSERT, DELETE');

-- When the faces of a file were last looked for, in which bytes, by which model.
CREATE TABLE face_scan (
  tenant_id uuid NOT NULL,
  fs_file uuid NOT NULL,
  fs_hash text NOT NULL,
  fs_model text NOT NULL,
  fs_faces integer NOT NULL,
  fs_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, fs_file),
  FOREIGN KEY (tenant_id, fs_file) REFERENCES file ON DELETE CASCADE
);
CALL make_tenant_table('face_scan');

-- What merging people did, for as long as it can be undone.
CREATE TABLE person_merge (
  tenant_id uuid NOT NULL,
  pm_id uuid NOT NULL,
  pm_person uuid NOT NULL,
  pm_record jsonb NOT NULL,
  pm_until timestamptz(3) NOT NULL,
  pm_created timestamptz(3) NOT NULL DEFAULT now(),
  pm_created_by uuid,
  PRIMARY KEY (tenant_id, pm_id),
  FOREIGN KEY (tenant_id, pm_person) REFERENCES person ON DELETE CASCADE
);
CREATE INDEX person_merge_person ON person_merge (tenant_id, pm_person, pm_created);
CALL make_tenant_table('person_merge', 'SELECT, INSERT, DELETE');

-- Faces of people are counted in the statement that changes them, in the order of ids.
CREATE FUNCTION count_person_faces(workspace uuid, people uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM person p WHERE p.tenant_id = workspace AND p.person_id = ANY(people) ORDER BY p.person_id FOR NO KEY UPDATE;
  UPDATE person p SET person_face_count = n.faces
    FROM (SELECT u.id, (SELECT count(*) FROM face f WHERE f.tenant_id = workspace AND f.face_person = u.id AND NOT f.face_hidden) AS faces FROM unnest(people) AS u (id)) n
    WHERE p.tenant_id = workspace AND p.person_id = n.id AND p.person_face_count <> n.faces;
END
$$;
CREATE FUNCTION count_faces_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people) FROM (SELECT tenant_id, array_agg(DISTINCT face_person) AS people FROM fresh WHERE face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_faces_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people) FROM (SELECT tenant_id, array_agg(DISTINCT face_person) AS people FROM stale WHERE face_person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_faces_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_person_faces(c.tenant_id, c.people)
    FROM (SELECT x.tenant_id, array_agg(DISTINCT x.person) AS people
          FROM (SELECT o.tenant_id, unnest(ARRAY[o.face_person, n.face_person]) AS person FROM stale o JOIN fresh n USING (tenant_id, face_id)
                WHERE o.face_person IS DISTINCT FROM n.face_person OR o.face_hidden <> n.face_hidden) x WHERE x.person IS NOT NULL GROUP BY 1) c;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_added AFTER INSERT ON face REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_faces_added();
CREATE TRIGGER count_removed AFTER DELETE ON face REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_faces_removed();
CREATE TRIGGER count_changed AFTER UPDATE ON face REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_faces_changed();
-- Rows that go with their workspace are taken away by a function that runs as the definer, and so do the triggers on them.
GRANT SELECT, UPDATE ON person TO atrium_definer;
GRANT SELECT ON face TO atrium_definer;

-- Which files came from which stock photo.
CREATE TABLE stock_import (
  tenant_id uuid NOT NULL,
  si_file uuid NOT NULL,
  si_stock text NOT NULL,
  si_job uuid,
  si_created timestamptz(3) NOT NULL DEFAULT now(),
  si_created_by uuid,
  PRIMARY KEY (tenant_id, si_file),
  FOREIGN KEY (tenant_id, si_file) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX stock_import_photo ON stock_import (tenant_id, si_stock, si_created);
CREATE INDEX stock_import_job ON stock_import (tenant_id, si_job) WHERE si_job IS NOT NULL;
CALL make_tenant_table('stock_import', 'SELECT, INSERT, DELETE');
