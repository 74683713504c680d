import { eventually, type Client, type RunningApi } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { startAtriumWithWorker } from '../support/api';
import { CountedStatements } from '../support/counted-statements';
import { OPERATOR_TOKENS } from '../support/operating';
import { ask, heardOf, messageOf, newThread, post, runOf } from './answering';
import { Follower } from './following';

const DOCS = { file_repo: { library: ['docs'] } };
const HARBOUR = 'The harbour office is open on Saturday from nine to twelve. Dogs must be on a lead on all pontoons.';
const MOST = 200;
/** What the service asks by the clock, whether there is a question or not. */
const BY_THE_CLOCK =
  /outbox_claim_events|outbox_workers|outbox_overdue|outbox_prune|schedule_|usage_roll|storage_roll|file_tallies|publications_due|requests_struck|_overdue_runs|workspaces_active|rate_share|auth_enter\(c\.|bool_or\(running\)|^SELECT 1$|FROM job WHERE state IN/;
/** The end of the job. */
const JOB_ENDS = 'ev_done = clock_timestamp(), ev_error';

let api: RunningApi;
let client: Client;

beforeAll(async () => {
  api = await startAtriumWithWorker({ OPERATOR_TOKENS });
  const ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  await upload(client, 'Harbour.md', Buffer.from(HARBOUR), DOCS);
  await eventually(
    async () => {
      const answer = await client.post('/retrieval/search', { query: 'harbour office' }).expect(200);
      return (answer.body as { data: unknown[] }).data.length;
    },
    (found) => found > 0,
    90_000,
  );
}, 240_000);
afterAll(() => api.close());

describe('a question whose answer is searched for', () => {
  it(`takes at most ${MOST} statements, of the API, the worker, its queue and who follows`, async () => {
    // What a process loads with its first question is not the question's.
    await ask(client, await newThread(client), 'Must dogs be on a lead?');
    const thread = await newThread(client);
    const follower = await Follower.connect(api, client, thread);
    await follower.until((heard) => heard.length > 0);
    const counted = new CountedStatements(api);
    try {
      const { assistant_message, run } = await post(client, thread, 'When is the harbour office open on Saturday?');
      await heardOf(follower, assistant_message.msg_id);
      await eventually(
        () => Promise.resolve(counted.texts),
        (texts) => texts.some((text) => text.includes(JOB_ENDS)),
      );
      const { transactions } = counted;
      counted.end();
      const sent = counted.texts.filter((text) => !BY_THE_CLOCK.test(text));
      if (sent.length > MOST || process.env.PRINT_STATEMENTS)
        process.stderr.write(`${sent.length} statements, ${transactions} transactions opened:\n${counted.mostOf(sent)}\n`);
      const { tool_calls } = await runOf(client, thread, run.run_id);
      expect(tool_calls).toMatchObject([{ tool: 'search_knowledge', state: 'done' }]);
      const { msg_citations } = await messageOf(client, thread, assistant_message.msg_id);
      expect(msg_citations).toMatchObject([{ title: expect.stringMatching(/^Harbour/) as string }]);
      expect(sent.length).toBeLessThanOrEqual(MOST);
    } finally {
      counted.end();
      follower.leave();
    }
  });
});
