import { Injectable } from '@nestjs/common';
import type { RecordedVersion, VersionChange } from '../domain/page-version';

/** The history of nodes: full snapshots, whose values are stored once for each node. */
@Injectable()
export class PageVersions {
  /** Keeps what the nodes are now, within the unit of work of the caller. A constant number of statements for all. */
  recordVersions(_changes: readonly VersionChange[]): Promise<readonly RecordedVersion[]> {
    return Promise.reject(new Error('Not built yet.'));
  }
}
