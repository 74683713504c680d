import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { inStep } from '@atrium/platform/database';
import { Clock, Ids, invalidFields, LoopTurns, Problem, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CellConventions } from '../domain/cell-locale';
import { Cells, type CellMapping } from '../domain/cells';
import type { CompiledForm } from '../domain/compiled-form';
import { type CheckedContent, normalValue } from '../domain/content-check';
import { TOO_LARGE } from '../domain/content-size';
import type { FieldType } from '../domain/field';
import { FieldTypes } from '../domain/field-types';
import { diffForms, type FormDiff } from '../domain/form-diff';
import type { FormKind } from '../domain/form-kinds';
import { assertSight, openedKeys } from '../domain/opened-fields';
import type { RetiredFields } from '../domain/retired-fields';
import { formMarkdown, type MarkdownOptions } from '../domain/form-markdown';
import { FormReader } from '../domain/form-reader';
import { contentSchema } from '../domain/json-schema';
import { projectContent, VisibleFields, type ProjectionOptions, type ShownContent, type Sight } from '../domain/visible-fields';
import { uniqueHash } from '../domain/value-index';
import { repeatsClosed, titleOf, wordsOf, type ContentWords } from '../domain/words';
import { ContentJudge, withinEffort } from './content-judge';
import { ContentParts, type CheckedPart, type ContentPart, type PartsOptions, type StoredPart } from './content-parts';
import { FormReferences, type ReferenceAsker } from './form-references';

const KEPT = 500;
const CONTENT = 'content';

/** How content is validated. */
export interface ValidationOptions {
  readonly mode: 'create' | 'update';
  /** What is stored, for an update. */
  readonly previous?: JsonObject | null;
  /** The row that the content belongs to, where it exists already. */
  readonly owner_id?: string | null;
  /** The position of the content in the request, for paths of faults; `content` by default. */
  readonly at?: string;
  /** A source, an import or the service itself: it may write what is read only. */
  readonly trusted?: boolean;
  /** The state of a lifecycle flow, for expressions. */
  readonly state?: string | null;
  readonly mostBytes?: number;
}

export interface Validation extends ValidationOptions {
  readonly content: JsonValue;
}

/** What became of one of several contents: what is stored, or why nothing is. */
export type ValidatedContent =
  { readonly content: JsonObject; readonly faults: readonly [] } | { readonly content: null; readonly faults: readonly FieldFault[] };

/** The form language: compiles configurations, and judges, shows, sums up and compares content by them. */
@Injectable()
export class Forms {
  private readonly types = new FieldTypes();
  private readonly compiled = new LRUCache<string, CompiledForm>({ max: KEPT });
  private readonly judge: ContentJudge;
  private readonly parts: ContentParts;

  constructor(
    private readonly references: FormReferences,
    private readonly clock: Clock,
    ids: Ids,
  ) {
    this.judge = new ContentJudge(clock, ids);
    this.parts = new ContentParts(references, this.judge);
  }

  /** Lets forms of a kind have a type that the language itself does not have. */
  registerType(kind: FormKind, type: FieldType): void {
    this.types.register(kind, type);
  }

  /** The form of a configuration, or `validation_failed` with one entry a fault; `at` names the configuration in paths. */
  compileForm(
    config: JsonValue,
    { kind = 'object', at = 'form_config' }: { readonly kind?: FormKind; readonly at?: string } = {},
  ): CompiledForm {
    const hash = createHash('sha256').update(`${kind}\n`).update(JSON.stringify(config)).digest('base64');
    const known = this.compiled.get(hash);
    if (known) return known;
    const read = new FormReader(this.types, kind, this.clock.now()).readForm(config, at);
    if ('faults' in read) throw invalidFields(read.faults);
    this.compiled.set(hash, read.form);
    return read.form;
  }

  /** Content in the form in which it is stored, or `validation_failed`; asks after references within the open unit of work. */
  async validateContent(
    form: CompiledForm,
    content: JsonValue,
    options: ValidationOptions & { readonly actor?: Principal | null },
  ): Promise<JsonObject> {
    const [validated] = await this.validateAll(form, [{ ...options, content }], options.actor ?? null);
    if (!validated?.content) throw refusal(validated?.faults ?? [], options.at ?? CONTENT);
    return validated.content;
  }

  /** The same for many contents of one form: references are asked after by one statement a kind for all of them. */
  async validateAll(form: CompiledForm, contents: readonly Validation[], actor: Principal | null): Promise<readonly ValidatedContent[]> {
    const checked: CheckedContent[] = [];
    const turns = new LoopTurns();
    for (const validation of contents) {
      if (turns.isOver) await turns.awaitNextTurn();
      checked.push(inStep(() => this.checkWithinEffort(form, validation, actor)));
    }
    const asked = checked.map(({ faults, references }, at) => ({
      owner_id: contents[at]?.owner_id ?? null,
      references: faults.length > 0 ? [] : references,
    }));
    const misfits = await this.references.findFaults(asked, { actor });
    return checked.map(({ content, faults }, at) => {
      const all = [...faults, ...(misfits[at] ?? [])];
      return all.length > 0 ? { content: null, faults: all } : { content, faults: [] };
    });
  }

  /**
   * The same for content in parts of different forms, such as the blocks of a page, at most 2,001: references are asked after by one
   * question a kind for all parts, all parts spend from one effort, and cost grows with their size alone. With `incomplete`, what is missing
   * becomes issues.
   */
  validateEach(parts: readonly ContentPart[], actor: Principal | null, options: PartsOptions = {}): Promise<readonly CheckedPart[]> {
    return this.parts.validateParts(parts, actor, options);
  }

  /**
   * The issues of stored parts by their forms as they are now, in their order: everything that `validateEach` would refuse or miss. References
   * are asked after again where an asker is given, as for publishing; a read gives none.
   */
  inspectEach(parts: readonly StoredPart[], asker: ReferenceAsker | null = null): Promise<readonly (readonly FieldFault[])[]> {
    return this.parts.inspectParts(parts, asker);
  }

  /** Stored content as clients see it, and what of it no longer fits. */
  projectContent(form: CompiledForm, content: JsonObject, options?: ProjectionOptions): ShownContent {
    return projectContent(form, content, options);
  }

  /** The fields as one reader sees them: what whatever leaves the service asks. */
  visibleFields(form: CompiledForm, sight: Sight): VisibleFields {
    return new VisibleFields(form, sight);
  }

  /** Keys of content that another form would open, and that the reader may not see under the form of before. */
  findOpenedKeys(
    content: JsonObject,
    forms: { readonly before: CompiledForm | undefined; readonly after: CompiledForm },
    sight: Sight,
  ): ReadonlySet<string> {
    return openedKeys(content, forms.before, forms.after, sight);
  }

  /** Refuses a form that would name its rows by a field that not everybody sees: names are listed, searched and cited. */
  assertOpenTitle({ closedTitle }: CompiledForm, at = 'form_config'): void {
    if (!closedTitle) return;
    const flag = closedTitle.sensitive ? 'sensitive' : 'hidden';
    throw invalidFields([
      { path: `${at}.title`, code: 'option', message: `title must be a field that every reader can see; ${closedTitle.label} is ${flag}.` },
    ]);
  }

  /** What values of a unique field that are the same have in common, however each of them is written: the key by which rows are matched. */
  uniqueKey(form: CompiledForm, key: string, value: JsonValue): string {
    const field = form.field(key);
    return field ? uniqueHash(field, normalValue(field, value, this.clock.now())) : JSON.stringify(value);
  }

  /** Stored content for readers without a screen: retrieval and agents. */
  toMarkdown(form: CompiledForm, content: JsonObject, options?: MarkdownOptions): string {
    return formMarkdown(form, content, options);
  }

  /** The name that the title field gives; null where it gives none. */
  contentTitle(form: CompiledForm, content: JsonObject): string | null {
    return titleOf(form, content);
  }

  /** A name that a row has already; its id, where the name says what a field holds that not everybody sees. */
  toStoredName(
    form: CompiledForm,
    { id, name, content }: { readonly id: string; readonly name: string; readonly content: JsonObject },
  ): string {
    return repeatsClosed(form, content, name) ? id : name;
  }

  /** The words of content by their weight in full text search. */
  contentWords(form: CompiledForm, content: JsonObject): ContentWords {
    return wordsOf(form, content);
  }

  /** The difference between two configurations, decided before anything is written. */
  compareForms(
    before: CompiledForm,
    after: CompiledForm,
    { retired = {}, kind = 'object' }: { readonly retired?: RetiredFields; readonly kind?: FormKind } = {},
  ): FormDiff {
    return diffForms(before, after, retired, this.clock.now(), (config) => this.revived(config, kind));
  }

  /** Refuses a configuration that would show its author values which are kept from the author now; `diff` as `compareForms` gives it. */
  assertSight(before: CompiledForm, after: CompiledForm, seen: { readonly sight: Sight; readonly diff: FormDiff }): void {
    assertSight(before, after, seen);
  }

  /** Cells of a table as values and back; a column that names no field, or one within a list, is refused. */
  openCells(form: CompiledForm, mapping: CellMapping, habits: CellConventions = {}): Cells {
    const strangers = Cells.unknownKeys(form, mapping);
    if (strangers.length > 0)
      throw invalidFields(
        strangers.map((column) => ({
          path: `mapping.${column}`,
          code: 'unknown_field',
          message: `${column} is mapped to a key that the form does not have.`,
        })),
      );
    return Cells.of(form, mapping, habits);
  }

  /** The mapping of columns that their names suggest. */
  suggestCells(form: CompiledForm, columns: readonly string[]): CellMapping {
    return Cells.suggest(form, columns);
  }

  /** The stored content as JSON Schema 2020-12. */
  jsonSchema(form: CompiledForm): JsonObject {
    return contentSchema(form.fields);
  }

  private checkWithinEffort(
    form: CompiledForm,
    { content, at = CONTENT, ...options }: Validation,
    actor: Principal | null,
  ): CheckedContent {
    return withinEffort(at, () => this.judge.judge(form, content, { ...options, at, actor }));
  }

  private revived(config: JsonObject, kind: FormKind) {
    const read = new FormReader(this.types, kind, this.clock.now()).readForm({ fields: [config] }, 'form_retired');
    return 'form' in read ? (read.form.fields[0] ?? null) : null;
  }
}

/** Content that is too large as a whole is another problem than faults of its fields. */
function refusal(faults: readonly FieldFault[], at: string): Problem {
  const [only] = faults;
  if (only?.path === at && only.code === TOO_LARGE) return new Problem('payload_too_large', only.message, { errors: faults });
  return invalidFields(faults);
}
