import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, UploadMissing } from '@atrium/platform/storage';
import { partCount } from '../domain/upload-parts';
import type { Upload } from '../domain/upload';
import { UploadsRepository } from '../infrastructure/uploads.repository';
import { openerOf } from '../../core/application/guests';
import { edgesOf, type SeenBytes } from '../../blobs/application/object-edges';
import { UploadStorage } from './uploads-storage';

/** Bytes on their way; the length is what the sender announces. */
export interface IncomingBody {
  readonly body: Readable;
  readonly length: number | null;
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
  async receiveBytes(caller: Principal, id: string, part: number | null, { body, length }: IncomingBody): Promise<string> {
    const upload = await this.db.read(() => this.uploads.findOwn(id, openerOf(caller)));
    upload.assertOpen();
    const size = sizeOf(upload, part);
    if (length !== null && length !== size)
      throw length > size
        ? new Problem('payload_too_large', `The body exceeds the ${size} bytes allowed.`)
        : new Problem('validation_failed', `${size} bytes were declared for this upload, but Content-Length is ${length}.`);
    try {
      return await this.storage.storeBytes(upload, part, body);
    } catch (error) {
      if (error instanceof UploadMissing || error instanceof ObjectMissing) throw invalidState('The upload has ended.');
      throw error;
    }
  }

  /** Start and end of what came for an upload that was sent as a whole and is not finalized; null for every other. */
  async peekBytes(caller: Principal, id: string, most: number): Promise<SeenBytes | null> {
    const upload = await this.db.read(() => this.uploads.findOwn(id, openerOf(caller)));
    if (!upload.isOpen || upload.upl_mode !== 'single') return null;
    const stat = await this.store.stat(upload.upl_key);
    return stat && edgesOf(this.store, { key: upload.upl_key, size: stat.size }, most);
  }
}

function sizeOf(upload: Upload, part: number | null): number {
  const isWhole = upload.upl_mode === 'single';
  if (isWhole !== (part === null) || (part !== null && (part < 1 || part > partCount(upload)))) throw notFound('part of this upload');
  return part === null ? upload.file_size : upload.lengthOf(part);
}
