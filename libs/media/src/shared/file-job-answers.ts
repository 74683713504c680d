import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { API_PREFIX, Deletes, KeptAs } from '@atrium/platform/http';
import { FileJobView, type FileJobRow } from '@atrium/files';
import type { Response } from 'express';

/** Describes the 202 of an operation that processes many files in the background. */
export const MayStart = (): MethodDecorator =>
  applyDecorators(
    KeptAs(({ job }: { readonly job?: FileJobRow }) => job && { status: 202, body: job, headers: { Location: locationOf(job) } }),
    ApiResponse({
      status: 202,
      type: FileJobView,
      description: 'Accepted; poll the job.',
      headers: { Location: { description: 'Address of the job.', schema: { type: 'string' } } },
    }),
  );

/** 204, or 202 with the job where there is much to do. */
export const DeletesOrStarts = (): MethodDecorator => applyDecorators(Deletes(), MayStart());

/** Answers 202 with the job instead of what the operation usually answers. */
export function acceptedJob(response: Response, job: FileJobRow): FileJobRow {
  response.status(202).setHeader('Location', locationOf(job));
  return job;
}

const locationOf = ({ job_id }: FileJobRow): string => `/${API_PREFIX}/file-jobs/${job_id}`;
