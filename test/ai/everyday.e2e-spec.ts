import { eventually, type Client, type RunningApi } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { makeBase } from '../knowledge/bases';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { ask, newThread, type Said } from './answering';

const DOCS = { file_repo: { library: ['docs'] } };
const HARBOUR = `# Harbour
Dogs must be on a lead on all pontoons.
## Office
Saturday: 9:00-12:00
On Sundays the office is closed.
`;
const LIDO = `# Lido
Dogs are not allowed in the lido. The lido opens on 15 May.
| Ticket | Adult |
|---|---|
| Season | 140 euros |
`;

let api: RunningApi;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  const ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  const { ds_id } = await makeBase(client);
  const files = [await upload(client, 'Harbour.md', Buffer.from(HARBOUR), DOCS), await upload(client, 'Lido.md', Buffer.from(LIDO), DOCS)];
  await client.post(`/knowledge-bases/${ds_id}/files`, { file_ids: files.map(({ file_id }) => file_id) }).expect(200);
  await eventually(
    async () => ((await client.get(`/knowledge-bases/${ds_id}/files`).expect(200)).body as { data: { file_passage_count: number }[] }).data,
    (rows) => rows.length === 2 && rows.every(({ file_passage_count }) => file_passage_count > 0),
    90_000,
  );
}, 240_000);
afterAll(() => api.close());

const quotes = ({ msg_citations }: Said): string[] => msg_citations.map(({ title, quote }) => `${title}: ${quote}`);

describe('a new workspace with two notes', () => {
  it('answers everyday questions by the line that says it, follows up, and says so where nothing does', async () => {
    const thread = await newThread(client);
    const saturday = await ask(client, thread, 'When is the harbour office open on Saturday?');
    expect([saturday.msg_text, quotes(saturday)]).toEqual([
      'Saturday: 9:00-12:00 [1]',
      [expect.stringMatching(/^Harbour.*: Saturday: 9:00-12:00$/)],
    ]);
    const sunday = await ask(client, thread, 'And on Sundays?');
    expect([sunday.msg_text, quotes(sunday)]).toEqual([
      expect.stringMatching(/^On Sundays the office is closed\. \[\d\]$/),
      [expect.stringMatching(/: On Sundays the office is closed\.$/)],
    ]);
    const season = await ask(client, await newThread(client), 'What does a season ticket for adults cost?');
    expect([season.msg_text, quotes(season)[0]]).toEqual([
      expect.stringMatching(/^Season \| 140 euros \[\d\]$/),
      expect.stringContaining('| Season | 140 euros |'),
    ]);
    const sauna = await ask(client, await newThread(client), 'Is there a sauna in the lido?');
    expect([sauna.msg_text, sauna.msg_citations]).toEqual(['I found no answer to this in the sources I can read.', []]);
  }, 120_000);

  it('answers the starters that its agent greets with', async () => {
    const { data } = (await client.get('/agents?agent_default=true').expect(200)).body as { data: { agent_id: string }[] };
    const { agent_starters } = (await client.get(`/agents/${data[0]?.agent_id ?? ''}`).expect(200)).body as { agent_starters: string[] };
    const about = (starter: RegExp, what: string): string => agent_starters.find((one) => starter.test(one))?.replace('…', what) ?? '';
    const files = await ask(client, await newThread(client), about(/^Which files/, 'dogs'));
    expect(
      files.msg_text
        .split('\n')
        .map((line) => line.replace(/ \[\d\]$/, ''))
        .sort(),
    ).toEqual([
      expect.stringMatching(/^Harbour.*: Dogs must be on a lead on all pontoons\.$/),
      expect.stringMatching(/^Lido.*: Dogs are not allowed in the lido\.$/),
    ]);
    expect(quotes(files).sort()).toEqual([
      expect.stringMatching(/: Dogs must be on a lead on all pontoons\.$/),
      expect.stringMatching(/: Dogs are not allowed in the lido\.$/),
    ]);
    const summary = await ask(client, await newThread(client), about(/^Summarize/, 'the lido'));
    expect(summary.msg_text).toContain('The lido opens on 15 May.');
    const say = await ask(client, await newThread(client), about(/^What do our/, 'the office'));
    expect(say.msg_text).toContain('On Sundays the office is closed.');
  }, 120_000);
});
