import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { API_PREFIX, KeptAs, Problems, Returns, type KeptAnswer } from '@atrium/platform/http';
import type { Response } from 'express';
import type { RunView } from '../application/run-views';
import type { RunAnswer } from '../application/sync.service';
import { FinishedRunView } from './runs.dto';

export const SYNC_REFUSALS = ['invalid_state', 'unprocessable_content', 'upstream_failed', 'upstream_timeout'] as const;
/** Beside 202. */
export const RUN_LOCATION = { Location: { description: 'URL of the run.', schema: { type: 'string' as const } } };

/**
 * 200 with what the finished run came to, or 202 with the run. Under an idempotency key the run is kept with the request that
 * starts it, so that a client whose connection broke is led to it.
 */
export const AnswersRun = (schema: Function = FinishedRunView, description = 'The finished run.'): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    Returns(schema, description),
    ApiResponse({ status: 202, type: FinishedRunView, description: 'The run goes on. Poll it at `Location`.', headers: RUN_LOCATION }),
    KeptAs(keepRun),
    Problems(...SYNC_REFUSALS),
  );

/** 200 with the pages of a run that has finished, else 202 with the address at which it is read. */
export function answerRun(response: Response, { run, pages }: RunAnswer): object {
  response.set('Location', locationOf(run));
  response.status(pages ? 200 : 202);
  return pages ? { ...run, pages } : run;
}

/** The answer that names a run which goes on. */
export const keepRun = (run: Partial<RunView>, status = 202): KeptAnswer | undefined =>
  run.job_id === undefined || run.site_id === undefined
    ? undefined
    : { status, body: run, headers: { Location: locationOf({ site_id: run.site_id, job_id: run.job_id }) } };

export const locationOf = ({ site_id, job_id }: { readonly site_id: string; readonly job_id: string }): string =>
  `/${API_PREFIX}/sites/${site_id}/cms/sync-jobs/${job_id}`;
