import { Injectable } from '@nestjs/common';
import {
  contentConditions,
  FormRows,
  referrersOf,
  refersTo,
  withoutForm,
  type ContentConditions,
  type ContentFilter,
  type OpenForm,
} from '@atrium/forms';
import { aclAllows, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, isLargePage, join, listPage, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { invalidField, invalidFields, notFound } from '@atrium/platform/kernel';
import { WorkspaceObject } from '../domain/workspace-object';
import { BESIDE, ObjectReadingRows, type SelectedObject } from '../infrastructure/object-reading.rows';
import { DeletedObjects } from './deleted-objects';
import { ObjectAnswers, sightOf, type ShownObject, type Showing } from './object-answers';
import { ObjectTerms } from './object-terms';

/** The filters of objects besides the declared ones. */
export interface ObjectFilters extends ListParameters {
  readonly obj_form?: readonly string[];
  readonly obj_status?: string;
  readonly obj_terms?: readonly string[];
  readonly obj_active?: boolean;
  readonly full_text_search?: string;
  readonly obj_content?: ContentFilter;
  /** Keys of fields, with commas between them. */
  readonly fields?: string;
  readonly include_hidden?: boolean;
}

export type VersionedObject = ShownObject & { readonly row_version: number };

const OWN = ['obj_form', 'obj_active', 'obj_status', 'obj_terms'];
const SORT = 'obj_content_';
const MOST_FIELDS = 200;
/** Objects with the words or terms asked for that a list may sort. */
const FEW = 2_000;

/** Objects as they are listed and read: by their fields, by the values of their schema, by terms, states and words. */
@Injectable()
export class ObjectList {
  constructor(
    private readonly db: Database,
    private readonly reading: ObjectReadingRows,
    private readonly forms: FormRows,
    private readonly terms: ObjectTerms,
    private readonly answers: ObjectAnswers,
    private readonly deleted: DeletedObjects,
  ) {}

  listObjects(caller: Principal, filters: ObjectFilters): Promise<Page<ShownObject>> {
    const read = (): Promise<Page<ShownObject>> => this.page(caller, filters);
    return isLargePage(filters) ? this.db.readMany(read) : this.db.read(read);
  }

  getObject(caller: Principal, obj_id: string, showing: { readonly include_hidden?: boolean } = {}): Promise<VersionedObject> {
    return this.db.read(async () => this.readObject(caller, obj_id, { hidden: mayShowHidden(caller, showing.include_hidden) }));
  }

  /** An object, deleted or not while it can be restored, if the caller may read it (or has just written it); within a unit of work. */
  async readObject(
    caller: Principal,
    obj_id: string,
    { written = false, ...showing }: Showing & { readonly written?: boolean } = {},
  ): Promise<VersionedObject> {
    const row = await this.reading.findObjectRow(obj_id, written ? sql`true` : aclAllows('r.obj_acl', caller, 'view'));
    if (!row) throw notFound('object');
    const { deleted_at, ...found } = row;
    if (deleted_at !== null) await this.deleted.assertFindable({ obj_active: row.obj_active, obj_deleted: new Date(deleted_at) });
    const [shown] = await this.answers.completeRows(caller, [found], showing);
    if (!shown) throw notFound('object');
    return { ...shown, row_version: row.row_version };
  }

  private async page(caller: Principal, filters: ObjectFilters): Promise<Page<ShownObject>> {
    const hidden = mayShowHidden(caller, filters.include_hidden);
    const form = await this.formOf(filters);
    const content = contentOf(caller, form, filters);
    const own = this.conditions(filters, form);
    const only = fieldsOf(filters.fields, form);
    const page = await listPage<SelectedObject>(this.db.current(), WorkspaceObject, filters, {
      ...content,
      where: join(
        [
          ...own,
          ...(await this.classified(filters, form)),
          ...(await this.worded(filters, own)),
          content.where,
          aclAllows('r.obj_acl', caller, 'view'),
          ...(filters.obj_active === false ? [await this.deleted.findableCondition()] : []),
        ],
        ' AND ',
      ),
      select: BESIDE,
      ignore: OWN,
      byValues:
        content.byValues === true || [filters.obj_terms, filters.obj_status, filters.full_text_search].some((asked) => asked !== undefined),
    });
    return { ...page, data: await this.answers.completeRows(caller, page.data, { hidden, ...(only ? { only } : {}) }) };
  }

  /** The one schema that the list is of; null: it is of several. */
  private async formOf({ obj_form = [] }: ObjectFilters): Promise<OpenForm | null> {
    const [form_id, ...more] = new Set(obj_form.map((id) => id.toLowerCase()));
    if (form_id === undefined || more.length > 0) return null;
    return (await this.forms.openAll('object', [form_id])).get(form_id) ?? null;
  }

  private conditions({ obj_form, obj_active = true, obj_status }: ObjectFilters, form: OpenForm | null): Sql[] {
    return [
      ...(form ? [sql`r.obj_form = ${form.form_id}`] : obj_form ? [sql`r.obj_form = ANY(${[...obj_form]}::uuid[])`] : []),
      sql`r.obj_active = ${obj_active}`,
      ...(obj_status === undefined ? [] : [sql`r.obj_status = ${obj_status}`]),
    ];
  }

  /** Terms that few objects have are looked up, and the list sorts those few. */
  private async classified({ obj_terms }: ObjectFilters, form: OpenForm | null): Promise<Sql[]> {
    if (!obj_terms) return [];
    const referrers = referrersOf(form?.form_id ?? null, '$terms', this.terms.subtreeQuery(obj_terms));
    const found = await this.reading.countReferrers(referrers, FEW + 1);
    return [refersTo(referrers, sql`r.obj_id`, { many: found > FEW })];
  }

  /**
   * Words that few objects have are looked up, and the list sorts those few. Words that many have are met soon enough along the
   * order of the list: looking all of them up would cost as much as there are, and so would counting them, so that objects of
   * several times are asked first.
   */
  private async worded({ full_text_search: words }: ObjectFilters, own: readonly Sql[]): Promise<Sql[]> {
    if (words === undefined) return [];
    const met = sql`r.obj_tsv @@ websearch_to_tsquery('simple', dotless(${words}::text))`;
    if (await this.isFrequent(met, own)) return [met];
    const found = await this.reading.countWorded(words, FEW + 1);
    return [found <= FEW ? sql`r.obj_id IN (SELECT search_objects(${words}))` : met];
  }

  /** Whether the condition holds for a tenth of objects that were made at times as far from each other. */
  private async isFrequent(met: Sql, own: readonly Sql[]): Promise<boolean> {
    const row = await this.reading.sampleObjects(join(own, ' AND '), met);
    return row !== undefined && row.having > 0 && row.having * 10 >= row.seen;
  }
}

function contentOf(caller: Principal, form: OpenForm | null, { obj_content = {}, sort, cursor }: ObjectFilters): ContentConditions {
  if (form)
    return contentConditions(
      form,
      { id: sql`r.obj_id`, content: sql`r.obj_content`, name: 'obj_content', ...sightOf(caller) },
      { filter: obj_content, ...(sort === undefined ? {} : { sort }), ...(cursor === undefined ? {} : { cursor }) },
    );
  const faults = [
    ...withoutForm('obj_content', Object.keys(obj_content)),
    ...(sort?.replace(/^-/, '').startsWith(SORT)
      ? [{ path: `sort=${sort}`, code: 'unknown_field', message: 'Filtering and sorting by content requires exactly one obj_form.' }]
      : []),
  ];
  if (faults.length > 0) throw invalidFields(faults);
  return { where: sql`true` };
}

/** The keys that a projection names; of one schema they have to be known. */
function fieldsOf(fields: string | undefined, form: OpenForm | null): ReadonlySet<string> | undefined {
  if (fields === undefined) return undefined;
  const keys = fields.split(',').map((key) => key.trim());
  if (keys.length > MOST_FIELDS) throw invalidField('fields', `must have at most ${MOST_FIELDS} keys`, 'too_many');
  const unknown = form && keys.find((key) => !form.compiled.fields.some((field) => field.key === key));
  if (unknown !== null && unknown !== undefined)
    throw invalidField('fields', `is not a field of the schema: ${unknown.slice(0, 80)}`, 'unknown_field');
  return new Set(keys);
}

/** Hidden fields are shown to those who may change schemas. */
export function mayShowHidden(caller: Principal, asked = false): boolean {
  if (asked && !caller.permissions.has('object:schema:edit')) throw permissionDenied(['object:schema:edit']);
  return asked;
}
