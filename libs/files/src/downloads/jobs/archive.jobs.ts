import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the download job whose archive is to be packed. */
export class ZipPayload {
  @IsUUID() job_id!: string;
}

/** Packs the archive of a download job; begins again when a worker was lost on the way. */
export const zip = defineJob('files.zip', { payload: ZipPayload, attempts: 5, backoffMs: 2 * SECOND, key: ({ job_id }) => job_id });
