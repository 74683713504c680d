-- Runs: the answering of one message, step by step. Each finished step is committed before the next begins.
CREATE TABLE run (
  tenant_id uuid NOT NULL REFERENCES workspace,
  run_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  run_thread uuid,
  run_message uuid,
  run_user uuid,
  -- The key that asked, if a key did: its scopes bound the run as well.
  run_key uuid,
  run_agent uuid NOT NULL,
  run_agent_version integer NOT NULL,
  run_model text NOT NULL,
  run_status text NOT NULL DEFAULT 'queued' CHECK (run_status IN ('queued', 'running', 'waiting', 'completed', 'failed', 'stopped')),
  -- What was asked for: parameters, sources, tools and the snapshot of what the agent was.
  run_options jsonb NOT NULL DEFAULT '{}',
  -- The question and the answer of a run without a thread.
  run_input jsonb,
  run_output jsonb,
  -- Raised with every claim: the fence behind which a worker that was thought dead can write nothing.
  run_attempt integer NOT NULL DEFAULT 0,
  run_steps integer NOT NULL DEFAULT 0,
  run_tainted text,
  -- What was found for it, numbered once: passages and memories that the answer may cite.
  run_sources jsonb NOT NULL DEFAULT '[]',
  -- Workers that were lost with it.
  run_losses integer NOT NULL DEFAULT 0,
  -- Parts of the message that finished steps made; what comes behind them is of a step that may be lost.
  run_kept_parts integer NOT NULL DEFAULT 0,
  -- Tokens of the step at hand, as far as they are known: lost with the worker.
  run_pending_tokens integer NOT NULL DEFAULT 0,
  run_usage jsonb,
  run_error jsonb,
  run_stop_requested boolean NOT NULL DEFAULT false,
  run_hold text,
  -- The last entry of the stream that is part of the stored message.
  run_checkpoint text,
  run_alive timestamptz(3) NOT NULL DEFAULT now(),
  run_created timestamptz(3) NOT NULL DEFAULT now(),
  run_started timestamptz(3),
  run_finished timestamptz(3),
  PRIMARY KEY (tenant_id, run_id),
  FOREIGN KEY (tenant_id, run_thread) REFERENCES thread ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, run_message) REFERENCES message ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, run_agent) REFERENCES agent
) WITH (fillfactor = 80);
CREATE INDEX run_open ON run (run_alive) WHERE run_status IN ('queued', 'running', 'waiting');
CREATE INDEX run_of_thread ON run (tenant_id, run_thread, run_created, run_id);
CREATE INDEX run_of_message ON run (tenant_id, run_message) WHERE run_message IS NOT NULL;
CREATE INDEX run_of_user ON run (tenant_id, run_user) WHERE run_status = 'running';
CREATE INDEX run_of_agent ON run (tenant_id, run_agent, run_created, run_id);
CALL make_tenant_table('run');

CREATE TABLE run_step (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  step integer NOT NULL,
  attempt integer NOT NULL,
  model text NOT NULL,
  input_tokens integer NOT NULL DEFAULT 0,
  cached_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  reasoning_tokens integer NOT NULL DEFAULT 0,
  estimated boolean NOT NULL DEFAULT false,
  -- What the model said in the step, as later steps are shown it.
  parts jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL CHECK (state IN ('done', 'stopped', 'lost')),
  -- The usage entries that it was charged as.
  charges uuid[] NOT NULL DEFAULT '{}',
  created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, run_id, step, attempt),
  FOREIGN KEY (tenant_id, run_id) REFERENCES run ON DELETE CASCADE
);
CALL make_tenant_table('run_step');

CREATE TABLE run_tool_call (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  call_id text NOT NULL,
  step integer NOT NULL,
  position integer NOT NULL DEFAULT 0,
  tool text NOT NULL,
  input jsonb NOT NULL DEFAULT '{}',
  -- For the model; what the thread is shown of it is part of the message.
  output jsonb,
  shown jsonb,
  error text,
  state text NOT NULL CHECK (state IN ('pending', 'running', 'done', 'error', 'unknown', 'denied')),
  -- For what a pending call waits: the consent of a person or the answer of the client.
  waits_for text CHECK (waits_for IN ('approval', 'client')),
  approved boolean,
  decided_by uuid,
  idempotent boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 1,
  started timestamptz(3),
  finished timestamptz(3),
  PRIMARY KEY (tenant_id, run_id, call_id),
  FOREIGN KEY (tenant_id, run_id) REFERENCES run ON DELETE CASCADE
);
CALL make_tenant_table('run_tool_call');

-- Runs that have come to a standstill: those that waited for a person for longer than a day, and those that gave no sign of life for
-- a quarter of an hour. Their workspaces with them, since nobody asks for them in one.
CREATE FUNCTION ai_overdue_runs(most integer) RETURNS TABLE (tenant_id uuid, run_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.tenant_id, r.run_id FROM run r JOIN workspace w USING (tenant_id)
  WHERE w.ws_status = 'active' AND r.run_status IN ('queued', 'running', 'waiting')
    AND r.run_alive < now() - CASE WHEN r.run_status = 'waiting' THEN interval '24 hours' ELSE interval '15 minutes' END
  ORDER BY r.run_alive LIMIT most
  $$;
CALL make_definer('ai_overdue_runs(integer)');
GRANT SELECT ON run TO atrium_definer;
