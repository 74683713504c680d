import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { heldTo, ObjectStore, UploadMissing, type PartReceipt, type SignedUpload, type UploadedPart } from '@atrium/platform/storage';
import type { Upload } from '../domain/upload';
import { NO_LINKS, type HeldPart, type PartLink, type UploadLinks } from '../domain/upload-links';

const LINK_SECONDS = (15 * MINUTE) / SECOND;
/** Part addresses that one answer holds. */
const PARTS_AT_ONCE = 100;

/** What `finalize` finds in storage. */
export type Collected =
  | { readonly state: 'complete' }
  | { readonly state: 'absent' }
  | { readonly state: 'missing'; readonly detail: string }
  | { readonly state: 'unequal'; readonly size: number };

/** What uploads ask of the object store. Never called within a unit of work. */
@Injectable()
export class UploadStorage {
  constructor(private readonly store: ObjectStore) {}

  beginMultipart(key: string): Promise<string> {
    return this.store.beginMultipart(key);
  }

  /** Fresh addresses for what is not there yet; `received` when the caller knows it. */
  async createLinks(upload: Upload, received?: readonly HeldPart[]): Promise<UploadLinks> {
    if (!upload.isOpen) return NO_LINKS;
    const upl_received = received ?? (await this.received(upload));
    if (upload.upl_mode === 'single') {
      const { url, method, headers } = await this.singleLink(upload);
      return { ...NO_LINKS, upl_url: url, upl_method: method, upl_headers: headers, upl_received };
    }
    const missing = upload.missingParts(upl_received.map(({ part }) => part)).slice(0, PARTS_AT_ONCE);
    return { ...NO_LINKS, upl_parts: await this.signPartLinks(upload, missing), upl_received };
  }

  signPartLinks(upload: Upload, parts: readonly number[]): Promise<PartLink[]> {
    const uploadId = multipartId(upload);
    return Promise.all(
      parts.map(async (part) => {
        const { url, headers } = await this.store.signPart({
          key: upload.upl_key,
          uploadId,
          part,
          size: upload.lengthOf(part),
          expiresInSeconds: LINK_SECONDS,
        });
        return { part, upl_url: url, upl_headers: headers };
      }),
    );
  }

  /** Checks that all bytes are there, and joins the parts of a multipart upload. Doing it again answers the same. */
  async collectBytes(upload: Upload, receipts?: readonly PartReceipt[]): Promise<Collected> {
    if (upload.upl_mode === 'single') return this.compare(upload);
    const parts = receipts ?? (await this.listed(upload));
    if (!parts) return this.compare(upload);
    const [missing] = upload.missingParts(parts.map(({ part }) => part));
    if (missing !== undefined) return { state: 'missing', detail: `Part ${missing} has not been received.` };
    try {
      await this.store.complete(upload.upl_key, multipartId(upload), parts);
    } catch (error) {
      if (error instanceof UploadMissing) return { state: 'absent' };
      if (error instanceof Problem && error.code === 'unprocessable_content') return { state: 'missing', detail: error.detail };
      throw error;
    }
    return this.compare(upload);
  }

  /** Stores what comes for an upload, the whole or one part, held to what was promised; answers its entity tag. */
  async storeBytes(upload: Upload, part: number | null, body: Readable): Promise<string> {
    const { upl_key: key, file_size: size, file_hash } = upload;
    if (part !== null) return this.store.putPart({ key, uploadId: multipartId(upload), part, size: upload.lengthOf(part) }, body);
    return (await this.store.putObject(key, Readable.from(heldTo({ size, ...(file_hash ? { sha256: file_hash } : {}) }, body)), { size }))
      .etag;
  }

  /** SHA-256 of a complete upload's bytes. */
  async hashBytes(upload: Upload): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await this.store.get(upload.upl_key)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  /** Removes everything that storage holds for the upload. */
  async dropBytes({ upl_key, upl_multipart_id }: Upload): Promise<void> {
    if (upl_multipart_id !== null) await this.store.abort(upl_key, upl_multipart_id);
    await this.store.delete([upl_key]);
  }

  private singleLink({ upl_key, file_size, file_hash }: Upload): Promise<SignedUpload> {
    return this.store.signPut({
      key: upl_key,
      size: file_size,
      ...(file_hash ? { sha256: file_hash } : {}),
      expiresInSeconds: LINK_SECONDS,
    });
  }

  private async received(upload: Upload): Promise<HeldPart[]> {
    if (upload.upl_mode === 'multipart') return (await this.listed(upload)) ?? [];
    const stat = await this.store.stat(upload.upl_key);
    return stat ? [{ part: 1, size: stat.size, etag: stat.etag }] : [];
  }

  /** The parts that storage holds; null when it knows the multipart upload no more: completed, or dropped. */
  private async listed(upload: Upload): Promise<UploadedPart[] | null> {
    try {
      return await this.store.listParts(upload.upl_key, multipartId(upload));
    } catch (error) {
      if (error instanceof UploadMissing) return null;
      throw error;
    }
  }

  private async compare(upload: Upload): Promise<Collected> {
    const stat = await this.store.stat(upload.upl_key);
    if (!stat) return { state: 'absent' };
    return stat.size === upload.file_size ? { state: 'complete' } : { state: 'unequal', size: stat.size };
  }
}

function multipartId({ upl_multipart_id }: Upload): string {
  if (upl_multipart_id === null) throw new Error('A multipart upload has the id that storage gave it.');
  return upl_multipart_id;
}
