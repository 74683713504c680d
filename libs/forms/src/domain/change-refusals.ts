import { invalidFields, notYet, Problem, type FieldFault } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import type { BlockedChange, FormDiff } from './form-diff';
import type { Move } from './moves';

/** What is stored by the configuration of before, as far as a change asks. */
export interface StoredContent {
  /** How many values are stored under each path of `diff.blocked`; a path that is missing has none. */
  readonly counts: ReadonlyMap<string, number>;
  /** Moves that stored content has not followed yet. */
  readonly pending?: readonly Move[];
}

/** Refuses a change that stored content cannot follow without a loss: for owners of configurations in rows of their own. */
export function assertFollowed(after: CompiledForm, diff: FormDiff, { counts, pending = [] }: StoredContent): void {
  assertUntouched(pending, after, 'they have been moved');
  assertKnownNames(diff);
  assertConvertible(diff.blocked, counts);
}

/** A field that is to continue another one has to name one that is there: else its values would seem to be gone. */
export function assertKnownNames({ strays }: Pick<FormDiff, 'strays'>): void {
  if (strays.length === 0) return;
  throw invalidFields(
    strays.map(({ declared, renamed_from }) => ({
      path: `${declared}.renamed_from`,
      code: 'reference',
      message: `The form has no field ${renamed_from ?? ''} whose values could be moved.`,
    })),
  );
}

/** A key from which values are still to be moved cannot be that of another field in the meantime. */
export function assertUntouched(pending: readonly Move[], after: CompiledForm, until: string): void {
  const taken = pending.find(({ within, from, to }) => from !== to && after.field([...within, from].join('.')));
  if (taken) throw notYet(`Values of ${taken.from} are still being moved to ${taken.to}. The key is available when ${until}.`, 5);
}

/** A type that stored values cannot be converted to is refused with their count. */
export function assertConvertible(blocked: readonly BlockedChange[], counts: ReadonlyMap<string, number>): void {
  const faults = blocked.flatMap(({ path, declared, from_type, to_type }): FieldFault[] => {
    const count = counts.get(path) ?? 0;
    if (count === 0) return [];
    const message = `${count} stored values of ${path} have the type ${from_type} and cannot be converted to ${to_type}; use a new key.`;
    return [{ path: declared, code: 'type', message }];
  });
  const [first] = faults;
  if (!first) return;
  const summary = faults.length === 1 ? first.message : `${faults.length} fields have stored values of another type; see errors.`;
  throw new Problem('in_use', summary, { errors: faults });
}
