import type { JsonObject } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import type { Conversion } from './conversion';
import { plainText, ownValue, settingFlag, type Field } from './field';
import type { Move } from './moves';
import { renameBelow, retiredConfig, revivedFields, type ContinuedField, type RetiredField, type RetiredFields } from './retired-fields';
import { indexShape, isIndexed } from './value-index';

export type ChangeKind = 'added' | 'revived' | 'removed' | 'renamed' | 'converted' | 'retyped' | 'indexed' | 'unique';

/** One change for people: which field, and what happened to it. */
export interface FieldChange {
  readonly field: string;
  readonly change: ChangeKind;
  readonly effect: string;
}

/** A change that is possible only where nothing is stored under the key. */
export interface BlockedChange {
  /** Where the values stand by now. */
  readonly path: string;
  /** Where the configuration asks for it. */
  readonly declared: string;
  readonly from_type: string;
  readonly to_type: string;
}

/** The difference between two configurations of a form, decided before anything is written. */
export interface FormDiff {
  readonly changes: readonly FieldChange[];
  readonly moves: readonly Move[];
  readonly blocked: readonly BlockedChange[];
  /** Fields that become unique; the paths are those under which values are stored by now. */
  readonly madeUnique: readonly { readonly field: Field; readonly stored: string }[];
  /** New fields that are to continue a field which the form does not have. */
  readonly strays: readonly Field[];
  readonly retired: RetiredFields;
  /** Which fields show values that are stored, and what these were kept from. */
  readonly continued: readonly ContinuedField[];
  /** Keys whose index rows must be made before lists can be filtered and sorted by them. */
  readonly reindexed: readonly string[];
  /** Index rows that nothing asks for any more. */
  readonly unindexed: readonly string[];
  /** Whether titles, words or passages of stored rows change. */
  readonly reworded: boolean;
}

const SCALAR_TEXTS: ReadonlySet<string> = new Set(['long_text', 'rich_text']);
const WIDENED: Readonly<Record<string, Readonly<Record<string, Conversion | 'same'>>>> = {
  text: { long_text: 'same' },
  integer: { number: 'same', decimal: 'decimal' },
  number: { decimal: 'decimal' },
  select: { multi_select: 'list' },
  file: { files: 'list' },
  object: { objects: 'list' },
  taxonomy: { taxonomies: 'list' },
};

/** How values of one type become values of another without a loss; null where they do not. */
function conversion(from: Field, to: Field): Conversion | 'same' | null {
  const [old, now] = [typeName(from), typeName(to)];
  if (old === now) return 'same';
  const widened = WIDENED[old]?.[now] ?? from.type.becomes?.[now];
  if (widened) return widened;
  return now === 'text' && from.type.holds === 'scalar' && !SCALAR_TEXTS.has(old) ? 'text' : null;
}

/** A taxonomy of several terms stores a list. */
const typeName = (field: Field): string =>
  field.type.name === 'taxonomy' && settingFlag(field, 'multiple') ? 'taxonomies' : field.type.name;

/** Compares two configurations; `revive` makes a field of a retired definition, where it still is one. */
export function diffForms(
  before: CompiledForm,
  after: CompiledForm,
  retired: RetiredFields,
  at: Date,
  revive: (config: JsonObject) => Field | null,
): FormDiff {
  const comparison = new Comparison(retired, at, revive);
  comparison.level({ old: before.fields, now: after.fields, within: [], was: [] });
  return comparison.result(before, after);
}

interface LevelPair {
  readonly old: readonly Field[];
  readonly now: readonly Field[];
  /** Keys being migrated, with their new names. */
  readonly within: readonly string[];
  /** Keys being migrated, with their old names. */
  readonly was: readonly string[];
}

class Comparison {
  private readonly changes: FieldChange[] = [];
  private readonly moves: Move[] = [];
  private readonly blocked: BlockedChange[] = [];
  private readonly madeUnique: { field: Field; stored: string }[] = [];
  private readonly strays: Field[] = [];
  private readonly continued: ContinuedField[] = [];
  private readonly retired: Map<string, RetiredField>;
  /** Paths of now by the paths of before. */
  private readonly same = new Map<string, string>();
  /** Paths under which no row has ever stored anything. */
  private readonly unused: string[] = [];

  constructor(
    retired: RetiredFields,
    private readonly at: Date,
    private readonly revive: (config: JsonObject) => Field | null,
  ) {
    this.retired = new Map(Object.entries(retired));
  }

  level({ old, now, within, was }: LevelPair): void {
    const valued = now.filter(({ type }) => type.holds !== 'none');
    const taken = new Set<string>();
    for (const field of valued) {
      const kept = old.find(({ key, type }) => key === field.key && type.holds !== 'none');
      const source = kept ?? old.find(({ key }) => key === field.renamed_from);
      if (source) {
        taken.add(source.key);
        this.pair(source, field, within, was);
      } else this.added(field, within, was);
    }
    for (const field of old) if (field.type.holds !== 'none' && !taken.has(field.key)) this.removed(field, within);
  }

  result(before: CompiledForm, after: CompiledForm): FormDiff {
    const shapes = new Map(before.all.map((field) => [this.same.get(field.path) ?? '', indexShape(field)]));
    const reindexed = after.all
      .filter((field) => (isIndexed(field) || field.unique) && shapes.get(field.path) !== indexShape(field))
      .map(({ path }) => path);
    const moved = new Set(this.moves.map(({ within, from, to }) => (from === to ? '' : [...within, to].join('.'))));
    const paths = after.all.filter((field) => isIndexed(field) && isMoved(field.path, moved)).map(({ path }) => path);
    const indexed = new Set(after.all.filter((field) => isIndexed(field) || field.unique).map(({ path }) => path));
    return {
      changes: this.changes,
      moves: this.moves,
      blocked: this.blocked,
      madeUnique: this.madeUnique,
      strays: this.strays,
      retired: Object.fromEntries(this.retired),
      continued: this.continued,
      reindexed: [...new Set([...reindexed, ...paths])],
      unindexed: before.all.filter((field) => (isIndexed(field) || field.unique) && !indexed.has(field.path)).map(({ path }) => path),
      reworded: wordsOf(before, []) !== wordsOf(after, this.unused),
    };
  }

  private pair(old: Field, now: Field, within: readonly string[], was: readonly string[]): void {
    this.same.set(old.path, now.path);
    this.continued.push({ now, before: old });
    const how = conversion(old, now);
    const stored = [...was, old.key].join('.');
    if (how === null) {
      this.blocked.push({ path: stored, declared: now.declared, from_type: old.type.name, to_type: now.type.name });
      this.tell(now, 'retyped', `Changes the type to ${now.type.name}; possible while no values are stored.`);
    } else if (old.type.name !== now.type.name)
      this.tell(now, 'converted', `Stored values are converted to ${now.type.name} in the background.`);
    if (old.key !== now.key) {
      this.tell(now, 'renamed', `Values of ${old.path} are available under the new key immediately and moved in the background.`);
      const hidden = [...within, now.key].join('.');
      if (this.retired.has(hidden))
        this.blocked.push({ path: [...was, now.key].join('.'), declared: now.declared, from_type: 'removed', to_type: now.type.name });
      this.retired.delete(hidden);
      renameBelow(this.retired, [...within, old.key].join('.'), hidden);
    }
    const convert = how === 'same' ? null : how;
    if (old.key !== now.key || convert) this.moves.push({ within, from: old.key, to: now.key, convert });
    if (now.unique && !old.unique) this.becameUnique(now, stored);
    if (how !== null) this.level({ old: old.fields, now: now.fields, within: [...within, now.key], was: [...was, old.key] });
  }

  private added(field: Field, within: readonly string[], was: readonly string[]): void {
    const hidden = this.retired.get(field.path);
    this.retired.delete(field.path);
    if (!hidden) {
      if (field.renamed_from !== null) this.strays.push(field);
      this.unused.push(field.path);
      this.tell(field, 'added', 'Stored rows have no value yet. Required fields apply when a row is next written.');
      return;
    }
    this.continued.push(...revivedFields(field, hidden.config, this.retired));
    const stored = [...was, field.key].join('.');
    const old = this.revive(hidden.config);
    const how = old ? conversion(old, field) : null;
    if (how === null)
      this.blocked.push({
        path: stored,
        declared: field.declared,
        from_type: plainText(ownValue(hidden.config, 'type')),
        to_type: field.type.name,
      });
    this.tell(field, 'revived', 'Stored values of an earlier field with this key are shown again.');
    if (how !== null && how !== 'same') this.moves.push({ within, from: field.key, to: field.key, convert: how });
    if (field.unique) this.becameUnique(field, stored);
  }

  private removed(field: Field, within: readonly string[]): void {
    this.retired.set([...within, field.key].join('.'), { config: retiredConfig(field), at: this.at.toISOString() });
    this.tell(field, 'removed', 'Values remain stored but are no longer shown. Adding a field with this key restores them.');
  }

  private becameUnique(field: Field, stored: string): void {
    this.madeUnique.push({ field, stored });
    this.tell(field, 'unique', 'Possible while no value is stored twice.');
  }

  private tell(field: Field, change: ChangeKind, effect: string): void {
    this.changes.push({ field: field.path, change, effect });
  }
}

const isMoved = (path: string, moved: ReadonlySet<string>): boolean =>
  [...moved].some((to) => to !== '' && (path === to || path.startsWith(`${to}.`)));

/** What of a form decides titles and words of stored rows; these have no value under `unused` paths. */
const wordsOf = (form: CompiledForm, unused: readonly string[]): string =>
  JSON.stringify([
    form.title?.key ?? null,
    form.summary.map(({ key }) => key),
    form.all
      .filter(({ path }) => !unused.some((added) => path === added || path.startsWith(`${added}.`)))
      .map((field) => [field.path, field.searchable, field.sensitive, field.hidden, field.label]),
  ]);
