import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { MAIL_TEMPLATES, type MailTemplate } from '../domain/mailer';

/** Names the mail; address, links and all other content are sealed in `sealed`. */
export class MailPayload {
  @IsIn(MAIL_TEMPLATES) template!: MailTemplate;
  /** The member it is for, where it is for one. */
  @IsOptional() @IsUUID() to_ref!: string | null;
  @IsString() @MaxLength(200) token_id!: string;
  @IsString() @MaxLength(35) locale!: string;
  @IsString() @MaxLength(20_000) sealed!: string;
}

/** Sends one mail; a server that is busy or away is tried again, after half a minute, then after twice as long each time. */
export const mail = defineJob('identity.mail', {
  payload: MailPayload,
  attempts: 5,
  backoffMs: 30 * SECOND,
  timeoutMs: 120 * SECOND,
  key: ({ token_id }) => token_id,
});
