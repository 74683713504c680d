import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, readZip, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { Response, Test } from 'supertest';
import { startAtrium, startWorker } from '../support/api';
import { storeFile, storeMany } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const GIB = 1024 ** 3;

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly download_url?: string;
}

const order = async (file_ids: readonly string[], workspace = ours): Promise<Job> =>
  (await workspace.owner.client.post('/download-jobs', { file_ids }).expect(202)).body as Job;
const read = async (job_id: string): Promise<Job> => (await ours.owner.client.get(`/download-jobs/${job_id}`).expect(200)).body as Job;

const asBytes = (test: Test): Test =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
  });

const download = (body: object, workspace = ours): Test => asBytes(workspace.owner.client.post('/files/actions/download', body));
const contents = (answer: Response): Record<string, string> =>
  Object.fromEntries(readZip(answer.body as Buffer).entries.map(({ name, bytes }) => [name, bytes.toString('latin1')]));

/** Where the distribution has an unpacker, it agrees. */
function testedByUnzip(archive: Buffer): void {
  const path = join(api.dataDir, 'tested.zip');
  writeFileSync(path, archive);
  try {
    execFileSync('unzip', ['-tqq', path]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

describe('downloading several files at once', () => {
  it('packs renditions when asked, and originals where there are none', async () => {
    const photo = await storeFile(api, ours, {
      name: 'a.jpg',
      type: 'image/jpeg',
      kind: 'image',
      bytes: Buffer.from('original'),
      renditions: { small: Buffer.from('small') },
    });
    const other = await storeFile(api, ours, { name: 'b.jpg', type: 'image/jpeg', kind: 'image', bytes: Buffer.from('original b') });
    const answer = await download({ file_ids: [photo.file_id, other.file_id], size: 'small' }).expect(200);
    expect(contents(answer)).toEqual({ 'a.webp': 'small', 'b.jpg': 'original b' });
  });

  it('counts the bytes that left, once', async () => {
    const workspace = await api.workspace();
    const { file_id } = await storeFile(api, workspace, { name: 'noise.bin', bytes: randomBytes(200_000) });
    await download({ file_ids: [file_id] }, workspace).expect(200);
    const counted = await eventually(
      () =>
        api.sql<{ units: string; user: string }>(
          "SELECT usage_consumed_units::text AS units, usage_user AS user FROM usage_entry WHERE tenant_id = $1 AND usage_param = 'files.egress_gb'",
          [workspace.tenant_id],
        ),
      (rows) => rows.length > 0,
    );
    expect(counted.map(({ units, user }) => [Number(units), user])).toEqual([[0.0002, workspace.owner.user_id]]);
  });

  it('leaves out and names what storage lost', async () => {
    const here = await storeFile(api, ours, { name: 'here.txt', bytes: Buffer.from('here') });
    const lost = await storeFile(api, ours, { name: 'lost.txt', lost: true });
    const answer = contents(await download({ file_ids: [lost.file_id, here.file_id] }).expect(200));
    expect(answer['here.txt']).toBe('here');
    expect(answer['_skipped.txt']).toContain('lost.txt');
    expect(Object.keys(answer)).toHaveLength(2);
  });

  it('refuses before the first byte: nothing readable, too much, bad input', async () => {
    const foreign = await storeFile(api, theirs);
    const trashed = await storeFile(api, ours);
    await ours.owner.client.delete(`/files/${trashed.file_id}`).expect(204);
    const quarantined = await storeFile(api, ours, { processing: 'quarantined' });
    const none = await ours.owner.client
      .post('/files/actions/download', { file_ids: [foreign.file_id, trashed.file_id, quarantined.file_id] })
      .expect(400);
    expect(none.headers['content-type']).toMatch(/^application\/problem\+json/);
    const huge = await storeFile(api, ours, { claimedSize: GIB + 1, lost: true });
    const refused = await ours.owner.client.post('/files/actions/download', { file_ids: [huge.file_id] }).expect(413);
    expect(refused.body).toMatchObject({ code: 'payload_too_large', detail: expect.stringContaining('download job') });
    for (const body of [
      {},
      { file_ids: [] },
      { file_ids: ['x'] },
      { file_ids: Array.from({ length: 101 }, () => newId()) },
      { file_ids: [newId()], size: 'huge' },
    ]) {
      await ours.owner.client.post('/files/actions/download', body).expect(400);
    }
    const looker = await ours.member('viewer', ['media:view']);
    await looker.client.post('/files/actions/download', { file_ids: [foreign.file_id] }).expect(403);
  });

  it('lets go of the source at once when the client hangs up', async () => {
    const file = await storeFile(api, ours, { name: 'big.bin', type: 'application/zip', bytes: randomBytes(20_000_000) });
    const store = api.app.get(ObjectStore, { strict: false });
    const opened: Readable[] = [];
    const take = store.get.bind(store);
    store.get = async (key, range) => {
      const stream = await take(key, range);
      opened.push(stream);
      return stream;
    };
    try {
      await new Promise<void>((resolve, reject) => {
        const body = JSON.stringify({ file_ids: [file.file_id] });
        const call = request(
          `${api.url}/api/v1/files/actions/download`,
          {
            method: 'POST',
            headers: { ...ours.owner.client.headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          },
          (response) => {
            response.once('data', () => {
              response.destroy();
              resolve();
            });
          },
        );
        call.once('error', reject);
        call.end(body);
      });
      await eventually(
        () => Promise.resolve(opened.map((stream) => stream.destroyed)),
        (states) => states.length === 1 && states.every(Boolean),
        2_000,
      );
    } finally {
      store.get = take;
    }
  });
});

describe('a download job', () => {
  it('is limited to five unfinished ones a caller, also when they are asked for at once', async () => {
    const { file_id } = await storeFile(api, ours);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ours.owner.client.post('/download-jobs', { file_ids: [file_id] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('limit_reached');
    for (const { body } of answers.filter(({ status }) => status === 202)) {
      const cancelled = await ours.owner.client.delete(`/download-jobs/${(body as Job).job_id}`).expect(200);
      expect(cancelled.body).toEqual({ job_id: (body as Job).job_id, status: 'cancelled' });
    }
  });

  it('refuses too much, nothing readable and bad input', async () => {
    const huge = await storeFile(api, ours, { claimedSize: 100 * GIB + 1, lost: true });
    await ours.owner.client.post('/download-jobs', { file_ids: [huge.file_id] }).expect(413);
    await ours.owner.client.post('/download-jobs', { file_ids: [newId()] }).expect(400);
    await ours.owner.client.post('/download-jobs', { file_ids: [] }).expect(400);
    await ours.owner.client.get('/download-jobs/none').expect(404);
  });

  it('is its owner’s alone, within the workspace and beyond', async () => {
    const { file_id } = await storeFile(api, ours);
    const job = await order([file_id]);
    const colleague = await ours.member('admin');
    for (const client of [colleague.client, theirs.owner.client]) {
      await client.get(`/download-jobs/${job.job_id}`).expect(404);
      await client.delete(`/download-jobs/${job.job_id}`).expect(404);
      expect((await client.get('/download-jobs').expect(200)).body.data).toEqual([]);
    }
    expect((await read(job.job_id)).status).toBe('queued');
    const page = await ours.owner.client.get('/download-jobs?status=queued&limit=1').expect(200);
    expect(page.body.data[0]).toMatchObject({ job_id: job.job_id, file_count: 1, total: 1 });
    await ours.owner.client.delete(`/download-jobs/${job.job_id}`).expect(200);
  });

  describe('with a worker', () => {
    let left: Job;
    let trashed: string;
    beforeAll(async () => {
      const kept = await storeFile(api, ours, { name: 'kept.txt', bytes: Buffer.from('kept') });
      trashed = (await storeFile(api, ours, { name: 'trashed.txt' })).file_id;
      left = await order([trashed, kept.file_id]);
      await ours.owner.client.delete(`/files/${trashed}`).expect(204);
      await api.sql("UPDATE download_job SET status = 'running', done = 1 WHERE job_id = $1", [left.job_id]);
      await startWorker(api);
    });

    it('begins again what a lost worker left, and leaves out what was trashed in the meantime', async () => {
      const done = await eventually(
        () => read(left.job_id),
        ({ status }) => status === 'completed',
      );
      expect(done).toMatchObject({ done: 2, total: 2, skipped: [{ file_id: trashed, reason: 'not_found' }] });
      const archive = readZip(Buffer.from(await (await fetch(done.download_url ?? '')).arrayBuffer()));
      expect(archive.entries.map((entry) => entry.name)).toEqual(['kept.txt', '_skipped.txt']);
    });

    it('returns a fresh address and the archive, and reports it once', async () => {
      const bytes = randomBytes(50_000);
      const photo = await storeFile(api, ours, { name: 'x.jpg', type: 'image/jpeg', kind: 'image', bytes });
      const foreign = await storeFile(api, theirs);
      const job = await order([photo.file_id, foreign.file_id]);
      expect(job).toMatchObject({ status: 'queued', file_count: 1, skipped: [{ file_id: foreign.file_id, reason: 'not_found' }] });
      expect(job).not.toHaveProperty('download_url');
      const done = await eventually(
        () => read(job.job_id),
        ({ status }) => status === 'completed',
      );
      expect(done).toMatchObject({ done: 1, total: 1, expires_at: expect.any(String), archive_size: expect.any(Number) });
      const served = await fetch(done.download_url ?? '');
      expect(served.headers.get('content-type')).toBe('application/zip');
      expect(readZip(Buffer.from(await served.arrayBuffer())).entries[0]?.bytes.equals(bytes)).toBe(true);
      const untouched = await ours.owner.client.delete(`/download-jobs/${job.job_id}`).expect(200);
      expect(untouched.body.status).toBe('completed');
      expect(await api.sql("SELECT 1 FROM outbox WHERE ev_name = 'download_job.completed' AND ev_subject = $1", [job.job_id])).toHaveLength(
        1,
      );
    });
  });
});

describe('[files 12] archives', () => {
  it('at once: a valid ZIP with equal bytes, equal names numbered, foreign ids skipped', async () => {
    const updated = new Date('2026-02-03T04:05:06Z');
    const photo = randomBytes(100_000);
    const text = Buffer.from('line\n'.repeat(2_000));
    const files = [
      await storeFile(api, ours, { name: 'photo.jpg', type: 'image/jpeg', kind: 'image', bytes: photo, updated }),
      await storeFile(api, ours, { name: 'photo.jpg', type: 'image/jpeg', kind: 'image', bytes: randomBytes(10) }),
      await storeFile(api, ours, { name: 'Höhe.txt', bytes: text }),
    ];
    const foreign = await storeFile(api, theirs);
    const answer = await download({ file_ids: [...files.map((file) => file.file_id), foreign.file_id, newId()] })
      .expect(200)
      .expect('Content-Type', 'application/zip');
    testedByUnzip(answer.body as Buffer);
    const { entries, isZip64 } = readZip(answer.body as Buffer);
    expect(isZip64).toBe(true);
    expect(entries.map((entry) => [entry.name, entry.stored])).toEqual([
      ['photo.jpg', true],
      ['photo (2).jpg', true],
      ['Höhe.txt', false],
    ]);
    expect(entries[0]?.bytes.equals(photo)).toBe(true);
    expect(entries[0]?.modified).toEqual(updated);
    expect(entries[2]?.bytes.equals(text)).toBe(true);
    expect(answer.headers['content-disposition']).toMatch(/^attachment/);
  });

  it('in the background: 2,000 files show progress, a cancel leaves no archive, a completed job a valid one', async () => {
    const file_ids = await storeMany(api, ours, 2_000);
    const store = api.app.get(ObjectStore, { strict: false });
    const job = await order(file_ids);
    const running = await eventually(
      () => read(job.job_id),
      ({ done }) => done >= 25,
    );
    expect(running.status).toBe('running');
    const further = await eventually(
      () => read(job.job_id),
      ({ done }) => done > running.done,
    );
    expect(further.done).toBeLessThan(2_000);
    await ours.owner.client.delete(`/download-jobs/${job.job_id}`).expect(200);
    const archives: string[] = [];
    await eventually(
      () =>
        api.sql<{ ev_done: Date | null }>("SELECT ev_done FROM outbox WHERE ev_name = 'files.zip' AND ev_payload ->> 'job_id' = $1", [
          job.job_id,
        ]),
      ([row]) => row?.ev_done !== null,
    );
    expect((await read(job.job_id)).status).toBe('cancelled');
    for await (const { key } of store.list(`t/${ours.tenant_id}/archives/${job.job_id}`)) archives.push(key);
    expect(archives).toEqual([]);

    const second = await order(file_ids);
    const done = await eventually(
      () => read(second.job_id),
      ({ status }) => status === 'completed',
      150_000,
    );
    const archive = Buffer.from(await (await fetch(done.download_url ?? '')).arrayBuffer());
    testedByUnzip(archive);
    const { entries, isZip64 } = readZip(archive);
    expect(isZip64).toBe(true);
    expect(entries).toHaveLength(2_000);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(2_000);
  }, 240_000);
});
