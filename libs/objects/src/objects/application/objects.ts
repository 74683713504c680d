import { Injectable } from '@nestjs/common';
import { FormRows, VisibleFields, type ContentFilter } from '@atrium/forms';
import { licenseRequired, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { notFound, type JsonValue } from '@atrium/platform/kernel';
import { sightOf } from './object-answers';
import { ObjectList, type VersionedObject } from './object-list';

/** Which rows and columns of a schema a table has. */
export interface TableQuery {
  /** Keys of fields; all that may be shown when absent. */
  readonly fields?: readonly string[];
  readonly filter?: ContentFilter;
  readonly sort?: string;
  readonly limit?: number;
}

export interface ObjectTable {
  readonly columns: readonly { readonly key: string; readonly label: string; readonly type: string }[];
  /** A value for each column; null where an object has none. */
  readonly rows: readonly (readonly JsonValue[])[];
}

/** Objects for the contexts above, with the rights of the caller: who may not read objects at their routes gets none here. */
@Injectable()
export class Objects {
  constructor(
    private readonly db: Database,
    private readonly list: ObjectList,
    private readonly forms: FormRows,
  ) {}

  /** An object that is not deleted. */
  async readObject(actor: Principal, obj_id: string): Promise<VersionedObject> {
    assertReader(actor);
    const object = await this.list.getObject(actor, obj_id);
    if (!object.obj_active) throw notFound('object');
    return object;
  }

  /** Objects of a schema as a table: what charts are drawn from. */
  async queryTable(form_id: string, { fields, filter, sort, limit }: TableQuery, actor: Principal): Promise<ObjectTable> {
    assertReader(actor);
    return this.db.read(async () => {
      const form = (await this.forms.openAll('object', [form_id])).get(form_id);
      if (!form) throw notFound('object schema');
      const visible = new VisibleFields(form.compiled, sightOf(actor, false));
      const columns = form.compiled.fields
        .filter((field) => field.type.holds !== 'none' && visible.reveals(field) && (fields?.includes(field.key) ?? true))
        .map(({ key, label, type }) => ({ key, label, type: type.name }));
      const { data } = await this.list.listObjects(actor, {
        obj_form: [form_id],
        ...(filter ? { obj_content: filter } : {}),
        ...(sort === undefined ? {} : { sort }),
        ...(limit === undefined ? {} : { limit }),
      });
      return { columns, rows: data.map(({ obj_content }) => columns.map(({ key }) => obj_content[key] ?? null)) };
    });
  }
}

function assertReader({ permissions, modules }: Principal): void {
  if (!modules.has('module-objects')) throw licenseRequired('module-objects');
  if (!permissions.has('object:view')) throw permissionDenied(['object:view']);
}
