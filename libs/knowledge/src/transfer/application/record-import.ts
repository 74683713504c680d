import type { ImportOrder } from '@atrium/imports';
import type { RecordStatus } from '../../records/domain/knowledge-record';

/** An import of records as it is asked for. */
export interface RecordImport extends ImportOrder {
  readonly rec_status?: RecordStatus;
}
