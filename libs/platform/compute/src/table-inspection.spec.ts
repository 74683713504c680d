import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { workbookOf } from '../../testing/src/archives/workbook-of';
import { Compute } from './compute';
import { TableInspection } from './table-inspection';

const MIB = 1024 * 1024;

describe('a look at a table', () => {
  let compute: Compute;
  let looks: TableInspection;

  beforeAll(() => {
    compute = new Compute({ timeoutMs: 60_000, memoryMib: 512 });
    looks = new TableInspection(compute);
  });
  afterAll(() => compute.onApplicationShutdown());

  const stream = (bytes: Buffer | string): Readable => Readable.from([Buffer.from(bytes)], { objectMode: false });

  it('shows its columns, its first rows and how many there are, and leaves no file behind', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('atrium-table-')).length;
    const csv = `name;price\n${Array.from({ length: 30 }, (_, at) => `Boat ${at};${at}`).join('\n')}\n`;
    expect(await looks.inspectTable(stream(csv), { format: 'csv' }, 2)).toMatchObject({
      columns: ['name', 'price'],
      rows: [{ values: { name: 'Boat 0', price: '0' } }, { values: { name: 'Boat 1' } }],
      total: 30,
      delimiter: ';',
    });
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('atrium-table-')).length).toBeLessThanOrEqual(before);
    expect(compute.processIds).toHaveLength(1);
  });

  it('says what is wrong with it in the words of the table', async () => {
    await expect(looks.inspectTable(stream('a,a\n1,2\n'), { format: 'csv' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(looks.inspectTable(stream('PK nothing'), { format: 'xlsx' })).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('damaged') as string,
    });
    await expect(looks.inspectTable(stream('abcdef'), { format: 'csv', limits: { maxBytes: 3 } })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('keeps no more of shared texts than it may, whether they are long or empty', async () => {
    const workbook = (sharedTexts: readonly string[]): Buffer =>
      workbookOf({ sheets: [{ name: 'A', rows: '<row><c t="s"><v>0</v></c></row>' }], sharedTexts });
    const options = { format: 'xlsx', limits: { maxSharedText: MIB } } as const;
    const whole = randomBytes(MIB).toString('hex');
    for (const texts of [[whole], Array.from({ length: MIB / 16 + 1 }, () => ''), [`<r><t>${whole.slice(0, 9)}</t></r>`.repeat(MIB / 8)]])
      await expect(looks.inspectTable(stream(workbook(texts)), options)).rejects.toMatchObject({
        code: 'payload_too_large',
        detail: expect.stringContaining('expands beyond') as string,
      });
  });
});
