import { RowsServer, eventually } from '@atrium/platform/testing';
import { makeAgent } from '../ai/agents';
import { answerOf, ask, newThread, post } from '../ai/answering';
import { openThread, say } from '../ai/talking';
import { CLOSED_FORM, closedContent, PAY, SECRETS } from '../forms/planting';
import type { Ground } from '../http/creating-routes';
import { addRecord, addText, indexed, makeBase, makeFormBase } from '../knowledge/bases';
import { imported } from '../knowledge/importing';
import { note, setTags } from '../media/tagging';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { makeObject, makeSchema } from '../objects/objects';
import { sourceBody, type RunAnswer } from '../objects/syncing';
import { administration, credentials, links, ownThings } from './closed-belongings';
import { socialPosts, websites } from './closed-channels';
import { made, type ClosedGround, type PartyName, type Planted, type Visits } from './closed-parties';

const OWNER: readonly PartyName[] = ['owner'];
/** A key of the owner for objects reads what its area holds, and no field that needs more than reading. */
const OWNER_OF_MEDIA: readonly PartyName[] = ['owner', 'key for media'];
const OWNER_OF_OBJECTS: readonly PartyName[] = ['owner', 'key for reading objects'];
const OWNER_OF_THREADS: readonly PartyName[] = ['owner', 'key for conversations'];
const ADMINS: readonly PartyName[] = ['owner', 'admin'];
const WRITERS: readonly PartyName[] = [...ADMINS, 'editor'];
const HIDDEN: ReadonlySet<string> = new Set([SECRETS.hidden, SECRETS.hiddenGroup, SECRETS.innerHidden]);
/** Was in rows that a source and an import could not take in: their reports say why, and not what. */
const UNREAD: ReadonlySet<string> = new Set([SECRETS.unread]);

/** Plants a value with its readers in every place that is closed to somebody. */
export async function plantClosed(ground: Ground): Promise<ClosedGround> {
  const server = await RowsServer.start();
  const planted = [
    await rowsWithLists(ground),
    await closedFields(ground, server),
    await privateThread(ground),
    await withheldAnswer(ground),
    await passages(ground),
    await websites(ground),
    await socialPosts(ground),
    await ownThings(ground),
    await links(ground),
    await administration(ground),
    await credentials(ground),
  ];
  const joined = (part: 'closed' | 'open'): Record<string, string[]> => {
    const all: Record<string, string[]> = {};
    for (const one of planted) for (const [path, ids] of Object.entries(one[part] ?? {})) (all[path] ??= []).push(...ids);
    return all;
  };
  return {
    secrets: planted.flatMap(({ secrets }) => secrets),
    closed: joined('closed'),
    open: joined('open'),
    visits: Object.assign({}, ...planted.map(({ visits }) => visits)) as Visits,
    end: () => server.stop(),
  };
}

/** Rows whose access list names the owner alone. */
async function rowsWithLists({ workspace: { owner } }: Ground): Promise<Planted> {
  const { client } = owner;
  const acl = { users: { [owner.user_id]: 'owner' } };
  const [file, document] = [await note(client, 'docs'), await note(client, 'docs')];
  await client.put(`/files/${document}`, { file_name: 'zqdocument.txt' }).expect(200);
  await client.put(`/files/${document}/content`, { content: '# Lease\n\nzqbytes of the lease\n' }).expect(200);
  for (const one of [file, document]) await setTags(client, one, { Topic: ['harbour'] }).expect(200);
  const folder = await made(client, '/document-folders', { album_name: 'zqfolder', album_acl: acl }, 'album_id');
  await client.post(`/document-folders/${folder}/files`, { file_ids: [file, document] }).expect(200);
  await client.delete(`/document-folders/${folder}/files`, { file_ids: [file] }).expect(200);
  const relation = await made(client, '/document-relation-types', { rt_name: 'replaces' }, 'rt_id');
  const link = await made(client, `/documents/${file}/relations`, { rel_type: relation, document_id: document }, 'rel_id');
  await client.post(`/documents/${file}/deprecate`, { file_superseded_by: document }).expect(200);
  const album = await made(client, '/albums', { album_name: 'zqalbum', album_acl: acl }, 'album_id');
  const [base, openBase] = [await makeBase(client, { ds_name: 'zqbase' }), await makeBase(client)];
  const { rec_id } = await addText(client, base.ds_id, 'zqrecordname', 'zqrecordtext of the base');
  await addText(client, openBase.ds_id, 'Ferry', 'The ferry leaves at ten.');
  await client.put(`/knowledge-bases/${base.ds_id}/access`, { ds_acl: acl }).expect(200);
  await client.post(`/knowledge-bases/${openBase.ds_id}/files`, { file_ids: [document] }).expect(200);
  const form = await makeSchema(client);
  const taxonomy = await makeTaxonomy(client);
  const { term_id } = await addTerm(client, taxonomy, 'Lamps');
  const object = await makeObject(client, form.form_id, { name: 'zqobject' }, { obj_acl: acl, obj_terms: [term_id] });
  await client.patch(`/objects/${object.obj_id}`, { obj_content: { name: 'zqobject again' } }).expect(200);
  const shown = await makeObject(client, form.form_id, { name: 'Lantern' });
  const { agent_id } = await makeAgent(client, { agent_name: 'zqagent', agent_instructions: 'zqinstructions', agent_acl: acl });
  const prompt = await made(client, '/prompts', { prompt_name: 'zqprompt', prompt_text: 'zqprompttext', prompt_acl: acl }, 'prompt_id');
  await Promise.all([indexed(client, base.ds_id), indexed(client, openBase.ds_id)]);
  const secrets = (of: string, readers: readonly PartyName[], ...values: readonly string[]) =>
    values.map((value) => ({ value, of: `${of} whose access list names the owner alone`, readers }));
  return {
    secrets: [
      ...secrets('the name of a document', OWNER, 'zqdocument'),
      ...secrets('the text of a document', OWNER, 'zqbytes'),
      ...secrets('a folder', OWNER, 'zqfolder'),
      ...secrets('an album', OWNER_OF_MEDIA, 'zqalbum'),
      ...secrets('an agent', OWNER, 'zqagent', 'zqinstructions'),
      ...secrets('a prompt', OWNER, 'zqprompt', 'zqprompttext'),
      ...secrets('a knowledge base', OWNER_OF_OBJECTS, 'zqbase'),
      ...secrets('a record of a knowledge base', OWNER_OF_OBJECTS, 'zqrecordtext', 'zqrecordname'),
      ...secrets('an object', OWNER_OF_OBJECTS, 'zqobject'),
    ],
    closed: {
      '/files/{id}': [document],
      '/documents/{id}': [document],
      '/document-folders/{id}': [folder],
      '/albums/{id}': [album],
      '/knowledge-bases/{id}': [base.ds_id],
      '/knowledge-bases/{id}/records/{record_id}': [rec_id],
      '/objects/{id}': [object.obj_id],
      '/agents/{id}': [agent_id],
      '/prompts/{id}': [prompt],
    },
    open: {
      '/files/{id}': [file],
      '/documents/{id}': [file],
      '/documents/{id}/relations/{relation_id}': [link],
      '/document-relation-types/{id}': [relation],
      '/knowledge-bases/{id}': [openBase.ds_id],
      '/objects/{id}': [shown.obj_id],
      '/object-schemas/{id}': [form.form_id],
      '/object-taxonomies/{id}': [taxonomy],
      '/object-taxonomies/{id}/terms/{term_id}': [term_id],
    },
  };
}

/** Fields of objects and of records that are hidden or sensitive, in what is stored, was stored, and could not be read. */
async function closedFields({ workspace }: Ground, server: RowsServer): Promise<Planted> {
  const { client } = workspace.owner;
  const form_config = CLOSED_FORM;
  const form_id = await made(client, '/object-schemas', { form_name: 'Closed objects', form_config }, 'form_id');
  const { obj_id } = await makeObject(client, form_id, closedContent({ top: SECRETS.earlier }));
  await client.patch(`/objects/${obj_id}`, { obj_content: closedContent() }).expect(200);
  const osr_mapping = {
    external_id: { path: '$.id' },
    name: { path: '$.title' },
    'grp.pay': { path: '$.price' },
    hid: { path: '$.note' },
  };
  const source = await made(client, '/object-sources', sourceBody(server, form_id, { osr_mapping }), 'osr_id');
  const rows = (price: unknown, remark: string): void => {
    server.rows = [
      { id: 'a', title: 'A', price, note: remark },
      { id: 'b', title: 'B', price: `about ${SECRETS.unread}`, note: 'x' },
    ];
  };
  const synced = async (): Promise<string> => {
    const { job_id } = (await client.post(`/object-sources/${source}/sync`).expect(202)).body as RunAnswer;
    await eventually(
      async () => (await client.get(`/object-sources/${source}/runs/${job_id}`).expect(200)).body as RunAnswer,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
    return job_id;
  };
  rows(1, 'x');
  await synced();
  rows(PAY, SECRETS.hidden);
  const job = await synced();
  const schema = await made(client, '/knowledge-base-schemas', { form_name: 'Closed records', form_config }, 'form_id');
  const { ds_id } = await makeFormBase(client, schema);
  const { rec_id } = await addRecord(client, ds_id, { rec_content: closedContent({ top: SECRETS.earlier }) });
  await client.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_content: closedContent() }).expect(200);
  const { job_id } = await imported(client, ds_id, { rows: [{ name: 'B', 'grp.pay': `about ${SECRETS.unread}` }], mode: 'insert' });
  await client.post(`/knowledge-bases/${ds_id}/export`, { format: 'jsonl' }).expect(200);
  await indexed(client, ds_id);
  return {
    secrets: [...Object.values(SECRETS), String(PAY)].map((value) => ({
      value,
      of: 'a hidden or sensitive field',
      readers: HIDDEN.has(value) ? ADMINS : UNREAD.has(value) ? [] : WRITERS,
    })),
    open: {
      '/objects/{id}': [obj_id],
      '/object-sources/{id}': [source],
      '/object-sources/{id}/runs/{job_id}': [job],
      '/knowledge-bases/{id}': [ds_id],
      '/knowledge-bases/{id}/records/{record_id}': [rec_id],
      '/knowledge-bases/{id}/jobs/{job_id}': [job_id],
    },
  };
}

/**
 * An answer that rests on a memory of its asker, in a thread that others read since: they read the thread, and not what it says.
 */
async function withheldAnswer({ workspace: { owner } }: Ground): Promise<Planted> {
  const { client } = owner;
  await client.post('/memories', { mem_value: 'My salary is zqwithheld euros a year.' }).expect(201);
  const thread = await newThread(client);
  const { msg_id, msg_text } = await ask(client, thread, 'What is my salary a year?');
  if (!msg_text.includes('zqwithheld')) throw new Error(`The answer rests on no memory: ${msg_text}`);
  const { data } = (await client.get('/roles').expect(200)).body as { readonly data: readonly { role_id: string; role_key: string }[] };
  for (const { role_id } of data.filter(({ role_key }) => ['admin', 'editor', 'viewer'].includes(role_key)))
    await client.post(`/threads/${thread}/members`, { member_type: 'role', member_id: role_id, member_level: 'view' }).expect(201);
  return {
    secrets: [{ value: 'zqwithheld', of: 'a memory, and the answer that rests on it', readers: OWNER_OF_THREADS }],
    open: { '/threads/{id}': [thread], '/threads/{id}/messages/{msg_id}': [msg_id] },
  };
}

/** A thread that nobody shares: what was asked and answered, what tools were given, what was remembered. */
async function privateThread({ workspace: { owner } }: Ground): Promise<Planted> {
  const { client } = owner;
  const { agent_id } = await makeAgent(client, { agent_tools: [{ tool: 'remember' }] });
  const thread = await newThread(client, { thread_agent: agent_id, thread_title: 'zqthread' });
  const { run, assistant_message } = await post(client, thread, 'Please remember that zqremembered is my word');
  await answerOf(client, thread, assistant_message.msg_id);
  const asked = await client.post(`/agents/${agent_id}/run`, { input: 'Say zqagentinput again.', wait: 30 });
  const memory = await made(client, '/memories', { mem_value: 'zqmemory is my boat' }, 'mem_id');
  const space = await made(client, '/spaces', { space_name: 'zqspacename', space_instructions: 'zqspaceorder' }, 'space_id');
  const inSpace = await openThread(client, { thread_space: space, thread_share_mode: 'space', thread_title: 'zqspacethread' });
  const { msg_id } = await say(client, inSpace.thread_id, 'zqspacemessage');
  return {
    secrets: [
      ...['zqthread', 'zqremembered', 'zqmemory', 'zqspacethread', 'zqspacemessage'].map((value) => ({
        value,
        of: 'a private thread, a memory or a run',
        readers: OWNER_OF_THREADS,
      })),
      { value: 'zqspaceorder', of: 'the instructions of a space without members', readers: OWNER },
      { value: 'zqspacename', of: 'the name of a space, which administrators list', readers: [...ADMINS, 'key for conversations'] },
    ],
    closed: {
      '/threads/{id}': [thread, inSpace.thread_id],
      '/threads/{id}/messages/{msg_id}': [assistant_message.msg_id, msg_id],
      '/threads/{id}/runs/{run_id}': [run.run_id],
      '/agents/{id}/runs/{run_id}': [(asked.body as { run_id: string }).run_id],
      '/memories/{id}': [memory],
      '/spaces/{id}': [space],
    },
    open: { '/agents/{id}': [agent_id] },
  };
}

/** Passages of what is closed, and of what is not. */
async function passages({ api, workspace: { tenant_id } }: Ground): Promise<Planted> {
  const found = await eventually(
    () => api.sql<{ passage_id: string; psg_text: string }>('SELECT passage_id, psg_text FROM passage WHERE tenant_id = $1', [tenant_id]),
    (rows) => ['zqbytes', 'zqrecordtext', 'ferry'].every((word) => rows.some(({ psg_text }) => psg_text.includes(word))),
    60_000,
  );
  const idsOf = (word: string): string[] => found.flatMap(({ passage_id, psg_text }) => (psg_text.includes(word) ? [passage_id] : []));
  return {
    secrets: [],
    closed: { '/retrieval/passages/{id}': [...idsOf('zqbytes'), ...idsOf('zqrecordtext')] },
    open: { '/retrieval/passages/{id}': idsOf('ferry') },
  };
}
