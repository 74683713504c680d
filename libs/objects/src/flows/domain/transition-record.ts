import { Choice, Id, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';

export const RECORD_STATUSES = ['done'] as const;

/** A state that an object came into: when, by whom, and by which transition. Never changes. */
@Resource({ table: 'object_transition', sort: '-otr_created' })
export class TransitionRecord extends TenantRow {
  @Id({ about: 'Id of the record.' }) readonly otr_id!: string;
  @Ref({ about: 'Id of the object.' }) readonly otr_object!: string;
  @Ref({ about: 'Id of the lifecycle flow.' }) readonly otr_flow!: string;
  @Text({
    optional: true,
    max: 40,
    about:
      'Key of the transition; null if the object was created, adopted or given another schema, or if its state was removed from the flow.',
    example: 'approve',
  })
  readonly otr_transition!: string | null;
  @Text({ optional: true, max: 40, about: 'Key of the state before; null if the object had none.', example: 'review' }) readonly otr_from!:
    string | null;
  @Text({ max: 40, about: 'Key of the state after.', example: 'approved' }) readonly otr_to!: string;
  @Text({ optional: true, max: 2_000, about: 'Comment of the member who moved the object.' }) readonly otr_comment!: string | null;
  @Ref({ optional: true, about: 'Who moved the object; null for a source.' }) readonly otr_by!: string | null;
  @Stamp({ about: 'When the object was moved.' }) readonly otr_created!: Date;
  @Choice(RECORD_STATUSES, { about: 'Outcome of the move.', example: 'done' }) readonly otr_status!: (typeof RECORD_STATUSES)[number];
}
