-- What a provider sent with a step besides its words (signed thoughts, signatures of calls): it wants it back with the next step of the
-- run. It is opaque to everybody else, is shown to nobody, and is gone when its run is over.
ALTER TABLE run_step
  ADD COLUMN carried jsonb CHECK (octet_length(carried::text) <= 131072);

-- part
-- What the provider itself said of an answer that failed: for those who look after agents and models.
ALTER TABLE run
  ADD COLUMN run_reason text CHECK (char_length(run_reason) <= 1000);
