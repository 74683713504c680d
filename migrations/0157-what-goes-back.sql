-- What a provider sent with a step besides its words (signed thoughts, signatures of calls): it wants it back with the next step of the
-- run. It is opaque to everybody else, is shown to nobody, and is gone when its run is over.
ALTER TABLE run_step
  ADD COLUMN carried jsonb,
  ADD CONSTRAINT run_step_carried_check CHECK (octet_length(carried::text) <= 131072) NOT VALID;

-- part
ALTER TABLE run_step VALIDATE CONSTRAINT run_step_carried_check;

-- part
-- What the provider itself said of an answer that failed: for those who look after agents and models.
ALTER TABLE run
  ADD COLUMN run_reason text,
  ADD CONSTRAINT run_run_reason_check CHECK (char_length(run_reason) <= 1000) NOT VALID;

-- part
ALTER TABLE run VALIDATE CONSTRAINT run_run_reason_check;
