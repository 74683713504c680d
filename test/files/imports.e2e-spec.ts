import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@atrium/platform/kernel';
import { drawPicture, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { endedJob, type FileJobAnswer } from './file-jobs-of';
import { MEDIA, readFile, settled } from './uploading';

const MIB = 1024 * 1024;

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;
let server: Server;
let origin: string;
/** The content of the paths on the other side. */
const pages = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://x').pathname);
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = await startAtriumWithWorker({ OUTBOUND_ALLOW: '127.0.0.1/32', UPLOAD_MAX_BYTES: String(2 * MIB) });
  ours = await api.workspace(['module-documents']);
  owner = ours.owner.client;
});
afterAll(async () => {
  await api.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const start = async (client: Client, body: Record<string, unknown>): Promise<FileJobAnswer> =>
  (await client.post('/uploads/import', { file_repo: MEDIA, ...body }).expect(202)).body as FileJobAnswer;
const imported = async (client: Client, body: Record<string, unknown>): Promise<FileJobAnswer> =>
  endedJob(client, (await start(client, body)).job_id);
const objects = async (): Promise<string[]> => {
  const { ObjectStore } = await import('@atrium/platform/storage');
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${ours.tenant_id}/`)) keys.push(key);
  return keys.sort();
};

describe('importing from an address', () => {
  it('makes a file that is processed like every upload and records its source', async () => {
    const photo = await drawPicture({ width: 400, height: 300, format: 'jpeg' });
    pages.set('/photos/dawn.jpg', (_request, response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(photo));
    const job = await imported(owner, { source_url: `${origin}/photos/dawn.jpg?token=secret` });
    expect(job).toMatchObject({ job_kind: 'import', status: 'completed', done: 1, failed: 0, total: 1, error: null });
    const file = await settled(owner, job.result?.file_id ?? '');
    expect(file).toMatchObject({
      file_name: 'dawn.jpg',
      file_type: 'image/jpeg',
      file_processing: 'ready',
      file_hash: createHash('sha256').update(photo).digest('hex'),
      file_replicas: 'small,medium,large',
    });
    expect(file.file_metadata.system).toMatchObject({ width: 400, source: { kind: 'import', ref: `${origin}/photos/dawn.jpg` } });
    const versions = (await owner.get(`/files/${file.file_id}/versions`).expect(200)).body as { data: { fv_source: string }[] };
    expect(versions.data.map(({ fv_source }) => fv_source)).toEqual(['import']);
    expect(JSON.stringify(job)).not.toContain('secret');
  });

  it('names the file as it is asked to, as the answer says, or as the address ends', async () => {
    pages.set('/export', (_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="../2026/report.csv"' })
        .end('a,b\n1,2\n'),
    );
    pages.set('/note', (_request, response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('note'));
    const nameOf = async (body: Record<string, unknown>): Promise<string> =>
      (await readFile(owner, (await imported(owner, body)).result?.file_id ?? '')).file_name;
    expect(await nameOf({ source_url: `${origin}/export` })).toBe('_2026_report.csv');
    expect(await nameOf({ source_url: `${origin}/export`, file_name: 'mine.csv' })).toBe('mine.csv');
    expect(await nameOf({ source_url: `${origin}/note` })).toBe('note.txt');
  });

  it('[files 19] refuses loopback and private addresses that are not allow-listed, and redirects to them', async () => {
    pages.set('/away', (_request, response) => response.writeHead(302, { Location: 'http://10.0.0.1/latest' }).end());
    pages.set('/home', (_request, response) => response.writeHead(302, { Location: `http://127.0.0.2:${new URL(origin).port}/x` }).end());
    pages.set('/meta', (_request, response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end());
    pages.set('/kept', (_request, response) => response.writeHead(302, { Location: `${origin}/note` }).end());
    const port = new URL(origin).port;
    for (const source_url of [
      `http://127.0.0.2:${port}/note`,
      `http://[::1]:${port}/note`,
      'https://10.0.0.1/x',
      'https://169.254.169.254/x',
      `${origin}/away`,
      `${origin}/home`,
      `${origin}/meta`,
    ]) {
      const job = await imported(owner, { source_url });
      expect({ source_url, ...job }).toMatchObject({
        source_url,
        status: 'failed',
        done: 0,
        result: null,
        errors: [{ file_id: null, code: 'unprocessable_content' }],
      });
      expect(job.error).toBeTruthy();
    }
    expect(await imported(owner, { source_url: `${origin}/kept` })).toMatchObject({ status: 'completed' });
  });

  it('stops as soon as there are too many bytes, says so, and leaves nothing in storage', async () => {
    const before = await objects();
    pages.set('/large', (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(randomBytes(3 * MIB)),
    );
    pages.set('/endless', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    for (const path of ['/large', '/endless'])
      expect(await imported(owner, { source_url: `${origin}${path}` })).toMatchObject({
        status: 'failed',
        errors: [{ code: 'unprocessable_content' }],
      });
    expect((await objects()).filter((key) => !before.includes(key))).toEqual([]);
  });

  it('fails with the status that the address answers', async () => {
    pages.set('/gone', (_request, response) => response.writeHead(410).end());
    const job = await imported(owner, { source_url: `${origin}/gone` });
    expect(job).toMatchObject({ status: 'failed' });
    expect(job.error).toContain('410');
  });

  it('fails when there is no room for the bytes, and leaves none', async () => {
    const workspace = await api.workspace();
    pages.set('/heavy', (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(randomBytes(MIB)),
    );
    await api.sql(
      'INSERT INTO storage_quota (tenant_id, quota_bytes) VALUES ($1, 1000) ON CONFLICT (tenant_id) DO UPDATE SET quota_bytes = 1000',
      [workspace.tenant_id],
    );
    expect(await imported(workspace.owner.client, { source_url: `${origin}/heavy` })).toMatchObject({
      status: 'failed',
      errors: [{ code: 'limit_reached' }],
    });
    expect(await api.sql('SELECT 1 FROM file_blob WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([]);
    const opened = await workspace.owner.client.post('/uploads', { file_repo: MEDIA, file_name: 'a.bin', file_size: 1_001 }).expect(409);
    expect(opened.body.code).toBe('limit_reached');
  });

  it('takes albums for the file, and programs from nobody', async () => {
    const { album_id } = (await owner.post('/albums', { album_name: 'Imported' }).expect(201)).body as { album_id: string };
    const job = await imported(owner, { source_url: `${origin}/note`, album_ids: [album_id] });
    expect((await owner.get(`/files/${job.result?.file_id}/references`).expect(200)).body.data).toMatchObject([{ ref_id: album_id }]);
    pages.set('/setup.exe', (_request, response) => response.writeHead(200).end('MZ'));
    expect(await imported(owner, { source_url: `${origin}/setup.exe` })).toMatchObject({
      status: 'failed',
      errors: [{ code: 'unprocessable_content' }],
    });
  });

  it('is refused at once where the request cannot be meant', async () => {
    for (const body of [
      { source_url: 'harbour' },
      { source_url: 'ftp://example.com/x' },
      { source_url: 'https://user:secret@example.com/x' },
      { source_url: 'https://example.com/x', file_name: 'a/b' },
      { source_url: 'https://example.com/x', file_repo: { library: ['generated'] } },
      { source_url: 'https://example.com/x', album_ids: [newId()] },
      { source_url: 'https://example.com/x', size: 1 },
      {},
    ]) {
      await owner.post('/uploads/import', { file_repo: MEDIA, ...body }).expect(400);
    }
    expect(
      (await owner.post('/uploads/import', { file_repo: MEDIA, source_url: 'https://example.com/x', file_name: 'setup.exe' }).expect(400))
        .body.errors[0].code,
    ).toBe('blocked_type');
    const viewer = await ours.member('viewer');
    await viewer.client.post('/uploads/import', { file_repo: MEDIA, source_url: 'https://example.com/x' }).expect(403);
    const plain = await api.workspace();
    expect(
      (
        await plain.owner.client
          .post('/uploads/import', { file_repo: { library: ['docs'] }, source_url: 'https://example.com/x' })
          .expect(403)
      ).body.code,
    ).toBe('license_required');
  });
});
