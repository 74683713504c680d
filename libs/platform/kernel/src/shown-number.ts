/** A number of a table whose text, as its program shows it, is not the plain number: 0.075 as `7.5%`, 123 as `00123`. */
export type ShownNumber = Readonly<{ number: number; shown: string }>;

/** Tables pass through JSON between processes, so that a shown number is known by its two keys alone. */
export const isShownNumber = (value: unknown): value is ShownNumber =>
  typeof value === 'object' &&
  value !== null &&
  'number' in value &&
  typeof value.number === 'number' &&
  'shown' in value &&
  typeof value.shown === 'string' &&
  Object.keys(value).length === 2;
