import { contentConditions, FormRows, Forms, withoutForm, type ContentFilter, type OpenForm, type Sight } from '@atrium/forms';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  isLargePage,
  join,
  listPage,
  literalPattern,
  sql,
  type ListOrder,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { Clock, folded, invalidFields, normalized, notFound, Problem, spellingsOf } from '@atrium/platform/kernel';
import { PassageSearch, type SourceStatus } from '@atrium/retrieval';
import { BaseAccess } from '../../bases/application/base-access';
import { RESTORABLE_MS, scopeOf, type KnowledgeBase } from '../../bases/domain/knowledge-base';
import { KnowledgeRecord } from '../domain/knowledge-record';
import { BESIDE, RecordReadingRows, STATUS, type RecordRow, type VersionedRecord } from '../infrastructure/record-reading.rows';

export type { VersionedRecord };
export type ListedRecord = RecordRow & { readonly similarity: number | null };

/** The filters of records besides the declared ones. */
export interface RecordFilters extends ListParameters {
  readonly rec_active?: boolean;
  readonly rec_external_id?: unknown;
  readonly rec_tags?: readonly string[];
  readonly rec_index_status?: SourceStatus;
  readonly full_text_search?: string;
  readonly embedding_search?: string;
  readonly similarityThreshold?: number;
  readonly rec_content?: ContentFilter;
}

const OWN = ['rec_active', 'rec_external_id'];
const MOST_SCORED = 100;
/** The order of records by how much they are like what is searched for, best first. */
const LIKENESS = 'likeness';

/** The records of a base as they are listed and read: by their fields, by the values of their schema, by words and by meaning. */
@Injectable()
export class RecordList {
  constructor(
    private readonly db: Database,
    private readonly records: RecordReadingRows,
    private readonly access: BaseAccess,
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly passages: PassageSearch,
    private readonly clock: Clock,
  ) {}

  listRecords(caller: Principal, ds_id: string, filters: RecordFilters): Promise<Page<ListedRecord>> {
    if (filters.embedding_search !== undefined) return this.byMeaning(caller, ds_id, filters, filters.embedding_search);
    const read = (): Promise<Page<ListedRecord>> => this.page(caller, ds_id, filters);
    return isLargePage(filters) ? this.db.readMany(read) : this.db.read(read);
  }

  getRecord(caller: Principal, ds_id: string, rec_id: string): Promise<VersionedRecord> {
    return this.db.read(async () => {
      const base = await this.access.requireReadable(caller, ds_id);
      return this.readRecord(caller, base, rec_id);
    });
  }

  /** The row of a record of the base, deleted or not until it is to be purged; within a unit of work. */
  async readRecord(caller: Principal, { ds_id }: Pick<KnowledgeBase, 'ds_id'>, rec_id: string): Promise<VersionedRecord> {
    const row = await this.records.findRecordRow(ds_id, rec_id, this.findable());
    const [shown] = row ? await this.projectRows(caller, [row]) : [];
    if (!shown) throw notFound('record');
    return shown;
  }

  /** Condition on `r`: what keeps deleted records for longer, such as a legal hold, is not to be seen by that. */
  private findable(): Sql {
    return sql`(r.rec_active OR r.rec_updated >= ${this.clock.after(-RESTORABLE_MS)})`;
  }

  private async page(
    caller: Principal,
    ds_id: string,
    filters: RecordFilters,
    { where = sql`true`, orders }: { readonly where?: Sql; readonly orders?: Readonly<Record<string, ListOrder>> } = {},
  ): Promise<Page<ListedRecord>> {
    const base = await this.access.requireReadable(caller, ds_id);
    const form = base.form_id === null ? null : await this.rows.openForm('record', base.form_id);
    const content = this.byContent(caller, form, filters);
    const page = await listPage<RecordRow>(this.db.current(), KnowledgeRecord, filters, {
      ...content,
      where: join([sql`r.rec_base = ${ds_id}`, content.where, ...conditionsOf(ds_id, filters), this.findable(), where], ' AND '),
      join: sql`${STATUS.join} ${content.join ?? sql``}`,
      select: BESIDE,
      ignore: OWN,
      ...(orders ? { orders } : {}),
    });
    const shown = await this.projectRows(caller, page.data, form ? [form] : []);
    return { ...page, data: shown.map((row) => ({ ...row, similarity: null })) };
  }

  /** Published records by likeness; where the text cannot be embedded, those that contain it. */
  private async byMeaning(caller: Principal, ds_id: string, filters: RecordFilters, text: string): Promise<Page<ListedRecord>> {
    await this.db.read(() => this.access.requireReadable(caller, ds_id));
    const near = await this.near(caller, ds_id, text, filters.similarityThreshold);
    return this.db.read(async () => {
      if (near === null) return this.page(caller, ds_id, filters, { where: containing(ds_id, text) });
      const ids = [...near].sort(([a, like], [b, liker]) => liker - like || (a < b ? -1 : 1)).map(([id]) => id);
      const page = await this.page(
        caller,
        ds_id,
        { ...filters, limit_extended: undefined, limit: Math.min(filters.limit ?? MOST_SCORED, MOST_SCORED), sort: LIKENESS },
        {
          where: sql`r.rec_id = ANY(${ids}::uuid[])`,
          orders: { [LIKENESS]: { key: sql`array_position(${ids}::uuid[], r.rec_id)` } },
        },
      );
      return { ...page, data: page.data.map((row) => ({ ...row, similarity: near.get(row.rec_id) ?? null })) };
    });
  }

  private async near(
    caller: Principal,
    ds_id: string,
    query: string,
    min_score: number | undefined,
  ): Promise<ReadonlyMap<string, number> | null> {
    try {
      const { data } = await this.passages.searchPassages({
        actor: caller,
        query,
        scopes: [scopeOf(ds_id)],
        mode: 'vector',
        k: MOST_SCORED,
        max_per_source: 1,
        filter: { record: true },
        ...(min_score === undefined ? {} : { min_score }),
      });
      return new Map(data.map(({ citation, similarity }) => [citation.source_id, similarity ?? 0]));
    } catch (error) {
      if (error instanceof Problem && error.code === 'upstream_failed') return null;
      throw error;
    }
  }

  private byContent(caller: Principal, form: OpenForm | null, { rec_active = true, rec_content = {}, sort, cursor }: RecordFilters) {
    // Deleted records may have another schema, whose closed values are not looked through by the fields of this one.
    const content = form && !rec_active ? sql`CASE WHEN r.rec_form = ${form.form_id} THEN r.rec_content END` : sql`r.rec_content`;
    if (form)
      return contentConditions(
        form,
        { id: sql`r.rec_id`, content, name: 'rec_content', ...sightOf(caller) },
        { filter: rec_content, ...(sort === undefined ? {} : { sort }), ...(cursor === undefined ? {} : { cursor }) },
      );
    const keys = Object.keys(rec_content);
    if (keys.length > 0) throw invalidFields(withoutForm('rec_content', keys));
    return { where: sql`true` };
  }

  /** Each row by its own schema, which deleted ones keep when their base is given another; nothing of one that is gone. */
  private async projectRows<R extends Pick<RecordRow, 'rec_form' | 'rec_content'>>(
    caller: Principal,
    rows: readonly R[],
    opened: readonly OpenForm[] = [],
  ): Promise<R[]> {
    const known = new Map(opened.map((form) => [form.form_id, form]));
    const others = [...new Set(rows.flatMap(({ rec_form }) => (rec_form === null || known.has(rec_form) ? [] : rec_form)))];
    const forms = others.length === 0 ? known : new Map([...known, ...(await this.rows.openAll('record', others))]);
    const sight = sightOf(caller);
    const visible = new Map([...forms].map(([id, { compiled }]) => [id, this.forms.visibleFields(compiled, sight)]));
    return rows.map((row) =>
      row.rec_form === null ? row : { ...row, rec_content: visible.get(row.rec_form)?.project(row.rec_content).content ?? {} },
    );
  }
}

/** What a caller sees of records: sensitive values with the right to write them; nobody reads hidden fields here. */
export const sightOf = ({ permissions }: Principal): Sight => ({ sensitive: permissions.has('knowledge-base:write') });

function conditionsOf(
  ds_id: string,
  { rec_active = true, rec_external_id: id, rec_tags, rec_index_status, full_text_search }: RecordFilters,
): Sql[] {
  return [
    sql`r.rec_active = ${rec_active}`,
    ...(typeof id === 'string' ? [sql`r.rec_external_id = ANY(${spellingsOf([id])}::text[])`] : []),
    ...(rec_tags ? [sql`r.rec_tags && ${[...rec_tags]}::text[]`] : []),
    ...(rec_index_status ? [sql`${STATUS.status} = ${rec_index_status}`] : []),
    ...(full_text_search ? [sql`r.rec_id IN (SELECT search_records(${ds_id}, ${full_text_search}))`] : []),
  ];
}

/**
 * In names, in texts, and among the words of a schema's records that everybody reads: their content has values that not everybody sees.
 * Names are compared folded. Texts are long and read row by row: they are folded to small letters alone, and looked through for the text as
 * it is written and as it folds, each with letters in one piece and with their marks apart (ADR 55).
 */
const containing = (ds_id: string, text: string): Sql => {
  const forms = [text, folded(text)].flatMap((form) => [normalized(form, 'NFC'), normalized(form, 'NFD')]);
  const patterns = forms.map((form) => `%${literalPattern(form)}%`);
  const named = sql`position(dotless(folded(${text}::text)) in dotless(folded(r.rec_name))) > 0`;
  const said = sql`r.rec_form IS NULL AND dotless(lower(r.rec_content ->> 'body')) LIKE ANY (ARRAY(SELECT DISTINCT dotless(lower(p)) FROM unnest(${patterns}::text[]) p))`;
  return sql`(${named} OR ${said} OR r.rec_id IN (SELECT search_records(${ds_id}, ${text})))`;
};
