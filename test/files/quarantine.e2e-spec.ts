import { randomBytes } from 'node:crypto';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, EICAR, eventually, LoopbackClamd, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { MailServer } from '../identity/mail-server';
import { MEDIA, openUpload, readFile, send, settled, upload, type StoredFile } from './uploading';

const clamd = new LoopbackClamd();
const post = new MailServer();

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  const CLAMD_ADDRESS = await clamd.start();
  api = await startAtriumWithWorker({ CLAMD_ADDRESS, SMTP_URL: await post.start() });
  ours = await api.workspace(['module-documents']);
  owner = ours.owner.client;
});
afterAll(async () => {
  await api.close();
  await clamd.stop();
  await post.stop();
});

const exists = async (key: string): Promise<boolean> => (await api.app.get(ObjectStore, { strict: false }).stat(key)) !== null;
const infected = (more: string): Buffer => Buffer.concat([EICAR, Buffer.from(`\n${more}`)]);

describe('bytes that a scanner looks at', () => {
  it('[files 6] a PDF named .jpg is a PDF, HTML named .png is never shown inline, and EICAR is quarantined: nobody downloads it', async () => {
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
    expect(await settled(owner, (await upload(owner, 'x.jpg', pdf, { file_type: 'image/jpeg' })).file_id)).toMatchObject({
      file_type: 'application/pdf',
      file_processing: 'ready',
    });
    const page = await settled(
      owner,
      (
        await upload(owner, 'page.png', Buffer.from('<!doctype html><html><body><script>alert(1)</script></body></html>'), {
          file_type: 'image/png',
        })
      ).file_id,
    );
    expect(page.file_type).toBe('text/html');
    const served = await fetch((await owner.get(`/files/${page.file_id}/download-url`).expect(200)).body as string);
    expect(served.headers.get('content-disposition')).toMatch(/^attachment/);
    await owner.get(`/files/${page.file_id}/image-data`).expect(422);

    const virus = await settled(owner, (await upload(owner, 'invoice.txt', EICAR)).file_id);
    expect(virus).toMatchObject({ file_processing: 'quarantined', file_hash: null, file_metadata: { system: { error: 'malware' } } });
    expect((await owner.get(`/files/${virus.file_id}/download-url`).expect(409)).body.code).toBe('invalid_state');
    const [version] = ((await owner.get(`/files/${virus.file_id}/versions`).expect(200)).body as { data: { fv_id: string }[] }).data;
    expect((await owner.get(`/files/${virus.file_id}/versions/${version?.fv_id}/download-url`).expect(409)).body.code).toBe(
      'invalid_state',
    );
    await owner
      .post('/files/actions/download', { file_ids: [virus.file_id] })
      .expect((answer) => expect([400, 409]).toContain(answer.status));
    const history = (await owner.get(`/files/${virus.file_id}/history?fh_action=quarantined`).expect(200)).body as {
      data: { fh_details: object }[];
    };
    expect(history.data.map(({ fh_details }) => fh_details)).toEqual([
      { reason: 'malware', malware: 'Eicar-Test-Signature', fv_id: version?.fv_id },
    ]);
    const events = await api.sql<{ ev_payload: object }>(
      "SELECT ev_payload FROM outbox WHERE ev_subject = $1 AND ev_name = 'file.quarantined'",
      [virus.file_id],
    );
    expect(events.map(({ ev_payload }) => ev_payload)).toEqual([
      expect.objectContaining({ reason: 'malware', malware: 'Eicar-Test-Signature', added_by: ours.owner.user_id }),
    ]);
  });

  it('are reported to the member who added them when they are quarantined', async () => {
    const member = await ours.member('editor');
    await settled(member.client, (await upload(member.client, 'letter.txt', infected('letter'))).file_id);
    const [told] = await eventually(
      () => Promise.resolve(post.to(member.email)),
      (mails) => mails.length > 0,
    );
    expect(told?.mail.subject).toContain('letter.txt');
    expect(told?.mail.text).toContain('malware');
  });

  it('are scanned whole and in one go with reading them, pictures too', async () => {
    clamd.scans.length = 0;
    const bytes = randomBytes(700_001);
    expect(await settled(owner, (await upload(owner, 'noise.bin', bytes)).file_id)).toMatchObject({ file_processing: 'ready' });
    expect(clamd.scans).toEqual([bytes.length]);
    const photo = await drawPicture({ width: 400, height: 300, format: 'jpeg' });
    const copy = Buffer.concat([photo, EICAR]);
    expect(await settled(owner, (await upload(owner, 'photo.jpg', copy)).file_id)).toMatchObject({
      file_processing: 'quarantined',
      file_replicas: '',
    });
    const blob = await api.sql<{ blob_key: string; blob_replicas: object }>(
      'SELECT blob_key, blob_replicas FROM file_blob WHERE tenant_id = $1 AND blob_size = $2',
      [ours.tenant_id, copy.length],
    );
    expect(blob[0]?.blob_replicas).toEqual({});
    expect(await exists(`${blob[0]?.blob_key}/small`)).toBe(false);
  });

  it('of text that is written without an upload are scanned before anybody has them', async () => {
    const { file_id } = (await owner.post('/files', { file_repo: MEDIA, file_name: 'note.md' }).expect(201)).body as StoredFile;
    const written = await owner.put(`/files/${file_id}/content`, { content: infected('note').toString() }).expect(200);
    expect((written.body as StoredFile).file_processing).toBe('pending');
    expect(await settled(owner, file_id)).toMatchObject({ file_processing: 'quarantined' });
    await owner.put(`/files/${file_id}/content`, { content: 'harmless' }).expect(200);
    expect(await settled(owner, file_id)).toMatchObject({ file_processing: 'ready', file_version: 3 });
    const versions = ((await owner.get(`/files/${file_id}/versions`).expect(200)).body as { data: { fv_id: string; fv_number: number }[] })
      .data;
    const second = versions.find(({ fv_number }) => fv_number === 2);
    await owner.get(`/files/${file_id}/versions/${second?.fv_id}/download-url`).expect(409);
    expect((await owner.post(`/files/${file_id}/versions/${second?.fv_id}/restore`).expect(409)).body.code).toBe('invalid_state');
  });

  it('that are more than the scanner takes pass, and equal bytes that were found bad stay bad', async () => {
    clamd.limit = 100_000;
    expect(await settled(owner, (await upload(owner, 'large.bin', randomBytes(300_000))).file_id)).toMatchObject({
      file_processing: 'ready',
    });
    clamd.limit = 25 * 1024 * 1024;
    const bad = infected('twice');
    expect(await settled(owner, (await upload(owner, 'first.txt', bad)).file_id)).toMatchObject({ file_processing: 'quarantined' });
    expect(await settled(owner, (await upload(owner, 'second.txt', bad)).file_id)).toMatchObject({ file_processing: 'quarantined' });
  });

  it('are out of reach until they were looked at', async () => {
    clamd.signatures = ['hold the line'];
    const { file_id } = await upload(owner, 'later.txt', Buffer.from('hold the line'));
    const url = await owner.get(`/files/${file_id}/download-url`);
    expect([409]).toContain(url.status);
    await settled(owner, file_id);
    clamd.signatures = [];
  });
});

describe('quarantined files', () => {
  it('show in lists to those who may edit the repository alone', async () => {
    const { file_id } = await settled(owner, (await upload(owner, 'hidden-danger.txt', infected('list'))).file_id);
    const viewer = await ours.member('viewer');
    const found = async (client: Client, path: string): Promise<number> =>
      ((await client.get(path).expect(200)).body as { data: unknown[] }).data.length;
    for (const path of [`/files?repo_type=media&file_id=${file_id}`, '/files/search?q=hidden-danger']) {
      expect(await found(owner, path)).toBe(1);
      expect(await found(viewer.client, path)).toBe(0);
    }
  });

  it('are released once a new scan finds nothing, and then everybody has them again', async () => {
    clamd.signatures = ['false alarm'];
    const bytes = Buffer.from('this is a false alarm');
    const { file_id } = await settled(owner, (await upload(owner, 'alarm.txt', bytes)).file_id);
    expect((await owner.post(`/files/${file_id}/release`).expect(409)).body.detail).toContain('Test.false alarm');
    expect((await readFile(owner, file_id)).file_processing).toBe('quarantined');
    clamd.signatures = [];
    const released = await owner.post(`/files/${file_id}/release`).expect(200);
    expect(released.body).toMatchObject({ file_id, file_processing: 'ready', file_size: bytes.length });
    expect((released.body as StoredFile).file_hash).not.toBeNull();
    expect((released.body as StoredFile).file_metadata.system?.error).toBeUndefined();
    const url = (await owner.get(`/files/${file_id}/download-url`).expect(200)).body as string;
    expect(await (await fetch(url)).text()).toBe(bytes.toString());
    expect((await owner.post(`/files/${file_id}/release`).expect(409)).body.code).toBe('invalid_state');
    const audited = (await owner.get('/admin/audit-events?aud_type=file.released').expect(200)).body as {
      data: { aud_target_id: string }[];
    };
    expect(audited.data.map(({ aud_target_id }) => aud_target_id)).toContain(file_id);
  });

  it('get their pictures after they were released', async () => {
    const photo = await drawPicture({ width: 800, height: 600, format: 'png' });
    const opened = await openUpload(owner, { file_name: 'promised.png', file_size: photo.length });
    await api.sql('UPDATE upload SET file_hash = $2 WHERE upl_id = $1', [opened.upl_id, 'a'.repeat(64)]);
    await send(opened, photo);
    const { file_id } = (await owner.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
    expect(await settled(owner, file_id)).toMatchObject({
      file_processing: 'quarantined',
      file_metadata: { system: { error: 'hash_mismatch' } },
    });
    expect((await owner.post(`/files/${file_id}/release`).expect(200)).body).toMatchObject({
      file_processing: 'ready',
      file_type: 'image/png',
    });
    expect(
      await eventually(
        () => readFile(owner, file_id),
        (file) => file.file_replicas !== '',
      ),
    ).toMatchObject({ file_replicas: 'small,medium,large', file_metadata: { system: { width: 800 } } });
  });

  it('are released by administrators of this workspace only', async () => {
    const { file_id } = await settled(owner, (await upload(owner, 'mine.txt', infected('mine'))).file_id);
    const editor = await ours.member('editor');
    expect((await editor.client.post(`/files/${file_id}/release`).expect(403)).body.code).toBe('permission_denied');
    const theirs = await api.workspace();
    await theirs.owner.client.post(`/files/${file_id}/release`).expect(404);
  });

  it('take every file and version with them that shows the same bytes', async () => {
    const photo = await drawPicture({ width: 500, height: 400, format: 'jpeg', seed: 77 });
    const [first, second] = [
      await settled(owner, (await upload(owner, 'a.jpg', photo)).file_id),
      await settled(owner, (await upload(owner, 'b.jpg', photo)).file_id),
    ];
    expect([first.file_processing, second.file_processing]).toEqual(['ready', 'ready']);
    // Signatures are newer now, and the bytes arrive once more.
    const marker = photo.subarray(photo.length - 12).toString('latin1');
    clamd.signatures = [];
    await api.sql('UPDATE file_blob SET blob_scanned = NULL WHERE tenant_id = $1 AND blob_size = $2', [ours.tenant_id, photo.length]);
    const scanned = clamd as unknown as { verdict: (body: Buffer) => string };
    const verdict = scanned.verdict.bind(clamd);
    scanned.verdict = (body) => (body.includes(Buffer.from(marker, 'latin1')) ? 'stream: Test.New FOUND' : verdict(body));
    try {
      const third = await settled(owner, (await upload(owner, 'c.jpg', photo)).file_id);
      expect(third.file_processing).toBe('quarantined');
      for (const { file_id } of [first, second]) {
        expect(
          await eventually(
            () => readFile(owner, file_id),
            (file) => file.file_processing === 'quarantined',
          ),
        ).toMatchObject({ file_replicas: '', file_metadata: { system: { error: 'malware' } } });
        await owner.get(`/files/${file_id}/image-data`).expect(409);
      }
    } finally {
      scanned.verdict = verdict;
    }
  });
});

describe('a scanner that does not answer', () => {
  it('keeps bytes waiting and out of reach; they are scanned when it is back', async () => {
    const { file_id } = await settled(owner, (await upload(owner, 'before.txt', Buffer.from('before'))).file_id);
    await owner.get(`/files/${file_id}/download-url`).expect(200);
    await api.sql("UPDATE file SET file_processing = 'quarantined' WHERE file_id = $1", [file_id]);
    const down = clamd as unknown as { serve: (socket: { destroy: () => void }) => void };
    const serve = down.serve.bind(clamd);
    down.serve = (socket) => socket.destroy();
    expect((await owner.post(`/files/${file_id}/release`).expect(502)).body.code).toBe('upstream_failed');
    const waiting = await upload(owner, 'waiting.txt', Buffer.from('waiting'));
    expect((await owner.get(`/files/${waiting.file_id}/download-url`).expect(409)).body.code).toBe('invalid_state');
    expect((await readFile(owner, waiting.file_id)).file_processing).toBe('pending');
    down.serve = serve;
    expect(await settled(owner, waiting.file_id)).toMatchObject({ file_processing: 'ready' });
    await owner.get(`/files/${waiting.file_id}/download-url`).expect(200);
  });
});
