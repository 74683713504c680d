import { newId } from '@atrium/platform/kernel';
import {
  drawPicture,
  type Client,
  type LinkedInServer,
  type RunningApi,
  type StoryblokServer,
  type StrictS3Server,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { createSchema, field } from '../media/analysing';
import { makeGroup } from '../media/tagging';
import { storeFile, storeMany } from '../files/stored-files';
import { FAQ, makeBase, makeFormBase } from '../knowledge/bases';
import { makeTaxonomy } from '../objects/classifying';
import { makePages } from '../website/pages';
import { flowOf as approvalFlowOf } from '../website/approving';
import { makeContentLibrary, makeSite } from '../website/sites';
import { makeSchema as makeObjectSchema } from '../objects/objects';
import { openThread, say } from '../ai/talking';
import type { SignedIssuer } from '../identity/signed-issuer';
import { MEDIA, sendUpload } from '../files/uploading';
import { flowOf, makeFlow } from '../objects/flows';
import { makeSchema } from '../objects/objects';
import { makeTarget } from '../social/made-targets';

/** What the creating routes are asked about. */
export interface Ground {
  readonly api: RunningApi;
  readonly workspace: TestWorkspace;
  readonly s3: StrictS3Server;
  readonly issuer: SignedIssuer;
  /** Where accounts are connected, for those who do. */
  readonly linkedin?: LinkedInServer;
  /** A CMS that sites are connected to, for those who do. */
  readonly cms?: StoryblokServer;
  /** The owner by a session. */
  readonly session: Client;
}

export interface Creation {
  /** Values of the path's parameters, in their order. */
  readonly ids?: readonly string[];
  readonly body: object;
}

type Ask = (ground: Ground) => Creation | Promise<Creation>;

const DOCS = { library: ['docs'] };
const BOX = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
const FLOW = {
  msf_scope: ['generated'],
  msf_active: false,
  msf_states: [
    { key: 'draft', label: 'Draft', initial: true },
    { key: 'done', label: 'Done' },
  ],
  msf_transitions: [{ from: 'draft', to: 'done' }],
};
const QUERY = { where: { field: 'file_name', op: 'contains', value: 'harbour' } };

const fresh = (name: string): string => `${name} ${newId()}`;
const email = (): string => `${newId()}@people.example`;
const body =
  (make: () => object): Ask =>
  () => ({ body: make() });

const document = async ({ workspace }: Ground): Promise<string> =>
  ((await workspace.owner.client.post('/files', { file_repo: MEDIA, file_name: fresh('note.md') }).expect(201)).body as { file_id: string })
    .file_id;

/** A text document of the document library. */
const filed = async ({ workspace }: Ground): Promise<string> =>
  ((await workspace.owner.client.post('/files', { file_repo: DOCS, file_name: fresh('lease.md') }).expect(201)).body as { file_id: string })
    .file_id;

/** A source of objects; nothing is asked of it. */
const articlesOf = async ({ workspace }: Ground): Promise<object> => {
  const schema = await workspace.owner.client.post('/object-schemas', { form_name: fresh('Article') }).expect(201);
  return {
    osr_name: fresh('Shop'),
    osr_kind: 'http_json',
    osr_form: (schema.body as { form_id: string }).form_id,
    osr_config: { url: 'http://127.0.0.1:9/articles' },
    osr_mapping: { external_id: { path: '$.id' }, name: { path: '$.name' } },
  };
};

/** A post that can be begun to be sent. */
const post = async ({ api, workspace }: Ground): Promise<string> => {
  const sp_targets = [await makeTarget(api, workspace.tenant_id)];
  return (
    (await workspace.owner.client.post('/social-posts', { sp_text: fresh('Post'), sp_targets }).expect(201)).body as { sp_id: string }
  ).sp_id;
};

const knowledge = async ({ workspace }: Ground): Promise<string> =>
  (
    (await workspace.owner.client.post('/knowledge-bases', { ds_name: fresh('Base'), ds_type: 'text' }).expect(201)).body as {
      ds_id: string;
    }
  ).ds_id;

async function picture({ api, workspace }: Ground): Promise<string> {
  const bytes = await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 3 });
  return (await storeFile(api, workspace, { name: 'harbour.jpg', kind: 'image', type: 'image/jpeg', bytes })).file_id;
}

const ofPicture =
  (make: (file_id: string) => Creation): Ask =>
  async (ground) =>
    make(await picture(ground));

/** A request that creates something, for every route that answers with a `Location`. */
export const CREATIONS: Readonly<Record<string, Ask>> = {
  'POST /admin/issuers': ({ issuer }) => ({
    body: { iss_name: fresh('Issuer'), iss_issuer: issuer.issuer, iss_audiences: ['atrium'], iss_domains: [`${newId()}.example`] },
  }),
  'POST /admin/roles': body(() => ({ role_name: fresh('Role'), role_permissions: ['media:view'] })),
  'POST /admin/roles/{id}/copy': async ({ workspace }) => ({
    ids: [
      (
        (await workspace.owner.client.post('/admin/roles', { role_name: fresh('Role'), role_permissions: ['media:view'] })).body as {
          role_id: string;
        }
      ).role_id,
    ],
    body: { role_name: fresh('Copy') },
  }),
  'POST /admin/users': body(() => ({ user_email: email(), user_name: 'New', send_invite: false })),
  'POST /admin/users/{id}/transfer': async ({ workspace }) => ({
    ids: [(await workspace.member('editor')).user_id],
    body: { to_user: workspace.owner.user_id },
  }),
  'POST /admin/api-keys': async ({ workspace }) => ({ body: { key_name: fresh('Key'), key_user: workspace.owner.user_id } }),
  'POST /me/api-keys': body(() => ({ key_name: fresh('Own key') })),
  'POST /admin/storage/providers': ({ s3 }) => ({
    body: {
      sto_name: fresh('Archive'),
      sto_endpoint: s3.endpoint,
      sto_region: s3.credentials.region,
      sto_bucket: 'creations',
      sto_access_key: s3.credentials.accessKey,
      sto_secret: s3.credentials.secretKey,
    },
  }),
  'POST /admin/budgets': body(() => ({
    bud_name: fresh('Budget'),
    bud_scope: 'workspace',
    bud_period: 'month',
    bud_credits: 100,
    bud_action: 'warn',
  })),
  'POST /admin/legal-holds': async ({ workspace }) => ({
    body: {
      lh_name: fresh('Matter'),
      lh_target_type: 'user',
      lh_target_id: (await workspace.member('viewer')).user_id,
      lh_reason: 'A letter',
    },
  }),
  'POST /me/privacy-requests': body(() => ({ dsr_kind: 'export', dsr_include_files: false })),
  'POST /admin/privacy-requests': body(() => ({ dsr_kind: 'export', dsr_subject_type: 'email', dsr_subject: email() })),
  'POST /media-tags': async ({ workspace: { owner } }) => ({
    body: { mt_group: await makeGroup(owner.client, { mtg_name: fresh('Group') }), mt_value: 'Summer' },
  }),
  'POST /media-files/duplicates/scan': body(() => ({})),
  'POST /media-analysis-schemas': body(() => ({
    mas_name: `schema_${newId().slice(-8)}`,
    mas_fields: [field('camera', { source: 'metadata', path: 'system.camera' })],
  })),
  'POST /albums/smart': body(() => ({ album_name: fresh('Smart'), query_search: QUERY })),
  'POST /admin/media-tag-groups': body(() => ({ mtg_name: fresh('Group') })),
  'POST /admin/media-tag-groups/{id}/apply-rules': async ({ workspace: { owner } }) => ({
    ids: [await makeGroup(owner.client, { mtg_name: fresh('Group'), mtg_rules: [{ query_search: QUERY, value: 'Harbour' }] })],
    body: {},
  }),
  'POST /faces': ofPicture((face_file) => ({ body: { face_file, face_box: BOX } })),
  'POST /files/actions/detect-faces': ofPicture((file) => ({ body: { file_ids: [file] } })),
  'POST /files/actions/analyze': async (ground) => ({
    body: {
      file_ids: [await picture(ground)],
      fa_schema: await createSchema(ground.workspace.owner.client, `schema_${newId().slice(-8)}`, [
        field('camera', { source: 'metadata', path: 'system.camera' }),
      ]),
    },
  }),
  'POST /files/{id}/analysis': async (ground) => ({
    ids: [await picture(ground)],
    body: {
      fa_schema: await createSchema(ground.workspace.owner.client, `schema_${newId().slice(-8)}`, [
        field('camera', { source: 'metadata', path: 'system.camera' }),
      ]),
    },
  }),
  'POST /document-folders': body(() => ({ album_name: fresh('Folder') })),
  'POST /document-folders/smart': body(() => ({ album_name: fresh('Smart'), query_search: QUERY })),
  'POST /document-relation-types': body(() => ({ rt_name: fresh('Amends') })),
  'POST /documents/{id}/extract': async (ground) => ({ ids: [await filed(ground)], body: { force: true } }),
  'POST /documents/{id}/relations': async (ground) => {
    const { client } = ground.workspace.owner;
    const { rt_id } = (await client.post('/document-relation-types', { rt_name: fresh('Amends') }).expect(201)).body as { rt_id: string };
    return { ids: [await filed(ground)], body: { rel_type: rt_id, document_id: await filed(ground) } };
  },
  'POST /retrieval/reindex': body(() => ({ scope: 'docs' })),
  'POST /object-lifecycle-flows': body(() => flowOf({ olf_name: fresh('Flow') })),
  'POST /object-lifecycle-flows/{id}/activate': async ({ workspace: { owner } }) => ({
    ids: [(await makeFlow(owner.client, { olf_forms: [(await makeSchema(owner.client)).form_id] })).olf_id],
    body: { adopt: true },
  }),
  'POST /knowledge-bases': body(() => ({ ds_name: fresh('Base') })),
  'POST /knowledge-bases/{id}/records': async ({ workspace: { owner } }) => ({
    ids: [(await makeBase(owner.client)).ds_id],
    body: { rec_name: fresh('Record'), rec_content: { body: 'Gulls nest on the pier.' } },
  }),
  'POST /knowledge-bases/{id}/schema/fork': async ({ workspace: { owner } }) => ({
    ids: [(await makeFormBase(owner.client, FAQ)).ds_id],
    body: { form_name: fresh('Schema') },
  }),
  'POST /knowledge-base-schemas': body(() => ({ form_name: fresh('Schema'), form_config: {} })),
  'POST /object-schemas': body(() => ({ form_name: fresh('Schema') })),
  'POST /objects': async ({ workspace: { owner } }) => ({
    body: { obj_form: (await makeObjectSchema(owner.client)).form_id, obj_content: { name: fresh('Object') } },
  }),
  'POST /objects/import': async ({ workspace: { owner } }) => ({
    body: { obj_form: (await makeObjectSchema(owner.client)).form_id, rows: [{ name: fresh('Object') }] },
  }),
  'POST /object-taxonomies': body(() => ({ tax_name: fresh('Taxonomy') })),
  'POST /object-taxonomies/{id}/terms': async ({ workspace: { owner } }) => ({
    ids: [await makeTaxonomy(owner.client)],
    body: { term_name: fresh('Term') },
  }),
  'POST /content-approval-flows': body(() => approvalFlowOf({ caf_name: fresh('Flow') })),
  'POST /sites': body(() => ({ site_name: fresh('Site') })),
  'POST /sites/{id}/nodes': async ({ workspace: { owner } }) => ({
    ids: [(await makeSite(owner.client)).site_id],
    body: { node_name: fresh('Folder'), node_kind: 'folder' },
  }),
  'POST /sites/{id}/nodes/{node_id}/duplicate': async ({ workspace: { owner } }) => {
    const pages = await makePages(owner.client);
    return { ids: [pages.site.site_id, (await pages.make('Source')).node_id], body: {} };
  },
  'POST /content-schema-libraries': body(() => ({ lib_name: fresh('Library') })),
  'POST /content-schema-libraries/{id}/copy': async ({ workspace: { owner } }) => ({
    ids: [await makeContentLibrary(owner.client)],
    body: { lib_name: fresh('Library') },
  }),
  'POST /content-schemas': async ({ workspace: { owner } }) => ({
    body: { tpl_library: await makeContentLibrary(owner.client), tpl_key: 'teaser', tpl_name: 'Teaser', tpl_kind: 'block' },
  }),
  'POST /spaces': body(() => ({ space_name: fresh('Space') })),
  'POST /spaces/{id}/members': async ({ workspace }) => ({
    ids: [
      ((await workspace.owner.client.post('/spaces', { space_name: fresh('Space') }).expect(201)).body as { space_id: string }).space_id,
    ],
    body: { sm_principal_type: 'user', sm_principal: (await workspace.member('viewer')).user_id, sm_role: 'viewer' },
  }),
  'POST /model-providers': body(() => ({ mp_name: `p-${newId()}`, mp_type: 'local' })),
  'POST /threads': body(() => ({ thread_id: newId() })),
  'POST /threads/find-or-create': async ({ workspace: { owner } }) => ({
    body: { thread_ref: { type: 'ds', id: (await makeBase(owner.client)).ds_id } },
  }),
  'POST /threads/{id}/messages': async ({ workspace: { owner } }) => ({
    ids: [(await openThread(owner.client)).thread_id],
    body: { msg_text: 'When does the ferry leave?' },
  }),
  'POST /threads/{id}/messages/{msg_id}/regenerate': async ({ workspace: { owner } }) => {
    const { thread_id } = await openThread(owner.client);
    return { ids: [thread_id, (await say(owner.client, thread_id, 'When does the ferry leave?')).msg_id], body: {} };
  },
  'POST /prompts/{id}/run': async ({ workspace: { owner } }) => {
    const made = await owner.client.post('/prompts', { prompt_name: fresh('Prompt'), prompt_text: 'Reply.' }).expect(201);
    return { ids: [(made.body as { prompt_id: string }).prompt_id], body: {} };
  },
  'POST /agents/{id}/run': async ({ workspace: { owner } }) => {
    const made = await owner.client.post('/agents', { agent_name: fresh('Agent') }).expect(201);
    return { ids: [(made.body as { agent_id: string }).agent_id], body: { input: 'When does the ferry leave?', wait: 0 } };
  },
  'POST /agents': body(() => ({ agent_name: fresh('Agent') })),
  'POST /prompts': body(() => ({ prompt_name: fresh('Prompt'), prompt_text: 'Reply to {{name}}.' })),
  'POST /prompt-categories': body(() => ({ pcat_name: fresh('Category') })),
  'POST /wildcards': body(() => ({ wildcard_name: `w ${newId()}`, wildcard_control_type: 'text' })),
  'POST /memories': body(() => ({ mem_value: fresh('I like boats') })),
  'POST /albums': body(() => ({ album_name: fresh('Album') })),
  'POST /albums/{id}/copy': async ({ workspace }) => ({
    ids: [((await workspace.owner.client.post('/albums', { album_name: fresh('Album') })).body as { album_id: string }).album_id],
    body: { album_name: fresh('Copy') },
  }),
  'POST /people': body(() => ({ person_name: fresh('Person') })),
  'POST /admin/media-status-flows': body(() => ({ msf_name: fresh('Flow'), ...FLOW })),
  'POST /saved-searches': body(() => ({ sq_name: fresh('Search'), sq_scope: 'media', sq_query: QUERY })),
  'POST /uploads': body(() => ({ file_repo: MEDIA, file_name: 'harbour.txt', file_size: 12 })),
  'POST /uploads/{id}/finalize': async ({ workspace: { owner } }) => ({
    ids: [(await sendUpload(owner.client, 'harbour.txt', Buffer.from(newId()))).upl_id],
    body: {},
  }),
  'POST /uploads/import': body(() => ({ file_repo: MEDIA, source_url: `http://127.0.0.1:9/${newId()}.txt` })),
  'POST /files': body(() => ({ file_repo: MEDIA, file_name: fresh('note.md') })),
  'POST /files/{id}/versions': async (ground) => ({ ids: [await document(ground)], body: { file_size: 12 } }),
  'POST /files/{id}/copy-to-media': async (ground) => ({
    ids: [(await storeFile(ground.api, ground.workspace, { repo: 'generated' })).file_id],
    body: {},
  }),
  'POST /files/{id}/hold': ofPicture((file) => ({ ids: [file], body: { lh_reason: 'A letter' } })),
  'POST /files/actions/reindex': body(() => ({ repo_type: 'media' })),
  'POST /files/trash/empty': body(() => ({ repo_type: 'media' })),
  'POST /download-jobs': ofPicture((file) => ({ body: { file_ids: [file] } })),
  'POST /share-links': ofPicture((file) => ({ body: { share_name: fresh('Share'), share_type: 'files', share_file_ids: [file] } })),
  'POST /stock-photos/{stock_id}/import': () => ({ ids: ['unsplash:u1'], body: { duplicate: true } }),
  'POST /files/actions/media-tags': async ({ api, workspace }) => ({
    body: { file_ids: await storeMany(api, workspace, 501), add: { Season: ['Summer'] } },
  }),
  'POST /distribution/restrictions': body(() => ({ dr_name: fresh('Rule'), dr_kind: 'territory', dr_effect: 'deny', dr_values: ['KP'] })),
  'POST /knowledge-bases/{id}/records/import': async (ground) => ({
    ids: [await knowledge(ground)],
    body: { rows: [{ name: 'Lamp', body: 'A lamp.' }] },
  }),
  'POST /knowledge-bases/{id}/crawls': async (ground) => ({ ids: [await knowledge(ground)], body: { crw_url: 'http://127.0.0.1:9/' } }),
  'POST /knowledge-bases/{id}/crawls/{crawl_id}/run': async (ground) => {
    const base = await knowledge(ground);
    const made = await ground.workspace.owner.client
      .post(`/knowledge-bases/${base}/crawls`, { crw_url: 'http://127.0.0.1:9/', start: false })
      .expect(201);
    return { ids: [base, (made.body as { crawl: { crw_id: string } }).crawl.crw_id], body: {} };
  },
  'POST /object-sources': async (ground) => ({ body: await articlesOf(ground) }),
  'POST /object-sources/{id}/sync': async (ground) => {
    const made = await ground.workspace.owner.client.post('/object-sources', await articlesOf(ground)).expect(201);
    return { ids: [(made.body as { osr_id: string }).osr_id], body: {} };
  },
  'POST /files/{id}/publication': ofPicture((file) => ({ ids: [file], body: { distribution: 'worldwide' } })),
  'POST /publications/actions/publish': ofPicture((file) => ({ body: { file_ids: [file], distribution: 'worldwide' } })),
  'POST /publications/actions/unpublish': ofPicture((file) => ({ body: { file_ids: [file] } })),
  'POST /social-posts': body(() => ({ sp_text: fresh('Post') })),
  'POST /social-posts/{id}/publish': async (ground) => ({ ids: [await post(ground)], body: {} }),
  'POST /social-posts/{id}/retry': async (ground) => {
    const sp_id = await post(ground);
    await ground.api.sql(`UPDATE social_variant SET spv_state = 'failed' WHERE spv_post = $1`, [sp_id]);
    await ground.api.sql(`UPDATE social_post SET sp_state = 'failed' WHERE sp_id = $1`, [sp_id]);
    return { ids: [sp_id], body: {} };
  },
  'POST /admin/social/slots': async ({ api, workspace }) => ({
    body: { sls_weekday: 1, sls_time: '09:00', sls_target: await makeTarget(api, workspace.tenant_id) },
  }),
  'POST /admin/social/{platform}/callback': async ({ workspace: { owner }, linkedin }) => {
    const redirect_uri = 'http://127.0.0.1:9/callback';
    const { body: auth } = await owner.client
      .get(`/admin/social/linkedin/auth-url?redirect_uri=${encodeURIComponent(redirect_uri)}`)
      .expect(200);
    if (linkedin) linkedin.state.member = { ...linkedin.state.member, id: newId() };
    const { headers } = await fetch((auth as { url: string }).url, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '').searchParams;
    return { ids: ['linkedin'], body: { code: back.get('code'), state: back.get('state'), redirect_uri } };
  },
  'POST /publications/actions/refresh': ofPicture((file) => ({ body: { file_ids: [file] } })),
};
