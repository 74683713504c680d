import { newId, type JsonValue } from '@atrium/platform/kernel';
import type { SearchPair, SearchWorld } from './search-world';

/** A curated album, or a folder, that holds the files. */
export async function albumWith(
  { api, tenant_id }: SearchWorld,
  files: readonly string[],
  kind: 'media' | 'docs' = 'media',
): Promise<string> {
  const id = newId();
  await api.sql('INSERT INTO album (tenant_id, album_id, album_name, album_kind) VALUES ($1, $2, $3, $4)', [
    tenant_id,
    id,
    `Album ${id}`,
    kind,
  ]);
  for (const file of files)
    await api.sql('INSERT INTO album_file (tenant_id, af_album, af_file) VALUES ($1, $2, $3)', [tenant_id, id, file]);
  return id;
}

const album = (
  op: string,
  value: (albums: readonly [of_hit: string, of_miss: string, empty: string]) => JsonValue,
  scope: 'media' | 'docs' = 'media',
): SearchPair => ({
  field: 'album',
  op,
  scope,
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}], scope);
    return {
      value: value([await albumWith(world, [hit], scope), await albumWith(world, [miss], scope), await albumWith(world, [], scope)]),
      hit,
      miss,
    };
  },
});

const somewhere: SearchPair = {
  field: 'album',
  op: 'exists',
  arrange: async (world) => {
    const [hit = '', miss = ''] = await world.files([{}, {}]);
    await albumWith(world, [hit]);
    return { hit, miss };
  },
};

export const PAIRS: readonly SearchPair[] = [
  album('in_any', ([of_hit, , empty]) => [empty, of_hit]),
  album('in_none', ([, of_miss, empty]) => [empty, of_miss]),
  album('in_any', ([of_hit]) => [of_hit], 'docs'),
  album('in_none', ([, of_miss]) => [of_miss], 'docs'),
  somewhere,
];
