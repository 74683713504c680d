import { inWorkspace, type Database, type Sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { RecordsRepository, type WrittenRecord } from './records.repository';

const MIB = 1024 * 1024;
const ROWS = 100;
const TEXT = 'x'.repeat(50_000);

describe('many records that are large', () => {
  it.each(['insertMany', 'updateMany', 'saveMigrated'] as const)(
    'are written by statements none of which is large, and all of them are: %s',
    async (write) => {
      const lengths: number[] = [];
      const execute = ({ values }: Sql): Promise<number> => {
        lengths.push(Math.max(...values.map((value) => (typeof value === 'string' ? value.length : 0))));
        return Promise.resolve(ROWS);
      };
      const records = new RecordsRepository({ current: () => ({ execute }) } as unknown as Database);
      const all = Array.from(
        { length: ROWS },
        () =>
          ({
            rec_id: newId(),
            rec_hash: '',
            rec_name: 'Row',
            rec_content: { body: TEXT },
            rec_text: TEXT,
            words: { title: '', summary: '', text: TEXT },
          }) as unknown as WrittenRecord,
      );
      const writing = { rec_base: newId(), rec_form: null, rec_source: 'import', rec_crawl: null, by: null, now: new Date() } as const;
      await inWorkspace(newId(), () => records[write](all, writing));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(MIB + ROWS);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(3 * ROWS * TEXT.length);
    },
  );
});
