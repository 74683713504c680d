/**
 * Whether a pass may deactivate what it did not find: no more than so many percent of the objects that the source had before the pass.
 * A source that is broken or empty must not empty the workspace.
 */
export const brakeHolds = ({
  missing,
  before,
  percent,
}: {
  readonly missing: number;
  readonly before: number;
  readonly percent: number;
}): boolean => missing * 100 > before * percent;
