import { Flag, Id, Ref, Resource, Stamp, TenantRow, Text, Whole, type TextForm } from '@atrium/platform/database';
import { alreadyExists, Problem } from '@atrium/platform/kernel';

export const MOST_SLOTS = 500;
const CLOCK_TIME: TextForm = { pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/, words: 'a time of day such as 09:00' };

/** A weekly time at which posts of a target, or of all targets, may be sent. */
@Resource({ table: 'social_slot', sort: '-sls_created' })
export class SocialSlot extends TenantRow {
  @Id({ about: 'Id of the slot.' }) readonly sls_id!: string;
  @Ref({ optional: true, about: 'Target of the slot. Null: all targets.', filter: 'equals' }) readonly sls_target!: string | null;
  @Whole({ min: 1, max: 7, column: 'integer', about: 'Day of the week: 1 is Monday, 7 is Sunday.', example: 1, filter: 'equals' })
  readonly sls_weekday!: number;
  @Text({ form: CLOCK_TIME, max: 5, about: 'Time of day in the time zone of the slot.', example: '09:00' }) readonly sls_time!: string;
  @Text({
    min: 1,
    max: 64,
    about: 'Time zone of the slot (IANA name). Default: the time zone of the target, else of the workspace.',
    example: 'Europe/Berlin',
  })
  readonly sls_timezone!: string;
  @Flag({ about: 'Whether the slot is used.', filter: 'equals' }) readonly sls_active!: boolean;
  @Stamp({ about: 'When the slot was created.', sort: true }) readonly sls_created!: Date;
}

export const tooManySlots = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_SLOTS} slots. Delete one first.`);

export const slotTaken = (): Problem => alreadyExists('sls_time', 'A slot for this target, day and time already exists.');
