-- Taxonomies: vocabularies of terms that classify objects and records.
CREATE TABLE taxonomy (
  tenant_id uuid NOT NULL REFERENCES workspace,
  tax_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  tax_name text NOT NULL,
  tax_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(tax_name, 64))) STORED,
  tax_slug text COLLATE "C" NOT NULL,
  tax_description text,
  tax_hierarchical boolean NOT NULL DEFAULT true,
  tax_metadata jsonb NOT NULL DEFAULT '{}',
  tax_managed_by uuid,
  tax_active boolean NOT NULL DEFAULT true,
  -- Terms it has, inactive ones included; changed under the lock of the row together with its terms.
  tax_term_count integer NOT NULL DEFAULT 0,
  tax_created timestamptz(3) NOT NULL DEFAULT now(),
  tax_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, tax_id)
);
CREATE UNIQUE INDEX taxonomy_name_taken ON taxonomy (tenant_id, lower(tax_name)) WHERE tax_active;
CREATE UNIQUE INDEX taxonomy_slug_taken ON taxonomy (tenant_id, tax_slug) WHERE tax_active;
CREATE INDEX taxonomy_newest ON taxonomy (tenant_id, tax_active, tax_created, tax_id);
CREATE INDEX taxonomy_changed ON taxonomy (tenant_id, tax_active, tax_updated, tax_id);
CREATE INDEX taxonomy_named ON taxonomy (tenant_id, tax_active, tax_name_key, tax_id);
CALL make_tenant_table('taxonomy');

-- Terms. The lineage is the ids from the top to the term, 32 digits each: what begins with it is the term and all below it.
CREATE TABLE term (
  tenant_id uuid NOT NULL,
  term_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  term_taxonomy uuid NOT NULL,
  term_parent uuid,
  term_name text NOT NULL,
  term_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(term_name, 64))) STORED,
  term_slug text COLLATE "C" NOT NULL,
  term_description text,
  term_aliases text[] NOT NULL DEFAULT '{}',
  term_color text,
  term_order double precision NOT NULL DEFAULT 0,
  term_metadata jsonb NOT NULL DEFAULT '{}',
  term_active boolean NOT NULL DEFAULT true,
  term_created timestamptz(3) NOT NULL DEFAULT now(),
  term_updated timestamptz(3) NOT NULL DEFAULT now(),
  term_lineage text COLLATE "C" NOT NULL,
  -- Name and aliases in lower case, a line each.
  term_words text NOT NULL,
  PRIMARY KEY (tenant_id, term_id),
  UNIQUE (tenant_id, term_taxonomy, term_id),
  FOREIGN KEY (tenant_id, term_taxonomy) REFERENCES taxonomy,
  FOREIGN KEY (tenant_id, term_taxonomy, term_parent) REFERENCES term (tenant_id, term_taxonomy, term_id),
  CHECK (length(term_lineage) >= 32 AND length(term_lineage) <= 320 AND length(term_lineage) % 32 = 0)
);
CREATE UNIQUE INDEX term_name_taken ON term (tenant_id, term_taxonomy, coalesce(term_parent, '00000000-0000-0000-0000-000000000000'), lower(term_name)) WHERE term_active;
CREATE UNIQUE INDEX term_slug_taken ON term (tenant_id, term_taxonomy, term_slug) WHERE term_active;
CREATE INDEX term_subtree ON term (tenant_id, term_taxonomy, term_lineage);
CREATE INDEX term_ordered ON term (tenant_id, term_taxonomy, term_active, term_order, term_id);
CREATE INDEX term_named ON term (tenant_id, term_taxonomy, term_active, term_name_key, term_id);
CREATE INDEX term_newest ON term (tenant_id, term_taxonomy, term_active, term_created, term_id);
CREATE INDEX term_changed ON term (tenant_id, term_taxonomy, term_active, term_updated, term_id);
CREATE INDEX term_children ON term (tenant_id, term_taxonomy, term_parent, term_active, term_order, term_id);
CALL make_tenant_table('term');
