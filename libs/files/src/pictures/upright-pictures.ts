import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { inWorkFolder } from '../blobs/infrastructure/blobs-work-folder';
import { BlobReader } from '../blobs/infrastructure/blobs-reader';
import { InspectionError, MediaInspector } from '../inspection/infrastructure';
import { Bytes } from '../versions/application/bytes';

/** The bytes of a version of a file. */
export interface PictureBytes {
  readonly file_id: string;
  readonly hash: string;
  readonly signal: AbortSignal;
}

/** What the other service takes at most. */
export interface JpegBounds {
  readonly mostPixels: number;
  readonly mostBytes: number;
  /** 1 to 100. Default: 88. */
  readonly quality?: number;
}

/** A JPEG that exists while it is used. */
export interface JpegFile {
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly type: 'image/jpeg';
  /** Its bytes, or a range of them, both ends included. */
  openBytes(range?: { readonly start: number; readonly end: number }): Readable;
}

const QUALITY = 88;
/** Larger files are not copied to be converted. */
const LARGEST_FILE = 512 * 1024 * 1024;
const SENTENCES: Readonly<Record<string, string>> = {
  damaged: 'The picture is damaged and cannot be converted.',
  too_large: 'The picture is too large to be converted.',
  too_many_pixels: 'The picture has too many pixels to be converted.',
  timed_out: 'Converting the picture takes too long.',
  out_of_memory: 'Converting the picture takes too much memory.',
};

/**
 * Pictures as other services take them: upright, as JPEG, transparency on white, without notes of cameras and people. They are made in
 * the processes that look into files, within their bounds of time and memory, and are removed when they have been used: nothing of
 * them is stored.
 */
@Injectable()
export class UprightPictures {
  constructor(
    private readonly bytes: Bytes,
    private readonly reader: BlobReader,
    private readonly inspector: MediaInspector,
  ) {}

  /**
   * What `use` makes of the JPEG. `unprocessable_content` where the picture cannot be converted, which trying again does not change.
   * Rights are the caller's to decide; called outside of any unit of work.
   */
  async renderJpeg<T>({ file_id, hash, signal }: PictureBytes, bounds: JpegBounds, use: (jpeg: JpegFile) => Promise<T>): Promise<T> {
    const { key, size, type } = await this.bytes.requireBytes(file_id, hash);
    if (size > LARGEST_FILE) throw unconvertible('too_large');
    return inWorkFolder(async (folder) => {
      const jpegPath = join(folder, 'upright.jpg');
      const path = await this.reader.copyToFolder(key, folder, signal);
      const { mostPixels, mostBytes, quality = QUALITY } = bounds;
      const made = await this.inspector
        .renderJpeg({ path, type, jpegPath, mostPixels, mostBytes, quality, owner: requireScope().tenant_id })
        .catch((error: unknown) => {
          throw error instanceof InspectionError ? unconvertible(error.fault) : error;
        });
      signal.throwIfAborted();
      return use({ ...made, type: 'image/jpeg', openBytes: (range) => createReadStream(jpegPath, range) });
    });
  }
}

const unconvertible = (fault: string): Problem =>
  new Problem('unprocessable_content', SENTENCES[fault] ?? 'The picture cannot be converted: its format cannot be read.');
