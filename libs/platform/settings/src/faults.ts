import type { FieldFault } from '@atrium/platform/kernel';

/** No more faults than these are searched for: a reader begins with the first ones. */
const MOST_FAULTS = 100;

/** What is wrong with a value or a configuration, one entry a fault, each with its path. */
export class Faults {
  private readonly found: FieldFault[] = [];

  add(path: string, code: string, message: string): void {
    if (this.found.length < MOST_FAULTS) this.found.push({ path, code, message });
  }

  get list(): readonly FieldFault[] {
    return this.found;
  }

  get any(): boolean {
    return this.found.length > 0;
  }
}

/** `lines[2].price` below `obj_content`; an empty base gives the path alone. */
export const pathOf = (base: string, step: string | number): string =>
  typeof step === 'number' ? `${base}[${step}]` : base === '' ? step : `${base}.${step}`;
