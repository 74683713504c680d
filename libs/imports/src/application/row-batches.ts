import type { TableRecord } from '@atrium/platform/tabular';

const AT_ONCE = 500;

/** Rows behind a place, so many at once. */
export async function* batchesOf(rows: AsyncIterable<TableRecord>, behind: number): AsyncGenerator<readonly TableRecord[]> {
  let batch: TableRecord[] = [];
  for await (const row of rows) {
    if (row.number <= behind) continue;
    batch.push(row);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
