import { Embedder, VectorIndex } from '@atrium/retrieval';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';

/**
 * The contract of the vector index, on the engine that this PostgreSQL has. The embedded one has no extension `vector`:
 * the same titles run on it where TEST_PG_ADMIN_URL leads to a server that has.
 */
const DIMS = 128;
const KIND = 'test-thing';
const MODEL = 'test/model';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let index: VectorIndex;
let db: Database;

beforeAll(async () => {
  api = await startAtrium();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  index = api.app.get(VectorIndex, { strict: false });
  db = api.app.get(Database, { strict: false });
  const engine = await inWorkspace(ours.tenant_id, () => index.getEngine());
  if (engine !== 'pgvector')
    process.stderr.write('The extension vector is not on this PostgreSQL: its engine is skipped, the contract runs on the sql engine.\n');
});
afterAll(() => api.close());

const inOurs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(ours.tenant_id, work);
const inTheirs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(theirs.tenant_id, work);

/** A unit vector in the plane of the first two axes. */
const turned = (degrees: number, dims = DIMS): number[] => {
  const vector = new Array<number>(dims).fill(0);
  [vector[0], vector[1]] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return vector;
};

/** Unit vectors in no direction in particular, the same in every run. */
function scattered(count: number, seed: number): number[][] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Array.from({ length: DIMS }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe('the vector index', () => {
  it('answers the nearest first with their cosine, from a threshold on and so many', async () => {
    const kind = `${KIND}-order`;
    const ids = [newId(), newId(), newId()];
    await inOurs(() =>
      index.putVectors(
        kind,
        MODEL,
        ids.map((id, at) => ({ id, vector: turned([0, 30, 80][at] ?? 0) })),
      ),
    );
    const near = await inOurs(() => index.findNearest(kind, { vector: turned(10) }, { model: MODEL, limit: 10, threshold: 0.5 }));
    expect(near.map(({ id }) => id)).toEqual([ids[0], ids[1]]);
    expect(near[0]?.similarity).toBeCloseTo(Math.cos(Math.PI / 18), 4);
    expect(await inOurs(() => index.findNearest(kind, { vector: turned(10) }, { model: MODEL, limit: 1, threshold: 0 }))).toHaveLength(1);
  });

  it('finds what is near to a thing, but not the thing; a thing without a vector is near nothing', async () => {
    const kind = `${KIND}-thing`;
    const [one, other] = [newId(), newId()];
    await inOurs(() =>
      index.putVectors(kind, MODEL, [
        { id: one, vector: turned(0) },
        { id: other, vector: turned(5) },
      ]),
    );
    expect(
      (await inOurs(() => index.findNearest(kind, { id: one }, { model: MODEL, limit: 10, threshold: 0 }))).map(({ id }) => id),
    ).toEqual([other]);
    expect(await inOurs(() => index.findNearest(kind, { id: newId() }, { model: MODEL, limit: 10, threshold: 0 }))).toEqual([]);
  });

  it('replaces the vector of a thing, reports what it was made of, and forgets it', async () => {
    const kind = `${KIND}-life`;
    const id = newId();
    await inOurs(() => index.putVectors(kind, MODEL, [{ id, vector: turned(0), hash: 'first' }]));
    await inOurs(() => index.putVectors(kind, MODEL, [{ id, vector: turned(90), hash: 'second' }]));
    expect(await inOurs(() => index.findHashes(kind, MODEL, [id]))).toEqual(new Map([[id, 'second']]));
    expect(await inOurs(() => index.findNearest(kind, { vector: turned(0) }, { model: MODEL, limit: 10, threshold: 0.5 }))).toEqual([]);
    await inOurs(() => index.removeVectors(kind, [id]));
    expect(await inOurs(() => index.findNearest(kind, { vector: turned(90) }, { model: MODEL, limit: 10, threshold: 0 }))).toEqual([]);
  });

  it('searches among the things in question alone', async () => {
    const kind = `${KIND}-among`;
    const [near, wanted] = [newId(), newId()];
    await inOurs(() =>
      index.putVectors(kind, MODEL, [
        { id: near, vector: turned(0) },
        { id: wanted, vector: turned(40) },
      ]),
    );
    const among = sql`SELECT ${wanted}::uuid`;
    expect(
      (await inOurs(() => index.findNearest(kind, { vector: turned(0) }, { model: MODEL, limit: 10, threshold: 0, among }))).map(
        ({ id }) => id,
      ),
    ).toEqual([wanted]);
  });

  it('never compares vectors of different models or lengths', async () => {
    const kind = `${KIND}-models`;
    const [short, long] = [newId(), newId()];
    await inOurs(() => index.putVectors(kind, 'test/short', [{ id: short, vector: turned(0, 64) }]));
    await inOurs(() => index.putVectors(kind, 'test/long', [{ id: long, vector: turned(0, 256) }]));
    expect(
      (await inOurs(() => index.findNearest(kind, { vector: turned(0, 64) }, { model: 'test/short', limit: 10, threshold: 0 }))).map(
        ({ id }) => id,
      ),
    ).toEqual([short]);
    expect(
      await inOurs(() => index.findNearest(kind, { vector: turned(0, 96) }, { model: 'test/other', limit: 10, threshold: 0 })),
    ).toEqual([]);
  });

  it('shows nothing of another workspace, and nothing to another workspace', async () => {
    const kind = `${KIND}-isolation`;
    const [mine, foreign] = [newId(), newId()];
    await inOurs(() => index.putVectors(kind, MODEL, [{ id: mine, vector: turned(0) }]));
    await inTheirs(() => index.putVectors(kind, MODEL, [{ id: foreign, vector: turned(0) }]));
    const find = () => index.findNearest(kind, { vector: turned(0) }, { model: MODEL, limit: 10, threshold: 0 });
    expect((await inOurs(find)).map(({ id }) => id)).toEqual([mine]);
    expect((await inTheirs(find)).map(({ id }) => id)).toEqual([foreign]);
    expect(await inTheirs(() => index.findNearest(kind, { id: mine }, { model: MODEL, limit: 10, threshold: 0 }))).toEqual([]);
    await inTheirs(() => index.removeVectors(kind, [mine]));
    expect((await inOurs(find)).map(({ id }) => id)).toEqual([mine]);
    expect(await api.sqlAsService('SELECT ve_id FROM vector_entry')).toEqual([]);
  });

  it('finds nine in ten of the nearest among four thousand when signatures choose, and all of them when each is compared', async () => {
    const kind = `${KIND}-recall`;
    const vectors = scattered(4_000, 7);
    const ids = vectors.map(() => newId());
    for (let at = 0; at < vectors.length; at += 2_000) {
      await inOurs(() =>
        index.putVectors(
          kind,
          MODEL,
          vectors.slice(at, at + 2_000).map((vector, offset) => ({ id: ids[at + offset] ?? '', vector })),
        ),
      );
    }
    let found = 0;
    const queries = scattered(10, 99);
    for (const query of queries) {
      const truth = vectors
        .map((vector, at) => ({ id: ids[at] ?? '', cosine: dot(vector, query) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, 10)
        .map(({ id }) => id);
      const near = await inOurs(() => index.findNearest(kind, { vector: query }, { model: MODEL, limit: 10, threshold: 0 }));
      found += near.filter(({ id }) => truth.includes(id)).length;
      const exact = await inOurs(() => index.findNearest(kind, { vector: query }, { model: MODEL, limit: 10, threshold: 0, exact: true }));
      expect(exact.map(({ id }) => id)).toEqual(truth);
    }
    expect(found / (10 * queries.length)).toBeGreaterThanOrEqual(0.95);
  });

  it('reads signatures along the key, without looking at every row of the table', async () => {
    const kind = `${KIND}-recall`;
    await api.sql('VACUUM ANALYZE vector_entry');
    const plan = await inOurs(() =>
      db.read((tx) =>
        tx.query<{ 'QUERY PLAN': string }>(
          sql`EXPLAIN SELECT ve_id FROM vector_entry v WHERE v.tenant_id = ${ours.tenant_id}::uuid AND v.ve_kind = ${kind} AND v.ve_model = ${MODEL} ORDER BY bit_count(v.ve_sig # ${'0'.repeat(512)}::bit(512)) LIMIT 2000`,
        ),
      ),
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    if ((await inOurs(() => index.getEngine())) === 'sql') expect(text).toMatch(/Index Only Scan using vector_entry_pkey/);
    expect(text).not.toMatch(/Seq Scan/);
  });
});

describe('the local embedder', () => {
  const embed = async (...texts: string[]) =>
    (await inOurs(() => api.app.get(Embedder, { strict: false }).embedTexts(texts, 'passage'))).vectors;

  it('makes the same unit vector of the same text, in 384 dimensions', async () => {
    const [one, again] = [await embed('A dog on a beach'), await embed('A dog on a beach')];
    expect(one).toEqual(again);
    expect(one[0]).toHaveLength(384);
    expect(Math.hypot(...(one[0] ?? []))).toBeCloseTo(1, 6);
  });

  it('puts what is about the same near, inflected, misspelt or in another order, and the rest far', async () => {
    const [query, same, other] = await embed(
      'dog on a beach',
      'Two dogs running along the beaches of Normandy',
      'Quarterly report of the finance department',
    );
    expect(dot(query ?? [], same ?? [])).toBeGreaterThan(0.2);
    expect(dot(query ?? [], other ?? [])).toBeLessThan(0.12);
    const [german, inflected] = await embed('Verträge kündigen', 'Die Kündigung des Vertrags');
    expect(dot(german ?? [], inflected ?? [])).toBeGreaterThan(0.12);
  });
});
