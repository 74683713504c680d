import { drawPicture, eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { settled, upload } from '../files/uploading';
import { Hosts, type Host } from './hosts';
import { Load } from './load';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';

const describeRedis = REDIS_PROGRAM ? describe : describe.skip;
if (!REDIS_PROGRAM) console.warn('Faults of Redis are skipped: neither redis-server nor valkey-server is installed.');

describeRedis('a Redis that loses what it keeps', () => {
  let redis: RedisServer;
  let arranger: RunningApi;
  let workspace: TestWorkspace;
  let hosts: Hosts;

  beforeAll(async () => {
    redis = await RedisServer.start();
    arranger = await startAtrium({ ...BRIEF_LEASES, REDIS_URL: redis.url });
    workspace = await arranger.workspace();
    hosts = new Hosts();
  }, 60_000);
  afterAll(async () => {
    await hosts.close();
    await arranger.close();
    await redis.stop();
  });

  it('has its waiting jobs sent again when it is flushed; none is lost and none is done twice', async () => {
    await hosts.witness(async () => {
      const { client } = workspace.owner;
      const pictures = await Promise.all(
        Array.from({ length: 8 }, (_, seed) => drawPicture({ width: 2400, height: 1600, format: 'jpeg', seed })),
      );
      const files = await Promise.all(pictures.map((bytes, index) => upload(client, `${index}.jpg`, bytes)));
      const killed = await hosts.worker();
      const sent = (): Promise<{ sent: number; done: number }[]> =>
        arranger.sql(
          "SELECT count(ev_sent)::int AS sent, count(ev_done)::int AS done FROM outbox WHERE tenant_id = $1 AND ev_name = 'files.ingest'",
          [workspace.tenant_id],
        );
      await eventually(sent, ([row]) => row?.sent === files.length);
      await killed.end('SIGKILL');
      expect((await sent())[0]?.done).toBeLessThan(files.length);
      await redis.flush();

      await hosts.worker();
      for (const { file_id } of files) expect((await settled(client, file_id)).file_processing).toBe('ready');
      expect(
        await arranger.sql("SELECT 1 FROM outbox WHERE tenant_id = $1 AND ev_name = 'file.ready'", [workspace.tenant_id]),
      ).toHaveLength(files.length);
    });
  }, 120_000);

  it('does not keep the API from answering while it is away, and jobs go on when it is back', async () => {
    await hosts.witness(async () => {
      const [api, worker] = [await hosts.api(), await hosts.worker()];
      const client = api.client(workspace.owner.client);
      const load = new Load({
        url: api.url,
        headers: client.headers,
        callers: 6,
        next: (count) =>
          count % 2 === 0
            ? { method: 'POST', path: '/api/v1/albums', body: { album_name: `album ${count}` } }
            : { method: 'GET', path: '/api/v1/albums' },
      });
      const answered = (count: number): Promise<number> => {
        const wanted = load.answers.length + count;
        return eventually(
          () => Promise.resolve(load.answers.length),
          (seen) => seen >= wanted,
        );
      };
      await answered(50);
      await redis.crash();
      await answered(200);
      const during = await upload(client, 'during.txt', Buffer.from('while the queue is away'));
      await redis.restart();
      await answered(100);
      await load.stop();
      expect(load.failures).toEqual([]);
      expect(load.answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
      expect(Math.max(...load.answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(5_000);
      expect((await settled(client, during.file_id)).file_processing).toBe('ready');
      expectCalm([api, worker]);
    });
  }, 120_000);

  it('is reported by the metrics as away until it is back', async () => {
    const isUp = async (): Promise<string | undefined> =>
      /^atrium_redis_up (\d)$/m.exec(await (await fetch(`${arranger.url}/metrics`)).text())?.[1];
    const becomes = (wanted: string): Promise<unknown> => eventually(isUp, (up) => up === wanted, 30_000);
    await becomes('1');
    await redis.crash();
    await becomes('0');
    await redis.restart();
    await becomes('1');
  }, 120_000);
});

function expectCalm(hosts: readonly Host[]): void {
  for (const host of hosts) {
    expect(host.isRunning).toBe(true);
    expect(host.errors).toBe('');
    expect(host.output).not.toContain('[object Object]');
  }
}
