import { Choice, Id, Ref, Resource, Stamp, TenantRow } from '@atrium/platform/database';
import { StateMachine, type Clock } from '@atrium/platform/kernel';

export const DUPLICATE_KINDS = ['exact', 'visual'] as const;
export const DUPLICATE_STATES = ['open', 'resolved', 'dismissed'] as const;

export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];
export type DuplicateState = (typeof DUPLICATE_STATES)[number];

const states = new StateMachine<DuplicateState>('duplicate group', { open: ['resolved', 'dismissed'], resolved: ['open'] });

/** Files of the library that are one picture, or the same bytes. What was dismissed never opens again; what was resolved can be undone. */
@Resource({ table: 'duplicate_group', sort: '-dup_created' })
export class DuplicateGroup extends TenantRow {
  @Id({ about: 'Id of the group.' }) readonly dup_id!: string;
  @Choice(DUPLICATE_KINDS, { about: '`exact`: all files have the same bytes. `visual`: pictures that look alike.', filter: 'equals' })
  dup_kind!: DuplicateKind;
  @Choice(DUPLICATE_STATES, { about: 'Status of the group: open until a member resolves or dismisses it.', filter: 'equals' })
  dup_state!: DuplicateState;
  @Stamp({ about: 'When the group was found.', filter: 'range', sort: true }) dup_created!: Date;

  @Stamp({ internal: true, optional: true }) dup_closed!: Date | null;
  @Ref({ internal: true, optional: true }) dup_closed_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<DuplicateGroup, 'dup_id'>, now: Date): DuplicateGroup {
    return Object.assign(new DuplicateGroup(), {
      dup_kind: 'visual' as const,
      dup_state: 'open' as const,
      dup_closed: null,
      dup_closed_by: null,
      dup_created: now,
      ...facts,
    });
  }

  close(as: 'resolved' | 'dismissed', by: string, clock: Clock): void {
    this.dup_state = states.move(this.dup_state, as);
    this.dup_closed = clock.now();
    this.dup_closed_by = by;
  }

  /** As if it had never been resolved. */
  reopen(): void {
    this.dup_state = states.move(this.dup_state, 'open');
    this.dup_closed = null;
    this.dup_closed_by = null;
  }
}
