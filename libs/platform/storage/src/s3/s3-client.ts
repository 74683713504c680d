import type { Pulse, Wait } from '@atrium/platform/kernel';
import { Client } from 'minio';
import type { UploadedPart } from '../object-store';
import { S3Wire, type S3Location } from './s3-wire';
import type { S3Credentials } from './sigv4';

/** The library's client, with the multipart calls in the form the store needs. Calls go through `asked`, which ends them when the store is frozen. */
export class S3Client extends Client {
  private readonly pulse: Pulse;

  constructor(location: S3Location, credentials: S3Credentials) {
    const { hostname, port, protocol } = new URL(location.endpoint);
    const wire = new S3Wire(location);
    super({
      endPoint: hostname,
      port: port === '' ? undefined : Number(port),
      useSSL: protocol === 'https:',
      pathStyle: location.pathStyle,
      region: credentials.region,
      accessKey: credentials.accessKey,
      secretKey: credentials.secretKey,
      transport: { request: wire.request },
    });
    this.pulse = wire.pulse;
  }

  /** The answer of the store, however long it takes; `PartSilent` when the store no longer responds to any request. */
  asked<T>(call: (wait: Wait) => Promise<T>): Promise<T> {
    return this.pulse.watchWork(call);
  }

  async partsOf(bucket: string, key: string, uploadId: string): Promise<UploadedPart[]> {
    const parts = await this.listParts(bucket, key, uploadId);
    return parts.map(({ part, size, etag }) => ({ part, size, etag }));
  }

  /** Sends one part and answers its entity tag. */
  async sendPart(bucket: string, key: string, uploadId: string, part: number, body: Buffer): Promise<string> {
    // The library puts this id into the query as it is.
    const sent = await this.uploadPart(
      { bucketName: bucket, objectName: key, uploadID: encodeURIComponent(uploadId), partNumber: part, headers: {} },
      body,
    );
    return sent.etag;
  }
}
