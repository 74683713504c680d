import { Choice, Id, Json, Stamp, Text, Whole } from '@atrium/platform/database';
import { Answer } from '@atrium/platform/http';

@Answer()
export class JobView {
  @Id({ about: 'Id of the job, as its 202 named it.' }) job_id!: string;
  @Text({ about: 'Type of the job: `<context>.<concern>`.', example: 'identity.user-transfer' }) job_kind!: string;
  @Choice(['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'], {
    about:
      'Current status: `completed` where nothing failed, `partial` where some items failed, `failed` where nothing was done or the job gave up.',
  })
  status!: string;
  @Whole({ about: 'Items done.' }) done!: number;
  @Whole({ about: 'Items that could not be done.' }) failed!: number;
  @Whole({ optional: true, about: 'Items in all; null until known.' }) total!: number | null;
  @Text({ optional: true, about: 'Why it failed.' }) error!: string | null;
  @Text({
    optional: true,
    about:
      'External service that the job waits for, such as `storage`, while it is unavailable; otherwise null. The job continues by itself.',
    example: 'storage',
  })
  waits_for!: string | null;
  @Json({ optional: true, about: 'Result of the job, once completed.' }) result!: object | null;
  @Stamp({ about: 'When it was requested.' }) job_created!: string;
  @Stamp({ about: 'When it last moved.' }) job_updated!: string;
}
