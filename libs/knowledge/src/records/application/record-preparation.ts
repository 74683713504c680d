import { Injectable } from '@nestjs/common';
import { FormValues } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import {
  invalidField,
  LoopTurns,
  isObject,
  normalized,
  spellingsOf,
  type FieldFault,
  type JsonObject,
  type JsonValue,
} from '@atrium/platform/kernel';
import { languageOf } from '@atrium/retrieval';
import type { KnowledgeBase } from '../../bases/domain/knowledge-base';
import type { KnowledgeRecord } from '../domain/knowledge-record';
import { faultsOfFacts } from '../domain/record-checks';
import { hashOf, textOf, type RecordWish } from '../domain/record-facts';
import { RecordsRepository, type WrittenRecord } from '../infrastructure/records.repository';
import { refusedDraft, wishedFacts, type RecordDraft, type Written } from './record-drafts';
import type { RecordShape, Shaped } from './record-shapes';

/** A base for writing, with the shape of its records. */
export interface OpenBase {
  readonly base: KnowledgeBase;
  readonly shape: RecordShape;
}

/** A draft that can be written as it is. */
export interface ReadyRecord {
  readonly draft: RecordDraft;
  readonly record: WrittenRecord;
}

/** What drafts have come to: those to be written, and the outcome of all others by their places. */
export interface Prepared {
  readonly ready: readonly ReadyRecord[];
  readonly settled: ReadonlyMap<number, Written>;
}

/** Judges drafts by the shape of their base, leaves out what changes nothing, and claims their unique values. */
@Injectable()
export class RecordPreparation {
  constructor(
    private readonly records: RecordsRepository,
    private readonly values: FormValues,
  ) {}

  /** The records that entries would replace, by their keys. */
  async findKnownRecords(
    { base, shape }: OpenBase,
    entries: readonly RecordWish[],
    key: string | undefined,
  ): Promise<ReadonlyMap<string, KnowledgeRecord>> {
    if (key === undefined) {
      const external = entries.flatMap(({ rec_external_id }) => rec_external_id ?? []);
      const found = external.length === 0 ? [] : await this.records.listByExternalId(base.ds_id, spellingsOf(external));
      const keyed = found.map((record) => [keyOfId(record.rec_external_id ?? ''), record] as const);
      const isOneForm = ([key, { rec_external_id }]: (typeof keyed)[number]): boolean => key === keyOfValue(rec_external_id);
      // Of two that were stored before ids had one form, the one that has it.
      return new Map([...keyed.filter((one) => !isOneForm(one)), ...keyed.filter(isOneForm)]);
    }
    if (!shape.form) throw invalidField('key', 'must be rec_external_id: a text base has no fields', 'reference');
    const wanted = entries.flatMap(({ rec_content = {} }) => valueAt(rec_content, key) ?? []);
    const owners = await this.values.findOwners(shape.form, key, wanted, base.ds_id);
    const found = await this.records.listByIds(base.ds_id, [...owners.values()]);
    const byId = new Map(found.map((record) => [record.rec_id, record]));
    return new Map(
      [...owners].flatMap(([value, id]) => {
        const record = byId.get(id);
        return record ? [[shape.uniqueKey(key, value), record] as const] : [];
      }),
    );
  }

  async prepareDrafts({ base, shape }: OpenBase, drafts: readonly RecordDraft[], acting: Principal | null): Promise<Prepared> {
    const shaped = await this.shaped(shape, drafts, acting);
    const settled = new Map<number, Written>();
    const ready: ReadyRecord[] = [];
    const turns = new LoopTurns();
    for (const draft of drafts) {
      if (turns.isOver) await turns.awaitNextTurn();
      const one = await this.read(base, shape, draft, shaped.get(draft));
      if ('outcome' in one) settled.set(draft.at, one);
      else ready.push({ draft, record: one });
    }
    const taken = await this.claim(base, shape, ready);
    for (const [at, issues] of taken) settled.set(at, refusedDraft(...issues));
    return {
      ready: await this.numbered(
        { base, shape },
        ready.filter(({ draft }) => !taken.has(draft.at)),
      ),
      settled,
    };
  }

  /** Content that nobody changes is not judged again: a status may change although the schema demands more by now. */
  private async shaped(
    shape: RecordShape,
    drafts: readonly RecordDraft[],
    acting: Principal | null,
  ): Promise<ReadonlyMap<RecordDraft, Shaped>> {
    const judged = drafts.filter(({ wish, previous }) => previous === null || wish.rec_content !== undefined);
    const answers = await shape.shapeDrafts(
      judged.map(({ rec_id, wish, previous }) => ({ rec_id, rec_name: wish.rec_name, rec_content: wish.rec_content ?? {}, previous })),
      acting,
    );
    const shaped = new Map<RecordDraft, Shaped>();
    for (const [at, draft] of judged.entries()) if (answers[at]) shaped.set(draft, answers[at]);
    for (const draft of drafts)
      if (draft.previous && !shaped.has(draft)) shaped.set(draft, shape.renamedRecord(draft.previous, draft.wish.rec_name));
    return shaped;
  }

  private async read(
    base: KnowledgeBase,
    shape: RecordShape,
    { wish, previous, rec_id }: RecordDraft,
    shaped: Shaped | undefined,
  ): Promise<WrittenRecord | Written> {
    const rest = wishedFacts(wish, previous);
    const faults = [
      ...(shaped?.faults ?? []),
      ...faultsOfFacts({ ...rest, rec_name: shaped?.rec_content ? shaped.rec_name : (wish.rec_name ?? 'unknown') }),
    ];
    if (!shaped?.rec_content || faults.length > 0) return refusedDraft(...faults);
    const { rec_name, rec_content } = shaped;
    const rec_language = rest.rec_language ?? base.config.language ?? (await languageOf(shape.toMarkdown(rec_content)));
    const facts = { ...rest, rec_name, rec_content, rec_language };
    const rec_hash = hashOf(facts);
    if (previous?.rec_hash === rec_hash && formsOf(base, shape).includes(previous.rec_form))
      return { outcome: 'unchanged', rec_id, issues: [] };
    const rec_text = previous && textOf(previous, 0) === textOf(facts, 0) ? previous.rec_text : textOf(facts, shape.revision);
    return { ...facts, rec_id, rec_hash, rec_text, words: shape.recordWords(facts) };
  }

  /** Automatic numbers, once nothing can refuse the records any more: a number that was taken is used. */
  private async numbered({ base, shape }: OpenBase, ready: readonly ReadyRecord[]): Promise<readonly ReadyRecord[]> {
    const written = ready.filter(({ draft: { previous, wish } }) => previous === null || wish.rec_content !== undefined);
    const contents = await shape.assignNumbers(written.map(({ record }) => record.rec_content));
    const byId = new Map(written.map(({ draft }, at) => [draft.rec_id, contents[at]]));
    const numbered = ready.map(({ draft, record }): ReadyRecord => {
      const rec_content = byId.get(draft.rec_id) ?? record.rec_content;
      if (rec_content === record.rec_content) return { draft, record };
      const named = shape.renamedRecord({ ...record, rec_content }, draft.wish.rec_name);
      const facts = { ...record, rec_content, rec_name: named.rec_content ? named.rec_name : record.rec_name };
      return {
        draft,
        record: { ...facts, rec_hash: hashOf(facts), rec_text: textOf(facts, shape.revision), words: shape.recordWords(facts) },
      };
    });
    const changed = numbered.filter(({ record }, at) => record !== ready[at]?.record);
    if (changed.length > 0)
      await shape.indexRecords(
        changed.map(({ record }) => record),
        { base: base.ds_id, fresh: false },
      );
    return numbered;
  }

  /** Writes what lists find of the records. Those with a value that another one has are put back as they were. */
  private async claim(
    { ds_id }: KnowledgeBase,
    shape: RecordShape,
    ready: readonly ReadyRecord[],
  ): Promise<ReadonlyMap<number, readonly FieldFault[]>> {
    const taken = new Map<number, FieldFault[]>();
    for (const fresh of [false, true]) {
      const some = ready.filter(({ draft }) => (draft.previous === null) === fresh);
      if (some.length === 0) continue;
      for (const { rec_id, field } of await shape.indexRecords(
        some.map(({ record }) => record),
        { base: ds_id, fresh },
      )) {
        const at = some.find(({ draft }) => draft.rec_id === rec_id)?.draft.at;
        if (at !== undefined) taken.set(at, [...(taken.get(at) ?? []), unique(shape, field)]);
      }
      const back = some.filter(({ draft }) => taken.has(draft.at));
      if (back.length === 0) continue;
      if (fresh) await this.values.removeRows(back.map(({ draft }) => draft.rec_id));
      else
        await shape.indexRecords(
          back.flatMap(({ draft: { previous } }) => previous ?? []),
          { base: ds_id, fresh: false },
        );
    }
    return taken;
  }
}

/** What records of a base have as their schema; those of one that has left its template are still to take the copy, whose fields are the same. */
const formsOf = ({ form_id }: KnowledgeBase, { form }: RecordShape): readonly (string | null)[] =>
  form?.copiedFrom ? [form_id, form.copiedFrom] : [form_id];

/** The key by which an entry replaces a record; null: it replaces none. */
export function keyIn(
  { rec_external_id, rec_content = {} }: RecordWish,
  key: string | undefined,
  shape: Pick<RecordShape, 'uniqueKey'>,
): string | null {
  if (key === undefined) return typeof rec_external_id === 'string' ? keyOfId(rec_external_id) : null;
  const value = valueAt(rec_content, key);
  return value === undefined || value === null ? null : shape.uniqueKey(key, value);
}

/** The value of a field by its dotted path. */
const valueAt = (content: JsonObject, path: string): JsonValue | undefined =>
  path.split('.').reduce<JsonValue | undefined>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), content);

const keyOfValue = (value: JsonValue): string => JSON.stringify(value);
const keyOfId = (id: string): string => keyOfValue(normalized(id, 'NFC'));

const unique = ({ form }: RecordShape, field: string): FieldFault => ({
  path: `rec_content.${field}`,
  code: 'unique',
  message: `${form?.compiled.field(field)?.label ?? field} has a value that another record already has.`,
});
