import { invalidState, type Problem } from '@atrium/platform/kernel';
import { Flag, type FieldOptions } from './fields';

/** How a deleted row is restored: by a change of its flag, by `POST …/restore`, or not at all, with a sentence that says what to do instead. */
export type Restoration = 'change' | 'action' | { readonly never: string };

/** A row that is deleted by its flag: it stays and is read, and is not changed until it is restored. */
export interface Deactivation {
  readonly flag: string;
  readonly restoration: Restoration;
}

const declared = new Map<Function, Deactivation>();

/** The flag that is false once its row was deleted. A flag that switches something off, and may be false from the start, is a `@Flag`. */
export const Active =
  (restoration: Restoration, options: FieldOptions & { readonly about: string }): PropertyDecorator =>
  (target, key) => {
    Flag({ filter: 'equals', ...options })(target, key);
    declared.set(target.constructor, { flag: String(key), restoration });
  };

export const deactivationOf = (type: Function): Deactivation | undefined => declared.get(type);

/** Whether a change restores a deleted row; what else it says is done to the row that is restored. */
export const restores = (change: object, { flag, restoration }: Deactivation): boolean =>
  restoration === 'change' && (change as Readonly<Record<string, unknown>>)[flag] === true;

export const wasDeleted = (noun: string, { flag, restoration }: Deactivation): Problem =>
  invalidState(`The ${noun} was deleted. ${adviceOf(flag, restoration)}`);

function adviceOf(flag: string, restoration: Restoration): string {
  if (restoration === 'change') return `Set ${flag} to true to restore it.`;
  return restoration === 'action' ? 'Restore it with POST …/restore.' : restoration.never;
}
