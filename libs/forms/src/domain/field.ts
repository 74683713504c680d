import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { Expression } from './expression';
import type { FieldType } from './field-type';

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
  /** Where its configuration stands, `form_config.fields[0]`. */
  readonly declared: string;
  readonly type: FieldType;
  readonly label: string;
  readonly help: string | null;
  readonly required: boolean;
  readonly default: JsonValue | undefined;
  readonly read_only: boolean;
  readonly hidden: boolean;
  readonly unique: boolean;
  readonly filterable: boolean;
  readonly searchable: boolean;
  readonly sensitive: boolean;
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

/** Whether a JSON value is an object, not a list. */
export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own key of stored JSON; `__proto__` and its like are keys as any other, and nothing inherited counts. */
export const own = (content: JsonObject | undefined, key: string): JsonValue | undefined =>
  content && Object.hasOwn(content, key) ? content[key] : undefined;
