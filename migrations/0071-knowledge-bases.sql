-- Knowledge bases: what agents and searches find answers in. A base that is deleted stays for 30 days and may come back.
CREATE TABLE knowledge_base (
  tenant_id uuid NOT NULL REFERENCES workspace,
  ds_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  ds_name text NOT NULL,
  ds_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(ds_name, 64))) STORED,
  ds_description text,
  ds_type text NOT NULL CHECK (ds_type IN ('text', 'form')),
  ds_category text,
  ds_subcategory text,
  ds_config jsonb NOT NULL DEFAULT '{}',
  ds_metadata jsonb NOT NULL DEFAULT '{}',
  ds_acl jsonb NOT NULL DEFAULT '{}',
  ds_active boolean NOT NULL DEFAULT true,
  ds_deleted timestamptz(3),
  ds_created timestamptz(3) NOT NULL DEFAULT now(),
  ds_updated timestamptz(3) NOT NULL DEFAULT now(),
  ds_created_by uuid,
  form_id uuid,
  -- Records that are not deleted, kept by the triggers below.
  ds_record_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, ds_id),
  FOREIGN KEY (tenant_id, form_id) REFERENCES form,
  CHECK ((ds_type = 'form') = (form_id IS NOT NULL)),
  CHECK (ds_active = (ds_deleted IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX knowledge_base_name_taken ON knowledge_base (tenant_id, lower(ds_name)) WHERE ds_active;
CREATE INDEX knowledge_base_newest ON knowledge_base (tenant_id, ds_active, ds_created, ds_id);
CREATE INDEX knowledge_base_changed ON knowledge_base (tenant_id, ds_active, ds_updated, ds_id);
CREATE INDEX knowledge_base_named ON knowledge_base (tenant_id, ds_active, ds_name_key, ds_id);
CREATE INDEX knowledge_base_deleted ON knowledge_base (tenant_id, ds_deleted) WHERE NOT ds_active;
CREATE INDEX knowledge_base_form ON knowledge_base (tenant_id, form_id) WHERE form_id IS NOT NULL;
CALL make_tenant_table('knowledge_base');

-- Records of a base: a title and markdown, or content by the form of the base.
CREATE TABLE knowledge_record (
  tenant_id uuid NOT NULL,
  rec_id uuid NOT NULL,
  -- The ETag of the record, and the number of its version.
  row_version integer NOT NULL DEFAULT 1,
  rec_base uuid NOT NULL,
  rec_form uuid,
  rec_name text NOT NULL,
  rec_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(rec_name, 64))) STORED,
  rec_content jsonb NOT NULL,
  rec_url text,
  rec_external_id text,
  rec_tags text[] NOT NULL DEFAULT '{}',
  rec_language text,
  rec_source text NOT NULL DEFAULT 'manual' CHECK (rec_source IN ('manual', 'import', 'crawl', 'api', 'agent')),
  rec_crawl uuid,
  rec_status text NOT NULL DEFAULT 'published' CHECK (rec_status IN ('draft', 'published', 'archived')),
  rec_valid_from timestamptz(3),
  rec_valid_until timestamptz(3),
  rec_metadata jsonb NOT NULL DEFAULT '{}',
  rec_active boolean NOT NULL DEFAULT true,
  rec_created timestamptz(3) NOT NULL DEFAULT now(),
  rec_updated timestamptz(3) NOT NULL DEFAULT now(),
  rec_created_by uuid,
  rec_updated_by uuid,
  -- Digest of everything that a writer says of the record: equal, nothing is written.
  rec_hash text NOT NULL,
  -- Names the text that is indexed: what stands in citations and passages.
  rec_text text NOT NULL,
  rec_tsv tsvector NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, rec_id),
  FOREIGN KEY (tenant_id, rec_base) REFERENCES knowledge_base,
  FOREIGN KEY (tenant_id, rec_form) REFERENCES form
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX knowledge_record_external ON knowledge_record (tenant_id, rec_base, rec_external_id) WHERE rec_external_id IS NOT NULL AND rec_active;
CREATE INDEX knowledge_record_newest ON knowledge_record (tenant_id, rec_base, rec_active, rec_created, rec_id);
CREATE INDEX knowledge_record_changed ON knowledge_record (tenant_id, rec_base, rec_active, rec_updated, rec_id);
CREATE INDEX knowledge_record_named ON knowledge_record (tenant_id, rec_base, rec_active, rec_name_key, rec_id);
CREATE INDEX knowledge_record_of_form ON knowledge_record (tenant_id, rec_form, rec_id) WHERE rec_form IS NOT NULL;
CREATE INDEX knowledge_record_of_crawl ON knowledge_record (tenant_id, rec_crawl, rec_id) WHERE rec_crawl IS NOT NULL;
CREATE INDEX knowledge_record_deleted ON knowledge_record (tenant_id, rec_updated, rec_id) WHERE NOT rec_active;
CREATE INDEX knowledge_record_words ON knowledge_record USING gin (tenant_id, rec_tsv);
CALL make_tenant_table('knowledge_record');
CALL make_searchable('knowledge_record');

CREATE FUNCTION count_knowledge_records() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE knowledge_base b SET ds_record_count = ds_record_count + n.more
      FROM (SELECT tenant_id, rec_base, count(*) FILTER (WHERE rec_active) AS more FROM fresh GROUP BY 1, 2) n
      WHERE b.tenant_id = n.tenant_id AND b.ds_id = n.rec_base AND n.more <> 0;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE knowledge_base b SET ds_record_count = ds_record_count - n.less
      FROM (SELECT tenant_id, rec_base, count(*) FILTER (WHERE rec_active) AS less FROM stale GROUP BY 1, 2) n
      WHERE b.tenant_id = n.tenant_id AND b.ds_id = n.rec_base AND n.less <> 0;
  ELSE
    UPDATE knowledge_base b SET ds_record_count = ds_record_count + n.delta
      FROM (SELECT tenant_id, rec_base, sum(d) AS delta FROM (
              SELECT tenant_id, rec_base, CASE WHEN rec_active THEN 1 ELSE 0 END AS d FROM fresh
              UNION ALL SELECT tenant_id, rec_base, CASE WHEN rec_active THEN -1 ELSE 0 END FROM stale) x GROUP BY 1, 2) n
      WHERE b.tenant_id = n.tenant_id AND b.ds_id = n.rec_base AND n.delta <> 0;
  END IF;
  RETURN NULL;
END
$$;
-- Records that go with their workspace are counted off as well.
GRANT UPDATE ON knowledge_base TO atrium_definer;
CREATE TRIGGER count_inserted AFTER INSERT ON knowledge_record REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_knowledge_records();
CREATE TRIGGER count_deleted AFTER DELETE ON knowledge_record REFERENCING OLD TABLE AS stale FOR EACH STATEMENT EXECUTE FUNCTION count_knowledge_records();
CREATE TRIGGER count_updated AFTER UPDATE ON knowledge_record REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_knowledge_records();

-- What a record was before its last changes, at most 50 of them.
CREATE TABLE knowledge_record_version (
  tenant_id uuid NOT NULL,
  rec_id uuid NOT NULL,
  rv_version integer NOT NULL,
  rv_facts jsonb NOT NULL,
  rv_written timestamptz(3) NOT NULL,
  rv_written_by uuid,
  PRIMARY KEY (tenant_id, rec_id, rv_version),
  FOREIGN KEY (tenant_id, rec_id) REFERENCES knowledge_record ON DELETE CASCADE
);
CALL make_tenant_table('knowledge_record_version');

-- Documents of the library that a base searches besides its own files.
CREATE TABLE ds_file (
  tenant_id uuid NOT NULL,
  ds_id uuid NOT NULL,
  file_id uuid NOT NULL,
  linked_at timestamptz(3) NOT NULL DEFAULT now(),
  linked_by uuid,
  PRIMARY KEY (tenant_id, ds_id, file_id),
  FOREIGN KEY (tenant_id, ds_id) REFERENCES knowledge_base ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX ds_file_of_file ON ds_file (tenant_id, file_id);
CALL make_tenant_table('ds_file');

-- Records of a base with these words.
CREATE FUNCTION search_records(base text, needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT rec_id FROM knowledge_record WHERE tenant_id = current_tenant() AND rec_base = base::uuid AND rec_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_records(text, text)', 'atrium_search');
