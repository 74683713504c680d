import { Readable } from 'node:stream';
import { Problem } from '@atrium/platform/kernel';
import { UploadMissing, type PartReceipt } from '../object-store';
import { MIB, MINUTE_S, altered, bytesOf, sha256, upload, type Contract } from './backend';

// The smallest part that S3 allows, but for the last one.
const PARTS = [Buffer.alloc(5 * MIB, 'a'), Buffer.alloc(5 * MIB, 'b'), Buffer.from('the end')];

/** Uploads in parts: any order, resumed from what storage holds, joined whole or not at all. */
export function multipartCases({ store, able, key }: Contract): void {
  const sendPart = async (
    name: string,
    uploadId: string,
    part: number,
    body = PARTS[part - 1] ?? Buffer.alloc(0),
  ): Promise<PartReceipt> => {
    const answer = await upload(await store().signPart({ key: name, uploadId, part, size: body.length, expiresInSeconds: MINUTE_S }), body);
    expect(answer.status).toBe(200);
    return { part, etag: (answer.headers.get('etag') ?? '').replaceAll('"', '') };
  };
  const begun = async (...parts: number[]): Promise<{ name: string; uploadId: string; receipts: PartReceipt[] }> => {
    const name = key();
    const uploadId = await store().beginMultipart(name, { contentType: 'video/mp4' });
    const receipts: PartReceipt[] = [];
    for (const part of parts) receipts.push(await sendPart(name, uploadId, part));
    return { name, uploadId, receipts };
  };

  it('joins parts that came and are named in any order', async () => {
    const { name, uploadId, receipts } = await begun(3, 1, 2);
    const stat = await store().complete(name, uploadId, receipts);
    expect(stat.size).toBe(10 * MIB + 7);
    if (able.contentTypes) expect(stat.contentType).toBe('video/mp4');
    expect(sha256(await bytesOf(await store().get(name)))).toBe(sha256(Buffer.concat(PARTS)));
  });

  it('takes parts that pass through the service, and rejects one of another length', async () => {
    const { name, uploadId, receipts } = await begun(1);
    const put = (part: number, body: Buffer, size = body.length) =>
      store().putPart({ key: name, uploadId, part, size }, Readable.from([body.subarray(0, 3), body.subarray(3)]));
    const [, second = Buffer.alloc(0), third = Buffer.alloc(0)] = PARTS;
    await expect(put(2, second, second.length - 1)).rejects.toBeInstanceOf(Problem);
    await expect(put(2, second, second.length + 1)).rejects.toBeInstanceOf(Problem);
    expect((await store().listParts(name, uploadId)).map(({ part }) => part)).toEqual([1]);
    const stat = await store().complete(name, uploadId, [
      ...receipts,
      { part: 2, etag: await put(2, second) },
      { part: 3, etag: await put(3, third) },
    ]);
    expect(stat.size).toBe(10 * MIB + 7);
    expect(sha256(await bytesOf(await store().get(name)))).toBe(sha256(Buffer.concat(PARTS)));
    await expect(
      store().putPart({ key: key(), uploadId: 'a'.repeat(32), part: 1, size: 3 }, Readable.from([Buffer.from('abc')])),
    ).rejects.toThrow();
  });

  it('resumes from the parts that storage lists', async () => {
    const { name, uploadId } = await begun(1, 3);
    const held = await store().listParts(name, uploadId);
    expect(held.map(({ part, size }) => [part, size])).toEqual([
      [1, 5 * MIB],
      [3, 7],
    ]);
    await sendPart(name, uploadId, 2);
    expect((await store().complete(name, uploadId, await store().listParts(name, uploadId))).size).toBe(10 * MIB + 7);
  });

  it('lists more parts than one page of a listing holds', async () => {
    const name = key();
    const uploadId = await store().beginMultipart(name);
    for (const part of [1, 2, 3, 4, 5, 10, 11]) await sendPart(name, uploadId, part, Buffer.from(`part ${part}`));
    expect((await store().listParts(name, uploadId)).map(({ part }) => part)).toEqual([1, 2, 3, 4, 5, 10, 11]);
    await store().abort(name, uploadId);
  });

  it('lets a part be sent again, and takes the last one', async () => {
    const { name, uploadId } = await begun(1, 2);
    await sendPart(name, uploadId, 2, Buffer.from('another end'));
    await store().complete(name, uploadId, await store().listParts(name, uploadId));
    expect((await bytesOf(await store().get(name, { start: 5 * MIB }))).toString()).toBe('another end');
  });

  it('refuses a part that is missing or has changed, and stays open', async () => {
    const { name, uploadId, receipts } = await begun(1, 2);
    await expect(store().complete(name, uploadId, [...receipts, { part: 3, etag: '0'.repeat(32) }])).rejects.toMatchObject({
      code: 'unprocessable_content',
    });
    expect(await store().stat(name)).toBeNull();
    expect(await store().listParts(name, uploadId)).toHaveLength(2);
    await expect(store().complete(name, uploadId, [])).rejects.toMatchObject({ code: 'unprocessable_content' });
  });

  it('answers the same object when completed twice, one after the other and at once', async () => {
    const { name, uploadId, receipts } = await begun(1, 3);
    const [first, second] = await Promise.all([store().complete(name, uploadId, receipts), store().complete(name, uploadId, receipts)]);
    expect([first.size, second.size]).toEqual([5 * MIB + 7, 5 * MIB + 7]);
    expect((await store().complete(name, uploadId, receipts)).size).toBe(5 * MIB + 7);
    expect(await bytesOf(await store().get(name, { start: 5 * MIB }))).toEqual(PARTS[2]);
  });

  it('drops everything on abort; the upload cannot be listed, completed or continued', async () => {
    const { name, uploadId, receipts } = await begun(1);
    await store().abort(name, uploadId);
    await store().abort(name, uploadId);
    await expect(store().listParts(name, uploadId)).rejects.toBeInstanceOf(UploadMissing);
    await expect(store().complete(name, uploadId, receipts)).rejects.toBeInstanceOf(UploadMissing);
    const late = await store().signPart({ key: name, uploadId, part: 2, size: 7, expiresInSeconds: MINUTE_S });
    expect((await upload(late, Buffer.from('the end'))).status).toBe(404);
    expect(await store().stat(name)).toBeNull();
  });

  it('lists the uploads that are open under a prefix, and no other', async () => {
    const listed = async (prefix: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const one of store().openUploads(prefix)) found.push(`${one.key} ${one.uploadId}`);
      return found.sort();
    };
    const [open, ended, elsewhere] = [await begun(1), await begun(1), await begun()];
    const folder = open.name.split('/').slice(0, 2).join('/');
    const beside = await store().beginMultipart(`${folder}/beside`);
    await store().abort(ended.name, ended.uploadId);
    expect(await listed(`${folder}/`)).toEqual([`${folder}/beside ${beside}`, `${open.name} ${open.uploadId}`].sort());
    expect(await listed(ended.name)).toEqual([]);
    await store().abort(open.name, open.uploadId);
    await store().abort(`${folder}/beside`, beside);
    expect(await listed(`${folder}/`)).toEqual([]);
    await store().abort(elsewhere.name, elsewhere.uploadId);
  });

  it('knows an upload by its own key only', async () => {
    const { uploadId } = await begun(1);
    await expect(store().listParts(key(), uploadId)).rejects.toBeInstanceOf(UploadMissing);
  });

  it('refuses a part that is longer than signed, of another number or another upload', async () => {
    const { name, uploadId } = await begun();
    const other = await begun();
    const signed = await store().signPart({ key: name, uploadId, part: 1, size: 7, expiresInSeconds: MINUTE_S });
    expect([400, 403, 413]).toContain((await upload(signed, Buffer.from('the end!'))).status);
    const parameter = (...names: string[]): string => names.find((candidate) => new URL(signed.url).searchParams.has(candidate)) ?? '';
    const forged = [
      altered(signed.url, ({ searchParams }) => searchParams.set(parameter('part', 'partNumber'), '2')),
      altered(signed.url, ({ searchParams }) => searchParams.set(parameter('upload', 'uploadId'), other.uploadId)),
    ];
    for (const url of forged) expect((await upload({ url, headers: {} }, Buffer.from('the end'))).status).toBe(403);
    expect(await store().listParts(name, uploadId)).toEqual([]);
  });
}
