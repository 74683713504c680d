import { idOfShown, isId, isShownNumber, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
import type { Field, ReferenceKind } from './field';
import { listedIn } from './listed-cell';
import { misreadSentence } from './visible-fields';

/** What a name in a cell refers to, or why it refers to nothing; `detail` repeats names and is for those who may see the field. */
export type NamedReference = { readonly id: string } | { readonly misfit: string; readonly detail?: string };

/** A name in a cell of a field that refers to something. */
export interface AskedName {
  readonly field: Field;
  readonly name: string;
}

/** Kinds that have names; a cell of another kind names ids. */
const NAMED: ReadonlySet<ReferenceKind> = new Set(['taxonomy', 'object', 'record', 'user']);
/** Longer than any name. */
const LONGEST_NAME = 1_000;
/** As many things as a field refers to, and parts of a cell in which things are named more than once. */
const [MOST_NAMES, MOST_PARTS] = [100, 1_000];

export const isNamed = ({ type }: Field): boolean => type.reference !== undefined && NAMED.has(type.reference);

const isPlural = ({ type, settings }: Field): boolean => (type.name === 'taxonomy' ? settings['multiple'] === true : type.holds === 'many');

/** The ids and names in a cell; undefined where it holds something else. */
function partsOf(said: JsonValue, field: Field): readonly string[] | undefined {
  const cell = isShownNumber(said) ? idOfShown(said) : said;
  if (typeof cell === 'number') return [String(cell)];
  if (typeof cell === 'string') return isPlural(field) ? listedIn(cell) : [cell.trim()];
  return Array.isArray(cell) && cell.every((part) => typeof part === 'string')
    ? (cell as readonly string[]).slice(0, MOST_PARTS + 1).map((part) => part.trim())
    : undefined;
}

/** The names in a cell, which are to be asked after, each once. */
export const namesIn = (cell: JsonValue, field: Field): readonly string[] =>
  [...new Set(partsOf(cell, field))].filter((part) => part !== '' && part.length <= LONGEST_NAME && !isId(part)).slice(0, MOST_NAMES);

/** What the names of some rows refer to. */
export class NamedReferences {
  private readonly found = new Map<string, NamedReference>();

  add({ field, name }: AskedName, reference: NamedReference): void {
    this.found.set(keyOf(field, name), reference);
  }

  /** A cell with ids in the place of names, or a fault for each of its names that refers to nothing; one fault where they are more than a field takes. */
  read(cell: JsonValue, field: Field, column: string): { readonly value: JsonValue } | { readonly faults: readonly FieldFault[] } {
    const parts = partsOf(cell, field);
    if (parts === undefined) return { value: cell };
    const distinct = new Set(parts);
    if (parts.length > MOST_PARTS || distinct.size > MOST_NAMES)
      return { faults: [{ path: column, code: 'length', message: `${field.label} must have at most ${MOST_NAMES} items.` }] };
    const faults: FieldFault[] = [];
    const ids = [...distinct].flatMap((part) => {
      if (isId(part)) return [part];
      const reference = this.found.get(keyOf(field, part)) ?? { misfit: 'is neither an id nor a name' };
      if ('id' in reference) return [reference.id];
      faults.push({ path: column, code: 'reference', message: misreadSentence(field, part, reference) });
      return [];
    });
    if (faults.length > 0) return { faults };
    return { value: isPlural(field) ? ids : (ids[0] ?? null) };
  }
}

const keyOf = ({ path }: Field, name: string): string => `${path}\n${name}`;
