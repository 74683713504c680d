import { Problem } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import type { FormDiff } from './form-diff';
import { VisibleFields, type Sight } from './visible-fields';

/** Refuses a configuration that would show its author values which are kept from the author now, removed fields included. */
export function demandSight(
  before: CompiledForm,
  after: CompiledForm,
  { sight, diff }: { readonly sight: Sight; readonly diff: Pick<FormDiff, 'continued'> },
): void {
  const [then, now] = [new VisibleFields(before, sight), new VisibleFields(after, sight)];
  const opened = after.all.find((field) => {
    if (!now.reveals(field)) return false;
    const sources = diff.continued.filter(({ now: { path } }) => path === field.path).map((one) => one.before);
    // Inside of what gets another type the comparison pairs nothing.
    if (sources.length === 0) sources.push(before.field(field.path) ?? field);
    return sources.some((source) => !then.reveals(source));
  });
  if (opened)
    throw new Problem(
      'permission_denied',
      `${opened.label} has values that you may not see; who may see them can open the field to others.`,
    );
}
