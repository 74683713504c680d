import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { StoredSource, TABULAR_LIMITS, type ReadOptions, type TableSnapshot } from '@atrium/platform/tabular';
import { Compute } from './compute';
import { defineTask } from './compute-task';

const LOOK = defineTask<typeof import('./table-inspection.task')>(join(__dirname, 'table-inspection.task'), {
  what: 'table',
  isLong: true,
});

/**
 * Looks at tables that users have uploaded: their columns, first rows and number of rows. The file is opened in a bounded process; this
 * one passes its bytes on to a temporary file alone.
 */
@Injectable()
export class TableInspection {
  constructor(private readonly compute: Compute) {}

  async inspectTable(stream: Readable, options: ReadOptions, rows = 0): Promise<TableSnapshot> {
    const stored = await StoredSource.of(stream, options.limits?.maxBytes ?? TABULAR_LIMITS.maxBytes, options.what ?? 'file');
    try {
      return await this.compute.runTask(LOOK, { path: stored.path, options, rows });
    } finally {
      await stored.remove();
    }
  }
}
