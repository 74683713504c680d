import { Injectable } from '@nestjs/common';
import { FormRows, Forms, isOpen, MASK, type CompiledForm, type VisibleFields } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { JsonValue } from '@atrium/platform/kernel';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { ObjectRevision } from '../domain/object-revision';
import type { ObjectDifference } from '../domain/stored-object';
import { sightOf } from './object-answers';
import { ObjectList } from './object-list';

export type RevisionRow = Omit<ObjectRevision, 'tenant_id' | 'row_version' | 'rev_content'>;

const NAME = 'obj_name';
const CONTENT = 'obj_content.';

/** What became of an object, as far as its schema shows it today. */
@Injectable()
export class ObjectRevisions {
  constructor(
    private readonly db: Database,
    private readonly rows: ObjectList,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
  ) {}

  list(caller: Principal, obj_id: string, query: ListParameters): Promise<Page<RevisionRow>> {
    return this.db.read(async () => {
      const { obj_form } = await this.rows.read(caller, obj_id);
      const { compiled } = await this.schemas.open('object', obj_form);
      const visible = this.forms.visible(compiled, sightOf(caller, false));
      const page = await listPage<RevisionRow>(this.db.current(), ObjectRevision, query, { where: sql`r.rev_object = ${obj_id}` });
      const shown = (row: RevisionRow): RevisionRow => ({
        ...row,
        rev_changes: shownChanges(row.rev_changes, compiled, visible),
      });
      return { ...page, data: page.data.map(shown) };
    });
  }
}

/** Values of fields that the schema no longer has, or hides, are left out; sensitive ones are masked, also where a name repeats them. */
function shownChanges(changes: readonly ObjectDifference[], form: CompiledForm, visible: VisibleFields): readonly ObjectDifference[] {
  const closed = closedTexts(changes, form, visible);
  return changes.flatMap((change): readonly ObjectDifference[] => {
    if (change.field === NAME)
      return [{ ...change, from: closed.has(change.from) ? MASK : change.from, to: closed.has(change.to) ? MASK : change.to }];
    if (!change.field.startsWith(CONTENT)) return [change];
    const shown = visible.change(change.field.slice(CONTENT.length), { from: change.from, to: change.to });
    return shown ? [{ field: `${CONTENT}${shown.key}`, from: shown.from, to: shown.to }] : [];
  });
}

/** Values of the change that the reader does not see: a title field that was closed later gave the name of its time. */
function closedTexts(changes: readonly ObjectDifference[], form: CompiledForm, visible: VisibleFields): ReadonlySet<JsonValue> {
  const closed = changes.filter(({ field }) => {
    const found = field.startsWith(CONTENT) ? form.field(field.slice(CONTENT.length)) : undefined;
    return field.startsWith(CONTENT) && (!found || (!isOpen(found) && !visible.reveals(found)));
  });
  return new Set(closed.flatMap(({ from, to }) => [from, to]).filter((value) => value !== null));
}
