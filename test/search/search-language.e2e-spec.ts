import { SearchFields } from '@atrium/files';
import { newId, type JsonValue } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { SearchWorld } from './search-world';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let world: SearchWorld;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
  world = await SearchWorld.in(api, ours);
});
afterAll(() => api.close());

type Leaf = { readonly field: string; readonly op: string; readonly value?: JsonValue };

const leaf = (field: string, op: string, value?: JsonValue): Leaf => ({ field, op, ...(value === undefined ? {} : { value }) });
const preview = (sq_query: object, more: object = {}, workspace = ours) =>
  workspace.owner.client.post('/saved-searches/preview', { sq_scope: 'media', sq_query, limit: 50, ...more });
const found = async (sq_query: object, more: object = {}): Promise<string[]> =>
  ((await preview(sq_query, more).expect(200)).body.data as { file_id: string }[]).map((row) => row.file_id);
const fresh = (): string => `t${newId().replaceAll('-', '')}`;
const nested = (levels: number, inner: object): object =>
  levels === 0 ? inner : { all: [nested(levels - 1, inner), leaf('kind', 'eq', 'image')] };

describe('[files 16] the search language', () => {
  it('combines not, any and all', async () => {
    const token = fresh();
    const [small, large, video, other] = await world.files([
      { file_summary: token, file_size: 10 },
      { file_summary: token, file_size: 5_000 },
      { file_summary: token, file_kind: 'video', file_size: 10 },
      { file_summary: token, file_kind: 'font', file_size: 5_000 },
    ]);
    const mine = leaf('file_summary', 'contains', token);
    const where = {
      all: [
        mine,
        { any: [leaf('kind', 'eq', 'video'), { not: leaf('file_size', 'lt', 100) }] },
        { not: { any: [leaf('kind', 'eq', 'font'), { any: [] }] } },
      ],
    };
    expect(new Set(await found({ where }))).toEqual(new Set([large, video]));
    expect(new Set(await found({ where: { all: [mine, { not: where }] } }))).toEqual(new Set([small, other]));
    expect(new Set(await found({ where: { all: [mine, { all: [] }] } }))).toEqual(new Set([small, large, video, other]));
    expect(await found({ where: { all: [mine, { any: [] }] } })).toEqual([]);
  });

  it('takes a missing value for false, its opposite for true, and never for neither', async () => {
    const token = fresh();
    const [wide, bare] = await world.files([
      { file_summary: token, system: { width: 100, orientation: 'square' } },
      { file_summary: token },
    ]);
    const of = (where: object): Promise<string[]> => found({ where: { all: [leaf('file_summary', 'contains', token), where] } });
    expect(await of(leaf('width', 'lt', 1_000))).toEqual([wide]);
    expect(await of({ not: leaf('width', 'lt', 1_000) })).toEqual([bare]);
    expect(await of({ not: leaf('width', 'gte', 1) })).toEqual([bare]);
    expect(new Set(await of(leaf('width', 'ne', 5)))).toEqual(new Set([wide, bare]));
    expect(await of({ not: leaf('width', 'ne', 5) })).toEqual([]);
    expect(
      await of({ not: { any: [leaf('width', 'lt', 1), leaf('orientation', 'eq', 'portrait'), leaf('camera', 'contains', 'x')] } }),
    ).toHaveLength(2);
    expect(await of({ not: { all: [leaf('width', 'gt', 1), leaf('orientation', 'ne', 'portrait')] } })).toEqual([bare]);
    expect(await of(leaf('orientation', 'ne', 'square'))).toEqual([bare]);
    expect(new Set(await of(leaf('camera', 'exists', false)))).toEqual(new Set([wide, bare]));
  });

  it('resolves moments when it is read, days in the time zone of the workspace', async () => {
    const token = fresh();
    await api.sql(`UPDATE workspace SET ws_timezone = 'Pacific/Kiritimati' WHERE ws_id = $1`, [ours.tenant_id]);
    const [day = ''] = (await api.sql<{ day: string }>(`SELECT to_char(now() AT TIME ZONE 'Pacific/Kiritimati', 'YYYY-MM-DD') AS day`)).map(
      (row) => row.day,
    );
    const midnight = Date.parse(`${day}T00:00:00+14:00`);
    const [yesterday, today, longAgo] = await world.files([
      { file_summary: token, file_created: new Date(midnight - 1).toISOString() },
      { file_summary: token, file_created: new Date(midnight).toISOString() },
      { file_summary: token, file_created: new Date(Date.now() - 40 * 86_400_000).toISOString() },
    ]);
    const of = (where: object): Promise<string[]> => found({ where: { all: [leaf('file_summary', 'contains', token), where] } });
    expect(new Set(await of(leaf('file_created', 'before', { today: true })))).toEqual(new Set([yesterday, longAgo]));
    expect(await of(leaf('file_created', 'between', [{ today: true }, { from_now: 'P1D' }]))).toEqual([today]);
    expect(await of(leaf('file_created', 'between', [day, { from_now: 'P1D' }]))).toEqual([today]);
    expect(new Set(await of(leaf('file_created', 'within', 'P30D')))).toEqual(new Set([yesterday, today]));
    expect(await of(leaf('file_created', 'before', { ago: 'P1M' }))).toEqual([longAgo]);
    await api.sql(`UPDATE workspace SET ws_timezone = 'UTC' WHERE ws_id = $1`, [ours.tenant_id]);
  });

  it.each<[string, object, readonly string[]]>([
    ['a seventh group', { where: nested(7, leaf('kind', 'eq', 'image')) }, [`where${'.all[0]'.repeat(6)}`]],
    ['a 51st leaf', { where: { all: Array.from({ length: 51 }, () => leaf('kind', 'eq', 'image')) } }, ['where.all[50]']],
    ['an unknown operator', { where: { all: [leaf('kind', 'eq', 'image'), leaf('kind', 'near', 'image')] } }, ['where.all[1].op']],
    ['an unknown field', { where: { not: leaf('shelf', 'eq', 'x') } }, ['where.not.field']],
    [
      'wrong types, each with its path',
      {
        where: {
          any: [
            leaf('file_size', 'gt', '5'),
            leaf('width', 'between', [1, 'x']),
            leaf('format', 'in', ['jpg', 'J P']),
            leaf('color', 'near', { hex: 'red', tolerance: 5, alpha: 1 }),
          ],
        },
      },
      ['where.any[0].value', 'where.any[1].value[1]', 'where.any[2].value[1]', 'where.any[3].value.alpha', 'where.any[3].value.hex'],
    ],
    ['a missing value', { where: leaf('kind', 'eq') }, ['where.value']],
    ['unknown keys', { where: { ...leaf('kind', 'eq', 'image'), negate: true }, order: 'x' }, ['order', 'where.negate']],
    ['two kinds of groups', { where: { all: [], any: [] } }, ['where']],
    ['a sort that the listing does not have', { sort: '-file_hash' }, ['sort']],
    [
      'a list of 201',
      {
        where: leaf(
          'format',
          'in',
          Array.from({ length: 201 }, (_, at) => `x${at}`),
        ),
      },
      ['where.value'],
    ],
    ['a text of 501 characters', { text: 'x'.repeat(501), where: leaf('file_name', 'contains', 'x'.repeat(501)) }, ['text', 'where.value']],
    [
      'SQL as field, operator and key',
      {
        where: {
          all: [
            leaf(`kind' OR '1'='1`, 'eq', 'x'),
            leaf('kind', `eq') OR (1=1`, 'image'),
            leaf(`metadata.a'; DROP TABLE file; --`, 'eq', 'x'),
            leaf('metadata.a.b.c.d.e', 'eq', 'x'),
          ],
        },
      },
      ['where.all[0].field', 'where.all[1].op', 'where.all[2].field', 'where.all[3].field'],
    ],
    [
      'fields of the object prototype',
      { where: { all: [leaf('constructor', 'eq', 'x'), leaf('kind', 'toString', 'x')] } },
      ['where.all[0].field', 'where.all[1].op'],
    ],
    [
      'durations and days that are none',
      { where: { any: [leaf('taken', 'within', 'P'), leaf('taken', 'before', { ago: 'P9999Y' }), leaf('taken', 'after', '2024-02-30')] } },
      ['where.any[0].value', 'where.any[1].value.ago', 'where.any[2].value'],
    ],
  ])('refuses %s', async (_, query, paths) => {
    const answer = await preview(query).expect(400);
    expect(answer.body.code).toBe('validation_failed');
    expect((answer.body.errors as { path: string }[]).map(({ path }) => path).sort()).toEqual(
      paths.map((path) => `sq_query.${path}`).sort(),
    );
  });

  it('takes six groups and fifty leaves', async () => {
    await preview({ where: nested(6, leaf('kind', 'eq', 'image')) }).expect(200);
    await preview({ where: { any: Array.from({ length: 50 }, (_, at) => leaf('file_size', 'eq', at)) } }).expect(200);
  });

  it('refuses fields of the other scope', async () => {
    const answer = await preview({ where: leaf('width', 'gt', 5) }, { sq_scope: 'docs' }).expect(400);
    expect(answer.body.errors[0]).toMatchObject({ path: 'sq_query.where.field', code: 'scope' });
    const document = await world.file({ file_name: 'plan.pdf', system: { pages: 3 } }, 'docs');
    expect(await found({ where: leaf('pages', 'eq', 3) }, { sq_scope: 'docs' })).toContain(document);
  });

  it('brings queries in one form', async () => {
    const image = leaf('kind', 'eq', 'image');
    const answer = await preview({
      where: {
        all: [
          { any: [leaf('format', 'in', ['jpg'])] },
          leaf('format', 'eq', 'jpg'),
          { all: [image, { value: 'image', op: 'in', field: 'kind' }] },
        ].slice(0, 2),
      },
    }).expect(200);
    expect(answer.body.canonical).toEqual({ where: { field: 'format', op: 'eq', value: 'jpg' } });
    expect((await preview({ where: leaf('format', 'not_in', ['jpg', 'png', 'jpg']) }).expect(200)).body.canonical.where.value).toEqual([
      'jpg',
      'png',
    ]);
    expect((await preview({}).expect(200)).body.canonical).toEqual({});
  });

  it('finds words of name, summary, tags, analysis and extracted text together', async () => {
    const [word, other] = [fresh(), fresh()];
    const [both] = await world.files([{ file_name: `${word}_at-the-pier.jpg`, file_summary: 'Boats' }, { file_name: `${word}.jpg` }]);
    await api.sql('UPDATE file_search_text SET fst_tags = $2 WHERE file_id = $1', [both, `Harbour ${other}`]);
    expect(await found({ text: `${word} ${other} boats` })).toEqual([both]);
    expect(await found({ text: `"the pier" ${word}` })).toEqual([both]);
    expect(await found({ text: `${word} -boats` })).toHaveLength(1);
    expect(await found({ text: '&|!:*"' })).toEqual([]);
    await ours.owner.client.put(`/files/${both}`, { file_summary: 'Sails' }).expect(200);
    expect(await found({ text: `${word} boats` })).toEqual([]);
    expect(await found({ text: `${word} sails` })).toEqual([both]);
  });

  it('orders by what the query says', async () => {
    const token = fresh();
    const [b, a] = await world.files([
      { file_summary: token, file_name: 'b.jpg', system: { taken: '2020-01-01T00:00:00.000Z' } },
      { file_summary: token, file_name: 'a.jpg', system: { taken: '2019-01-01T00:00:00.000Z' } },
    ]);
    const where = leaf('file_summary', 'contains', token);
    expect(await found({ where, sort: 'file_name' })).toEqual([a, b]);
    expect(await found({ where, sort: '-file_name' })).toEqual([b, a]);
    expect(await found({ where, sort: 'taken' })).toEqual([a, b]);
  });

  it('counts up to 10000, and says what each leaf matches by itself', async () => {
    const token = fresh();
    const one = await world.file({ file_summary: token, file_name: `${token}.gif` });
    await api.sql(
      `INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_metadata, file_summary, file_provider_id, file_bucket, file_folder, file_current_version, file_blob)
       SELECT f.tenant_id, gen_random_uuid(), f.file_repo, f.repo_type, $2 || n || '.jpg', f.file_type, f.file_size, '{}', $2, f.file_provider_id, 'disk', '', f.file_current_version, f.file_blob FROM file f, generate_series(1, 10000) n WHERE f.file_id = $1`,
      [one, token],
    );
    const text = { where: { all: [leaf('file_summary', 'contains', token), leaf('format', 'eq', 'gif')] }, text: `${token}1` };
    const answer = await preview(text, { explain: true, limit: 1 }).expect(200);
    expect(answer.body).toMatchObject({ count: 0, count_exact: true });
    expect(answer.body.leaves).toEqual([
      { path: 'where.all[0]', field: 'file_summary', op: 'contains', value: token, count: 10_000, count_exact: false },
      { path: 'where.all[1]', field: 'format', op: 'eq', value: 'gif', count: 1, count_exact: true },
      { path: 'text', field: 'text', op: 'matches', value: `${token}1`, count: 1, count_exact: true },
    ]);
    expect((await preview({ where: leaf('file_name', 'contains', token) }, { limit: 1 }).expect(200)).body).toMatchObject({
      count: 10_000,
      count_exact: false,
    });
    expect((await preview({ where: { not: leaf('file_name', 'contains', token) } }, { limit: 1 }).expect(200)).body.count_exact).toBe(true);
    await api.sql('DELETE FROM file WHERE tenant_id = $1 AND file_summary = $2', [ours.tenant_id, token]);
  }, 120_000);

  it('runs with the rights of the reader and shows no other workspace, trash or quarantine', async () => {
    const token = fresh();
    const [seen, quarantined, trashed] = await world.files([
      { file_summary: token },
      { file_summary: token, processing: 'quarantined' },
      { file_summary: token },
    ]);
    await ours.owner.client.delete(`/files/${trashed}`).expect(204);
    const query = { where: leaf('file_summary', 'contains', token) };
    expect(new Set(await found(query))).toEqual(new Set([seen, quarantined]));
    const viewer = await ours.member('viewer');
    const answer = await viewer.client.post('/saved-searches/preview', { sq_scope: 'media', sq_query: query }).expect(200);
    expect((answer.body.data as { file_id: string }[]).map((row) => row.file_id)).toEqual([seen]);
    expect(answer.body.count).toBe(1);
    expect((await preview(query, {}, theirs).expect(200)).body).toMatchObject({ count: 0, data: [] });
    expect((await preview({ where: leaf('metadata.x', 'exists', false) }, {}, theirs).expect(200)).body.count).toBe(0);
  });

  it('knows no field twice and names nothing of itself in an answer', () => {
    const fields = api.app.get(SearchFields, { strict: false });
    const [first] = fields.listFields();
    expect(() => first && fields.register(first)).toThrow('Two search fields');
  });
});
