import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, providerOf } from '@atrium/platform/storage';
import { text } from 'node:stream/consumers';

const ADDRESS_SECONDS = 15 * 60;

/** Where the markdown of files is stored: beside their bytes, at the provider that has them. */
@Injectable()
export class TextStore {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  /** Keeps the markdown made of such bytes; the key. Made again it is the same text under the same key. */
  async put(
    file_id: string,
    version: string,
    { markdown, blob_key }: { readonly markdown: string; readonly blob_key: string },
  ): Promise<string> {
    const provider = providerOf(blob_key);
    const key = `${provider === null ? '' : `p/${provider}/`}t/${requireScope().tenant_id}/text/${file_id}/${version}`;
    await this.store.put(key, Buffer.from(markdown, 'utf8'), { contentType: 'text/markdown; charset=utf-8' });
    return key;
  }

  /** The markdown; null when the object is not there. */
  async get(key: string): Promise<string | null> {
    try {
      return await text(await this.store.get(key));
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  /** A signed address of it. */
  async address(key: string, name: string): Promise<{ readonly url: string; readonly expires_at: Date }> {
    const expires_at = this.clock.after(ADDRESS_SECONDS * SECOND);
    const url = await this.store.signGet({
      key,
      expiresInSeconds: ADDRESS_SECONDS,
      contentType: 'text/markdown; charset=utf-8',
      disposition: 'attachment',
      downloadName: name,
    });
    return { url, expires_at };
  }

  async discard(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.store.delete(keys);
  }
}
