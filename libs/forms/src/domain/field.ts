import type { DateFormat, JsonObject, JsonValue } from '@atrium/platform/kernel';
import { pathOf, type Faults, type Setting } from '@atrium/platform/settings';
import type { CellLocale } from './cell-locale';
import type { Conversion } from './conversion';
import type { Expression } from './expression';

/** One choice of a select field; an inactive one stays where it is stored and is refused where it is new. */
export interface FieldOption {
  readonly value: string;
  readonly label: string;
  readonly color: string | null;
  readonly active: boolean;
}

/** A field of a form as its configuration says, checked and ready to judge values. */
export interface Field {
  readonly key: string;
  /** Keys from the top of the content, `address.city`; rows of a list share one. */
  readonly path: string;
  /** The position of its configuration, `form_config.fields[0]`. */
  readonly declared: string;
  readonly type: FieldType;
  readonly label: string;
  readonly help: string | null;
  readonly required: boolean;
  readonly default: JsonValue | undefined;
  readonly read_only: boolean;
  /** The field itself, or a group or list around it. */
  readonly hidden: boolean;
  readonly unique: boolean;
  readonly filterable: boolean;
  readonly searchable: boolean;
  /** The field itself, or a group or list around it. */
  readonly sensitive: boolean;
  /** Whether each locale has a value of its own. */
  readonly localized: boolean;
  readonly show_if: Expression | null;
  readonly renamed_from: string | null;
  readonly options: readonly FieldOption[];
  /** Fields of a group or of the rows of a list. */
  readonly fields: readonly Field[];
  /** Keys of the type's own, checked. */
  readonly settings: JsonObject;
  /** What the type made of its settings once: a compiled pattern, for instance. */
  readonly prepared: unknown;
  /** Whether it has a value for each row of a list. */
  readonly in_list: boolean;
}

/** A whole number among the settings of a field. */
export function settingNumber(field: Pick<Field, 'settings'>, key: string): number | undefined {
  const value = field.settings[key];
  return typeof value === 'number' ? value : undefined;
}

export function settingText(field: Pick<Field, 'settings'>, key: string): string | undefined {
  const value = field.settings[key];
  return typeof value === 'string' ? value : undefined;
}

export function settingTexts(field: Pick<Field, 'settings'>, key: string): readonly string[] | undefined {
  const value = field.settings[key];
  return Array.isArray(value) ? (value as readonly string[]) : undefined;
}

export const settingFlag = (field: Pick<Field, 'settings'>, key: string): boolean => field.settings[key] === true;

/** An own key of stored JSON; `__proto__` and its like are keys as any other, and nothing inherited counts. */
export const ownValue = (content: JsonObject | undefined, key: string): JsonValue | undefined =>
  content && Object.hasOwn(content, key) ? content[key] : undefined;

/** A value as text; lists and objects as JSON. */
export function plainText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Reports a fault in the configuration of a field: the key, the code and a sentence. */
export type Complain = (key: string, code: string, message: string) => void;

/** Whom a reference is asked of: the context that keeps such things has registered itself. */
export type ReferenceKind = 'file' | 'user' | 'role' | 'object' | 'record' | 'taxonomy' | 'page';

/** An entry of the value index: one of the columns is set. Points in time are numbers, in milliseconds. */
export interface IndexKey {
  readonly text?: string;
  readonly number?: number;
  readonly reference?: string;
}

/** How values of a type stand in the value index. */
export type IndexColumn = 'text' | 'number' | 'reference';

/** What a cell of a table says, or why it says nothing that fits; `detail` repeats what the cell says and is for those who may see it. */
export type CellReading = { readonly value: JsonValue } | { readonly misfit: string; readonly detail?: string };

/**
 * A type of the form language: what its fields may configure, which values it takes, and how they are stored, found, shown
 * and written in tables. A type knows nothing of other fields; a value that it returns from `check` is returned unchanged
 * by the next `check`.
 */
export interface FieldType {
  readonly name: string;
  /** Keys of its own in a configuration; those that are missing here are refused. */
  readonly settings?: Readonly<Record<string, Setting<JsonValue>>>;
  readonly requires?: readonly string[];
  /** `none`: layout; `scalar`: one value that may be unique and converted into text; `many`: a list of such; `nested`: has parts of its own. */
  readonly holds: 'none' | 'scalar' | 'many' | 'nested';
  readonly takesOptions?: boolean;
  readonly takesFields?: boolean;
  /** Written by the service alone. */
  readonly readOnly?: boolean;
  /** Full text covers it unless the field says otherwise. */
  readonly isText?: boolean;
  /** False where no locale can have a value of its own. */
  readonly localizable?: boolean;
  /** Types that its values become without a loss when a field changes to them, and how. */
  readonly becomes?: Readonly<Record<string, Conversion | 'same'>>;
  /** References stand in the value index also where they are not filterable. */
  readonly reference?: ReferenceKind;
  readonly indexed?: IndexColumn;
  /** Checks what the rules of single settings cannot say; what it returns is kept with the field. */
  prepare?(settings: JsonObject, complain: Complain): unknown;
  /** The value in the form in which it is stored, or undefined where it is refused; faults are reported at the place. */
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
  /** What full text search finds of it; without it the text. */
  words?(value: JsonValue, field: Field): string;
  /** The value as a block of Markdown below its label; without it a line with the text. */
  markdown?(value: JsonValue, field: Field): string;
  /** The value that a cell of a table says, without it JSON; `format` is how its column writes dates, where that is known. */
  read?(cell: string, field: Field, locale: CellLocale, format?: DateFormat): CellReading;
  /** The cell of a value, such that `read` gives the value again; without it the text, or JSON where cells are read as JSON. */
  write?(value: JsonValue, field: Field, locale: CellLocale): string;
}

/** One reference of a value that the source of its kind checks. */
export interface AskedReference {
  readonly kind: ReferenceKind;
  readonly id: string;
  readonly field: Field;
  readonly path: string;
}

/** What all values of one check share. */
export interface Checking {
  /** What cannot be stored. */
  readonly faults: Faults;
  /** What is still missing; the same as `faults` unless content may be incomplete. */
  readonly issues: Faults;
  /** Whether stored references are asked after like new ones. */
  readonly asksStored?: boolean;
  readonly now: Date;
  /** References that are not where they were stored before. */
  readonly references: AskedReference[];
  /** A source, an import or the service itself: it may write what is read only. */
  readonly trusted: boolean;
  readonly newRowId: () => string;
  /** Checks the parts of a group, or of one row of a list. */
  readonly parts: (value: { readonly [key: string]: JsonValue }, field: Field, place: Place) => JsonValue;
}

/** The position of a value: its path for faults, and what was stored there before. */
export class Place {
  constructor(
    readonly checking: Checking,
    readonly path: string,
    readonly previous: JsonValue | undefined,
  ) {}

  /** Reports a fault; the message begins with the label of the field. */
  refuse(field: Pick<Field, 'label'>, code: string, message: string): undefined {
    this.checking.faults.add(this.path, code, `${field.label} ${message}`);
    return undefined;
  }

  /** Reports what is still missing; whether the value may be stored all the same, because content may be incomplete. */
  lack(field: Pick<Field, 'label'>, code: string, message: string): boolean {
    const { faults, issues } = this.checking;
    issues.add(this.path, code, `${field.label} ${message}`);
    return issues !== faults;
  }

  below(step: string | number, previous: JsonValue | undefined): Place {
    return new Place(this.checking, pathOf(this.path, step), previous);
  }

  /** Has a reference asked after; one that is stored already is not asked again. */
  ask(kind: ReferenceKind, id: string, field: Field, stored: boolean): void {
    if (!stored || this.checking.asksStored === true) this.checking.references.push({ kind, id, field, path: this.path });
  }
}
