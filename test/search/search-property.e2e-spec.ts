import { SearchLanguage } from '@atrium/files';
import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import fc from 'fast-check';
import { sharedAtrium } from '../support/shared-atrium';
import { matches, type PlainFile, type PlainLeaf, type PlainNode } from './plain-search';
import { SearchWorld } from './search-world';

const SEED = 20_261_121;
const FILES = 160;
const QUERIES = 350;
const NOW = Date.now();

const NAMES = ['Harbour.JPG', 'harbour at dusk.png', 'pier_50%.tif', 'Ünter.psd', 'plan', 'a.b.c'] as const;
const WORDS = ['harbour', 'R', '50%', '_', 'ÜN', '.png', 'pier_', 'absent'] as const;
const CODES: readonly JsonValue[] = ['ACME', 'acme', 7, 7.5, true, false, 'z'];
const POINTS = [
  { lat: 48.86, lng: 2.35 },
  { lat: -18.1, lng: 178.4 },
  { lat: -17, lng: -179.5 },
  { lat: 89.9, lng: 10 },
  { lat: 0, lng: 0 },
] as const;
const COLORS = ['#ff0000', '#f01010', '#00ff00', '#123456', '#ffffff', '#1e90ff'] as const;
const INSTANTS = [
  '2020-01-01T00:00:00.000Z',
  '2023-06-15T12:30:00.500Z',
  new Date(NOW - 10 * 86_400_000).toISOString(),
  new Date(NOW - 50 * 86_400_000).toISOString(),
  new Date(NOW + 5 * 86_400_000).toISOString(),
] as const;
const NUMBERS = [0, 1, 2, 10, 100.5, 1_000] as const;

const one = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const facts = (people: readonly string[]) =>
  fc.record({
    file_name: one(NAMES),
    file_summary: fc.option(one(['The Harbour', 'pier_ 50%', 'ünter'] as const)),
    file_type: one(['image/jpeg', 'image/png', 'video/mp4', 'application/pdf']),
    file_kind: one(['image', 'video', 'document']),
    file_size: one([0, 1, 10, 1_000]),
    file_status: one(['active', 'draft', 'approved']),
    file_hash: fc.option(one(['h1', 'h2', 'h3', 'h4', 'h5'].flatMap((h) => Array.from({ length: 30 }, (_, i) => `${h}${i}`)))),
    file_added_by: fc.option(one(people)),
    file_created: one(INSTANTS),
    favorite: fc.boolean(),
    metadata: fc.record({
      code: maybe(fc.option(one(CODES))),
      deep: maybe(fc.record({ code: one(CODES) })),
      rights: maybe(fc.record({ expires: one([...INSTANTS, 'never']) })),
    }),
    system: fc.record({
      width: maybe(one(NUMBERS)),
      height: maybe(one(NUMBERS)),
      duration: maybe(one(NUMBERS)),
      pages: maybe(one([1, 2, 10])),
      orientation: maybe(one(['portrait', 'square'])),
      camera: maybe(one(['Lumen Field 3', 'Orbit'])),
      taken: maybe(one(INSTANTS)),
      gps: maybe(one(POINTS)),
      colors: maybe(
        fc.array(
          one(COLORS).map((hex) => ({ hex, share: 0.3 })),
          { maxLength: 3 },
        ),
      ),
      source: maybe(one(['stock', 'import']).map((kind) => ({ kind }))),
    }),
  });

const leafOf = (field: string, operators: Readonly<Record<string, fc.Arbitrary<JsonValue> | null>>): fc.Arbitrary<PlainLeaf> =>
  fc.oneof(
    ...Object.entries(operators).map(([op, value]) =>
      value ? value.map((each): PlainLeaf => ({ field, op, value: each })) : fc.constant<PlainLeaf>({ field, op }),
    ),
  );
const list = (value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> => fc.array(value, { minLength: 1, maxLength: 4 });
const words = (values: readonly string[], ...ops: string[]) =>
  Object.fromEntries(ops.map((op) => [op, op.endsWith('in') ? list(one(values)) : one(values)]));
const numeric = (values: readonly number[]) => ({
  ...Object.fromEntries(['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].map((op) => [op, one(values)])),
  between: fc.tuple(one(values), one(values)),
});
const moment = fc.oneof<fc.Arbitrary<JsonValue>[]>(
  one(INSTANTS),
  one(['P7D', 'P20D', 'P60D']).map((ago) => ({ ago })),
);
const TEMPORAL = { before: moment, after: moment, between: fc.tuple(moment, moment), within: one(['P7D', 'P20D', 'P60D', 'P9000D']) };
const exists = fc.boolean();
const scalar = one(CODES);
const order = one<JsonValue>([7, 7.2, 'ACME', 'b', 0]);
const METADATA = {
  eq: scalar,
  ne: scalar,
  contains: one(['c', 'ACME', 'x']),
  in: list(scalar),
  exists,
  lt: order,
  lte: order,
  gt: order,
  gte: order,
};

const leaves = (people: readonly string[]): fc.Arbitrary<PlainLeaf> => {
  const person = fc.oneof<fc.Arbitrary<JsonValue>[]>(one(people), fc.constant({ me: true }));
  return fc.oneof(
    leafOf('file_name', {
      ...words([...NAMES, 'HARBOUR.jpg'], 'eq', 'ne', 'in'),
      ...words(WORDS, 'contains', 'not_contains', 'starts_with', 'ends_with'),
    }),
    leafOf('file_summary', { ...words(WORDS, 'contains', 'not_contains'), exists }),
    leafOf('file_type', words(['image/JPEG', 'image/', 'video/mp4', 'application'], 'eq', 'ne', 'in', 'starts_with')),
    leafOf('format', words(['jpg', 'png', 'c', 'xyz'], 'eq', 'ne', 'in', 'not_in')),
    leafOf('kind', words(['image', 'video', 'font'], 'eq', 'ne', 'in', 'not_in')),
    leafOf('file_status', words(['active', 'draft', 'gone'], 'eq', 'ne', 'in', 'not_in')),
    leafOf('orientation', words(['portrait', 'square', 'panorama'], 'eq', 'ne', 'in')),
    leafOf('source', words(['upload', 'stock', 'generated'], 'eq', 'ne', 'in')),
    leafOf('camera', { ...words(['lumen field 3', 'ORBIT', 'x'], 'eq', 'contains'), exists }),
    leafOf('file_size', numeric([0, 1, 5, 10, 2_000])),
    ...['width', 'height', 'duration', 'megapixels'].map((field) => leafOf(field, numeric([...NUMBERS, 0.0001, 0.01]))),
    leafOf('pages', numeric([1, 2, 3])),
    leafOf('file_created', TEMPORAL),
    leafOf('taken', TEMPORAL),
    leafOf('rights_expires', { ...TEMPORAL, exists }),
    leafOf('file_added_by', { eq: person, ne: person, in: list(person), not_in: list(person) }),
    leafOf('favorite', { eq: exists }),
    leafOf('duplicate', { eq: exists }),
    leafOf('color', { near: fc.record({ hex: one(COLORS), tolerance: one([0, 5, 12, 40, 100]) }) }),
    leafOf('location', {
      within_radius: fc.tuple(one(POINTS), one([0.5, 300, 5_000])).map(([point, km]) => ({ ...point, km })),
      within_box: one<JsonValue>([
        { north: 50, south: -20, east: 3, west: -180 },
        { north: 0, south: -30, east: -179, west: 178 },
        { north: 90, south: 80, east: 180, west: -180 },
      ]),
      exists,
    }),
    leafOf('metadata.code', METADATA),
    leafOf('metadata.deep.code', METADATA),
  );
};

const nodes = (leaf: fc.Arbitrary<PlainLeaf>): fc.Arbitrary<PlainNode> =>
  fc.letrec<{ node: PlainNode }>((tie) => {
    const children = fc.array(tie('node'), { maxLength: 3 });
    return {
      node: fc.oneof(
        { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
        { arbitrary: leaf, weight: 3 },
        { arbitrary: children.map((all) => ({ all })), weight: 2 },
        { arbitrary: children.map((any) => ({ any })), weight: 2 },
        { arbitrary: tie('node').map((not) => ({ not })), weight: 2 },
      ),
    };
  }).node;

let api: RunningApi;
let ours: TestWorkspace;
let reader: Principal;
let people: string[];
let files: PlainFile[];

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  people = [ours.owner.user_id, (await ours.member('editor')).user_id];
  const world = await SearchWorld.in(api, ours);
  const drawn = fc
    .sample(facts(people), { seed: SEED, numRuns: FILES })
    .map((file) => JSON.parse(JSON.stringify(file)) as Omit<PlainFile, 'file_id'>);
  const ids = await world.files(drawn);
  files = drawn.map((file, at) => ({ ...file, file_id: ids[at] ?? '' }));
  await api.sql('INSERT INTO file_pref (tenant_id, file_id, user_id, favorite) SELECT $1, unnest($2::uuid[]), $3, true', [
    ours.tenant_id,
    files.filter(({ favorite }) => favorite).map(({ file_id }) => file_id),
    ours.owner.user_id,
  ]);
  reader = await inWorkspace(ours.tenant_id, () =>
    api.app.get(ActingCallers, { strict: false }).resolvePrincipal({ user_id: ours.owner.user_id, key_id: null }),
  );
});
afterAll(() => api.close());

/** The names of the files that the compiled query finds, in the order in which they were made. */
const compiled = (where: PlainNode): Promise<Set<string>> => {
  const [db, language] = [api.app.get(Database), api.app.get(SearchLanguage, { strict: false })];
  return inWorkspace(ours.tenant_id, () =>
    db.read(async (tx) => {
      const query = await language.readQuery({ where }, 'media');
      const search = await language.compileQuery({ scope: 'media', query, reader });
      const rows = await tx.query<{ file_id: string }>(
        sql`SELECT r.file_id FROM file r WHERE ${language.scopeCondition('media', reader)} AND (${search.where})`,
      );
      return new Set(rows.map(({ file_id }) => file_id));
    }),
  );
};

describe('the compiled search language', () => {
  it(`answers ${QUERIES} drawn queries like a plain evaluator over ${FILES} drawn files`, async () => {
    let some = 0;
    await fc.assert(
      fc.asyncProperty(nodes(leaves(people)), async (where) => {
        const wanted = new Set(
          files.filter((file) => matches(where, file, { me: ours.owner.user_id, now: NOW, files })).map(({ file_id }) => file_id),
        );
        if (wanted.size > 0 && wanted.size < FILES) some += 1;
        expect(await compiled(where)).toEqual(wanted);
      }),
      { seed: SEED, numRuns: QUERIES },
    );
    expect(some).toBeGreaterThan(QUERIES / 3);
  });

  it('answers every leaf alone and negated like the plain evaluator', async () => {
    await fc.assert(
      fc.asyncProperty(leaves(people), fc.boolean(), async (leaf, negated) => {
        const where: PlainNode = negated ? { not: leaf } : leaf;
        expect(await compiled(where)).toEqual(
          new Set(files.filter((file) => matches(where, file, { me: ours.owner.user_id, now: NOW, files })).map(({ file_id }) => file_id)),
        );
      }),
      { seed: SEED + 1, numRuns: QUERIES },
    );
  });
});
