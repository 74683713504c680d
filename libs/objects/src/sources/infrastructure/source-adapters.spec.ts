import { Compute } from '@atrium/platform/compute';
import { loadSettings } from '@atrium/platform/config';
import type { JsonObject } from '@atrium/platform/kernel';
import { GuardedHttp, OutboundRetries } from '@atrium/platform/outbound';
import { busy, cutOff, halfText, ledTo, RowsServer, status } from '@atrium/platform/testing';
import { readConfig } from '../domain/source-config';
import type { SourcePage, SourceQuestion } from '../domain/source-port';
import { JsonSource } from './json-source';
import { SourceHttp } from './source-http';
import { TableSource } from './table-source';

class Hasty extends OutboundRetries {
  override readonly pauseMs = 1;
}

const http = new GuardedHttp(
  loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: '127.0.0.1' }),
);
const patient = new SourceHttp(http, new Hasty());
const compute = new Compute({ timeoutMs: 60_000, memoryMib: 512 });
const json = new JsonSource(patient, compute);
const table = new TableSource(patient);

let server: RowsServer;
beforeEach(async () => {
  server = await RowsServer.start();
});
afterEach(() => server.stop());
afterAll(() => compute.onApplicationShutdown());

const rowsOf = (count: number): { readonly id: number }[] => Array.from({ length: count }, (_, id) => ({ id }));

const jsonPages = (config: JsonObject, more: Partial<SourceQuestion> = {}): AsyncIterable<SourcePage> =>
  json.readPages({
    config: readConfig('http_json', { url: `${server.url}/link`, pagination: { style: 'link' }, ...config }),
    credentials: null,
    cursor: null,
    signal: new AbortController().signal,
    ...more,
  });
const tablePages = (
  config: JsonObject = {},
  cursor: JsonObject | null = null,
  more: Partial<SourceQuestion> = {},
): AsyncIterable<SourcePage> =>
  table.readPages({
    config: readConfig('http_csv', { url: `${server.url}/table`, ...config }),
    credentials: null,
    cursor,
    signal: new AbortController().signal,
    ...more,
  });

async function all(pages: AsyncIterable<SourcePage>): Promise<SourcePage[]> {
  const read: SourcePage[] = [];
  for await (const page of pages) read.push(page);
  return read;
}
const ids = (pages: readonly SourcePage[]): unknown[] =>
  pages.flatMap(({ rows }) => rows.map(({ value }) => (value as JsonObject | null)?.['id']));

describe('pages of JSON', () => {
  it('go on at a cursor as from the beginning', async () => {
    server.rows = rowsOf(7);
    server.pageSize = 3;
    const pages = await all(jsonPages({}));
    expect(ids(pages)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(pages.map(({ next }) => next === null)).toEqual([false, false, true]);
    expect(ids(await all(jsonPages({}, { cursor: pages[0]?.next ?? null })))).toEqual([3, 4, 5, 6]);
    expect(ids(await all(jsonPages({}, { cursor: pages[1]?.cursor ?? null })))).toEqual([3, 4, 5, 6]);
  });

  it('are asked for six times in all where the source fails, and once where it is being tried', async () => {
    server.rows = rowsOf(1);
    server.faults.push(busy(0), cutOff, halfText, status(500), status(503));
    expect(ids(await all(jsonPages({})))).toEqual([0]);
    expect(server.asked).toHaveLength(6);
    server.faults.push(...Array.from({ length: 6 }, () => status(502)));
    await expect(all(jsonPages({}))).rejects.toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining('502') });
    expect(server.faults).toHaveLength(0);
    server.faults.push(status(502));
    await expect(all(jsonPages({}, { once: true }))).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(server.asked).toHaveLength(13);
  });

  it('show the worker at work while a source asks for a pause', async () => {
    server.rows = rowsOf(1);
    server.faults.push(busy(1));
    let shown = 0;
    await all(jsonPages({}, { waiting: () => Promise.resolve(void shown++) }));
    expect(shown).toBe(1);
  });

  it.each([401, 403, 404, 400, 410])('are asked for once where the source answers %i', async (code) => {
    server.faults.push(status(code));
    await expect(all(jsonPages({}))).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining(String(code)),
    });
    expect(server.asked).toHaveLength(1);
  });

  it('do not lead into the network behind the service', async () => {
    server.faults.push(ledTo('http://169.254.169.254/latest/meta-data'));
    await expect(all(jsonPages({}))).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('not public'),
    });
    expect(server.asked).toHaveLength(1);
  });

  it('say which rows are none', async () => {
    server.rows = [{ id: 1 }, 'text' as never, null as never];
    const [page] = await all(jsonPages({}));
    expect(page?.rows.map(({ fault }) => fault)).toEqual([undefined, 'The row is not an object.', 'The row is not an object.']);
  });

  it('of many rows are read in a bounded process, and a row that is too large is a fault alone', async () => {
    server.pageSize = 100_000;
    server.rows = [...rowsOf(50_000), { id: 'large', text: 'x'.repeat(1024 * 1024) }];
    const [page] = await all(jsonPages({}));
    expect(compute.processIds).toHaveLength(1);
    expect(page?.rows).toHaveLength(50_001);
    expect(page?.rows[49_999]).toEqual({ value: { id: 49_999 } });
    expect(page?.rows[50_000]).toEqual({ value: null, fault: 'The row is larger than 1 MiB.' });
  });

  it('that are no JSON, or have no list at the path, are a fault of the source or its settings', async () => {
    server.faults.push(halfText);
    await expect(all(jsonPages({}, { once: true }))).rejects.toMatchObject({ code: 'upstream_failed' });
    server.rows = rowsOf(20_000);
    await expect(all(jsonPages({ rows: '$.items' }))).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('osr_config.rows'),
    });
  });

  it('are refused where one is larger than a trial reads', async () => {
    server.rows = Array.from({ length: 200 }, () => ({ text: 'x'.repeat(10_000) }));
    server.pageSize = 200;
    const mostBytes = 1024 * 1024;
    expect(ids(await all(jsonPages({})))).toHaveLength(200);
    await expect(all(jsonPages({}, { once: true, mostBytes }))).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('larger than the 1 MiB that a test reads'),
    });
  });

  it('end with a sentence where there is no list', async () => {
    await expect(all(jsonPages({ rows: '$.items' }))).rejects.toMatchObject({ detail: expect.stringContaining('no list at $.items') });
  });
});

describe('a table', () => {
  const lines = (count: number): string => `id,name\n${Array.from({ length: count }, (_, at) => `${at},Lamp ${at}\n`).join('')}`;

  it('is read in pages, and goes on behind a row of the very same table', async () => {
    server.table = lines(4_500);
    const pages = await all(tablePages());
    expect(pages.map(({ rows }) => rows.length)).toEqual([2_000, 2_000, 500]);
    expect(ids(pages)).toHaveLength(4_500);
    const rest = await all(tablePages({}, pages[0]?.next ?? null));
    expect(ids(rest)).toEqual(ids(pages.slice(1)));
    server.table = lines(4_501);
    expect(ids(await all(tablePages({}, pages[0]?.next ?? null)))).toHaveLength(4_501);
  });

  it('of which the beginning alone is read ends with the last whole line of it', async () => {
    server.table = lines(100_000);
    const read = ids(await all(tablePages({}, null, { once: true, mostBytes: 100_000 })));
    expect(read.length).toBeGreaterThan(5_000);
    expect(read.length).toBeLessThan(100_000 / '0,Lamp 0\n'.length);
    expect(read).toEqual(Array.from({ length: read.length }, (_, at) => String(at)));
  });

  it('is one page where it is empty below its header', async () => {
    server.table = 'id,name\n';
    expect(await all(tablePages())).toMatchObject([{ rows: [], next: null }]);
  });

  it('is read as JSON lines, with the rows that cannot be read', async () => {
    server.table = '{"id":"a"}\nbroken\n{"id":"b"}\n';
    const [page] = await all(tablePages({ format: 'jsonl' }));
    expect(page?.rows).toMatchObject([
      { value: { id: 'a' } },
      { value: null, fault: expect.stringContaining('Row 2') },
      { value: { id: 'b' } },
    ]);
  });

  it('says what is wrong with its header', async () => {
    server.table = 'id,id\n1,2\n';
    await expect(all(tablePages())).rejects.toMatchObject({ code: 'unprocessable_content', detail: expect.stringContaining('both named') });
  });

  it('is asked for again where it breaks off', async () => {
    server.table = lines(3);
    server.faults.push(cutOff);
    expect(ids(await all(tablePages()))).toEqual(['0', '1', '2']);
  });

  const megabytes = Number(process.env.SYNC_TABLE_MB ?? 0);
  (megabytes > 0 ? it : it.skip)(
    `of ${megabytes} MB passes through a small memory`,
    async () => {
      const line = `${'x'.repeat(998)},\n`;
      const body = Buffer.concat([Buffer.from('id,name\n'), Buffer.from(line.repeat(megabytes * 1_048))]);
      server.table = body;
      const before = process.memoryUsage().rss;
      let [rows, most] = [0, 0];
      for await (const page of tablePages()) {
        rows += page.rows.length;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      expect(rows).toBe(megabytes * 1_048);
      expect(most).toBeLessThan(400 * 1024 * 1024);
    },
    600_000,
  );
});
