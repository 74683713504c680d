import { Injectable } from '@nestjs/common';
import { FormRows, MASK, type OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { ObjectRevision } from '../domain/object-revision';
import type { ObjectDifference } from '../domain/stored-object';
import { seesSensitive } from './object-answers';
import { ObjectList } from './object-list';

export type RevisionRow = Omit<ObjectRevision, 'tenant_id' | 'row_version' | 'rev_content'>;

const CONTENT = 'obj_content.';

/** What became of an object, as far as its schema shows it today. */
@Injectable()
export class ObjectRevisions {
  constructor(
    private readonly db: Database,
    private readonly rows: ObjectList,
    private readonly forms: FormRows,
  ) {}

  list(caller: Principal, obj_id: string, query: ListParameters): Promise<Page<RevisionRow>> {
    return this.db.read(async () => {
      const { obj_form } = await this.rows.read(caller, obj_id);
      const form = await this.forms.open('object', obj_form);
      const page = await listPage<RevisionRow>(this.db.current(), ObjectRevision, query, { where: sql`r.rev_object = ${obj_id}` });
      const shown = (row: RevisionRow): RevisionRow => ({
        ...row,
        rev_changes: row.rev_changes.flatMap((change) => shownChange(change, form, seesSensitive(caller)) ?? []),
      });
      return { ...page, data: page.data.map(shown) };
    });
  }
}

/** Values of fields that the schema no longer has, or hides, are left out; sensitive ones are masked. */
function shownChange(change: ObjectDifference, { compiled }: OpenForm, sensitive: boolean): ObjectDifference | null {
  if (!change.field.startsWith(CONTENT)) return change;
  const field = compiled.field(change.field.slice(CONTENT.length));
  if (!field || field.hidden) return null;
  const bears = [field, ...field.fields].some((inner) => inner.sensitive);
  if (!bears || sensitive) return change;
  const masked = (value: ObjectDifference['from']): ObjectDifference['from'] => (value === null ? null : MASK);
  return { field: change.field, from: masked(change.from), to: masked(change.to) };
}
