import { PACKAGE_LIMITS, type PackageLimits } from './package';

const MIB = 1024 * 1024;

/** Bounds of one table. What is beyond them ends the reading with a problem that names the limit. */
export interface TabularLimits {
  /** Of the file as it is stored. */
  readonly maxBytes: number;
  /** Rows that hold something, of all sheets together. */
  readonly maxRows: number;
  readonly maxColumns: number;
  /** Characters of one cell. */
  readonly maxCell: number;
  /** Characters of one row of text, its line breaks included. */
  readonly maxLine: number;
  /** Characters that a workbook may keep in its table of shared texts. */
  readonly maxSharedText: number;
  readonly package: PackageLimits;
}

export const TABULAR_LIMITS: TabularLimits = {
  maxBytes: 200 * MIB,
  maxRows: 1_048_576,
  maxColumns: 16_384,
  maxCell: MIB,
  maxLine: 16 * MIB,
  maxSharedText: 100 * MIB,
  package: PACKAGE_LIMITS,
};
