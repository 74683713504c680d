import type { CellConventions } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { ObjectSource } from '../domain/object-source';
import type { SourceMapping } from '../domain/source-mapping';
import type { SyncRun } from '../domain/sync-run';

/** What one run of a source goes by; a change of the source counts from the next run on. */
export interface PassPlan {
  readonly run: SyncRun;
  readonly source: ObjectSource;
  readonly mapping: SourceMapping;
  readonly habits: CellConventions;
  /** Digest of the settings that decide what is written of a row. */
  readonly salt: string;
}

/** Who a step is done for: the asker with the rights of the moment; null: its clock. */
export type Acting = Principal | null;
