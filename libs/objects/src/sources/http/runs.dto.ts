import { Flag, Json, NestedList, Text } from '@atrium/platform/database';
import { Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { SyncRow } from '../domain/sync-row';
import { SyncRun } from '../domain/sync-run';

export class ListSyncRuns extends ListQuery(SyncRun) {}
export class ListSyncRows extends ListQuery(SyncRow) {}

@Answer()
export class ObjectSyncRunView extends View(SyncRun) {
  @Flag({ about: 'It runs, and has shown no sign of life for 60 seconds; another worker goes on with it.' }) stalled!: boolean;
}
export class ObjectSyncRunPage extends PageOf(ObjectSyncRunView) {}

@Answer()
class RowDifferenceView {
  @Text({ about: 'What differs.', example: 'obj_content.price' }) field!: string;
  @Json({
    optional: true,
    isOfAnyType: true,
    about: 'What is stored here, or was; sensitive values are masked for those who may not change objects.',
    example: null,
  })
  from!: unknown;
  @Json({ optional: true, isOfAnyType: true, about: 'What the source says.', example: null }) to!: unknown;
}

@Answer()
class ObjectSyncRowView extends View(SyncRow) {
  @NestedList(() => RowDifferenceView, { about: 'What the row changed, or would have changed.' }) diff!: RowDifferenceView[];
}
export class ObjectSyncRowPage extends PageOf(ObjectSyncRowView) {}
