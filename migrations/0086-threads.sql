-- Threads: conversations with agents. A thread is its owner's; the list of access and the space give it to others.
CREATE TABLE thread (
  tenant_id uuid NOT NULL REFERENCES workspace,
  -- Chosen by the client: the same id may exist in another workspace, unseen.
  thread_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  thread_title text,
  thread_title_key text NOT NULL GENERATED ALWAYS AS (lower(left(coalesce(thread_title, ''), 64))) STORED,
  thread_type text NOT NULL DEFAULT 'chat' CHECK (thread_type IN ('chat', 'context', 'channel', 'voice', 'workflow')),
  thread_status text NOT NULL DEFAULT 'open' CHECK (thread_status IN ('open', 'archived', 'closed')),
  thread_summary text,
  thread_context text,
  thread_ref jsonb,
  -- `type:id` of the subject, by which a thread is found or created.
  thread_ref_key text,
  thread_agent uuid,
  thread_space uuid,
  thread_user uuid,
  thread_acl jsonb NOT NULL DEFAULT '{}',
  thread_share_mode text NOT NULL DEFAULT 'private' CHECK (thread_share_mode IN ('private', 'space', 'collab')),
  thread_generating_for uuid,
  -- The last message of the branch that is shown and continued.
  thread_leaf uuid,
  thread_memory boolean NOT NULL DEFAULT true,
  thread_prompt uuid,
  -- The run that holds the lock of the thread; no foreign key, for a run refers to its thread.
  thread_run uuid,
  thread_metadata jsonb NOT NULL DEFAULT '{}',
  thread_active boolean NOT NULL DEFAULT true,
  -- When it was deactivated with its messages; these come back with it.
  thread_deleted timestamptz(3),
  thread_created timestamptz(3) NOT NULL DEFAULT now(),
  thread_updated timestamptz(3) NOT NULL DEFAULT now(),
  thread_tsv tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('simple', coalesce(thread_title, ''))) STORED,
  PRIMARY KEY (tenant_id, thread_id),
  FOREIGN KEY (tenant_id, thread_agent) REFERENCES agent,
  FOREIGN KEY (tenant_id, thread_space) REFERENCES space,
  FOREIGN KEY (tenant_id, thread_prompt) REFERENCES prompt,
  CHECK (thread_share_mode = 'private' OR thread_space IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX thread_own_changed ON thread (tenant_id, thread_user, thread_updated DESC, thread_id DESC) WHERE thread_active;
CREATE INDEX thread_own_newest ON thread (tenant_id, thread_user, thread_created DESC, thread_id DESC) WHERE thread_active;
CREATE INDEX thread_own_named ON thread (tenant_id, thread_user, thread_title_key, thread_id) WHERE thread_active;
CREATE INDEX thread_space_changed ON thread (tenant_id, thread_space, thread_updated DESC, thread_id DESC) WHERE thread_active AND thread_share_mode <> 'private';
CREATE INDEX thread_space_newest ON thread (tenant_id, thread_space, thread_created DESC, thread_id DESC) WHERE thread_active AND thread_share_mode <> 'private';
CREATE INDEX thread_space_named ON thread (tenant_id, thread_space, thread_title_key, thread_id) WHERE thread_active AND thread_share_mode <> 'private';
-- Deleted threads: those of their owner, who may bring them back, and those whose time is over.
CREATE INDEX thread_own_deleted ON thread (tenant_id, thread_user, thread_updated DESC, thread_id DESC) WHERE NOT thread_active;
CREATE INDEX thread_deleted_before ON thread (tenant_id, thread_deleted, thread_id) WHERE NOT thread_active;
CREATE INDEX thread_of_space ON thread (tenant_id, thread_space) WHERE thread_space IS NOT NULL;
CREATE UNIQUE INDEX thread_of_subject ON thread (tenant_id, thread_user, thread_agent, thread_ref_key) NULLS NOT DISTINCT
  WHERE thread_active AND thread_ref_key IS NOT NULL AND thread_type = 'context';
CREATE INDEX thread_words ON thread USING gin (tenant_id, thread_tsv) WHERE thread_active;
CALL make_tenant_table('thread');
CALL make_searchable('thread');

-- Active threads with these words in their titles.
CREATE FUNCTION search_threads_text(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT thread_id FROM thread WHERE tenant_id = current_tenant() AND thread_active AND thread_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_threads_text(text)', 'atrium_search');

-- The list of access of a thread by whom it gives access to, written with it: an index finds what is shared with somebody.
CREATE TABLE thread_grant (
  tenant_id uuid NOT NULL,
  grant_kind text NOT NULL CHECK (grant_kind IN ('user', 'role', 'space')),
  grant_to uuid NOT NULL,
  thread_id uuid NOT NULL,
  grant_level text NOT NULL CHECK (grant_level IN ('view', 'edit', 'owner')),
  PRIMARY KEY (tenant_id, grant_kind, grant_to, thread_id),
  FOREIGN KEY (tenant_id, thread_id) REFERENCES thread ON DELETE CASCADE
);
CREATE INDEX thread_grant_of ON thread_grant (tenant_id, thread_id);
CALL make_tenant_table('thread_grant');

-- Messages are a tree: siblings share a parent, a branch is the path from a leaf to the root.
CREATE TABLE message (
  tenant_id uuid NOT NULL,
  msg_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  msg_thread uuid NOT NULL,
  msg_parent uuid,
  msg_role text NOT NULL CHECK (msg_role IN ('user', 'assistant', 'operator')),
  msg_status text NOT NULL DEFAULT 'complete' CHECK (msg_status IN ('complete', 'queued', 'generating', 'waiting', 'stopped', 'failed')),
  msg_parts jsonb NOT NULL DEFAULT '[]',
  msg_text text NOT NULL DEFAULT '',
  msg_citations jsonb NOT NULL DEFAULT '[]',
  msg_user uuid,
  msg_agent uuid,
  msg_model text,
  msg_prompt uuid,
  msg_run uuid,
  msg_usage jsonb,
  msg_finish text CHECK (msg_finish IN ('stop', 'length', 'filter', 'stopped', 'error')),
  msg_error jsonb,
  msg_visibility text NOT NULL DEFAULT 'all' CHECK (msg_visibility IN ('all', 'staff')),
  msg_metadata jsonb NOT NULL DEFAULT '{}',
  msg_active boolean NOT NULL DEFAULT true,
  -- The moment its thread was deactivated, where it went with the thread.
  msg_deleted timestamptz(3),
  msg_created timestamptz(3) NOT NULL DEFAULT now(),
  msg_updated timestamptz(3) NOT NULL DEFAULT now(),
  -- An answer is found once it is whole; a text beyond the first 100,000 characters is not.
  msg_tsv tsvector NOT NULL GENERATED ALWAYS AS (
    CASE WHEN msg_status IN ('queued', 'generating', 'waiting') THEN '' ELSE to_tsvector('simple', left(msg_text, 100000)) END) STORED,
  PRIMARY KEY (tenant_id, msg_id),
  UNIQUE (tenant_id, msg_thread, msg_id),
  FOREIGN KEY (tenant_id, msg_thread) REFERENCES thread,
  FOREIGN KEY (tenant_id, msg_thread, msg_parent) REFERENCES message (tenant_id, msg_thread, msg_id),
  FOREIGN KEY (tenant_id, msg_agent) REFERENCES agent,
  FOREIGN KEY (tenant_id, msg_prompt) REFERENCES prompt
) WITH (fillfactor = 80);
CREATE INDEX message_below ON message (tenant_id, msg_thread, msg_parent, msg_id);
CREATE INDEX message_words ON message USING gin (tenant_id, msg_tsv) WHERE msg_active;
CALL make_tenant_table('message');
CALL make_searchable('message');

-- Active messages with these words.
CREATE FUNCTION search_messages_text(needle text) RETURNS SETOF uuid
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT msg_id FROM message WHERE tenant_id = current_tenant() AND msg_active AND msg_tsv @@ websearch_to_tsquery('simple', needle)
$$;
CALL make_definer('search_messages_text(text)', 'atrium_search');

CREATE TABLE message_file (
  tenant_id uuid NOT NULL,
  msg_id uuid NOT NULL,
  file_id uuid NOT NULL,
  mf_position integer NOT NULL,
  PRIMARY KEY (tenant_id, msg_id, file_id),
  FOREIGN KEY (tenant_id, msg_id) REFERENCES message ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, file_id) REFERENCES file ON DELETE CASCADE
);
CREATE INDEX message_file_of ON message_file (tenant_id, file_id);
CALL make_tenant_table('message_file');

-- Who looks at a thread or types in it at the moment; what was over when the server stopped is no loss.
CREATE UNLOGGED TABLE thread_presence (
  tenant_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  user_id uuid NOT NULL,
  tp_state text NOT NULL CHECK (tp_state IN ('viewing', 'typing')),
  tp_since timestamptz(3) NOT NULL DEFAULT now(),
  tp_until timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, thread_id, user_id)
);
CALL make_tenant_table('thread_presence');
