-- What is asked of files: the fields of an analysis, and where each comes from.
CREATE TABLE media_analysis_schema (
  tenant_id       uuid NOT NULL REFERENCES workspace,
  mas_id          uuid NOT NULL,
  row_version     integer NOT NULL DEFAULT 1,
  mas_name        text NOT NULL CHECK (mas_name ~ '^[a-z][a-z0-9_]{0,39}$'),
  mas_title       text,
  mas_title_key   text NOT NULL GENERATED ALWAYS AS (lower(left(coalesce(mas_title, mas_name), 64))) STORED,
  mas_description text,
  mas_kinds       text[] NOT NULL DEFAULT '{}',
  mas_fields      jsonb NOT NULL,
  mas_prompt      text,
  mas_auto        boolean NOT NULL DEFAULT false,
  mas_version     integer NOT NULL DEFAULT 1,
  mas_active      boolean NOT NULL DEFAULT true,
  mas_created     timestamptz(3) NOT NULL DEFAULT now(),
  mas_updated     timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mas_id),
  UNIQUE (tenant_id, mas_name)
);
CREATE INDEX media_analysis_schema_created ON media_analysis_schema (tenant_id, mas_created, mas_id);
CREATE INDEX media_analysis_schema_updated ON media_analysis_schema (tenant_id, mas_updated, mas_id);
CREATE INDEX media_analysis_schema_title ON media_analysis_schema (tenant_id, mas_title_key, mas_id);
CREATE INDEX media_analysis_schema_auto ON media_analysis_schema (tenant_id) WHERE mas_auto AND mas_active;
CALL make_tenant_table('media_analysis_schema');

-- What was found out about a file. Of those of a file and a schema one is live: it stands for them; a new one takes its
-- place when it is done, and the others are history. A deleted schema leaves its results, so nothing refers to its row.
CREATE TABLE file_analysis (
  tenant_id         uuid NOT NULL REFERENCES workspace,
  fa_id             uuid NOT NULL,
  row_version       integer NOT NULL DEFAULT 1,
  fa_file           uuid NOT NULL,
  fa_version        integer NOT NULL,
  fa_schema         uuid NOT NULL,
  fa_schema_version integer NOT NULL,
  fa_status         text NOT NULL DEFAULT 'queued' CHECK (fa_status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  fa_live           boolean NOT NULL DEFAULT false,
  fa_result         jsonb NOT NULL DEFAULT '{}',
  fa_confidence     jsonb NOT NULL DEFAULT '{}',
  fa_missing        jsonb NOT NULL DEFAULT '[]',
  fa_edited         text[] NOT NULL DEFAULT '{}',
  -- What the machine says of the fields that people corrected.
  fa_machine        jsonb NOT NULL DEFAULT '{}',
  fa_model          text,
  fa_credits        numeric(20, 6) NOT NULL DEFAULT 0,
  fa_error          text,
  -- How many calls of the model were charged, and what the last one answered, for whoever goes on after a worker that died.
  fa_calls          integer NOT NULL DEFAULT 0,
  fa_answer         jsonb,
  fa_hold           uuid,
  fa_job            uuid,
  fa_created        timestamptz(3) NOT NULL DEFAULT now(),
  fa_updated        timestamptz(3) NOT NULL DEFAULT now(),
  fa_created_by     uuid,
  PRIMARY KEY (tenant_id, fa_id),
  FOREIGN KEY (tenant_id, fa_file) REFERENCES file ON DELETE CASCADE
);
CREATE UNIQUE INDEX file_analysis_live ON file_analysis (tenant_id, fa_file, fa_schema) WHERE fa_live;
CREATE UNIQUE INDEX file_analysis_open ON file_analysis (tenant_id, fa_file, fa_schema) WHERE fa_status IN ('queued', 'running');
CREATE INDEX file_analysis_created ON file_analysis (tenant_id, fa_created, fa_id);
CREATE INDEX file_analysis_file ON file_analysis (tenant_id, fa_file, fa_created, fa_id);
CREATE INDEX file_analysis_schema ON file_analysis (tenant_id, fa_schema, fa_created, fa_id);
CREATE INDEX file_analysis_status ON file_analysis (tenant_id, fa_status, fa_created, fa_id);
CREATE INDEX file_analysis_result ON file_analysis USING gin (tenant_id, fa_schema, fa_result jsonb_path_ops) WHERE fa_live;
CREATE INDEX file_analysis_of_schema ON file_analysis (tenant_id, fa_schema, fa_file) WHERE fa_live;
CALL make_tenant_table('file_analysis');
CALL make_searchable('file_analysis');

-- Files of the workspace at hand whose standing result for a schema holds the given values.
CREATE FUNCTION files_analysed_as(p_schema text, p_wanted jsonb) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
  AS $$ SELECT a.fa_file FROM file_analysis a WHERE a.tenant_id = current_tenant() AND a.fa_schema = p_schema::uuid AND a.fa_live AND a.fa_result @> p_wanted $$;
CALL make_definer('files_analysed_as(text, jsonb)', 'atrium_search');
