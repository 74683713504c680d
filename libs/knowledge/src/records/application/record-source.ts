import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  contentConditions,
  FormReferences,
  FormRows,
  FormValues,
  type ContentFilter,
  RowsByName,
  settingText,
  type NamedReference,
  type NameQuestion,
} from '@atrium/forms';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { SourceKinds, type SourceKind, type SourceText } from '@atrium/retrieval';
import { BaseContents } from '../../bases/application/base-contents';
import type { KnowledgeBase } from '../../bases/domain/knowledge-base';
import { HOLD_OF_RECORD } from '../../bases/infrastructure/base-holds.rows';
import { BasesRepository } from '../../bases/infrastructure/bases.repository';
import { RECORD_SOURCE } from '../domain/knowledge-record';
import { RecordReadingRows } from '../infrastructure/record-reading.rows';
import { RecordsRepository } from '../infrastructure/records.repository';
import { RecordIndex } from './record-index';
import { RecordShapes } from './record-shapes';

const NAMES_NONE = 'does not match any record that you can view';

const AT_ONCE = 200;

/** Conditions on the content of records of one schema. */
export interface FieldsFilter {
  readonly form_id: string;
  readonly fields: ContentFilter;
}

/** Records as sources of passages: which text they have, and who finds them when. */
@Injectable()
export class RecordSource implements SourceKind, OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly kinds: SourceKinds,
    private readonly contents: BaseContents,
    private readonly bases: BasesRepository,
    private readonly records: RecordsRepository,
    private readonly reading: RecordReadingRows,
    private readonly shapes: RecordShapes,
    private readonly forms: FormRows,
    private readonly values: FormValues,
    private readonly index: RecordIndex,
    private readonly references: FormReferences,
    private readonly clock: Clock,
  ) {}

  readonly kind = RECORD_SOURCE;
  readonly filters = {
    /** Records alone. */
    record: (): Sql => sql`true`,
    record_tags: (value: unknown): Sql => recordIs(sql`r.rec_tags && ${textsOf(value)}::text[]`),
    record_fields: (value: unknown): Promise<Sql> => this.byFields(value as FieldsFilter),
  };

  onModuleInit(): void {
    this.kinds.register(this);
    this.contents.register({
      kind: RECORD_SOURCE,
      indexStretch: (base, after) => this.putBack(base, after),
      purgeStretch: (ds_id) => this.purge(sql`r.rec_base = ${ds_id} AND ${HOLD_OF_RECORD} IS NULL`),
      purgeDeletedBefore: (before) => this.purge(sql`NOT r.rec_active AND r.rec_updated < ${before} AND ${HOLD_OF_RECORD} IS NULL`),
    });
    this.references.register('record', {
      findMisfits: (questions, { actor }) => this.misfits(questions, actor),
      resolveNames: (questions, { actor }) => this.recordsMeant(questions, actor),
    });
  }

  readText(id: string): Promise<SourceText | null> {
    return this.db.read(async () => {
      const record = await this.records.findRow(id);
      if (!record?.rec_active) return null;
      const { rec_name, rec_text, rec_content, rec_url, rec_language, rec_tags, rec_base, rec_form } = record;
      const shape = await this.shapes.readShapeForReading({ form_id: rec_form });
      return {
        version: rec_text,
        version_id: null,
        title: rec_name,
        url: rec_url,
        markdown: shape.toMarkdown(rec_content),
        pages: [],
        language: rec_language,
        meta: { base: rec_base, tags: rec_tags },
      };
    });
  }

  async findVersion(id: string): Promise<string | null> {
    const record = await this.records.findRow(id);
    return record?.rec_active ? record.rec_text : null;
  }

  existsCondition(): Sql {
    return sql`EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = s.source_id)`;
  }

  /** Published records within their window, of active bases that the actor may read. */
  buildReadableCondition(actor: Principal | null): Promise<Sql> {
    if (actor && !actor.permissions.has('knowledge-base:view')) return Promise.resolve(sql`false`);
    const now = this.clock.now();
    return Promise.resolve(
      recordIs(sql`r.rec_active AND r.rec_status = 'published' AND (r.rec_valid_from IS NULL OR r.rec_valid_from <= ${now}) AND (r.rec_valid_until IS NULL OR r.rec_valid_until > ${now})
        AND EXISTS (SELECT FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base AND b.ds_active AND ${actor ? aclAllows('b.ds_acl', actor, 'view') : sql`b.ds_acl = '{}'`})`),
    );
  }

  private async byFields({ form_id, fields }: FieldsFilter): Promise<Sql> {
    const form = await this.forms.openForm('record', form_id);
    const content = sql`(SELECT c.rec_content FROM knowledge_record c WHERE c.tenant_id = s.tenant_id AND c.rec_id = s.source_id)`;
    const { where } = contentConditions(form, { id: sql`s.source_id`, content, name: 'filter.fields' }, { filter: fields });
    return sql`(${where})`;
  }

  private async putBack(base: KnowledgeBase, after: string | null): Promise<string | null> {
    const records = await this.records.findPublished(base.ds_id, after, AT_ONCE);
    await this.index.indexRecords(base, records);
    return records.length === AT_ONCE ? (records.at(-1)?.rec_id ?? null) : null;
  }

  private async purge(condition: Sql): Promise<boolean> {
    const gone = await this.records.purgeRecords(condition, AT_ONCE);
    await this.values.removeRows(gone);
    await this.index.forgetRecords(gone);
    return gone.length === AT_ONCE;
  }

  /** References of schemas to records: of the base that the field names, and of bases that the actor may read. */
  private async misfits(
    questions: readonly { readonly id: string; readonly settings: { readonly [key: string]: unknown } }[],
    actor: Principal | null,
  ): Promise<readonly (string | null)[]> {
    const open = actor ? aclAllows('b.ds_acl', actor, 'view') : sql`true`;
    const bases = await this.reading.findBases(
      questions.map(({ id }) => id),
      open,
    );
    return questions.map(({ id, settings }) => {
      const base = bases.get(id);
      if (base === undefined) return UNKNOWN;
      return typeof settings.base === 'string' && settings.base.toLowerCase() !== base
        ? 'refers to a record of another knowledge base.'
        : null;
    });
  }

  /**
   * Records by their external id or their name, of the base that the field names or of all, and in a base by a unique field of its schema
   * first; of bases that the actor may read. Within a unit of work.
   */
  private async recordsMeant(questions: readonly NameQuestion[], actor: Principal | null): Promise<readonly NamedReference[]> {
    if (actor && !actor.permissions.has('knowledge-base:view')) return questions.map(() => ({ misfit: NAMES_NONE }));
    const open = actor ? aclAllows('b.ds_acl', actor, 'view') : sql`true`;
    const answers = new Map<NameQuestion, NamedReference>();
    for (const base of new Set(questions.map(baseOf))) {
      const asked = questions.filter((question) => baseOf(question) === base);
      const names = [...new Set(asked.map(({ name }) => name))];
      const keys = base === null ? [] : await this.keys(base, names, open);
      const rows = await this.reading.findByNames(base, { names, ids: keys.flatMap((owners) => [...owners.values()]) }, open);
      const called = new RowsByName(rows, keys, NAMES_NONE);
      for (const question of asked) answers.set(question, called.meaningOf(question.name));
    }
    return questions.map((question) => answers.get(question) ?? { misfit: NAMES_NONE });
  }

  /** Unique values hold within a base: without one they say nothing. */
  private async keys(base: string, names: readonly string[], open: Sql): Promise<readonly ReadonlyMap<unknown, string>[]> {
    const form_id = await this.bases.findForm(base, open);
    return typeof form_id === 'string' ? this.values.findKeyedRows(await this.forms.openForm('record', form_id), names, base) : [];
  }
}

const UNKNOWN = `${NAMES_NONE}.`;
/** Condition on `s`: its record is one for which the condition on `r` holds. */
const recordIs = (condition: Sql): Sql =>
  sql`EXISTS (SELECT FROM knowledge_record r WHERE r.tenant_id = s.tenant_id AND r.rec_id = s.source_id AND ${condition})`;

const textsOf = (value: unknown): string[] => [value].flat().filter((text): text is string => typeof text === 'string');

const baseOf = ({ settings }: NameQuestion): string | null => settingText({ settings }, 'base')?.toLowerCase() ?? null;
