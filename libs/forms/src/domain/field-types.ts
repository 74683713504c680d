import type { FieldType } from './field';
import { CHOICE_TYPES } from './types/choices';
import { MOMENT_TYPES } from './types/moments';
import { NUMBER_TYPES } from './types/numbers';
import { REFERENCE_TYPES } from './types/references';
import { STRUCTURE_TYPES } from './types/structures';
import { TEXT_TYPES } from './types/texts';

/** What is configured by the form language: rows of `form`, and configurations inside the rows of their owners. */
export const FORM_KINDS = ['object', 'record', 'task', 'workflow', 'extension', 'content'] as const;
export type FormKind = (typeof FORM_KINDS)[number];

const BUILT_IN: ReadonlyMap<string, FieldType> = new Map(
  [...TEXT_TYPES, ...NUMBER_TYPES, ...MOMENT_TYPES, ...CHOICE_TYPES, ...REFERENCE_TYPES, ...STRUCTURE_TYPES].map((type) => [
    type.name,
    type,
  ]),
);

/** The types a kind of forms may use: those of the language, and those that a context has registered for it. */
export class FieldTypes {
  private readonly registered = new Map<FormKind, Map<string, FieldType>>();

  register(kind: FormKind, type: FieldType): void {
    if (this.find(kind, type.name)) throw new Error(`The field type ${type.name} is known already.`);
    const types = this.registered.get(kind) ?? new Map<string, FieldType>();
    this.registered.set(kind, types.set(type.name, type));
  }

  find(kind: FormKind, name: string): FieldType | undefined {
    return BUILT_IN.get(name) ?? this.registered.get(kind)?.get(name);
  }
}

/** The names of the types that every kind has. */
export const fieldTypeNames = (): readonly string[] => [...BUILT_IN.keys()];
