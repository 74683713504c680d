import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { archiveOf, orderOf, over } from '../governance/asking-for-data';
import { addRecord, makeFormBase } from '../knowledge/bases';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, makeTaxonomy, readTerm } from './classifying';
import { activeFlow, openTransitions } from './flows';
import { field, makeObject, makeSchema } from './objects';

jest.setTimeout(180_000);

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let editor: Member;
let viewer: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects', 'module-documents']);
  admin = ours.owner.client;
  [editor, viewer] = [await ours.member('editor'), await ours.member('viewer')];
});
afterAll(() => api.close());

const usesOf = async ({ client }: Pick<Member, 'client'>, file_id: string) =>
  (await client.get(`/files/${file_id}/references`).expect(200)).body as { data: { ref_id: string; ref_detail: string }[]; hidden: number };

describe('closed fields of objects', () => {
  it('are named by no use of a file, and neither is their object', async () => {
    const { form_id } = await makeSchema(admin, [
      field('plan', 'file', { hidden: true }),
      field('scan', 'file', { sensitive: true }),
      field('photo', 'file'),
    ]);
    const [plan, scan, photo] = [
      (await storeFile(api, ours, { name: 'plan.jpg' })).file_id,
      (await storeFile(api, ours, { name: 'scan.jpg' })).file_id,
      (await storeFile(api, ours, { name: 'photo.jpg' })).file_id,
    ];
    const { obj_id } = await makeObject(admin, form_id, { plan, scan, photo });
    for (const closed of [plan, scan]) expect(await usesOf(viewer, closed)).toMatchObject({ data: [], hidden: 1 });
    expect(await usesOf(viewer, photo)).toMatchObject({ data: [{ ref_id: obj_id, ref_detail: 'photo' }], hidden: 0 });
    expect(await usesOf(ours.owner, plan)).toMatchObject({ data: [{ ref_id: obj_id, ref_detail: 'plan' }], hidden: 0 });
  });

  it('are named by no refusal of a deletion', async () => {
    const { form_id } = await makeSchema(admin);
    const closed = await makeSchema(admin, [
      field('part', 'object', { schema: form_id, on_delete: 'restrict', hidden: true, label: 'Secret part' }),
    ]);
    const target = await makeObject(admin, form_id);
    const pointer = await makeObject(admin, closed.form_id, { part: target.obj_id });
    const refused = await editor.client.delete(`/objects/${target.obj_id}`).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ path: 'obj_id', code: 'in_use' }] });
    expect(refused.text).not.toContain('Secret part');
    expect(refused.text).not.toContain(pointer.obj_id);
  });

  it('are neither named nor judged by a transition that requires them', async () => {
    const { form_id } = await makeSchema(admin, [field('secret', 'text', { hidden: true })]);
    const states = [
      { key: 'draft', name: 'Draft', initial: true },
      { key: 'done', name: 'Done' },
    ];
    const transitions = [{ key: 'end', name: 'End', from: ['draft'], to: 'done', require_fields: ['secret'] }];
    await activeFlow(admin, [form_id], { olf_states: states, olf_transitions: transitions });
    const [empty, filled] = [await makeObject(admin, form_id), await makeObject(admin, form_id, { secret: 'x' })];
    const [first, second] = [await openTransitions(editor.client, empty.obj_id), await openTransitions(editor.client, filled.obj_id)];
    expect(first).toEqual(second);
    expect(JSON.stringify(first)).not.toContain('secret');
    const refused = await editor.client.post(`/objects/${empty.obj_id}/transitions`, { transition: 'end' }).expect(422);
    expect(refused.text).not.toContain('secret');
    await editor.client.post(`/objects/${filled.obj_id}/transitions`, { transition: 'end' }).expect(200);
  });
});

describe('a unique value of an object that its writer may not read', () => {
  it('is refused by its field, without a word of the object', async () => {
    const { form_id } = await makeSchema(admin, [field('serial', 'text', { unique: true })]);
    const obj_acl = { users: { [ours.owner.user_id]: 'owner' } };
    const { obj_id } = await makeObject(admin, form_id, { name: 'Hidden lamp', serial: 'S-1' }, { obj_acl });
    const refused = await editor.client.post('/objects', { obj_form: form_id, obj_content: { name: 'Mine', serial: 'S-1' } }).expect(409);
    expect(refused.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'obj_content.serial', code: 'unique' }] });
    for (const told of [obj_id, 'Hidden lamp', ours.owner.user_id]) expect(refused.text).not.toContain(told);
  });
});

describe('places where a term is used', () => {
  it('count for those who may read the row and see the field', async () => {
    const taxonomy = await makeTaxonomy(admin);
    const { term_id } = await addTerm(admin, taxonomy, 'Lamps');
    const termField = (key: string, more: object = {}): object => field(key, 'taxonomy', { taxonomy, ...more });
    const group = field('inner', 'group', { hidden: true, fields: [termField('kind')] });
    const closing = await makeSchema(admin, [
      termField('hid', { hidden: true }),
      termField('sens', { sensitive: true }),
      termField('open'),
      group,
    ]);
    const plain = await makeSchema(admin, [termField('kind')]);
    const closed = { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } };
    const uses = async (): Promise<number[]> =>
      Promise.all([ours.owner, editor, viewer].map(async ({ client }) => (await readTerm(client, taxonomy, term_id)).term_use_count));

    await makeObject(admin, plain.form_id, { kind: term_id });
    await makeObject(admin, plain.form_id, { kind: term_id }, closed);
    expect(await uses()).toEqual([2, 1, 1]);
    await makeObject(
      admin,
      closing.form_id,
      { hid: term_id, sens: term_id, open: term_id, inner: { kind: term_id } },
      { obj_terms: [term_id] },
    );
    expect(await uses()).toEqual([7, 4, 3]);

    const config = { title: 'title', fields: [field('title', 'text'), termField('sens', { sensitive: true }), termField('open')] };
    const { form_id } = (await admin.post('/knowledge-base-schemas', { form_name: `Schema ${newId()}`, form_config: config }).expect(201))
      .body as { form_id: string };
    const [open, shut] = [await makeFormBase(admin, form_id), await makeFormBase(admin, form_id)];
    for (const { ds_id } of [open, shut]) await addRecord(admin, ds_id, { rec_content: { title: 'T', sens: term_id, open: term_id } });
    await admin.put(`/knowledge-bases/${shut.ds_id}/access`, { ds_acl: closed.obj_acl }).expect(200);
    expect(await uses()).toEqual([11, 6, 4]);
  });
});

describe('the archive of a person', () => {
  const archived = async (): Promise<string> => {
    const { dsr_id } = await orderOf(admin, { dsr_kind: 'export', dsr_subject_type: 'user', dsr_subject: editor.user_id });
    await over(admin, dsr_id);
    const archive = await archiveOf(admin, dsr_id);
    return ['objects/object', 'objects/object_revision', 'knowledge/knowledge_record', 'knowledge/knowledge_record_version']
      .map((name) => archive.get(`${name}.json`)?.toString() ?? '')
      .join('\n');
  };
  const become = async (role_key: string): Promise<void> => {
    await api.sql(
      `UPDATE user_role_link l SET role_id = (SELECT r.role_id FROM role r WHERE r.tenant_id = l.tenant_id AND r.role_key = $3) WHERE l.tenant_id = $1 AND l.user_id = $2`,
      [ours.tenant_id, editor.user_id, role_key],
    );
  };

  it('holds of objects and records the fields that they may read, on the shelf and in revisions too', async () => {
    const fields = [field('hid', 'text', { hidden: true }), field('sens', 'text', { sensitive: true }), field('open', 'text')];
    const values = { hid: 'HIDDENWORD', sens: 'SENSITIVEWORD', open: 'OPENWORD' };
    const [home, away] = [await makeSchema(admin, fields), await makeSchema(admin)];
    const shelved = await makeObject(editor.client, home.form_id, values);
    await makeObject(editor.client, home.form_id, values);
    await editor.client.patch(`/objects/${shelved.obj_id}`, { obj_form: away.form_id }).expect(200);
    const config = { title: 'title', fields: [field('title', 'text', { required: true }), ...fields] };
    const { form_id } = (await admin.post('/knowledge-base-schemas', { form_name: `Schema ${newId()}`, form_config: config }).expect(201))
      .body as { form_id: string };
    const { ds_id } = await makeFormBase(admin, form_id);
    const { rec_id } = await addRecord(editor.client, ds_id, { rec_content: { title: 'T', ...values } });
    await editor.client.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_content: { title: 'U' } }).expect(200);

    const whole = await archived();
    expect(whole.match(/OPENWORD/g)?.length).toBeGreaterThanOrEqual(5);
    expect(whole).toContain('SENSITIVEWORD');
    expect(whole).not.toContain('HIDDENWORD');
    await become('viewer');
    const open = await archived();
    expect(open.match(/OPENWORD/g)?.length).toBeGreaterThanOrEqual(5);
    expect(open).not.toMatch(/SENSITIVEWORD|HIDDENWORD/);
  });
});
