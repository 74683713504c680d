import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, StrictS3Server, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sendUpload, settled, upload } from '../files/uploading';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { Freezable, PGBOUNCER_PROGRAM } from '../support/freezable';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';
import { Hosts, type Host } from './hosts';

const withRedis = REDIS_PROGRAM ? it : it.skip;
if (!REDIS_PROGRAM) console.warn('A frozen Redis is skipped: neither redis-server nor valkey-server is installed.');
const withPooler = PGBOUNCER_PROGRAM ? it : it.skip;
if (!PGBOUNCER_PROGRAM) console.warn('A frozen PgBouncer is skipped: pgbouncer is not installed.');

/** Servers that are stopped by a signal: they take connections and never answer. What is asked in the meantime is answered before they go on. */
describe('a part that is frozen', () => {
  let redis: RedisServer | undefined;
  let objects: StrictS3Server;
  let store: Freezable;
  let database: Freezable;
  let arranger: RunningApi;
  let workspace: TestWorkspace;
  let hosts: Hosts;
  let api: Host;
  let worker: Host;
  let client: Client;

  beforeAll(async () => {
    redis = REDIS_PROGRAM ? await RedisServer.start() : undefined;
    objects = await new StrictS3Server().start();
    store = await Freezable.before(objects.endpoint);
    const { accessKey, secretKey, region } = objects.credentials;
    arranger = await startAtrium({
      ...BRIEF_LEASES,
      ...(redis ? { REDIS_URL: redis.url } : {}),
      ...{
        S3_ENDPOINT: store.url,
        S3_REGION: region,
        S3_BUCKET: 'frozen',
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
        S3_PATH_STYLE: 'true',
      },
    });
    if (!redis) await migrateQueue(arranger.database.ownerUrl);
    database = await Freezable.before(arranger.database.appUrl);
    workspace = await arranger.workspace();
    hosts = new Hosts();
    api = await hosts.api({ DATABASE_URL: database.url });
    worker = await hosts.worker({ DATABASE_URL: database.url });
    client = api.client(workspace.owner.client);
    await client.get('/albums').expect(200);
  }, 120_000);

  afterAll(async () => {
    for (const part of [store, database]) part?.thaw();
    redis?.thaw();
    await hosts?.close();
    await arranger?.close();
    for (const part of [database, store]) await part?.stop();
    await objects?.stop();
    await redis?.stop();
  }, 60_000);

  let albums = 0;
  const callers = (count: number): Promise<number[]> =>
    Promise.all(
      Array.from(
        { length: count },
        async (_, i) =>
          (i % 2 === 0 ? await client.get('/albums') : await client.post('/albums', { album_name: `frozen ${(albums += 1)}` })).status,
      ),
    );
  const readiness = async (): Promise<number> => (await fetch(`${api.url}/health/ready`)).status;
  const calm = (): void =>
    expect([api, worker].map((host) => [host.isRunning, host.errors])).toEqual([
      [true, ''],
      [true, ''],
    ]);

  withRedis(
    'Redis: requests are answered as before, limits count nearby, and jobs go on when it is back',
    () =>
      hosts.witness(async () => {
        redis?.freeze();
        for (const _ of [1, 2, 3]) expect([...new Set(await callers(30))].sort()).toEqual([200, 201]);
        expect(await readiness()).toBe(200);
        const during = await upload(client, 'while-frozen.txt', Buffer.from('while the queue is frozen'));
        redis?.thaw();
        expect((await settled(client, during.file_id)).file_processing).toBe('ready');
        calm();
      }),
    120_000,
  );

  withRedis(
    'Redis: a worker that is stopped in the meantime ends all the same',
    () =>
      hosts.witness(async () => {
        const leaving = await hosts.worker({ DATABASE_URL: database.url });
        redis?.freeze();
        leaving.process.kill('SIGTERM');
        await eventually(
          () => Promise.resolve(leaving.isRunning),
          (isRunning) => !isRunning,
          40_000,
        );
        redis?.thaw();
      }),
    120_000,
  );

  it(
    'the database: every request is answered 503, readiness says so, and all is well when it is back',
    () =>
      hosts.witness(async () => {
        database.freeze();
        expect(new Set(await callers(30))).toEqual(new Set([503]));
        expect([await readiness(), (await fetch(`${api.url}/health/live`)).status]).toEqual([503, 200]);
        // By now nobody waits to find out: far more callers than there are connections.
        const refused = await client.get('/albums');
        expect([refused.status, refused.headers['retry-after'], (refused.body as { code: string }).code]).toEqual([
          503,
          '1',
          'service_unavailable',
        ]);
        expect(new Set(await callers(60))).toEqual(new Set([503]));
        database.thaw();
        await eventually(readiness, (status) => status === 200);
        expect([...new Set(await callers(30))].sort()).toEqual([200, 201]);
        const after = await upload(client, 'after.txt', Buffer.from('after the database was frozen'));
        expect((await settled(client, after.file_id)).file_processing).toBe('ready');
        calm();
      }),
    120_000,
  );

  it(
    'the object store: what needs it is answered 503, the rest as before, and all is well when it is back',
    () =>
      hosts.witness(async () => {
        const sent = await sendUpload(client, 'sent.txt', Buffer.from('sent before the store froze'));
        store.freeze();
        const finalizing = await Promise.all([1, 2, 3].map(() => client.post(`/uploads/${sent.upl_id}/finalize`)));
        expect(finalizing.map(({ status }) => status)).toEqual([503, 503, 503]);
        expect([...new Set(await callers(10))].sort()).toEqual([200, 201]);
        expect(await readiness()).toBe(200);
        store.thaw();
        const finalized = await eventually(
          () => client.post(`/uploads/${sent.upl_id}/finalize`),
          ({ status }) => status !== 503,
        );
        expect((await settled(client, (finalized.body as { file_id: string }).file_id)).file_processing).toBe('ready');
        calm();
      }),
    120_000,
  );

  withPooler(
    'PgBouncer: every request is answered 503 and it comes back by itself',
    () =>
      hosts.witness(async () => {
        const pooler = await Freezable.pooler(arranger.database.appUrl);
        try {
          const behind = await hosts.api({
            DATABASE_URL: pooler.url,
            DATABASE_LISTEN_URL: arranger.database.appUrl,
            DATABASE_PREPARED: 'false',
          });
          const caller = behind.client(workspace.owner.client);
          await caller.get('/albums').expect(200);
          pooler.freeze();
          const answers = await Promise.all(Array.from({ length: 20 }, () => caller.get('/albums')));
          expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
          pooler.thaw();
          await eventually(
            async () => (await caller.get('/albums')).status,
            (status) => status === 200,
          );
          expect([behind.isRunning, behind.errors]).toEqual([true, '']);
        } finally {
          pooler.thaw();
          await pooler.stop();
        }
      }),
    120_000,
  );
});
