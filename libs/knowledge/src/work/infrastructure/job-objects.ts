import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { Readable } from 'node:stream';

const URL_SECONDS = 15 * 60;

/** What a stored object is called and what it is. */
export interface JobObjectKind {
  readonly name: string;
  readonly type: string;
}

/** What jobs store: reports, and files that were exported. Their keys begin with the job, so that nothing is left of one that goes. */
@Injectable()
export class JobObjects {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  /** Stores text as it comes; made again it takes the place of what a run that was cut off had stored. */
  async putObject(
    job_id: string,
    part: string,
    text: AsyncIterable<string | Uint8Array>,
    type: string,
  ): Promise<{ readonly key: string; readonly size: number }> {
    const key = `${prefixOf(job_id)}/${part}`;
    const { size } = await this.store.putObject(key, Readable.from(bytesOf(text), { objectMode: false }), { contentType: type });
    return { key, size };
  }

  /** A signed address; signing is local work. */
  async signAddress(key: string, { name, type }: JobObjectKind): Promise<{ readonly download_url: string; readonly expires_at: Date }> {
    const download_url = await this.store.signGet({
      key,
      expiresInSeconds: URL_SECONDS,
      contentType: type,
      disposition: 'attachment',
      downloadName: name,
    });
    return { download_url, expires_at: this.clock.after(URL_SECONDS * SECOND) };
  }

  async deleteObjects(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.store.delete(keys);
  }
}

const prefixOf = (job_id: string): string => `t/${requireScope().tenant_id}/knowledge/${job_id}`;

async function* bytesOf(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece;
}
