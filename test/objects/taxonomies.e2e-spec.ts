import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { addTerm, lampTree, makeTaxonomy, readTerm, termNames, type TermAnswer } from './classifying';

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let tax: string;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  tax = await makeTaxonomy(client, { tax_name: 'Product lines' });
});
afterAll(() => api.close());

interface TaxonomyAnswer {
  readonly tax_id: string;
  readonly tax_name: string;
  readonly tax_slug: string;
  readonly tax_term_count: number;
}

const terms = (id = ''): string => `/object-taxonomies/${tax}/terms${id && `/${id}`}`;
const names = async (query = ''): Promise<string[]> =>
  ((await client.get(`/object-taxonomies${query}`).expect(200)).body as { data: TaxonomyAnswer[] }).data.map(({ tax_name }) => tax_name);
const readTax = async (): Promise<TaxonomyAnswer> => (await client.get(`/object-taxonomies/${tax}`).expect(200)).body as TaxonomyAnswer;
const pathsOf = (body: unknown): string[] => (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

describe('a taxonomy', () => {
  it('is created, read, changed, deactivated and activated again', async () => {
    const made = await client
      .post('/object-taxonomies', { tax_name: 'Größen & Maße', tax_description: 'How large', tax_metadata: { a: 1 } })
      .expect(201);
    const { tax_id } = made.body as TaxonomyAnswer;
    expect(made.headers.location).toBe(`/api/v1/object-taxonomies/${tax_id}`);
    expect(made.body).toMatchObject({
      tax_slug: 'gro-en-ma-e',
      tax_hierarchical: true,
      tax_managed_by: null,
      tax_active: true,
      tax_term_count: 0,
    });
    const etag = String((await client.get(`/object-taxonomies/${tax_id}`).expect(200)).headers.etag);
    const guarded = client.with({ 'If-Match': etag });
    expect((await guarded.patch(`/object-taxonomies/${tax_id}`, { tax_name: 'Sizes' }).expect(200)).body).toMatchObject({
      tax_name: 'Sizes',
      tax_slug: 'gro-en-ma-e',
      tax_description: 'How large',
    });
    await guarded.patch(`/object-taxonomies/${tax_id}`, { tax_name: 'X' }).expect(412);
    await guarded.delete(`/object-taxonomies/${tax_id}`).expect(412);
    await client.delete(`/object-taxonomies/${tax_id}`).expect(204);
    await client.delete(`/object-taxonomies/${tax_id}`).expect(204);
    expect(await names()).toEqual(['Product lines']);
    expect(await names('?tax_active=false')).toEqual(['Sizes']);
    expect((await client.post(`/object-taxonomies/${tax_id}/terms`, { term_name: 'S' }).expect(409)).body.code).toBe('invalid_state');
    await client.patch(`/object-taxonomies/${tax_id}`, { tax_active: true }).expect(200);
    expect(await names('?sort=tax_name')).toEqual(['Product lines', 'Sizes']);
  });

  it('has a name and a slug of its own among the active ones, and one of two that are made at once', async () => {
    expect((await client.post('/object-taxonomies', { tax_name: 'PRODUCT LINES' }).expect(409)).body.code).toBe('already_exists');
    await client.post('/object-taxonomies', { tax_name: 'Lines', tax_slug: 'product-lines' }).expect(409);
    const second = await client.post('/object-taxonomies', { tax_name: 'Product-Lines' }).expect(201);
    expect((second.body as TaxonomyAnswer).tax_slug).toBe('product-lines-2');
    await client.delete(`/object-taxonomies/${tax}`).expect(204);
    const answers = await Promise.all([1, 2].map(() => client.post('/object-taxonomies', { tax_name: 'Product lines' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await client.patch(`/object-taxonomies/${tax}`, { tax_active: true }).expect(409)).body.code).toBe('already_exists');
  });

  it('is listed by its filters and orders, page by page', async () => {
    for (const tax_name of ['beta', 'Alpha', 'Gamma']) await makeTaxonomy(client, { tax_name });
    expect(await names()).toEqual(['Gamma', 'Alpha', 'beta', 'Product lines']);
    expect(await names('?sort=tax_name')).toEqual(['Alpha', 'beta', 'Gamma', 'Product lines']);
    expect(await names('?tax_name=ALPH')).toEqual(['Alpha']);
    expect(await names(`?tax_managed_by=${newId()}`)).toEqual([]);
    expect(await names('?tax_created=2100-01-01')).toEqual([]);
    const first = (await client.get('/object-taxonomies?sort=tax_name&limit=3').expect(200)).body as {
      next_cursor: string;
      has_more: boolean;
    };
    expect(first.has_more).toBe(true);
    expect(await names(`?sort=tax_name&limit=3&cursor=${first.next_cursor}`)).toEqual(['Product lines']);
  });

  it('refuses what is not valid, naming it', () =>
    inTurn(
      [
        [{}, 'tax_name'],
        [{ tax_name: ' ' }, 'tax_name'],
        [{ tax_name: 'x'.repeat(256) }, 'tax_name'],
        [{ tax_name: 'x', tax_slug: 'With Space' }, 'tax_slug'],
        [{ tax_name: 'x', tax_slug: 'x'.repeat(81) }, 'tax_slug'],
        [{ tax_name: 'x', tax_managed_by: newId() }, 'tax_managed_by'],
        [{ tax_name: 'x', tax_metadata: [] }, 'tax_metadata'],
        [{ tax_name: 'x', tax_hierarchical: 'no' }, 'tax_hierarchical'],
      ],
      async (facts, path) => expect(pathsOf((await client.post('/object-taxonomies', facts).expect(400)).body)).toEqual([path]),
    ));

  it('that an extension manages is read only', async () => {
    await addTerm(client, tax, 'Lamps');
    await api.sql('UPDATE taxonomy SET tax_managed_by = $2 WHERE tenant_id = $1', [ours.tenant_id, newId()]);
    for (const answer of [
      await client.patch(`/object-taxonomies/${tax}`, { tax_name: 'x' }),
      await client.delete(`/object-taxonomies/${tax}`),
      await client.post(terms(), { term_name: 'x' }),
    ])
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([409, 'invalid_state']);
    expect(await termNames(client, tax)).toEqual(['Lamps']);
  });

  it('becomes flat only while no term is below another one, and then takes none below', async () => {
    const { term_id } = await addTerm(client, tax, 'Lamps');
    await addTerm(client, tax, 'Desk lamps', { term_parent: term_id });
    expect((await client.patch(`/object-taxonomies/${tax}`, { tax_hierarchical: false }).expect(409)).body.code).toBe('in_use');
    const flat = await makeTaxonomy(client, { tax_hierarchical: false });
    const top = await addTerm(client, flat, 'Red');
    const answer = await client.post(`/object-taxonomies/${flat}/terms`, { term_name: 'Dark red', term_parent: top.term_id }).expect(409);
    expect(answer.body.code).toBe('invalid_move');
  });

  it('counts its terms without a new version of its own', async () => {
    const before = (await client.get(`/object-taxonomies/${tax}`).expect(200)).headers.etag;
    const { desk } = await lampTree(client, tax);
    expect((await readTax()).tax_term_count).toBe(4);
    await client.delete(`${terms(desk)}?children=delete`).expect(204);
    const after = await client.get(`/object-taxonomies/${tax}`).expect(200);
    expect([(after.body as TaxonomyAnswer).tax_term_count, after.headers.etag]).toEqual([2, before]);
  });
});

describe('a term', () => {
  it('is created under another one, and shows its place', async () => {
    const { lamps, desk } = await lampTree(client, tax);
    const made = await client
      .post(terms(), {
        term_name: 'Reading lamps',
        term_parent: desk,
        term_description: 'For books',
        term_aliases: ['Book lights', 'book lights'],
        term_color: '#2b6cb0',
        term_metadata: { code: 7 },
      })
      .expect(201);
    const term = made.body as TermAnswer;
    expect(made.headers.location).toBe(`/api/v1${terms(term.term_id)}`);
    expect(term).toMatchObject({
      term_taxonomy: tax,
      term_parent: desk,
      term_slug: 'reading-lamps',
      term_aliases: ['book lights'],
      term_order: 1,
      term_active: true,
      term_depth: 3,
      term_child_count: 0,
      term_use_count: 0,
      term_use_count_exact: true,
      term_path: [
        { term_id: lamps, term_name: 'Lamps' },
        { term_id: desk, term_name: 'Desk lamps' },
      ],
    });
    expect(term).not.toHaveProperty('term_lineage');
    expect(await readTerm(client, tax, desk)).toMatchObject({ term_child_count: 2, term_depth: 2 });
  });

  it('has a name of its own beside the others under its parent, and a slug of its own in the taxonomy', async () => {
    const { lamps, desk } = await lampTree(client, tax);
    await client.post(terms(), { term_name: 'desk LAMPS', term_parent: lamps }).expect(409);
    const elsewhere = await addTerm(client, tax, 'Desk lamps', { term_parent: desk });
    expect(elsewhere.term_slug).toBe('desk-lamps-2');
    await client.post(terms(), { term_name: 'Other', term_slug: 'desk-lamps' }).expect(409);
    expect((await client.patch(terms(elsewhere.term_id), { term_parent: lamps }).expect(409)).body.code).toBe('already_exists');
    const answers = await Promise.all([1, 2].map(() => client.post(terms(), { term_name: 'Torches' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await readTax()).tax_term_count).toBe(6);
  });

  it('is listed by level, branch, name and alias, in its order', async () => {
    const { lamps, desk } = await lampTree(client, tax);
    await addTerm(client, tax, 'Chairs', { term_aliases: ['Seats'], term_order: -1 });
    expect(await termNames(client, tax, '?term_parent=root')).toEqual(['Chairs', 'Lamps']);
    expect(await termNames(client, tax, `?term_parent=${lamps}`)).toEqual(['Desk lamps', 'Ceiling lamps']);
    expect(await termNames(client, tax, `?under=${lamps}&sort=term_name`)).toEqual(['Ceiling lamps', 'Clamp lamps', 'Desk lamps']);
    expect(await termNames(client, tax, `?under=${desk}`)).toEqual(['Clamp lamps']);
    expect(await termNames(client, tax, '?term_name=SEAT')).toEqual(['Chairs']);
    expect(await termNames(client, tax, '?term_name=%25')).toEqual([]);
    expect(await termNames(client, tax, `?under=${newId()}`)).toEqual([]);
    expect(await termNames(client, tax, '?sort=-term_name')).toEqual(['Lamps', 'Desk lamps', 'Clamp lamps', 'Chairs', 'Ceiling lamps']);
    const page = (await client.get(`${terms()}?sort=term_name&limit=2`).expect(200)).body as { next_cursor: string };
    expect(await termNames(client, tax, `?sort=term_name&limit=2&cursor=${page.next_cursor}`)).toEqual(['Clamp lamps', 'Desk lamps']);
    await client.patch(terms(desk), { term_active: false }).expect(200);
    expect(await termNames(client, tax, `?term_parent=${lamps}`)).toEqual(['Ceiling lamps']);
    expect(await termNames(client, tax, '?term_active=false')).toEqual(['Desk lamps']);
  });

  it('moves with everything below it, and never below itself', async () => {
    const { lamps, desk, clamp, ceiling } = await lampTree(client, tax);
    for (const term_parent of [lamps, desk, clamp]) {
      const answer = await client.patch(terms(lamps), { term_parent }).expect(409);
      expect(answer.body.code).toBe('invalid_move');
    }
    await client.patch(terms(desk), { term_parent: ceiling }).expect(200);
    expect((await readTerm(client, tax, clamp)).term_path.map(({ term_name }) => term_name)).toEqual([
      'Lamps',
      'Ceiling lamps',
      'Desk lamps',
    ]);
    expect(await termNames(client, tax, `?under=${ceiling}&sort=term_name`)).toEqual(['Clamp lamps', 'Desk lamps']);
    await client.patch(terms(desk), { term_parent: null }).expect(200);
    expect(await readTerm(client, tax, clamp)).toMatchObject({ term_depth: 2, term_path: [{ term_id: desk, term_name: 'Desk lamps' }] });
    expect(await termNames(client, tax, `?under=${lamps}`)).toEqual(['Ceiling lamps']);
  });

  it('nests ten levels deep, whichever end moves', async () => {
    let parent: string | null = null;
    const chain: string[] = [];
    for (let level = 1; level <= 10; level += 1) {
      const made: TermAnswer = await addTerm(client, tax, `Level ${level}`, { term_parent: parent });
      parent = made.term_id;
      chain.push(parent);
    }
    expect((await client.post(terms(), { term_name: 'Level 11', term_parent: parent }).expect(409)).body.code).toBe('invalid_move');
    const above = await addTerm(client, tax, 'Above');
    expect((await client.patch(terms(chain[0]), { term_parent: above.term_id }).expect(409)).body.code).toBe('invalid_move');
    await client.patch(terms(chain[1]), { term_parent: above.term_id }).expect(200);
    expect((await readTerm(client, tax, chain[9] ?? '')).term_depth).toBe(10);
  });

  it('of two moves that cross, one is refused, and the tree has no circle', async () => {
    const [one, other] = [await addTerm(client, tax, 'One'), await addTerm(client, tax, 'Other')];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        client.patch(terms(one.term_id), { term_parent: other.term_id }),
        client.patch(terms(other.term_id), { term_parent: one.term_id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.map(({ body }) => (body as { code?: string }).code).filter(Boolean)).toEqual(['invalid_move']);
      for (const { term_id } of [one, other]) await client.patch(terms(term_id), { term_parent: null }).expect(200);
    }
  });

  it('refuses what is not valid, naming it', () =>
    inTurn(
      [
        [{}, 'term_name'],
        [{ term_name: '' }, 'term_name'],
        [{ term_name: 'x', term_parent: newId() }, 'term_parent'],
        [{ term_name: 'x', term_parent: 'root' }, 'term_parent'],
        [{ term_name: 'x', term_slug: 'X' }, 'term_slug'],
        [{ term_name: 'x', term_color: 'red' }, 'term_color'],
        [{ term_name: 'x', term_order: 'first' }, 'term_order'],
        [{ term_name: 'x', term_order: 2e9 }, 'term_order'],
        [{ term_name: 'x', term_aliases: Array.from({ length: 51 }, (_, at) => `a${at}`) }, 'term_aliases'],
        [{ term_name: 'x', term_aliases: [''] }, 'term_aliases'],
        [{ term_name: 'x', term_lineage: 'x' }, 'term_lineage'],
      ],
      async (facts, path) => expect(pathsOf((await client.post(terms(), facts).expect(400)).body)).toEqual([path]),
    ));

  it('does not move under a term that is inactive or of another taxonomy', async () => {
    const { desk, ceiling } = await lampTree(client, tax);
    const other = await addTerm(client, await makeTaxonomy(client), 'Elsewhere');
    await client.patch(terms(desk), { term_active: false }).expect(200);
    for (const term_parent of [desk, other.term_id]) {
      const answer = await client.patch(terms(ceiling), { term_parent }).expect(400);
      expect(pathsOf(answer.body)).toEqual(['term_parent']);
    }
    await client.get(terms(other.term_id)).expect(404);
    await client.patch(terms(other.term_id), { term_name: 'x' }).expect(404);
    await client.delete(terms(other.term_id)).expect(404);
  });

  it('is deleted with those below it, or without them when they move up', async () => {
    const { lamps, desk, clamp } = await lampTree(client, tax);
    const refused = await client.delete(terms(lamps)).expect(409);
    expect([refused.body.code, refused.body.detail]).toEqual(['in_use', expect.stringContaining('3 terms are below Lamps')]);
    await client.delete(`${terms(lamps)}?children=keep`).expect(400);
    await client.delete(`${terms(desk)}?children=reparent`).expect(204);
    expect(await readTerm(client, tax, clamp)).toMatchObject({ term_parent: lamps, term_depth: 2 });
    await client.get(terms(desk)).expect(404);
    await addTerm(client, tax, 'Lamps', { term_parent: lamps });
    const clash = await addTerm(client, tax, 'Clamp lamps');
    expect((await client.delete(`${terms(lamps)}?children=reparent`).expect(409)).body.code).toBe('already_exists');
    await client.delete(terms(clash.term_id)).expect(204);
    await client.delete(`${terms(lamps)}?children=reparent`).expect(204);
    expect(await termNames(client, tax, '?term_parent=root&sort=term_name')).toEqual(['Ceiling lamps', 'Clamp lamps', 'Lamps']);
    expect((await readTax()).tax_term_count).toBe(3);
  });

  it('is not deleted by an old version, nor in favour of a term that goes too, or that is none of the taxonomy', async () => {
    const { lamps, desk, clamp } = await lampTree(client, tax);
    const etag = String((await client.get(terms(clamp)).expect(200)).headers.etag);
    await client.patch(terms(clamp), { term_name: 'Clamps' }).expect(200);
    await client.with({ 'If-Match': etag }).delete(terms(clamp)).expect(412);
    const other = await addTerm(client, await makeTaxonomy(client), 'Elsewhere');
    for (const [term, into, query] of [
      [desk, clamp, '&children=delete'],
      [clamp, clamp, ''],
      [clamp, newId(), ''],
      [clamp, other.term_id, ''],
    ] as const)
      expect(pathsOf((await client.delete(`${terms(term)}?reassign_to=${into}${query}`).expect(400)).body)).toEqual(['reassign_to']);
    await client.delete(`${terms(desk)}?children=reparent&reassign_to=${clamp}`).expect(204);
    expect(await termNames(client, tax, `?under=${lamps}&sort=term_name`)).toEqual(['Ceiling lamps', 'Clamps']);
  });
});

describe('taxonomies of a workspace', () => {
  const requests = (term: string): readonly (readonly [string, string, object?])[] => [
    ['get', '/object-taxonomies'],
    ['get', `/object-taxonomies/${tax}`],
    ['get', terms()],
    ['get', terms(term)],
    ['post', '/object-taxonomies', { tax_name: 'New' }],
    ['patch', `/object-taxonomies/${tax}`, { tax_name: 'New' }],
    ['delete', `/object-taxonomies/${tax}`],
    ['post', terms(), { term_name: 'New' }],
    ['patch', terms(term), { term_name: 'New' }],
    ['delete', terms(term)],
  ];
  const ask = (by: Client, [method, path, body]: readonly [string, string, object?]) =>
    method === 'get'
      ? by.get(path)
      : method === 'delete'
        ? by.delete(path)
        : method === 'post'
          ? by.post(path, body ?? {})
          : by.patch(path, body ?? {});

  it('are read by those who may view objects, and changed by those who may edit taxonomies', async () => {
    const { term_id } = await addTerm(client, tax, 'Lamps');
    const viewer = await ours.member('viewer', ['object:view']);
    const other = await ours.member('owner', ['media:*']);
    for (const request of requests(term_id)) {
      const may = await ask(viewer.client, request);
      expect([request, may.status]).toEqual([request, request[0] === 'get' ? 200 : 403]);
      expect([request, (await ask(other.client, request)).status]).toEqual([request, 403]);
    }
  });

  it('are not known in another one, and need the module', async () => {
    const { term_id } = await addTerm(client, tax, 'Lamps');
    const theirs = await api.workspace(['module-objects']);
    for (const request of requests(term_id).filter(([, path]) => path !== '/object-taxonomies'))
      expect([request, (await ask(theirs.owner.client, request)).status]).toEqual([request, 404]);
    expect((await theirs.owner.client.get('/object-taxonomies').expect(200)).body.data).toEqual([]);
    const without = await api.workspace();
    for (const request of requests(term_id)) {
      const { status, body } = await ask(without.owner.client, request);
      expect([request, status, (body as { code: string }).code]).toEqual([request, 403, 'license_required']);
    }
    expect((await readTax()).tax_name).toBe('Product lines');
  });
});
