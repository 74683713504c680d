export { ColumnReadings, type OpenColumns } from './application/column-readings';
export { ImportRuns, type ImportAbort } from './application/import-runs';
export {
  type Cleaned,
  type ImportEntry,
  type ImportJob,
  type ImportStep,
  type ImportTarget,
  type ReadRow,
  type WrittenCounts,
  type WrittenEntry,
} from './application/import-target';
export { previewTable, type ImportPreview } from './application/import-preview';
export { ImportTables, knownTable, type FoundTable, type ImportFile, type KnownTable } from './application/import-tables';
export { isEmptyCell, listCell, shownCell, textCell, textOfCell } from './application/own-cells';
export { foldedName, suggestedMapping } from './domain/column-targets';
export {
  IMPORT_FORMATS,
  IMPORT_LIMITS,
  IMPORT_MODES,
  MOST_INLINE_ROWS,
  ON_ERROR,
  type ImportMapping,
  type ImportOrder,
  type SaidMapping,
  type TableOrder,
} from './domain/import-order';
export { MOST_LISTED_FAULTS } from '@atrium/forms';
export { type RowFaults } from './domain/row-faults';
export { isProperty, keyValueOf, type RowKind } from './domain/row-kind';
export { ImportsModule } from './imports.module';
