import { Signals } from '@atrium/platform/messaging';
import { eventually, type RunningApi } from '@atrium/platform/testing';
import { Redis } from 'ioredis';
import { storeFile } from '../files/stored-files';
import { startAtrium } from '../support/api';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { refusalAt } from './publishing';
import { guest, publicPath, shareLink } from './sharing';

const describeRedis = REDIS_PROGRAM ? describe : describe.skip;
if (!REDIS_PROGRAM) console.warn('An API without its Redis is skipped: neither redis-server nor valkey-server is installed.');

describeRedis('an API that starts while its Redis is away', () => {
  let redis: RedisServer;
  let api: RunningApi | undefined;

  beforeAll(async () => {
    redis = await RedisServer.start();
    await redis.crash();
  }, 30_000);
  afterAll(async () => {
    await api?.close();
    await redis.stop();
  });

  it('starts and serves the public, changes what is served without waiting, and hears of changes once it is there', async () => {
    const begun = performance.now();
    api = await startAtrium({ REDIS_URL: redis.url });
    expect(performance.now() - begun).toBeLessThan(20_000);
    const ours = await api.workspace();
    const { file_id } = await storeFile(api, ours);
    const link = await shareLink(ours.owner.client, { share_type: 'files', share_file_ids: [file_id] });
    await guest(api).get(publicPath(link)).expect(200);
    expect(await refusalAt(`${api.url}/p/1111111111111111/nothing.txt`)).toMatchObject({ status: 404 });

    const changed = performance.now();
    const { body: rule } = await ours.owner.client
      .post('/distribution/restrictions', {
        dr_name: 'Not from here',
        dr_kind: 'ip',
        dr_effect: 'deny',
        dr_values: ['127.0.0.0/8', '::1/128'],
        dr_baseline: true,
      })
      .expect(201);
    await guest(api).get(publicPath(link)).expect(403);
    await ours.owner.client.delete(`/distribution/restrictions/${rule.dr_id}?detach=true`).expect(204);
    await guest(api).get(publicPath(link)).expect(200);
    expect(performance.now() - changed).toBeLessThan(10_000);

    const heard: string[] = [];
    await api.app.get(Signals, { strict: false }).subscribe('-/probe', (said) => heard.push(JSON.stringify(said)));
    await redis.restart();
    const elsewhere = new Redis(redis.url);
    await eventually(
      async () => {
        await elsewhere.publish('atrium:signal:-/probe', JSON.stringify({ word: 'back' }));
        return heard;
      },
      (words) => words.length > 0,
      30_000,
    );
    elsewhere.disconnect();
  }, 120_000);
});
