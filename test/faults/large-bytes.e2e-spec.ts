import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { migrateQueue } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { storeMany } from '../files/stored-files';
import { openUpload, settled, type StoredFile, type Uploaded } from '../files/uploading';
import { Hosts, type Host } from './hosts';
import { ResidentMemory } from './resident-memory';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** What memory may rise above a warm process: newer versions of V8 let 64 MB gather outside of the heap before they collect it. */
const FLAT_MIB = 96;
const PARTS_AT_ONCE = 4;

type PartLink = Uploaded['upl_parts'][number];

let arranger: RunningApi;
let workspace: TestWorkspace;
let api: Host;
let worker: Host;
let client: Client;
const hosts = new Hosts();

beforeAll(async () => {
  arranger = await startAtrium();
  await migrateQueue(arranger.database.ownerUrl);
  workspace = await arranger.workspace();
  api = await hosts.api();
  worker = await hosts.worker();
  client = api.client(workspace.owner.client);
}, 60_000);
afterAll(async () => {
  await hosts.close();
  await arranger.close();
});

/** Bytes of a file that exists nowhere: one random block, numbered part by part. */
class NumberedBytes {
  private readonly block: Buffer;

  constructor(
    readonly size: number,
    private readonly partSize: number,
  ) {
    this.block = randomBytes(partSize);
  }

  /** A part in two pieces: its number, and what all share. */
  part(number: number): readonly [Buffer, Buffer] {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(number);
    return [head, this.block.subarray(head.length, Math.min(this.partSize, this.size - (number - 1) * this.partSize))];
  }

  hash(): string {
    const hash = createHash('sha256');
    for (let number = 1; (number - 1) * this.partSize < this.size; number++) for (const piece of this.part(number)) hash.update(piece);
    return hash.digest('hex');
  }
}

/** Sends the pieces without copying them; returns the status. */
const put = ({ upl_url, upl_headers }: PartLink, pieces: readonly Buffer[]): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request(
      upl_url,
      { method: 'PUT', headers: { ...upl_headers, 'content-length': pieces.reduce((sum, { length }) => sum + length, 0) } },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      },
    );
    call.once('error', reject);
    for (const piece of pieces) call.write(piece);
    call.end();
  });

async function sendParts({ upl_id }: Uploaded, bytes: NumberedBytes, from: number, to: number): Promise<void> {
  const waiting = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const links = new Map<number, PartLink>();
  for (let start = 0; start < waiting.length; start += 100) {
    const { upl_parts } = (await client.post(`/uploads/${upl_id}/parts`, { parts: waiting.slice(start, start + 100) }).expect(200))
      .body as Uploaded;
    for (const link of upl_parts) links.set(link.part, link);
  }
  const sender = async (): Promise<void> => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const link = links.get(number);
      if (!link || (await put(link, bytes.part(number))) !== 200) throw new Error(`Part ${number} was not taken.`);
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sender));
}

describe('memory stays flat', () => {
  it('of the API while a file of 1 GiB comes in parts and leaves again, and of the worker that reads it', async () => {
    await hosts.witness(async () => {
      const opened = await openUpload(client, { file_name: 'film.bin', file_size: GIB });
      const bytes = new NumberedBytes(GIB, opened.upl_part_size);
      const parts = GIB / opened.upl_part_size;
      await sendParts(opened, bytes, 1, 16);
      const receiving = new ResidentMemory(api);
      await sendParts(opened, bytes, 17, parts);
      const reading = new ResidentMemory(worker);
      const { file_id } = (await client.post(`/uploads/${opened.upl_id}/finalize`).expect(201)).body as StoredFile;
      const expected = bytes.hash();
      expect((await settled(client, file_id)).file_hash).toBe(expected);
      const read = reading.stop();
      const download = await fetch((await client.get(`/files/${file_id}/download-url`).expect(200)).body as string);
      const hash = createHash('sha256');
      for await (const chunk of download.body ?? []) hash.update(chunk);
      expect(hash.digest('hex')).toBe(expected);
      const received = receiving.stop();
      expect(received.rise).toBeLessThan(FLAT_MIB);
      expect(read.rise).toBeLessThan(FLAT_MIB);
    });
  }, 240_000);

  it('of the worker while it packs 2,000 files', async () => {
    await hosts.witness(async () => {
      const warm = await storeMany(arranger, workspace, 500, { name: 'warm.txt' });
      await packed(warm);
      const file_ids = await storeMany(arranger, workspace, 2_000, { bytes: randomBytes(64 * 1024) });
      const packing = new ResidentMemory(worker);
      await packed(file_ids);
      const seen = packing.stop();
      expect(seen.rise).toBeLessThan(FLAT_MIB);
    });
  }, 120_000);
});

async function packed(file_ids: readonly string[]): Promise<void> {
  const { job_id } = (await client.post('/download-jobs', { file_ids }).expect(202)).body as { job_id: string };
  await eventually(
    () => client.get(`/download-jobs/${job_id}`).then(({ body }) => (body as { status: string }).status),
    (status) => status === 'completed',
    90_000,
  );
}
