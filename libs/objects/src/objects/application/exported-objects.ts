import { Injectable } from '@nestjs/common';
import { FormRows, Forms, type Sight, type VisibleFields } from '@atrium/forms';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { asJson, type JsonObject } from '@atrium/platform/kernel';
import type { ObjectDifference } from '../domain/stored-object';
import { ObjectReadingRows } from '../infrastructure/object-reading.rows';
import { shownChanges, type SeenBy } from './shown-changes';
import { sightOf } from './object-answers';

type Row = JsonObject & {
  readonly obj_form?: string;
  readonly obj_content?: JsonObject;
  readonly obj_shelf?: Readonly<Record<string, JsonObject>>;
};
type RevisionRow = JsonObject & {
  readonly rev_object: string;
  readonly rev_changes?: readonly ObjectDifference[];
  readonly rev_content?: JsonObject;
};

/**
 * Objects in the archive of a person: the fields that they may read now, as the API shows them. Objects whose access list leaves them out
 * are not asked about here; revisions that they wrote are theirs and stay. Nothing is shown of schemas that are gone.
 */
@Injectable()
export class ExportedObjects {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly reading: ObjectReadingRows,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
  ) {
    sources.registerTableHandler('object', { shown: (rows, _, reader) => this.objects(rows, reader) });
    sources.registerTableHandler('object_revision', { shown: (rows, _, reader) => this.revisions(rows as readonly RevisionRow[], reader) });
  }

  private async objects(rows: readonly Row[], reader: PersonReader): Promise<readonly JsonObject[]> {
    const visible = await this.visible(
      rows.flatMap(({ obj_form, obj_shelf }) => [...(obj_form === undefined ? [] : [obj_form]), ...Object.keys(obj_shelf ?? {})]),
      reader,
    );
    const shown = (form_id: string, content: JsonObject): JsonObject => visible.get(form_id)?.project(content).content ?? {};
    return rows.map(({ obj_form, obj_content, obj_shelf, ...row }): JsonObject => {
      if (obj_form === undefined || obj_content === undefined) return row;
      const shelf = Object.fromEntries(Object.entries(obj_shelf ?? {}).map(([form_id, values]) => [form_id, shown(form_id, values)]));
      return { ...row, obj_form, obj_content: shown(obj_form, obj_content), obj_shelf: shelf };
    });
  }

  /** By the schema that their object has now; what it does not have is left out. */
  private async revisions(rows: readonly RevisionRow[], reader: PersonReader): Promise<readonly JsonObject[]> {
    const formOf = await this.db.read(() => this.reading.findForms(rows.map(({ rev_object }) => rev_object)));
    const visible = await this.visible([...formOf.values()], reader);
    return rows.map(({ rev_changes, rev_content, ...row }): JsonObject => {
      if (rev_changes === undefined) return row;
      const now = visible.get(formOf.get(row.rev_object) ?? '');
      const seen: SeenBy = { now, then: now };
      const changes = shownChanges(rev_changes, { before: seen, after: seen }).map((change) => asJson(change));
      return { ...row, rev_changes: changes, rev_content: now?.project(rev_content ?? {}).content ?? {} };
    });
  }

  /** Who cannot act any more sees the open fields alone. */
  private async visible(form_ids: readonly string[], reader: PersonReader): Promise<ReadonlyMap<string, VisibleFields>> {
    const sight: Sight = reader ? sightOf(reader) : {};
    const forms = await this.schemas.openAll('object', [...new Set(form_ids)]);
    return new Map([...forms].map(([id, { compiled }]) => [id, this.forms.visibleFields(compiled, sight)]));
  }
}
