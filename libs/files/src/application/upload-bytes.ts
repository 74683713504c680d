import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, UploadMissing } from '@atrium/platform/storage';
import { partCount } from '../domain/upload-parts';
import type { Upload } from '../domain/upload';
import { UploadsRepository } from '../infrastructure/uploads.repository';
import { openerOf } from './guests';
import { UploadStorage } from './uploads-storage';

/** Bytes on their way; the length is what the sender announces. */
export interface IncomingBody {
  readonly body: Readable;
  readonly length: number | null;
}

/** Bytes as far as they were looked at. */
export interface SeenBytes {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly size: number;
}

/**
 * Takes the bytes of an upload itself, for senders who may not learn where bytes are stored: a signed address of storage names
 * the key. Checked against the announcement of the upload like bytes that storage takes.
 */
@Injectable()
export class UploadBytes {
  constructor(
    private readonly db: Database,
    private readonly uploads: UploadsRepository,
    private readonly storage: UploadStorage,
    private readonly store: ObjectStore,
  ) {}

  /** Answers the entity tag. `part` is null for uploads that come as a whole. */
  async receive(caller: Principal, id: string, part: number | null, { body, length }: IncomingBody): Promise<string> {
    const upload = await this.db.read(() => this.uploads.findOwn(id, openerOf(caller)));
    upload.assertOpen();
    const size = sizeOf(upload, part);
    if (length !== null && length !== size)
      throw length > size
        ? new Problem('payload_too_large', `The body exceeds the ${size} bytes allowed.`)
        : new Problem('validation_failed', `${size} bytes were declared for this upload, but Content-Length is ${length}.`);
    try {
      return await this.storage.receive(upload, part, body);
    } catch (error) {
      if (error instanceof UploadMissing || error instanceof ObjectMissing) throw invalidState('The upload has ended.');
      throw error;
    }
  }

  /** Start and end of what came for an upload that was sent as a whole and is not finalized; null for every other. */
  async look(caller: Principal, id: string, most: number): Promise<SeenBytes | null> {
    const upload = await this.db.read(() => this.uploads.findOwn(id, openerOf(caller)));
    if (!upload.isOpen || upload.upl_mode !== 'single') return null;
    const stat = await this.store.stat(upload.upl_key);
    return stat && edgesOf(this.store, { key: upload.upl_key, size: stat.size }, most);
  }
}

/** Start and end of an object; the end is empty when the start is all of it. */
export async function edgesOf(
  store: ObjectStore,
  { key, size }: { readonly key: string; readonly size: number },
  most: number,
): Promise<SeenBytes> {
  const head = await read(store, key, { start: 0, end: Math.min(most, size) - 1 });
  return { head, tail: await read(store, key, { start: Math.max(head.length, size - most), end: size - 1 }), size };
}

async function read(store: ObjectStore, key: string, range: { readonly start: number; readonly end: number }): Promise<Buffer> {
  if (range.end < range.start) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await store.get(key, range)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sizeOf(upload: Upload, part: number | null): number {
  const isWhole = upload.upl_mode === 'single';
  if (isWhole !== (part === null) || (part !== null && (part < 1 || part > partCount(upload)))) throw notFound('part of this upload');
  return part === null ? upload.file_size : upload.lengthOf(part);
}
