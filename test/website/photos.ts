import { createHash } from 'node:crypto';
import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';
import sharp from 'sharp';
import { MEDIA, send, settled, upload, type Uploaded } from '../files/uploading';

/** A photo of the media library that can be shown. */
export interface UploadedPhoto {
  readonly file_id: string;
  readonly name: string;
  readonly hash: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Uploads other bytes as its new version. */
  replace(): Promise<{ readonly hash: string }>;
}

const WIDTH = 640;
const HEIGHT = 400;

/** A JPEG that no other test has. */
async function drawnPhoto(color = `#${newId().slice(-6)}`): Promise<Buffer> {
  const picture = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: color } })
    .withExif({ IFD0: { ImageDescription: newId() } })
    .jpeg({ quality: 88 })
    .toBuffer();
  return picture;
}

/** Uploads a JPEG and waits until its bytes were read and its renditions are there. */
export async function uploadedPhoto(client: Client, name = `Photo ${newId()}.jpg`, color?: string): Promise<UploadedPhoto> {
  const bytes = await drawnPhoto(color);
  const { file_id } = await upload(client, name, bytes, { file_repo: MEDIA });
  await settled(client, file_id);
  await eventually(
    () => settled(client, file_id),
    (file) => file.file_replicas.includes('small'),
    60_000,
  );
  return {
    file_id,
    name,
    hash: hashOf(bytes),
    bytes,
    width: WIDTH,
    height: HEIGHT,
    replace: async () => {
      const other = await drawnPhoto();
      const opened = (await client.post(`/files/${file_id}/versions`, { file_size: other.length }).expect(201)).body as Uploaded;
      expect((await send(opened, other)).status).toBe(200);
      await client.post(`/uploads/${opened.upl_id}/finalize`).expect(201);
      await eventually(
        () => settled(client, file_id),
        (file) => file.file_hash === hashOf(other),
        60_000,
      );
      return { hash: hashOf(other) };
    },
  };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
