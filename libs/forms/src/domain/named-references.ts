import { idOfShown, isId, isShownNumber, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
import type { Field, ReferenceKind } from './field';
import { listedIn } from './listed-cell';
import { misread } from './visible-fields';

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
/** As many as a field takes; what is more is refused by the field. */
const MOST_NAMES = 101;

export const isNamed = ({ type }: Field): boolean => type.reference !== undefined && NAMED.has(type.reference);

const isPlural = ({ type, settings }: Field): boolean => (type.name === 'taxonomy' ? settings['multiple'] === true : type.holds === 'many');

/** The ids and names in a cell; undefined where it holds something else. */
function partsOf(said: JsonValue, field: Field): readonly string[] | undefined {
  const cell = isShownNumber(said) ? idOfShown(said) : said;
  if (typeof cell === 'number') return [String(cell)];
  if (typeof cell === 'string') return isPlural(field) ? listedIn(cell) : [cell.trim()];
  return Array.isArray(cell) && cell.every((part) => typeof part === 'string')
    ? (cell as readonly string[]).map((part) => part.trim())
    : undefined;
}

/** The names in a cell, which are to be asked after. */
export const namesIn = (cell: JsonValue, field: Field): readonly string[] =>
  (partsOf(cell, field) ?? []).filter((part) => part !== '' && part.length <= LONGEST_NAME && !isId(part)).slice(0, MOST_NAMES);

/** What the names of some rows refer to. */
export class NamedReferences {
  private readonly found = new Map<string, NamedReference>();

  add({ field, name }: AskedName, reference: NamedReference): void {
    this.found.set(keyOf(field, name), reference);
  }

  /** A cell with ids in the place of names, or a fault for each of its names that refers to nothing. */
  read(cell: JsonValue, field: Field, column: string): { readonly value: JsonValue } | { readonly faults: readonly FieldFault[] } {
    const parts = partsOf(cell, field);
    if (parts === undefined) return { value: cell };
    const faults: FieldFault[] = [];
    const ids = parts.flatMap((part) => {
      if (isId(part)) return [part];
      const reference = this.found.get(keyOf(field, part)) ?? { misfit: 'is no id and no name' };
      if ('id' in reference) return [reference.id];
      faults.push({ path: column, code: 'reference', message: misread(field, part, reference) });
      return [];
    });
    if (faults.length > 0) return { faults };
    return { value: isPlural(field) ? ids : (ids[0] ?? null) };
  }
}

const keyOf = ({ path }: Field, name: string): string => `${path}\n${name}`;
