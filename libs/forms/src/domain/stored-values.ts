import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownValue, type Field } from './field';

/** The values of a field in content, one for each row of the lists on its way; those that do not fit its type are left out. */
export function valuesOf(content: JsonObject, field: Field): readonly JsonValue[] {
  const steps = field.path.split('.');
  const found = steps.reduce<readonly JsonValue[]>((values, step) => values.flatMap((value) => stepped(value, step)), [content]);
  return found.filter((value) => value !== null && field.type.fits(value));
}

function stepped(value: JsonValue, step: string): readonly JsonValue[] {
  const objects = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return objects.flatMap((one) => {
    const inner = isObject(one) ? ownValue(one, step) : undefined;
    return inner === undefined ? [] : [inner];
  });
}

/** Whether anything is stored under the path, in any row of a list. */
export function hasStored(value: JsonValue | undefined, [step, ...deeper]: readonly string[]): boolean {
  if (value === undefined || value === null) return false;
  if (step === undefined) return true;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some((row) => hasStored(row, [step, ...deeper]));
  return isObject(value) && hasStored(ownValue(value, step), deeper);
}
