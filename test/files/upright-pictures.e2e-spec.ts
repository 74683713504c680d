import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { UprightPictures, type JpegBounds, type JpegFile } from '@atrium/files';
import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { drawPicture, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import sharp from 'sharp';
import { startAtrium, startWorker } from '../support/api';
import { settled, upload } from './uploading';

let api: RunningApi;
let worker: INestApplicationContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({});
  worker = await startWorker(api);
  workspace = await api.workspace();
});
afterAll(() => api.close());

const BOUNDS: JpegBounds = { mostPixels: 120_000, mostBytes: 1_000_000 };
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const { signal } = new AbortController();
const render = <T>(file_id: string, hash: string, use: (jpeg: JpegFile) => Promise<T>): Promise<T> =>
  inWorkspace(workspace.tenant_id, () => worker.get(UprightPictures, { strict: false }).renderJpeg({ file_id, hash, signal }, BOUNDS, use));
const bytesOf = async (jpeg: JpegFile): Promise<Buffer> => Buffer.concat((await jpeg.openBytes().toArray()) as Buffer[]);
const workFolders = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith('atrium-ingest-'));

describe('a picture that another service takes', () => {
  it('is an upright JPEG within its bounds, and is removed once it was used', async () => {
    const drawing = await drawPicture({ width: 600, height: 800, format: 'jpeg', orientation: 6, gps: { lat: 52.52, lng: 13.405 } });
    const { file_id } = await upload(workspace.owner.client, 'harbour.jpg', drawing);
    await settled(workspace.owner.client, file_id);
    const before = await workFolders();
    const seen = await render(file_id, hashOf(drawing), async (jpeg) => {
      const bytes = await bytesOf(jpeg);
      const range = Buffer.concat((await jpeg.openBytes({ start: 0, end: 3 }).toArray()) as Buffer[]);
      return { jpeg, range, header: await sharp(bytes).metadata(), length: bytes.length };
    });
    expect(seen.jpeg).toMatchObject({ width: 300, height: 400, type: 'image/jpeg', size: seen.length });
    expect(seen.header).toMatchObject({ format: 'jpeg', width: 300, height: 400 });
    expect([seen.header.exif, seen.header.orientation]).toEqual([undefined, undefined]);
    expect(seen.range.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect(seen.range).toHaveLength(4);
    expect((await workFolders()).filter((name) => !before.includes(name))).toEqual([]);
  });

  it('is refused where its content is none of a picture, and where the file has no such version', async () => {
    const notes = Buffer.from('notes');
    const { file_id } = await upload(workspace.owner.client, 'notes.txt', notes);
    await settled(workspace.owner.client, file_id);
    const used = jest.fn();
    await expect(render(file_id, hashOf(notes), used)).rejects.toMatchObject({ code: 'unprocessable_content' });
    await expect(render(file_id, 'a'.repeat(64), used)).rejects.toMatchObject({ code: 'not_found' });
    await expect(render(newId(), hashOf(notes), used)).rejects.toMatchObject({ code: 'not_found' });
    expect(used).not.toHaveBeenCalled();
  });
});
