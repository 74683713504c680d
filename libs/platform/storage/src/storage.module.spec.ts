import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Keyring, Settings, loadSettings } from '@atrium/platform/config';
import { StrictS3Server } from '../../testing/src/s3';
import { DiskObjectStore } from './disk/disk-object-store';
import { DiskStoreEndpoint } from './disk/disk-store-endpoint';
import { ObjectStore } from './object-store';
import { S3ObjectStore } from './s3/s3-object-store';
import { HOME_STORE, StorageModule } from './storage.module';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

async function applicationWith(changes: Record<string, string>) {
  const settings = loadSettings({ NODE_ENV: 'development', DATABASE_URL: 'postgres://localhost/atrium', MASTER_KEY, ...changes });

  @Global()
  @Module({
    providers: [
      { provide: Settings, useValue: settings },
      { provide: Keyring, useValue: new Keyring(MASTER_KEY) },
    ],
    exports: [Settings, Keyring],
  })
  class TestConfigModule {}

  Logger.overrideLogger(false);
  const testing = await Test.createTestingModule({ imports: [TestConfigModule, StorageModule] }).compile();
  return testing.init();
}

describe('StorageModule', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storage-module-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is the disk below DATA_DIR when no S3 endpoint is set, and signs for BASE_URL', async () => {
    const application = await applicationWith({ DATA_DIR: folder, BASE_URL: 'https://atrium.example.com/' });
    const store = application.get(ObjectStore);
    expect(application.get(HOME_STORE)).toBeInstanceOf(DiskObjectStore);
    expect(application.get(DiskStoreEndpoint)).toBeInstanceOf(DiskStoreEndpoint);
    expect(await store.signGet({ key: 'a/b', expiresInSeconds: 60, disposition: 'inline' })).toMatch(
      'https://atrium.example.com/storage/a/b?',
    );
    await application.close();
  });

  it('is S3 when an endpoint is set, makes the bucket in development, and has no endpoint of its own', async () => {
    const server = await new StrictS3Server().start();
    const { accessKey, secretKey, region } = server.credentials;
    const s3 = { S3_ENDPOINT: server.endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_REGION: region };
    await expect(applicationWith({ ...s3, NODE_ENV: 'production' })).rejects.toThrow(/bucket "atrium" does not exist/);
    const application = await applicationWith(s3);
    const store = application.get(ObjectStore);
    expect(application.get(HOME_STORE)).toBeInstanceOf(S3ObjectStore);
    expect(application.get<DiskStoreEndpoint | null>(DiskStoreEndpoint)).toBeNull();
    await expect(store.check()).resolves.toBeUndefined();
    await application.close();
    await server.stop();
  });

  it('starts although the S3 server is down', async () => {
    const application = await applicationWith({ S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' });
    await application.close();
  });
});
