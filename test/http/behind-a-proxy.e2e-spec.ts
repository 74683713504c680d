import { freePort, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { Load } from '../faults/load';
import { startAtrium } from '../support/api';
import { repeated } from '../support/repeated';
import { hasNginx, ProxyServer } from './proxy-server';

/** Each of the two hosts at least once. */
const RESTARTS = repeated('PROXY_RESTARTS', { usual: 2, deep: 20 });

const hosts = new Hosts();
let arranger: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  arranger = await startAtrium();
  workspace = await arranger.workspace();
}, 60_000);
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

// nginx comes with the distribution; a machine without it leaves this out.
(hasNginx ? describe : describe.skip)('hosts behind a proxy that keeps its connections', () => {
  it(
    'are restarted one after the other under load without a request failing',
    async () => {
      await hosts.witness(async () => {
        const ports = [await freePort(), await freePort()];
        const start = (at: number): Promise<Host> => hosts.api({}, ports[at]);
        const running = [await start(0), await start(1)];
        const proxy = await ProxyServer.start(running.map(({ url }) => url));
        const load = new Load({
          ...{ url: proxy.url, headers: workspace.owner.client.headers, callers: 8 },
          next: (count) =>
            count % 3 === 0
              ? { method: 'POST', path: '/api/v1/albums', body: { album_name: `album ${count}` } }
              : { method: 'GET', path: '/api/v1/albums?limit=1' },
        });
        try {
          for (let restart = 0; restart < RESTARTS; restart++) {
            const at = restart % 2;
            const seen = load.answers.length;
            await eventually(
              () => Promise.resolve(load.answers.length),
              (count) => count > seen + 100,
            );
            expect(await running[at]?.end('SIGTERM')).toEqual({ code: 0, signal: null });
            running[at] = await start(at);
          }
        } finally {
          await load.stop();
          await proxy.stop();
        }
        expect(load.failures).toEqual([]);
        expect(load.answers.filter(({ status }) => status !== 200 && status !== 201).map(({ status, body }) => [status, body])).toEqual([]);
        const made = load.answers
          .filter(({ status }) => status === 201)
          .map(({ body }) => (JSON.parse(body) as { album_id: string }).album_id);
        expect(await arranger.sql('SELECT count(*)::int AS count FROM album WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([
          { count: made.length },
        ]);
      });
    },
    60_000 + RESTARTS * 15_000,
  );
});
