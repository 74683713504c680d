import { Client, drawPicture, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import type { Test } from 'supertest';
import { settled, upload, type StoredFile } from '../files/uploading';

export interface OwnLink {
  readonly share_id: string;
  readonly share_url: string;
  readonly kiosk_url: string | null;
  readonly share_state: string;
  readonly share_view_count: number;
  readonly share_download_count: number;
  readonly share_upload_count: number;
}

export interface PublicFile {
  readonly public_id: string;
  readonly name: string | null;
  readonly thumb_url: string | null;
  readonly metadata: Record<string, unknown> | null;
}

export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

export const tokenOf = ({ share_url }: { readonly share_url: string }): string => share_url.split('/').at(-1) ?? '';

export const publicPath = (link: { readonly share_url: string }): string => `/public/shares/${tokenOf(link)}`;

/** Somebody from outside, distinguished from others by their token. */
export const guest = (api: RunningApi, name = 'guest', headers: Record<string, string> = {}): Client =>
  new Client(api.url, { 'User-Agent': `${BROWSER} ${name}`, ...headers });

export async function shareLink(client: Client, body: Record<string, unknown>): Promise<OwnLink> {
  return (await client.post('/share-links', { share_name: 'Harbour', ...body }).expect(201)).body as OwnLink;
}

/** A small picture in the library, with its renditions. */
export async function picture(
  workspace: TestWorkspace,
  name: string,
  seed: number,
  { width = 640, height = 480 }: { readonly width?: number; readonly height?: number } = {},
): Promise<StoredFile> {
  const bytes = await drawPicture({
    width,
    height,
    format: 'jpeg',
    seed,
    make: 'Fujifilm',
    model: 'X100V',
    taken: '2024:05:17 08:30:00',
    gps: { lat: 43.7, lng: 7.26 },
  });
  const { file_id } = await upload(workspace.owner.client, name, bytes);
  return settled(workspace.owner.client, file_id);
}

export const bytesAt = async (address: string): Promise<Buffer> => Buffer.from(await (await fetch(address)).arrayBuffer());

/** The whole body of an answer. */
export const asBytes = (test: Test): Test =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
  });

/** The link as its maker sees it now. */
export const seenByMaker = async ({ owner }: TestWorkspace, { share_id }: OwnLink): Promise<OwnLink> =>
  (await owner.client.get(`/share-links/${share_id}`).expect(200)).body as OwnLink;

/** The files that a visitor sees. */
export const filesSeen = async (client: Client, link: OwnLink): Promise<PublicFile[]> =>
  ((await client.get(`${publicPath(link)}/files`).expect(200)).body as { data: PublicFile[] }).data;

/** How far two pictures are apart, in steps of 256. */
export async function meanDifference(a: Buffer, b: Buffer): Promise<number> {
  const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).resize(160, 120, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [left, right] = [await pixels(a), await pixels(b)];
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}
