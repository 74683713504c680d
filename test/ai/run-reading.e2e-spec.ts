import { drawPicture, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { indexed as allIndexed, uploadDocument } from '../documents/documents-of';
import { Crediting } from '../governance/crediting';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, ask, newThread, post, type Asked, type Said } from './answering';

const LEASE = 'Either party may terminate the lease with a notice of three months.';
const CRANE = 'The harbour crane lifts forty tonnes at its full reach.';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let server: ModelServer;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  server.chats.length = server.turns.length = 0;
  server.answering = () => ({ stream: { text: 'Done.' } });
  await provideModels(api, ours, server, [
    { model: 'played-1', model_kind: 'text', model_capabilities: ['tools'] },
    { model: 'played-2', model_kind: 'text', model_capabilities: ['tools'] },
  ]);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const agentOf = async (body: object = {}): Promise<string> =>
  (await makeAgent(client, { agent_model: 'lab/played-1', agent_tools: [], ...body })).agent_id;
const calls = (...asked: readonly (readonly [name: string, input: object])[]): void =>
  void server.turns.push({ stream: { calls: asked.map(([name, input], at) => ({ id: `c${at}`, name, input: JSON.stringify(input) })) } });
const toolsOf = ({ msg_parts }: Said): (string | undefined)[][] =>
  msg_parts.filter(({ kind }) => kind === 'tool').map(({ tool, state, error }) => [tool, state, ...(error === undefined ? [] : [error])]);
/** What tools gave the model of a question. */
const givenIn = (question: number): string[] =>
  (server.chats[question]?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [],
  );
const systemOf = (question: number): string => server.chats[question]?.system ?? '';
const closeOff = async (file_id: string): Promise<void> => {
  const album_acl = { users: { [ours.owner.user_id]: 'owner' } };
  const { album_id } = (await client.post('/document-folders', { album_name: `Closed ${newId()}`, album_acl }).expect(201)).body as {
    album_id: string;
  };
  await client.post(`/document-folders/${album_id}/files`, { file_ids: [file_id] }).expect(200);
};
const baseWith = async (text: string, title = 'Text'): Promise<string> => {
  const { ds_id } = await makeBase(client);
  await addText(client, ds_id, title, text);
  await indexed(client, ds_id);
  return ds_id;
};

describe('tools that read', () => {
  it('give what the asker may read, and know nothing of other files, of this workspace or another', async () => {
    const asker = await ours.member('editor');
    const theirs = await api.workspace(['module-documents']);
    const [lease, secret, foreign] = [
      await uploadDocument(client, 'lease.md', LEASE),
      await uploadDocument(client, 'lease secret.md', `Secret: ${CRANE}`),
      await uploadDocument(theirs.owner.client, 'lease foreign.md', `Foreign: ${CRANE}`),
    ].map(({ file_id }) => file_id);
    await allIndexed(api, ours);
    await allIndexed(api, theirs);
    await closeOff(secret ?? '');
    const thread = await newThread(asker.client, {
      thread_agent: await agentOf({ agent_tools: [{ tool: 'read_document' }, { tool: 'find_files' }] }),
    });
    calls(
      ['read_document', { file_id: lease, from: 7, max: 5 }],
      ['read_document', { file_id: secret }],
      ['read_document', { file_id: foreign }],
      ['find_files', { query: 'LEASE', kind: 'document' }],
    );
    const answer = await ask(asker.client, thread, 'What is in the lease?');
    expect(toolsOf(answer)).toEqual([
      ['read_document', 'done'],
      ['read_document', 'error', expect.stringMatching(/not found|no .*file|exist/i)],
      ['read_document', 'error', expect.stringMatching(/not found|no .*file|exist/i)],
      ['find_files', 'done'],
    ]);
    const [read, , , found] = givenIn(1);
    expect(JSON.parse(read ?? '')).toEqual({ file_id: lease, from: 7, to: 12, length: LEASE.length, text: LEASE.slice(7, 12) });
    expect((JSON.parse(found ?? '') as { files: { file_id: string }[] }).files.map(({ file_id }) => file_id)).toEqual([lease]);
    expect(JSON.stringify(givenIn(1))).not.toMatch(/Secret|Foreign/);
  }, 120_000);

  it('give the subject of the thread as it is now', async () => {
    const { file_id } = await uploadDocument(client, 'lease.md', LEASE);
    await allIndexed(api, ours);
    const thread_agent = await agentOf({ agent_type: 'context', agent_context_types: ['file'], agent_tools: [{ tool: 'get_subject' }] });
    const found = await client.post('/threads/find-or-create', { thread_ref: { type: 'file', id: file_id }, thread_agent });
    const { thread_id } = found.body as { thread_id: string };
    calls(['get_subject', {}]);
    expect(toolsOf(await ask(client, thread_id, 'What is this about?'))).toEqual([['get_subject', 'done']]);
    expect(JSON.parse(givenIn(1)[0] ?? '')).toEqual({ name: 'lease.md', text: LEASE });
  }, 120_000);
});

describe('a run in a space', () => {
  it('has the instructions of the space, its agent and its knowledge, and what instructions leave open is filled in', async () => {
    const space_agent = await agentOf({
      agent_instructions: 'You serve {{user_name}} in {{space_name}} of {{workspace_name}}. Keep \\{{braces}}.',
      agent_knowledge: [await baseWith('The quay is swept on Mondays.')],
      agent_retrieval: { mode: 'always' },
    });
    const space = {
      space_name: 'Harbour office',
      space_instructions: 'Be formal here.',
      space_agent,
      space_knowledge: [await baseWith(CRANE)],
    };
    const { space_id } = (await client.post('/spaces', space).expect(201)).body as { space_id: string };
    const thread = await newThread(client, { thread_share_mode: 'space', thread_space: space_id });
    await ask(client, thread, 'How many tonnes does the harbour crane lift?');
    expect(systemOf(0)).toMatch(/^You serve .+ in Harbour office of .+\. Keep \{\{braces\}\}\.\n\nBe formal here\./);
    expect(systemOf(0)).toContain(CRANE);
  }, 120_000);
});

describe('what a message chooses for its answer', () => {
  it('reaches the provider where the agent allows it: model, parameters, tools and knowledge', async () => {
    const thread_agent = await agentOf({
      agent_overrides: ['model', 'params', 'tools', 'knowledge'],
      agent_params: { temperature: 0.9 },
      agent_retrieval: { mode: 'always' },
      agent_knowledge: [await baseWith('The quay is swept on Mondays.')],
    });
    const thread = await newThread(client, { thread_agent });
    const run_options = {
      model_id: 'lab/played-2',
      params: { reasoning: 'low' },
      tools: [{ tool: 'calculate' }],
      knowledge: [await baseWith(CRANE)],
    };
    await ask(client, thread, 'How many tonnes does the harbour crane lift?', { run_options });
    expect(server.chats[0]).toMatchObject({ model: 'played-2', reasoning_effort: 'low', tools: [{ function: { name: 'calculate' } }] });
    expect(systemOf(0)).toContain(CRANE);
  }, 120_000);
});

describe('the sources of an agent', () => {
  it('are the documents of its folders alone, and at most k passages', async () => {
    const inside = await uploadDocument(client, 'crane.md', CRANE);
    await uploadDocument(client, 'other.md', `Elsewhere: ${CRANE}`);
    await uploadDocument(client, 'more.md', `More: ${CRANE}`);
    await allIndexed(api, ours);
    const { album_id } = (await client.post('/document-folders', { album_name: 'Cranes' }).expect(201)).body as { album_id: string };
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [inside.file_id] }).expect(200);
    const question = 'How many tonnes does the harbour crane lift?';
    const systemWith = async (agent: object): Promise<string> => {
      server.chats.length = 0;
      await ask(client, await newThread(client, { thread_agent: await agentOf(agent) }), question);
      return systemOf(0);
    };
    const ofFolder = await systemWith({ agent_folders: [album_id], agent_retrieval: { mode: 'always' } });
    expect([ofFolder.includes('crane.md'), ofFolder.includes('other.md')]).toEqual([true, false]);
    const passages = (system: string): number => system.match(/passage \[\d+\]/g)?.length ?? 0;
    expect(passages(await systemWith({ agent_retrieval: { mode: 'always' } }))).toBe(3);
    expect(passages(await systemWith({ agent_retrieval: { mode: 'always', k: 2 } }))).toBe(2);
  }, 120_000);
});

describe('a question that is asked again', () => {
  it('is asked without the answer that it had, from the answer as from the question', async () => {
    server.turns.push({ stream: { text: 'The old answer.' } }, { stream: { text: 'The new answer.' } }, { stream: { text: 'Another.' } });
    const thread = await newThread(client, { thread_agent: await agentOf() });
    const { user_message, assistant_message } = await post(client, thread, 'Which answer?');
    await answerOf(client, thread, assistant_message.msg_id);
    for (const msg_id of [assistant_message.msg_id, user_message.msg_id]) {
      const again = (await client.post(`/threads/${thread}/messages/${msg_id}/regenerate`, {}).expect(202)).body as Asked;
      expect(await answerOf(client, thread, again.assistant_message.msg_id)).toMatchObject({ msg_parent: user_message.msg_id });
    }
    expect(server.chats.map(({ messages }) => messages.slice(1))).toEqual(
      Array.from({ length: 3 }, () => [{ role: 'user', content: 'Which answer?' }]),
    );
  }, 60_000);
});

describe('attachments', () => {
  it('that the asker cannot read any more are missing, which the answer says', async () => {
    const asker = await ours.member('editor');
    const { file_id } = await uploadDocument(client, 'lease.md', LEASE);
    await allIndexed(api, ours);
    const thread = await newThread(asker.client, { thread_agent: await agentOf() });
    await ask(asker.client, thread, 'What is the notice?', { msg_files: [file_id] });
    expect(systemOf(0)).toContain(LEASE);
    await closeOff(file_id);
    const after = await ask(asker.client, thread, 'Really?');
    expect(after.msg_parts[0]).toMatchObject({ kind: 'notice', code: 'attachment_unavailable' });
    expect(systemOf(1)).not.toContain(LEASE);
  }, 120_000);

  it('whose text could not be read are named in a notice', async () => {
    const { file_id } = await uploadDocument(client, 'lease.md', LEASE);
    await allIndexed(api, ours);
    await api.sql(`UPDATE file_text SET ft_status = 'failed' WHERE file_id = $1`, [file_id]);
    const answer = await ask(client, await newThread(client, { thread_agent: await agentOf() }), 'And?', { msg_files: [file_id] });
    expect(answer.msg_parts[0]).toMatchObject({
      kind: 'notice',
      code: 'attachment_not_ready',
      detail: expect.stringContaining('lease.md'),
    });
  }, 120_000);

  it('that are pictures hold no answer up where the model sees none', async () => {
    const bytes = await drawPicture({ width: 32, height: 32, format: 'png', seed: 3 });
    const { file_id } = await uploadDocument(client, 'quay.png', bytes);
    await allIndexed(api, ours);
    const answer = await ask(client, await newThread(client, { thread_agent: await agentOf() }), 'And?', { msg_files: [file_id] });
    expect(answer.msg_parts.map(({ kind }) => kind)).toEqual(['text']);
    expect(systemOf(0)).toContain('quay.png');
  }, 120_000);
});
