import { IsInt, IsUUID } from 'class-validator';
import { defineJob } from '@atrium/platform/messaging';

export class RefreshPayload {
  @IsUUID() con_id!: string;
  @IsInt() version!: number;
}

export class AccountsPayload {
  @IsUUID() con_id!: string;
}

/** Renews the tokens of a connection that its owner need not be asked for. */
export const refreshConnection = defineJob('social.refresh', {
  payload: RefreshPayload,
  attempts: 8,
  key: ({ con_id }) => con_id,
});

/** Reads as whom a connection may post. */
export const readAccounts = defineJob('social.accounts', { payload: AccountsPayload, attempts: 5, key: ({ con_id }) => con_id });
