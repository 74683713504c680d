import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DescribedFiles, type DescribedFile } from '@atrium/files';
import { requireScope } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import type { FaceBox } from '../domain/face';
import type { UprightPicture } from '../domain/face-provider';

const MOST_PIXELS = 64_000_000;
/** Longest edge of what is sent to look for faces. */
const EDGE = 2_048;
const CROP = 256;
const MARGIN = 0.35;
const SIGNED_SECONDS = 15 * 60;
const WEBP = 'image/webp';
const CROP_KEY = /\/faces\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[^/]+$/;

/**
 * Pictures as faces are looked for in them and cut out of them: always a rendition that is small enough, upright, never
 * a large original. Called outside of any unit of work.
 */
@Injectable()
export class FacePictures {
  constructor(
    private readonly files: DescribedFiles,
    private readonly store: ObjectStore,
  ) {}

  /** The picture of a file of the library, upright; null where there is none, or nothing decodes it. */
  async openUpright({ picture }: Pick<DescribedFile, 'picture'>): Promise<UprightPicture | null> {
    const bytes = picture && (await this.read(picture.key));
    if (!bytes) return null;
    const { default: sharp } = await import('sharp');
    const decoded = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'none' })
      .rotate()
      .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 92 })
      .toBuffer({ resolveWithObject: true })
      .catch(() => null);
    return decoded && { bytes: decoded.data, type: 'image/jpeg', width: decoded.info.width, height: decoded.info.height };
  }

  /** Cuts a face out, with some of what is around it, and keeps that under a key of its own; returns its key, or null without a picture. */
  async cropFace(face_id: string, file_id: string, box: FaceBox, known?: UprightPicture): Promise<string | null> {
    const file = known ? undefined : (await this.files.describeFiles([file_id], 'media')).get(file_id);
    const picture = known ?? (file && (await this.openUpright(file)));
    if (!picture) return null;
    const { default: sharp } = await import('sharp');
    const bytes = await sharp(picture.bytes)
      .extract(square(box, picture))
      .resize(CROP, CROP, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer();
    const key = `${prefix()}${face_id}-${newId()}`;
    await this.store.putObject(key, bytes, { contentType: WEBP, size: bytes.length });
    return key;
  }

  /** A signed address, good for 15 minutes. */
  signAddress(key: string): Promise<string> {
    return this.store.signGet({ key, expiresInSeconds: SIGNED_SECONDS, contentType: WEBP, disposition: 'inline' });
  }

  /** The cut-outs of the workspace that were stored before then, and of which face. */
  async *listStoredBefore(moment: Date): AsyncGenerator<{ readonly face_id: string; readonly key: string }, void> {
    for await (const { key, modified } of this.store.list(prefix())) {
      const face_id = CROP_KEY.exec(key)?.[1];
      if (face_id !== undefined && modified < moment) yield { face_id, key };
    }
  }

  deleteCrops(keys: readonly string[]): Promise<unknown> {
    return keys.length === 0 ? Promise.resolve() : this.store.delete([...keys]);
  }

  private async read(key: string): Promise<Buffer | null> {
    try {
      return await buffer(await this.store.get(key));
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }
}

const prefix = (): string => `t/${requireScope().tenant_id}/faces/`;

/** A square around the box in pixels, moved into the picture where it would stand out. */
function square({ x, y, width, height }: FaceBox, picture: UprightPicture): { left: number; top: number; width: number; height: number } {
  const wanted = Math.max(width * picture.width, height * picture.height) * (1 + MARGIN);
  const side = Math.max(1, Math.min(Math.round(wanted), picture.width, picture.height));
  const within = (middle: number, most: number): number => Math.max(0, Math.min(Math.round(middle - side / 2), most - side));
  return {
    left: within((x + width / 2) * picture.width, picture.width),
    top: within((y + height / 2) * picture.height, picture.height),
    width: side,
    height: side,
  };
}
