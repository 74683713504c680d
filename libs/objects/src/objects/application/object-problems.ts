import { isTaken } from '@atrium/forms';
import { invalidFields, Problem, type FieldFault, type ProblemCode } from '@atrium/platform/kernel';
import type { ObjectOutcome } from '../domain/object-change';

/** Codes of faults that are a problem of their own when nothing else is wrong. */
const PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  in_use: 'in_use',
  locked: 'invalid_state',
};

/** What a client is answered for a change that was refused. */
function problemOf(faults: readonly FieldFault[]): Problem {
  const [only] = faults;
  const codes = new Set(faults.map((fault) => (isTaken(fault) ? 'already_exists' : PROBLEMS[fault.code])));
  const [code] = codes;
  if (only && code && codes.size === 1) {
    const message = code === 'in_use' ? 'The object cannot be deleted because other objects refer to it; see errors.' : only.message;
    return new Problem(code, message, { errors: faults });
  }
  if (only?.path === 'obj_content' && only.code === 'length') return new Problem('payload_too_large', only.message, { errors: faults });
  return invalidFields(faults);
}

/** The id of an object that was written, or the problem why it was not. */
export function requireWritten(outcome: ObjectOutcome | undefined): string {
  if (!outcome) throw new Error('A change has no outcome.');
  if (outcome.action === 'refused') throw problemOf(outcome.faults);
  return outcome.obj_id;
}
