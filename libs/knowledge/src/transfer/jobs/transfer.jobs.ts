import { defineJob } from '@atrium/platform/messaging';
import { KnowledgeJobPayload } from '../../work/jobs/payload.jobs';

/** Writes the rows of a table into a base. */
export const importRecords = defineJob('knowledge.import', {
  payload: KnowledgeJobPayload,
  attempts: 8,
  bulk: true,
  key: ({ job_id }) => job_id,
});

/** Writes the records of a base into a file. */
export const exportRecords = defineJob('knowledge.export', { payload: KnowledgeJobPayload, attempts: 8, key: ({ job_id }) => job_id });
