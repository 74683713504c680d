import {
  drawPicture,
  eventually,
  LoopbackClamd,
  StockServer,
  type Client,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { CLOUDFLARE, LoopbackEdges, PURGE } from '../distribution/loopback-edges';
import { copied, publish } from '../distribution/publishing';
import { endedJob, type FileJobAnswer } from '../files/file-jobs-of';
import { readFile, settled, upload } from '../files/uploading';
import { MailServer } from '../identity/mail-server';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS, operatorOf } from '../support/operating';
import { Gate } from './gate';

/** More than any of these jobs has. */
const ATTEMPTS = 10;

const clamd = new LoopbackClamd();
const post = new MailServer();
const edges = new LoopbackEdges();
let stock: StockServer;
const gates: Gate[] = [];
let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

const gated = async (address: string): Promise<string> => {
  const port = /:(\d+)(?=\D*$)/.exec(new URL(address).host)?.[1] ?? '';
  const gate = await Gate.to(Number(port));
  gates.push(gate);
  return address.replace(`:${port}`, `:${gate.port}`);
};

beforeAll(async () => {
  stock = await StockServer.start();
  stock.picture = await drawPicture({ width: 320, height: 240, format: 'jpeg', seed: 3 });
  const told = await edges.start();
  const edge = await gated(told.EDGE_CLOUDFLARE_URL ?? '');
  const UNSPLASH_URL = await gated(stock.url);
  api = await startAtriumWithWorker({
    ...told,
    EDGE_CLOUDFLARE_URL: edge,
    EDGE_HTTP_URL: `${edge}/edge`,
    CLAMD_ADDRESS: (await gated(`tcp://${await clamd.start()}`)).replace('tcp://', ''),
    SMTP_URL: await gated(await post.start()),
    OUTBOUND_ALLOW: '127.0.0.1/32',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL,
    OPERATOR_TOKENS,
    WORKER_OUTAGE_PAUSE_SECONDS: '0.2',
  });
  ours = await api.workspace(['module-publication']);
  client = ours.owner.client;
}, 60_000);
afterAll(async () => {
  await api.close();
  await Promise.all(gates.map((gate) => gate.stop()));
  await clamd.stop();
  await post.stop();
  await stock.stop();
  edges.stop();
});

/** What waits, for which part, and how often at least it was tried. */
const waiting = async (): Promise<Record<string, number>> => {
  const rows = await api.sql<{ part: string; waits: number }>(
    'SELECT ev_waits_for AS part, min(ev_waits) AS waits FROM outbox WHERE ev_waits_for IS NOT NULL AND ev_done IS NULL GROUP BY 1',
  );
  return Object.fromEntries(rows.map(({ part, waits }) => [part, Number(waits)]));
};

describe('scanner, mail server, edges and stock provider that are away for longer than all attempts of a job', () => {
  it('fail nothing: uploads, mails, policies and reports of imports wait, say so, and go well once the parts are back', async () => {
    const before = await settled(client, (await upload(client, 'before.txt', Buffer.from('before'))).file_id);
    const found = (await client.post('/stock-photos/unsplash:u1/import', {}).expect(202)).body as FileJobAnswer;
    expect(await endedJob(client, found.job_id)).toMatchObject({ status: 'completed', done: 1 });
    await eventually(
      () => api.sql('SELECT 1 FROM stock_import WHERE si_told IS NOT NULL'),
      (told) => told.length === 1,
    );
    for (const gate of gates) gate.close();

    await client.post('/stock-photos/unsplash:u2/import', {}).expect(502);
    // As if the provider had gone just before the import was reported to it.
    await api.sql('UPDATE stock_import SET si_told = NULL');
    await api.sql("UPDATE outbox SET ev_done = NULL, ev_sent = NULL, ev_lease = NULL WHERE ev_name = 'media.stock-ping'");
    const scanned = await upload(client, 'scanned.txt', Buffer.from('to be scanned'));
    await client.post('/admin/users', { user_email: 'guest@parts.example', user_name: 'Guest', send_invite: true }).expect(201);
    await publish(client, before.file_id);
    await eventually(waiting, (parts) => ['scanner', 'mail', 'edge', 'stock'].every((part) => (parts[part] ?? 0) > ATTEMPTS), 120_000);
    expect(await readFile(client, scanned.file_id)).toMatchObject({
      file_processing: 'pending',
      file_metadata: { system: { waits_for: 'scanner' } },
    });
    const health = await eventually(
      () => operatorOf(api).get('/health'),
      ({ body }) => body.waiting?.length === 4,
    );
    expect(health.body.waiting.map(({ part }: { part: string }) => part).sort()).toEqual(['edge', 'mail', 'scanner', 'stock']);
    expect(post.to('guest@parts.example')).toEqual([]);

    for (const gate of gates) gate.open();
    expect(await settled(client, scanned.file_id)).toMatchObject({ file_processing: 'ready' });
    await eventually(
      () => Promise.resolve(post.to('guest@parts.example').length),
      (count) => count > 0,
      60_000,
    );
    expect(await copied(client, before.file_id)).toMatchObject({ pub_copy_state: 'ready', pub_error: null });
    for (const call of [CLOUDFLARE, PURGE])
      await eventually(
        () => Promise.resolve(edges.taken(call).length),
        (count) => count > 0,
        60_000,
      );
    await eventually(
      () => Promise.resolve(stock.pings.length),
      (pings) => pings === 2,
      60_000,
    );
    await eventually(waiting, (parts) => Object.keys(parts).length === 0, 60_000);
    expect(post.to('guest@parts.example')).toHaveLength(1);
    expect(await api.sql('SELECT ev_name, ev_error FROM outbox WHERE ev_error IS NOT NULL')).toEqual([]);
  }, 300_000);
});
