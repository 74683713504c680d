import { Choice, Id, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { Clock } from '@atrium/platform/kernel';

export const HOLD_TARGETS = ['user', 'file', 'album', 'thread', 'knowledge_base'] as const;
export type HoldTargetType = (typeof HOLD_TARGETS)[number];

/** Keeps somebody's or something's traces, whatever retention, purge and erasure say, until it is released. It is never deleted. */
@Resource({ table: 'legal_hold', sort: '-lh_created' })
export class LegalHold extends TenantRow {
  @Id({ about: 'Id of the legal hold.', filter: undefined }) readonly lh_id!: string;
  @Text({ min: 1, max: 200, about: 'Name of the hold, such as the name of the matter.', example: 'Harbour v. Quay' }) lh_name!: string;
  @Choice(HOLD_TARGETS, {
    about:
      'Kind of the target. `user`: files the person added or wrote versions of, threads they own or wrote in, records and objects they wrote, and their rows in logs. `file`: with all its versions. `album`: the files in it. `thread`: with its messages and files. `knowledge_base`: with its records and documents.',
    filter: 'equals',
  })
  lh_target_type!: HoldTargetType;
  @Ref({ about: 'Id of the target.', filter: 'equals' }) lh_target_id!: string;
  @Text({ min: 1, max: 2_000, about: 'Reason for the hold.', example: 'Preservation letter of 3 March' }) lh_reason!: string;
  @Stamp({ about: 'When the hold was placed.', filter: 'range', sort: true }) lh_created!: Date;
  @Ref({ optional: true, about: 'User who placed the hold.' }) lh_created_by!: string | null;
  @Stamp({ optional: true, about: 'When the hold was released. Null while it is active.' }) lh_released_at!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<LegalHold, 'lh_id' | 'lh_name' | 'lh_target_type' | 'lh_target_id' | 'lh_reason' | 'lh_created_by'>,
    now: Date,
  ): LegalHold {
    return Object.assign(new LegalHold(), { lh_created: now, lh_released_at: null, ...facts });
  }

  release(clock: Clock): void {
    this.lh_released_at = clock.now();
  }
}
