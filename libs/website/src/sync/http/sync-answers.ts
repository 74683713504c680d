import { API_PREFIX } from '@atrium/platform/http';
import type { Response } from 'express';
import type { RunAnswer } from '../application/sync.service';

/** 200 with the pages of a run that has finished, else 202 with the address at which it is read. */
export function answerRun(response: Response, { run, pages }: RunAnswer): object {
  response.set('Location', locationOf(run));
  response.status(pages ? 200 : 202);
  return pages ? { ...run, pages } : run;
}

export const locationOf = ({ site_id, job_id }: { readonly site_id: string; readonly job_id: string }): string =>
  `${API_PREFIX}/sites/${site_id}/cms/sync-jobs/${job_id}`;
