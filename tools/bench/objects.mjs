// npm run bench -- objects [--rows N] [--import N] [--only view|writes|schema|import]… [--view <view>]…: N objects (10^6) of one schema,
// beside a tenth of them and forty other workspaces that hold as many together: its views, what a write costs beside a bare server,
// changes of the schema while others read and write, and an import beside COPY, INSERT and single requests. The last line is JSON.
import { parseArgs } from 'node:util';
import { CORES } from './cores.mjs';
import { measureImport } from './objects-import.mjs';
import { demandParity, writtenByService } from './objects-parity.mjs';
import { measureSchemaChanges } from './objects-schema.mjs';
import { seedObjects } from './objects-seed.mjs';
import { measureViews, VIEW_NAMES } from './objects-views.mjs';
import { furnish, neighboursOf } from './objects-world.mjs';
import { measureWrites } from './objects-writes.mjs';
import { onBenchService } from './service.mjs';

const PORT = 3951;
const OTHERS = 40;
const AREAS = ['view', 'writes', 'schema', 'import'];
const UNLIMITED = 'read=100000000,write=100000000,search=100000000,workspace=100000000';

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    import: { type: 'string', default: '100000' },
    only: { type: 'string', multiple: true },
    view: { type: 'string', multiple: true },
  },
});
const rows = Number(options.rows);
const wanted = options.only ?? AREAS;
if (wanted.some((area) => !AREAS.includes(area))) throw new Error(`--only takes ${AREAS.join(', ')}.`);
if (options.view?.some((view) => !VIEW_NAMES.includes(view))) throw new Error(`--view takes ${VIEW_NAMES.join(', ')}.`);

await onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, run);

async function run(service) {
  const api = await service.startApi({ core: CORES.server });
  const worlds = await seeded(service);
  const results = { rows };
  if (wanted.includes('view')) results.view = await measureViews(service, worlds, options.view);
  if (wanted.includes('writes')) results.writes = await measureWrites({ ...service, api, port: PORT }, worlds.large);
  if (wanted.includes('schema')) results.schema = await measureSchemaChanges(service, worlds.large);
  if (wanted.includes('import')) results.import = await measureImport({ ...service, port: PORT }, worlds.small, Number(options.import));
  console.log(JSON.stringify(results));
}

async function seeded({ env, owner, connect, workspace }) {
  const started = performance.now();
  const made = async (name, count) => ({ ...(await furnish(PORT, await workspace(name, ['--module', 'module-objects']))), rows: count });
  const [large, small] = [await made('Objects large', rows), await made('Objects small', Math.ceil(rows / 10))];
  const written = await writtenByService(owner, large);
  const others = await neighboursOf(owner, large, OTHERS);
  const second = await connect(env.DATABASE_OWNER_URL);
  const sizes = [large, small].map((world) => [world, world.rows]);
  await seedObjects([owner, second], [...sizes, ...others.map((world) => [world, Math.ceil(rows / OTHERS)])]);
  await second.end();
  await demandParity(owner, large, written);
  console.log(
    `seeded ${rows.toLocaleString('en')} objects, a tenth of them and ${OTHERS} other workspaces in ${Math.round((performance.now() - started) / 1000)} s; two of them have the rows that the service writes`,
  );
  return { large, small };
}
