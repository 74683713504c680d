import { readFileSync } from 'node:fs';
import { load } from './load.mjs';
import { seed } from './seed.mjs';
import { onBenchService } from './service.mjs';
import { HOST_FLAGS } from '../start/operator.mjs';
const hosts = process.argv.slice(2); // name=flags|program
await onBenchService({ port: 3901, settings: { RATE_LIMITS: 'read=100000000,write=100000000,workspace=100000000' } }, async ({ env, launch, untilOk }) => {
  const world = await seed(env, env.DATABASE_OWNER_URL).catch((e) => { console.error("SEED", e); throw e; });
  const all = [];
  for (const [i, spec] of hosts.entries()) {
    const [name, program, ...flags] = spec.split('=').flatMap((x, n) => n === 0 ? [x] : x.split('|'));
    const PORT = String(3920 + i);
    const child = launch([...HOST_FLAGS, ...flags, program], { env: { PORT, MALLOC_ARENA_MAX: '2' } });
    await untilOk(`http://127.0.0.1:${PORT}/health/ready`);
    all.push({ name, child, origin: `http://127.0.0.1:${PORT}`, rates: {}, cpu: {} });
  }
  const headers = { 'x-api-key': world.key, 'x-tenant-id': world.ws_id };
  const ops = { list: '/files?repo_type=media&limit=50', filter: '/files?repo_type=media&file_status=approved&sort=-file_size' };
  const ticks = (c) => readFileSync(`/proc/${c.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((s, p) => s + Number(p), 0);
  for (const [op, path] of Object.entries(ops)) {
    const next = () => ({ method: 'GET', path: `/api/v1${path}`, headers });
    for (const h of all) await load(h.origin, next, { connections: 32, seconds: 4 });
    for (let n = 0; n < 5; n++) for (const h of all) {
      const before = ticks(h.child);
      const rate = await load(h.origin, next, { connections: 32, seconds: 2 });
      (h.rates[op] ??= []).push(rate); (h.cpu[op] ??= []).push(((ticks(h.child) - before) * 10000) / (rate * 2));
    }
    const med = (a) => [...a].sort((x, y) => x - y)[2];
    for (const h of all) console.log(op, h.name, 'rate', Math.round(med(h.rates[op])), 'cpu us', Math.round(med(h.cpu[op])), 'of first', (med(h.rates[op]) / med(all[0].rates[op])).toFixed(2));
  }
});
process.exit();
