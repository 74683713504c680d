import { Choice, Id, Ref, Resource, TenantRow, Text } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';

export const ROW_ACTIONS = ['created', 'updated', 'deactivated', 'held', 'conflict', 'failed'] as const;
export type RowAction = (typeof ROW_ACTIONS)[number];

/** A value that a row changed, or would have changed. */
export interface RowDifference {
  readonly field: string;
  readonly from: JsonValue;
  readonly to: JsonValue;
}

/** What became of one row of a source. */
@Resource({ table: 'object_sync_row', sort: 'row_id' })
export class SyncRow extends TenantRow {
  @Id({ about: 'Id of the entry; in the order in which rows were handled.', filter: undefined, sort: true }) readonly row_id!: string;
  @Text({ optional: true, max: 512, about: 'Id of the row in the source; null if it has none.', example: 'sku-4711', filter: 'equals' })
  readonly external_id!: string | null;
  @Choice(ROW_ACTIONS, {
    about:
      'What was done with the row. `held`: the object would be deactivated but was kept. `conflict`: the row is a duplicate, or conflicts with an object that was edited or locked here.',
    example: 'updated',
    filter: 'equals',
  })
  readonly action!: RowAction;
  @Ref({ optional: true, about: 'The object.' }) readonly obj_id!: string | null;
  @Text({ optional: true, max: 1_000, about: 'Why the row failed, or what the conflict is.' }) readonly error!: string | null;
}

/** An entry before it has an id. */
export interface NewSyncRow {
  readonly external_id: string | null;
  readonly action: RowAction;
  readonly obj_id: string | null;
  readonly error?: string | null;
  readonly diff?: readonly RowDifference[];
}
