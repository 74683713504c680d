import { Injectable } from '@nestjs/common';
import { FormValues } from '@atrium/forms';
import type { SiteLibrary } from '../../nodes/application/site-libraries';
import type { Snapshot } from '../domain/live-page';

/** Filterable fields of what is live, so that delivery filters and sorts pages by their content. */
@Injectable()
export class SnapshotIndex {
  constructor(private readonly values: FormValues) {}

  async indexSnapshots(snapshots: readonly Snapshot[], library: SiteLibrary): Promise<void> {
    for (const tpl_id of new Set(snapshots.flatMap(({ template }) => template ?? []))) {
      const schema = library.findTemplate(tpl_id);
      if (!schema) continue;
      const rows = snapshots
        .filter(({ template }) => template === tpl_id)
        .map(
          ({
            snap_id,
            doc: {
              content: { component: _, _uid: __, ...content },
            },
          }) => ({ owner_id: snap_id, content }),
        );
      await this.values.indexRows({ form_id: tpl_id, compiled: schema.form }, rows, { fresh: true });
    }
  }

  removeSnapshots(snap_ids: readonly string[]): Promise<void> {
    return this.values.removeRows(snap_ids);
  }
}
