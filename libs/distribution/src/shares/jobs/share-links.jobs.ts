import { defineJob } from '@atrium/platform/messaging';
import { SECOND } from '@atrium/platform/kernel';
import { IsIn, IsOptional, IsString, IsUUID } from 'class-validator';

export const NOTICES = ['uploaded', 'digest', 'expiring', 'administered'] as const;
export type Notice = (typeof NOTICES)[number];

/** Names a link, the notice about it, and what distinguishes two such mails. */
export class NotifyPayload {
  @IsUUID() share_id!: string;
  @IsIn(NOTICES) what!: Notice;
  @IsString() key!: string;
  @IsOptional() @IsString() detail?: string;
}

/** Notifies the creator of a link by mail: files were received, it expires soon, an administrator changed it. */
export const notify = defineJob('distribution.notify', {
  payload: NotifyPayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  key: ({ share_id, what, key }) => `${share_id}.${what}.${key}`,
});

/** A file of a guest that is not what its link takes. */
export class GuestFilePayload {
  @IsUUID() file_id!: string;
  @IsString() type!: string;
  /** Its bytes are still to be looked at; without it the file was seen not to fit. */
  @IsOptional() @IsString() hash?: string;
}

/** Puts away a file from outside that turned out to be of another kind than its link takes. */
export const guestFile = defineJob('distribution.guest-file', {
  payload: GuestFilePayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  key: ({ file_id }) => file_id,
});
