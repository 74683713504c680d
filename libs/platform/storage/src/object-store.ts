import type { Readable } from 'node:stream';

export interface SignPut {
  readonly key: string;
  /** Exact number of bytes the client will send; storage itself refuses any other body. */
  readonly size: number;
  /** Promised SHA-256 of the body in hex; a backend that can, refuses another body. */
  readonly sha256?: string;
  readonly contentType?: string;
  /** Reject (412) when the key already exists, where the backend supports it. */
  readonly createOnly?: boolean;
  readonly expiresInSeconds: number;
}

export interface SignPart {
  readonly key: string;
  readonly uploadId: string;
  /** From 1 to 10,000. */
  readonly part: number;
  readonly size?: number;
  readonly expiresInSeconds: number;
}

export interface SignGet {
  readonly key: string;
  readonly expiresInSeconds: number;
  readonly downloadName?: string;
  /** What the bytes were found to be; without it they are delivered as `application/octet-stream`. */
  readonly contentType?: string;
  /** `inline` is honoured for types that cannot run in a browser; everything else is an attachment. */
  readonly disposition: 'inline' | 'attachment';
}

/** A request that a client may send to storage itself: exactly this method, with at least these headers. */
export interface SignedUpload {
  readonly url: string;
  readonly method: 'PUT';
  readonly headers: Readonly<Record<string, string>>;
}

export interface PartReceipt {
  readonly part: number;
  readonly etag: string;
}

export interface UploadedPart extends PartReceipt {
  readonly size: number;
}

/** A part whose bytes pass through the service. */
export interface PutPart {
  readonly key: string;
  readonly uploadId: string;
  /** From 1 to 10,000. */
  readonly part: number;
  /** Exact number of bytes; any other body stores nothing. */
  readonly size: number;
}

export interface ObjectStat {
  readonly size: number;
  /** Opaque, without quotes; changes with every overwrite. */
  readonly etag: string;
  /** Absent where the backend keeps none (the disk). */
  readonly contentType?: string;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
}

/** A multipart upload that has begun and not ended. */
export interface OpenUpload {
  readonly key: string;
  readonly uploadId: string;
}

/** First and last byte, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface PutOptions {
  readonly size?: number;
  readonly contentType?: string;
}

/** There is no object at the key. */
export class ObjectMissing extends Error {
  constructor(readonly key: string) {
    super(`There is no object at ${key}.`);
    this.name = 'ObjectMissing';
  }
}

/** The multipart upload was aborted, completed long ago, or never begun. */
export class UploadMissing extends Error {
  constructor(readonly uploadId: string) {
    super('There is no such multipart upload.');
    this.name = 'UploadMissing';
  }
}

/**
 * Where bytes are stored. Keys are made by the service (`[a-z0-9-]`, `/` between segments) and never come from a user.
 * An object is seen whole or not at all; an overwrite never mixes two bodies. A failing provider is the problem
 * `upstream_failed` or `service_unavailable`; an absent object is `ObjectMissing`.
 */
export abstract class ObjectStore {
  abstract signPut(put: SignPut): Promise<SignedUpload>;
  abstract signGet(get: SignGet): Promise<string>;

  abstract beginMultipart(key: string, options?: { readonly contentType?: string }): Promise<string>;
  abstract signPart(part: SignPart): Promise<SignedUpload>;
  /** Stores one part in constant memory and answers its entity tag, for bytes that may not be sent to storage itself. */
  abstract putPart(part: PutPart, body: Readable): Promise<string>;
  /** Parts that storage holds, by number: enough to resume without own records. */
  abstract listParts(key: string, uploadId: string): Promise<UploadedPart[]>;
  /**
   * Joins the named parts in the order of their numbers. An upload that no longer exists while there is an object at its key was
   * completed before, and answers that object; so a multipart upload needs a key of its own. A part that is missing
   * or has changed is the problem `unprocessable_content`, and the upload stays open.
   */
  abstract complete(key: string, uploadId: string, parts: readonly PartReceipt[]): Promise<ObjectStat>;
  /** Drops the parts; an upload that no longer exists is not an error. */
  abstract abort(key: string, uploadId: string): Promise<void>;

  /** Every multipart upload that is neither completed nor aborted and whose key begins with the prefix. */
  abstract openUploads(prefix: string): AsyncIterable<OpenUpload>;

  abstract stat(key: string): Promise<ObjectStat | null>;
  /** The bytes as a stream; destroying it stops the source at once. A range outside of the object is a RangeError. */
  abstract get(key: string, range?: ByteRange): Promise<Readable>;
  /** Stores the body in constant memory, of known size or not; a promised size that is not met stores nothing. */
  abstract putObject(key: string, body: Readable | Buffer, options?: PutOptions): Promise<ObjectStat>;
  abstract copy(from: string, to: string): Promise<ObjectStat>;
  /** Keys without an object are no error. */
  abstract delete(keys: readonly string[]): Promise<void>;
  /** Every object whose key begins with the prefix, in the order of the keys. */
  abstract list(prefix: string): AsyncIterable<ListedObject>;
  /** Resolves when the store can be used now; else the problem `service_unavailable`. */
  abstract check(): Promise<void>;
}
