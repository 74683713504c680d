import { faultsOfQuery } from '@atrium/platform/testing';
import { ListMediaFiles } from './media-files.dto';

const json = (query: object): string => encodeURIComponent(JSON.stringify(query));
const NAMES = Array.from({ length: 200 }, (_, i) => `a-long-name-of-a-file-${i}.jpg`);

describe('a query of the media library', () => {
  it.each<[string, string, string, string]>([
    ['half a JSON text', `query=${encodeURIComponent('{')}`, 'query', 'too_short'],
    ['a JSON text beyond its bounds', `query=${json({ where: { field: 'file_name', op: 'in', value: NAMES } })}`, 'query', 'too_long'],
    ['an album that is not an id', 'album=nonsense', 'album', 'uuid'],
    ['one of albums that is not an id', 'album_any=nonsense', 'album_any', 'uuid'],
    ['an unknown kind', 'kind=picture', 'kind', 'choice'],
    ['the name of a color', 'color=red', 'color', 'pattern'],
    ['a threshold of 2', 'similarityThreshold=2', 'similarityThreshold', 'too_large'],
    ['facets, which have a route of their own', 'facets=shape', 'facets', 'unknown_field'],
  ])('is refused with %s', async (_, query, path, code) => {
    expect(await faultsOfQuery(ListMediaFiles, query)).toMatchObject([{ path, code }]);
  });
});
