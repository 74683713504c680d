import { MINUTE } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsISO8601, IsOptional, IsUUID, Matches } from 'class-validator';

export class CopyPayload {
  @IsUUID() pub_id!: string;
  /** Of a publication that is removed altogether. */
  @IsOptional() @Matches(/^[1-9A-HJ-NP-Za-km-z]{16}$/) pub_key?: string;
}

/** Brings the public copies of one publication to what they are to be: the wanted one is made, all others go. */
export const copy = defineJob('distribution.copy', {
  payload: CopyPayload,
  key: ({ pub_id }) => pub_id,
  attempts: 6,
  backoffMs: 500,
  timeoutMs: 120 * MINUTE,
});

export class PolicyPayload {
  @IsOptional() @IsUUID() pub_id?: string;
  /** A changed rule on its way to all publications it applies to. */
  @IsOptional() @IsUUID() es_id?: string;
}

/** Sends edges the latest policy of one publication, or of all that a changed rule applies to. */
export const policy = defineJob('distribution.policy', {
  payload: PolicyPayload,
  key: ({ pub_id, es_id }) => pub_id ?? es_id ?? '',
  attempts: 8,
  backoffMs: 1_000,
});

export class WindowPayload {
  @IsUUID() pub_id!: string;
  @IsISO8601() at!: string;
}

/** Moves one publication along at the moment its window opens or closes. */
export const window = defineJob('distribution.windows', { payload: WindowPayload, key: ({ pub_id, at }) => `${pub_id}:${at}` });

/** What happens elsewhere and changes what is served: found malware, workspaces and licences that come and go. */
export const quarantined = defineSubscriber('distribution.quarantined', { events: ['file.quarantined'] });
export const served = defineSubscriber('distribution.served', { events: ['workspace.*', 'license.*', 'settings.updated'], always: true });
