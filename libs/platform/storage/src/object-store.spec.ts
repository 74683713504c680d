import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock, type Clock } from '@atrium/platform/kernel';
import { StrictS3Server, SwiftServer } from '../../testing/src/s3';
import { DiskObjectStore } from './disk/disk-object-store';
import { DiskStoreEndpoint } from './disk/disk-store-endpoint';
import { objectStoreContract, objectStoreSkipped, type Backend } from './object-store.contract';
import { S3ObjectStore } from './s3/s3-object-store';
import type { S3Credentials } from './s3/sigv4';

async function onDisk(): Promise<Backend> {
  const root = await mkdtemp(join(tmpdir(), 'disk-store-'));
  const secret = randomBytes(32);
  const server = createServer((req, res) => void endpoint.handleRequest(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const storeAt = (clock: Clock): DiskObjectStore => new DiskObjectStore({ root, origin, secret, clock });
  const store = storeAt(new SystemClock());
  const endpoint = new DiskStoreEndpoint(store, { corsOrigins: ['*'] });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(root, { recursive: true });
  };
  return { store, storeAt, stop };
}

async function onS3(server: {
  endpoint: string;
  credentials: S3Credentials;
  bucket?: string;
  pathStyle?: boolean;
  stop(): Promise<void>;
}): Promise<Backend> {
  const { endpoint, credentials, bucket = 'contract', pathStyle = true } = server;
  const storeAt = (clock: Clock): S3ObjectStore => new S3ObjectStore({ endpoint, credentials, bucket, pathStyle, clock });
  const store = storeAt(new SystemClock());
  await store.prepare({ createBucket: true });
  return { store, storeAt, stop: () => server.stop() };
}

objectStoreContract('the disk', { checksums: true, createOnly: true, contentTypes: false }, onDisk);

objectStoreContract('S3 (strict loopback server)', { checksums: true, createOnly: true, contentTypes: true }, async () =>
  onS3(await new StrictS3Server().start()),
);

if (SwiftServer.isInstalled()) {
  objectStoreContract('S3 (OpenStack Swift)', { checksums: false, createOnly: false, contentTypes: true }, async () =>
    onS3(await SwiftServer.start()),
  );
} else {
  objectStoreSkipped('S3 (OpenStack Swift)', 'python3-swift is not installed');
}

const {
  TEST_S3_ENDPOINT,
  TEST_S3_ACCESS_KEY = '',
  TEST_S3_SECRET_KEY = '',
  TEST_S3_REGION = 'us-east-1',
  TEST_S3_BUCKET,
  TEST_S3_PATH_STYLE,
  TEST_S3_CHECKSUMS,
  TEST_S3_CREATE_ONLY,
} = process.env;
if (TEST_S3_ENDPOINT) {
  const able = { checksums: TEST_S3_CHECKSUMS !== 'false', createOnly: TEST_S3_CREATE_ONLY !== 'false', contentTypes: true };
  objectStoreContract(`S3 (${TEST_S3_ENDPOINT})`, able, () =>
    onS3({
      endpoint: TEST_S3_ENDPOINT,
      credentials: { accessKey: TEST_S3_ACCESS_KEY, secretKey: TEST_S3_SECRET_KEY, region: TEST_S3_REGION },
      bucket: TEST_S3_BUCKET,
      pathStyle: TEST_S3_PATH_STYLE !== 'false',
      stop: () => Promise.resolve(),
    }),
  );
} else {
  objectStoreSkipped('S3 (an endpoint of yours)', 'TEST_S3_ENDPOINT is not set');
}
