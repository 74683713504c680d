-- Prompts, the categories they are found by, and the wildcards that ask for what they leave open.
CREATE TABLE prompt_category (
  tenant_id uuid NOT NULL REFERENCES workspace,
  pcat_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  pcat_name text NOT NULL,
  pcat_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(pcat_name, 64))) STORED,
  pcat_description text,
  pcat_parent uuid,
  pcat_order integer NOT NULL DEFAULT 0,
  pcat_active boolean NOT NULL DEFAULT true,
  pcat_created timestamptz(3) NOT NULL DEFAULT now(),
  pcat_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, pcat_id),
  FOREIGN KEY (tenant_id, pcat_parent) REFERENCES prompt_category
);
CREATE UNIQUE INDEX prompt_category_name_taken ON prompt_category (tenant_id, pcat_parent, lower(pcat_name)) NULLS NOT DISTINCT WHERE pcat_active;
CREATE INDEX prompt_category_ordered ON prompt_category (tenant_id, pcat_active, pcat_order, pcat_id);
CREATE INDEX prompt_category_newest ON prompt_category (tenant_id, pcat_active, pcat_created, pcat_id);
CREATE INDEX prompt_category_named ON prompt_category (tenant_id, pcat_active, pcat_name_key, pcat_id);
CREATE INDEX prompt_category_under ON prompt_category (tenant_id, pcat_parent, pcat_id);
CALL make_tenant_table('prompt_category');

CREATE TABLE prompt (
  tenant_id uuid NOT NULL REFERENCES workspace,
  prompt_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  prompt_name text NOT NULL,
  prompt_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(prompt_name, 64))) STORED,
  prompt_description text,
  prompt_text text NOT NULL,
  prompt_agent uuid,
  prompt_model text,
  prompt_params jsonb NOT NULL DEFAULT '{}',
  prompt_knowledge uuid[] NOT NULL DEFAULT '{}',
  -- Names between braces in the text, in order.
  prompt_wildcards text[] NOT NULL DEFAULT '{}',
  prompt_icon text,
  prompt_acl jsonb NOT NULL DEFAULT '{}',
  prompt_user uuid,
  prompt_version integer NOT NULL DEFAULT 1,
  prompt_run_count integer NOT NULL DEFAULT 0,
  prompt_active boolean NOT NULL DEFAULT true,
  prompt_metadata jsonb NOT NULL DEFAULT '{}',
  prompt_created timestamptz(3) NOT NULL DEFAULT now(),
  prompt_updated timestamptz(3) NOT NULL DEFAULT now(),
  prompt_tsv tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', prompt_name || ' ' || coalesce(prompt_description, '') || ' ' || prompt_text)) STORED,
  PRIMARY KEY (tenant_id, prompt_id),
  FOREIGN KEY (tenant_id, prompt_agent) REFERENCES agent
);
CREATE UNIQUE INDEX prompt_name_taken ON prompt (tenant_id, prompt_user, lower(prompt_name)) NULLS NOT DISTINCT WHERE prompt_active;
CREATE INDEX prompt_newest ON prompt (tenant_id, prompt_active, prompt_created, prompt_id);
CREATE INDEX prompt_changed ON prompt (tenant_id, prompt_active, prompt_updated, prompt_id);
CREATE INDEX prompt_named ON prompt (tenant_id, prompt_active, prompt_name_key, prompt_id);
CREATE INDEX prompt_of_agent ON prompt (tenant_id, prompt_agent) WHERE prompt_agent IS NOT NULL;
CREATE INDEX prompt_words ON prompt USING gin (tenant_id, prompt_tsv);
CALL make_tenant_table('prompt');
CALL make_searchable('prompt');

-- Prompts whose name, description or text has these words.
CREATE FUNCTION search_prompts(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT prompt_id FROM prompt WHERE tenant_id = current_tenant() AND prompt_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_prompts(text)', 'atrium_search');

-- Which prompts name a wildcard, by its name in lower case: written with the text, for a list of names has no index under row-level security.
CREATE TABLE prompt_wildcard (
  tenant_id uuid NOT NULL,
  pw_key text NOT NULL,
  prompt_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, pw_key, prompt_id),
  FOREIGN KEY (tenant_id, prompt_id) REFERENCES prompt ON DELETE CASCADE
);
CREATE INDEX prompt_wildcard_of ON prompt_wildcard (tenant_id, prompt_id);
CALL make_tenant_table('prompt_wildcard');

CREATE TABLE prompt_revision (
  tenant_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  prompt_version integer NOT NULL,
  rev_body jsonb NOT NULL,
  rev_user uuid,
  rev_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, prompt_id, prompt_version),
  FOREIGN KEY (tenant_id, prompt_id) REFERENCES prompt ON DELETE CASCADE
);
CALL make_tenant_table('prompt_revision');

CREATE TABLE prompt_category_link (
  tenant_id uuid NOT NULL,
  pcat_id uuid NOT NULL,
  prompt_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, pcat_id, prompt_id),
  FOREIGN KEY (tenant_id, pcat_id) REFERENCES prompt_category ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, prompt_id) REFERENCES prompt ON DELETE CASCADE
);
CREATE INDEX prompt_category_link_of ON prompt_category_link (tenant_id, prompt_id, pcat_id);
CALL make_tenant_table('prompt_category_link');

CREATE TABLE wildcard (
  tenant_id uuid NOT NULL REFERENCES workspace,
  wildcard_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  wildcard_name text NOT NULL,
  wildcard_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(wildcard_name, 64))) STORED,
  wildcard_description text,
  wildcard_control_type text NOT NULL,
  wildcard_control_props jsonb NOT NULL DEFAULT '{}',
  wildcard_metadata jsonb NOT NULL DEFAULT '{}',
  wildcard_managed_by uuid,
  wildcard_active boolean NOT NULL DEFAULT true,
  wildcard_created timestamptz(3) NOT NULL DEFAULT now(),
  wildcard_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, wildcard_id)
);
CREATE UNIQUE INDEX wildcard_name_taken ON wildcard (tenant_id, lower(wildcard_name)) WHERE wildcard_active;
CREATE INDEX wildcard_newest ON wildcard (tenant_id, wildcard_active, wildcard_created, wildcard_id);
CREATE INDEX wildcard_changed ON wildcard (tenant_id, wildcard_active, wildcard_updated, wildcard_id);
CREATE INDEX wildcard_named ON wildcard (tenant_id, wildcard_active, wildcard_name_key, wildcard_id);
CALL make_tenant_table('wildcard');
