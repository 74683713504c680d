import type { Carried } from '@atrium/models';
import type { StepRow } from '../infrastructure/run-steps.repository';

/** A step that is done, as the steps after it need it. */
export type MadeStep = Pick<StepRow, 'step' | 'parts' | 'finish' | 'correction'> & {
  /** What goes back to its provider with it. */
  readonly carried?: Carried | null;
};
