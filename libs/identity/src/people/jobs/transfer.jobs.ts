import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** From whom to whom content goes. */
export class TransferPayload {
  @IsUUID() from!: string;
  @IsUUID() to!: string;
}

/** Hands the content of one member to another, context by context. Begun again it goes on with what is left. */
export const userTransfer = defineJob('identity.user-transfer', { payload: TransferPayload, attempts: 5, seenWith: ['admin:users'] });
