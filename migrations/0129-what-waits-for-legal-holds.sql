-- Memories that are gone, until the last copy of them in runs and answers is blanked: a run that was open may write one more, and a
-- legal hold keeps those in held conversations until it ends.
CREATE TABLE memory_forgotten (
  tenant_id uuid NOT NULL,
  mem_id uuid NOT NULL,
  mem_user uuid NOT NULL,
  -- Every wording that is known.
  fg_texts text[] NOT NULL DEFAULT '{}',
  fg_created timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, mem_id),
  FOREIGN KEY (tenant_id) REFERENCES workspace
);
CREATE INDEX memory_forgotten_of_person ON memory_forgotten (tenant_id, mem_user, mem_id);
CALL make_tenant_table('memory_forgotten');

-- Who is meant by an erasure that waits for legal holds: the membership knows the address and the name no more.
CREATE TABLE erasure_subject (
  tenant_id uuid NOT NULL,
  dsr_id uuid NOT NULL,
  es_email text,
  es_name text,
  PRIMARY KEY (tenant_id, dsr_id),
  FOREIGN KEY (tenant_id, dsr_id) REFERENCES privacy_request ON DELETE CASCADE
);
CALL make_tenant_table('erasure_subject');

-- Objects that keep values of another schema follow its changes.
-- part: concurrently
CREATE INDEX CONCURRENTLY IF NOT EXISTS object_shelved ON object (tenant_id, obj_id) WHERE obj_shelf <> '{}'::jsonb;
