import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import type { VisibleFields } from '@atrium/forms';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { SyncRow, type RowDifference } from '../domain/sync-row';

const CONTENT = 'obj_content.';

/** A row of a pass as lists show it. */
export type SyncRowView = Omit<SyncRow, 'tenant_id' | 'row_version'> & { readonly diff: readonly RowDifference[] };

/** What became of the rows of runs. */
@Injectable()
export class SyncRowList {
  constructor(private readonly db: Database) {}

  /** Rows of objects that the caller may not read, or that are purged, are left out. */
  async listRows(caller: Principal, job_id: string, query: ListParameters, visible: VisibleFields): Promise<Page<SyncRowView>> {
    const readable = sql`EXISTS (SELECT 1 FROM object o WHERE o.tenant_id = r.tenant_id AND o.obj_id = r.obj_id AND ${aclAllows('o.obj_acl', caller, 'view')})`;
    const page = await listPage<SyncRowView>(this.db.current(), SyncRow, query, {
      where: sql`r.job_id = ${job_id} AND (r.obj_id IS NULL OR ${readable})`,
      select: sql`r.diff`,
    });
    return { ...page, data: page.data.map((row) => shownRow(row, visible)) };
  }
}

/** By the flags that fields have by now, whenever the row was written. */
function shownRow(row: SyncRowView, visible: VisibleFields): SyncRowView {
  const diff = row.diff.flatMap(({ field, from, to }): readonly RowDifference[] => {
    if (!field.startsWith(CONTENT)) return [{ field, from, to }];
    const shown = visible.change(field.slice(CONTENT.length), { from, to });
    return shown ? [{ field: `${CONTENT}${shown.key}`, from: shown.from, to: shown.to }] : [];
  });
  return { ...row, diff, error: row.error === null ? null : visible.sentence(row.error) };
}
