import { HOUR } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsInt, IsUUID } from 'class-validator';

export class MigrateFormPayload {
  @IsUUID() form_id!: string;
  @IsInt() revision!: number;
}

/** Has stored rows follow a change of their form: one form at a time, from where the last run ended. */
export const migrateForm = defineJob('forms.migrate', {
  payload: MigrateFormPayload,
  attempts: 8,
  backoffMs: 2_000,
  timeoutMs: 6 * HOUR,
  bulk: true,
  key: ({ form_id }) => form_id,
});
