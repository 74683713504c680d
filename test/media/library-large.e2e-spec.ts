import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile, storeMany } from '../files/stored-files';
import { startAtrium } from '../support/api';
import { makeGroup, makeTag } from './tagging';

const FILES = 120;

let api: RunningApi;
let ours: TestWorkspace;
let files: string[];

interface PageBody {
  readonly data: readonly { readonly file_id: string }[];
  readonly next_cursor: string | null;
}
interface Bucket {
  readonly bucket: string;
  readonly count: number;
}

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  // Of one moment, so that the borders of pages are between files that differ only in their ids.
  files = [...(await storeMany(api, ours, FILES))].sort().reverse();
});
afterAll(() => api.close());

/** All pages of a list, one behind the other. */
async function paged(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await ours.owner.client.get(`/media-files?${query}&limit=7${cursor}`).expect(200)).body as PageBody;
    seen.push(...page.data.map(({ file_id }) => file_id));
    if (page.next_cursor === null) return seen;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

describe('files that bear several tags', () => {
  const every =
    (n: number): ((_: string, at: number) => boolean) =>
    (_, at) =>
      at % n === 0;
  const asked = (...tags: string[]): string => tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&');

  beforeAll(async () => {
    const { client } = ours.owner;
    const [place, season] = [await makeGroup(client, { mtg_name: 'Place' }), await makeGroup(client, { mtg_name: 'Season' })];
    const bear = async (group: string, mt_value: string, bearing: readonly string[], body: object = {}): Promise<void> => {
      const tag = await makeTag(client, { mt_group: group, mt_value, ...body });
      await api.sql('INSERT INTO file_tag (tenant_id, ft_tag, ft_file, ft_group) SELECT $1, $2, f, $3 FROM unnest($4::uuid[]) f', [
        ours.tenant_id,
        tag,
        group,
        bearing,
      ]);
    };
    await bear(place, 'Harbour', files);
    await bear(place, 'Pier', files.filter(every(2)), { mt_synonyms: ['Jetty'] });
    await bear(place, 'Market', files.filter(every(3)));
    await bear(season, 'Spring', files.filter(every(4)));
    await bear(season, 'Late spring', files.filter(every(5)));
    await bear(season, 'Leap day', files.filter(every(60)));
    await makeTag(client, { mt_group: season, mt_value: 'Never' });
  });

  it.each<[string, string[], (at: number) => boolean]>([
    ['that about as many files bear', ['Place:Pier', 'Place:Market', 'Season:Spring'], (at) => at % 12 === 0],
    ['one of which few files bear', ['Place:Harbour', 'Season:Leap day', 'Place:Market'], (at) => at % 60 === 0],
    [
      'of which some are as rare and one is borne by all',
      ['Season:Late spring', 'Place:Harbour', 'Season:Spring', 'Place:Pier'],
      (at) => at % 20 === 0,
    ],
    ['by a synonym and by the name, which are one tag', ['Place:Jetty', 'Place:pier', 'Place:Market'], (at) => at % 6 === 0],
    [
      'where of a group any will do, and a file bears two of it',
      ['Season', 'Place:Market'],
      (at) => at % 3 === 0 && (at % 4 === 0 || at % 5 === 0),
    ],
    ['of two groups, any of each', ['Season', 'Place'], (at) => at % 4 === 0 || at % 5 === 0],
    ['one of which no file bears', ['Place:Harbour', 'Season:Never', 'Place:Pier'], () => false],
    ['one of which is not there', ['Place:Harbour', 'Place:Nowhere', 'Place:Pier'], () => false],
  ])('come page by page, each once and in order: tags %s', async (_, tags, bears) => {
    expect(await paged(asked(...tags))).toEqual(files.filter((__, at) => bears(at)));
  });
});

describe('the timeline of a whole library', () => {
  it('counts what the same files count when each is looked at, across the borders of days, months and years', async () => {
    const workspace = await api.workspace();
    const viewer = await workspace.member('viewer');
    const taken = [
      '1904-02-29T23:59:59.999Z',
      '1999-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00.000Z',
      '2000-01-01T12:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
      '2024-03-31T23:59:59.999Z',
    ];
    for (const instant of taken) await storeFile(api, workspace, { metadata: { system: { taken: instant } } });
    await storeFile(api, workspace, { processing: 'quarantined', metadata: { system: { taken: '2024-03-15T00:00:00.000Z' } } });
    await storeFile(api, workspace, { repo: 'docs', metadata: { system: { taken: '2024-03-15T00:00:00.000Z' } } });
    const timeline = async (query: string, client = workspace.owner.client): Promise<readonly Bucket[]> =>
      ((await client.get(`/media-files/timeline?${query}`).expect(200)).body as { data: Bucket[] }).data;
    const everything = `query=${encodeURIComponent(JSON.stringify({ where: { all: [] } }))}`;
    for (const client of [workspace.owner.client, viewer.client]) {
      for (const by of ['day', 'month', 'year'])
        expect(await timeline(`by=${by}`, client)).toEqual(await timeline(`by=${by}&${everything}`, client));
    }
    expect(await timeline('by=month')).toEqual([
      { bucket: '2024-03', count: 3 },
      { bucket: '2024-02', count: 1 },
      { bucket: '2000-01', count: 2 },
      { bucket: '1999-12', count: 1 },
      { bucket: '1904-02', count: 1 },
    ]);
    expect(await timeline('by=year', viewer.client)).toEqual([
      { bucket: '2024', count: 3 },
      { bucket: '2000', count: 2 },
      { bucket: '1999', count: 1 },
      { bucket: '1904', count: 1 },
    ]);
    expect(await timeline('', (await api.workspace()).owner.client)).toEqual([]);
  });
});
