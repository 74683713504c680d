import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { makeBase } from '../knowledge/bases';
import { makeGroup } from '../media/tagging';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeSchema } from '../objects/objects';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents', 'module-objects', 'module-publication']);
  ({ client } = ours.owner);
}, 60_000);
afterAll(() => api.close());

/** A request, and what is other in it when it is sent again. */
type Ask = () => Promise<{ readonly path: string; readonly body: object; readonly other?: object }>;
const to =
  (path: string, body: object, other: object = {}): Ask =>
  () =>
    Promise.resolve({ path, body, other });
const name = (): string => `Once ${newId()}`;

/** What is sent twice, and the field that the second answer names. */
const ONCE: readonly (readonly [field: string, ask: Ask])[] = [
  ['role_name', to('/admin/roles', { role_name: name(), role_permissions: ['media:view'] })],
  ['user_email', to('/admin/users', { user_email: `${newId()}@people.example`, user_name: 'New', send_invite: false })],
  ['agent_name', to('/agents', { agent_name: name() })],
  ['prompt_name', to('/prompts', { prompt_name: name(), prompt_text: 'x' })],
  ['pcat_name', to('/prompt-categories', { pcat_name: name() })],
  ['wildcard_name', to('/wildcards', { wildcard_name: `w ${newId()}`, wildcard_control_type: 'text' })],
  ['space_name', to('/spaces', { space_name: name() })],
  ['thread_id', to('/threads', { thread_id: newId() })],
  ['mp_name', to('/model-providers', { mp_name: `p-${newId()}`, mp_type: 'local' })],
  ['ds_name', to('/knowledge-bases', { ds_name: name() })],
  ['form_name', to('/object-schemas', { form_name: name() })],
  ['form_name', to('/knowledge-base-schemas', { form_name: name(), form_config: {} })],
  ['tax_name', to('/object-taxonomies', { tax_name: name() })],
  ['site_name', to('/sites', { site_name: name() })],
  ['lib_name', to('/content-schema-libraries', { lib_name: name() })],
  ['tax_slug', to('/object-taxonomies', { tax_name: name(), tax_slug: `once-${newId()}` }, { tax_name: name() })],
  ['rt_name', to('/document-relation-types', { rt_name: name() })],
  ['mtg_name', to('/admin/media-tag-groups', { mtg_name: name() })],
  [
    'mas_name',
    to('/media-analysis-schemas', { mas_name: `once_${newId().slice(-8)}`, mas_fields: [{ name: 'a', type: 'string', source: 'model' }] }),
  ],
  ['dr_name', to('/distribution/restrictions', { dr_name: name(), dr_kind: 'territory', dr_effect: 'deny', dr_values: ['KP'] })],
  [
    'bud_scope',
    to('/admin/budgets', { bud_name: name(), bud_scope: 'workspace', bud_period: 'month', bud_credits: 9, bud_action: 'warn' }),
  ],
  [
    'mt_value',
    async () => ({ path: '/media-tags', body: { mt_group: await makeGroup(client, { mtg_name: name() }), mt_value: 'Summer' } }),
  ],
  [
    'term_name',
    async () => {
      const taxonomy = await makeTaxonomy(client);
      await addTerm(client, taxonomy, 'Other');
      return { path: `/object-taxonomies/${taxonomy}/terms`, body: { term_name: 'Lamps' } };
    },
  ],
  [
    'term_slug',
    async () => {
      const path = `/object-taxonomies/${await makeTaxonomy(client)}/terms`;
      return { path, body: { term_name: 'Lamps', term_slug: 'lamps' }, other: { term_name: 'Lights' } };
    },
  ],
  [
    'osr_name',
    async () => {
      const { form_id } = await makeSchema(client);
      const body = {
        osr_name: name(),
        osr_kind: 'http_json',
        osr_form: form_id,
        osr_config: { url: 'http://127.0.0.1:9/articles' },
        osr_mapping: { external_id: { path: '$.id' }, name: { path: '$.name' } },
      };
      return { path: '/object-sources', body };
    },
  ],
  [
    'thread_ref',
    async () => {
      const { ds_id } = await makeBase(client);
      return { path: '/threads', body: { thread_id: newId(), thread_ref: { type: 'ds', id: ds_id } }, other: { thread_id: newId() } };
    },
  ],
  [
    'sm_principal',
    async () => {
      const { space_id } = (await client.post('/spaces', { space_name: name() }).expect(201)).body as { space_id: string };
      const { user_id } = await ours.member('viewer');
      return { path: `/spaces/${space_id}/members`, body: { sm_principal_type: 'user', sm_principal: user_id, sm_role: 'viewer' } };
    },
  ],
  [
    'face_person',
    async () => {
      await client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
      const { file_id } = await storeFile(api, ours, { name: 'harbour.jpg', kind: 'image', type: 'image/jpeg' });
      const { person_id } = (await client.post('/people', { person_name: 'Ada' }).expect(201)).body as { person_id: string };
      return {
        path: '/faces',
        body: { face_file: file_id, face_box: { x: 0.1, y: 0.1, width: 0.2, height: 0.2 }, face_person: person_id },
      };
    },
  ],
];

describe('what is there already', () => {
  it.each(ONCE)('is 409, which names %s', async (field, ask) => {
    const { path, body, other } = await ask();
    await client.post(path, body).expect(201);
    const { status, body: problem } = await client.post(path, { ...body, ...other });
    expect({ status, problem: problem as object }).toMatchObject({
      status: 409,
      problem: { code: 'already_exists', errors: [{ path: field, code: 'unique' }] },
    });
  });

  it('names its field also where the refusal is replayed under the key of the request', async () => {
    const body = { space_name: name() };
    await client.post('/spaces', body).expect(201);
    const keyed = client.with({ 'Idempotency-Key': newId() });
    const [refused, replayed] = [await keyed.post('/spaces', body).expect(409), await keyed.post('/spaces', body).expect(409)];
    expect([refused, replayed].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    const said = (answer: { readonly body: unknown }): unknown => {
      const { code, detail, errors } = answer.body as Record<string, unknown>;
      return { code, detail, errors };
    };
    expect(said(refused)).toMatchObject({ errors: [{ path: 'space_name', code: 'unique' }] });
    expect(said(replayed)).toEqual(said(refused));
  });
});
