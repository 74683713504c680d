import { StrictS3Server } from '@atrium/platform/testing';

/** Which object store the tests of this run use. */
export const objectStore = process.env.TEST_OBJECT_STORE === 's3' ? 's3' : 'disk';

/** Where the objects of a test file are stored: on the disk, or with TEST_OBJECT_STORE=s3 in a strict S3 server of the file. */
export class TestObjects {
  private static server: Promise<StrictS3Server> | undefined;

  /** The settings of a host, and whether the caller is the first and so has to stop the server. */
  static async settings(): Promise<{ readonly environment: Readonly<Record<string, string>>; readonly isFirst: boolean }> {
    if (objectStore !== 's3') return { environment: {}, isFirst: false };
    const isFirst = !this.server;
    const server = await (this.server ??= new StrictS3Server().start());
    server.openToBrowsers = true;
    const { endpoint, credentials } = server;
    const environment = {
      S3_ENDPOINT: endpoint,
      S3_REGION: credentials.region,
      S3_BUCKET: 'atrium-test',
      S3_ACCESS_KEY: credentials.accessKey,
      S3_SECRET_KEY: credentials.secretKey,
    };
    return { environment, isFirst };
  }

  static async stop(): Promise<void> {
    await (await this.server)?.stop();
    this.server = undefined;
  }
}
