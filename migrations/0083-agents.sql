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
  agent_tsv tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', agent_name || ' ' || coalesce(agent_description, ''))) STORED,
  PRIMARY KEY (tenant_id, agent_id)
);
CREATE UNIQUE INDEX agent_name_taken ON agent (tenant_id, lower(agent_name)) WHERE agent_active;
CREATE UNIQUE INDEX agent_only_default ON agent (tenant_id) WHERE agent_default AND agent_active;
CREATE INDEX agent_newest ON agent (tenant_id, agent_active, agent_created, agent_id);
CREATE INDEX agent_changed ON agent (tenant_id, agent_active, agent_updated, agent_id);
CREATE INDEX agent_named ON agent (tenant_id, agent_active, agent_name_key, agent_id);
CREATE INDEX agent_of_model ON agent (tenant_id, agent_model) WHERE agent_model IS NOT NULL AND agent_active;
CREATE INDEX agent_words ON agent USING gin (tenant_id, agent_tsv);
CALL make_tenant_table('agent');
CALL make_searchable('agent');

-- Agents whose name or description has these words.
CREATE FUNCTION search_agents(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT agent_id FROM agent WHERE tenant_id = current_tenant() AND agent_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_agents(text)', 'atrium_search');

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

-- The agent that every workspace begins with, for the workspaces there are; new ones get it when they are made.
ALTER TABLE agent NO FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_revision NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workspace NO FORCE ROW LEVEL SECURITY;
WITH standard AS (
  INSERT INTO agent (tenant_id, agent_id, agent_name, agent_description, agent_instructions, agent_icon, agent_tools, agent_starters, agent_greeting, agent_overrides, agent_default)
  SELECT w.tenant_id, gen_random_uuid(), s.agent_name, s.agent_description, s.agent_instructions, s.agent_icon, s.agent_tools,
         ARRAY(SELECT jsonb_array_elements_text(s.agent_starters)), s.agent_greeting, ARRAY(SELECT jsonb_array_elements_text(s.agent_overrides)), true
  FROM workspace w CROSS JOIN jsonb_to_record($standard${"agent_name": "Assistant", "agent_description": "Answers questions from the documents and knowledge bases of the workspace.", "agent_instructions": "You are the assistant of {{workspace_name}}. Answer in the language of the question, briefly and to the point. Rest on the sources that you are given and cite them; say so when they hold no answer. Today is {{date}}.", "agent_icon": "💬", "agent_tools": [{"tool": "search_knowledge", "approval": "never"}, {"tool": "read_document", "approval": "never"}, {"tool": "find_files", "approval": "never"}, {"tool": "calculate", "approval": "never"}, {"tool": "current_time", "approval": "never"}, {"tool": "remember", "approval": "tainted"}, {"tool": "forget", "approval": "tainted"}], "agent_starters": ["What do our documents say about …?", "Summarize what we know about …", "Which files mention …?"], "agent_greeting": "Ask me about anything in the documents and knowledge bases of this workspace.", "agent_overrides": ["model", "params", "knowledge"]}$standard$::jsonb) AS s (agent_name text, agent_description text, agent_instructions text, agent_icon text, agent_tools jsonb, agent_starters jsonb, agent_greeting text, agent_overrides jsonb)
  RETURNING *)
INSERT INTO agent_revision (tenant_id, agent_id, agent_version, rev_body)
SELECT tenant_id, agent_id, agent_version, to_jsonb(s) - ARRAY['tenant_id', 'agent_id', 'row_version', 'agent_name_key', 'agent_version', 'agent_user', 'agent_managed_by', 'agent_created', 'agent_updated', 'agent_tsv'] FROM standard s;
ALTER TABLE agent FORCE ROW LEVEL SECURITY;
ALTER TABLE agent_revision FORCE ROW LEVEL SECURITY;
ALTER TABLE workspace FORCE ROW LEVEL SECURITY;
