import type { WorkspaceConventions } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { BaseAccess } from '../../bases/application/base-access';
import type { JobObjects } from '../../work/infrastructure/job-objects';
import type { ExportedRecordRows } from '../infrastructure/exported-records.rows';
import type { ImportReadings } from './import-reading';
import { RecordExport } from './record-export';

/** An export of a base with one record that has these schemas, one time after the other that it is read. */
function exporting(...schemas: readonly (string | null)[]): Promise<unknown> {
  const left = [...schemas];
  const pages = [[{ rec_id: 'r', rec_content: { body: 'Text' }, rec_tags: [], rec_valid_from: null, rec_valid_until: null }], []];
  const records = new RecordExport(
    { read: (work: () => unknown) => work() } as unknown as Database,
    { requireReadable: () => Promise.resolve({ ds_name: 'Base', form_id: left.shift() }) } as unknown as BaseAccess,
    undefined as never,
    { findFormOfImport: () => Promise.resolve(null) } as unknown as ImportReadings,
    { readHabits: () => Promise.resolve({}) } as unknown as WorkspaceConventions,
    { listRecords: () => Promise.resolve(pages.shift()) } as unknown as ExportedRecordRows,
    {
      putObject: async (_job: string, _name: string, text: AsyncIterable<unknown>) => {
        for await (const _ of text);
        return { key: 'k', size: 0 };
      },
    } as unknown as JobObjects,
  );
  return records.writeExport({
    job_id: 'j',
    ds_id: 'b',
    format: 'jsonl',
    acting: () => Promise.resolve({ permissions: new Set() } as unknown as Principal),
  });
}

describe('an export of records', () => {
  it('ends where the base is given another schema while it is read, which would show values by the one before', async () => {
    await expect(exporting('a', 'b')).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(exporting('a', 'a', 'b')).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(exporting('a', null)).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(exporting(null, 'b')).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('is written by the schema that the base has all the time', async () => {
    expect(await exporting('a', 'a', 'a')).toMatchObject({ key: 'k', facts: { record_count: 1 } });
  });
});
