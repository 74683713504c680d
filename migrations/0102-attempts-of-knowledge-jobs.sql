-- How often a worker has begun the job: steps of a worker that was taken for lost, and goes on beside the one that followed it, count
-- no more.
ALTER TABLE knowledge_job ADD COLUMN job_attempt integer NOT NULL DEFAULT 0;
