import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';
import { FAQ, makeBase, makeFormBase } from '../knowledge/bases';
import { filesSeen, picture, publicPath, shareLink } from '../distribution/sharing';
import type { Ground } from '../http/creating-routes';
import { field as analysed } from '../media/analysing';
import { makeGroup } from '../media/tagging';
import { activeFlow, STATES, TRANSITIONS } from '../objects/flows';
import { field, makeObject, makeSchema } from '../objects/objects';
import { openThread } from '../ai/talking';

const DOCS = { library: ['docs'] };
const fresh = (name: string): string => `${name} ${newId()}`;
const within = (value: string): object => ({ where: { field: 'file_name', op: 'contains', value } });

/** Whose address and name are planted, and a text with both. */
export interface Planted {
  readonly words: string;
  readonly email: string;
  readonly name: string;
}

/** A ground whose clients note what the API took of them. */
export interface NotedGround extends Ground {
  /** Somebody from outside. */
  readonly visitor: () => Client;
}

/** Plants the person in some of the fields that the document has. */
export type Plants = (ground: NotedGround, planted: Planted) => Promise<unknown>;

/** Texts that are within a grammar, or behind a state. */
export const BY_HAND: readonly Plants[] = [
  async ({ workspace: { owner } }, { words }) => {
    const tool = { client: true, name: 'open_dialog', description: words, schema: { type: 'object', description: words } };
    const agent_tools = [tool];
    const { agent_id } = (
      await owner.client.post('/agents', { agent_name: fresh('Agent'), agent_tools, agent_overrides: ['tools'] }).expect(201)
    ).body as { agent_id: string };
    await owner.client.patch(`/agents/${agent_id}`, { agent_tools: [...agent_tools, { tool: 'search_knowledge' }] }).expect(200);
    const { thread_id } = await openThread(owner.client, { thread_agent: agent_id });
    await owner.client.post(`/threads/${thread_id}/messages`, { msg_text: 'Open it.', run_options: { tools: [tool] } }).expect(202);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { ds_id } = await makeBase(owner.client);
    await owner.client.post(`/knowledge-bases/${ds_id}/records`, { rec_name: fresh('Record'), rec_content: { body: words } }).expect(201);
    const faq = await makeFormBase(owner.client, FAQ);
    const rec_content = { question: `Who? ${words}`, answer: words };
    await owner.client.post(`/knowledge-bases/${faq.ds_id}/records`, { rec_content }).expect(201);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { ds_id } = await makeBase(owner.client);
    await owner.client.post(`/knowledge-bases/${ds_id}/records/import`, { rows: [{ name: fresh('Record'), body: words }] }).expect(202);
    const { form_id } = await makeSchema(owner.client);
    await owner.client.post('/objects/import', { obj_form: form_id, rows: [{ name: words }] }).expect(202);
  },
  async ({ workspace: { owner } }, { words, email }) => {
    const { form_id } = await makeSchema(owner.client, [
      { ...field('note', 'text', { filterable: true }), label: words },
      field('mail', 'text', { filterable: true, unique: true }),
    ]);
    const { obj_id } = await makeObject(owner.client, form_id, { name: words, note: words, mail: email });
    await owner.client.patch(`/objects/${obj_id}`, { obj_content: { note: `Again: ${words}` } }).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { form_id } = await makeSchema(owner.client);
    await activeFlow(owner.client, [form_id], {
      olf_name: fresh('Flow'),
      olf_states: STATES.map((state) => ({ ...state, name: `${state.name}: ${words}`.slice(0, 100) })),
      olf_transitions: TRANSITIONS,
    });
    const { obj_id } = await makeObject(owner.client, form_id, { name: 'Object' });
    const moved = { transition: 'submit', comment: words, obj_content: { name: words } };
    await owner.client.post(`/objects/${obj_id}/transitions`, moved).expect(200);
  },
  async ({ workspace: { owner } }, { words }) => {
    await owner.client.post('/saved-searches', { sq_name: fresh('Search'), sq_scope: 'media', sq_query: within(words) }).expect(201);
    for (const path of ['/albums/smart', '/document-folders/smart'])
      await owner.client.post(path, { album_name: fresh('Smart'), query_search: within(words) }).expect(201);
    await makeGroup(owner.client, { mtg_name: fresh('Group'), mtg_rules: [{ query_search: within(words), value: 'Harbour' }] });
  },
  ({ workspace: { owner } }, { words }) =>
    owner.client
      .post('/admin/media-status-flows', {
        msf_name: fresh('Flow'),
        msf_scope: ['generated'],
        msf_active: false,
        msf_states: [
          { key: 'draft', label: words, initial: true },
          { key: 'done', label: 'Done' },
        ],
        msf_transitions: [{ from: 'draft', to: 'done' }],
      })
      .expect(201),
  ({ workspace: { owner } }, { words }) =>
    owner.client
      .post('/media-analysis-schemas', {
        mas_name: `schema_${newId().slice(-8)}`,
        mas_fields: [analysed('who', { instruction: words })],
      })
      .expect(201),
  async ({ workspace, visitor }, { words, email, name }) => {
    const { file_id } = await picture(workspace, 'pier.jpg', 41);
    const link = await shareLink(workspace.owner.client, {
      share_type: 'files',
      share_file_ids: [file_id],
      share_options: { message: words, ask_approval: true },
    });
    await visitor().post(`${publicPath(link)}/unlock`, { name, email });
    const [seen] = await filesSeen(visitor(), link);
    await visitor()
      .post(`${publicPath(link)}/files/${seen?.public_id}/verdict`, { verdict: 'approved', name, email, comment: words })
      .expect(200);
  },
  async ({ workspace, visitor }, { email, name }) => {
    const link = await shareLink(workspace.owner.client, { share_type: 'upload' });
    await visitor()
      .post(`${publicPath(link)}/uploads`, { file_name: `letter-${email}.jpg`, file_size: 12, name, email })
      .expect(201);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { file_id } = (await owner.client.post('/files', { file_repo: DOCS, file_name: `${fresh('Lease')}.md` }).expect(201)).body as {
      file_id: string;
    };
    await owner.client.put(`/files/${file_id}/content`, { content: `# Lease\n\n${words}\n`, fv_note: words }).expect(200);
    await owner.client.post(`/documents/${file_id}/deprecate`, { file_deprecated_reason: words }).expect(200);
  },
  async ({ workspace }, { words }) => {
    const { user_id } = await workspace.member('viewer');
    await workspace.owner.client.post(`/admin/users/${user_id}/suspend`, { reason: words }).expect(200);
    await workspace.owner.client.post(`/admin/users/${user_id}/reactivate`, { reason: words }).expect(200);
  },
  ({ workspace: { owner } }, { words }) =>
    owner.client.patch('/admin/settings', { ws_name: words, ws_description: words, ws_metadata: { noted: words } }).expect(200),
  ({ workspace: { owner } }, { words }) =>
    owner.client.post('/people', { person_name: fresh('Person'), person_consent: { status: 'granted', note: words } }).expect(201),
  async ({ workspace: { owner } }, { words }) => {
    const { thread_id } = await openThread(owner.client, { thread_title: words });
    await owner.client.post(`/threads/${thread_id}/messages`, { msg_text: words, run_options: { run: false } }).expect(201);
  },
  async ({ workspace: { owner } }, { words }) => {
    const { prompt_id } = (
      await owner.client.post('/prompts', { prompt_name: fresh('Prompt'), prompt_text: 'Reply to {{who}}.' }).expect(201)
    ).body as { prompt_id: string };
    await owner.client.post(`/prompts/${prompt_id}/run`, { values: { who: words } });
  },
  async ({ workspace: { owner } }, { words }) => {
    await owner.client.post('/retrieval/search', { query: words }).expect(200);
    await owner.client.post(`/knowledge-bases/${(await makeBase(owner.client)).ds_id}/search`, { query: words }).expect(200);
  },
];
