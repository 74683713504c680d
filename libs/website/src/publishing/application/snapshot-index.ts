import { Injectable } from '@nestjs/common';
import { FormValues } from '@atrium/forms';
import { CompiledSchemas } from '../../schemas/application/compiled-schemas';
import type { Snapshot } from '../domain/live-page';

/** Filterable fields of what is live, so that delivery filters and sorts pages by their content. */
@Injectable()
export class SnapshotIndex {
  constructor(
    private readonly values: FormValues,
    private readonly schemas: CompiledSchemas,
  ) {}

  async indexSnapshots(snapshots: readonly Snapshot[]): Promise<void> {
    const templates = [...new Set(snapshots.flatMap(({ template }) => template ?? []))];
    for (const [template, form] of await this.schemas.findOpenForms(templates)) {
      const rows = snapshots
        .filter((snapshot) => snapshot.template === template)
        .map(
          ({
            snap_id,
            doc: {
              content: { component: _, _uid: __, ...content },
            },
          }) => ({ owner_id: snap_id, content }),
        );
      await this.values.indexRows(form, rows, { fresh: true });
    }
  }

  removeSnapshots(snap_ids: readonly string[]): Promise<void> {
    return this.values.removeRows(snap_ids);
  }
}
