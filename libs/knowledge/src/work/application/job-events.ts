import type { DomainEvent } from '@atrium/platform/kernel';
import type { KnowledgeJob } from '../domain/knowledge-job';

/** However a job ended. */
export const finishedEvent = ({ job_id, job_base, job_kind, status }: KnowledgeJob): DomainEvent => ({
  name: 'knowledge.job_finished',
  subject_id: job_base,
  payload: { job_id, job_kind, status },
});
