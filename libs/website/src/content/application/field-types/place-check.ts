import type { Field, Place } from '@atrium/forms';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { valueReferences } from '../../domain/references';
import type { ContentReference, Steps, ValueCheck } from '../../domain/value-check';

/** Reports what is wrong with a value of page content at its place in the form; references that were stored are not asked after again. */
export class PlaceCheck implements ValueCheck {
  private readonly stored: ReadonlySet<string>;

  constructor(
    private readonly field: Field,
    private readonly place: Place,
  ) {
    const { previous } = place;
    this.stored = new Set(previous === undefined ? [] : valueReferences(previous, field.type.name).map(({ kind, id }) => `${kind} ${id}`));
  }

  refuse(steps: Steps, code: string, message: string): undefined {
    return this.at(steps).refuse(this.field, code, message);
  }

  lack(steps: Steps, code: string, message: string): boolean {
    return this.at(steps).lack(this.field, code, message);
  }

  ask(kind: ContentReference, id: string, steps: Steps): void {
    this.at(steps).ask(kind, id, this.field, this.stored.has(`${kind} ${id}`));
  }

  private at(steps: Steps): Place {
    return steps.reduce<Place>((place, step) => place.below(step, undefined), this.place);
  }
}

/** How many items a list has; too few are an issue as other missing values are. */
export function hasSize(
  count: number,
  { field, check, most }: { readonly field: Field; readonly check: ValueCheck; readonly most: number },
): boolean {
  const [min, max] = [settingOf(field, 'min_items') ?? 0, settingOf(field, 'max_items') ?? most];
  if (count > max) check.refuse([], 'length', `must have at most ${max} items.`);
  else if (count < min) return check.lack([], 'length', `must have at least ${min} items.`);
  return count <= max;
}

const settingOf = ({ settings }: Field, key: string): number | undefined => {
  const value = settings[key];
  return typeof value === 'number' ? value : undefined;
};

/** The bounds of a list as JSON Schema. */
export const sizeSchema = (field: Field, most: number): JsonObject => ({
  ...(settingOf(field, 'min_items') === undefined ? {} : { minItems: settingOf(field, 'min_items') ?? 0 }),
  maxItems: settingOf(field, 'max_items') ?? most,
});

export const textsIn = ({ settings }: Pick<Field, 'settings'>, key: string): readonly string[] | undefined => {
  const value = settings[key];
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter((one): one is string => typeof one === 'string') : undefined;
};
