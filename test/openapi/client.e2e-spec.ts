import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningApi } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

const MODULES = join(__dirname, '../../node_modules');
const run = promisify(execFile);
let api: RunningApi;
let folder: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  folder = await mkdtemp(join(tmpdir(), 'atrium-client-'));
  await symlink(MODULES, join(folder, 'node_modules'), 'dir');
}, 60_000);
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a customer would write over the generated types: every name and type in it is checked by the compiler. */
const PROGRAM = `
import { createHash, randomBytes } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './atrium';

const [origin, key, tenant] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl: origin, headers: { 'X-Api-Key': key } });
const header = { 'X-Tenant-Id': tenant };
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

function must<T>({ data, error }: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (error) throw new Error(error.code + ': ' + error.detail);
  return data as T;
}

async function upload(name: string, bytes: Uint8Array): Promise<components['schemas']['FileView']> {
  const file_hash = createHash('sha256').update(bytes).digest('hex');
  const body = { file_repo: { library: ['media'] }, file_name: name, file_size: bytes.length, file_hash };
  const opened = must(await client.POST('/api/v1/uploads', { params: { header }, body }));
  if (!opened.upl_url) throw new Error('no address');
  const sent = await fetch(opened.upl_url, { method: 'PUT', body: bytes as BodyInit, headers: opened.upl_headers as Record<string, string> });
  if (!sent.ok) throw new Error('storage: ' + sent.status);
  return must(await client.POST('/api/v1/uploads/{id}/finalize', { params: { path: { id: opened.upl_id }, header }, body: {} }));
}

async function main(): Promise<void> {
  const files = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => upload(name, randomBytes(2_000))));
  for (const { file_id } of files) {
    while (must(await client.GET('/api/v1/files/{id}', { params: { path: { id: file_id }, header } })).file_processing === 'pending') await pause();
  }
  const listed: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = must(await client.GET('/api/v1/files', { params: { header, query: { repo_type: 'media', limit: 2, sort: 'file_name', ...(cursor ? { cursor } : {}) } } }));
    listed.push(...page.data.map((file) => file.file_name));
    cursor = page.next_cursor;
  }
  const album = must(await client.POST('/api/v1/albums', { params: { header }, body: { album_name: 'Typed' } }));
  const file_ids = files.map((file) => file.file_id);
  const added = must(await client.POST('/api/v1/albums/{id}/files', { params: { path: { id: album.album_id }, header }, body: { file_ids } }));
  let job = must(await client.POST('/api/v1/download-jobs', { params: { header }, body: { file_ids } }));
  while (job.status === 'queued' || job.status === 'running') {
    await pause();
    job = must(await client.GET('/api/v1/download-jobs/{id}', { params: { path: { id: job.job_id }, header } }));
  }
  const archive = job.download_url ? await (await fetch(job.download_url)).arrayBuffer() : new ArrayBuffer(0);
  const refused = await client.GET('/api/v1/albums/{id}', { params: { path: { id: tenant }, header } });
  console.log(JSON.stringify({ listed, added: added.added, status: job.status, magic: Buffer.from(archive).toString('latin1', 0, 2), refused: refused.error?.code }));
}

void main();
`;

describe('a client generated from the document', () => {
  it('compiles under strict and does the main job', async () => {
    const document = await (await fetch(`${api.url}/openapi.json`)).text();
    await writeFile(join(folder, 'openapi.json'), document);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tour.ts'), PROGRAM);
    await run(process.execPath, [join(MODULES, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'atrium.ts'], { cwd: folder });
    const options = {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      types: ['node'],
      outDir: 'out',
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['tour.ts', 'atrium.ts'] }));
    const compiled = await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', '.'], { cwd: folder }).catch(
      (error: { stdout: string }) => ({ stdout: error.stdout }),
    );
    expect(compiled.stdout).toBe('');

    const workspace = await api.workspace();
    const { 'X-Api-Key': key, 'X-Tenant-Id': tenant } = workspace.owner.client.headers;
    const { stdout } = await run(process.execPath, [join(folder, 'out/tour.js'), api.url, key ?? '', tenant ?? '']);
    expect(JSON.parse(stdout)).toEqual({
      listed: ['a.txt', 'b.txt', 'c.txt'],
      added: 3,
      status: 'completed',
      magic: 'PK',
      refused: 'not_found',
    });
  }, 90_000);
});
