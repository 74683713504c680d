import { createEmptyDatabase, dropTestDatabase, freePort, StrictS3Server, type TestDatabase } from '@atrium/platform/testing';
import { commandLine } from '../support/command-line';
import { Freezable, PGBOUNCER_PROGRAM } from '../support/freezable';
import { REDIS_PROGRAM, RedisServer } from '../support/redis-server';

const withRedis = REDIS_PROGRAM ? it : it.skip;
if (!REDIS_PROGRAM) console.warn('What the doctor says of Redis is skipped: neither redis-server nor valkey-server is installed.');
const withPooler = PGBOUNCER_PROGRAM ? it : it.skip;
if (!PGBOUNCER_PROGRAM) console.warn('What the doctor says of PgBouncer is skipped: pgbouncer is not installed.');

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail?: string;
}

describe('the doctor', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const migrated = await commandLine(['migrate'], {
      env: { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, MASTER_KEY },
    });
    expect(migrated).toMatchObject({ code: 0, complaint: '' });
  });
  afterAll(() => dropTestDatabase(database));

  /** What it finds wrong, and with which exit code. */
  const wrong = async (
    env: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; wrong: Readonly<Record<string, string>> }> => {
    const { code, out } = await commandLine(['doctor', '--json'], {
      env: { DATABASE_URL: database.appUrl, DATABASE_LISTEN_URL: '', REDIS_URL: '', S3_ENDPOINT: '', MASTER_KEY, ...env },
    });
    const findings = JSON.parse(out) as Finding[];
    return { code, wrong: Object.fromEntries(findings.filter(({ ok }) => !ok).map(({ check, detail = '' }) => [check, detail])) };
  };

  it('finds nothing wrong where nothing is', async () => {
    expect(await wrong({})).toEqual({ code: 0, wrong: {} });
  });

  it('finds a Redis that is not there', async () => {
    expect(await wrong({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })).toEqual({ code: 1, wrong: { queue: expect.any(String) } });
  });

  withRedis('finds a Redis that takes connections and answers nothing, and is content when it answers', async () => {
    const redis = await RedisServer.start();
    try {
      expect(await wrong({ REDIS_URL: redis.url })).toEqual({ code: 0, wrong: {} });
      redis.freeze();
      expect(await wrong({ REDIS_URL: redis.url })).toEqual({ code: 1, wrong: { queue: expect.any(String) } });
    } finally {
      redis.thaw();
      await redis.stop();
    }
  });

  it('finds a bucket that does not exist, and does not make it', async () => {
    const objects = await new StrictS3Server().start();
    const { accessKey, secretKey, region } = objects.credentials;
    const env = {
      S3_ENDPOINT: objects.endpoint,
      S3_REGION: region,
      S3_BUCKET: 'nowhere',
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      S3_PATH_STYLE: 'true',
    };
    try {
      for (const _ of [1, 2])
        expect(await wrong(env)).toEqual({
          code: 1,
          wrong: { 'object store': expect.stringContaining('The bucket "nowhere" does not exist') },
        });
    } finally {
      await objects.stop();
    }
  });

  withPooler('finds a pooler that loses prepared statements and what is listened for', async () => {
    const pooler = await Freezable.pooler(database.appUrl);
    try {
      const found = await wrong({ DATABASE_URL: pooler.url });
      expect(found.wrong).toMatchObject({
        'prepared statements': expect.stringContaining('DATABASE_PREPARED=false'),
        'database listens': expect.stringContaining('DATABASE_LISTEN_URL'),
      });
      expect(await wrong({ DATABASE_URL: pooler.url, DATABASE_PREPARED: 'false', DATABASE_LISTEN_URL: database.appUrl })).toEqual({
        code: 0,
        wrong: {},
      });
    } finally {
      await pooler.stop();
    }
  });
});
