-- How documents belong together: the kinds of links a workspace knows, and the links themselves.
CREATE TABLE document_relation_type (
  tenant_id uuid NOT NULL REFERENCES workspace,
  rt_id uuid NOT NULL,
  rt_active boolean NOT NULL DEFAULT true,
  rt_created timestamptz(3) NOT NULL DEFAULT now(),
  rt_updated timestamptz(3) NOT NULL DEFAULT now(),
  rt_name text NOT NULL,
  rt_inverse_name text,
  rt_symmetric boolean NOT NULL DEFAULT false,
  rt_description text,
  row_version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, rt_id),
  CHECK (rt_inverse_name IS NULL OR NOT rt_symmetric)
);
CREATE UNIQUE INDEX document_relation_type_name ON document_relation_type (tenant_id, lower(rt_name));
CREATE INDEX document_relation_type_created ON document_relation_type (tenant_id, rt_created, rt_id);
CALL make_tenant_table('document_relation_type');

CREATE TABLE document_relation (
  tenant_id uuid NOT NULL,
  rel_id uuid NOT NULL,
  rel_type uuid NOT NULL,
  rel_from uuid NOT NULL,
  rel_to uuid NOT NULL,
  -- `from:to`, or `least:greatest` where the type is symmetric.
  rel_key text NOT NULL,
  rel_created timestamptz(3) NOT NULL DEFAULT now(),
  rel_created_by uuid,
  rel_metadata jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, rel_id),
  FOREIGN KEY (tenant_id, rel_type) REFERENCES document_relation_type ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, rel_from) REFERENCES file ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, rel_to) REFERENCES file ON DELETE CASCADE,
  CHECK (rel_from <> rel_to)
);
CREATE UNIQUE INDEX document_relation_key ON document_relation (tenant_id, rel_type, rel_key);
CREATE INDEX document_relation_from ON document_relation (tenant_id, rel_from, rel_created, rel_id);
CREATE INDEX document_relation_to ON document_relation (tenant_id, rel_to, rel_created, rel_id);
CALL make_tenant_table('document_relation');
