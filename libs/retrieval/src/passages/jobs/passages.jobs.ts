import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsArray, IsBoolean, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';

/** Names a source. */
export class SourcePayload {
  @IsString() kind!: string;
  @IsUUID() id!: string;
  /** Cuts it as if it had never been cut before. */
  @IsOptional() @IsBoolean() afresh?: boolean;
}

const ofSource = ({ kind, id }: SourcePayload): string => `${kind}:${id}`;

/** Brings the passages of a source up to its text; one such job a source at a time. */
export const indexSource = defineJob('retrieval.index', {
  payload: SourcePayload,
  attempts: 6,
  backoffMs: 5 * SECOND,
  timeoutMs: 60 * MINUTE,
  key: ofSource,
});

/** Removes the passages of a source that nothing can reach any more. */
export const purgeSource = defineJob('retrieval.purge', { payload: SourcePayload, attempts: 6, backoffMs: 5 * SECOND, key: ofSource });

/** Why what waits is looked at. */
export class WaitingSourcesPayload {
  @IsIn(['credits']) because!: 'credits';
}

/** Indexes what lacked credits, once there are some; one look at a time. */
export const indexWaiting = defineJob('retrieval.waiting', {
  payload: WaitingSourcesPayload,
  bulk: true,
  attempts: 5,
  backoffMs: 5 * SECOND,
  key: () => 'all',
});

/** Credits were given: what waits for them goes on. */
export const sourceCreditNews = defineSubscriber('retrieval.credit-news', {
  events: ['credits.granted'],
  attempts: 5,
  backoffMs: 2 * SECOND,
});

export const REINDEXED = ['failed', 'stale', 'all'] as const;

export type Reindexed = (typeof REINDEXED)[number];

/** Which sources are indexed again. */
export class ReindexPayload {
  @IsIn(REINDEXED) only!: Reindexed;
  @IsOptional() @IsString() scope?: string | null;
  @IsOptional() @IsArray() @IsUUID('all', { each: true }) source_ids?: string[] | null;
}

/** Has sources indexed again; its progress is shown to the member who asked for it. */
export const reindexSources = defineJob('retrieval.reindex', {
  payload: ReindexPayload,
  seenWith: ['admin:settings'],
  bulk: true,
  attempts: 5,
  timeoutMs: 60 * MINUTE,
});
