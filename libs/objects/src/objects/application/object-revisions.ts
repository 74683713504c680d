import { Injectable } from '@nestjs/common';
import { FormRows, Forms } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { ObjectRevision } from '../domain/object-revision';
import { ObjectRevisionRows } from '../infrastructure/object-revisions.rows';
import { SchemaTimes, shownChanges, type SeenBy } from './shown-changes';
import { sightOf } from './object-answers';
import { ObjectList } from './object-list';

export type RevisionRow = Omit<ObjectRevision, 'tenant_id' | 'row_version' | 'rev_content'>;

/** What became of an object, as far as its schema and the one of that time show it today. */
@Injectable()
export class ObjectRevisions {
  constructor(
    private readonly db: Database,
    private readonly rows: ObjectList,
    private readonly revisions: ObjectRevisionRows,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
  ) {}

  listRevisions(caller: Principal, obj_id: string, query: ListParameters): Promise<Page<RevisionRow>> {
    return this.db.read(async () => {
      const { obj_form } = await this.rows.readObject(caller, obj_id);
      const page = await listPage<RevisionRow>(this.db.current(), ObjectRevision, query, { where: sql`r.rev_object = ${obj_id}` });
      const times = new SchemaTimes(obj_form, await this.revisions.findSchemaMoves(obj_id));
      const forms = await this.schemas.openAll('object', times.forms);
      const sight = sightOf(caller, false);
      const visible = new Map([...forms].map(([id, { compiled }]) => [id, this.forms.visibleFields(compiled, sight)]));
      const shown = (row: RevisionRow): RevisionRow => {
        const seenBy = (form_id: string): SeenBy => ({ now: visible.get(obj_form), then: visible.get(form_id) });
        const [before, after] = [seenBy(times.before(row.rev_version)), seenBy(times.after(row.rev_version))];
        return { ...row, rev_changes: shownChanges(row.rev_changes, { before, after }) };
      };
      return { ...page, data: page.data.map(shown) };
    });
  }
}
