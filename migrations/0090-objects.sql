-- Objects: rows of the kinds that a workspace defines by its object schemas. A deleted one may be restored until it is purged.
CREATE TABLE object (
  tenant_id uuid NOT NULL REFERENCES workspace,
  obj_id uuid NOT NULL,
  -- The version and the ETag of the object.
  row_version integer NOT NULL DEFAULT 1,
  obj_form uuid NOT NULL,
  obj_name text NOT NULL,
  obj_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(obj_name, 64))) STORED,
  obj_content jsonb NOT NULL DEFAULT '{}',
  -- Set by lifecycle flows alone.
  obj_status text,
  obj_flow uuid,
  obj_status_since timestamptz(3),
  obj_terms uuid[] NOT NULL DEFAULT '{}',
  obj_cover_file uuid,
  obj_acl jsonb NOT NULL DEFAULT '{}',
  obj_metadata jsonb NOT NULL DEFAULT '{}',
  obj_source uuid,
  obj_external_id text,
  obj_external_url text,
  obj_synced timestamptz(3),
  obj_locked_fields text[] NOT NULL DEFAULT '{}',
  -- What the content alone does not show: a unique value that another object has, a row that its source no longer has.
  obj_issues jsonb NOT NULL DEFAULT '[]',
  obj_active boolean NOT NULL DEFAULT true,
  obj_deleted timestamptz(3),
  -- Deactivated by a pass of its source: it comes back with its row. What a person deleted stays deleted.
  obj_dropped boolean NOT NULL DEFAULT false,
  obj_created timestamptz(3) NOT NULL DEFAULT now(),
  obj_updated timestamptz(3) NOT NULL DEFAULT now(),
  obj_created_by uuid,
  obj_updated_by uuid,
  -- Digest of the row that its source delivered last: equal, the row is not read again. Null once the object was changed here.
  obj_hash text,
  -- Names the text that is indexed: what passages and citations show.
  obj_text text NOT NULL,
  obj_tsv tsvector NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, obj_id),
  FOREIGN KEY (tenant_id, obj_form) REFERENCES form,
  FOREIGN KEY (tenant_id, obj_cover_file) REFERENCES file ON DELETE SET NULL (obj_cover_file),
  CHECK (obj_active = (obj_deleted IS NULL)),
  CHECK ((obj_status IS NULL) = (obj_flow IS NULL)),
  CHECK ((obj_status IS NULL) = (obj_status_since IS NULL)),
  CHECK (NOT (obj_active AND obj_dropped))
) WITH (fillfactor = 90);
-- A source finds its rows again whether they are deleted or not; what no source keeps frees its id when it is deleted.
CREATE UNIQUE INDEX object_of_source ON object (tenant_id, obj_source, obj_external_id) WHERE obj_source IS NOT NULL;
CREATE UNIQUE INDEX object_external ON object (tenant_id, obj_form, obj_external_id) WHERE obj_source IS NULL AND obj_external_id IS NOT NULL AND obj_active;
CREATE INDEX object_newest ON object (tenant_id, obj_form, obj_active, obj_created, obj_id);
CREATE INDEX object_changed ON object (tenant_id, obj_form, obj_active, obj_updated, obj_id);
CREATE INDEX object_named ON object (tenant_id, obj_form, obj_active, obj_name_key, obj_id);
CREATE INDEX object_newest_of_all ON object (tenant_id, obj_active, obj_created, obj_id);
CREATE INDEX object_changed_of_all ON object (tenant_id, obj_active, obj_updated, obj_id);
CREATE INDEX object_named_of_all ON object (tenant_id, obj_active, obj_name_key, obj_id);
CREATE INDEX object_of_form ON object (tenant_id, obj_form, obj_id);
CREATE INDEX object_in_state ON object (tenant_id, obj_form, obj_status, obj_active, obj_created, obj_id) WHERE obj_status IS NOT NULL;
CREATE INDEX object_cover ON object (tenant_id, obj_cover_file) WHERE obj_cover_file IS NOT NULL;
CREATE INDEX object_deleted ON object (tenant_id, obj_deleted, obj_id) WHERE NOT obj_active;
CREATE INDEX object_words ON object USING gin (tenant_id, obj_tsv);
CALL make_tenant_table('object');
CALL make_searchable('object');

-- What an object was, and what changed; the newest 200 of each object.
CREATE TABLE object_revision (
  tenant_id uuid NOT NULL,
  rev_object uuid NOT NULL,
  rev_version integer NOT NULL,
  rev_id uuid NOT NULL,
  rev_action text NOT NULL CHECK (rev_action IN ('created', 'updated', 'transitioned', 'synced', 'restored', 'schema_changed')),
  rev_changes jsonb NOT NULL DEFAULT '[]',
  rev_content jsonb NOT NULL,
  rev_created timestamptz(3) NOT NULL,
  rev_created_by uuid,
  PRIMARY KEY (tenant_id, rev_object, rev_version),
  FOREIGN KEY (tenant_id, rev_object) REFERENCES object ON DELETE CASCADE
);
CALL make_tenant_table('object_revision');

-- Objects with these words.
CREATE FUNCTION search_objects(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT obj_id FROM object WHERE tenant_id = current_tenant() AND obj_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_objects(text)', 'atrium_search');
