import { newId } from '@atrium/platform/kernel';
import type { Client, Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { makePrompt } from '../ai/prompts';
import { makeBase } from '../knowledge/bases';
import { activeFlow, TRANSITIONS } from '../objects/flows';
import { field, makeObject, makeSchema } from '../objects/objects';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let reader: Member;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  reader = await ours.member('editor');
});
afterAll(() => api.close());

const acl = (level: string): object => ({ users: { [ours.owner.user_id]: 'owner', [reader.user_id]: level } });

type Ask = (by: Client) => ReturnType<Client['patch']>;

/** A row that the reader may see, and a request for it that needs more. */
const ROWS: Readonly<Record<string, () => Promise<{ readonly self: string; readonly ask: Ask }>>> = {
  'the access list of a knowledge base': async () => {
    const self = `/knowledge-bases/${(await makeBase(client)).ds_id}`;
    await client.put(`${self}/access`, { ds_acl: acl('view') }).expect(200);
    return { self, ask: (by) => by.put(`${self}/access`, { ds_acl: acl('owner') }) };
  },
  'the access list of an agent': async () => {
    const made = await client.post('/agents', { agent_name: newId(), agent_acl: acl('view') }).expect(201);
    const self = `/agents/${(made.body as { agent_id: string }).agent_id}`;
    return { self, ask: (by) => by.patch(self, { agent_acl: acl('owner') }) };
  },
  'the access list of a prompt': async () => {
    const self = `/prompts/${(await makePrompt(client, 'Hello.', { prompt_acl: acl('view') })).prompt_id}`;
    return { self, ask: (by) => by.patch(self, { prompt_acl: acl('owner') }) };
  },
  'the access list of an object by those who may edit it': async () => {
    const self = `/objects/${(await makeObject(client, (await makeSchema(client)).form_id, {}, { obj_acl: acl('edit') })).obj_id}`;
    return { self, ask: (by) => by.patch(self, { obj_acl: acl('owner') }) };
  },
  'the state of an object': async () => {
    const { form_id } = await makeSchema(client);
    await activeFlow(client, [form_id]);
    const self = `/objects/${(await makeObject(client, form_id, {}, { obj_acl: acl('view') })).obj_id}`;
    return { self, ask: (by) => by.post(`${self}/transitions`, { transition: 'submit' }) };
  },
  'the content of an object with its state': async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number')]);
    await activeFlow(client, [form_id], {
      olf_transitions: [{ ...TRANSITIONS[0], movers: { users: [reader.user_id, ours.owner.user_id] } }, ...TRANSITIONS.slice(1)],
    });
    const self = `/objects/${(await makeObject(client, form_id, {}, { obj_acl: acl('view') })).obj_id}`;
    return { self, ask: (by) => by.post(`${self}/transitions`, { transition: 'submit', obj_content: { price: 1 } }) };
  },
};

describe('a change without the right to make it', () => {
  it.each(Object.entries(ROWS))('of %s is refused alike before and after the deletion', async (_, made) => {
    const { self, ask } = await made();
    const before = await ask(reader.client).expect(403);
    await client.delete(self).expect(204);
    expect((await ask(reader.client).expect(403)).body).toMatchObject({ code: before.body.code, detail: before.body.detail });
    expect((await ask(client).expect(409)).body.code).toBe('invalid_state');
  });
});
