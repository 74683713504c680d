import { Choice, Id, Json, Stamp, Text, Whole } from '@atrium/platform/database';
import { Answer } from '@atrium/platform/http';

@Answer()
export class JobView {
  @Id({ about: 'Id of the job, as its 202 named it.' }) job_id!: string;
  @Text({ about: 'What it does: `<context>.<concern>`.', example: 'identity.user-transfer' }) job_kind!: string;
  @Choice(['queued', 'running', 'completed', 'failed', 'cancelled'], { about: 'Where it stands.' }) status!: string;
  @Whole({ about: 'Items done.' }) done!: number;
  @Whole({ about: 'Items that could not be done.' }) failed!: number;
  @Whole({ optional: true, about: 'Items in all; null until known.' }) total!: number | null;
  @Text({ optional: true, about: 'Why it failed.' }) error!: string | null;
  @Text({
    optional: true,
    about: 'The part outside it waits for, such as `storage`, while that is away; null while it waits for none. It goes on by itself.',
    example: 'storage',
  })
  waits_for!: string | null;
  @Json({ optional: true, about: 'What it answers, once completed.' }) result!: object | null;
  @Stamp({ about: 'When it was asked for.' }) job_created!: string;
  @Stamp({ about: 'When it last moved.' }) job_updated!: string;
}
