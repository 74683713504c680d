import { PromptTexts, type ResolvedPrompt } from '@atrium/ai';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { makeBase } from '../knowledge/bases';
import { sharedAtrium } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { addEntries } from '../support/usage';
import { readingFor } from './acting';
import { makeAgent } from './agents';
import { listed, makeCategory, makePrompt, makeWildcard, type KnownCategory, type KnownPrompt } from './prompts';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const names = (query = '', client = ours.owner.client): Promise<unknown[]> => listed(client, `/prompts${query}`, 'prompt_name');
const read = async (prompt_id: string): Promise<KnownPrompt> =>
  (await ours.owner.client.get(`/prompts/${prompt_id}`).expect(200)).body as KnownPrompt;
const resolved = (prompt_id: string, values: JsonObject = {}, user_id = ours.owner.user_id): Promise<ResolvedPrompt> =>
  readingFor(api, ours, user_id, (caller) => api.app.get(PromptTexts).resolvePrompt(caller, prompt_id, values));
/** The faults of values, as `path: code`. */
const faults = (prompt_id: string, values: JsonObject = {}, user_id?: string): Promise<string[]> =>
  resolved(prompt_id, values, user_id).then(
    () => [],
    (error: { errors?: { path: string; code: string }[] }) => (error.errors ?? []).map(({ path, code }) => `${path}: ${code}`),
  );

describe('prompts', () => {
  it('are created, read, changed and deleted, and each change is a version', async () => {
    const { client, user_id } = ours.owner;
    const agent = (await makeAgent(client)).agent_id;
    const base = (await makeBase(client)).ds_id;
    const category = (await makeCategory(client, 'Support')).pcat_id;
    const body = {
      prompt_name: 'Reply',
      prompt_description: 'Replies.',
      prompt_text: 'Write a {{tone}} reply to {{ Customer }}: {{tone}} \\{{kept}}',
      prompt_agent: agent,
      prompt_params: { temperature: 0.5 },
      prompt_knowledge: [base],
      prompt_categories: [category],
      prompt_icon: '✉️',
      prompt_metadata: { team: 'support' },
    };
    const created = await client.post('/prompts', body).expect(201);
    const { prompt_id } = created.body as KnownPrompt;
    expect(created.headers.location).toBe(`/api/v1/prompts/${prompt_id}`);
    expect(await read(prompt_id)).toMatchObject({
      ...body,
      prompt_wildcards: ['tone', 'Customer'],
      prompt_model: null,
      prompt_acl: {},
      prompt_user: user_id,
      prompt_version: 1,
      prompt_run_count: 0,
      prompt_active: true,
    });
    const changed = await client.patch(`/prompts/${prompt_id}`, { prompt_text: 'For {{Customer}}.', prompt_categories: [] }).expect(200);
    expect(changed.body).toMatchObject({ prompt_version: 2, prompt_wildcards: ['Customer'], prompt_categories: [], prompt_agent: agent });
    expect((await client.patch(`/prompts/${prompt_id}`, { prompt_text: 'For {{Customer}}.' }).expect(200)).body.prompt_version).toBe(2);
    await client.delete(`/prompts/${prompt_id}`).expect(204);
    expect(await read(prompt_id)).toMatchObject({ prompt_active: false, prompt_version: 3 });
    await expect(resolved(prompt_id, { customer: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    const kept = await api.sql<{ rev_body: { prompt_text: string; prompt_categories: string[] } }>(
      'SELECT rev_body FROM prompt_revision WHERE prompt_id = $1 ORDER BY prompt_version',
      [prompt_id],
    );
    expect(kept.map(({ rev_body }) => rev_body.prompt_categories)).toEqual([[category], [], []]);
    expect((await client.patch(`/prompts/${prompt_id}`, { prompt_active: true }).expect(200)).body.prompt_active).toBe(true);
  });

  it('are refused with an error at what is wrong', () =>
    inTurn<[string, object, string]>(
      [
        ['an unknown agent', { prompt_agent: newId() }, 'prompt_agent'],
        ['an unknown model', { prompt_model: 'none/none' }, 'prompt_model'],
        ['an unknown base', { prompt_knowledge: [newId()] }, 'prompt_knowledge[0]'],
        ['an unknown category', { prompt_categories: [newId()] }, 'prompt_categories[0]'],
        ['an unknown picture', { prompt_icon: `file:${newId()}` }, 'prompt_icon'],
        ['a parameter out of bounds', { prompt_params: { top_p: 2 } }, 'prompt_params.top_p'],
        ['no text', { prompt_text: '' }, 'prompt_text'],
        ['an access list of strangers', { prompt_acl: { roles: { [newId()]: 'owner' } } }, 'prompt_acl.roles'],
        ['null as a parameter', { prompt_params: { top_p: null } }, 'prompt_params.top_p'],
        ['null as a list of users', { prompt_acl: { users: null } }, 'prompt_acl.users'],
      ],
      async (_, body, path) => {
        const answer = await ours.owner.client.post('/prompts', { prompt_name: 'x', prompt_text: 'x', ...body }).expect(400);
        expect((answer.body.errors as { path: string }[]).map((error) => error.path).join()).toContain(path);
      },
    ));

  it('stay the version that they are when their agent is named in upper case, or nothing is changed to null', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client);
    const { prompt_id } = await makePrompt(client, 'x', { prompt_agent: agent_id.toUpperCase() });
    await client.patch(`/prompts/${prompt_id}`, { prompt_agent: agent_id.toUpperCase() }).expect(200);
    for (const field of ['prompt_name', 'prompt_text', 'prompt_active', 'prompt_acl'])
      await client.patch(`/prompts/${prompt_id}`, { [field]: null }).expect(400);
    expect(await read(prompt_id)).toMatchObject({ prompt_agent: agent_id, prompt_version: 1, prompt_active: true });
  });

  it('take no agent that is deleted, but keep the one they have', async () => {
    const { client } = ours.owner;
    const { agent_id } = await makeAgent(client);
    const { prompt_id } = await makePrompt(client, 'x', { prompt_agent: agent_id });
    await client.delete(`/agents/${agent_id}`).expect(204);
    await client.post('/prompts', { prompt_name: 'x', prompt_text: 'x', prompt_agent: agent_id }).expect(400);
    await client.patch(`/prompts/${prompt_id}`, { prompt_agent: agent_id, prompt_text: 'y' }).expect(200);
  });

  it('have names of their own for each creator', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client, 'x', { prompt_name: 'Reply' });
    expect((await client.post('/prompts', { prompt_name: 'REPLY', prompt_text: 'x' }).expect(409)).body.code).toBe('already_exists');
    await makePrompt((await ours.member('editor')).client, 'x', { prompt_name: 'Reply' });
    await client.delete(`/prompts/${prompt_id}`).expect(204);
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/prompts', { prompt_name: 'Reply', prompt_text: 'x' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    await client.patch(`/prompts/${prompt_id}`, { prompt_active: true }).expect(409);
  });

  it('change only for those who have read the present version, which a run does not change', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client);
    const { etag } = (await client.get(`/prompts/${prompt_id}`).expect(200)).headers as { etag: string };
    await client.with({ 'If-Match': etag }).patch(`/prompts/${prompt_id}`, { prompt_text: 'One' }).expect(200);
    await client.with({ 'If-Match': etag }).patch(`/prompts/${prompt_id}`, { prompt_text: 'Two' }).expect(412);
    await client.with({ 'If-Match': etag }).delete(`/prompts/${prompt_id}`).expect(412);
  });

  it('are listed by fields, words and categories with those below, in the order asked for, page by page', async () => {
    const { client, user_id } = ours.owner;
    const top = await makeCategory(client, 'Support');
    const below = await makeCategory(client, 'Printers', top.pcat_id);
    const agent = (await makeAgent(client)).agent_id;
    await makePrompt(client, 'About toner', { prompt_name: 'Gamma', prompt_categories: [below.pcat_id], prompt_agent: agent });
    await makePrompt(client, 'x', { prompt_name: 'beta', prompt_categories: [top.pcat_id, below.pcat_id] });
    const gone = await makePrompt(client, 'x', { prompt_name: 'Alpha' });
    await client.delete(`/prompts/${gone.prompt_id}`).expect(204);
    expect(await names()).toEqual(['beta', 'Gamma']);
    expect(await names('?sort=prompt_name')).toEqual(['beta', 'Gamma']);
    expect(await names('?sort=-prompt_name')).toEqual(['Gamma', 'beta']);
    expect(await names('?prompt_active=false')).toEqual(['Alpha']);
    expect(await names(`?prompt_category=${top.pcat_id}`)).toEqual(['beta', 'Gamma']);
    expect(await names(`?prompt_category=${below.pcat_id}&prompt_name=ET`)).toEqual(['beta']);
    expect(await names(`?prompt_category=${newId()}`)).toEqual([]);
    expect(await names(`?prompt_agent=${agent}`)).toEqual(['Gamma']);
    expect(await names(`?prompt_user=${user_id}&full_text_search=toner`)).toEqual(['Gamma']);
    const first = (await client.get('/prompts?sort=prompt_name&limit=1').expect(200)).body as { next_cursor: string };
    expect(await names(`?sort=prompt_name&limit=1&cursor=${first.next_cursor}`)).toEqual(['Gamma']);
    await client.get('/prompts?favorite=true').expect(400);
  });
});

describe('access to a prompt', () => {
  it('is given by its list: unreadable prompts are not there and not counted, readable ones are not changed', async () => {
    const { client, user_id } = ours.owner;
    const [excluded, reader] = [await ours.member('admin'), await ours.member('owner', ['prompt:*'])];
    const category = await makeCategory(client, 'Support');
    const wildcard = await makeWildcard(client, 'tone');
    const prompt_acl = { users: { [user_id]: 'owner', [reader.user_id]: 'view' } };
    const { prompt_id } = await makePrompt(client, '{{Tone}}', { prompt_acl, prompt_categories: [category.pcat_id] });
    const counts = async (member: typeof reader) => [
      (await member.client.get(`/prompt-categories/${category.pcat_id}`).expect(200)).body.pcat_prompt_count as number,
      (await member.client.get(`/wildcards/${wildcard.wildcard_id}`).expect(200)).body.wildcard_prompt_count as number,
    ];

    await excluded.client.get(`/prompts/${prompt_id}`).expect(404);
    await excluded.client.patch(`/prompts/${prompt_id}`, { prompt_name: 'x' }).expect(404);
    await excluded.client.delete(`/prompts/${prompt_id}`).expect(404);
    expect(await names('', excluded.client)).toEqual([]);
    expect(await counts(excluded)).toEqual([0, 0]);
    await expect(resolved(prompt_id, { tone: 'x' }, excluded.user_id)).rejects.toMatchObject({ code: 'not_found' });

    await reader.client.get(`/prompts/${prompt_id}`).expect(200);
    await reader.client.patch(`/prompts/${prompt_id}`, { prompt_name: 'x' }).expect(403);
    await reader.client.delete(`/prompts/${prompt_id}`).expect(403);
    expect(await counts(reader)).toEqual([1, 1]);
    expect((await resolved(prompt_id, { tone: 'x' }, reader.user_id)).text).toBe('x');
  });

  it('is changed by administrators who can see it, and by nobody else who only may edit or see', async () => {
    const { client, user_id } = ours.owner;
    const [editor, viewer, stranger] = [await ours.member('editor'), await ours.member('admin'), await ours.member('admin')];
    const prompt_acl = { users: { [user_id]: 'owner', [viewer.user_id]: 'view', [editor.user_id]: 'edit' } };
    const repaired = { users: { ...prompt_acl.users, [viewer.user_id]: 'owner' } };
    const path = `/prompts/${(await makePrompt(client, 'x', { prompt_acl })).prompt_id}`;
    const share = (by: Client, more: object = {}) => by.patch(path, { prompt_acl: repaired, ...more });
    await share(editor.client).expect(403);
    await share(stranger.client).expect(404);
    await viewer.client.patch(path, {}).expect(403);
    await share(viewer.client, { prompt_text: 'y' }).expect(403);
    expect((await share(viewer.client).expect(200)).body).toMatchObject({ prompt_acl: repaired, prompt_version: 2 });
    await viewer.client.patch(path, { prompt_text: 'y' }).expect(200);
  });

  it('holds for the files of the prompt', async () => {
    const { client, user_id } = ours.owner;
    const { prompt_id } = await makePrompt(client, 'x', { prompt_acl: { users: { [user_id]: 'owner' } } });
    const { file_id } = (await client.post('/files', { file_repo: { prompt: prompt_id }, file_name: 'notes.md' }).expect(201)).body as {
      file_id: string;
    };
    const other = (await ours.member('editor')).client;
    await client.get(`/files/${file_id}`).expect(200);
    await other.get(`/files/${file_id}`).expect(404);
    expect(await listed(client, `/files?repo_type=prompt&repo_id=${prompt_id}`, 'file_id')).toEqual([file_id]);
    await other.get(`/files?repo_type=prompt&repo_id=${prompt_id}`).expect(404);
    await client.patch(`/prompts/${prompt_id}`, { prompt_acl: {} }).expect(200);
    await other.get(`/files/${file_id}`).expect(200);
    await client.delete(`/prompts/${prompt_id}`).expect(204);
    await client.get(`/files/${file_id}`).expect(404);
    await client.post('/files', { file_repo: { prompt: prompt_id }, file_name: 'more.md' }).expect(400);
  });

  it('is refused to those without the permission', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client);
    const { pcat_id } = await makeCategory(client, 'Support');
    const { wildcard_id } = await makeWildcard(client, 'tone');
    const viewer = (await ours.member('viewer')).client;
    const nobody = (await ours.member('owner', ['agent:*'])).client;
    const editor = (await ours.member('owner', ['prompt:edit'])).client;
    for (const path of [
      `/prompts`,
      `/prompts/${prompt_id}`,
      '/prompt-categories',
      `/prompt-categories/${pcat_id}`,
      '/wildcards',
      `/wildcards/${wildcard_id}`,
    ])
      await nobody.get(path).expect(403);
    await viewer.post('/prompts', { prompt_name: 'x', prompt_text: 'x' }).expect(403);
    await viewer.patch(`/prompts/${prompt_id}`, { prompt_name: 'x' }).expect(403);
    await viewer.delete(`/prompts/${prompt_id}`).expect(403);
    await viewer.post('/prompt-categories', { pcat_name: 'x' }).expect(403);
    await viewer.patch(`/prompt-categories/${pcat_id}`, { pcat_name: 'x' }).expect(403);
    await viewer.delete(`/prompt-categories/${pcat_id}`).expect(403);
    await viewer.post('/wildcards', { wildcard_name: 'x', wildcard_control_type: 'text' }).expect(403);
    await viewer.patch(`/wildcards/${wildcard_id}`, { wildcard_name: 'x' }).expect(403);
    await viewer.delete(`/wildcards/${wildcard_id}`).expect(403);
    await editor.delete(`/prompts/${prompt_id}`).expect(403);
    await editor.delete(`/wildcards/${wildcard_id}`).expect(403);
  });

  it('ends at the workspace: ids of another one are unknown', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client, '{{tone}}');
    const { pcat_id } = await makeCategory(client, 'Support');
    const { wildcard_id } = await makeWildcard(client, 'tone', 'text', { default: 'ours' });
    const theirs = await api.workspace(['module-documents']);
    const other = theirs.owner.client;
    for (const path of [`/prompts/${prompt_id}`, `/prompt-categories/${pcat_id}`, `/wildcards/${wildcard_id}`]) {
      await other.get(path).expect(404);
      await other.patch(path, {}).expect(404);
      await other.delete(path).expect(404);
    }
    await other.post('/prompts', { prompt_name: 'x', prompt_text: 'x', prompt_categories: [pcat_id] }).expect(400);
    await other.post('/prompt-categories', { pcat_name: 'x', pcat_parent: pcat_id }).expect(400);
    await other.post('/files', { file_repo: { prompt: prompt_id }, file_name: 'x.md' }).expect(400);
    expect(await names(`?prompt_category=${pcat_id}`, other)).toEqual([]);
    const text = readingFor(api, theirs, theirs.owner.user_id, (caller) => api.app.get(PromptTexts).resolvePrompt(caller, prompt_id, {}));
    await expect(text).rejects.toMatchObject({ code: 'not_found' });
    const own = await makePrompt(other, '{{tone}}');
    const asked = readingFor(api, theirs, theirs.owner.user_id, (caller) =>
      api.app.get(PromptTexts).resolvePrompt(caller, own.prompt_id, {}),
    );
    await expect(asked).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await read(prompt_id)).prompt_active).toBe(true);
  });
});

describe('prompts elsewhere', () => {
  it('are named in reports of usage, deleted ones too', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client, 'x', { prompt_name: 'Reply' });
    const gone = await makePrompt(client, 'x', { prompt_name: 'Summary' });
    await client.delete(`/prompts/${gone.prompt_id}`).expect(204);
    const unknown = newId();
    const at = new Date().toISOString();
    await addEntries(api, ours.tenant_id, [
      { at, prompt: prompt_id, credits: '3' },
      { at, prompt: gone.prompt_id, credits: '2' },
      { at, prompt: unknown, credits: '1' },
    ]);
    const { data } = (await client.get('/admin/usage/pivot?group_by=prompt_name').expect(200)).body as {
      data: { key: string; label: string }[];
    };
    expect(data.map(({ key, label }) => [key, label])).toEqual([
      [prompt_id, 'Reply'],
      [gone.prompt_id, 'Summary'],
      [unknown, `Deleted prompt ${unknown.slice(0, 8)}`],
    ]);
  });

  it('are targets of budgets while they are active', async () => {
    const { client } = ours.owner;
    const { prompt_id } = await makePrompt(client);
    const budget = (bud_target: string) =>
      client.post('/admin/budgets', {
        bud_name: newId(),
        bud_scope: 'prompt',
        bud_target,
        bud_period: 'month',
        bud_credits: 10,
        bud_action: 'warn',
      });
    await budget(prompt_id).expect(201);
    await budget(newId()).expect(400);
    await client.delete(`/prompts/${prompt_id}`).expect(204);
    expect((await budget(prompt_id).expect(400)).body.errors[0].path).toBe('bud_target');
  });
});

describe('prompt categories', () => {
  const category = async (pcat_id: string): Promise<KnownCategory> =>
    (await ours.owner.client.get(`/prompt-categories/${pcat_id}`).expect(200)).body as KnownCategory;

  it('are a tree of at most five levels without circles', async () => {
    const { client } = ours.owner;
    const chain: KnownCategory[] = [];
    for (const name of ['1', '2', '3', '4', '5']) chain.push(await makeCategory(client, name, chain.at(-1)?.pcat_id ?? null));
    const [first, second, , , fifth] = chain.map(({ pcat_id }) => pcat_id);
    const move = (pcat_id: string | undefined, pcat_parent: string | null | undefined) =>
      client.patch(`/prompt-categories/${pcat_id}`, { pcat_parent });
    expect((await client.post('/prompt-categories', { pcat_name: '6', pcat_parent: fifth }).expect(409)).body.code).toBe('invalid_move');
    expect((await move(first, first).expect(409)).body.code).toBe('invalid_move');
    expect((await move(first, fifth).expect(409)).body.code).toBe('invalid_move');
    const other = (await makeCategory(client, 'Other')).pcat_id;
    expect((await move(first, other).expect(409)).body.code).toBe('invalid_move');
    expect((await move(second, other).expect(200)).body.pcat_parent).toBe(other);
    expect((await move(second, null).expect(200)).body.pcat_parent).toBeNull();
    await move(second, newId()).expect(400);
  });

  it('have no null but in a description and a parent', async () => {
    const { client } = ours.owner;
    const { pcat_id } = await makeCategory(client, 'Support');
    for (const field of ['pcat_name', 'pcat_order', 'pcat_active'])
      expect((await client.patch(`/prompt-categories/${pcat_id}`, { [field]: null }).expect(400)).body.errors[0].path).toBe(field);
    await client.post('/prompt-categories', { pcat_name: null }).expect(400);
    await client.patch(`/prompt-categories/${pcat_id}`, { pcat_description: null, pcat_parent: null }).expect(200);
  });

  it('never make a circle when two move into each other at once', async () => {
    const { client } = ours.owner;
    const [a, b] = [await makeCategory(client, 'a'), await makeCategory(client, 'b')];
    const answers = await Promise.all([
      client.patch(`/prompt-categories/${a.pcat_id}`, { pcat_parent: b.pcat_id }),
      client.patch(`/prompt-categories/${b.pcat_id}`, { pcat_parent: a.pcat_id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('have names of their own among siblings', async () => {
    const { client } = ours.owner;
    const top = await makeCategory(client, 'Support');
    await makeCategory(client, 'support', top.pcat_id);
    expect((await client.post('/prompt-categories', { pcat_name: 'SUPPORT' }).expect(409)).body.code).toBe('already_exists');
    const answers = await Promise.all([1, 2].map(() => client.post('/prompt-categories', { pcat_name: 'Once', pcat_parent: top.pcat_id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('leave their children to their parent and their prompts to themselves when they are deleted', async () => {
    const { client } = ours.owner;
    const top = await makeCategory(client, 'Top');
    const middle = await makeCategory(client, 'Middle', top.pcat_id);
    const leaf = await makeCategory(client, 'Leaf', middle.pcat_id);
    const { prompt_id } = await makePrompt(client, 'x', { prompt_categories: [middle.pcat_id, leaf.pcat_id] });
    const twin = await makeCategory(client, 'LEAF', top.pcat_id);
    expect((await client.delete(`/prompt-categories/${middle.pcat_id}`).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/prompt-categories/${twin.pcat_id}`).expect(204);
    await client.delete(`/prompt-categories/${middle.pcat_id}`).expect(204);
    await client.delete(`/prompt-categories/${middle.pcat_id}`).expect(204);
    expect(await category(leaf.pcat_id)).toMatchObject({ pcat_parent: top.pcat_id, pcat_active: true, pcat_prompt_count: 1 });
    expect(await category(middle.pcat_id)).toMatchObject({ pcat_active: false, pcat_prompt_count: 0 });
    expect((await read(prompt_id)).prompt_categories).toEqual([leaf.pcat_id]);
    await client.post('/prompts', { prompt_name: 'x', prompt_text: 'x', prompt_categories: [middle.pcat_id] }).expect(400);
    expect(await listed(client, '/prompt-categories', 'pcat_name')).toEqual(['Top', 'Leaf']);
    expect((await client.patch(`/prompt-categories/${middle.pcat_id}`, { pcat_active: true }).expect(200)).body.pcat_active).toBe(true);
  });

  it('are listed in their order, by parent and name', async () => {
    const { client } = ours.owner;
    const top = await makeCategory(client, 'Top');
    await client.post('/prompt-categories', { pcat_name: 'Second', pcat_order: 2, pcat_parent: top.pcat_id }).expect(201);
    await client.post('/prompt-categories', { pcat_name: 'First', pcat_order: 1, pcat_parent: top.pcat_id }).expect(201);
    expect(await listed(client, `/prompt-categories?pcat_parent=${top.pcat_id}`, 'pcat_name')).toEqual(['First', 'Second']);
    expect(await listed(client, '/prompt-categories?sort=pcat_name&pcat_name=s', 'pcat_name')).toEqual(['First', 'Second']);
    expect(await listed(client, '/prompt-categories', 'pcat_name')).toEqual(['Top', 'First', 'Second']);
  });
});

describe('wildcards', () => {
  it('are created, read, changed and deleted; renaming one changes no prompt', async () => {
    const { client } = ours.owner;
    const body = {
      wildcard_name: 'Tone of voice',
      wildcard_description: 'How it sounds.',
      wildcard_control_type: 'select',
      wildcard_control_props: { options: [{ value: 'a', label: 'A' }] },
      wildcard_metadata: { team: 'press' },
    };
    const { wildcard_id } = (await client.post('/wildcards', body).expect(201)).body as { wildcard_id: string };
    const { prompt_id } = await makePrompt(client, '{{tone of voice}} {{other}}');
    const path = `/wildcards/${wildcard_id}`;
    expect((await client.get(path).expect(200)).body).toMatchObject({
      ...body,
      wildcard_managed_by: null,
      wildcard_active: true,
      wildcard_prompt_count: 1,
    });
    expect((await client.patch(path, { wildcard_name: 'Other' }).expect(200)).body.wildcard_prompt_count).toBe(1);
    expect((await read(prompt_id)).prompt_wildcards).toEqual(['tone of voice', 'other']);
    expect((await client.patch(path, { wildcard_name: 'Third' }).expect(200)).body.wildcard_prompt_count).toBe(0);
    await client.patch(path, { wildcard_control_type: 'number' }).expect(400);
    await client.patch(path, { wildcard_control_type: 'number', wildcard_control_props: { min: 1 } }).expect(200);
    await client.delete(path).expect(204);
    await client.delete(path).expect(204);
    expect((await client.get(path).expect(200)).body.wildcard_active).toBe(false);
  });

  it('are refused with an error at what is wrong', () =>
    inTurn<[string, object, string]>(
      [
        ['a name that begins with a digit', { wildcard_name: '1st' }, 'wildcard_name'],
        ['a name with braces', { wildcard_name: 'a}b' }, 'wildcard_name'],
        ['a long name', { wildcard_name: 'a'.repeat(65) }, 'wildcard_name'],
        ['no control', { wildcard_control_type: '' }, 'wildcard_control_type'],
        ['a pattern that backtracks', { wildcard_control_props: { pattern: '(a+)\\1' } }, 'wildcard_control_props.pattern'],
        ['an unknown setting', { wildcard_control_props: { rows: 2 } }, 'wildcard_control_props.rows'],
        ['a select without options', { wildcard_control_type: 'select' }, 'wildcard_control_props.options'],
        ['a manager', { wildcard_managed_by: newId() }, 'wildcard_managed_by'],
        ...['wildcard_name', 'wildcard_control_type', 'wildcard_control_props', 'wildcard_metadata'].map(
          (field): [string, object, string] => [`null as ${field}`, { [field]: null }, field],
        ),
        ['null as a setting', { wildcard_control_props: { max: null } }, 'wildcard_control_props.max'],
      ],
      async (_, body, path) => {
        const answer = await ours.owner.client
          .post('/wildcards', { wildcard_name: 'x', wildcard_control_type: 'text', ...body })
          .expect(400);
        expect(answer.body.errors[0].path).toBe(path);
      },
    ));

  it('have names of their own among the active ones, in any case', async () => {
    const { client } = ours.owner;
    const { wildcard_id } = await makeWildcard(client, 'Tone');
    expect((await client.post('/wildcards', { wildcard_name: 'tone', wildcard_control_type: 'text' }).expect(409)).body.code).toBe(
      'already_exists',
    );
    await client.delete(`/wildcards/${wildcard_id}`).expect(204);
    const answers = await Promise.all(
      [1, 2].map(() => client.post('/wildcards', { wildcard_name: 'tone', wildcard_control_type: 'text' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await client.patch(`/wildcards/${wildcard_id}`, { wildcard_active: true }).expect(409)).body.code).toBe('already_exists');
  });

  it('are listed by their fields and metadata', async () => {
    const { client } = ours.owner;
    await makeWildcard(client, 'tone');
    const tagged = {
      wildcard_name: 'Due',
      wildcard_control_type: 'date',
      wildcard_description: 'A day',
      wildcard_metadata: { team: 'press', place: { city: 'Arezzo' } },
    };
    const { wildcard_id } = (await client.post('/wildcards', tagged).expect(201)).body as { wildcard_id: string };
    const list = (query: string) => listed(client, `/wildcards${query}`, 'wildcard_name');
    expect(await list('')).toEqual(['Due', 'tone']);
    expect(await list('?sort=-wildcard_name')).toEqual(['tone', 'Due']);
    expect(await list('?wildcard_control_type=date')).toEqual(['Due']);
    expect(await list(`?wildcard_id=${wildcard_id}`)).toEqual(['Due']);
    expect(await list(`?wildcard_managed_by=${newId()}`)).toEqual([]);
    expect(await list('?wildcard_description=DAY')).toEqual(['Due']);
    expect(await list('?wildcard_metadata[team]=press')).toEqual(['Due']);
    expect(await list('?wildcard_metadata[place][city]=Arezzo&wildcard_metadata[team]=press')).toEqual(['Due']);
    expect(await list('?wildcard_metadata[team]=other')).toEqual([]);
    expect((await client.get('/wildcards?wildcard_metadata[a%20b]=x').expect(400)).body.errors[0].path).toBe('wildcard_metadata.a b');
    expect(await list('?wildcard_active=false')).toEqual([]);
  });
});

describe('a prompt with values', () => {
  it('takes text for a control that is not known, whatever its settings', async () => {
    const { client } = ours.owner;
    const { wildcard_id } = await makeWildcard(client, 'share', 'slider', { min: 0.5, max: 5, default: 3, pattern: '(' });
    const { prompt_id } = await makePrompt(client, 'About {{share}}.');
    expect((await resolved(prompt_id, { share: '7 percent' })).text).toBe('About 7 percent.');
    expect((await client.get(`/wildcards/${wildcard_id}`).expect(200)).body.wildcard_control_props).toMatchObject({ default: 3 });
    await makeWildcard(client, 'album', 'album', { types: ['image/*'] });
  });

  it('reads labels, dates and names in the place of what it asks for, and says what is missing', async () => {
    const { client } = ours.owner;
    const tone = await makeWildcard(client, 'tone', 'select', { options: [{ value: 'f', label: 'formal' }], required: true });
    await makeWildcard(client, 'day', 'date', { format: 'long', required: true });
    await makeWildcard(client, 'source', 'document', { required: true, multiple: true });
    const { prompt_id } = await makePrompt(client, '{{Tone}}, by {{day}}, from {{source}}. {{note}}');
    const stored = (await client.post('/files', { file_repo: { library: ['docs'] }, file_name: 'Lease.md' }).expect(201)).body as {
      file_id: string;
    };
    const values = { tone: 'f', DAY: '2026-05-31', source: [stored.file_id], note: 'See {{tone}} \\{{x}}.' };

    expect(await faults(prompt_id)).toEqual([
      'values.Tone: required',
      'values.day: required',
      'values.source: required',
      'values.note: required',
    ]);
    expect(await faults(prompt_id, { ...values, tone: 'formal', extra: 1 })).toEqual([
      'values.extra: unknown_field',
      'values.Tone: choice',
    ]);
    expect(await resolved(prompt_id, values)).toMatchObject({
      text: 'formal, by May 31, 2026, from Lease.md. See {{tone}} \\{{x}}.',
      files: [stored.file_id],
      knowledge: [],
    });

    await client
      .patch(`/wildcards/${tone.wildcard_id}`, { wildcard_control_props: { options: [{ value: 'f', label: 'polite' }] } })
      .expect(200);
    expect((await resolved(prompt_id, values)).text).toMatch(/^polite, /);
    await client.delete(`/wildcards/${tone.wildcard_id}`).expect(204);
    expect((await resolved(prompt_id, { ...values, tone: 'any words' })).text).toMatch(/^any words, /);
    expect(await faults(prompt_id, { ...values, tone: '' })).toEqual(['values.Tone: required']);
  });

  it('names only rows that the person who runs it can read', async () => {
    const { client, user_id } = ours.owner;
    for (const kind of ['file', 'document', 'knowledge-base', 'album', 'user'])
      await makeWildcard(client, kind, kind, kind === 'file' ? { types: ['image/*'] } : {});
    const { prompt_id } = await makePrompt(client, '{{file}}|{{document}}|{{knowledge-base}}|{{album}}|{{user}}', {
      prompt_knowledge: [(await makeBase(client)).ds_id],
    });
    const picture = (await storeFile(api, ours, { name: 'Harbour.jpg', kind: 'image', type: 'image/jpeg' })).file_id;
    const note = (await client.post('/files', { file_repo: { library: ['docs'] }, file_name: 'Note.md' }).expect(201)).body
      .file_id as string;
    const base = await makeBase(client, { ds_name: 'Manuals' });
    const album = (await client.post('/albums', { album_name: 'Summer' }).expect(201)).body.album_id as string;
    const values = { file: picture, document: note, 'knowledge-base': base.ds_id, album, user: user_id };
    const found = await resolved(prompt_id, values);
    expect(found.text).toBe('Harbour.jpg|Note.md|Manuals|Summer|Owner');
    expect(found.files).toEqual([picture, note]);
    expect(found.knowledge).toContain(base.ds_id);
    expect(found.knowledge).toHaveLength(2);

    expect(await faults(prompt_id, { ...values, file: note })).toEqual(['values.file: reference']);
    expect(await faults(prompt_id, { ...values, document: picture })).toEqual(['values.document: reference']);
    for (const kind of Object.keys(values))
      expect(await faults(prompt_id, { ...values, [kind]: newId() })).toEqual([`values.${kind}: reference`]);

    const reader = await ours.member('viewer');
    const acl = { users: { [user_id]: 'owner' } };
    await client.put(`/knowledge-bases/${base.ds_id}/access`, { ds_acl: acl }).expect(200);
    await client.patch(`/albums/${album}`, { album_acl: acl }).expect(200);
    expect(await faults(prompt_id, values, reader.user_id)).toEqual(['values.knowledge-base: reference', 'values.album: reference']);
  });
});
