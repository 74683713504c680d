import { eventually, ModelServer, type Client, type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { orderOf, readRequest } from '../governance/asking-for-data';
import { storeFile } from '../files/stored-files';
import { Crediting } from '../governance/crediting';
import { countOf, hold } from '../governance/retaining';
import { addText, makeBase, readRecord } from '../knowledge/bases';
import { provideModels } from '../models/providing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { answerOf, ask, newThread, post } from './answering';
import { branchOf, openThread, say } from './talking';

let api: RunningApi;
let ours: TestWorkspace;
let admin: Client;
let person: Member;
let server: ModelServer;

beforeAll(async () => {
  [api, server] = await Promise.all([sharedAtriumWithWorker(), ModelServer.start()]);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  admin = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  await provideModels(api, ours, server, [{ model: 'played-1', model_kind: 'text' }]);
  person = await ours.member('editor');
  server.turns.length = 0;
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const COLOUR = 'My favourite colour is vermilion';
const TABLES = ['message', 'run', 'run_step', 'run_tool_call', 'stream_event', 'memory', 'memory_forgotten'] as const;

/** The tables that hold the colour. */
async function places(): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) if ((await countOf(api, `${table} t`, ours, `strpos(t::text, 'vermilion') > 0`)) > 0) found.push(table);
  return found;
}
const nowhere = (): Promise<string[]> => eventually(places, ({ length }) => length === 0, 30_000);
/** The job has looked at what there was. */
const looked = (): Promise<unknown> =>
  eventually(
    () => countOf(api, 'outbox', ours, `ev_name = 'ai.forget' AND ev_done IS NULL AND ev_due <= now()`),
    (waiting) => waiting === 0,
    30_000,
  );
const remember = async (mem_value = COLOUR): Promise<string> =>
  ((await person.client.post('/memories', { mem_value, mem_type: 'preference' }).expect(201)).body as { mem_id: string }).mem_id;
const builtIn = async (): Promise<string> =>
  (await makeAgent(admin, { agent_model: 'atrium/extract-1', agent_tools: [], agent_acl: {} })).agent_id;
const agentWith = async (...tools: readonly object[]): Promise<string> =>
  (await makeAgent(admin, { agent_model: 'lab/played-1', agent_tools: tools, agent_acl: {} })).agent_id;

describe('a memory that is gone', () => {
  it('leaves no trace in the calls that wrote it down and forgot it, and none in other answers of the thread', async () => {
    const thread = await newThread(person.client, { thread_agent: await agentWith({ tool: 'remember' }, { tool: 'forget' }) });
    server.turns.push(
      { stream: { calls: [{ id: 'c1', name: 'remember', input: JSON.stringify({ value: `  ${COLOUR.toUpperCase()} ` }) }] } },
      { stream: { text: 'Noted.' } },
      { stream: { text: `You said: ${COLOUR.toUpperCase()}` } },
      { stream: { calls: [{ id: 'c2', name: 'forget', input: JSON.stringify({ query: 'vermilion' }) }] } },
      { stream: { text: 'Forgotten.' } },
    );
    await ask(person.client, thread, 'Please keep it.');
    await ask(person.client, thread, 'What did I say?');
    expect(await countOf(api, 'run_tool_call t', ours, `t.input::text ILIKE '%vermilion%'`)).toBe(1);
    await ask(person.client, thread, 'Please drop it.');
    await eventually(
      () => countOf(api, 'memory_forgotten', ours),
      (left) => left === 0,
      90_000,
    );
    for (const table of TABLES) {
      const rows = await api.sql<{ row: string }>(
        `SELECT t::text AS row FROM ${table} t WHERE tenant_id = $1 AND t::text ILIKE '%vermilion%'`,
        [ours.tenant_id],
      );
      expect([table, rows]).toEqual([table, []]);
    }
    expect(await branchOf(person.client, thread)).toEqual([
      'Please keep it.',
      'Noted.',
      'What did I say?',
      'You said: [erased]',
      'Please drop it.',
      'Forgotten.',
    ]);
  }, 150_000);

  it('leaves no trace of a wording that it had before, and answers that say nothing of it stay untouched', async () => {
    const thread = await newThread(person.client, { thread_agent: await agentWith({ tool: 'remember' }) });
    server.turns.push(
      { stream: { text: 'Hello.' } },
      { stream: { calls: [{ id: 'c1', name: 'remember', input: JSON.stringify({ value: COLOUR }) }] } },
      { stream: { text: `Noted: ${COLOUR}.` } },
      { stream: { text: 'It is vermilion no more. PIN 4.' } },
    );
    const greeting = await ask(person.client, thread, 'Hello?');
    await ask(person.client, thread, 'Please keep it.');
    const { data } = (await person.client.get('/memories').expect(200)).body as { data: { mem_id: string }[] };
    const mem_id = data[0]?.mem_id ?? '';
    await person.client.patch(`/memories/${mem_id}`, { mem_value: 'PIN 4' }).expect(200);
    await ask(person.client, thread, 'And now?');
    const versions = (): Promise<unknown> =>
      api.sql(`SELECT row_version FROM message WHERE tenant_id = $1 AND msg_id = '${greeting.msg_id}'`, [ours.tenant_id]);
    const before = await versions();
    await person.client.delete(`/memories/${mem_id}`).expect(204);
    await eventually(
      () => countOf(api, 'memory_forgotten', ours),
      (left) => left === 0,
      30_000,
    );
    expect(await branchOf(person.client, thread)).toEqual([
      'Hello?',
      'Hello.',
      'Please keep it.',
      'Noted: [erased].',
      'And now?',
      'It is vermilion no more. [erased].',
    ]);
    expect(await countOf(api, 'run_tool_call t', ours, `strpos(t::text, 'vermilion') > 0`)).toBe(0);
    expect(await versions()).toEqual(before);
  }, 120_000);

  it('is taken out once more when a run that was open has ended with it', async () => {
    const mem_id = await remember();
    const gauge = { client: true, name: 'gauge', description: 'Reads a gauge.', schema: { type: 'object' } };
    const thread = await newThread(person.client, { thread_agent: await agentWith(gauge) });
    server.turns.push({ stream: { calls: [{ id: 'c1', name: 'gauge', input: '{}' }] } }, { stream: { text: `I recall: ${COLOUR}.` } });
    const { run, assistant_message } = await post(person.client, thread, 'What is my favourite colour?');
    expect((await answerOf(person.client, thread, assistant_message.msg_id)).msg_status).toBe('waiting');
    await person.client.delete(`/memories/${mem_id}`).expect(204);
    await eventually(places, (found) => found.join() === 'memory_forgotten', 30_000);
    const results = [{ call_id: 'c1', output: { bar: 3 } }];
    await person.client.post(`/threads/${thread}/runs/${run.run_id}/tool-results`, { results }).expect(200);
    const answer = await eventually(
      () => answerOf(person.client, thread, assistant_message.msg_id),
      ({ msg_status }) => msg_status === 'complete',
      30_000,
    );
    expect(answer.msg_text).toMatch(/^I recall: (\[erased\]|My favourite colour is vermilion)\.$/);
    expect(await nowhere()).toEqual([]);
    expect(await branchOf(person.client, thread)).toEqual(['What is my favourite colour?', 'I recall: [erased].']);
  }, 120_000);

  it('stays in answers that a legal hold keeps, and goes when the hold ends', async () => {
    const mem_id = await remember();
    const thread_agent = await builtIn();
    const [held, free] = [await newThread(person.client, { thread_agent }), await newThread(person.client, { thread_agent })];
    for (const thread of [held, free]) await ask(person.client, thread, 'What is my favourite colour?');
    const other = await ours.member('editor');
    const handed = await newThread(person.client, { thread_agent });
    await ask(person.client, handed, 'What is my favourite colour?');
    await person.client.patch(`/threads/${handed}`, { thread_user: other.user_id }).expect(200);
    const holds = [await hold(ours, 'thread', held), await hold(ours, 'user', other.user_id)];
    await person.client.delete(`/memories/${mem_id}`).expect(204);
    await eventually(
      () => branchOf(person.client, free),
      (said) => said[1] === '[erased] [1]',
      30_000,
    );
    await looked();
    for (const kept of [held, handed]) expect((await branchOf(person.client, kept))[1]).toBe(`${COLOUR} [1]`);
    expect((await person.client.get('/memories').expect(200)).body.data).toEqual([]);
    for (const lh_id of holds) await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    expect(await nowhere()).toEqual([]);
  }, 120_000);
});

const ended = (dsr_id: string, wanted: string): ReturnType<typeof readRequest> =>
  eventually(
    () => readRequest(admin, dsr_id),
    ({ dsr_status }) => dsr_status === wanted,
    140_000,
  );

describe('an erasure of a person', () => {
  it('leaves what a legal hold keeps as it is, says so, and goes on when the hold ends', async () => {
    const other = await ours.member('editor');
    await remember();
    const alone = await newThread(person.client, { thread_title: 'Sapphire plans', thread_agent: await builtIn() });
    await ask(person.client, alone, 'What is my favourite colour?');
    const theirs = await openThread(other.client, { thread_title: `About ${person.email}` });
    await say(other.client, theirs.thread_id, `Write to ${person.email}, please.`);
    const open = await openThread(other.client);
    await say(other.client, open.thread_id, `Ask ${person.email}.`);
    const { ds_id } = await makeBase(admin);
    const { rec_id } = await addText(admin, ds_id, `About ${person.email}`, 'Berth nine.');
    const { file_id } = await storeFile(api, ours, { name: `${person.email}.txt` });
    const holds = [
      await hold(ours, 'thread', theirs.thread_id),
      await hold(ours, 'thread', alone),
      await hold(ours, 'knowledge_base', ds_id),
      await hold(ours, 'file', file_id),
    ];
    const body = { dsr_kind: 'erasure', dsr_subject_type: 'user', dsr_subject: person.user_id, execute_after_days: 0 };
    const { dsr_id } = await orderOf(admin, body);
    const waiting = await ended(dsr_id, 'blocked');
    expect(waiting).toMatchObject({
      dsr_status: 'blocked',
      dsr_report: {
        ai: { thread: { deleted: 0, held: 2 }, message: { anonymized: 1, held: 1 }, memory: { deleted: 1 }, memory_forgotten: { held: 1 } },
      },
    });
    expect(waiting.dsr_report).toMatchObject({ knowledge: { knowledge_record: { held: 1 } }, files: { file: { held: 1 } } });
    const named = async (): Promise<string[]> => [
      (await readRecord(admin, ds_id, rec_id)).rec_name,
      (await admin.get(`/files/${file_id}`).expect(200)).body.file_name as string,
    ];
    expect(await named()).toEqual([`About ${person.email}`, `${person.email}.txt`]);
    expect(await branchOf(other.client, theirs.thread_id)).toEqual([`Write to ${person.email}, please.`]);
    expect(await branchOf(other.client, open.thread_id)).toEqual(['Ask [erased].']);
    expect(await places()).toEqual(expect.arrayContaining(['message', 'run']));
    expect(await countOf(api, 'workspace_user', ours, `user_id = '${person.user_id}' AND user_name = 'Former member'`)).toBe(1);

    for (const lh_id of holds) await admin.delete(`/admin/legal-holds/${lh_id}`).expect(204);
    const done = await ended(dsr_id, 'completed');
    expect(done.dsr_report.ai).toMatchObject({ thread: { deleted: 1, anonymized: 1 }, message: { anonymized: 2 } });
    expect(JSON.stringify(done.dsr_report)).not.toContain('"held"');
    expect(await branchOf(other.client, theirs.thread_id)).toEqual(['Write to [erased], please.']);
    expect(await nowhere()).toEqual([]);
    expect(JSON.stringify(await named())).not.toContain(person.email);
    expect(await countOf(api, 'erasure_subject', ours)).toBe(0);
    expect(await countOf(api, 'thread', ours, `thread_id = '${alone}'`)).toBe(0);
  }, 300_000);
});
