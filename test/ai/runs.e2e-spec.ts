import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Crediting } from '../governance/crediting';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addText, indexed, makeBase } from '../knowledge/bases';
import { makeAgent } from './agents';
import { ask, foldedParts, heardOf, newThread, post } from './answering';
import { Follower } from './following';

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

describe('an answer', () => {
  it('comes from the default agent where nobody chose one, and says that nothing was found', async () => {
    const { client } = ours.owner;
    const thread = await newThread(client);
    const answer = await ask(client, thread, 'How long is the notice period of the lease?');
    expect(answer).toMatchObject({
      msg_status: 'complete',
      msg_finish: 'stop',
      msg_text: 'I found no answer to this in the sources I can read.',
    });
  });

  it('is told as it grows, and the events folded are what is stored', async () => {
    const { client } = ours.owner;
    const base = await makeBase(client);
    await addText(
      client,
      base.ds_id,
      'Lease',
      'The deposit is three monthly rents. Either party may terminate the lease with a notice of three months. Pets are allowed.',
    );
    await indexed(client, base.ds_id);
    const { agent_id } = await makeAgent(client, { agent_knowledge: [base.ds_id], agent_tools: [{ tool: 'search_knowledge' }] });
    const thread = await newThread(client, { thread_agent: agent_id });
    const follower = await Follower.connect(api, ours.owner.client, thread);
    open.push(follower);
    await follower.until((heard) => heard.length >= 2);
    const { assistant_message } = await post(client, thread, 'What is the notice to terminate the lease?');
    const heard = await heardOf(follower, assistant_message.msg_id);
    console.log(JSON.stringify(heard, null, 1));
    const stored = (await client.get(`/threads/${thread}/messages/${assistant_message.msg_id}`).expect(200)).body;
    console.log(JSON.stringify(stored, null, 1));
    expect(foldedParts(heard, assistant_message.msg_id)).toEqual(stored.msg_parts);
    void eventually;
  });
});
