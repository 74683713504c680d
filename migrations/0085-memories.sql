-- Memories: short facts about one person, which only that person sees and agents are told in that person's threads.
CREATE TABLE memory (
  tenant_id uuid NOT NULL REFERENCES workspace,
  mem_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  mem_user uuid NOT NULL,
  mem_value text NOT NULL CHECK (length(mem_value) BETWEEN 1 AND 1000),
  mem_type text NOT NULL DEFAULT 'fact' CHECK (mem_type IN ('fact', 'preference', 'context')),
  mem_source text NOT NULL DEFAULT 'user' CHECK (mem_source IN ('user', 'assistant', 'import')),
  mem_thread uuid,
  -- Digest of the text without case, width and spaces: the same text is remembered once.
  mem_hash text NOT NULL,
  mem_active boolean NOT NULL DEFAULT true,
  mem_metadata jsonb NOT NULL DEFAULT '{}',
  mem_created timestamptz(3) NOT NULL DEFAULT now(),
  mem_updated timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mem_id)
);
CREATE UNIQUE INDEX memory_once ON memory (tenant_id, mem_user, mem_hash);
CREATE INDEX memory_changed ON memory (tenant_id, mem_user, mem_active, mem_updated, mem_id);
CREATE INDEX memory_newest ON memory (tenant_id, mem_user, mem_active, mem_created, mem_id);
CREATE INDEX memory_typed ON memory (tenant_id, mem_user, mem_active, mem_type, mem_id);
CALL make_tenant_table('memory');
