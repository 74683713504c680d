import type { ImportOrder } from '@atrium/imports';

/** An import of objects as it is asked for. */
export interface ObjectImport extends ImportOrder {
  /** The schema of the objects. */
  readonly obj_form: string;
}
