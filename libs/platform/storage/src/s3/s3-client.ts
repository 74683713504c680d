import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Client } from 'minio';
import type { UploadedPart } from '../object-store';
import type { S3Credentials } from './sigv4';

export interface S3Location {
  /** Endpoint that this process speaks to. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Address the bucket in the path instead of the host name. */
  readonly pathStyle: boolean;
  /** How names are looked up; the system's way unless given. */
  readonly lookup?: LookupFunction | undefined;
  /** Server-side encryption that every object is asked to have. */
  readonly encryption?: string | undefined;
}

/** A server that takes a request and never answers must not hold a worker for ever. */
const SILENCE_MS = 60_000;

/** The library's client, with the multipart calls in the form the store needs. */
export class S3Client extends Client {
  constructor(location: S3Location, credentials: S3Credentials) {
    const { hostname, port, protocol } = new URL(location.endpoint);
    super({
      endPoint: hostname,
      port: port === '' ? undefined : Number(port),
      useSSL: protocol === 'https:',
      pathStyle: location.pathStyle,
      region: credentials.region,
      accessKey: credentials.accessKey,
      secretKey: credentials.secretKey,
      transport: { request: impatient(protocol === 'https:' ? https.request : http.request, location.lookup) },
    });
  }

  async partsOf(bucket: string, key: string, uploadId: string): Promise<UploadedPart[]> {
    const parts = await this.listParts(bucket, key, uploadId);
    return parts.map(({ part, size, etag }) => ({ part, size, etag }));
  }

  /** Sends one part and answers its entity tag. */
  async sendPart(bucket: string, key: string, uploadId: string, part: number, body: Buffer): Promise<string> {
    // The library puts this id into the query as it is.
    const sent = await this.uploadPart({ bucketName: bucket, objectName: key, uploadID: encodeURIComponent(uploadId), partNumber: part, headers: {} }, body);
    return sent.etag;
  }
}

type Request = (options: https.RequestOptions, answered?: (response: http.IncomingMessage) => void) => http.ClientRequest;

/** The request function of node, giving up when the other side says nothing until its answer begins. */
function impatient(request: Request, lookup?: LookupFunction): typeof http.request & typeof https.request {
  const send = (options: https.RequestOptions, answered?: (response: http.IncomingMessage) => void): http.ClientRequest => {
    const sent = request(lookup ? { ...options, lookup } : options, (response) => {
      sent.setTimeout(0);
      answered?.(response);
    });
    sent.setTimeout(SILENCE_MS, () => sent.destroy(Object.assign(new Error('The object store fell silent.'), { code: 'ETIMEDOUT' })));
    return sent;
  };
  return send as typeof http.request & typeof https.request;
}
