import { Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { isObject, own, type Field } from './field';
import type { RetiredFields } from './form-diff';
import { VisibleFields, type Sight } from './visible-fields';

/** Refuses a configuration that would show its author values which are kept from the author now, removed fields included. */
export function demandSight(
  before: CompiledForm,
  after: CompiledForm,
  { sight, retired }: { readonly sight: Sight; readonly retired: RetiredFields },
): void {
  const [then, now] = [new VisibleFields(before, sight), new VisibleFields(after, sight)];
  const opened = after.all.find((field) => {
    if (!now.reveals(field)) return false;
    const source = sourceOf(before, field);
    if (source) return !then.reveals(source);
    const config = retiredAt(retired, field.path);
    return config !== undefined && !then.reveals({ hidden: own(config, 'hidden') === true, sensitive: own(config, 'sensitive') === true });
  });
  if (opened)
    throw new Problem(
      'permission_denied',
      `${opened.label} has values that you may not see; who may see them can open the field to others.`,
    );
}

/** The definition that a removed field had, by itself or within the group or list that was removed. */
function retiredAt(retired: RetiredFields, path: string): JsonObject | undefined {
  const steps = path.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const top = steps.slice(0, length).join('.');
    if (!Object.hasOwn(retired, top)) continue;
    return steps.slice(length).reduce<JsonObject | undefined>((config, key) => {
      const fields = config && own(config, 'fields');
      const inner = Array.isArray(fields) ? (fields as readonly JsonValue[]) : [];
      return inner.filter(isObject).find((one) => own(one, 'key') === key);
    }, retired[top]?.config);
  }
  return undefined;
}

/** The field whose values it shows. */
function sourceOf(before: CompiledForm, { path, key, renamed_from }: Field): Field | undefined {
  const kept = before.field(path);
  return kept ?? (renamed_from === null ? undefined : before.field(`${path.slice(0, -key.length)}${renamed_from}`));
}
