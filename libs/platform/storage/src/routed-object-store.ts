import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import {
  ObjectMissing,
  ObjectStore,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type OpenUpload,
  type PartReceipt,
  type PutOptions,
  type PutPart,
  type SignGet,
  type SignPart,
  type SignPut,
  type SignedUpload,
  type UploadedPart,
} from './object-store';

/** A store besides the platform's own, and the prefix of its objects: empty, or ending in a slash. */
export interface ForeignStore {
  readonly store: ObjectStore;
  readonly prefix: string;
}

/** Opens a store by its id; null: there is no such store any more. */
export type ForeignStores = (provider: string) => Promise<ForeignStore | null>;

const FOREIGN = /^p\/([0-9a-f]{8}-[0-9a-f-]{27})\/(.*)$/;

/** The provider that a key or prefix names: `p/<id>/…`; null: the platform's own store. */
export const providerOf = (key: string): string | null => FOREIGN.exec(key)?.[1] ?? null;

/** Source of the stores of workspaces: the context that keeps their addresses registers here. */
@Injectable()
export class StoreRoutes {
  private source: ForeignStores | undefined;

  register(source: ForeignStores): void {
    this.source = source;
  }

  async openStore(provider: string): Promise<ForeignStore | null> {
    if (!this.source) throw new Problem('not_configured', "This host can reach only the platform's own storage.");
    return this.source(provider);
  }
}

interface Route {
  readonly store: ObjectStore;
  readonly key: string;
  /** What its keys are here, of a key there. */
  readonly back: (key: string) => string;
}

/**
 * All stores as one: a key names its provider, so the holder of a key reads, signs and deletes the object at the right provider,
 * whichever is the default by then.
 */
export class RoutedObjectStore extends ObjectStore {
  constructor(
    private readonly home: ObjectStore,
    private readonly routes: StoreRoutes,
  ) {
    super();
  }

  async signPut(put: SignPut): Promise<SignedUpload> {
    const { store, key } = await this.route(put.key);
    return store.signPut({ ...put, key });
  }

  async signGet(get: SignGet): Promise<string> {
    const { store, key } = await this.route(get.key);
    return store.signGet({ ...get, key });
  }

  async signPart(part: SignPart): Promise<SignedUpload> {
    const { store, key } = await this.route(part.key);
    return store.signPart({ ...part, key });
  }

  async beginMultipart(at: string, options?: { readonly contentType?: string }): Promise<string> {
    const { store, key } = await this.route(at);
    return store.beginMultipart(key, options);
  }

  async putPart(part: PutPart, body: Readable): Promise<string> {
    const { store, key } = await this.route(part.key);
    return store.putPart({ ...part, key }, body);
  }

  async listParts(at: string, uploadId: string): Promise<UploadedPart[]> {
    const { store, key } = await this.route(at);
    return store.listParts(key, uploadId);
  }

  async complete(at: string, uploadId: string, parts: readonly PartReceipt[]): Promise<ObjectStat> {
    const { store, key } = await this.route(at);
    return store.complete(key, uploadId, parts);
  }

  async abort(at: string, uploadId: string): Promise<void> {
    const route = await this.find(at);
    await route?.store.abort(route.key, uploadId);
  }

  async *openUploads(prefix: string): AsyncGenerator<OpenUpload> {
    const { store, key, back } = await this.route(prefix);
    for await (const upload of store.openUploads(key)) yield { ...upload, key: back(upload.key) };
  }

  async stat(at: string): Promise<ObjectStat | null> {
    const { store, key } = await this.route(at);
    return store.stat(key);
  }

  async get(at: string, range?: ByteRange): Promise<Readable> {
    const { store, key } = await this.route(at);
    return store.get(key, range);
  }

  async putObject(at: string, body: Readable | Buffer, options?: PutOptions): Promise<ObjectStat> {
    const { store, key } = await this.route(at);
    return store.putObject(key, body, options);
  }

  /** Between two providers the bytes pass through here. */
  async copy(from: string, to: string): Promise<ObjectStat> {
    const [source, target] = [await this.route(from), await this.route(to)];
    if (providerOf(from) === providerOf(to)) return source.store.copy(source.key, target.key);
    const stat = await source.store.stat(source.key);
    if (!stat) throw new ObjectMissing(from);
    return target.store.putObject(target.key, await source.store.get(source.key), {
      size: stat.size,
      ...(stat.contentType ? { contentType: stat.contentType } : {}),
    });
  }

  /** Objects of a provider that no longer exists are out of reach: as good as deleted. */
  async delete(keys: readonly string[]): Promise<void> {
    const byProvider = new Map<string | null, string[]>();
    for (const key of keys) byProvider.set(providerOf(key), [...(byProvider.get(providerOf(key)) ?? []), key]);
    for (const group of byProvider.values()) {
      const routed = await Promise.all(group.map((key) => this.find(key)));
      await routed[0]?.store.delete(routed.flatMap((route) => (route ? [route.key] : [])));
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const { store, key, back } = await this.route(prefix);
    for await (const object of store.list(key)) yield { ...object, key: back(object.key) };
  }

  /** Of the platform's own store: that of a workspace is reported to the workspace. */
  check(): Promise<void> {
    return this.home.check();
  }

  private async route(key: string): Promise<Route> {
    const route = await this.find(key);
    if (!route) throw new Problem('upstream_failed', 'The storage provider of these bytes no longer exists.');
    return route;
  }

  private async find(key: string): Promise<Route | null> {
    const [, provider, rest = ''] = FOREIGN.exec(key) ?? [];
    if (provider === undefined) return { store: this.home, key, back: (there) => there };
    const opened = await this.routes.openStore(provider);
    if (!opened) return null;
    const { store, prefix } = opened;
    return { store, key: prefix + rest, back: (there) => `p/${provider}/${there.slice(prefix.length)}` };
  }
}
