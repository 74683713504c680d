import type { BigIntStats } from 'node:fs';
import { mkdir, open, readFile, readdir, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { Problem } from '@atrium/platform/kernel';
import { heldTo, type Expectation } from '../incoming-bytes';
import { MAX_PART_BYTES } from '../keys';
import { UploadMissing, type OpenUpload, type PartReceipt, type UploadedPart } from '../object-store';
import { diskFailure, etagOf, isAbsent, type DiskFiles } from './disk-files';
import type { DiskLayout } from './disk-layout';

const PART = /^\d{5}$/;
const COPY_BLOCK = 1024 * 1024;

/** Multipart uploads as a folder of parts; the key is kept in it, so that an id is of use for its own key only. */
export class DiskMultipart {
  constructor(
    private readonly layout: DiskLayout,
    private readonly files: DiskFiles,
  ) {}

  async begin(key: string): Promise<string> {
    const uploadId = this.layout.newUploadId();
    try {
      await mkdir(this.layout.uploadPath(uploadId), { recursive: true });
      await writeFile(this.layout.uploadKey(uploadId), key);
    } catch (error) {
      throw diskFailure(error);
    }
    return uploadId;
  }

  async writePart(key: string, uploadId: string, part: number, source: AsyncIterable<Uint8Array>, expected: Expectation): Promise<string> {
    await this.requireUpload(key, uploadId);
    const temporary = await this.files.composeFile((file) => writeAll(file, heldTo({ limit: MAX_PART_BYTES, ...expected }, source)));
    try {
      return etagOf(await this.files.moveIntoPlace(temporary, this.layout.partPath(uploadId, part), { makeFolder: false }));
    } catch (error) {
      throw isAbsent(error) ? new UploadMissing(uploadId) : error;
    }
  }

  async parts(key: string, uploadId: string): Promise<UploadedPart[]> {
    await this.requireUpload(key, uploadId);
    const names = await this.orMissing(uploadId, readdir(this.layout.uploadPath(uploadId)));
    const parts: UploadedPart[] = [];
    for (const name of names.filter((entry) => PART.test(entry)).sort()) {
      const part = Number(name);
      const found = await this.orMissing(uploadId, stat(this.layout.partPath(uploadId, part), { bigint: true }));
      parts.push({ part, size: Number(found.size), etag: etagOf(found) });
    }
    return parts;
  }

  /** Writes the parts one after the other into the object's place; the folder of parts is deleted after that. */
  async complete(key: string, uploadId: string, parts: readonly PartReceipt[]): Promise<BigIntStats> {
    await this.requireUpload(key, uploadId);
    const ordered = [...parts].sort((a, b) => a.part - b.part);
    if (ordered.length === 0) throw partRefused('Name at least one part.');
    if (ordered.some((part, i) => part.part === ordered[i - 1]?.part)) throw partRefused('A part is named twice.');
    const temporary = await this.files.composeFile(async (file) => {
      for (const part of ordered) await this.append(file, key, uploadId, part);
    });
    const placed = await this.files.moveIntoPlace(temporary, this.layout.objectPath(key));
    await this.files.discardFolder(this.layout.uploadPath(uploadId));
    return placed;
  }

  async abort(key: string, uploadId: string): Promise<void> {
    try {
      await this.requireUpload(key, uploadId);
    } catch (error) {
      if (error instanceof UploadMissing) return;
      throw error;
    }
    await this.files.discardFolder(this.layout.uploadPath(uploadId));
  }

  async *open(prefix: string): AsyncGenerator<OpenUpload> {
    const ids = await readdir(this.layout.uploads).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw diskFailure(error);
    });
    for (const uploadId of ids) {
      const key = await readFile(this.layout.uploadKey(uploadId), 'utf8').catch(() => null);
      if (key?.startsWith(prefix)) yield { key, uploadId };
    }
  }

  private async append(target: FileHandle, key: string, uploadId: string, { part, etag }: PartReceipt): Promise<void> {
    const source = await open(this.layout.partPath(uploadId, part), 'r').catch(async (error: unknown) => {
      if (!isAbsent(error)) throw diskFailure(error);
      // Another call may have completed or aborted the upload since.
      await this.requireUpload(key, uploadId);
      throw partRefused(`Part ${part} is missing.`);
    });
    try {
      if (etagOf(await source.stat({ bigint: true })) !== etag) throw partRefused(`Part ${part} has changed.`);
      await writeAll(target, source.createReadStream({ highWaterMark: COPY_BLOCK, autoClose: false }));
    } finally {
      await source.close();
    }
  }

  private async requireUpload(key: string, uploadId: string): Promise<void> {
    const owner = await this.orMissing(uploadId, readFile(this.layout.uploadKey(uploadId), 'utf8'));
    if (owner !== key) throw new UploadMissing(uploadId);
  }

  private async orMissing<T>(uploadId: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw isAbsent(error) ? new UploadMissing(uploadId) : diskFailure(error);
    }
  }
}

const partRefused = (detail: string): Problem => new Problem('unprocessable_content', detail);

/** Writes the chunks one at a time, so that a fast source waits for the disk. */
export async function writeAll(file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of source) {
    for (let offset = 0; offset < chunk.byteLength;) {
      offset += (await file.write(chunk, offset)).bytesWritten;
    }
  }
}
