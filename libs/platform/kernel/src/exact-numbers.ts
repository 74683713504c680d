import type { JsonValue } from './json';
import { invalidFields, type FieldFault } from './problem';

/** As many numbers as a refusal names. */
const MOST_NAMED = 20;
const MESSAGE =
  'The number has more digits than JSON readers keep. Send it as a string, in quotation marks; fields for decimals and texts accept it.';

const isInexact = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

/** Refuses whole numbers, in what was JSON, that may have lost digits when it was parsed; `at` is where the value is in the request. */
export function assertExact(at: string, value: JsonValue | undefined): void {
  const faults: FieldFault[] = [];
  if (value !== undefined) addInexact(value, { at, steps: [], faults });
  if (faults.length > 0) throw invalidFields(faults);
}

interface Walk {
  readonly at: string;
  readonly steps: (string | number)[];
  readonly faults: FieldFault[];
}

/** Walks on until enough are found. Bodies have hundreds of thousands of values: a path is written where there is a fault alone. */
function addInexact(value: JsonValue, walk: Walk): void {
  const { at, steps, faults } = walk;
  if (typeof value === 'number') {
    if (!isInexact(value)) return;
    const path = `${at}${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
    faults.push({ path, code: 'inexact', message: MESSAGE });
  } else if (typeof value === 'object' && value !== null) {
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const parts = (keys ? Object.values(value) : value) as readonly JsonValue[];
    for (let nth = 0; nth < parts.length && faults.length < MOST_NAMED; nth++) {
      const part = parts[nth] ?? null;
      if (typeof part === 'number' ? !isInexact(part) : typeof part !== 'object') continue;
      steps.push(keys?.[nth] ?? nth);
      addInexact(part, walk);
      steps.pop();
    }
  }
}
