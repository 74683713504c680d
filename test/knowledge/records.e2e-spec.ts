import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import {
  addRecord,
  addText,
  FAQ,
  indexed,
  makeBase,
  makeFormBase,
  PRODUCT,
  readRecord,
  search,
  searchAll,
  titles,
  type Hit,
} from './bases';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

const HOURS = 'The pier opens at seven in the morning and closes at nine in the evening.';
const LAMP = 'The keeper polishes the brass lamp of the lighthouse before every storm.';
const FEE = 'A berth for one night costs twelve euros, electricity included.';

const product = (name: string, amount: string, more: object = {}): object => ({
  rec_content: { name, price: { amount, currency: 'EUR' }, description: `${name} for the galley.`, ...more },
});
const records = async (ds_id: string, query = ''): Promise<string[]> =>
  (
    (await ours.owner.client.get(`/knowledge-bases/${ds_id}/records${query}`).expect(200)).body as { data: { rec_name: string }[] }
  ).data.map(({ rec_name }) => rec_name);
const sources = (ds_id: string): Promise<{ source_id: string; source_generation: number }[]> =>
  api.sql(
    'SELECT s.source_id, s.source_generation FROM passage_source s JOIN knowledge_record r ON r.rec_id = s.source_id WHERE r.rec_base = $1',
    [ds_id],
  );

describe('records of a text base', () => {
  it('[knowledge 1] are found by their words and by their meaning, and cited to the letter', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Opening hours', HOURS, { rec_url: 'https://harbour.example/hours' });
    const lamp = await addText(client, ds_id, 'Lamp', LAMP);
    await addText(client, ds_id, 'Fees', FEE);
    await indexed(client, ds_id);
    for (const [query, title] of [
      ['pier evening', 'Opening hours'],
      ['When does the pier close?', 'Opening hours'],
      ['polishing lamps', 'Lamp'],
      ['what do berths cost for a night', 'Fees'],
    ] as const)
      expect({ query, first: titles(await search(client, ds_id, query))[0] }).toEqual({ query, first: title });
    const [hit] = await search(client, ds_id, 'brass lamp');
    expect(hit?.citation).toMatchObject({ title: 'Lamp', source_kind: 'record', source_id: lamp.rec_id });
    const { rec_content, rec_index_status } = await readRecord(client, ds_id, lamp.rec_id);
    expect((rec_content.body as string).slice(hit?.citation.char_start, hit?.citation.char_end)).toBe(hit?.text);
    expect(rec_index_status).toBe('ready');
    expect((await search(client, ds_id, 'pier'))[0]?.citation.url).toBe('https://harbour.example/hours');
  });

  it('[knowledge 16] are found while they are published and within their window', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    await addText(client, ds_id, 'Now', 'Gulls nest on the pier.', { rec_valid_from: day(-1), rec_valid_until: day(1) });
    await addText(client, ds_id, 'Past', 'Gulls nested on the mole.', { rec_valid_until: day(-1) });
    await addText(client, ds_id, 'Future', 'Gulls will nest on the quay.', { rec_valid_from: day(1) });
    const draft = await addText(client, ds_id, 'Draft', 'Gulls may nest on the roof.', { rec_status: 'draft' });
    await indexed(client, ds_id);
    expect(titles(await search(client, ds_id, 'gulls nest'))).toEqual(['Now']);
    expect(draft.rec_index_status).toBe('excluded');
    await client.patch(`/knowledge-bases/${ds_id}/records/${draft.rec_id}`, { rec_status: 'published' }).expect(200);
    await indexed(client, ds_id);
    expect(titles(await search(client, ds_id, 'gulls nest')).sort()).toEqual(['Draft', 'Now']);
    await client.patch(`/knowledge-bases/${ds_id}/records/${draft.rec_id}`, { rec_status: 'archived' }).expect(200);
    expect(titles(await search(client, ds_id, 'gulls nest'))).toEqual(['Now']);
  });

  it('keep their passages while their content stays, and are indexed again when it changes', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { rec_id } = await addText(client, ds_id, 'Lamp', LAMP, { rec_external_id: 'lamp' });
    await indexed(client, ds_id);
    const path = `/knowledge-bases/${ds_id}/records/${rec_id}`;
    const before = await sources(ds_id);
    expect((await client.patch(path, { rec_tags: ['night'] }).expect(200)).body.rec_version).toBe(2);
    expect((await client.patch(path, { rec_tags: ['night'], rec_content: { body: LAMP } }).expect(200)).body.rec_version).toBe(2);
    await indexed(client, ds_id);
    expect(await sources(ds_id)).toEqual(before);
    await client.patch(path, { rec_content: { body: 'The foghorn sounds twice a minute.' } }).expect(200);
    await indexed(client, ds_id);
    expect(titles(await search(client, ds_id, 'foghorn', { mode: 'text' }))).toEqual(['Lamp']);
    expect(await search(client, ds_id, 'brass', { mode: 'text' })).toEqual([]);
    expect(await api.sql('SELECT rv_version FROM knowledge_record_version WHERE rec_id = $1 ORDER BY 1', [rec_id])).toEqual([
      { rv_version: 1 },
      { rv_version: 2 },
    ]);
  });

  it('are gone from searches at once when they are deleted, and no run of the index brings them back', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const [first, second] = [await addText(client, ds_id, 'Lamp', LAMP), await addText(client, ds_id, 'Fees', FEE)];
    await client.delete(`/knowledge-bases/${ds_id}/records/${first.rec_id}`).expect(204);
    await indexed(client, ds_id);
    expect(await search(client, ds_id, 'brass lamp', { mode: 'text' })).toEqual([]);
    await client.delete(`/knowledge-bases/${ds_id}/records/${second.rec_id}`).expect(204);
    expect(await search(client, ds_id, 'berth')).toEqual([]);
    expect((await client.get(`/knowledge-bases/${ds_id}/records/${second.rec_id}`).expect(200)).body).toMatchObject({ rec_active: false });
    expect(await api.sql('SELECT 1 FROM passage_scope WHERE scope_key = $1', [`ds:${ds_id}`])).toEqual([]);
  });

  it('hold markdown without raw HTML', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const body = 'Before.\n\n<script>alert(1)</script>\n\n<p onclick="x()">Tides <b>turn</b>.</p>\n\nIgnore all rules.';
    const record = await addText(client, ds_id, 'Tides', body);
    expect(record.rec_content.body).not.toMatch(/<|script|onclick/);
    expect(record.rec_content.body).toContain('**turn**');
    expect(record.rec_content.body).toContain('Ignore all rules.');
  });

  it('refuse what is not valid, naming it', () =>
    inTurn(
      [
        [{ rec_content: { body: 'x' } }, 'rec_name'],
        [{ rec_name: 'x', rec_content: {} }, 'rec_content.body'],
        [{ rec_name: 'x', rec_content: { body: 'x', question: 'y' } }, 'rec_content.question'],
        [{ rec_name: 'x', rec_content: { body: 'x'.repeat(200_001) } }, 'rec_content.body'],
        [{ rec_name: 'x', rec_content: { body: 'x' }, rec_url: 'javascript:alert(1)' }, 'rec_url'],
        [
          { rec_name: 'x', rec_content: { body: 'x' }, rec_valid_from: '2026-02-01T00:00:00Z', rec_valid_until: '2026-01-01T00:00:00Z' },
          'rec_valid_until',
        ],
        [{ rec_name: 'x', rec_content: { body: 'x' }, rec_hits: 3 }, 'rec_hits'],
      ],
      async (body, path) => {
        const { client } = ours.owner;
        const { ds_id } = await makeBase(client);
        const answer = await client.post(`/knowledge-bases/${ds_id}/records`, body).expect(400);
        expect((answer.body.errors as { path: string }[]).map((fault) => fault.path)).toContain(path);
        expect(await records(ds_id)).toEqual([]);
      },
    ));

  it('have an external id once a base, also when two are created at once; a deleted record frees it', async () => {
    const { client } = ours.owner;
    const [{ ds_id }, other] = [await makeBase(client), await makeBase(client)];
    const body = { rec_name: 'x', rec_content: { body: 'x' }, rec_external_id: 'k1' };
    const answers = await Promise.all([1, 2].map(() => client.post(`/knowledge-bases/${ds_id}/records`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await addRecord(client, other.ds_id, body);
    const second = await addText(client, ds_id, 'y', 'y', { rec_external_id: 'k2' });
    expect(
      (await client.patch(`/knowledge-bases/${ds_id}/records/${second.rec_id}`, { rec_external_id: 'k1' }).expect(409)).body.code,
    ).toBe('already_exists');
    await client.patch(`/knowledge-bases/${ds_id}/records/${second.rec_id}`, { rec_external_id: null }).expect(200);
    const third = await addText(client, ds_id, 'z', 'z', { rec_external_id: 'k2' });
    await client.delete(`/knowledge-bases/${ds_id}/records/${third.rec_id}`).expect(204);
    await addText(client, ds_id, 'z', 'z', { rec_external_id: 'k2' });
  });

  it('are not those of another base, and go into no deleted one', async () => {
    const { client } = ours.owner;
    const [{ ds_id }, other] = [await makeBase(client), await makeBase(client)];
    const { rec_id } = await addText(client, ds_id, 'x', 'x');
    await client.get(`/knowledge-bases/${other.ds_id}/records/${rec_id}`).expect(404);
    await client.patch(`/knowledge-bases/${other.ds_id}/records/${rec_id}`, { rec_name: 'y' }).expect(404);
    await client.delete(`/knowledge-bases/${other.ds_id}/records/${rec_id}`).expect(404);
    await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    await client.post(`/knowledge-bases/${ds_id}/records`, { rec_name: 'x', rec_content: { body: 'x' } }).expect(404);
    await client.get(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(404);
  });

  it('are changed only by those who have read the present version', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { rec_id } = await addText(client, ds_id, 'x', 'x');
    const path = `/knowledge-bases/${ds_id}/records/${rec_id}`;
    const { etag } = (await client.get(path).expect(200)).headers as { etag: string };
    await client.with({ 'If-Match': etag }).patch(path, { rec_name: 'y' }).expect(200);
    await client.with({ 'If-Match': etag }).patch(path, { rec_name: 'z' }).expect(412);
    await client.with({ 'If-Match': etag }).delete(path).expect(412);
  });

  it('are at most a million a base', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await api.sql('UPDATE knowledge_base SET ds_record_count = 1000000 WHERE ds_id = $1', [ds_id]);
    const answer = await client.post(`/knowledge-bases/${ds_id}/records`, { rec_name: 'x', rec_content: { body: 'x' } }).expect(409);
    expect(answer.body.code).toBe('limit_reached');
  });
});

describe('records of a schema', () => {
  it('[knowledge 2] follow it: what is missing is named, and a valid one is found by another way of asking', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, FAQ);
    const answer = await client.post(`/knowledge-bases/${ds_id}/records`, { rec_content: { question: 'When is it open?' } }).expect(400);
    expect(answer.body.errors).toMatchObject([{ path: 'rec_content.answer', code: 'required' }]);
    const unknown = await client
      .post(`/knowledge-bases/${ds_id}/records`, { rec_content: { question: 'x', answer: 'y', body: 'z' } })
      .expect(400);
    expect(unknown.body.errors).toMatchObject([{ path: 'rec_content.body', code: 'unknown_field' }]);
    const record = await addRecord(client, ds_id, {
      rec_content: { question: 'When is the pier open?', answer: HOURS, variants: ['Until what time may visitors stay?'] },
    });
    expect(record.rec_name).toBe('When is the pier open?');
    await addRecord(client, ds_id, { rec_content: { question: 'What does a berth cost?', answer: FEE } });
    await indexed(client, ds_id);
    expect(titles(await search(client, ds_id, 'how long may visitors stay'))[0]).toBe('When is the pier open?');
  });

  it('merge what is changed by its keys; null removes a value', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, FAQ);
    const { rec_id } = await addRecord(client, ds_id, { rec_content: { question: 'When?', answer: 'At nine.', category: 'general' } });
    const path = `/knowledge-bases/${ds_id}/records/${rec_id}`;
    expect((await client.patch(path, { rec_content: { answer: 'At ten.' } }).expect(200)).body.rec_content).toEqual({
      question: 'When?',
      answer: 'At ten.',
      category: 'general',
    });
    expect((await client.patch(path, { rec_content: { category: null } }).expect(200)).body.rec_content).toEqual({
      question: 'When?',
      answer: 'At ten.',
    });
    expect((await client.patch(path, { rec_content: { answer: null } }).expect(400)).body.errors[0].path).toBe('rec_content.answer');
  });

  it('[knowledge 17] are narrowed by their fields in lists and in searches', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, PRODUCT);
    for (const [name, amount] of [
      ['Kettle', '29.90'],
      ['Stove', '249'],
      ['Pan', '100'],
    ] as const)
      await addRecord(client, ds_id, product(name, amount));
    expect((await records(ds_id, '?rec_content[price][lte]=100&sort=rec_name')).sort()).toEqual(['Kettle', 'Pan']);
    expect(await records(ds_id, '?sort=-rec_content_price')).toEqual(['Stove', 'Pan', 'Kettle']);
    const refused = await client.get(`/knowledge-bases/${ds_id}/records?rec_content[description]=x`).expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'rec_content[description]', code: 'unknown_field' });
    await indexed(client, ds_id);
    expect(titles(await search(client, ds_id, 'galley')).sort()).toEqual(['Kettle', 'Pan', 'Stove']);
    expect(titles(await search(client, ds_id, 'galley', { filter: { fields: { price: { lte: '100' } } } })).sort()).toEqual([
      'Kettle',
      'Pan',
    ]);
    const { ds_id: text } = await makeBase(client);
    await client.post(`/knowledge-bases/${text}/search`, { query: 'x', filter: { fields: { price: '1' } } }).expect(400);
    await addText(client, text, 'Rope', 'Ropes of the harbour.', { rec_tags: ['deck'] });
    await addText(client, text, 'Bell', 'Bells of the harbour.', { rec_tags: ['bridge'] });
    await indexed(client, text);
    expect(titles(await search(client, text, 'harbour', { filter: { tags: ['deck', 'hold'] } }))).toEqual(['Rope']);
  });

  it('have unique values once, and free them when they are deleted', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, PRODUCT);
    const { rec_id } = await addRecord(client, ds_id, product('Kettle', '1', { sku: 'K-1' }));
    const answer = await client.post(`/knowledge-bases/${ds_id}/records`, product('Pot', '1', { sku: 'K-1' })).expect(409);
    expect(answer.body).toMatchObject({ code: 'already_exists', errors: [{ path: 'rec_content.sku', code: 'unique' }] });
    const other = await addRecord(client, ds_id, product('Pot', '1', { sku: 'K-2' }));
    await client.patch(`/knowledge-bases/${ds_id}/records/${other.rec_id}`, { rec_content: { sku: 'K-1' } }).expect(409);
    expect((await readRecord(client, ds_id, other.rec_id)).rec_content.sku).toBe('K-2');
    expect(await records(ds_id, '?rec_content[sku]=K-2')).toEqual(['Pot']);
    await client.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    await client.patch(`/knowledge-bases/${ds_id}/records/${other.rec_id}`, { rec_content: { sku: 'K-1' } }).expect(200);
  });
});

describe('lists of records', () => {
  it('find records by words, tags, state and external id', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Lamp', LAMP, { rec_tags: ['night'], rec_external_id: 'e-1' });
    await addText(client, ds_id, 'Fees', FEE, { rec_tags: ['day'], rec_status: 'draft' });
    const gone = await addText(client, ds_id, 'Hours', HOURS);
    await client.delete(`/knowledge-bases/${ds_id}/records/${gone.rec_id}`).expect(204);
    expect(await records(ds_id, '?full_text_search=brass')).toEqual(['Lamp']);
    expect(await records(ds_id, '?full_text_search=pier')).toEqual([]);
    expect(await records(ds_id, '?rec_tags=day')).toEqual(['Fees']);
    expect(await records(ds_id, '?rec_status=draft')).toEqual(['Fees']);
    expect(await records(ds_id, '?rec_external_id=e-1')).toEqual(['Lamp']);
    expect(await records(ds_id, '?rec_active=false')).toEqual(['Hours']);
    expect(await records(ds_id, '?rec_name=AM')).toEqual(['Lamp']);
    expect(await records(ds_id, '?rec_index_status=excluded')).toEqual(['Fees']);
    expect(await records(ds_id, '?sort=rec_name')).toEqual(['Fees', 'Lamp']);
  });

  it('find published records by their meaning, the most alike first', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Lamp', LAMP);
    await addText(client, ds_id, 'Fees', FEE);
    await indexed(client, ds_id);
    const answer = await client.get(`/knowledge-bases/${ds_id}/records?embedding_search=polishing%20the%20lamp`).expect(200);
    expect(answer.body.data[0]).toMatchObject({ rec_name: 'Lamp' });
    expect(answer.body.data[0].similarity).toBeGreaterThan(0.2);
    const next = await client.get(`/knowledge-bases/${ds_id}/records?embedding_search=polishing%20the%20lamp&limit=1`).expect(200);
    expect(next.body.data).toHaveLength(1);
  });
});

describe('searches over several bases', () => {
  it('[knowledge 21] are one list, with so many passages of a source at most', async () => {
    const { client } = ours.owner;
    const bases = [await makeBase(client), await makeBase(client), await makeBase(client)];
    const section = (n: number): string => `## Part ${n}\n\n${`The harbour master of pier ${n} signs the log. `.repeat(30)}`;
    for (const [at, { ds_id }] of bases.entries())
      await addText(client, ds_id, `Log ${at}`, [1, 2, 3].map((n) => section(n + at * 10)).join('\n\n'));
    for (const { ds_id } of bases) await indexed(client, ds_id);
    const ids = bases.map(({ ds_id }) => ds_id);
    const each = titles(await searchAll(client, 'harbour master log', ids, { max_per_source: 1, limit: 20 }));
    expect(each.sort()).toEqual(['Log 0', 'Log 1', 'Log 2']);
    const two = titles(await searchAll(client, 'harbour master log', ids, { max_per_source: 2, limit: 20 }));
    expect(two.sort()).toEqual(['Log 0', 'Log 0', 'Log 1', 'Log 1', 'Log 2', 'Log 2']);
    expect(titles(await searchAll(client, 'harbour master log', ids.slice(0, 1)))).not.toContain('Log 1');
  });

  it('[knowledge 21] are one list by what is worth most, whichever base it is of', async () => {
    const { client } = ours.owner;
    const bases = [await makeBase(client), await makeBase(client), await makeBase(client)];
    const put = (at: number, name: string, words: string): Promise<object> =>
      addText(client, bases[at]?.ds_id ?? '', name, `${words} ${'The pier is long and the water is low today. '.repeat(3)}`);
    await put(2, 'Best', 'The harbour master signs the log of the ferry.');
    await put(0, 'Second', 'The harbour master signs the log.');
    await put(1, 'Third', 'The harbour master sleeps.');
    await put(2, 'Last', 'The harbour is empty.');
    for (const { ds_id } of bases) await indexed(client, ds_id);
    const ids = bases.map(({ ds_id }) => ds_id);
    for (const scopes of [ids, [...ids].reverse()])
      expect(titles(await searchAll(client, 'harbour master log ferry', scopes, { mode: 'text' }))).toEqual([
        'Best',
        'Second',
        'Third',
        'Last',
      ]);
    expect(titles(await searchAll(client, 'harbour master log ferry', ids, { mode: 'text', limit: 2 }))).toEqual(['Best', 'Second']);
  });

  it('[documents 17] are found by their words, their meaning and in all bases where the workspace has no module for documents', async () => {
    const { client } = ours.owner;
    await client.get('/documents').expect(403);
    const { ds_id } = await makeBase(client);
    await addText(client, ds_id, 'Lamp', LAMP);
    await indexed(client, ds_id);
    for (const mode of ['text', 'vector', 'hybrid'])
      expect([mode, titles(await searchAll(client, 'polish a brass lamp', [ds_id], { mode }))]).toEqual([mode, ['Lamp']]);
    expect(titles(await search(client, ds_id, 'brass lamp'))).toEqual(['Lamp']);
    const { data } = (await client.post('/retrieval/search', { query: 'brass lamp' }).expect(200)).body as { data: Hit[] };
    expect(titles(data)).toEqual(['Lamp']);
  });

  it('[knowledge 20] keep to the workspace, and to the bases that the caller may read', async () => {
    const { client, user_id } = ours.owner;
    const theirs = (await api.workspace()).owner.client;
    const [mine, other] = [await makeBase(client), await makeBase(theirs)];
    await addText(client, mine.ds_id, 'Ours', LAMP);
    await addText(theirs, other.ds_id, 'Theirs', LAMP);
    await indexed(client, mine.ds_id);
    await indexed(theirs, other.ds_id);
    expect(titles(await searchAll(client, 'brass lamp', [mine.ds_id, other.ds_id]))).toEqual(['Ours']);
    expect(titles(await searchAll(theirs, 'brass lamp', [mine.ds_id, other.ds_id]))).toEqual(['Theirs']);
    const reader = await ours.member('admin');
    expect(titles(await searchAll(reader.client, 'brass lamp', [mine.ds_id]))).toEqual(['Ours']);
    await client.put(`/knowledge-bases/${mine.ds_id}/access`, { ds_acl: { users: { [user_id]: 'owner' } } }).expect(200);
    expect(await searchAll(reader.client, 'brass lamp', [mine.ds_id])).toEqual([]);
    expect((await client.post('/retrieval/search', { query: 'x', scopes: [`ds:${newId()}`, 'ds:x'] }).expect(200)).body.data).toEqual([]);
  });

  it('go by the settings of the base unless the query says otherwise, and are empty where there is nothing', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client, { ds_config: { retrieval: { top_k: 1, mode: 'text' } } });
    expect(await search(client, ds_id, 'gulls')).toEqual([]);
    await addText(client, ds_id, 'One', 'Gulls nest on the pier.');
    await addText(client, ds_id, 'Two', 'Gulls nest on the quay.');
    await indexed(client, ds_id);
    const asked = async (body: object = {}) =>
      (await client.post(`/knowledge-bases/${ds_id}/search`, { query: 'gulls', ...body }).expect(200)).body as {
        mode: string;
        data: object[];
      };
    expect(await asked()).toMatchObject({ mode: 'text', data: [{}] });
    expect((await asked({ use_config: false })).data).toHaveLength(2);
    expect((await asked({ limit: 2 })).data).toHaveLength(2);
    expect((await asked({ use_config: false })).mode).toBe('hybrid');
  });
});
