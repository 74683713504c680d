-- How a step ended, and what the model is to correct of it: whoever goes on with a run whose worker was lost decides as that one did.
ALTER TABLE run_step
  ADD COLUMN finish text CHECK (finish IN ('stop', 'length', 'filter')),
  ADD COLUMN correction text;
