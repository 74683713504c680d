-- 1. When the time of a run is over: it goes on through takeovers, and stands still while the run waits for somebody.
ALTER TABLE run ADD COLUMN run_due timestamptz(3);

-- 2. Of the tokens of the step at hand, those that the model has said: they have a price of their own.
ALTER TABLE run ADD COLUMN run_pending_output integer NOT NULL DEFAULT 0;

-- 3. Whether the input of a call was none that its tool takes. So far that could be read from its error alone.
ALTER TABLE run_tool_call ADD COLUMN invalid boolean NOT NULL DEFAULT false;

-- 4. What the prompt of a message brings to its answers: a later answer is asked for with the same.
ALTER TABLE message ADD COLUMN msg_prompt_terms jsonb;
