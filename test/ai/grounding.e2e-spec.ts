import {
  documentOf,
  eventually,
  textPdf,
  wordParagraph,
  type Client,
  type PdfText,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { pivot } from '../governance/reporting';
import { makeBase } from '../knowledge/bases';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeAgent } from './agents';
import { ask, foldedParts, heardOf, messageOf, newThread, post, type Cited, type Said } from './answering';
import { Follower } from './following';

const DOCS = { file_repo: { library: ['docs'] } };
const FACT = 'The drum unit of the copier lasts for forty thousand sheets before it is replaced.';
const QUESTION = 'How many sheets does the drum unit of the copier last?';

let api: RunningApi;
let ours: TestWorkspace;
let crediting: Crediting;
const open: Follower[] = [];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  crediting = new Crediting(api);
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  await crediting.grant(ours, { grant_credits: 10_000 });
});
afterEach(() => {
  for (const follower of open.splice(0)) follower.leave();
});
afterAll(() => api.close());

const TOPICS = ['Paper', 'Toner', 'Network', 'Panel', 'Trays'];

/** A chapter a page. */
const page = (n: number): PdfText[] => [
  { text: `${TOPICS[n % 5]} ${n}`, x: 72, y: 790, size: 22 },
  ...Array.from({ length: 10 }, (_, line) => ({
    text: `Step ${n}.${line}: open cover ${n * 10 + line} and press button ${line} once.`,
    x: 72,
    y: 740 - line * 24,
    size: 10,
  })),
];

const manual = (): Buffer =>
  textPdf(
    Array.from({ length: 20 }, (_, at) => [...page(at + 1), ...(at === 6 ? [{ text: FACT, x: 72, y: 400, size: 10 }] : [])]),
    'Copier manual',
  );

const policy = (): Buffer =>
  documentOf({ body: `${wordParagraph('Leave', { style: 'Heading1' })}${wordParagraph('Leave is asked for two weeks ahead.')}` });

/** A base with a manual of 20 pages and a policy, indexed; an agent that searches it. */
async function grounded(
  client: Client,
  agent: object = {},
): Promise<{ ds_id: string; manual_id: string; agent_id: string; agent_name: string }> {
  const { ds_id } = await makeBase(client);
  const files = [await upload(client, 'manual.pdf', manual(), DOCS), await upload(client, 'policy.docx', policy(), DOCS)];
  await client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: files.map(({ file_id }) => file_id) }).expect(200);
  await eventually(
    async () => ((await client.get(`/knowledge-bases/${ds_id}/files`).expect(200)).body as { data: { file_passage_count: number }[] }).data,
    (rows) => rows.length === 2 && rows.every(({ file_passage_count }) => file_passage_count > 0),
    90_000,
  );
  const { agent_id, agent_name } = await makeAgent(client, {
    agent_knowledge: [ds_id],
    agent_tools: [{ tool: 'search_knowledge' }],
    ...agent,
  });
  return { ds_id, manual_id: files[0]?.file_id ?? '', agent_id, agent_name };
}

const check = async (client: Client, thread: string, msg_id: string): Promise<{ n: number; state: string }[]> =>
  (
    (await client.get(`/threads/${thread}/messages/${msg_id}/citations/check`).expect(200)).body as {
      citations: { n: number; state: string }[];
    }
  ).citations;

describe('an answer from documents', () => {
  it('[ai 1] [ai 2] [ai 3] is followed step by step, cites the page by a sentence of it, is the same again, and costs what is reported', async () => {
    const { client } = ours.owner;
    const { agent_id, agent_name, manual_id } = await grounded(client);
    const before = await crediting.available(ours);
    const thread = await newThread(client, { thread_agent: agent_id });
    const follower = await Follower.connect(api, client, thread);
    open.push(follower);
    await follower.until((heard) => heard.length >= 2);
    const from = follower.heard.length;
    const { assistant_message, user_message, run } = await post(client, thread, QUESTION);
    const heard = (await heardOf(follower, assistant_message.msg_id)).slice(from).filter(({ event }) => event !== 'presence');

    const kinds = heard.map(({ event, data }) =>
      `${event} ${data.op ?? ''} ${String((data.value as { kind?: string })?.kind ?? '')}`.trim(),
    );
    expect(kinds.slice(0, 4)).toEqual(['user_message created', 'lock', 'assistant_message start', 'assistant_message part tool']);
    expect(kinds.slice(-3)).toEqual(['assistant_message citations', 'assistant_message done', 'lock']);
    expect(kinds.filter((kind) => kind === 'assistant_message delta').length).toBeGreaterThan(0);
    expect(heard[1]?.data).toMatchObject({
      locked: true,
      run_id: run.run_id,
      msg_id: assistant_message.msg_id,
      generating_for: ours.owner.user_id,
    });
    expect(heard.at(-1)?.data).toMatchObject({ locked: false, run_id: null, generating_for: null });
    expect(heard[0]?.data.message).toMatchObject({ msg_id: user_message.msg_id, msg_text: QUESTION });

    const stored = await messageOf(client, thread, assistant_message.msg_id);
    expect(JSON.stringify(foldedParts(heard, stored.msg_id))).toBe(JSON.stringify(stored.msg_parts));
    expect(stored).toMatchObject({ msg_status: 'complete', msg_finish: 'stop', msg_text: `${FACT} [1]` });
    const [citation] = stored.msg_citations;
    expect(citation).toMatchObject({ n: 1, source_kind: 'file', source_id: manual_id, page_from: 7, check: 'exact', quote: FACT });
    expect(await check(client, thread, stored.msg_id)).toMatchObject([{ n: 1, state: 'valid' }]);

    const again = await ask(client, await newThread(client, { thread_agent: agent_id }), QUESTION);
    expect(again.msg_text).toBe(stored.msg_text);

    const entries = (
      (await client.get('/admin/usage/entries?limit=1000').expect(200)).body as {
        data: { usage_param: string; usage_consumed_credits: number; usage_agent: string | null; usage_ref: { message_id?: string } }[];
      }
    ).data.filter(({ usage_agent }) => usage_agent === agent_id);
    const ofAnswer = (answer: Said) =>
      entries
        .filter(({ usage_ref }) => usage_ref.message_id === answer.msg_id)
        .reduce((sum, { usage_consumed_credits }) => sum + usage_consumed_credits, 0);
    expect(new Set(entries.map(({ usage_param }) => usage_param))).toEqual(
      new Set(['ai.input_tokens', 'ai.output_tokens', 'ai.tool_calls']),
    );
    for (const answer of [stored, again]) {
      expect(answer.msg_usage?.credits).toBeGreaterThan(0);
      expect(ofAnswer(answer)).toBeCloseTo(answer.msg_usage?.credits ?? 0, 6);
    }
    const spent = entries.reduce((sum, { usage_consumed_credits }) => sum + usage_consumed_credits, 0);
    const all = (await pivot(ours, { group_by: 'agent_name' })).data;
    expect(all.map(({ label }) => label)).toContain(agent_name);
    expect(before - (await crediting.available(ours))).toBeCloseTo(spent, 6);
    await crediting.audit(ours);
  }, 180_000);

  it('[ai 17] [ai 18] does not cite what was deprecated since, and hides its citations from readers who may not read the source', async () => {
    const { client } = ours.owner;
    const { agent_id, manual_id } = await grounded(client);
    const reader = await ours.member('editor');
    const thread = await newThread(client, { thread_agent: agent_id, thread_acl: { users: { [reader.user_id]: 'view' } } });
    const answer = await ask(client, thread, QUESTION);
    expect(answer.msg_citations).toMatchObject([{ n: 1, source_id: manual_id }]);
    const seen = async (): Promise<readonly Cited[]> => (await messageOf(reader.client, thread, answer.msg_id)).msg_citations;
    expect(await seen()).toMatchObject([{ n: 1, source_id: manual_id, quote: FACT }]);

    const { album_id } = (
      await client.post('/document-folders', { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(201)
    ).body as { album_id: string };
    await client.post(`/document-folders/${album_id}/files`, { file_ids: [manual_id] }).expect(200);
    expect(await seen()).toEqual([{ n: 1, source_kind: 'file', redacted: true }]);
    expect(await check(reader.client, thread, answer.msg_id)).toMatchObject([{ n: 1, state: 'gone' }]);

    await client.post(`/documents/${manual_id}/deprecate`, { file_deprecated_reason: 'A new edition' }).expect(200);
    const later = await ask(client, await newThread(client, { thread_agent: agent_id }), QUESTION);
    expect(later).toMatchObject({ msg_text: 'I found no answer to this in the sources I can read.', msg_citations: [] });
    expect((await check(client, thread, answer.msg_id))[0]?.state).toBe('gone');
  }, 180_000);

  it('rests on files of its thread that no message names, and readers of the thread see and check what it cites of them', async () => {
    const { client } = ours.owner;
    const reader = await ours.member('editor');
    const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'search_knowledge' }] });
    const thread = await newThread(client, { thread_agent: agent_id, thread_acl: { users: { [reader.user_id]: 'view' } } });
    const { file_id } = await upload(client, 'drum.md', Buffer.from(FACT), { file_repo: { thread } });
    await eventually(
      () => api.sql(`SELECT 1 FROM passage_source WHERE source_id = $1 AND source_passages > 0`, [file_id]),
      ({ length }) => length === 1,
      60_000,
    );
    const answer = await ask(client, thread, QUESTION);
    const cited = [{ n: 1, source_kind: 'file', source_id: file_id, quote: FACT }];
    expect(answer.msg_citations).toMatchObject(cited);
    expect((await messageOf(reader.client, thread, answer.msg_id)).msg_citations).toMatchObject(cited);
    expect(await check(reader.client, thread, answer.msg_id)).toMatchObject([{ n: 1, state: 'valid' }]);
    const { passage_id } = answer.msg_citations[0] as Cited & { passage_id: string };
    await reader.client.get(`/retrieval/passages/${passage_id}`).expect(200);

    await client.patch(`/threads/${thread}`, { thread_acl: {} }).expect(200);
    await reader.client.get(`/retrieval/passages/${passage_id}`).expect(404);
    const elsewhere = await ask(client, await newThread(client, { thread_agent: agent_id }), QUESTION);
    expect(elsewhere.msg_citations).toEqual([]);
  }, 180_000);
});
