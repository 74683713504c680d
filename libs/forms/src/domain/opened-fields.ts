import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import type { FormDiff } from './form-diff';
import { hasStored } from './stored-values';
import { VisibleFields, type Sight } from './visible-fields';

/** Refuses a configuration that would show its author values which are kept from the author now, removed fields included. */
export function assertSight(
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
      `${opened.label} has values that you cannot see. Only members who can see them can open the field to others.`,
    );
}

/**
 * Keys of stored content that another form would show to more people than the form it was written under does, and that the reader
 * may not see there. What the form of before does not show at all is kept from everybody who does not see everything.
 */
export function openedKeys(content: JsonObject, before: CompiledForm | undefined, after: CompiledForm, sight: Sight): ReadonlySet<string> {
  if (sight.hidden === true && sight.sensitive === true) return new Set();
  const then = before && new VisibleFields(before, sight);
  const opened = after.all.filter((now) => {
    if (!hasStored(content, now.path.split('.'))) return false;
    const old = before?.field(now.path);
    if (!old || !then) return !now.hidden || !now.sensitive;
    const isMoreOpen = (old.hidden && !now.hidden) || (old.sensitive && !now.sensitive);
    return isMoreOpen && !then.reveals(old);
  });
  // What is read under another name than it is stored under has no counterpart in the form of before.
  const renamed = after.moves.flatMap(({ within: [top], from }) => top ?? from);
  return new Set([...opened.flatMap(({ path }) => path.split('.', 1)), ...renamed]);
}
