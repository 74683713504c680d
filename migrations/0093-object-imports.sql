-- Imports of objects while they run: what was asked for, and behind which row the next batch begins. They go with their jobs.
CREATE TABLE object_import (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  imp_order jsonb NOT NULL,
  imp_row integer NOT NULL DEFAULT 0,
  imp_total integer,
  imp_created integer NOT NULL DEFAULT 0,
  imp_updated integer NOT NULL DEFAULT 0,
  imp_unchanged integer NOT NULL DEFAULT 0,
  imp_failed integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, job_id),
  FOREIGN KEY (tenant_id, job_id) REFERENCES background_job ON DELETE CASCADE
);
CALL make_tenant_table('object_import');

-- Why rows were not taken: the first thousand faults of an import.
CREATE TABLE object_import_fault (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  fault_row integer NOT NULL,
  fault_place integer NOT NULL,
  fault_column text NOT NULL,
  fault_message text NOT NULL,
  PRIMARY KEY (tenant_id, job_id, fault_row, fault_place),
  FOREIGN KEY (tenant_id, job_id) REFERENCES object_import ON DELETE CASCADE
);
CALL make_tenant_table('object_import_fault');
