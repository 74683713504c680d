import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { sharedAtrium } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { makePrompt } from './prompts';
import { openThread } from './talking';

jest.setTimeout(60_000);

type Level = 'view' | 'edit' | 'owner';
type Kind = 'thread' | 'agent' | 'prompt' | 'space';
/** Who is named with which level, by the names below; a space takes its members from it. */
interface List {
  readonly users?: Readonly<Record<string, Level>>;
  readonly roles?: Readonly<Record<string, Level>>;
  readonly spaces?: Readonly<Record<string, Level>>;
}
interface Relation {
  readonly who: string;
  readonly list: List;
  /** For threads that are put into a space. */
  readonly space?: string;
  readonly mode?: 'private' | 'space' | 'collab';
}
interface Subject {
  readonly id: string;
  readonly acl: object;
}

let api: RunningApi;
let ours: TestWorkspace;
let maker: Member;
let people: Readonly<Record<string, Member>>;
/** Roles and spaces by the names that lists have for them. */
let named: Readonly<Record<string, string>>;

/** All rights of the four areas, so that lists decide alone. */
const RIGHTS = ['thread:*', 'agent:*', 'prompt:*', 'space:*'];

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  await new Crediting(api).grant(ours, { grant_credits: 100_000 });
  const [crew, hands] = [await role('editor'), await role('contributor')];
  maker = await ours.member('editor');
  people = {
    maker,
    mate: await ours.member('editor'),
    guest: await ours.member('editor'),
    hand: await ours.member('contributor'),
    reader: await ours.member('viewer'),
    powerless: await ours.member('editor', ['media:view']),
    administrator: ours.owner,
    foreigner: (await api.workspace()).owner,
  };
  const [hall, workshop] = [await spaceOf({ guest: 'view' }), await spaceOf({ guest: 'edit' })];
  named = { crew, hands, hall, workshop };
});
afterAll(() => api.close());

async function role(role_key: string): Promise<string> {
  const [found] = await api.sql<{ role_id: string }>('SELECT role_id FROM role WHERE tenant_id = $1 AND role_key = $2', [
    ours.tenant_id,
    role_key,
  ]);
  const role_id = found?.role_id ?? '';
  await ours.owner.client.patch(`/admin/roles/${role_id}`, { role_permissions: RIGHTS }).expect(200);
  return role_id;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  'the creator, where the list names nobody': { who: 'maker', list: {} },
  'the creator, whom the list names': { who: 'maker', list: { users: { maker: 'owner' } } },
  'the creator, where the list names others': { who: 'maker', list: { users: { mate: 'owner' } } },
  'a person with view': { who: 'mate', list: { users: { maker: 'owner', mate: 'view' } } },
  'a person with edit': { who: 'mate', list: { users: { maker: 'owner', mate: 'edit' } } },
  'a person with owner': { who: 'mate', list: { users: { maker: 'owner', mate: 'owner' } } },
  'a role with view': { who: 'hand', list: { users: { maker: 'owner' }, roles: { hands: 'view' } } },
  'a role with edit': { who: 'hand', list: { users: { maker: 'owner' }, roles: { hands: 'edit' } } },
  'a role with owner': { who: 'hand', list: { users: { maker: 'owner' }, roles: { hands: 'owner' } } },
  'a person with view whose role has edit': { who: 'hand', list: { users: { maker: 'owner', hand: 'view' }, roles: { hands: 'edit' } } },
  'a person with edit whose role has view': { who: 'hand', list: { users: { maker: 'owner', hand: 'edit' }, roles: { hands: 'view' } } },
  'a space with view': { who: 'guest', list: { users: { maker: 'owner' }, spaces: { hall: 'view' } } },
  'a space with edit': { who: 'guest', list: { users: { maker: 'owner' }, spaces: { hall: 'edit' } } },
  'a space with owner': { who: 'guest', list: { users: { maker: 'owner' }, spaces: { hall: 'owner' } } },
  'an editor of its space, while it is private': { who: 'guest', list: {}, space: 'workshop', mode: 'private' },
  'a viewer of its space, which reads it': { who: 'guest', list: {}, space: 'hall', mode: 'space' },
  'an editor of its space, which reads it': { who: 'guest', list: {}, space: 'workshop', mode: 'space' },
  'a viewer of its space, which writes in it': { who: 'guest', list: {}, space: 'hall', mode: 'collab' },
  'an editor of its space, which writes in it': { who: 'guest', list: {}, space: 'workshop', mode: 'collab' },
  'somebody whom a list of others does not name': { who: 'mate', list: { users: { maker: 'owner' }, roles: { hands: 'owner' } } },
  'somebody whose space is not the one of the list': { who: 'mate', list: { users: { maker: 'owner' }, spaces: { hall: 'owner' } } },
  'somebody, where the list names nobody': { who: 'mate', list: {} },
  'the workspace owner, whom the list does not name': { who: 'administrator', list: { users: { maker: 'owner' } } },
  'the workspace owner with edit': { who: 'administrator', list: { users: { maker: 'owner', administrator: 'edit' } } },
  'an owner who holds the rights to view alone': { who: 'reader', list: { users: { maker: 'owner', reader: 'owner' } } },
  'an owner without any right of the area': { who: 'powerless', list: { users: { maker: 'owner', powerless: 'owner' } } },
  'the owner of another workspace': { who: 'foreigner', list: {} },
};

/**
 * What each may: find it in the list, read it, use it (post in the thread, run the agent or the prompt, open a thread in the
 * space), change it, change who is in its list, delete it. Lists of a space are its members, who are people and roles.
 */
const EXPECTED = `
                                                 | thread                     | agent                      | prompt                     | space
the creator, where the list names nobody         | shown  200 201 200 200 204 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | shown  200 201 200 201 204
the creator, whom the list names                 | shown  200 201 200 200 204 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | shown  200 201 200 201 204
the creator, where the list names others         | shown  200 201 200 200 204 | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | shown  200 201 200 201 204
a person with view                               | shown  200 403 403 403 403 | shown  200 202 403 403 403 | shown  200 202 403 403 403 | shown  200 403 403 403 403
a person with edit                               | shown  200 201 200 403 403 | shown  200 202 200 403 204 | shown  200 202 200 403 204 | shown  200 201 200 403 403
a person with owner                              | shown  200 201 200 200 204 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | shown  200 201 200 201 204
a role with view                                 | shown  200 403 403 403 403 | shown  200 202 403 403 403 | shown  200 202 403 403 403 | shown  200 403 403 403 403
a role with edit                                 | shown  200 201 200 403 403 | shown  200 202 200 403 204 | shown  200 202 200 403 204 | shown  200 201 200 403 403
a role with owner                                | shown  200 201 200 200 204 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | shown  200 201 200 201 204
a person with view whose role has edit           | shown  200 201 200 403 403 | shown  200 202 200 403 204 | shown  200 202 200 403 204 | shown  200 201 200 403 403
a person with edit whose role has view           | shown  200 201 200 403 403 | shown  200 202 200 403 204 | shown  200 202 200 403 204 | shown  200 201 200 403 403
a space with view                                | shown  200 403 403 403 403 | shown  200 202 403 403 403 | shown  200 202 403 403 403 |
a space with edit                                | shown  200 201 200 403 403 | shown  200 202 200 403 204 | shown  200 202 200 403 204 |
a space with owner                               | shown  200 201 200 200 204 | shown  200 202 200 200 204 | shown  200 202 200 200 204 |
an editor of its space, while it is private      | hidden 404 404 404 404 404 |                            |                            |
a viewer of its space, which reads it            | shown  200 403 403 403 403 |                            |                            |
an editor of its space, which reads it           | shown  200 403 403 403 403 |                            |                            |
a viewer of its space, which writes in it        | shown  200 403 403 403 403 |                            |                            |
an editor of its space, which writes in it       | shown  200 201 200 403 403 |                            |                            |
somebody whom a list of others does not name     | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 400 404 404 404
somebody whose space is not the one of the list  | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 |
somebody, where the list names nobody            | hidden 404 404 404 404 404 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | hidden 404 400 404 404 404
the workspace owner, whom the list does not name | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 400 404 403 404
the workspace owner with edit                    | shown  200 201 200 403 403 | shown  200 202 200 200 204 | shown  200 202 200 200 204 | shown  200 201 200 403 403
an owner who holds the rights to view alone      | shown  200 403 403 403 403 | shown  200 403 403 403 403 | shown  200 403 403 403 403 | shown  200 403 403 403 403
an owner without any right of the area           | 403    403 403 403 403 403 | 403    403 403 403 403 403 | 403    403 403 403 403 403 | 403    403 403 403 403 403
the owner of another workspace                   | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 404 404 404 404 | hidden 404 400 404 404 404
`;

/** The column of one kind, by relation; relations that the kind does not have are left out. */
function expected(kind: Kind): Record<string, string> {
  const [head = [], ...rows] = EXPECTED.split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/ +/g, ' ')));
  const column = head.indexOf(kind);
  return Object.fromEntries(rows.flatMap((cells): [string, string][] => (cells[column] ? [[cells[0] ?? '', cells[column] ?? '']] : [])));
}

/** A list with ids instead of names. */
const aclOf = (list: List): object =>
  Object.fromEntries(
    Object.entries(list).map(([subjects, entries]) => [
      subjects,
      Object.fromEntries(Object.entries(entries).map(([name, level]) => [people[name]?.user_id ?? named[name] ?? name, level])),
    ]),
  );

const ROLES = { view: 'viewer', edit: 'editor', owner: 'owner' } as const;

async function spaceOf(users: NonNullable<List['users']>, roles: NonNullable<List['roles']> = {}): Promise<string> {
  const { space_id } = (await maker.client.post('/spaces', { space_name: `Space ${newId()}` }).expect(201)).body as { space_id: string };
  const members = [
    ...Object.entries(users).map(([name, level]) => ['user', people[name]?.user_id, level] as const),
    ...Object.entries(roles).map(([name, level]) => ['role', named[name], level] as const),
  ].filter(([, id]) => id !== maker.user_id);
  for (const [sm_principal_type, sm_principal, level] of members)
    await maker.client.post(`/spaces/${space_id}/members`, { sm_principal_type, sm_principal, sm_role: ROLES[level] }).expect(201);
  return space_id;
}

const MAKE: Readonly<Record<Kind, (relation: Relation, acl: object) => Promise<string>>> = {
  thread: async ({ space, mode }, thread_acl) => {
    const place = space === undefined ? {} : { thread_space: named[space], thread_share_mode: mode };
    return (await openThread(maker.client, { thread_acl, ...place })).thread_id;
  },
  agent: async (_, agent_acl) => (await makeAgent(maker.client, { agent_acl })).agent_id,
  prompt: async (_, prompt_acl) => (await makePrompt(maker.client, 'Hello.', { prompt_acl })).prompt_id,
  space: ({ list: { users = {}, roles } }) => spaceOf(users, roles),
};

type Action = (client: Client, subject: Subject) => PromiseLike<{ readonly status: number; readonly body: unknown }>;

const change =
  (path: string, field: string): Action =>
  (client, { id }) =>
    client.patch(`/${path}/${id}`, { [field]: `Changed ${newId()}` });
/** The list stays what it was; whether the caller may change it is what counts. */
const share =
  (path: string, field: string): Action =>
  (client, { id, acl }) =>
    client.patch(`/${path}/${id}`, { [field]: acl });

/** Reading and deleting are the same for all kinds. */
const ACTIONS: Readonly<Record<Kind, { readonly use: Action; readonly change: Action; readonly share: Action }>> = {
  thread: {
    use: (client, { id }) => client.post(`/threads/${id}/messages`, { msg_text: 'Hello', run_options: { run: false } }),
    change: change('threads', 'thread_title'),
    share: share('threads', 'thread_acl'),
  },
  agent: {
    use: (client, { id }) => client.post(`/agents/${id}/run`, { input: 'Hello', wait: 0 }),
    change: change('agents', 'agent_description'),
    share: share('agents', 'agent_acl'),
  },
  prompt: {
    use: (client, { id }) => client.post(`/prompts/${id}/run`, {}),
    change: change('prompts', 'prompt_description'),
    share: share('prompts', 'prompt_acl'),
  },
  space: {
    use: (client, { id }) => client.post('/threads', { thread_id: newId(), thread_space: id }),
    change: change('spaces', 'space_description'),
    share: (client, { id }) =>
      client.post(`/spaces/${id}/members`, { sm_principal_type: 'role', sm_principal: named['crew'], sm_role: 'viewer' }),
  },
};

/** All of the newest rows are asked for, so that none is missing for its age. */
async function listed(client: Client, kind: Kind, id: string): Promise<string> {
  const { status, body } = await client.get(`/${kind}s?limit=1000`);
  if (status !== 200) return String(status);
  return (body as { data: Record<string, unknown>[] }).data.some((row) => row[`${kind}_id`] === id) ? 'shown' : 'hidden';
}

async function measured(kind: Kind, relation: Relation): Promise<string> {
  const client = people[relation.who]?.client ?? api.stranger;
  const acl = aclOf(relation.list);
  const subject = { id: await MAKE[kind](relation, acl), acl };
  const path = `/${kind}s/${subject.id}`;
  const { use, change, share } = ACTIONS[kind];
  const statuses = [await listed(client, kind, subject.id)];
  for (const act of [() => client.get(path), () => use(client, subject), () => change(client, subject), () => share(client, subject)])
    statuses.push(String((await act()).status));
  return [...statuses, String((await client.delete(path)).status)].join(' ');
}

describe('what somebody may do', () => {
  it.each(['thread', 'agent', 'prompt', 'space'] as const)(
    'with one %s is what permissions and the list give: find, read, use, change, share, delete',
    async (kind) => {
      const wanted = expected(kind);
      const table: Record<string, string> = {};
      for (const [relation, facts] of Object.entries(RELATIONS)) if (relation in wanted) table[relation] = await measured(kind, facts);
      expect(table).toEqual(wanted);
    },
  );

  it('is stated for every relation', () => {
    const stated = (['thread', 'agent', 'prompt', 'space'] as const).flatMap((kind) => Object.keys(expected(kind)));
    expect([...new Set(stated)].sort()).toEqual(Object.keys(RELATIONS).sort());
  });
});
