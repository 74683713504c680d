-- How far the look at consents that end by themselves came: everything that ended before was heeded. It stays behind the
-- present, so that what was written late is found as well; without a row nothing was heeded yet.
CREATE TABLE consent_look (
  tenant_id uuid NOT NULL,
  cl_source text NOT NULL,
  cl_at timestamptz(3) NOT NULL,
  -- Whose consent, and which of the files: heeded up to these, in their order.
  cl_id uuid NOT NULL,
  cl_file uuid NOT NULL,
  PRIMARY KEY (tenant_id, cl_source)
);
CALL make_tenant_table('consent_look');

CREATE INDEX person_consent_end ON person (tenant_id, person_consent_until, person_id) WHERE person_consent_until IS NOT NULL;
CREATE INDEX face_of_person_file ON face (tenant_id, face_person, face_file) WHERE face_person IS NOT NULL;

-- Analyses that nobody asked for and that lacked credits: made anew once there are some.
ALTER TABLE file_analysis ADD COLUMN fa_lacks_credits boolean NOT NULL DEFAULT false;
CREATE INDEX file_analysis_waiting ON file_analysis (tenant_id, fa_id) WHERE fa_lacks_credits;

-- Where a provider wants to be told that its photo was acquired, and when it was; what was imported before was told then.
ALTER TABLE stock_import ADD COLUMN si_ping text CHECK (length(si_ping) <= 4000);
ALTER TABLE stock_import ADD COLUMN si_told timestamptz(3);
GRANT UPDATE (si_told) ON stock_import TO atrium_app;
