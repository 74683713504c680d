import type { ObjectStore } from '@atrium/platform/storage';

/** Bytes as far as they were looked at. */
export interface SeenBytes {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly size: number;
}

/** Start and end of an object; the end is empty when the start is all of it. */
export async function edgesOf(
  store: ObjectStore,
  { key, size }: { readonly key: string; readonly size: number },
  most: number,
): Promise<SeenBytes> {
  const head = await read(store, key, { start: 0, end: Math.min(most, size) - 1 });
  return { head, tail: await read(store, key, { start: Math.max(head.length, size - most), end: size - 1 }), size };
}

async function read(store: ObjectStore, key: string, range: { readonly start: number; readonly end: number }): Promise<Buffer> {
  if (range.end < range.start) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await store.get(key, range)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
