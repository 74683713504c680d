import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { CellLocale } from './cell-locale';
import type { Field } from './field';
import type { Place } from './place';

/** What one own key of a type may hold in a configuration. */
export type SettingRule =
  | { readonly kind: 'whole' | 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'decimal' | 'flag' | 'id' }
  | { readonly kind: 'text'; readonly max: number; readonly pattern?: RegExp; readonly form?: string }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'texts'; readonly max: number; readonly pattern?: RegExp };

/** Tells what is wrong with the configuration of a field: the key, the code and a sentence. */
export type Complain = (key: string, code: string, message: string) => void;

/** Whom a reference is asked of: the context that keeps such things has registered itself. */
export type ReferenceKind = 'file' | 'user' | 'role' | 'object' | 'record' | 'taxonomy';

/** An entry of the value index: one of the columns is set. Points in time are numbers, in milliseconds. */
export interface IndexKey {
  readonly text?: string;
  readonly number?: number;
  readonly reference?: string;
}

/** How values of a type stand in the value index. */
export type IndexColumn = 'text' | 'number' | 'reference';

/** What a cell of a table says, or why it says nothing that fits. */
export type CellReading = { readonly value: JsonValue } | { readonly misfit: string };

/**
 * A type of the form language: what its fields may configure, which values it takes, and how they are stored, found, shown
 * and written in tables. A type knows nothing of other fields; a value that it returns from `check` is returned unchanged
 * by the next `check`.
 */
export interface FieldType {
  readonly name: string;
  /** Keys of its own in a configuration; those that are missing here are refused. */
  readonly settings?: Readonly<Record<string, SettingRule>>;
  readonly requires?: readonly string[];
  /** `none`: layout; `scalar`: one value that may be unique and converted into text; `many`: a list of such; `nested`: has parts of its own. */
  readonly holds: 'none' | 'scalar' | 'many' | 'nested';
  readonly takesOptions?: boolean;
  readonly takesFields?: boolean;
  /** Written by the service alone. */
  readonly readOnly?: boolean;
  /** Full text covers it unless the field says otherwise. */
  readonly isText?: boolean;
  /** References stand in the value index also where they are not filterable. */
  readonly reference?: ReferenceKind;
  readonly indexed?: IndexColumn;
  /** Checks what the rules of single settings can not say; what it returns is kept with the field. */
  prepare?(settings: JsonObject, complain: Complain): unknown;
  /** The value in the form in which it is stored, or undefined where it is refused; faults are told at the place. */
  check(value: JsonValue, field: Field, place: Place): JsonValue | undefined;
  /** Whether a stored value still has the shape of the type, whatever limits hold by now. */
  fits(value: JsonValue): boolean;
  /** The values as JSON Schema 2020-12. */
  schema(field: Field): JsonObject;
  indexKeys?(value: JsonValue, field: Field): readonly IndexKey[];
  /** Ids that the value refers to. */
  references?(value: JsonValue): readonly string[];
  /** The value for people, on one line unless it is a text of several. */
  text(value: JsonValue, field: Field): string;
  /** The value that a cell of a table says. */
  read?(cell: string, field: Field, locale: CellLocale): CellReading;
  /** The cell of a value, such that `read` gives the value again; without it the text. */
  write?(value: JsonValue, field: Field, locale: CellLocale): string;
}
