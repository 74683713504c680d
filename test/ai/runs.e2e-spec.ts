import { eventually, ModelServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { makeBase } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, ask, foldedParts, heardOf, messageOf, newThread, post } from './answering';
import { Follower } from './following';

let api: RunningApi;
let server: ModelServer;
let ours: TestWorkspace;
let client: Client;
let crediting: Crediting;
const open: Follower[] = [];

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await crediting.grant(ours, { grant_credits: 10_000 });
  server.turns.length = 0;
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const FACT = 'Either party may terminate the lease with a notice of three months.';
const QUESTION = 'What is the notice to terminate the lease?';

/** A thread with somebody who follows it. */
async function followed(agent: object): Promise<{ thread: string; follower: Follower }> {
  const thread = await newThread(client, { thread_agent: (await makeAgent(client, { agent_tools: [], ...agent })).agent_id });
  const follower = await Follower.connect(api, client, thread);
  open.push(follower);
  await follower.until((heard) => heard.length >= 2);
  return { thread, follower };
}

const openHolds = (): Promise<object[]> =>
  api.sql('SELECT 1 FROM credit_hold WHERE tenant_id = $1 AND hold_settled_at IS NULL', [ours.tenant_id]);

describe('an answer', () => {
  it('comes from the default agent where nobody chose one, and says that nothing was found', async () => {
    const thread = await newThread(client);
    expect(await ask(client, thread, 'How long is the notice period of the lease?')).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'stop',
      msg_text: 'I found no answer to this in the sources I can read.',
    });
  });

  it('from a file that was uploaded grows before those who follow it, who have what is stored; it is charged once', async () => {
    const { ds_id } = await makeBase(client);
    const { file_id } = await upload(client, 'lease.md', Buffer.from(`# Lease\n\n${FACT} Pets are allowed.`), {
      file_repo: { library: ['docs'] },
    });
    await client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: [file_id] }).expect(200);
    await eventually(
      async () =>
        ((await client.get(`/knowledge-bases/${ds_id}/files`).expect(200)).body as { data: { file_passage_count: number }[] }).data,
      ([row]) => (row?.file_passage_count ?? 0) > 0,
      60_000,
    );
    const { thread, follower } = await followed({ agent_knowledge: [ds_id], agent_tools: [{ tool: 'search_knowledge' }] });
    const { assistant_message } = await post(client, thread, QUESTION);
    const heard = await heardOf(follower, assistant_message.msg_id);
    const stored = await messageOf(client, thread, assistant_message.msg_id);
    expect(foldedParts(heard, stored.msg_id)).toEqual(stored.msg_parts);
    expect(heard.filter(({ data }) => data.op === 'delta').length).toBeGreaterThan(0);
    expect(stored).toMatchObject({ msg_text: `${FACT} [1]`, msg_citations: [{ n: 1, source_id: file_id, quote: FACT }] });
    const charged = await api.sql<{ usage_param: string }>(
      `SELECT usage_param FROM usage_entry WHERE tenant_id = $1 AND usage_ref ->> 'message_id' = $2 ORDER BY 1`,
      [ours.tenant_id, stored.msg_id],
    );
    // Two steps, one call: the search, and the answer.
    expect(charged.map(({ usage_param }) => usage_param)).toEqual([
      'ai.input_tokens',
      'ai.input_tokens',
      'ai.output_tokens',
      'ai.output_tokens',
      'ai.tool_calls',
    ]);
    expect(await openHolds()).toEqual([]);
    await crediting.audit(ours);
  }, 120_000);

  it('waits for a person, writes the document once they consent, and the thread has its bytes', async () => {
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text', model_capabilities: ['tools'] }]);
    const input = JSON.stringify({ name: 'notice', markdown: `# Notice\n\n${FACT}` });
    server.turns.push({ stream: { calls: [{ id: 'c1', name: 'create_document', input }] } }, { stream: { text: 'It is written.' } });
    const { thread, follower } = await followed({
      agent_model: 'lab/played-1',
      agent_tools: [{ tool: 'create_document', approval: 'always' }],
    });
    const { assistant_message, run } = await post(client, thread, 'Write the notice.');
    expect(await answerOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'waiting' });
    await client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, { results: [{ call_id: 'c1', approve: true }] }).expect(200);
    const heard = await heardOf(follower, assistant_message.msg_id);
    const stored = await messageOf(client, thread, assistant_message.msg_id);
    expect(foldedParts(heard, stored.msg_id)).toEqual(stored.msg_parts);
    expect(stored.msg_parts.map(({ kind }) => kind)).toEqual(['tool', 'file', 'text']);
    const [file] = ((await client.get(`/threads/${thread}/files`).expect(200)).body as { data: { file_id: string; file_name: string }[] })
      .data;
    expect(file).toMatchObject({ file_id: stored.msg_parts[1]?.file_id, file_name: 'notice.md' });
    const address = (await client.get(`/files/${file?.file_id}/download-url`).expect(200)).body as string;
    expect(await (await fetch(address)).text()).toBe(`# Notice\n\n${FACT}`);
    expect(await openHolds()).toEqual([]);
  }, 120_000);

  it('that is stopped keeps what was said, and the thread takes the next question', async () => {
    await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
    server.turns.push({ stream: { text: 'A very long answer. '.repeat(200), gapMs: 30 } }, { stream: { text: 'Yes.' } });
    const { thread, follower } = await followed({ agent_model: 'lab/played-1' });
    const { assistant_message } = await post(client, thread, 'Tell me everything.');
    await follower.until((heard) => heard.some(({ data }) => data.op === 'delta'));
    await client.post(`/threads/${thread}/stop`, {}).expect(200);
    const heard = await heardOf(follower, assistant_message.msg_id);
    const stored = await messageOf(client, thread, assistant_message.msg_id);
    expect(stored).toMatchObject({ msg_status: 'stopped', msg_finish: 'stopped' });
    expect(stored.msg_text).toMatch(/^A very/);
    expect(foldedParts(heard, stored.msg_id)).toEqual(stored.msg_parts);
    expect(await ask(client, thread, 'Again?')).toMatchObject({ msg_text: 'Yes.' });
    expect(await openHolds()).toEqual([]);
  }, 120_000);
});
