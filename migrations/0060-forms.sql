-- Forms: what rows of a kind (object, record, task) may hold. Rows that the platform or an extension manages are read only.
CREATE TABLE form (
  tenant_id uuid NOT NULL REFERENCES workspace,
  form_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  form_kind text NOT NULL CHECK (form_kind IN ('object', 'record', 'task')),
  form_name text NOT NULL,
  form_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(form_name, 64))) STORED,
  form_description text,
  form_config jsonb NOT NULL DEFAULT '{}',
  form_metadata jsonb NOT NULL DEFAULT '{}',
  form_managed_by uuid,
  form_active boolean NOT NULL DEFAULT true,
  form_revision integer NOT NULL DEFAULT 1,
  form_retired jsonb NOT NULL DEFAULT '{}',
  form_created timestamptz(3) NOT NULL DEFAULT now(),
  form_updated timestamptz(3) NOT NULL DEFAULT now(),
  form_created_by uuid,
  PRIMARY KEY (tenant_id, form_id)
);
CREATE UNIQUE INDEX form_name_taken ON form (tenant_id, form_kind, lower(form_name)) WHERE form_active;
CREATE INDEX form_newest ON form (tenant_id, form_kind, form_active, form_created, form_id);
CREATE INDEX form_changed ON form (tenant_id, form_kind, form_active, form_updated, form_id);
CREATE INDEX form_named ON form (tenant_id, form_kind, form_active, form_name_key, form_id);
CALL make_tenant_table('form');

-- Every configuration that a form has had, and what lay between it and the one before.
CREATE TABLE form_revision_log (
  tenant_id uuid NOT NULL,
  frl_form uuid NOT NULL,
  frl_revision integer NOT NULL,
  frl_config jsonb NOT NULL,
  frl_changes jsonb NOT NULL DEFAULT '[]',
  frl_created timestamptz(3) NOT NULL DEFAULT now(),
  frl_created_by uuid,
  PRIMARY KEY (tenant_id, frl_form, frl_revision),
  FOREIGN KEY (tenant_id, frl_form) REFERENCES form ON DELETE CASCADE
);
CALL make_tenant_table('form_revision_log');

-- Work on stored rows that the last change of a form asked for; until it is done, content is read through its moves.
CREATE TABLE form_migration (
  tenant_id uuid NOT NULL,
  mig_form uuid NOT NULL,
  mig_revision integer NOT NULL,
  mig_status text NOT NULL CHECK (mig_status IN ('queued', 'running', 'done', 'failed')),
  mig_done integer NOT NULL DEFAULT 0,
  mig_total integer NOT NULL DEFAULT 0,
  mig_cursor uuid,
  mig_moves jsonb NOT NULL DEFAULT '[]',
  mig_keys text[] NOT NULL DEFAULT '{}',
  mig_dropped text[] NOT NULL DEFAULT '{}',
  mig_reworded boolean NOT NULL DEFAULT false,
  mig_error text,
  mig_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mig_form),
  FOREIGN KEY (tenant_id, mig_form) REFERENCES form ON DELETE CASCADE
);
CALL make_tenant_table('form_migration');

-- The value index: a row for each value that lists filter or sort by, or that refers to something. Points in time are numbers,
-- in milliseconds. Scalars under b-tree operators stay index-served under row-level security. Each value lies in one index.
-- Nothing is referred to by a key: a check for each value would cost more than the value.
CREATE TABLE form_value (
  tenant_id uuid NOT NULL,
  owner_id uuid NOT NULL,
  field_key text NOT NULL,
  position integer NOT NULL,
  form_id uuid NOT NULL,
  value_text text COLLATE "C",
  value_num double precision,
  value_ref uuid,
  PRIMARY KEY (tenant_id, owner_id, field_key, position)
);
CREATE INDEX form_value_text ON form_value (tenant_id, form_id, field_key, value_text, owner_id) WHERE value_text IS NOT NULL;
CREATE INDEX form_value_num ON form_value (tenant_id, form_id, field_key, value_num, owner_id) WHERE value_num IS NOT NULL;
CREATE INDEX form_value_ref ON form_value (tenant_id, value_ref, form_id, field_key, owner_id) WHERE value_ref IS NOT NULL;
CALL make_tenant_table('form_value');

-- Values that no other row of the form may have.
CREATE TABLE form_unique (
  tenant_id uuid NOT NULL,
  form_id uuid NOT NULL,
  field_key text NOT NULL,
  value_hash bytea NOT NULL,
  owner_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, form_id, field_key, value_hash),
  FOREIGN KEY (tenant_id, form_id) REFERENCES form
);
CREATE INDEX form_unique_owner ON form_unique (tenant_id, owner_id);
CALL make_tenant_table('form_unique');

-- The next number of each automatic number; who takes one holds the row until the end, so that none is left out.
CREATE TABLE form_number (
  tenant_id uuid NOT NULL,
  form_id uuid NOT NULL,
  field_key text NOT NULL,
  num_next bigint NOT NULL,
  PRIMARY KEY (tenant_id, form_id, field_key),
  FOREIGN KEY (tenant_id, form_id) REFERENCES form ON DELETE CASCADE
);
CALL make_tenant_table('form_number');
