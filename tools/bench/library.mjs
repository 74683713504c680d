// npm run bench -- library [--rows N] [--only <view>]…: the media library at N files (10^6) beside a tenth of them: how long each view of it
// takes as a ratio of the two; the throughput of its first page as a ratio to a bare server that sends the same statements, and of
// a deep page as a ratio of the first one; and what the plans of its statements are made of under the service's own role.
import { parseArgs } from 'node:util';
import { seedLibraries } from './library-seed.mjs';
import { onBenchService } from './service.mjs';
import { chosenViews, compareViews } from './views.mjs';

const PORT = 3921;
const PUBLISHING = ['--module', 'module-publication'];

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);
const deepAt = Math.floor((rows / 10) * 0.2);

const json = (value) => encodeURIComponent(JSON.stringify(value));
const TAG = (group, n) => `tag=${group}:Value%20${n}`;

/** Each view of the library: its path, and whether it has pages that go deep. */
const VIEWS = [
  ['list', () => '/media-files?limit=50', true],
  ['by name', () => '/media-files?limit=50&sort=file_name', true],
  ['by time taken', () => '/media-files?limit=50&sort=-taken', true],
  ['filter', () => '/media-files?limit=50&kind=video&file_status=approved', true],
  ['name search', () => `/media-files?limit=50&file_name=market%20${Math.floor(rows / 23)}`],
  ['name as typed', () => '/files/search?q=market'],
  ['name with errors', () => `/files/search?q=market%20${Math.floor(rows / 23)}`],
  ['errors alone', () => `/files/search?q=harbuor%20${Math.floor(rows / 23)}`],
  ['words', () => '/media-files?limit=50&q=garden%201234'],
  ['three tags', () => `/media-files?limit=50&${TAG('Subject', 1)}&${TAG('Season', 2)}&${TAG('Client', 3)}`],
  [
    'query',
    () =>
      `/media-files?limit=50&query=${json({
        where: {
          all: [
            { field: 'camera', op: 'eq', value: 'Camera 7' },
            { field: 'taken', op: 'within', value: 'P1Y' },
          ],
        },
      })}`,
    true,
  ],
  ['album', ({ album }) => `/albums/${album}/files?limit=50`, true],
  ['album in its order', ({ album }) => `/albums/${album}/files?limit=50&sort=af_position`, true],
  ['smart album', ({ smart }) => `/albums/${smart}/files?limit=50`, true],
  ['memberships', ({ album }) => `/albums/memberships?limit=50&af_album=${album}`, true],
  ['albums, 20 smart', () => '/albums?limit=50'],
  ['likeness', ({ picture }) => `/media-files?limit=50&similar_to=${picture}&similarityThreshold=0.85`],
  ['facets', () => '/media-files/facets?kind=image'],
  ['timeline', () => '/media-files/timeline?by=month'],
  ['formats', () => '/media-files/formats'],
  ['publications', () => '/publications?limit=50', true],
  ['publications live', () => '/publications?limit=50&pub_state=published', true],
  ['publications stale', () => '/publications?limit=50&pub_stale=true', true],
  ['publication search', () => `/publications?limit=50&search=market%20${Math.floor(rows / 23)}`],
  ['publication words', () => '/publications?limit=50&search=harbour'],
];

const chosen = chosenViews(
  VIEWS.map(([name, path, deep]) => ({ name, path, deepAt: deep ? deepAt : 0 })),
  options.only,
);

/** Tables that no view may read from end to end. */
const LARGE = ['file', 'album_file', 'file_tag', 'file_phash_band', 'file_search_text', 'file_version', 'file_word', 'publication'];

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=1000000,write=1000000,workspace=1000000' } }, run);

async function run(service) {
  const { owner, workspace } = service;
  const [large, small] = [await workspace('Library large', PUBLISHING), await workspace('Library small', PUBLISHING)];
  const started = performance.now();
  await seedLibraries(
    owner,
    [
      [large, rows],
      [small, Math.ceil(rows / 10)],
    ],
    { publications: chosen.some(({ name }) => name.startsWith('publication')) },
  );
  console.log(`seeded ${rows.toLocaleString('en')} files, and a tenth of them, in ${Math.round((performance.now() - started) / 1000)} s`);
  const results = await compareViews(
    service,
    { large, small },
    {
      port: PORT,
      views: chosen,
      told: 'a tenth of the files',
      statements: /\b(files?|albums?|publications?)(_\w+)?\b/,
      tables: LARGE,
    },
  );
  if (options.json) console.log(JSON.stringify(results));
}
