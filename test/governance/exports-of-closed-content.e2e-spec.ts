import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { ask, newThread } from '../ai/answering';
import { storeFile, type StoredFileSpec } from '../files/stored-files';
import { addText, makeBase } from '../knowledge/bases';
import { activeFlow } from '../objects/flows';
import { makeObject, makeSchema } from '../objects/objects';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { archiveOf, orderOf, over } from './asking-for-data';
import { Crediting } from './crediting';

jest.setTimeout(120_000);

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let editor: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents', 'module-objects']);
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

/** A row of a table that names the editor as its author, by other columns than the workspace. */
async function planted(table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  await api.sql(`INSERT INTO ${table} (tenant_id, ${columns.join(', ')}) VALUES ($1, ${columns.map((_, at) => `$${at + 2}`).join(', ')})`, [
    ours.tenant_id,
    ...Object.values(row),
  ]);
}

const withheld = (row: Row): Row => ({ ...row, withheld: expect.stringContaining('cannot read') as string });

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
      withheld: expect.stringContaining('cannot read') as string,
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
      { space_id, space_user: editor.user_id, withheld: expect.stringContaining('cannot read') as string },
    ]);
  });

  it('holds of records of closed bases the versions that they wrote, not what others wrote since', async () => {
    const { ds_id } = await makeBase(admin);
    const { rec_id } = await addText(editor.client, ds_id, 'MYWORDS', 'mine');
    await admin.put(`/knowledge-bases/${ds_id}/access`, { ds_acl: closedToEditor() }).expect(200);
    await admin.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_name: 'THEIRWORDS' }).expect(200);
    const { rows } = await exported();
    expect(rows('knowledge/knowledge_record')).toEqual([
      { rec_id, rec_created_by: editor.user_id, withheld: expect.stringContaining('cannot read') as string },
    ]);
    const versions = JSON.stringify(rows('knowledge/knowledge_record_version'));
    expect(versions).toContain('MYWORDS');
    expect(versions).not.toContain('THEIRWORDS');
  });

  it('holds of what hangs on closed documents, albums and objects only ids', async () => {
    const [open, closed] = [await added({ name: 'open.txt', repo: 'docs' }), await added({ name: 'CLOSEDNAME.txt', repo: 'docs' })];
    const made = async (path: string, body: object, id: string): Promise<string> =>
      ((await admin.post(path, body).expect(201)).body as Record<string, string>)[id] ?? '';
    const folder = await made('/document-folders', { album_name: 'Closed', album_acl: closedToEditor() }, 'album_id');
    await admin.post(`/document-folders/${folder}/files`, { file_ids: [closed] }).expect(200);
    const rel_type = await made('/document-relation-types', { rt_name: 'replaces' }, 'rt_id');
    const by = editor.user_id;
    const { form_id } = await makeSchema(admin);
    const { olf_id } = await activeFlow(admin, [form_id]);
    const objects = [await makeObject(admin, form_id), await makeObject(admin, form_id, {}, { obj_acl: closedToEditor() })];
    const ids: Record<'publication' | 'history' | 'relation' | 'move' | 'album', string[]> = {
      publication: [newId(), newId()],
      history: [newId(), newId()],
      relation: [newId(), newId()],
      move: [newId(), newId()],
      album: [await made('/albums', { album_name: 'Open' }, 'album_id'), await made('/albums', { album_name: 'Shut' }, 'album_id')],
    };
    const picture = await added({ name: 'open.jpg' });
    await admin.put(`/admin/access-lists/album/${ids.album[1] ?? ''}`, { acl: closedToEditor() }).expect(200);
    for (const [at, file_id] of [open, closed].entries()) {
      await api.sql('UPDATE file_version SET fv_created_by = $2 WHERE fv_file = $1', [file_id, by]);
      await planted('document', {
        file_id,
        file_deprecated_at: new Date(),
        file_deprecated_by: by,
        file_deprecated_reason: 'Out of date.',
      });
      const [rel_from, rel_to] = [open, at === 0 ? await added({ repo: 'docs' }) : closed];
      const relation = { rel_id: ids.relation[at], rel_type, rel_from, rel_to, rel_key: newId(), rel_metadata: { note: 'Both.' } };
      await planted('document_relation', { ...relation, rel_created_by: by });
      const publication = { pub_id: ids.publication[at], pub_file: file_id, pub_file_name: 'x.txt', pub_repo_type: 'docs' };
      const released = { pub_state: 'draft', pub_version: 1, pub_file_version: 1, pub_distribution: 'worldwide', pub_created_by: by };
      await planted('publication', { ...publication, ...released });
      const event = { ph_id: ids.history[at], ph_publication: ids.publication[at], ph_action: 'drafted', ph_actor: by };
      await planted('publication_history', { ...event, ph_to: { name: 'x.txt' } });
      await planted('album_file', { af_album: ids.album[at], af_file: picture, af_added_by: by });
      const move = { otr_id: ids.move[at], otr_object: objects[at]?.obj_id, otr_flow: olf_id, otr_to: 'draft', otr_comment: 'Now.' };
      await planted('object_transition', { ...move, otr_by: by });
    }

    const { rows } = await exported();
    const whole = (table: string, key: string): unknown[] => rows(table).flatMap((row) => (row.withheld === undefined ? [row[key]] : []));
    expect(whole('files/file_version', 'fv_file')).toEqual([open]);
    expect(JSON.stringify(rows('files/file_version'))).not.toContain('CLOSEDNAME');
    expect(rows('documents/document')).toContainEqual(withheld({ file_id: closed, file_deprecated_by: by }));
    expect(whole('documents/document', 'file_id')).toEqual([open]);
    expect(rows('documents/document_relation')).toContainEqual(withheld({ rel_id: ids.relation[1], rel_created_by: by }));
    expect(whole('documents/document_relation', 'rel_id')).toEqual([ids.relation[0]]);
    expect(rows('publications/publication')).toContainEqual(withheld({ pub_id: ids.publication[1], pub_created_by: by }));
    expect(whole('publications/publication', 'pub_id')).toEqual([ids.publication[0]]);
    expect(rows('publications/publication_history')).toContainEqual(withheld({ ph_id: ids.history[1], ph_actor: by }));
    expect(whole('publications/publication_history', 'ph_id')).toEqual([ids.history[0]]);
    expect(rows('media/album_file')).toHaveLength(2);
    expect(whole('media/album_file', 'af_album')).toEqual([ids.album[0]]);
    expect(rows('objects/object_transition')).toContainEqual(withheld({ otr_id: ids.move[1], otr_by: by }));
    expect(whole('objects/object_transition', 'otr_id')).toEqual([ids.move[0]]);
  });

  it('holds of a thread that they have left their own messages, and of answers and runs only ids; of closed sources an answer names none', async () => {
    await new Crediting(api).grant(ours, { grant_credits: 10_000 });
    const { user_id, client } = editor;
    const left = await newThread(admin, { thread_acl: { users: { [user_id]: 'edit' } } });
    const answer = await ask(client, left, 'MYQUESTION');
    const own = await newThread(client);
    const kept = await ask(client, own, 'What else?');
    const cited = [
      { n: 1, source_kind: 'web', title: 'OPENSOURCE' },
      { n: 2, source_kind: 'document', source_id: newId(), title: 'CLOSEDSOURCE' },
    ];
    await api.sql('UPDATE message SET msg_citations = $2 WHERE msg_id = $1', [kept.msg_id, JSON.stringify(cited)]);
    await admin.patch(`/threads/${left}`, { thread_acl: {} }).expect(200);

    const { rows } = await exported();
    const messages = rows('ai/message');
    expect(messages.find(({ msg_text }) => msg_text === 'MYQUESTION')).toMatchObject({ msg_thread: left });
    expect(messages.find(({ msg_id }) => msg_id === answer.msg_id)).toEqual(withheld({ msg_id: answer.msg_id, msg_user: user_id }));
    expect(messages.find(({ msg_id }) => msg_id === kept.msg_id)).toMatchObject({
      msg_citations: [cited[0], { n: 2, source_kind: 'document', redacted: true }],
    });
    const runs = rows('ai/run');
    expect(runs.filter((row) => row.withheld === undefined)).toMatchObject([{ run_thread: own }]);
    expect(runs).toHaveLength(2);
  });

  it('holds of what their permissions show no more only ids', async () => {
    const by = editor.user_id;
    const { form_id } = await makeSchema(admin, [], { form_name: 'CLOSEDNAME' });
    await api.sql('UPDATE form SET form_created_by = $2 WHERE form_id = $1', [form_id, by]);
    await planted('form_revision_log', { frl_form: form_id, frl_revision: 99, frl_config: { label: 'CLOSEDNAME' }, frl_created_by: by });
    await planted('person', { person_id: newId(), person_name: 'CLOSEDNAME', person_created_by: by });
    await planted('saved_search', { sq_id: newId(), sq_name: 'CLOSEDNAME', sq_scope: 'media', sq_query: {}, sq_created_by: by });
    const rule = { dr_id: newId(), dr_name: 'CLOSEDNAME', dr_kind: 'territory', dr_effect: 'deny', dr_values: ['FR'] };
    await planted('distribution_restriction', { ...rule, dr_created_by: by });
    const source = { osr_id: newId(), osr_name: 'CLOSEDNAME', osr_kind: 'http_json', osr_form: form_id, osr_config: {}, osr_mapping: {} };
    await planted('object_source', { ...source, osr_created_by: by });
    const tables = [
      'forms/form',
      'forms/form_revision_log',
      'media/person',
      'files/saved_search',
      'publications/distribution_restriction',
      'objects/object_source',
    ];

    const before = await exported();
    for (const table of tables) expect([table, JSON.stringify(before.rows(table))]).toEqual([table, expect.stringContaining('CLOSEDNAME')]);
    await api.sql(`UPDATE role SET role_permissions = '{task:view}' WHERE tenant_id = $1 AND role_key = 'editor'`, [ours.tenant_id]);
    const after = await exported();
    for (const table of tables) {
      expect([table, after.rows(table)]).toEqual([table, [expect.objectContaining({ withheld: expect.any(String) as string })]]);
      expect([table, JSON.stringify(after.rows(table))]).toEqual([table, expect.not.stringContaining('CLOSEDNAME')]);
    }
  });
});
