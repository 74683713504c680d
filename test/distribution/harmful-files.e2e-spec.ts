import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { send, settled, type Uploaded } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { guest, publicPath, seenByMaker, shareLink, type OwnLink } from './sharing';

const MIB = 1024 * 1024;
const SCRIPT = Buffer.from('#!/bin/sh\nrm -rf ~\n');

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
}, 120_000);
afterAll(() => api.close());

const dropLink = (share_options: object = {}): Promise<OwnLink> =>
  shareLink(ours.owner.client, { share_type: 'upload', share_max_files: 5, share_options });

/** Sends a file up to its end; answers the last call. */
async function sent(
  link: OwnLink,
  file_name: string,
  bytes: Buffer,
  more: object = {},
): Promise<{
  readonly status: number;
  readonly body: { readonly detail?: string; readonly errors?: readonly { readonly code: string }[] };
}> {
  const opened = await guest(api).post(`${publicPath(link)}/uploads`, { file_name, file_size: bytes.length, ...more });
  if (opened.status !== 201) return opened;
  const upload = opened.body as Uploaded;
  const parts =
    upload.upl_parts.length > 0
      ? upload.upl_parts.map(
          (part) => [part, bytes.subarray((part.part - 1) * upload.upl_part_size, part.part * upload.upl_part_size)] as const,
        )
      : [[upload, bytes] as const];
  for (const [place, body] of parts) expect((await send(place, body)).status).toBe(200);
  return guest(api)
    .with({ 'X-Visit': opened.headers['x-visit'] as string })
    .post(`${publicPath(link)}/uploads/${upload.upl_id}/finalize`);
}

const cameBy = async (link: OwnLink, query: string): Promise<{ su_file: string; su_file_name: string }[]> =>
  (
    (await ours.owner.client.get(`/share-links/${link.share_id}/uploads?${query}`).expect(200)).body as {
      data: { su_file: string; su_file_name: string }[];
    }
  ).data;

describe('a link that takes files', () => {
  it('refuses scripts, programs and documents with macros by their names, and says why', async () => {
    const link = await dropLink();
    for (const name of [
      'run.sh',
      'app.js',
      'invoice.pdf.js',
      'setup.ps1',
      'a.bat',
      'a.vbs',
      'a.jar',
      'a.lnk',
      'letter.docm',
      'sheet.xlsm',
      'run.sh.',
      'run.sh.txt',
    ]) {
      const { status, body } = await sent(link, name, SCRIPT);
      expect([name, status, body.errors?.[0]?.code]).toEqual([name, 400, 'blocked_type']);
    }
    expect((await sent(link, 'run.sh', SCRIPT)).body.errors).toEqual([
      {
        path: 'file_name',
        code: 'blocked_type',
        message: 'is or contains a script; this link does not accept scripts, because they could harm the people who open them',
      },
    ]);
    expect((await sent(link, 'photo\u202egpj.js', SCRIPT)).status).toBe(400);
  });

  it('refuses them by their bytes under any name, at once, and the place is free again', async () => {
    const link = await dropLink();
    const letter = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(26), Buffer.from('word/vbaProject.bin')]);
    for (const [name, bytes] of [
      ['notes.txt', SCRIPT],
      ['photo.jpg', SCRIPT],
      ['letter.docx', letter],
      ['drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['menu.html', Buffer.from('<!doctype html><body onload="go()">')],
    ] as const) {
      const { status, body } = await sent(link, name, bytes);
      expect([name, status, body.errors?.[0]?.code]).toEqual([name, 422, 'blocked_type']);
    }
    expect(await cameBy(link, 'su_state=finalized')).toEqual([]);
    expect((await guest(api).get(publicPath(link)).expect(200)).body).toMatchObject({ upload: { left: 5 } });
    expect(
      (
        await sent(
          link,
          'drawing.svg',
          Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
        )
      ).status,
    ).toBe(201);
  });

  it('puts away what came in parts once its bytes were read', async () => {
    const link = await dropLink();
    expect((await sent(link, 'notes.txt', Buffer.concat([SCRIPT, Buffer.alloc(6 * MIB, 'x')]), { upl_multipart: true })).status).toBe(201);
    const [refused] = await eventually(
      () => cameBy(link, 'su_review=rejected'),
      (rows) => rows.length === 1,
    );
    await ours.owner.client.get(`/files/${refused?.su_file}`).expect(404);
    expect((await seenByMaker(ours, link)).share_upload_count).toBe(0);
  });

  it('takes the kinds that it names, and a named extension under no other name', async () => {
    const scripts = await dropLink({ allowed_kinds: ['image', 'script'] });
    expect((await sent(scripts, 'run.sh', SCRIPT)).status).toBe(201);
    expect((await sent(scripts, 'letter.docm', SCRIPT)).status).toBe(400);
    const shell = await dropLink({ allowed_formats: ['sh', 'txt'] });
    expect((await sent(shell, 'run.sh', SCRIPT)).status).toBe(201);
    expect((await sent(shell, 'notes.txt', SCRIPT)).status).toBe(422);
    for (const link of [scripts, shell]) {
      const [row] = await cameBy(link, 'su_state=finalized');
      expect((await settled(ours.owner.client, row?.su_file ?? '')).file_processing).toBe('ready');
    }
    expect((await cameBy(scripts, 'su_review=rejected')).length + (await cameBy(shell, 'su_review=rejected')).length).toBe(0);
    await ours.owner.client
      .post('/share-links', { share_name: 'x', share_type: 'upload', share_options: { allowed_kinds: ['virus'] } })
      .expect(400);
  });
});
