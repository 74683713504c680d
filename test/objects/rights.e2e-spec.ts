import { Objects } from '@atrium/objects';
import { ActingCallers } from '@atrium/identity';
import { inWorkspace } from '@atrium/platform/database';
import { eventually, RowsServer, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, makeTaxonomy } from './classifying';
import { activeFlow, STATES, TRANSITIONS } from './flows';
import { field, makeObject, makeSchema, type Obj } from './objects';
import { sourceBody } from './syncing';

jest.setTimeout(120_000);

let api: RunningApi;
let server: RowsServer;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let file_id: string;
let tax: string;
let term_id: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  server = await RowsServer.start();
  [ours, theirs] = [await api.workspace(MODULES), await api.workspace(MODULES)];
  ({ file_id } = await storeFile(api, ours, { name: 'lamp.jpg' }));
  tax = await makeTaxonomy(ours.owner.client);
  ({ term_id } = await addTerm(ours.owner.client, tax, 'Lamps'));
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

const MODULES = ['module-objects', 'module-documents'];
const ROW = { id: 'lamp-1', title: 'Lantern', text: 'A fresnel lens of the lighthouse.', price: 7 };

/** One object of a source, and everything by which it can be met: values, words, a term, a state, a cover, passages, a pointer, the rows of its run. */
interface Subject {
  readonly obj_id: string;
  readonly form_id: string;
  readonly osr_id: string;
  readonly job_id: string;
  /** An object that everybody may read, and the schema of such: it points to the subject. */
  readonly pointer: string;
  /** Another one of that schema, which points nowhere. */
  readonly loose: string;
  readonly pointing: string;
}

/** Whether somebody meets the subject in one way. */
type Way = (who: Member, subject: Subject) => Promise<boolean>;

const listedBy =
  (query: string | ((subject: Subject) => string)): Way =>
  async ({ client }, subject) => {
    const narrowed = typeof query === 'string' ? query : query(subject);
    const { status, body } = await client.get(`/objects?obj_form=${subject.form_id}&${narrowed}`);
    return status === 200 && (body.data as Obj[]).some(({ obj_id }) => obj_id === subject.obj_id);
  };
const answered =
  (path: string): Way =>
  async ({ client }, { obj_id }) =>
    (await client.get(`/objects/${obj_id}${path}`)).status === 200;
const taken =
  (ask: (client: Client, subject: Subject) => PromiseLike<{ status: number }>): Way =>
  async ({ client }, subject) =>
    (await ask(client, subject)).status < 300;

const WAYS: Readonly<Record<string, Way>> = {
  'the list': listedBy(''),
  'a list of everything': async ({ client }, { obj_id }) =>
    ((await client.get('/objects?limit=1000')).body.data as Obj[] | undefined)?.some((object) => object.obj_id === obj_id) ?? false,
  'a filter by content': listedBy('obj_content[price]=7'),
  'an order by content': listedBy('sort=-obj_content_price'),
  'a filter by term': listedBy(() => `obj_terms=${term_id}`),
  'a filter by words': listedBy('full_text_search=fresnel'),
  'a filter by name': listedBy('obj_name=lant'),
  'a filter by state': listedBy('obj_status=draft'),
  'a filter by source': listedBy(({ osr_id }) => `obj_source=${osr_id}&obj_external_id=lamp-1`),
  'a projection': listedBy('fields=price'),
  'the object': answered(''),
  'its revisions': answered('/revisions'),
  'its history': answered('/history'),
  'its transitions': answered('/transitions'),
  'an expanded reference': async ({ client }, { pointer, obj_id }) =>
    obj_id in ((await client.get(`/objects/${pointer}?expand=part`)).body.expanded ?? {}),
  'a new reference': taken((client, { pointing, obj_id }) =>
    client.post('/objects', { obj_form: pointing, obj_content: { name: 'Rival', part: obj_id } }),
  ),
  'a changed reference': taken((client, { loose, obj_id }) => client.patch(`/objects/${loose}`, { obj_content: { part: obj_id } })),
  'the places of a file': async ({ client }, { obj_id }) =>
    ((await client.get(`/files/${file_id}/references`)).body.data as { ref_id: string }[] | undefined)?.some(
      ({ ref_id }) => ref_id === obj_id,
    ) ?? false,
  'a search of passages': async ({ client }, { form_id, obj_id }) => {
    const found = await client.post('/retrieval/search', { query: 'fresnel lens', scopes: [`object:${form_id}`] });
    return ((found.body.data ?? []) as { citation: { source_id: string } }[]).some(({ citation }) => citation.source_id === obj_id);
  },
  'the rows of its run': async ({ client }, { osr_id, job_id, obj_id }) =>
    ((await client.get(`/object-sources/${osr_id}/runs/${job_id}/rows`)).body.data as { obj_id: string }[] | undefined)?.some(
      (row) => row.obj_id === obj_id,
    ) ?? false,
  'a table for charts': async ({ user_id, key_id }, { form_id }) => {
    const workspace = [ours, theirs].find(({ owner }) => owner.user_id === user_id) ?? ours;
    return inWorkspace(workspace.tenant_id, async () => {
      const actor = await api.app.get(ActingCallers, { strict: false }).resolvePrincipal({ user_id, key_id });
      const shown = await api.app
        .get(Objects, { strict: false })
        .queryTable(form_id, {}, actor)
        .catch(() => null);
      return (shown?.rows.length ?? 0) > 0;
    });
  },
};
/** What a person without the permission to read objects, or of another workspace, is never shown. */
const NOWHERE = Object.fromEntries(Object.keys(WAYS).map((way) => [way, false]));
const EVERYWHERE = Object.fromEntries(Object.keys(WAYS).map((way) => [way, true]));

/** `acl` is the list that the schema gives to new objects. */
async function subjectOf(acl: object | null, flow: object = {}): Promise<Subject> {
  const { client } = ours.owner;
  const { form_id } = await makeSchema(client, [field('price', 'number', { filterable: true }), field('text', 'long_text')], {
    form_metadata: { retrieval: true, ...(acl ? { acl } : {}) },
  });
  await activeFlow(client, [form_id], flow);
  server.rows = [ROW];
  const mapping = Object.fromEntries(
    Object.entries({ external_id: 'id', name: 'title', text: 'text', price: 'price' }).map(([key, name]) => [key, { path: `$.${name}` }]),
  );
  const made = await client.post('/object-sources', sourceBody(server, form_id, { osr_mapping: mapping })).expect(201);
  const { osr_id } = made.body as { osr_id: string };
  const { job_id } = (await client.post(`/object-sources/${osr_id}/sync`, {}).expect(202)).body as { job_id: string };
  await eventually(
    async () => (await client.get(`/object-sources/${osr_id}/runs/${job_id}`).expect(200)).body as { status: string },
    ({ status }) => status === 'completed',
  );
  const [found] = await api.sql<{ obj_id: string }>('SELECT obj_id FROM object WHERE tenant_id = $1 AND obj_source = $2', [
    ours.tenant_id,
    osr_id,
  ]);
  const obj_id = found?.obj_id ?? '';
  await client.patch(`/objects/${obj_id}`, { obj_terms: [term_id], obj_cover_file: file_id }).expect(200);
  const { form_id: pointing } = await makeSchema(client, [field('part', 'object', { schema: form_id })]);
  const [{ obj_id: pointer }, { obj_id: loose }] = [
    await makeObject(client, pointing, { part: obj_id }),
    await makeObject(client, pointing, { name: 'Loose' }),
  ];
  await eventually(
    () => api.sql(`SELECT 1 FROM passage_source WHERE tenant_id = $1 AND source_status = 'pending'`, [ours.tenant_id]),
    (pending) => pending.length === 0,
    60_000,
  );
  return { obj_id, form_id, osr_id, job_id, pointer, loose, pointing };
}

async function met(who: Member, subject: Subject): Promise<Readonly<Record<string, boolean>>> {
  await ours.owner.client.patch(`/objects/${subject.loose}`, { obj_content: { part: null } }).expect(200);
  const shown: Record<string, boolean> = {};
  for (const [way, meets] of Object.entries(WAYS)) shown[way] = await meets(who, subject);
  return shown;
}

const onlyMembers = (may: Member): object => ({ users: { [ours.owner.user_id]: 'owner', [may.user_id]: 'view' } });

describe('who may not read an object meets it nowhere, and who may meets it everywhere', () => {
  let may: Member;
  let mayNot: Member;
  let permitted: string;

  beforeAll(async () => {
    [may, mayNot] = [await ours.member('editor'), await ours.member('admin')];
    const roles = (await ours.owner.client.get('/admin/roles?role_name=editor').expect(200)).body.data as { role_id: string }[];
    permitted = roles[0]?.role_id ?? '';
  }, 60_000);

  it.each<[string, (subject: () => Promise<Subject>) => Promise<Subject>, () => object | null]>([
    ['by the members of its own list', async (made) => closed(await made(), onlyMembers(may)), () => null],
    [
      'by the roles of its own list',
      async (made) => closed(await made(), { users: { [ours.owner.user_id]: 'owner' }, roles: { [permitted]: 'view' } }),
      () => null,
    ],
    ['by the list that its schema gives to new objects', (made) => made(), () => onlyMembers(may)],
  ])('%s', async (_, hide, acl) => {
    const subject = await hide(() => subjectOf(acl()));
    expect(await met(ours.owner, subject)).toEqual(EVERYWHERE);
    expect(await met(may, subject)).toEqual(EVERYWHERE);
    expect(await met(mayNot, subject)).toEqual(NOWHERE);
    expect(await met(theirs.owner, subject)).toEqual(NOWHERE);
  });

  it('by permission alone, where nothing else hides it', async () => {
    const subject = await subjectOf(null);
    const blind = await ours.member('owner', ['media:view', 'document:view', 'knowledge-base:view', 'object:create', 'object:edit']);
    const reader = await ours.member('owner', [
      'object:view',
      'media:view',
      'document:view',
      'knowledge-base:view',
      'object:create',
      'object:edit',
    ]);
    expect(await met(reader, subject)).toEqual(EVERYWHERE);
    const writing = { 'a new reference': false, 'a changed reference': false };
    expect({ ...(await met(blind, subject)), ...writing }).toEqual(NOWHERE);
    expect(await met(mayNot, subject)).toMatchObject({ 'the list': true, 'a search of passages': true, 'the rows of its run': true });
  });

  it('by its state, which hides it from searches alone; by a term or a schema that is inactive, which hide nothing', async () => {
    const unfound = STATES.map((state) => (state.key === 'draft' ? { ...state, retrievable: false } : state));
    const subject = await subjectOf(null, { olf_states: unfound, olf_transitions: TRANSITIONS });
    expect(await met(may, subject)).toEqual({ ...EVERYWHERE, 'a search of passages': false });
    expect(await met(theirs.owner, subject)).toEqual(NOWHERE);
    await ours.owner.client.patch(`/object-taxonomies/${tax}/terms/${term_id}`, { term_active: false }).expect(200);
    expect(await WAYS['a filter by term']?.(may, subject)).toBe(true);
    await ours.owner.client.patch(`/object-taxonomies/${tax}/terms/${term_id}`, { term_active: true }).expect(200);
    await ours.owner.client.delete(`/object-schemas/${subject.form_id}`).expect(204);
    expect(await met(may, subject)).toEqual({ ...EVERYWHERE, 'a search of passages': false });
  });

  it('once it is deleted: only by its id and in the list of what is deleted, under the same list of access', async () => {
    const subject = await closed(await subjectOf(null), onlyMembers(may));
    await ours.owner.client.delete(`/objects/${subject.obj_id}`).expect(204);
    const byId = { 'the object': true, 'its revisions': true, 'its history': true, 'its transitions': true };
    const counted = { 'the rows of its run': true };
    expect(await met(ours.owner, subject)).toEqual({ ...NOWHERE, ...byId, ...counted });
    expect(await met(mayNot, subject)).toEqual(NOWHERE);
    const deleted = listedBy('obj_active=false');
    expect(await Promise.all([ours.owner, may, mayNot, theirs.owner].map((who) => deleted(who, subject)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await mayNot.client.post(`/objects/${subject.obj_id}/restore`, {}).expect(404);
  });

  it('names no hidden object to those who may read what points to it, in passages either', async () => {
    const { client } = ours.owner;
    const { form_id } = await makeSchema(client);
    const open = await makeSchema(client, [field('part', 'object', { schema: form_id })], { form_metadata: { retrieval: true } });
    const secret = await makeObject(client, form_id, { name: 'Zanzibar' }, { obj_acl: onlyMembers(may) });
    await makeObject(client, open.form_id, { name: 'Crate', part: secret.obj_id });
    const text = (who: Client) =>
      eventually(
        async () =>
          JSON.stringify((await who.post('/retrieval/search', { query: 'Crate', scopes: [`object:${open.form_id}`] }).expect(200)).body),
        (found) => found.includes('Crate'),
        60_000,
      );
    expect(await text(mayNot.client)).not.toContain('Zanzibar');
    expect(JSON.stringify((await mayNot.client.get(`/objects?obj_form=${open.form_id}`).expect(200)).body)).not.toContain('Zanzibar');
  });
});

async function closed(subject: Subject, obj_acl: object): Promise<Subject> {
  await ours.owner.client.patch(`/objects/${subject.obj_id}`, { obj_acl }).expect(200);
  return subject;
}
