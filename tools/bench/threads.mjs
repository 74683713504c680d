// npm run bench -- threads [--rows N] [--only <view>]… [--json]: lists of threads and messages of a workspace with N threads (10^6)
// beside one with a hundred: how long each takes as a ratio of the two; the throughput of its first page as a ratio to a bare server
// that sends the same statements, and of a deep page as a ratio of the first one; and what the plans of its statements are made of.
import { parseArgs } from 'node:util';
import { operateJson } from '../start/operator.mjs';
import { onBenchService } from './service.mjs';
import { BRANCH, seedThreads } from './threads-seed.mjs';
import { chosenViews, compareViews } from './views.mjs';

const PORT = 3963;
const SMALL = 100;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, only: { type: 'string', multiple: true }, json: { type: 'boolean' } },
});
const rows = Number(options.rows);

/** Rows before a deep page: of a list of threads, and of the long branch. */
const [DEEP, UP] = [Math.floor(rows / 50), BRANCH - 100];
/** Who owns no thread: what they see is shared with them. */
const reader = (world) => world.reader;

const VIEWS = [
  { name: 'newest', path: () => '/threads?limit=50', deepAt: DEEP },
  { name: 'by title', path: () => '/threads?limit=50&sort=thread_title', deepAt: DEEP },
  { name: 'by space', path: ({ space }) => `/threads?limit=50&thread_space=${space}`, deepAt: Math.floor(DEEP / 2) },
  { name: 'by title in a space', path: ({ space }) => `/threads?limit=50&thread_space=${space}&sort=thread_title` },
  { name: 'shared with me', path: () => '/threads?limit=50', headers: reader, deepAt: Math.floor(rows / 2_000) },
  { name: 'of somebody else', path: ({ other }) => `/threads?limit=50&thread_user=${other}` },
  { name: 'with words', path: () => '/threads?limit=50&full_text_search=harbour+crane' },
  { name: 'search', path: () => '/threads/search?q=harbour+crane' },
  { name: 'branch, newest', path: ({ long }) => `/threads/${long}/messages?limit=50&sort=-msg_id`, deepAt: UP },
  { name: 'branch, oldest', path: ({ long }) => `/threads/${long}/messages?limit=50`, deepAt: UP },
  { name: 'all branches', path: ({ long }) => `/threads/${long}/messages?limit=50&branch=all`, deepAt: UP },
];
const chosen = chosenViews(VIEWS, options.only);

await onBenchService({ port: PORT, settings: { RATE_LIMITS: 'read=100000000,search=100000000,workspace=100000000' } }, run);

async function run(service) {
  const { env, owner, workspace } = service;
  const made = async (name) => addReader(env, await workspace(name));
  const [large, small] = [await made('Threads large'), await made('Threads small')];
  const started = performance.now();
  await seedThreads(owner, [
    [large, rows],
    [small, SMALL],
  ]);
  console.log(
    `seeded ${rows.toLocaleString('en')} threads and ${SMALL}, with branches of ${BRANCH} messages, in ${Math.round((performance.now() - started) / 1000)} s`,
  );
  const results = await compareViews(
    service,
    { large, small },
    {
      port: PORT,
      views: chosen,
      told: `${SMALL} threads`,
      statements: /\b(threads?|messages?)(_\w+)?\b/,
      tables: ['thread', 'thread_grant', 'message', 'message_file'],
    },
  );
  if (options.json) console.log(JSON.stringify(results));
}

/** The workspace with a member who reads what others share with them. */
async function addReader(env, world) {
  const of = ['--workspace', world.ws_id];
  const email = `reader@${world.ws_id}.example`;
  const { user_id } = await operateJson(['user', 'create', ...of, '--email', email, '--name', 'Reader', '--role', 'editor'], {
    env,
    input: 'a password for the bench\n',
  });
  const { key_secret } = await operateJson(['key', 'create', ...of, '--user-email', email, '--name', 'bench'], { env });
  return { ...world, reader_id: user_id, reader: { 'x-api-key': key_secret, 'x-tenant-id': world.ws_id } };
}
