import { Flag, Json, NestedList, Text } from '@atrium/platform/database';
import { Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { SyncRow } from '../domain/sync-row';
import { SyncRun } from '../domain/sync-run';

export class ListSyncRuns extends ListQuery(SyncRun) {}
export class ListSyncRows extends ListQuery(SyncRow) {}

@Answer()
export class ObjectSyncRunView extends View(SyncRun) {
  @Flag({ about: 'Whether the run has shown no progress for 60 seconds. Another worker continues it automatically.' }) stalled!: boolean;
}
export class ObjectSyncRunPage extends PageOf(ObjectSyncRunView) {}

@Answer()
class RowDifferenceView {
  @Text({ about: 'Field that differs.', example: 'obj_content.price' }) field!: string;
  @Json({
    optional: true,
    isOfAnyType: true,
    about: 'Stored value before the change. Sensitive values are masked unless you may change objects.',
    example: null,
  })
  from!: unknown;
  @Json({ optional: true, isOfAnyType: true, about: 'Value in the source.', example: null }) to!: unknown;
}

@Answer()
class ObjectSyncRowView extends View(SyncRow) {
  @NestedList(() => RowDifferenceView, { about: 'What the row changed, or would have changed.' }) diff!: RowDifferenceView[];
}
export class ObjectSyncRowPage extends PageOf(ObjectSyncRowView) {}
