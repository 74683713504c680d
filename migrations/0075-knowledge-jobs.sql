-- Background work on a base that everybody sees who sees the base: imports, exports and crawls. The queue runs it; the row says
-- how far it is and where it goes on.
CREATE TABLE knowledge_job (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  row_version integer NOT NULL DEFAULT 1,
  job_kind text NOT NULL CHECK (job_kind IN ('import', 'export', 'crawl')),
  job_base uuid NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  total integer,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  removed integer NOT NULL DEFAULT 0,
  held_removes integer NOT NULL DEFAULT 0,
  error text,
  result jsonb,
  job_created timestamptz(3) NOT NULL DEFAULT now(),
  job_started timestamptz(3),
  job_finished timestamptz(3),
  job_created_by uuid,
  -- The key it was asked for with: its rights count for as long as the work lasts.
  job_key uuid,
  -- What was asked for.
  job_order jsonb NOT NULL DEFAULT '{}',
  -- Where the work goes on after a worker was lost.
  job_place jsonb NOT NULL DEFAULT '{}',
  -- The crawl that a crawl job runs.
  job_crawl uuid,
  -- Objects that the work has stored: its report, and what it exported.
  job_report text,
  job_object text,
  PRIMARY KEY (tenant_id, job_id),
  FOREIGN KEY (tenant_id, job_base) REFERENCES knowledge_base ON DELETE CASCADE,
  CHECK ((job_kind = 'crawl') = (job_crawl IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX knowledge_job_newest ON knowledge_job (tenant_id, job_base, job_created, job_id);
CREATE INDEX knowledge_job_finished ON knowledge_job (tenant_id, job_finished, job_id) WHERE job_finished IS NOT NULL;
CREATE INDEX knowledge_job_exported ON knowledge_job (tenant_id, job_finished, job_id) WHERE job_object IS NOT NULL;
-- A crawl runs once at a time.
CREATE UNIQUE INDEX knowledge_job_of_crawl ON knowledge_job (tenant_id, job_crawl) WHERE status IN ('queued', 'running') AND job_crawl IS NOT NULL;
CALL make_tenant_table('knowledge_job');

-- Rows of an import that were not taken, each with its reasons.
CREATE TABLE knowledge_job_fault (
  tenant_id uuid NOT NULL,
  job_id uuid NOT NULL,
  -- The row as it counts in its file, and the place of the fault among those of the row.
  fault_row integer NOT NULL,
  fault_place integer NOT NULL,
  fault_field text NOT NULL,
  fault_code text NOT NULL,
  fault_reason text NOT NULL,
  PRIMARY KEY (tenant_id, job_id, fault_row, fault_place),
  FOREIGN KEY (tenant_id, job_id) REFERENCES knowledge_job ON DELETE CASCADE
);
CALL make_tenant_table('knowledge_job_fault');
