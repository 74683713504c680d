import { newId } from '@atrium/platform/kernel';
import type { ArrangedPair, SearchPair, SearchWorld } from './search-world';

async function somebody({ api, tenant_id }: SearchWorld, consent = '{"status": "unknown"}'): Promise<string> {
  const id = newId();
  await api.sql('INSERT INTO person (tenant_id, person_id, person_consent) VALUES ($1, $2, $3)', [tenant_id, id, consent]);
  return id;
}

/** Faces on a file: of people, of nobody (null), or to be ignored. */
async function onFile({ api, tenant_id }: SearchWorld, file: string, faces: readonly (string | null)[]): Promise<void> {
  for (const person of faces) {
    const [id, state] = person === 'ignored' ? [null, 'ignored'] : [person, person === null ? 'unassigned' : 'assigned'];
    await api.sql(
      `INSERT INTO face (tenant_id, face_id, face_file, face_person, face_state, face_source, face_box) VALUES ($1, $2, $3, $4, $5, 'manual', '{"x": 0, "y": 0, "width": 1, "height": 1}')`,
      [tenant_id, newId(), file, id, state],
    );
  }
}

const person = (
  op: string,
  arrange: (world: SearchWorld, hit: string, miss: string, people: readonly [string, string]) => Promise<ArrangedPair['value']>,
): SearchPair => ({
  field: 'person',
  op,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    return { value: (await arrange(world, hit, miss, [await somebody(world), await somebody(world)])) ?? null, hit, miss };
  },
});

const count = (op: string, value: number | readonly number[], found: number, passed: number): SearchPair => ({
  field: 'face_count',
  op,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    await onFile(world, hit, [...Array.from({ length: found }, () => null), 'ignored']);
    await onFile(
      world,
      miss,
      Array.from({ length: passed }, () => null),
    );
    return { value: typeof value === 'number' ? value : [...value], hit, miss };
  },
});

export const PAIRS: readonly SearchPair[] = [
  person('has_any', async (world, hit, miss, [one, other]) => {
    await onFile(world, hit, [other]);
    await onFile(world, miss, [null]);
    return [one, other];
  }),
  person('has_all', async (world, hit, miss, [one, other]) => {
    await onFile(world, hit, [one, other]);
    await onFile(world, miss, [one]);
    return [one, other];
  }),
  person('has_none', async (world, hit, miss, [one, other]) => {
    await onFile(world, hit, [other]);
    await onFile(world, miss, [one]);
    return [one];
  }),
  person('exists', async (world, hit, miss, [one]) => {
    await onFile(world, hit, [one]);
    await onFile(world, miss, [null]);
    return true;
  }),
  count('eq', 2, 2, 3),
  count('ne', 2, 3, 2),
  count('lt', 2, 1, 2),
  count('lte', 2, 2, 3),
  count('gt', 2, 3, 2),
  count('gte', 2, 2, 1),
  count('between', [2, 3], 3, 4),
  {
    field: 'has_consent_issue',
    op: 'eq',
    arrange: async (world) => {
      const [hit = '', miss = ''] = await world.files([{}, {}]);
      await onFile(world, hit, [await somebody(world, '{"status": "refused"}')]);
      await onFile(world, miss, [await somebody(world, '{"status": "granted"}')]);
      return { value: true, hit, miss };
    },
  },
];
