import type { FieldType } from './field';
import { rulesOf, type FormKind } from './form-kinds';
import { CHOICE_TYPES } from './types/choices';
import { MOMENT_TYPES } from './types/moments';
import { NUMBER_TYPES } from './types/numbers';
import { REFERENCE_TYPES } from './types/references';
import { STRUCTURE_TYPES } from './types/structures';
import { TEXT_TYPES } from './types/texts';

const BUILT_IN: ReadonlyMap<string, FieldType> = new Map(
  [...TEXT_TYPES, ...NUMBER_TYPES, ...MOMENT_TYPES, ...CHOICE_TYPES, ...REFERENCE_TYPES, ...STRUCTURE_TYPES].map((type) => [
    type.name,
    type,
  ]),
);

/** The types a kind of forms may use: those of the language that it does not do without, and those that a context has registered for it. */
export class FieldTypes {
  private readonly registered = new Map<FormKind, Map<string, FieldType>>();

  register(kind: FormKind, type: FieldType): void {
    if (BUILT_IN.has(type.name) || this.find(kind, type.name)) throw new Error(`The field type ${type.name} is known already.`);
    const types = this.registered.get(kind) ?? new Map<string, FieldType>();
    this.registered.set(kind, types.set(type.name, type));
  }

  find(kind: FormKind, name: string): FieldType | undefined {
    if (rulesOf(kind).withheldTypes.has(name)) return undefined;
    return BUILT_IN.get(name) ?? this.registered.get(kind)?.get(name);
  }
}

/** The names of the types that every kind has. */
export const fieldTypeNames = (): readonly string[] => [...BUILT_IN.keys()];
