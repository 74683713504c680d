export { guardedCell, unguardedCell } from './csv/formula-guard';
export type { WriteOptions } from './csv/write';
export {
  decodedAnswer,
  decodedMarkup,
  decodedText,
  encodingOf,
  isTextBytes,
  labelWithin,
  sniffEncoding,
  textOfBytes,
  wideTextOf,
} from './encoding';
export { TABULAR_LIMITS, type TabularLimits } from './limits';
export { Package, PACKAGE_LIMITS, type PackageLimits, type PackageOptions } from './package';
export { damagedFile, declaresEntities, expandsBeyondLimit, protectedByPassword } from './problems';
export type { TableRecord } from './records';
export { mainPart, relationshipsOf, type Relationship } from './relationships';
export { samplesOf } from './samples';
export { formatOfName, lookAt, rowsOfJson, rowsOfTable, type RowSource, type TableSnapshot } from './row-source';
export { isShownNumber, type ShownNumber } from '@atrium/platform/kernel';
export { shownText, type Cell, type Row, type SheetName } from './row';
export { StoredSource, type TabularSource } from './stored-source';
export { Tabular, type ReadOptions, type Table, type TabularFormat } from './tabular';
export { readXml, type XmlElement, type XmlHandler } from './xml-events';
