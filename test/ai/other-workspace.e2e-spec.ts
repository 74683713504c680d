import { newId } from '@atrium/platform/kernel';
import { ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { makeBase } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtrium } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { Follower, PlayedRun } from './following';
import { makeCategory, makePrompt, makeWildcard } from './prompts';
import { openThread, say } from './talking';

/** Rows of one workspace, of each kind that an operation of this context can name. */
const KINDS = [
  'thread',
  'message',
  'answer',
  'run',
  'agent',
  'prompt',
  'category',
  'wildcard',
  'space',
  'memory',
  'provider',
  'base',
  'file',
  'folder',
  'user',
  'role',
] as const;
type Ids = Readonly<Record<(typeof KINDS)[number], string>>;

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let here: Ids;
let there: Ids;
/** Ids that nobody has. */
const nowhere = Object.fromEntries(KINDS.map((kind) => [kind, newId()])) as Ids;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtrium(), ModelServer.start()]);
  const crediting = new Crediting(api);
  [ours, theirs] = [await api.workspace(['module-documents']), await api.workspace(['module-documents'])];
  for (const workspace of [ours, theirs]) await crediting.grant(workspace, { grant_credits: 1_000 });
  [here, there] = [await furnished(ours), await furnished(theirs)];
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

async function furnished(workspace: TestWorkspace): Promise<Ids> {
  const { client, user_id } = workspace.owner;
  const { thread_id: thread } = await openThread(client, { thread_title: 'Harbour' });
  const message = (await say(client, thread, 'Harbour fees')).msg_id;
  const run = await PlayedRun.begin(api, workspace, thread);
  await run.say('Harbour answer');
  await run.finish();
  const [role] = await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 LIMIT 1', [workspace.tenant_id]);
  const made = async (path: string, body: object, field: string): Promise<string> =>
    String(((await client.post(path, body).expect(201)).body as Record<string, unknown>)[field]);
  return {
    thread,
    message,
    answer: run.msg_id,
    run: run.run_id,
    agent: (await makeAgent(client)).agent_id,
    prompt: (await makePrompt(client, 'Harbour prompt')).prompt_id,
    category: (await makeCategory(client, `Harbour ${newId()}`)).pcat_id,
    wildcard: (await makeWildcard(client, `Harbour${newId().slice(-6)}`)).wildcard_id,
    space: await made('/spaces', { space_name: `Harbour ${newId()}` }, 'space_id'),
    memory: await made('/memories', { mem_value: 'Harbour memory' }, 'mem_id'),
    provider: await provideModels(api, workspace, server, [{ model: 'quiet-1', model_kind: 'text' }]),
    base: (await makeBase(client)).ds_id,
    file: (await upload(client, 'harbour.txt', Buffer.from('Harbour file'), { file_repo: { library: ['docs'] } })).file_id,
    folder: await made('/document-folders', { album_name: 'Harbour folder' }, 'album_id'),
    user: user_id,
    role: role?.role_id ?? '',
  };
}

interface Said {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly code: string }[];
}

/** What an answer says, apart from the path and the request that it repeats. */
async function saidTo(client: Client, [method, path, body]: Asked): Promise<Said> {
  const sent = method === 'get' ? client.get(path) : method === 'delete' ? client.delete(path) : client[method](path, body);
  const answer = await sent;
  const { code, detail, errors } = answer.body as Omit<Said, 'status'>;
  return { status: answer.status, code, detail, errors };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Asked = readonly [method: Method, path: string, body?: object];

const RUN_FREE = { run_options: { run: false } };

/** Every operation with an id in its path: `mine` are rows of the caller, `ids` the foreign ones. */
const PATHS: readonly (readonly [route: string, asked: (ids: Ids, mine: Ids) => Asked])[] = [
  ['GET /agents/:id', ({ agent }) => ['get', `/agents/${agent}`]],
  ['PATCH /agents/:id', ({ agent }) => ['patch', `/agents/${agent}`, { agent_name: 'x' }]],
  ['DELETE /agents/:id', ({ agent }) => ['delete', `/agents/${agent}`]],
  ['POST /agents/:id/run', ({ agent }) => ['post', `/agents/${agent}/run`, { input: 'x' }]],
  ['GET /agents/:id/runs/:run_id', ({ agent, run }) => ['get', `/agents/${agent}/runs/${run}`]],
  ['GET /agents/:id/runs/:run_id', ({ run }, { agent }) => ['get', `/agents/${agent}/runs/${run}`]],
  ['DELETE /memories/:id', ({ memory }) => ['delete', `/memories/${memory}`]],
  ['PATCH /memories/:id', ({ memory }) => ['patch', `/memories/${memory}`, { mem_value: 'x' }]],
  ['GET /model-providers/:id', ({ provider }) => ['get', `/model-providers/${provider}`]],
  ['PATCH /model-providers/:id', ({ provider }) => ['patch', `/model-providers/${provider}`, { mp_active: false }]],
  ['DELETE /model-providers/:id', ({ provider }) => ['delete', `/model-providers/${provider}`]],
  ['GET /prompt-categories/:id', ({ category }) => ['get', `/prompt-categories/${category}`]],
  ['PATCH /prompt-categories/:id', ({ category }) => ['patch', `/prompt-categories/${category}`, { pcat_name: 'x' }]],
  ['DELETE /prompt-categories/:id', ({ category }) => ['delete', `/prompt-categories/${category}`]],
  ['GET /prompts/:id', ({ prompt }) => ['get', `/prompts/${prompt}`]],
  ['PATCH /prompts/:id', ({ prompt }) => ['patch', `/prompts/${prompt}`, { prompt_name: 'x' }]],
  ['DELETE /prompts/:id', ({ prompt }) => ['delete', `/prompts/${prompt}`]],
  ['POST /prompts/:id/run', ({ prompt }) => ['post', `/prompts/${prompt}/run`, {}]],
  ['GET /spaces/:id', ({ space }) => ['get', `/spaces/${space}`]],
  ['PATCH /spaces/:id', ({ space }) => ['patch', `/spaces/${space}`, { space_name: 'x' }]],
  ['DELETE /spaces/:id', ({ space }) => ['delete', `/spaces/${space}`]],
  ['GET /spaces/:id/members', ({ space }) => ['get', `/spaces/${space}/members`]],
  [
    'POST /spaces/:id/members',
    ({ space }, { user }) => ['post', `/spaces/${space}/members`, { sm_principal_type: 'user', sm_principal: user, sm_role: 'owner' }],
  ],
  ['PATCH /spaces/:id/members/:member_id', ({ space, user }) => ['patch', `/spaces/${space}/members/${user}`, { sm_role: 'viewer' }]],
  ['PATCH /spaces/:id/members/:member_id', ({ user }, { space }) => ['patch', `/spaces/${space}/members/${user}`, { sm_role: 'viewer' }]],
  ['DELETE /spaces/:id/members/:member_id', ({ space, user }) => ['delete', `/spaces/${space}/members/${user}`]],
  ['DELETE /spaces/:id/members/:member_id', ({ user }, { space }) => ['delete', `/spaces/${space}/members/${user}`]],
  ['GET /threads/:id', ({ thread }) => ['get', `/threads/${thread}`]],
  ['PATCH /threads/:id', ({ thread }) => ['patch', `/threads/${thread}`, { thread_title: 'x' }]],
  ['DELETE /threads/:id', ({ thread }) => ['delete', `/threads/${thread}`]],
  ['GET /threads/:id/events', ({ thread }) => ['get', `/threads/${thread}/events`]],
  ['GET /threads/:id/files', ({ thread }) => ['get', `/threads/${thread}/files`]],
  ['PUT /threads/:id/leaf', ({ thread, message: msg_id }) => ['put', `/threads/${thread}/leaf`, { msg_id }]],
  ['GET /threads/:id/members', ({ thread }) => ['get', `/threads/${thread}/members`]],
  [
    'POST /threads/:id/members',
    ({ thread }, { user }) => ['post', `/threads/${thread}/members`, { member_type: 'user', member_id: user, member_level: 'view' }],
  ],
  ['DELETE /threads/:id/members/:member_id', ({ thread, user }) => ['delete', `/threads/${thread}/members/${user}`]],
  ['DELETE /threads/:id/members/:member_id', ({ user }, { thread }) => ['delete', `/threads/${thread}/members/${user}`]],
  ['GET /threads/:id/messages', ({ thread }) => ['get', `/threads/${thread}/messages`]],
  ['POST /threads/:id/messages', ({ thread }) => ['post', `/threads/${thread}/messages`, { msg_text: 'x', ...RUN_FREE }]],
  ['GET /threads/:id/messages/:msg_id', ({ thread, message }) => ['get', `/threads/${thread}/messages/${message}`]],
  ['GET /threads/:id/messages/:msg_id', ({ message }, { thread }) => ['get', `/threads/${thread}/messages/${message}`]],
  [
    'PATCH /threads/:id/messages/:msg_id',
    ({ thread, message }) => ['patch', `/threads/${thread}/messages/${message}`, { msg_active: false }],
  ],
  [
    'PATCH /threads/:id/messages/:msg_id',
    ({ message }, { thread }) => ['patch', `/threads/${thread}/messages/${message}`, { msg_active: false }],
  ],
  [
    'GET /threads/:id/messages/:msg_id/citations/check',
    ({ thread, answer }) => ['get', `/threads/${thread}/messages/${answer}/citations/check`],
  ],
  [
    'GET /threads/:id/messages/:msg_id/citations/check',
    ({ answer }, { thread }) => ['get', `/threads/${thread}/messages/${answer}/citations/check`],
  ],
  [
    'POST /threads/:id/messages/:msg_id/regenerate',
    ({ thread, answer }) => ['post', `/threads/${thread}/messages/${answer}/regenerate`, {}],
  ],
  [
    'POST /threads/:id/messages/:msg_id/regenerate',
    ({ answer }, { thread }) => ['post', `/threads/${thread}/messages/${answer}/regenerate`, {}],
  ],
  ['POST /threads/:id/presence', ({ thread }) => ['post', `/threads/${thread}/presence`, { state: 'left' }]],
  ['GET /threads/:id/runs/:run_id', ({ thread, run }) => ['get', `/threads/${thread}/runs/${run}`]],
  ['GET /threads/:id/runs/:run_id', ({ run }, { thread }) => ['get', `/threads/${thread}/runs/${run}`]],
  [
    'POST /threads/:id/runs/:run_id/tool-results',
    ({ thread, run }) => ['post', `/threads/${thread}/runs/${run}/tool-results`, { results: [{ call_id: 'call_1', approve: true }] }],
  ],
  [
    'POST /threads/:id/runs/:run_id/tool-results',
    ({ run }, { thread }) => ['post', `/threads/${thread}/runs/${run}/tool-results`, { results: [{ call_id: 'call_1', approve: true }] }],
  ],
  ['POST /threads/:id/stop', ({ thread }) => ['post', `/threads/${thread}/stop`, {}]],
  ['GET /wildcards/:id', ({ wildcard }) => ['get', `/wildcards/${wildcard}`]],
  ['PATCH /wildcards/:id', ({ wildcard }) => ['patch', `/wildcards/${wildcard}`, { wildcard_name: 'x' }]],
  ['DELETE /wildcards/:id', ({ wildcard }) => ['delete', `/wildcards/${wildcard}`]],
];

const named = (): object => ({ prompt_name: `P ${newId()}`, prompt_text: 'x' });
/** With an owner who is known, as lists of agents and prompts must have one. */
const acls = ({ user, role, space }: Ids, { user: owner }: Ids): object[] => [
  { users: { [owner]: 'owner', [user]: 'view' } },
  { users: { [owner]: 'owner' }, roles: { [role]: 'view' } },
  { users: { [owner]: 'owner' }, spaces: { [space]: 'view' } },
];
const AGENT = ({ base, folder, file, ...ids }: Ids, mine: Ids): object[] => [
  { agent_knowledge: [base] },
  { agent_folders: [folder] },
  { agent_files: [file] },
  { agent_icon: `file:${file}` },
  ...acls({ base, folder, file, ...ids }, mine).map((agent_acl) => ({ agent_acl })),
];
const SPACE = ({ agent, base }: Ids): object[] => [{ space_agent: agent }, { space_knowledge: [base] }];
const PROMPT = ({ agent, base, category, ...ids }: Ids, mine: Ids): object[] => [
  { prompt_agent: agent },
  { prompt_knowledge: [base] },
  { prompt_categories: [category] },
  ...acls({ agent, base, category, ...ids }, mine).map((prompt_acl) => ({ prompt_acl })),
];
const THREAD = (ids: Ids, mine: Ids): object[] => [
  { thread_agent: ids.agent },
  { thread_space: ids.space },
  { thread_user: ids.user },
  ...acls(ids, mine).map((thread_acl) => ({ thread_acl })),
];
const POSTED = ({ message, prompt, agent, base }: Ids): object[] => [
  { msg_text: 'x', ...RUN_FREE, msg_parent: message },
  { prompt: { prompt_id: prompt } },
  { msg_text: 'x', run_options: { agent_id: agent } },
  { msg_text: 'x', run_options: { knowledge: [base] } },
];

/** Every id that a body can name, one at a time. */
const bodies = (ids: Ids, mine: Ids): Asked[] => [
  ['post', `/agents/${mine.agent}/run`, { input: 'x', files: [ids.file] }],
  ['post', '/threads/find-or-create', { thread_ref: { type: 'ds', id: ids.base } }],
  ['post', '/threads/find-or-create', { thread_ref: { type: 'file', id: ids.file } }],
  ['post', `/threads/${mine.thread}/messages`, { msg_text: 'x', ...RUN_FREE, msg_files: [ids.file] }],
  ['post', `/threads/${mine.thread}/messages`, { msg_parts: [{ kind: 'file', file_id: ids.file }], ...RUN_FREE }],
  ...AGENT(ids, mine).flatMap((body): Asked[] => [
    ['post', '/agents', { agent_name: `A ${newId()}`, ...body }],
    ['patch', `/agents/${mine.agent}`, body],
  ]),
  ...SPACE(ids).flatMap((body): Asked[] => [
    ['post', '/spaces', { space_name: `S ${newId()}`, ...body }],
    ['patch', `/spaces/${mine.space}`, body],
  ]),
  ['post', `/spaces/${mine.space}/members`, { sm_principal_type: 'user', sm_principal: ids.user, sm_role: 'viewer' }],
  ['post', `/spaces/${mine.space}/members`, { sm_principal_type: 'role', sm_principal: ids.role, sm_role: 'viewer' }],
  ...PROMPT(ids, mine).flatMap((body): Asked[] => [
    ['post', '/prompts', { ...named(), ...body }],
    ['patch', `/prompts/${mine.prompt}`, body],
  ]),
  ['post', `/prompts/${mine.prompt}/run`, { run_options: { agent_id: ids.agent } }],
  ['post', '/prompt-categories', { pcat_name: `C ${newId()}`, pcat_parent: ids.category }],
  ['patch', `/prompt-categories/${mine.category}`, { pcat_parent: ids.category }],
  ...THREAD(ids, mine).flatMap((body): Asked[] => [
    ['post', '/threads', { thread_id: newId(), ...body }],
    ['patch', `/threads/${mine.thread}`, body],
  ]),
  ['post', '/threads/find-or-create', { thread_ref: { type: 'ds', id: mine.base }, thread_agent: ids.agent }],
  ['post', '/threads/find-or-create', { thread_ref: { type: 'ds', id: mine.base }, thread_space: ids.space }],
  ['put', `/threads/${mine.thread}/leaf`, { msg_id: ids.message }],
  ...(['user', 'role', 'space'] as const).map((kind): Asked => [
    'post',
    `/threads/${mine.thread}/members`,
    { member_type: kind, member_id: ids[kind], member_level: 'view' },
  ]),
  ...POSTED(ids).map((body): Asked => ['post', `/threads/${mine.thread}/messages`, body]),
  ['post', `/threads/${mine.thread}/messages/${mine.message}/regenerate`, { run_options: { agent_id: ids.agent } }],
  ['post', `/threads/${mine.thread}/stop`, { run_id: ids.run }],
  ['post', '/assist/summarize', { file_id: ids.file }],
  ['post', '/assist/alt-text', { file_id: ids.file }],
];

/** What the owner of the other workspace sees of everything in it. */
async function all(workspace: TestWorkspace, ids: Ids): Promise<string> {
  const { client } = workspace.owner;
  const paths = [
    `/threads/${ids.thread}`,
    `/threads/${ids.thread}/members`,
    `/threads/${ids.thread}/messages?branch=all`,
    `/threads/${ids.thread}/runs/${ids.run}`,
    `/agents/${ids.agent}`,
    `/prompts/${ids.prompt}`,
    `/prompt-categories/${ids.category}`,
    `/wildcards/${ids.wildcard}`,
    `/spaces/${ids.space}`,
    `/spaces/${ids.space}/members`,
    '/memories',
    `/model-providers/${ids.provider}`,
  ];
  const seen: unknown[] = [];
  for (const path of paths) seen.push((await client.get(path).expect(200)).body);
  return JSON.stringify(seen);
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; schema?: { format?: string; items?: { format?: string } } }[];
}

/** The operations of this context, as the API describes them. */
async function operations(): Promise<[route: string, operation: Operation][]> {
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: Record<string, Record<string, Operation>> };
  const roots = /^\/api\/v1\/(agents|assist|memories|model-providers|models|prompt-categories|prompts|spaces|threads|wildcards)(\/|$)/;
  return Object.entries(document.paths)
    .filter(([path]) => roots.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, ':$1')}`,
        operation,
      ]),
    );
}

/** Where a body names rows of the other workspace, as faults write it. */
function placesIn(value: unknown, path = ''): string[] {
  const foreign = Object.values(there);
  if (typeof value === 'string') return foreign.some((id) => value.includes(id)) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((one, at) => placesIn(one, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = path === '' ? key : `${path}.${key}`;
    return foreign.includes(key) ? [inner] : placesIn(one, inner);
  });
}

/** The requests that another row is answered otherwise to than no row at all, or otherwise than expected. */
async function differingBodies(
  asking: (ids: Ids, mine: Ids) => Asked[],
  isExpected: (said: Said, asked: Asked) => boolean,
): Promise<string[]> {
  const { client } = ours.owner;
  const [foreign, unknown] = [asking(there, here), asking(nowhere, here)];
  const differing: string[] = [];
  const generic = (said: Said): string => {
    let text = JSON.stringify(said);
    for (const kind of KINDS) text = text.replaceAll(there[kind], kind).replaceAll(nowhere[kind], kind);
    return text;
  };
  for (const [at, asked] of foreign.entries()) {
    const said = await saidTo(client, asked);
    const other = unknown[at];
    const expected = other && (await saidTo(client, other));
    if (!isExpected(said, asked) || !expected || generic(said) !== generic(expected))
      differing.push(JSON.stringify([asked, said, expected]));
  }
  return differing;
}

describe('[ai 24] ids of another workspace', () => {
  it('are asked about in every operation that has an id in its path', async () => {
    const found = (await operations()).map(([route]) => route).filter((route) => route.includes(':'));
    expect([...new Set(PATHS.map(([route]) => route))].sort()).toEqual(found.sort());
  });

  it.each(PATHS)('are unknown in the path of %s', async (_, asked) => {
    const { client } = ours.owner;
    const foreign = await saidTo(client, asked(there, here));
    expect(foreign).toMatchObject({ status: 404, code: 'not_found' });
    expect(foreign).toEqual(await saidTo(client, asked(nowhere, here)));
  });

  it('are unknown in every body, and the problem names the field', async () => {
    const namesField = ({ status, errors = [] }: Said, [, , body]: Asked): boolean =>
      status === 400 && errors[0]?.code === 'reference' && placesIn(body).join() === errors[0].path;
    expect(await differingBodies(bodies, namesField)).toEqual([]);
  });

  it('find nothing in any filter of a list', async () => {
    const { client } = ours.owner;
    let asked = 0;
    const wrong: unknown[] = [];
    const lists = (await operations()).filter(
      ([route]) =>
        route.startsWith('GET ') &&
        !/:(?!id\b)|^GET \/(agents|spaces|prompts|wildcards|prompt-categories|model-providers)\/:id$|events/.test(route),
    );
    for (const [route, { parameters = [] }] of lists) {
      const path = route
        .slice('GET '.length)
        .replace('/spaces/:id', `/spaces/${here.space}`)
        .replace('/threads/:id', `/threads/${here.thread}`);
      const filters = parameters.filter(
        ({ name, in: place, schema }) => place === 'query' && name !== 'repo_id' && (schema?.format ?? schema?.items?.format) === 'uuid',
      );
      for (const { name } of filters)
        for (const id of Object.values(there)) {
          const query = `${name}=${id}${path.includes('search') ? '&q=harbour' : ''}`;
          const { status, body } = await client.get(`${path}?${query}`);
          asked++;
          if (status !== 200 || (body as { data: unknown[] }).data.length > 0)
            wrong.push(`${path}?${query} ${status} ${JSON.stringify(body)}`);
        }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(100);
    expect((await client.get(`/threads?thread_ids[a]=${there.thread}`).expect(200)).body.data).toEqual([]);
  });

  it('open no stream, with an id of an entry of it either', async () => {
    const run = await PlayedRun.begin(api, theirs, there.thread);
    const entry = await run.say('Theirs');
    await run.finish();
    for (const headers of [{}, { 'Last-Event-ID': entry }] as Record<string, string>[]) {
      const follower = await Follower.connect(api, ours.owner.client, there.thread, headers);
      expect([follower.response.status, follower.response.headers.get('content-type')]).toEqual([
        404,
        'application/problem+json; charset=utf-8',
      ]);
    }
    const own = await Follower.connect(api, ours.owner.client, here.thread, { 'Last-Event-ID': entry });
    const [lock] = await own.until((heard) => heard.length >= 2);
    own.leave();
    expect(lock?.data).toMatchObject({ thread_id: here.thread, resync: true });
  });

  it('let nothing of it be changed by all this, and a thread of the same id is another thread', async () => {
    const before = await all(theirs, there);
    const { client } = ours.owner;
    for (const [, asked] of PATHS) await saidTo(client, asked(there, here));
    for (const asked of bodies(there, here)) await saidTo(client, asked);
    await openThread(client, { thread_id: there.thread, thread_title: 'Ours' });
    await say(client, there.thread, 'Ours alone');
    await client.get(`/threads/${there.thread}/messages/${there.message}`).expect(404);
    await client.delete(`/threads/${there.thread}`).expect(204);
    expect(await all(theirs, there)).toBe(before);
  });
});
