import type { Line } from './page-lines';

/** The lines of a page, in the order in which they are read. */
export interface PageLines {
  readonly page: number;
  readonly height: number;
  /** What most of the page says, in its order. */
  readonly lines: readonly Line[];
  /** Text in other directions than that: stamps in the margin, labels of figures. */
  readonly aside: readonly (readonly Line[])[];
}
