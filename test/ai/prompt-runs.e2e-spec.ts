import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { answerOf, messageOf, type Asked } from './answering';
import { makePrompt, makeWildcard } from './prompts';

jest.setTimeout(90_000);

const FACT = 'A berth at the quay costs 12 euros a day.';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let prompt_id: string;
let manual: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
  client = ours.owner.client;
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
  const body = Buffer.from(`The harbour was built in 1870.\n\n${FACT}\n\nBoats are let in spring.\n`);
  manual = (await upload(client, 'Manual.md', body, { file_repo: { library: ['docs'] } })).file_id;
  await makeWildcard(client, 'Manual', 'document', { required: true });
  await makeWildcard(client, 'Tone', 'select', { options: [{ value: 'f', label: 'friendly' }], required: true });
  ({ prompt_id } = await makePrompt(client, 'What does a berth cost a day? See {{manual}}, and be {{Tone}}.'));
});
afterAll(() => api.close());

/** Where a run is refused, and why. */
async function faults(values: object, by = client): Promise<string[]> {
  const { body } = await by.post(`/prompts/${prompt_id}/run`, { values }).expect(400);
  return (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path}: ${code}`);
}

describe('a prompt with a document and a choice', () => {
  it('[ai 20] puts in the name of the document, attaches it, and is answered from its text', async () => {
    const asked = (await client.post(`/prompts/${prompt_id}/run`, { values: { Manual: manual, Tone: 'f' } }).expect(202)).body as Asked & {
      readonly thread: { readonly thread_id: string };
    };
    expect(asked.user_message).toMatchObject({
      msg_text: 'What does a berth cost a day? See Manual.md, and be friendly.',
      msg_files: [manual],
      msg_prompt: prompt_id,
    });
    const { thread_id } = asked.thread;
    const answer = await answerOf(client, thread_id, asked.assistant_message.msg_id);
    expect(answer).toMatchObject({ msg_status: 'complete' });
    expect(answer.msg_text).toContain(FACT);
    expect(await messageOf(client, thread_id, asked.user_message.msg_id)).toMatchObject({ msg_files: [manual] });
  });

  it.each([
    ['no value', {}, ['values.manual: required', 'values.Tone: required']],
    ['the document alone', { manual: 'it' }, ['values.Tone: required']],
    ['the choice alone', { Tone: 'f' }, ['values.manual: required']],
    ['null for the document', { manual: null, Tone: 'f' }, ['values.manual: required']],
    ['an empty choice', { manual: 'it', Tone: '' }, ['values.Tone: required']],
    ['an unknown option', { manual: 'it', Tone: 'rude' }, ['values.Tone: choice']],
    ['a list for one document', { manual: ['it', 'it'], Tone: 'f' }, ['values.manual: uuid']],
  ])('[ai 20] is not run with %s: each value that is missing or not taken is named', async (_, values, wanted) => {
    const named = JSON.parse(JSON.stringify(values).replaceAll('"it"', JSON.stringify(manual))) as object;
    expect(await faults(named)).toEqual(wanted);
    expect(await api.sql('SELECT 1 FROM thread WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  });

  it('takes no document that is not there for the caller', async () => {
    const theirs = await api.workspace(['module-documents']);
    const [picture, foreign] = [await storeFile(api, ours, { repo: 'media' }), await storeFile(api, theirs, { repo: 'docs' })];
    for (const id of [newId(), picture.file_id, foreign.file_id])
      expect(await faults({ manual: id, Tone: 'f' })).toEqual(['values.manual: reference']);
    const runner = await ours.member('editor', ['prompt:run', 'agent:run', 'thread:create', 'thread:view']);
    expect(await faults({ manual, Tone: 'f' }, runner.client)).toEqual(['values.manual: reference']);
    expect(await api.sql('SELECT 1 FROM thread WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  });
});
