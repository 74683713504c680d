import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { LiveSite } from './live-site';
import { makePages, type PageNode, type Pages } from './pages';

const describeRedis = REDIS_PROGRAM ? describe : describe.skip;
if (!REDIS_PROGRAM) console.warn('Delivery beside a Redis is skipped: neither redis-server nor valkey-server is installed.');

const ROUNDS = 12;
const CRASHES_IN = [3, 8];
const RETURNS_IN = [5, 9];

describeRedis('the delivery of two processes', () => {
  let redis: RedisServer;
  let api: RunningApi;
  let other: RunningApi;
  let pages: Pages;
  let live: LiveSite;

  beforeAll(async () => {
    redis = await RedisServer.start();
    api = await startAtrium({ REDIS_URL: redis.url });
    other = await startAtrium({ REDIS_URL: redis.url, DATABASE_URL: api.environment.DATABASE_URL ?? api.database.appUrl });
    await startWorker(api);
    pages = await makePages((await api.workspace([])).owner.client);
    live = await LiveSite.of(api, pages);
  }, 120_000);
  afterAll(async () => {
    await other.close();
    await api.close();
    await redis.stop();
  });

  /** What visitors of a process get of everything that the site has. */
  async function answersOf({ url }: RunningApi, paths: readonly string[]): Promise<readonly unknown[]> {
    const at = (path: string): string => `${url}/api/v1/delivery/${live.site_key}${path}`;
    const read = async (path: string): Promise<unknown> => {
      const answer = await fetch(at(path));
      const body = (await answer.json()) as { request_id?: string };
      return [answer.status, answer.headers.get('x-site-seq'), answer.headers.get('etag'), { ...body, request_id: undefined }];
    };
    return Promise.all([...paths.map((path) => read(`/page?path=${path}`)), read('/tree?locale=en'), read('/pages?locale=en&sort=name')]);
  }

  /** One publish of both pages, beside what happens to Redis. */
  async function publishRound(round: number, [lamp, desk]: readonly [PageNode, PageNode]): Promise<void> {
    await pages.write(lamp.node_id, { headline: `Lamp ${round}` }).expect(200);
    await pages.change(desk.node_id, { node_slug: `desk-${round}` }).expect(200);
    const order = { node_ids: [lamp.node_id, desk.node_id], locales: ['en'] };
    await Promise.all([
      live.publishAll(order).expect(200),
      CRASHES_IN.includes(round) && redis.crash(),
      RETURNS_IN.includes(round) && redis.restart(),
    ]);
  }

  it('[website 34] is the same through crashes and restarts of Redis during publishes: what was published last', async () => {
    const made = [await pages.make('Lamp'), await pages.make('Desk', { node_content: { headline: 'Desk' } })] as const;
    for (let round = 1; round <= ROUNDS; round++) {
      await publishRound(round, made);
      const paths = ['/lamp', `/desk-${round}`, ...(round > 1 ? [`/desk-${round - 1}`] : []), '/never'];
      const answers = await answersOf(api, paths);
      expect(await answersOf(other, paths)).toEqual(answers);
      expect(answers.slice(0, 2)).toMatchObject([
        [200, String(round), expect.any(String), { kind: 'page', content: { headline: `Lamp ${round}` }, seq: round }],
        [200, String(round), expect.any(String), { kind: 'page', path: `/desk-${round}` }],
      ]);
      if (round > 1)
        expect(answers[2]).toMatchObject([200, String(round), expect.any(String), { kind: 'redirect', location: `/desk-${round}` }]);
      expect(answers.at(-3)).toMatchObject([404, null, null, { code: 'not_found' }]);
    }
  }, 180_000);
});
