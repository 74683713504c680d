// What creating and changing an object costs beside a bare server that writes the same rows; albums, of one row each, in the same run.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';
import { CORES } from './cores.mjs';
import { compare, CONNECTIONS, postmasterOf, shown } from './costs.mjs';
import { GENERATOR } from './load.mjs';
import { KINDS } from './objects-world.mjs';
import { wishes } from './objects-seed.mjs';

const BARE_PORT = 3955;
const ALBUMS_PORT = 3956;
const BARE = `http://127.0.0.1:${BARE_PORT}`;
const ALBUMS = `http://127.0.0.1:${ALBUMS_PORT}`;
const SPAN = 2;
const POOL = 2_000;

/** A bare server for the objects of a workspace. */
export async function startBareObjects({ env, launch }, { ws_id, owner_user_id, form_id, olf_id }, { core, port = BARE_PORT } = {}) {
  const facts = JSON.stringify({ tenant: ws_id, user: owner_user_id, form: form_id, flow: olf_id });
  const bare = launch([join(projectRoot, 'tools/bench/bare-objects.mjs'), String(port), env.DATABASE_URL, facts], { core });
  await once(bare.stdout, 'data');
  return bare;
}

/** Bodies of creations: what seeded objects say, with a name elsewhere that no other has. */
export async function newObjects(owner, world) {
  const pool = await wishes(owner, world, 1, POOL);
  return () => {
    const { obj_content, obj_terms } = pick(pool);
    return { obj_form: world.form_id, obj_content: { ...obj_content, sku: randomUUID() }, obj_terms };
  };
}

export const pick = (list) => list[Math.floor(Math.random() * list.length)];

export const request = (method, path, headers, body) => ({
  method,
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export async function measureWrites(service, world) {
  const { env, owner, launch, api, port } = service;
  const core = CORES.server;
  const bare = await startBareObjects(service, world, { core });
  const albums = launch(
    [join(projectRoot, 'tools/bench/bare-server.mjs'), String(ALBUMS_PORT), env.DATABASE_URL, world.ws_id, world.owner_user_id],
    { core },
  );
  await once(albums.stdout, 'data');
  await owner.query(
    "INSERT INTO album (tenant_id, album_id, album_name, album_created_by) SELECT $1, gen_random_uuid(), 'Album ' || n, $2 FROM generate_series(1, $3::integer) n",
    [world.ws_id, world.owner_user_id, POOL],
  );
  const some = async (text) => (await owner.query(text, [world.ws_id])).rows.map(({ id }) => id);
  const albumIds = await some('SELECT album_id AS id FROM album WHERE tenant_id = $1');
  const ids = await some(`SELECT obj_id AS id FROM object TABLESAMPLE SYSTEM (50) WHERE tenant_id = $1 LIMIT ${POOL}`);
  const made = await newObjects(owner, world);
  const changed = () => ({ obj_content: { kind: pick(KINDS), price: Math.floor(Math.random() * 1e5) / 100 } });
  const named = () => ({ album_name: `Bench ${Math.random()}` });
  const ours = (method, path, body) => () => request(method, `/api/v1${path()}`, world.headers, body());
  const theirs = (method, path, body) => () => request(method, path(), {}, body());
  const pairs = {
    create: [ours('POST', () => '/objects', made), theirs('POST', () => '/create', made), { pid: bare.pid, origin: BARE }],
    update: [
      ours('PATCH', () => `/objects/${pick(ids)}`, changed),
      theirs('PATCH', () => `/update?id=${pick(ids)}`, changed),
      { pid: bare.pid, origin: BARE },
    ],
    'create album': [ours('POST', () => '/albums', named), theirs('POST', () => '/create', named), { pid: albums.pid, origin: ALBUMS }],
    'update album': [
      ours('PATCH', () => `/albums/${pick(albumIds)}`, named),
      theirs('PATCH', () => `/update?id=${pick(albumIds)}`, named),
      { pid: albums.pid, origin: ALBUMS },
    ],
  };
  console.log(
    `load by ${GENERATOR}, ${CONNECTIONS} callers${CORES.load === undefined ? '' : `, on core ${CORES.load}; servers on core ${core}`}`,
  );
  const postmaster = await postmasterOf(owner);
  const results = {};
  for (const [operation, [next, bareNext, side]] of Object.entries(pairs)) {
    const ratios = await compare(
      { pid: api.pid, origin: `http://127.0.0.1:${port}`, next },
      { ...side, next: bareNext },
      { postmaster, span: SPAN },
    );
    results[operation] = ratios;
    console.log(
      `${operation.padEnd(12)} processor a request ${shown(ratios.processor)} of the bare server: API ${shown(ratios.api)}, database ${shown(ratios.database)}; ` +
        `throughput ${shown(ratios.throughput)}, slowest hundredth ${Math.round(ratios.p99_ms)} ms (${shown(ratios.p99)})`,
    );
  }
  return results;
}
