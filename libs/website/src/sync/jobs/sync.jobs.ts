import { IsInt, IsUUID, Min } from 'class-validator';
import { DAY } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';

export class SyncPayload {
  @IsUUID() job_id!: string;
  /** Which job of the queue the run belongs to: one that was resumed is no longer that of the lost worker. */
  @IsInt() @Min(0) fence!: number;
}

export class CmsNewsPayload {
  @IsUUID() site_id!: string;
}

const USUAL = { attempts: 8, concurrency: 2, timeoutMs: DAY, key: ({ job_id }: SyncPayload) => job_id } as const;

/** Pulls, pushes, compares, or exchanges schemas. A run that is cut off goes on where its row says. */
export const syncSite = defineJob('website.sync', { payload: SyncPayload, ...USUAL, awaited: true });

/** The same for a run that someone resumed while the queue still waits for its lost worker. */
export const resumeSync = defineJob('website.sync-resume', { payload: SyncPayload, ...USUAL, awaited: true });

/** Compares the pages that events of the CMS have named. */
export const readCmsNews = defineJob('website.cms-news', {
  payload: CmsNewsPayload,
  attempts: 5,
  key: ({ site_id }) => site_id,
});
