import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile, type StoredFileSpec } from '../files/stored-files';
import { addText, makeBase } from '../knowledge/bases';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { archiveOf, orderOf, over } from './asking-for-data';

jest.setTimeout(120_000);

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let editor: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  admin = ours.owner.client;
  editor = await ours.member('editor');
});
afterAll(() => api.close());

type Row = Readonly<Record<string, unknown>>;

/** What the archive of the editor holds: rows of its tables, and all entries by name. */
async function exported(): Promise<{ readonly rows: (table: string) => Row[]; readonly entries: ReadonlyMap<string, Buffer> }> {
  const { dsr_id } = await orderOf(admin, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: editor.user_id });
  expect(await over(admin, dsr_id)).toMatchObject({ dsr_status: 'completed' });
  const entries = await archiveOf(admin, dsr_id);
  return { entries, rows: (table) => JSON.parse(entries.get(`${table}.json`)?.toString() ?? '[]') as Row[] };
}

/** A file that the editor added. */
async function added(spec: StoredFileSpec): Promise<string> {
  const { file_id } = await storeFile(api, ours, spec);
  await api.sql('UPDATE file SET file_added_by = $2 WHERE file_id = $1', [file_id, editor.user_id]);
  return file_id;
}

const closedToEditor = (): object => ({ users: { [ours.owner.user_id]: 'owner' } });

describe('the archive of a person', () => {
  it('holds the bytes and facts of the files that they may read; of those in closed folders and in quarantine ids alone, or no bytes', async () => {
    const open = await added({ name: 'open.txt', repo: 'docs', bytes: Buffer.from('open bytes') });
    const closed = await added({ name: 'closedname.txt', repo: 'docs', bytes: Buffer.from('closed bytes') });
    const harmful = await added({ name: 'harmful.txt', processing: 'quarantined', bytes: Buffer.from('harmful bytes') });
    const { album_id } = (await admin.post('/document-folders', { album_name: 'Closed', album_acl: closedToEditor() }).expect(201))
      .body as { album_id: string };
    await admin.post(`/document-folders/${album_id}/files`, { file_ids: [closed] }).expect(200);

    const { rows, entries } = await exported();
    const files = rows('files/file');
    expect(files.find(({ file_id }) => file_id === closed)).toEqual({
      file_id: closed,
      file_added_by: editor.user_id,
      withheld: expect.stringContaining('may not read') as string,
    });
    expect(files.find(({ file_id }) => file_id === open)).toMatchObject({ file_name: 'open.txt' });
    expect([...entries.keys()].filter((name) => name.startsWith('bytes/'))).toEqual([`bytes/${open}/open.txt`]);
    expect(JSON.stringify([...entries.keys(), files])).not.toMatch(new RegExp(`closedname|bytes/${harmful}`));
  });

  it('names of albums and files in histories those that they may read', async () => {
    const file_id = await added({ name: 'shown.jpg' });
    const albumOf = async (album_name: string): Promise<string> =>
      ((await editor.client.post('/albums', { album_name }).expect(201)).body as { album_id: string }).album_id;
    const [open, closed] = [await albumOf('OPENALBUM'), await albumOf('CLOSEDALBUM')];
    for (const id of [open, closed]) await editor.client.post(`/albums/${id}/files`, { file_ids: [file_id] }).expect(200);
    await admin.put(`/admin/access-lists/album/${closed}`, { acl: closedToEditor() }).expect(200);
    const history = JSON.stringify((await exported()).rows('files/file_history'));
    expect(history).toContain(open);
    expect(history).not.toMatch(new RegExp(`${closed}|CLOSEDALBUM`));
  });

  it('holds of a space that they have left only its ids', async () => {
    const { space_id } = (await editor.client.post('/spaces', { space_name: 'Pier' }).expect(201)).body as { space_id: string };
    expect((await exported()).rows('ai/space')).toMatchObject([{ space_name: 'Pier' }]);
    await api.sql('DELETE FROM space_member WHERE sm_space = $1', [space_id]);
    expect((await exported()).rows('ai/space')).toEqual([
      { space_id, space_user: editor.user_id, withheld: expect.stringContaining('may not read') as string },
    ]);
  });

  it('holds of records of closed bases the versions that they wrote, not what others wrote since', async () => {
    const { ds_id } = await makeBase(admin);
    const { rec_id } = await addText(editor.client, ds_id, 'MYWORDS', 'mine');
    await admin.put(`/knowledge-bases/${ds_id}/access`, { ds_acl: closedToEditor() }).expect(200);
    await admin.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_name: 'THEIRWORDS' }).expect(200);
    const { rows } = await exported();
    expect(rows('knowledge/knowledge_record')).toEqual([
      { rec_id, rec_created_by: editor.user_id, withheld: expect.stringContaining('may not read') as string },
    ]);
    const versions = JSON.stringify(rows('knowledge/knowledge_record_version'));
    expect(versions).toContain('MYWORDS');
    expect(versions).not.toContain('THEIRWORDS');
  });
});
