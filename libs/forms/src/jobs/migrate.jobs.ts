import { HOUR } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsInt, IsUUID } from 'class-validator';

export class MigrateFormPayload {
  @IsUUID() form_id!: string;
  @IsInt() revision!: number;
}

const ONE_FORM_AT_A_TIME = {
  payload: MigrateFormPayload,
  attempts: 8,
  backoffMs: 2_000,
  timeoutMs: 6 * HOUR,
  bulk: true,
  key: ({ form_id }: MigrateFormPayload) => form_id,
};

/** Has stored rows follow a change of their form: one form at a time, from where the last run ended. */
export const migrateForm = defineJob('forms.migrate', ONE_FORM_AT_A_TIME);

/** Has rows take a form that is a copy of theirs. A worker of the release before, which would end it at once, does not know it. */
export const adoptForm = defineJob('forms.adopt', ONE_FORM_AT_A_TIME);
