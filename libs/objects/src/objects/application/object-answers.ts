import { Injectable } from '@nestjs/common';
import { FileSummaries, type FilePreview } from '@atrium/files';
import { FormRows, Forms, type OpenForm, type Sight } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { ObjectIssue } from '../domain/workspace-object';
import type { ObjectRow, SelectedObject } from '../infrastructure/object-reading.rows';
import { ObjectReferences } from './object-references';
import { ObjectStates, type ObjectState } from './object-states';

/** An object as clients see it. */
export interface ShownObject extends ObjectRow {
  readonly obj_version: number;
  readonly obj_issues: readonly ObjectIssue[];
  readonly form_name: string;
  readonly state: Pick<ObjectState, 'key' | 'name' | 'color'> | null;
  readonly cover: FilePreview | null;
}

/** Which part of content is shown. */
export interface Showing {
  readonly hidden?: boolean;
  /** These fields alone. */
  readonly only?: ReadonlySet<string>;
}

/** Completes rows for clients: content by the schema of today, names, states and covers. A constant number of statements a page. */
@Injectable()
export class ObjectAnswers {
  constructor(
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly references: ObjectReferences,
    private readonly states: ObjectStates,
    private readonly summaries: FileSummaries,
  ) {}

  async completeRows<R extends SelectedObject>(
    caller: Principal,
    rows: readonly R[],
    showing: Showing = {},
  ): Promise<(Omit<R, 'obj_stored_issues'> & ShownObject)[]> {
    if (rows.length === 0) return [];
    const forms = await this.rows.openAll('object', [...new Set(rows.map(({ obj_form }) => obj_form))]);
    const shown = rows.map((row) => ({
      row,
      form: forms.get(row.obj_form),
      ...this.projected(caller, row, forms.get(row.obj_form), showing),
    }));
    const contents = await this.references.dropDeleted(
      shown.flatMap(({ form, content }) => (form ? [{ form: form.compiled, content }] : [])),
    );
    const states = await this.states.describeStates(rows);
    const covers = await this.summaries.findSummaries(rows.flatMap(({ obj_cover_file }) => obj_cover_file ?? []));
    return shown.map(({ row: { obj_stored_issues, ...row }, form, issues }, at) => {
      const state = states.get(row.obj_id);
      return {
        ...row,
        obj_content: contents[at] ?? {},
        obj_issues: [...obj_stored_issues, ...issues],
        form_name: form?.form_name ?? '',
        state: state ? { key: state.key, name: state.name, color: state.color } : null,
        cover: (row.obj_cover_file === null ? null : covers.get(row.obj_cover_file)?.preview) ?? null,
      };
    });
  }

  private projected(
    caller: Principal,
    { obj_content }: SelectedObject,
    form: OpenForm | undefined,
    { hidden, only }: Showing,
  ): { readonly content: JsonObject; readonly issues: readonly ObjectIssue[] } {
    return form
      ? this.forms.visibleFields(form.compiled, sightOf(caller, hidden === true)).project(obj_content, only ? { only } : {})
      : { content: {}, issues: [] };
  }
}

/** What a caller sees of objects: sensitive values with the right to change objects, hidden fields on demand and with the right to change schemas. */
export const sightOf = ({ permissions }: Principal, hidden = permissions.has('object:schema:edit')): Sight => ({
  sensitive: permissions.has('object:edit'),
  hidden,
});
