import { join } from 'node:path';
import { AgentAccess, ToolSources } from '@atrium/ai';
import { ContentOwners } from '@atrium/identity';
import { ModelUsers } from '@atrium/models';
import { readSteps } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { makeBase } from '../knowledge/bases';
import { startAtrium } from '../support/api';
import { inTurn } from '../support/in-turn';
import { actingFor, readingFor } from './acting';
import { agentNames, makeAgent, readAgent, UNFOLDING_SCHEMA, type KnownAgent } from './agents';

const WORKFLOW = `workflow:${newId()}`;

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  api.app.get(ToolSources).register({
    prefix: 'workflow',
    listTools: (caller) => Promise.resolve(caller.permissions.has('workflow:run') ? [PUBLISH] : []),
    findTools: (caller, tools) => Promise.resolve(caller.permissions.has('workflow:run') && tools.includes(WORKFLOW) ? [PUBLISH] : []),
    executeCall: () => Promise.resolve({ output: 'done' }),
  });
});
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const PUBLISH = {
  tool: WORKFLOW,
  name: 'publish_news',
  description: 'Publishes news.',
  schema: { type: 'object' },
  risk: 'write',
  idempotent: false,
} as const;

const document = async (file_repo: object = { library: ['docs'] }): Promise<string> =>
  (await ours.owner.client.post('/files', { file_repo, file_name: `${newId()}.md` }).expect(201)).body.file_id as string;
const revisions = (agent_id: string): Promise<{ agent_version: number; rev_body: Record<string, unknown>; rev_user: string | null }[]> =>
  api.sql('SELECT agent_version, rev_body, rev_user FROM agent_revision WHERE agent_id = $1 ORDER BY agent_version', [agent_id]);

describe('the first agent of a workspace', () => {
  it('is there from the beginning, as the default, with tools and a revision', async () => {
    const { data } = (await ours.owner.client.get('/agents').expect(200)).body as { data: (KnownAgent & { agent_user: string | null })[] };
    expect(data).toHaveLength(1);
    const [assistant] = data;
    expect(assistant).toMatchObject({
      agent_name: 'Assistant',
      agent_default: true,
      agent_active: true,
      agent_user: null,
      agent_version: 1,
    });
    expect(assistant?.agent_tools.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['search_knowledge', 'remember', 'forget', 'calculate', 'current_time']),
    );
    const [kept] = await revisions(assistant?.agent_id ?? '');
    expect(kept).toMatchObject({ agent_version: 1, rev_body: { agent_name: 'Assistant', agent_default: true } });
  });

  it('answers where no agent is named, for those who may use it', async () => {
    const { user_id, client } = ours.owner;
    const viewer = await ours.member('viewer');
    const access = api.app.get(AgentAccess);
    const standardFor = (id: string) => readingFor(api, ours, id, async (caller) => (await access.findDefault(caller))?.agent_name ?? null);
    expect(await standardFor(viewer.user_id)).toBe('Assistant');
    const desk = await makeAgent(client, { agent_name: 'Desk', agent_default: true });
    expect(await standardFor(user_id)).toBe('Desk');
    expect(await standardFor(viewer.user_id)).toBe('Desk');
    await client.delete(`/agents/${desk.agent_id}`).expect(204);
    expect(await standardFor(user_id)).toBeNull();
  });

  it('is usable by everybody: none with a list of access is or becomes the default', async () => {
    const { user_id, client } = ours.owner;
    const agent_acl = { users: { [user_id]: 'owner' } };
    const refused = await client.post('/agents', { agent_name: 'Desk', agent_default: true, agent_acl }).expect(409);
    expect(refused.body).toMatchObject({ code: 'invalid_state', detail: expect.stringContaining('must be available to everyone') });
    const closed = await makeAgent(client, { agent_acl });
    await client.patch(`/agents/${closed.agent_id}`, { agent_default: true }).expect(409);
    const open = await makeAgent(client, { agent_default: true });
    await client.patch(`/agents/${open.agent_id}`, { agent_acl }).expect(409);
    await client.patch(`/agents/${open.agent_id}`, { agent_acl, agent_default: false }).expect(200);
  });

  it('that a list keeps to others is replaced by nobody else but administrators', async () => {
    const [keeper, editor] = [await ours.member('editor'), await ours.member('editor')];
    const kept = await makeAgent(keeper.client, { agent_default: true });
    // As it was stored before defaults were everybody's.
    await api.sql('UPDATE agent SET agent_acl = $2 WHERE agent_id = $1', [
      kept.agent_id,
      JSON.stringify({ users: { [keeper.user_id]: 'owner', [editor.user_id]: 'view' } }),
    ]);
    const other = await makeAgent(editor.client);
    const refused = await editor.client.patch(`/agents/${other.agent_id}`, { agent_default: true }).expect(403);
    expect(refused.body.detail).toContain('current default agent');
    await editor.client.post('/agents', { agent_name: 'Mine', agent_default: true }).expect(403);
    expect(await readAgent(keeper.client, kept.agent_id)).toMatchObject({ agent_default: true });
    await ours.owner.client.patch(`/agents/${other.agent_id}`, { agent_default: true }).expect(200);
    expect(await readAgent(keeper.client, kept.agent_id)).toMatchObject({ agent_default: false });
  });
});

describe('agents', () => {
  it('are created with what is usual, and shown as they were set', async () => {
    const { client, user_id } = ours.owner;
    const base = (await makeBase(client)).ds_id;
    const folder = (await client.post('/document-folders', { album_name: 'Manuals' }).expect(201)).body.album_id as string;
    const file = await document();
    const usual = await client.post('/agents', { agent_name: 'Plain' }).expect(201);
    expect(usual.headers.location).toBe(`/api/v1/agents/${usual.body.agent_id as string}`);
    expect(usual.body).toMatchObject({
      agent_type: 'chat',
      agent_model: null,
      agent_params: {},
      agent_retrieval: { mode: 'tool', k: 8, min_score: 0, audience: 'asker', require: false },
      agent_tools: [],
      agent_memory: true,
      agent_acl: {},
      agent_default: false,
      agent_managed_by: null,
      agent_version: 1,
      agent_user: user_id,
      agent_active: true,
    });
    const body = {
      agent_name: 'Desk',
      agent_description: 'Answers.',
      agent_instructions: 'Today is {{date}}.',
      agent_icon: `file:${file}`,
      agent_type: 'context',
      agent_context_types: ['file'],
      agent_params: { temperature: 0.2, stop: ['END'] },
      agent_knowledge: [base],
      agent_folders: [folder],
      agent_files: [file],
      agent_retrieval: { mode: 'always', k: 4, require: true },
      agent_tools: [
        { tool: 'calculate' },
        { client: true, name: 'ask_me', schema: { type: 'object' } },
        { tool: WORKFLOW, config: { a: 1 } },
      ],
      agent_memory: false,
      agent_starters: ['What now?'],
      agent_greeting: 'Hello.',
      agent_schema: { type: 'object', properties: { answer: { type: 'string' } } },
      agent_overrides: ['model', 'tools'],
      agent_acl: { users: { [user_id]: 'owner' } },
      agent_metadata: { team: 'support' },
    };
    const { agent_id } = await makeAgent(client, body);
    expect((await client.get(`/agents/${agent_id}`).expect(200)).body).toMatchObject({
      ...body,
      agent_retrieval: { mode: 'always', k: 4, min_score: 0, audience: 'asker', require: true },
      agent_tools: [
        { tool: 'calculate', approval: 'never' },
        { client: true, name: 'ask_me', description: '', schema: { type: 'object' }, approval: 'never' },
        { tool: WORKFLOW, config: { a: 1 }, approval: 'tainted' },
      ],
    });
  });

  it('are refused with an error at what is wrong', () =>
    inTurn<[string, object, string]>(
      [
        ['an unknown model', { agent_model: 'none/none' }, 'agent_model'],
        ['an unknown base', { agent_knowledge: [newId()] }, 'agent_knowledge[0]'],
        ['an unknown folder', { agent_folders: [newId()] }, 'agent_folders[0]'],
        ['an unknown document', { agent_files: [newId()] }, 'agent_files[0]'],
        ['an unknown picture', { agent_icon: `file:${newId()}` }, 'agent_icon'],
        ['an icon that names no file', { agent_icon: 'file:x' }, 'agent_icon'],
        ['an unknown tool', { agent_tools: [{ tool: 'calculate' }, { tool: 'guess' }] }, 'agent_tools[1].tool'],
        ['a tool that comes later', { agent_tools: [{ tool: `mcp:${newId()}/x` }] }, 'agent_tools[0].tool'],
        ['a workflow that is not there', { agent_tools: [{ tool: `workflow:${newId()}` }] }, 'agent_tools[0].tool'],
        [
          'a broken schema of a tool',
          { agent_tools: [{ client: true, name: 'x', schema: { type: 'object', properties: 1 } }] },
          'agent_tools[0].schema',
        ],
        [
          'a schema of a tool that refers back to the same value',
          { agent_tools: [{ client: true, name: 'x', schema: { type: 'object', allOf: [{ $ref: '#' }] } }] },
          'agent_tools[0].schema',
        ],
        ['a parameter out of bounds', { agent_params: { temperature: 3 } }, 'agent_params.temperature'],
        ['another audience', { agent_retrieval: { audience: 'space' } }, 'agent_retrieval.audience'],
        ['an unknown override', { agent_overrides: ['name'] }, 'agent_overrides[0]'],
        ['an unknown kind of subject', { agent_type: 'context', agent_context_types: ['thread'] }, 'agent_context_types[0]'],
        ['kinds of subjects for a chat', { agent_context_types: ['file'] }, 'agent_context_types'],
        ['an unknown variable', { agent_instructions: 'Hello {{name}}' }, 'agent_instructions'],
        ['a broken schema', { agent_schema: { type: 'object', required: 'x' } }, 'agent_schema'],
        ['a schema whose references unfold without end', { agent_schema: UNFOLDING_SCHEMA }, 'agent_schema'],
        ['a schema of no object', { agent_schema: { type: 'array' } }, 'agent_schema'],
        ['an access list without an owner', { agent_acl: { users: { [newId()]: 'view' } } }, 'agent_acl'],
        ['an access list of strangers', { agent_acl: { spaces: { [newId()]: 'owner' } } }, 'agent_acl.spaces'],
        ['no name', { agent_name: ' ' }, 'agent_name'],
        ['null as a parameter', { agent_params: { temperature: null } }, 'agent_params.temperature'],
        ['null as a setting of the search', { agent_retrieval: { k: null } }, 'agent_retrieval.k'],
      ],
      async (_, body, path) => {
        const answer = await ours.owner.client.post('/agents', { agent_name: 'x', ...body }).expect(400);
        expect(answer.body.code).toBe('validation_failed');
        expect((answer.body.errors as { path: string }[]).map((error) => error.path).join()).toContain(path);
      },
    ));

  it('are changed to null in no field that has a value, and ask for consent as before', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'fetch_url' }] });
    for (const body of [
      { agent_active: null },
      { agent_tools: null },
      { agent_tools: [{ tool: 'fetch_url', approval: null }] },
      { agent_tools: [{ client: true, name: 'x', schema: null }] },
      { agent_name: null, agent_default: null },
    ])
      expect((await client.patch(`/agents/${agent_id}`, body).expect(400)).body.code).toBe('validation_failed');
    expect(await readAgent(client, agent_id)).toMatchObject({
      agent_version: 1,
      agent_active: true,
      agent_tools: [{ tool: 'fetch_url', approval: 'tainted' }],
    });
  });

  it('that were stored with the approval null ask for consent as usual once the installation is migrated', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client, {
      agent_tools: [
        { tool: 'fetch_url' },
        { tool: 'calculate' },
        { tool: 'create_document', approval: 'always' },
        { client: true, name: 'x' },
      ],
    });
    await api.sql(
      `UPDATE agent SET agent_tools = (SELECT jsonb_agg(CASE WHEN t ->> 'approval' = 'always' THEN t ELSE t || '{"approval": null}' END) FROM jsonb_array_elements(agent_tools) t) WHERE agent_id = $1`,
      [agent_id],
    );
    const step = readSteps(join(__dirname, '../../migrations')).find(({ name }) => name.startsWith('0103'));
    for (let times = 2; times > 0; times--) await api.sql(step?.text ?? '');
    const agent = await readAgent(client, agent_id);
    expect(agent.agent_tools.map(({ approval }) => approval)).toEqual(['tainted', 'never', 'always', 'never']);
    expect(agent.agent_version).toBe(2);
    const [before, after, ...more] = await revisions(agent_id);
    expect(after?.rev_body).toEqual({ ...before?.rev_body, agent_tools: agent.agent_tools });
    expect(more).toEqual([]);
  });

  it('refer to nothing that the person who changes them cannot read, but keep what is there', async () => {
    const { client, user_id } = ours.owner;
    const closed = (await makeBase(client)).ds_id;
    const editor = (await ours.member('editor')).client;
    const { agent_id } = await makeAgent(client, { agent_knowledge: [closed], agent_tools: [{ tool: WORKFLOW }] });
    await client.put(`/knowledge-bases/${closed}/access`, { ds_acl: { users: { [user_id]: 'owner' } } }).expect(200);
    const open = (await makeBase(client)).ds_id;
    const other = await editor.post('/agents', { agent_name: 'x', agent_knowledge: [open, closed] }).expect(400);
    expect(other.body.errors).toEqual([expect.objectContaining({ path: 'agent_knowledge[1]', code: 'reference' })]);
    const scoped = (await ours.member('owner', ['agent:*', 'knowledge-base:view'])).client;
    const kept = await scoped
      .patch(`/agents/${agent_id}`, { agent_knowledge: [open, closed], agent_tools: [{ tool: WORKFLOW }] })
      .expect(200);
    expect(kept.body).toMatchObject({ agent_knowledge: [open, closed], agent_tools: [{ tool: WORKFLOW }] });
    await scoped.post('/agents', { agent_name: 'x', agent_tools: [{ tool: WORKFLOW }] }).expect(400);
  });

  it('have names of their own among the active ones, in any case', async () => {
    const { client } = ours.owner;
    const first = await makeAgent(client, { agent_name: 'Desk' });
    expect((await client.post('/agents', { agent_name: 'DESK' }).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/agents/${first.agent_id}`).expect(204);
    await makeAgent(client, { agent_name: 'desk' });
    expect((await client.patch(`/agents/${first.agent_id}`, { agent_active: true }).expect(409)).body.code).toBe('already_exists');
    expect(
      (await client.patch(`/agents/${first.agent_id}`, { agent_active: true, agent_name: 'Desk 2' }).expect(200)).body.agent_active,
    ).toBe(true);
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/agents', { agent_name: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('are versions: each change keeps what it made, and one that changes nothing makes none', async () => {
    const { client, user_id } = ours.owner;
    const { agent_id } = await makeAgent(client, { agent_name: 'Desk' });
    expect((await client.patch(`/agents/${agent_id}`, { agent_params: { temperature: 1 } }).expect(200)).body.agent_version).toBe(2);
    expect((await client.patch(`/agents/${agent_id}`, { agent_params: { temperature: 1 } }).expect(200)).body.agent_version).toBe(2);
    await client.delete(`/agents/${agent_id}`).expect(204);
    await client.delete(`/agents/${agent_id}`).expect(204);
    const kept = await revisions(agent_id);
    expect(kept.map(({ agent_version }) => agent_version)).toEqual([1, 2, 3]);
    expect(kept.map(({ rev_user }) => rev_user)).toEqual([user_id, user_id, user_id]);
    expect(kept.map(({ rev_body }) => [rev_body.agent_params, rev_body.agent_active])).toEqual([
      [{}, true],
      [{ temperature: 1 }, true],
      [{ temperature: 1 }, false],
    ]);
  });

  it('change only for those who have read the present version', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client);
    const { etag } = (await client.get(`/agents/${agent_id}`).expect(200)).headers as { etag: string };
    await client.with({ 'If-Match': etag }).patch(`/agents/${agent_id}`, { agent_description: 'One' }).expect(200);
    await client.with({ 'If-Match': etag }).patch(`/agents/${agent_id}`, { agent_description: 'Two' }).expect(412);
    await client.with({ 'If-Match': etag }).delete(`/agents/${agent_id}`).expect(412);
  });

  it('have one default among them, however many become it at once', async () => {
    const { client } = ours.owner;
    const made = await Promise.all([1, 2, 3, 4].map(() => makeAgent(client)));
    await Promise.all(made.map(({ agent_id }) => client.patch(`/agents/${agent_id}`, { agent_default: true }).expect(200)));
    const { data } = (await client.get('/agents?agent_default=true').expect(200)).body as { data: KnownAgent[] };
    expect(data).toHaveLength(1);
    expect(made.map(({ agent_id }) => agent_id)).toContain(data[0]?.agent_id);
    const assistant = ((await client.get('/agents?agent_name=Assistant').expect(200)).body as { data: KnownAgent[] }).data[0];
    expect(assistant).toMatchObject({ agent_default: false, agent_version: 2 });
    await client.delete(`/agents/${data[0]?.agent_id}`).expect(204);
    expect(((await client.get('/agents?agent_default=true').expect(200)).body as { data: object[] }).data).toEqual([]);
    expect((await readAgent(client, data[0]?.agent_id ?? '')).agent_default).toBe(false);
  });

  it('that are managed can be changed and not deleted', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client);
    await api.sql(`UPDATE agent SET agent_managed_by = 'platform' WHERE agent_id = $1`, [agent_id]);
    expect((await client.delete(`/agents/${agent_id}`).expect(409)).body.code).toBe('in_use');
    expect((await client.patch(`/agents/${agent_id}`, { agent_active: false }).expect(409)).body.code).toBe('in_use');
    await client.patch(`/agents/${agent_id}`, { agent_description: 'Still.' }).expect(200);
  });

  it('are listed by their fields and words, in the order asked for, page by page', async () => {
    const { client, user_id } = ours.owner;
    await makeAgent(client, { agent_name: 'Gamma', agent_description: 'Printers and toner' });
    await makeAgent(client, { agent_name: 'beta', agent_type: 'context' });
    const gone = await makeAgent(client, { agent_name: 'Alpha' });
    await client.delete(`/agents/${gone.agent_id}`).expect(204);
    expect(await agentNames(client)).toEqual(['beta', 'Gamma', 'Assistant']);
    expect(await agentNames(client, '?sort=agent_name')).toEqual(['Assistant', 'beta', 'Gamma']);
    expect(await agentNames(client, '?agent_name=ET')).toEqual(['beta']);
    expect(await agentNames(client, '?agent_type=context')).toEqual(['beta']);
    expect(await agentNames(client, '?agent_active=false')).toEqual(['Alpha']);
    expect(await agentNames(client, `?agent_user=${user_id}&sort=agent_name`)).toEqual(['beta', 'Gamma']);
    expect(await agentNames(client, '?full_text_search=toner')).toEqual(['Gamma']);
    expect(await agentNames(client, '?full_text_search=toner -printers')).toEqual([]);
    await api.sql(
      `UPDATE agent SET agent_created = d.at, agent_updated = d.at + interval '1 day' * d.days, agent_model = d.model
       FROM (VALUES ('beta', timestamptz '2026-03-01T00:00Z', 9, 'own/m'), ('Gamma', '2026-03-02T00:00Z', 2, NULL), ('Assistant', '2026-03-03T00:00Z', 3, 'own/n')) d (name, at, days, model)
       WHERE tenant_id = $1 AND agent_name = d.name`,
      [ours.tenant_id],
    );
    expect(await agentNames(client, '?agent_model=own/m')).toEqual(['beta']);
    expect(await agentNames(client, '?agent_model=own')).toEqual([]);
    expect(await agentNames(client, '?agent_created=2026-03-02T00:00:00Z')).toEqual(['Assistant', 'Gamma']);
    expect(await agentNames(client, '?agent_created=2026-02-01T00:00:00Z&agent_created=2026-03-01T00:00:00Z')).toEqual(['beta']);
    expect(await agentNames(client, '?agent_updated=2026-03-06T00:00:00Z')).toEqual(['Assistant', 'beta']);
    expect(await agentNames(client, '?agent_updated=2026-03-01T00:00:00Z&agent_updated=2026-03-04T00:00:00Z')).toEqual(['Gamma']);
    expect(await agentNames(client, '?sort=agent_updated')).toEqual(['Gamma', 'Assistant', 'beta']);
    expect(await agentNames(client, '?sort=-agent_updated')).toEqual(['beta', 'Assistant', 'Gamma']);
    const first = (await client.get('/agents?sort=agent_name&limit=2').expect(200)).body as { next_cursor: string; has_more: boolean };
    expect(first.has_more).toBe(true);
    expect(await agentNames(client, `?sort=agent_name&limit=2&cursor=${first.next_cursor}`)).toEqual(['Gamma']);
    await client.get('/agents?agent_space=x').expect(400);
  });
});

describe('tools of agents', () => {
  const offered = async (query = '', client = ours.owner.client): Promise<string[]> =>
    ((await client.get(`/agents/tools${query}`).expect(200)).body as { data: { tool: string }[] }).data.map(({ tool }) => tool);

  it('are those of the service and those of sources that the caller may use', async () => {
    const all = await offered();
    expect(all.slice(0, 2)).toEqual(['search_knowledge', 'read_document']);
    expect(all.at(-1)).toBe(WORKFLOW);
    expect(all).not.toContain('generate_image');
    expect(await offered('', (await ours.member('owner', ['agent:view'])).client)).not.toContain(WORKFLOW);
    expect(await offered('?risk=external')).toEqual(['fetch_url']);
    const page = (await ours.owner.client.get('/agents/tools?limit=3').expect(200)).body as { next_cursor: string; data: object[] };
    expect(page.data[0]).toEqual({
      tool: 'search_knowledge',
      name: 'search_knowledge',
      risk: 'read',
      description: expect.any(String),
      schema: expect.objectContaining({ type: 'object' }),
    });
    expect(await offered(`?limit=1000&cursor=${page.next_cursor}`)).toEqual(all.slice(3));
  });
});

describe('access to an agent', () => {
  it('is given by its list: unreadable agents are not there, readable ones are not changed', async () => {
    const { client, user_id } = ours.owner;
    const [excluded, reader] = [await ours.member('admin'), await ours.member('owner', ['agent:*'])];
    const agent_acl = { users: { [user_id]: 'owner', [reader.user_id]: 'view' } };
    const { agent_id } = await makeAgent(client, { agent_name: 'Closed', agent_acl });
    const usableFor = (id: string) =>
      readingFor(api, ours, id, async (caller) => (await api.app.get(AgentAccess).findUsable(caller, agent_id)) !== null);

    await excluded.client.get(`/agents/${agent_id}`).expect(404);
    await excluded.client.patch(`/agents/${agent_id}`, { agent_name: 'x' }).expect(404);
    await excluded.client.delete(`/agents/${agent_id}`).expect(404);
    expect(await agentNames(excluded.client)).toEqual(['Assistant']);
    expect(await usableFor(excluded.user_id)).toBe(false);

    await reader.client.get(`/agents/${agent_id}`).expect(200);
    await reader.client.patch(`/agents/${agent_id}`, { agent_name: 'x' }).expect(403);
    await reader.client.delete(`/agents/${agent_id}`).expect(403);
    expect(await agentNames(reader.client)).toEqual(['Closed', 'Assistant']);
    expect(await usableFor(reader.user_id)).toBe(true);

    const edit = { users: { ...agent_acl.users, [reader.user_id]: 'edit' } };
    await client.patch(`/agents/${agent_id}`, { agent_acl: edit }).expect(200);
    await reader.client.patch(`/agents/${agent_id}`, { agent_name: 'Changed' }).expect(200);
    await reader.client.patch(`/agents/${agent_id}`, { agent_acl: {} }).expect(403);
    await reader.client.delete(`/agents/${agent_id}`).expect(204);
    expect(await usableFor(reader.user_id)).toBe(false);
  });

  it('is changed by administrators who can see it, and by nobody else who only may edit or see', async () => {
    const { client, user_id } = ours.owner;
    const [editor, viewer, stranger] = [await ours.member('editor'), await ours.member('admin'), await ours.member('admin')];
    const agent_acl = { users: { [user_id]: 'owner', [viewer.user_id]: 'view', [editor.user_id]: 'edit' } };
    const repaired = { users: { ...agent_acl.users, [viewer.user_id]: 'owner' } };
    const path = `/agents/${(await makeAgent(client, { agent_acl })).agent_id}`;
    const share = (by: Client, more: object = {}) => by.patch(path, { agent_acl: repaired, ...more });
    await share(editor.client).expect(403);
    await share((await api.memberWithKey(ours.tenant_id, viewer.user_id, viewer.email, ['agent:*'])).client).expect(403);
    await share(stranger.client).expect(404);
    await viewer.client.patch(path, {}).expect(403);
    await share(viewer.client, { agent_name: 'Mine' }).expect(403);
    expect((await share(viewer.client).expect(200)).body).toMatchObject({ agent_acl: repaired, agent_version: 2 });
    await viewer.client.patch(path, { agent_name: 'Mine' }).expect(200);
  });

  it('is refused to those without the permission, and shows no instructions to those who may only run agents', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client, { agent_instructions: 'Secret.' });
    const viewer = (await ours.member('viewer')).client;
    const nobody = (await ours.member('owner', ['media:view'])).client;
    const runner = (await ours.member('owner', ['agent:run'])).client;
    const editor = (await ours.member('owner', ['agent:edit'])).client;
    for (const path of ['/agents', '/agents/tools', `/agents/${agent_id}`]) await nobody.get(path).expect(403);
    for (const path of ['/agents', '/agents/tools']) await runner.get(path).expect(403);
    await viewer.post('/agents', { agent_name: 'x' }).expect(403);
    await viewer.patch(`/agents/${agent_id}`, { agent_name: 'x' }).expect(403);
    await viewer.delete(`/agents/${agent_id}`).expect(403);
    await editor.delete(`/agents/${agent_id}`).expect(403);
    expect((await client.get(`/agents/${agent_id}`).expect(200)).body.agent_instructions).toBe('Secret.');
    expect((await runner.get(`/agents/${agent_id}`).expect(200)).body).not.toHaveProperty('agent_instructions');
  });

  it('ends at the workspace: ids of another one are unknown', async () => {
    const { agent_id } = await makeAgent(ours.owner.client);
    const base = (await makeBase(ours.owner.client)).ds_id;
    const file = await document();
    const theirs = await api.workspace(['module-documents']);
    const { client, user_id } = theirs.owner;
    await client.get(`/agents/${agent_id}`).expect(404);
    await client.patch(`/agents/${agent_id}`, { agent_name: 'x' }).expect(404);
    await client.delete(`/agents/${agent_id}`).expect(404);
    for (const body of [{ agent_knowledge: [base] }, { agent_files: [file] }, { agent_acl: { users: { [ours.owner.user_id]: 'owner' } } }])
      await client.post('/agents', { agent_name: 'x', ...body }).expect(400);
    await client.post('/prompts', { prompt_name: 'x', prompt_text: 'x', prompt_agent: agent_id }).expect(400);
    expect(await agentNames(client, `?agent_user=${ours.owner.user_id}`)).toEqual([]);
    expect(await readingFor(api, theirs, user_id, (caller) => api.app.get(AgentAccess).findUsable(caller, agent_id))).toBeNull();
    expect((await readAgent(ours.owner.client, agent_id)).agent_active).toBe(true);
  });

  it('is explained by its list', async () => {
    const { client, user_id } = ours.owner;
    const { agent_id } = await makeAgent(client, { agent_name: 'Closed', agent_acl: { users: { [user_id]: 'owner' } } });
    const member = await ours.member('editor');
    const explained = (id: string) =>
      client
        .post('/admin/access/explain', { user_id: id, permission: 'agent:view', resource: { type: 'agent', id: agent_id } })
        .expect(200);
    expect((await explained(member.user_id)).body.allowed).toBe(false);
    expect((await explained(user_id)).body.allowed).toBe(true);
  });
});

describe('agents elsewhere', () => {
  it('are targets of budgets while they are active', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client);
    const budget = (bud_target: string) =>
      client.post('/admin/budgets', {
        bud_name: newId(),
        bud_scope: 'agent',
        bud_target,
        bud_period: 'month',
        bud_credits: 10,
        bud_action: 'warn',
      });
    await budget(agent_id).expect(201);
    await budget(newId()).expect(400);
    await client.delete(`/agents/${agent_id}`).expect(204);
    await budget(agent_id).expect(400);
  });

  it('are known as users of the models that they name', async () => {
    const { client, user_id } = ours.owner;
    await api.sql(
      `INSERT INTO model_provider (tenant_id, mp_id, mp_name, mp_type, mp_base_url, mp_models)
       VALUES ($1, gen_random_uuid(), 'own', 'openai-compatible', 'https://models.example/v1', '[{"model": "m", "model_kind": "text"}, {"model": "v", "model_kind": "embedding"}]')`,
      [ours.tenant_id],
    );
    await client.post('/agents', { agent_name: 'x', agent_model: 'own/v' }).expect(400);
    const { agent_id, agent_name } = await makeAgent(client, { agent_model: 'own/m' });
    const users = () => readingFor(api, ours, user_id, (caller) => api.app.get(ModelUsers).findUsers('own', caller));
    expect(await users()).toEqual([{ kind: 'agent', named: [{ id: agent_id, name: agent_name }], others: 0 }]);
    await client.delete(`/agents/${agent_id}`).expect(204);
    expect(await users()).toEqual([]);
  });

  describe('that one member leaves to another', () => {
    let giver: Member;
    let taker: Member;

    beforeEach(async () => {
      [giver, taker] = [await ours.member('editor'), await ours.member('editor')];
    });

    const handed = (context: string, size = 100) =>
      actingFor(api, ours, ours.owner.user_id, () => {
        const owner = api.app
          .get(ContentOwners)
          .listOwners()
          .find((one) => one.context === context);
        if (!owner) throw new Error(`${context} hands over nothing.`);
        return owner.transferContent({ from: giver.user_id, to: taker.user_id }, { after: null, size });
      });
    const promptOf = async ({ client }: Member, body: object = {}): Promise<string> =>
      (await client.post('/prompts', { prompt_name: `Prompt ${newId()}`, prompt_text: 'x', ...body }).expect(201)).body.prompt_id as string;
    const prompt = async (prompt_id: string): Promise<Record<string, unknown>> =>
      (await taker.client.get(`/prompts/${prompt_id}`).expect(200)).body as Record<string, unknown>;
    const kept = async (prompt_id: string): Promise<{ rev_body: object; rev_user: string }[]> =>
      api.sql('SELECT rev_body, rev_user FROM prompt_revision WHERE prompt_id = $1 ORDER BY prompt_version', [prompt_id]);

    it('are their own from then on, as they are', async () => {
      const { agent_id } = await makeAgent(giver.client);
      const prompt_id = await promptOf(giver);
      const other = await promptOf(ours.owner);
      expect(await handed('agents')).toEqual({ moved: 1, next: null });
      expect(await handed('prompts')).toEqual({ moved: 1, next: null });
      expect((await taker.client.get(`/agents/${agent_id}`).expect(200)).body).toMatchObject({
        agent_user: taker.user_id,
        agent_version: 1,
      });
      expect(await prompt(prompt_id)).toMatchObject({ prompt_user: taker.user_id, prompt_version: 1 });
      expect((await prompt(other)).prompt_user).toBe(ours.owner.user_id);
      expect(await revisions(agent_id)).toHaveLength(1);
      expect(await handed('agents')).toEqual({ moved: 0, next: null });
    });

    it('have the id behind a name that the other one has, within the bounds of a name, as a new version', async () => {
      const long = 'N'.repeat(120);
      const category = (await ours.owner.client.post('/prompt-categories', { pcat_name: 'Mail' }).expect(201)).body.pcat_id as string;
      const short = await promptOf(giver, { prompt_name: 'Reply', prompt_categories: [category] });
      const longest = await promptOf(giver, { prompt_name: long });
      const same = await promptOf(taker, { prompt_name: 'reply' });
      await promptOf(taker, { prompt_name: long });
      expect(await handed('prompts')).toEqual({ moved: 2, next: null });
      const renamed = { prompt_name: `Reply (${short})`, prompt_version: 2, prompt_user: taker.user_id, prompt_categories: [category] };
      expect(await prompt(short)).toMatchObject(renamed);
      expect(await prompt(longest)).toMatchObject({ prompt_name: `${'N'.repeat(81)} (${longest})`, prompt_version: 2 });
      expect(await prompt(same)).toMatchObject({ prompt_name: 'reply', prompt_version: 1 });
      const [before, after, ...more] = await kept(short);
      expect(more).toEqual([]);
      expect(after).toEqual({ rev_body: { ...before?.rev_body, prompt_name: renamed.prompt_name }, rev_user: ours.owner.user_id });
      const { prompt_name } = await prompt(longest);
      await taker.client.patch(`/prompts/${longest}`, { prompt_name, prompt_text: 'y' }).expect(200);
    });

    it('name the other one in their access lists, with the higher of two levels', async () => {
      const { client, user_id } = ours.owner;
      const users = (...levels: readonly [string, string][]): object => ({ users: Object.fromEntries(levels) });
      const closed = await makeAgent(giver.client, { agent_acl: users([giver.user_id, 'owner']) });
      const both = await makeAgent(giver.client, {
        agent_acl: { ...users([giver.user_id, 'edit'], [taker.user_id, 'owner']), spaces: {} },
      });
      const theirs = await makeAgent(client, { agent_acl: users([giver.user_id, 'owner']) });
      const reads = users([user_id, 'owner'], [giver.user_id, 'view']);
      const readable = await makeAgent(client, { agent_acl: reads });
      const prompt_id = await promptOf(giver, { prompt_acl: users([giver.user_id, 'owner']) });
      await client.delete(`/admin/users/${giver.user_id}`).expect(204);
      await taker.client.get(`/agents/${closed.agent_id}`).expect(404);
      expect(await handed('agents')).toEqual({ moved: 4, next: null });
      expect(await handed('prompts')).toEqual({ moved: 1, next: null });
      const agent = async (agent_id: string): Promise<unknown> => (await taker.client.get(`/agents/${agent_id}`).expect(200)).body;
      const own = users([taker.user_id, 'owner']);
      expect(await agent(closed.agent_id)).toMatchObject({ agent_acl: own, agent_user: taker.user_id, agent_version: 2 });
      expect(await agent(both.agent_id)).toMatchObject({ agent_acl: own, agent_version: 2 });
      expect(await agent(theirs.agent_id)).toMatchObject({ agent_acl: own, agent_user: user_id });
      const read = users([user_id, 'owner'], [taker.user_id, 'view']);
      expect(await agent(readable.agent_id)).toMatchObject({ agent_acl: read, agent_user: user_id, agent_version: 2 });
      const [before, after] = await revisions(closed.agent_id);
      expect(after).toEqual({ agent_version: 2, rev_body: { ...before?.rev_body, agent_acl: own }, rev_user: user_id });
      expect(await prompt(prompt_id)).toMatchObject({ prompt_acl: own, prompt_version: 2 });
      expect(await kept(prompt_id)).toHaveLength(2);
      expect(await handed('agents')).toEqual({ moved: 0, next: null });
    });
  });
});
