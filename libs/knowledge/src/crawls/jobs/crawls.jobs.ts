import { defineJob } from '@atrium/platform/messaging';
import { KnowledgeJobPayload } from '../../work/jobs/payload.jobs';

/** Visits the pages of a website. A run that is cut off goes on where its rows say. */
export const crawlSite = defineJob('knowledge.crawl', { payload: KnowledgeJobPayload, attempts: 8, key: ({ job_id }) => job_id });
