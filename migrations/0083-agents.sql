-- Agents: a model with instructions, sources and tools, which answers in threads.
CREATE TABLE agent (
  tenant_id uuid NOT NULL REFERENCES workspace,
  agent_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  agent_name text NOT NULL,
  agent_name_key text NOT NULL GENERATED ALWAYS AS (lower(left(agent_name, 64))) STORED,
  agent_description text,
  agent_instructions text,
  agent_icon text,
  agent_type text NOT NULL DEFAULT 'chat' CHECK (agent_type IN ('chat', 'context')),
  agent_context_types text[] NOT NULL DEFAULT '{}',
  agent_model text,
  agent_params jsonb NOT NULL DEFAULT '{}',
  agent_knowledge uuid[] NOT NULL DEFAULT '{}',
  agent_folders uuid[] NOT NULL DEFAULT '{}',
  agent_files uuid[] NOT NULL DEFAULT '{}',
  agent_retrieval jsonb NOT NULL DEFAULT '{"mode": "tool", "k": 8, "min_score": 0, "audience": "asker", "require": false}',
  agent_tools jsonb NOT NULL DEFAULT '[]',
  agent_memory boolean NOT NULL DEFAULT true,
  agent_starters text[] NOT NULL DEFAULT '{}',
  agent_greeting text,
  agent_schema jsonb,
  agent_overrides text[] NOT NULL DEFAULT '{}',
  agent_acl jsonb NOT NULL DEFAULT '{}',
  agent_default boolean NOT NULL DEFAULT false,
  agent_managed_by text,
  -- The version that runs and revisions name.
  agent_version integer NOT NULL DEFAULT 1,
  agent_user uuid,
  agent_active boolean NOT NULL DEFAULT true,
  agent_metadata jsonb NOT NULL DEFAULT '{}',
  agent_created timestamptz(3) NOT NULL DEFAULT now(),
  agent_updated timestamptz(3) NOT NULL DEFAULT now(),
  agent_tsv tsvector NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, agent_id)
);
CREATE UNIQUE INDEX agent_name_taken ON agent (tenant_id, lower(agent_name)) WHERE agent_active;
CREATE UNIQUE INDEX agent_only_default ON agent (tenant_id) WHERE agent_default AND agent_active;
CREATE INDEX agent_newest ON agent (tenant_id, agent_active, agent_created, agent_id);
CREATE INDEX agent_changed ON agent (tenant_id, agent_active, agent_updated, agent_id);
CREATE INDEX agent_named ON agent (tenant_id, agent_active, agent_name_key, agent_id);
CREATE INDEX agent_of_model ON agent (tenant_id, agent_model) WHERE agent_model IS NOT NULL AND agent_active;
CALL make_tenant_table('agent');

ALTER TABLE space ADD FOREIGN KEY (tenant_id, space_agent) REFERENCES agent;

-- What an agent was after each change.
CREATE TABLE agent_revision (
  tenant_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  rev_body jsonb NOT NULL,
  rev_user uuid,
  rev_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, agent_id, agent_version),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agent ON DELETE CASCADE
);
CALL make_tenant_table('agent_revision');
