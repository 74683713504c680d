import { newId } from '@atrium/platform/kernel';
import { eventually, RowsServer, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { addRecord, indexed, makeFormBase } from '../knowledge/bases';
import { imported } from '../knowledge/importing';
import { activeFlow, openTransitions, STATES } from '../objects/flows';
import { followed, makeObject, type Obj } from '../objects/objects';
import { sourceBody, type RunAnswer } from '../objects/syncing';
import { readOperations, seenIn, sightings } from '../support/planted-values';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { CLOSED_FORM, CLOSED_PATHS, closedContent, PAY, PLANTED, SECRETS } from './planting';

jest.setTimeout(300_000);

let api: RunningApi;
let ours: TestWorkspace;
let owner: Client;
let viewer: Client;
let server: RowsServer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  server = await RowsServer.start();
  ours = await api.workspace(['module-objects', 'module-documents']);
  owner = ours.owner.client;
  viewer = (await ours.member('viewer')).client;
}, 120_000);
afterAll(async () => {
  await server.stop();
  await api.close();
});

const OPEN_CONDITION = {
  key: 'rich',
  name: 'Rich',
  from: ['draft'],
  to: 'review',
  movers: { roles: [], users: [], creator: false, permissions: ['object:view'] },
};

describe('values of objects that a viewer may not see', () => {
  let form_id: string;
  let obj_id: string;
  let osr_id: string;
  let job_id: string;

  beforeAll(async () => {
    const made = await owner.post('/object-schemas', {
      form_name: `Closed ${newId()}`,
      form_config: CLOSED_FORM,
      form_metadata: { retrieval: true },
    });
    ({ form_id } = made.body as { form_id: string });
    await activeFlow(owner, [form_id], {
      olf_states: STATES,
      olf_transitions: [
        { ...OPEN_CONDITION, condition: `content.grp.pay > ${PAY - 1}.0` },
        { ...OPEN_CONDITION, key: 'poor', name: 'Poor', condition: `content.grp.pay < ${PAY - 1}.0` },
        { key: 'approve', name: 'Approve', from: ['review'], to: 'approved' },
      ],
    });
    ({ obj_id } = await makeObject(owner, form_id, closedContent({ top: SECRETS.earlier })));
    await owner.patch(`/objects/${obj_id}`, { obj_content: closedContent() }).expect(200);
    const mapping = { external_id: { path: '$.id' }, name: { path: '$.title' }, 'grp.pay': { path: '$.price' }, hid: { path: '$.note' } };
    ({ osr_id } = (await owner.post('/object-sources', sourceBody(server, form_id, { osr_mapping: mapping })).expect(201)).body as {
      osr_id: string;
    });
    const rows = (price: unknown, note: string) => [
      { id: 'a', title: 'A', price, note },
      { id: 'b', title: 'B', price: `about ${SECRETS.unread}`, note: 'x' },
    ];
    server.rows = rows(1, 'x');
    await synced();
    server.rows = rows(PAY, SECRETS.hidden);
    job_id = await synced();
    await eventually(
      async () =>
        (await owner.post('/retrieval/search', { query: 'Lamp', scopes: [`object:${form_id}`] }).expect(200)).body.data as object[],
      (hits) => hits.length > 0,
      60_000,
    );
  }, 120_000);

  const synced = async (): Promise<string> => {
    const run = (await owner.post(`/object-sources/${osr_id}/sync`).expect(202)).body as RunAnswer;
    await eventually(
      async () => (await owner.get(`/object-sources/${osr_id}/runs/${run.job_id}`).expect(200)).body as RunAnswer,
      ({ status }) => !['queued', 'running'].includes(status),
      60_000,
    );
    return run.job_id;
  };

  const pathsOf = (operation: string): readonly string[] => {
    const filled = operation
      .replace(/^\/objects\/\{id\}/, `/objects/${obj_id}`)
      .replace(/^\/object-schemas\/\{id\}/, `/object-schemas/${form_id}`);
    const source = filled.replace(/^\/object-sources\/\{id\}/, `/object-sources/${osr_id}`).replace('{job_id}', job_id);
    if (source === '/objects') return ['/objects', `/objects?obj_form=${form_id}`, `/objects?obj_source=${osr_id}`];
    if (source === `/objects/${obj_id}`) return [source, `${source}?expand=*`, `${source}?include_hidden=true`];
    if (source.includes('{')) throw new Error(`The walk does not know how to fill ${operation}.`);
    // The schema names what its expressions compare with; who wrote them there showed it to all.
    return source.startsWith('/object-schemas') ? [] : [source];
  };

  it('show in no answer of any reading operation, and no filter or order finds them', async () => {
    const operations = readOperations(['/objects', '/object-sources', '/object-schemas']);
    expect(operations.length).toBeGreaterThan(8);
    expect(await sightings({ client: viewer, planted: PLANTED, pathsOf }, operations)).toEqual([]);
    for (const path of CLOSED_PATHS)
      for (const query of [
        `obj_content[${path}]=${SECRETS.top}`,
        `obj_content[${path}][gte]=1`,
        `obj_content[${path}][empty]=true`,
        `sort=obj_content_${path}`,
      ])
        expect([query, (await viewer.get(`/objects?obj_form=${form_id}&${query}`)).status]).toEqual([query, 400]);
  });

  it('are found by nobody through passages, and are in no citation', async () => {
    for (const query of ['Lamp', ...PLANTED]) {
      const answer = await viewer.post('/retrieval/search', { query, scopes: [`object:${form_id}`] }).expect(200);
      expect(
        seenIn(
          'search',
          answer,
          PLANTED.filter((value) => value !== query),
        ),
      ).toEqual([]);
      expect(
        (answer.body as { data: { text: string }[] }).data.filter(({ text }) => PLANTED.some((value) => text.includes(value))),
      ).toEqual([]);
    }
  });

  it('are shown by no condition of a transition', async () => {
    const [rich, poor] = await openTransitions(viewer, obj_id);
    const reason = (said: (typeof rich & object)['blocked_by'] | undefined) => said?.map(({ message }) => message.replace(/: .*$/, ''));
    expect(reason(rich?.blocked_by)).toEqual(reason(poor?.blocked_by));
    expect((await openTransitions(owner, obj_id)).map(({ key, blocked_by }) => [key, blocked_by.length])).toEqual([
      ['rich', 0],
      ['poor', 1],
    ]);
  });

  it('are shown to those who may change objects', async () => {
    const { obj_content } = (await owner.get(`/objects/${obj_id}?include_hidden=true`).expect(200)).body as Obj;
    expect(JSON.stringify(obj_content)).toContain(SECRETS.deep);
    const rows = (await owner.get(`/object-sources/${osr_id}/runs/${job_id}/rows`).expect(200)).text;
    expect(rows).toContain(String(PAY));
  });

  it('give no object its name: such a title is refused, and an older one names the object by its id', async () => {
    for (const title of ['top', 'hid']) {
      const answer = await owner
        .post('/object-schemas', { form_name: `Named ${newId()}`, form_config: { ...CLOSED_FORM, title } })
        .expect(400);
      expect(answer.body.errors).toMatchObject([{ path: 'form_config.title', code: 'option' }]);
      await owner.patch(`/object-schemas/${form_id}`, { form_config: { ...CLOSED_FORM, title } }).expect(400);
    }
    const old = (await owner.post('/object-schemas', { form_name: `Old ${newId()}`, form_config: CLOSED_FORM }).expect(201)).body as {
      form_id: string;
    };
    await api.sql(`UPDATE form SET form_config = jsonb_set(form_config, '{title}', '"top"') WHERE form_id = $1`, [old.form_id]);
    const named = await makeObject(owner, old.form_id, { top: 'zqnaming' });
    expect(named.obj_name).toBe(named.obj_id);
    expect((await viewer.get('/objects?obj_name=zqnaming').expect(200)).body.data).toEqual([]);
    await owner.patch(`/object-schemas/${old.form_id}`, { form_metadata: { icon: 'box' } }).expect(200);
  });

  it('do not stay as a name when the field that gave it is closed', async () => {
    const open = {
      title: 'top',
      fields: [
        { key: 'top', type: 'text', label: 'Top' },
        { key: 'other', type: 'text', label: 'Other' },
      ],
    };
    const schema = (await owner.post('/object-schemas', { form_name: `Opened ${newId()}`, form_config: open }).expect(201)).body as {
      form_id: string;
    };
    const { obj_id: id } = (await owner.post('/objects', { obj_form: schema.form_id, obj_content: { top: 'zqoncename' } }).expect(201))
      .body as Obj;
    const closed = { title: 'other', fields: [{ ...open.fields[0], sensitive: true }, open.fields[1]] };
    await owner.patch(`/object-schemas/${schema.form_id}`, { form_config: closed }).expect(200);
    await followed(owner, schema.form_id);
    expect((await viewer.get(`/objects/${id}`).expect(200)).body.obj_name).toBe(id);
    expect((await viewer.get('/objects?full_text_search=zqoncename').expect(200)).body.data).toEqual([]);
    expect((await viewer.get(`/objects/${id}/revisions`).expect(200)).text).not.toContain('zqoncename');
  });
});

describe('values of records that a viewer may not see', () => {
  let ds_id: string;
  let rec_id: string;
  let job_id: string;

  beforeAll(async () => {
    const made = await owner.post('/knowledge-base-schemas', { form_name: `Closed ${newId()}`, form_config: CLOSED_FORM }).expect(201);
    ({ ds_id } = await makeFormBase(owner, (made.body as { form_id: string }).form_id));
    ({ rec_id } = await addRecord(owner, ds_id, { rec_content: closedContent({ top: SECRETS.earlier }) }));
    await owner.patch(`/knowledge-bases/${ds_id}/records/${rec_id}`, { rec_content: closedContent() }).expect(200);
    ({ job_id } = await imported(owner, ds_id, { rows: [{ name: 'B', 'grp.pay': `about ${SECRETS.unread}` }], mode: 'insert' }));
    await owner.post(`/knowledge-bases/${ds_id}/export`, { format: 'jsonl' }).expect(200);
    await indexed(owner, ds_id);
  }, 120_000);

  const pathsOf = (operation: string): readonly string[] => {
    const path = operation.replace('{id}', ds_id).replace('{record_id}', rec_id).replace('{job_id}', job_id);
    if (operation.startsWith('/knowledge-bases/{id}/crawls/{crawl_id}')) return [];
    if (path.includes('{')) throw new Error(`The walk does not know how to fill ${operation}.`);
    return [path];
  };

  it('show in no answer of any reading operation, and no filter or order finds them', async () => {
    expect(await sightings({ client: viewer, planted: PLANTED, pathsOf }, readOperations(['/knowledge-bases']))).toEqual([]);
    for (const path of CLOSED_PATHS) {
      for (const query of [`rec_content[${path}]=${SECRETS.top}`, `rec_content[${path}][empty]=true`, `sort=rec_content_${path}`])
        expect([query, (await viewer.get(`/knowledge-bases/${ds_id}/records?${query}`)).status]).toEqual([query, 400]);
      const search = { query: 'Lamp', filter: { fields: { [path]: SECRETS.top } } };
      expect([path, (await viewer.post(`/knowledge-bases/${ds_id}/search`, search)).status]).toEqual([path, 400]);
    }
  });

  it('are found by no search, and are in no citation', async () => {
    for (const query of ['Lamp', ...PLANTED]) {
      const { data } = (await viewer.post(`/knowledge-bases/${ds_id}/search`, { query }).expect(200)).body as { data: object[] };
      expect(seenIn('search', { text: JSON.stringify(data), headers: {}, body: {} }, PLANTED)).toEqual([]);
    }
  });

  it('are in no report of an import, and an export that shows them is for its asker', async () => {
    const job = (await viewer.get(`/knowledge-bases/${ds_id}/jobs/${job_id}`).expect(200)).body as { report_url: string };
    const report = await (await fetch(job.report_url)).text();
    expect(report).toContain('is not a number');
    expect(report).not.toContain(SECRETS.unread);
    const { data } = (await viewer.get(`/knowledge-bases/${ds_id}/jobs?job_kind=export`).expect(200)).body as {
      data: { result: Record<string, unknown> }[];
    };
    expect(data.map(({ result }) => result['download_url'])).toEqual([undefined]);
    const own = (await viewer.post(`/knowledge-bases/${ds_id}/export`, { format: 'jsonl' }).expect(200)).body as { download_url: string };
    expect(seenIn('export', { text: await (await fetch(own.download_url)).text(), headers: {}, body: {} }, PLANTED)).toEqual([]);
  });
});
