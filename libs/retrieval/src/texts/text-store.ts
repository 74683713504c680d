import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, MINUTE, SECOND } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, providerOf } from '@atrium/platform/storage';
import { LRUCache } from 'lru-cache';
import { text } from 'node:stream/consumers';

const ADDRESS_SECONDS = 15 * 60;
/** Texts stored a moment ago: at most 32 of 16 Mi characters in all, each for five minutes. */
const HANDED_ON = { max: 32, maxSize: 16 * 2 ** 20, ttl: 5 * MINUTE, ttlAutopurge: true } as const;

/** Where the markdown of files is stored: beside their bytes, at the provider that has them. */
@Injectable()
export class TextStore {
  /** What was just stored, for the job that indexes it: often it runs on the worker that read the file. */
  private readonly handedOn = new LRUCache<string, string>({ ...HANDED_ON, sizeCalculation: ({ length }) => length + 1 });

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  /** Keeps the markdown made of such bytes; the key. Made again it is the same text under the same key. */
  async putMarkdown(
    file_id: string,
    version: string,
    { markdown, blob_key, engine }: { readonly markdown: string; readonly blob_key: string; readonly engine: string },
  ): Promise<string> {
    const provider = providerOf(blob_key);
    const key = `${provider === null ? '' : `p/${provider}/`}t/${requireScope().tenant_id}/text/${file_id}/${version}`;
    await this.store.putObject(key, Buffer.from(markdown, 'utf8'), { contentType: 'text/markdown; charset=utf-8' });
    this.handedOn.set(nameOf(key, engine), markdown);
    return key;
  }

  /** The markdown that an engine made, for the job that indexes it: what this worker has just stored is handed on once instead of fetched. */
  async readForIndexing(key: string, engine: string | null): Promise<string | null> {
    const name = nameOf(key, engine);
    const handedOn = this.handedOn.get(name);
    this.handedOn.delete(name);
    return handedOn ?? this.readMarkdown(key);
  }

  /** The markdown; null when the object is not there. */
  async readMarkdown(key: string): Promise<string | null> {
    try {
      return await text(await this.store.get(key));
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  /** A signed address of it. */
  async signAddress(key: string, name: string): Promise<{ readonly url: string; readonly expires_at: Date }> {
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

  async deleteMarkdown(keys: readonly string[]): Promise<void> {
    const deleted = new Set(keys);
    for (const name of [...this.handedOn.keys()]) if (deleted.has(keyOf(name))) this.handedOn.delete(name);
    if (keys.length > 0) await this.store.delete(keys);
  }
}

/** A text is named by its bytes and by the engine that read them, as the version of its passages is. */
const nameOf = (key: string, engine: string | null): string => `${key}@${engine ?? ''}`;
const keyOf = (name: string): string => name.slice(0, name.lastIndexOf('@'));
