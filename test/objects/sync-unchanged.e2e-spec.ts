import { eventually, RowsServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { MessageCounter } from '../identity/message-counter';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { articles, MAPPING, Syncing } from './syncing';

const ROWS = Number(process.env.SYNC_UNCHANGED_ROWS ?? 5_000);
const WITHIN_MS = 8 * 60_000;
/** What the queue and the relay send by their clocks, whatever runs. */
const OF_THE_QUEUE = /^\s*--|\boutbox|pg_notify|LISTEN|\bschedule(?:_claim|_done)?\b|_roll\(/;
const A_PAGE = 2_000;

let api: RunningApi;
let ours: TestWorkspace;
let server: RowsServer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-objects']);
  server = await RowsServer.start();
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

/** What was ever written of objects and of their revisions, index and words. */
const written = (): Promise<unknown[]> =>
  api.sql(
    `SELECT (SELECT count(*)::int FROM object WHERE tenant_id = $1) AS objects, (SELECT sum(row_version)::int FROM object WHERE tenant_id = $1) AS versions,
       (SELECT max(xmin::text::bigint)::text FROM object WHERE tenant_id = $1) AS last_object, (SELECT count(*)::int FROM object_revision WHERE tenant_id = $1) AS revisions,
       (SELECT max(xmin::text::bigint)::text FROM object_revision WHERE tenant_id = $1) AS last_revision, (SELECT max(xmin::text::bigint)::text FROM form_value WHERE tenant_id = $1) AS last_value`,
    [ours.tenant_id],
  );

/** The statements of a run, between its request and what it does in the end: to forget which rows it has met. */
async function statementsOf(source: Syncing): Promise<string[]> {
  const counter = new MessageCounter(api);
  try {
    const job_id = await source.start();
    counter.reset();
    await eventually(
      () => Promise.resolve(counter.texts.some((text) => text.includes('DELETE FROM object_sync_seen'))),
      Boolean,
      WITHIN_MS,
    );
    // Units of work of the workspace open and end with a statement each; those of all workspaces are of the queue.
    const opened = counter.texts.filter((text) => text.startsWith('START TRANSACTION') && text.includes(ours.tenant_id));
    const said = counter.texts.filter((text) => !/^(?:START TRANSACTION|COMMIT)/.test(text) && !OF_THE_QUEUE.test(text));
    expect(await source.ended(job_id)).toMatchObject({ status: 'completed', done: ROWS, unchanged: ROWS, created: 0, updated: 0 });
    return [...opened, ...opened.map(() => 'COMMIT'), ...said];
  } finally {
    counter.close();
  }
}

describe(`a sync of ${ROWS} rows that have not changed`, () => {
  it.each<[string, { readonly url: string } & Record<string, unknown>, object]>([
    ['pages of JSON', { url: '/link', rows: '$', total: undefined, pagination: { style: 'link' } }, {}],
    ['a table', { url: '/table', rows: undefined, total: undefined, pagination: undefined }, { osr_kind: 'http_csv' }],
  ])(
    'from %s writes no row of objects and revisions, and takes at most a statement for a hundred rows',
    async (_, config, more) => {
      const rows = articles(ROWS);
      server.rows = rows;
      server.pageSize = A_PAGE;
      server.table = ['id,title,price', ...rows.map(({ id, title, price }) => `${id},${String(title)},${String(price)}`)].join('\n');
      const source = await Syncing.set(
        api,
        ours,
        server,
        { osr_mapping: MAPPING, ...more },
        { ...config, url: `${server.url}${config.url}` },
      );
      expect(await source.sync({}, WITHIN_MS)).toMatchObject({ status: 'completed', created: ROWS });
      const before = await written();
      const statements = await statementsOf(source);
      expect(await written()).toEqual(before);
      expect(statements.length).toBeGreaterThan(0);
      if (statements.length > ROWS / 100) throw new Error(`${statements.length} statements:\n${summary(statements)}`);
    },
    WITHIN_MS * 2,
  );
});

/** How often each statement was sent, for a test that failed. */
function summary(statements: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of statements.map((one) => one.replace(/\s+/g, ' ').trim().slice(0, 120))) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${count} × ${text}`).join('\n');
}
