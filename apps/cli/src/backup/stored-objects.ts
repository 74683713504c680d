import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, opendir, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface HeldObject {
  /** Path below the folder of the store. */
  readonly path: string;
  readonly size: number;
}

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Every file below a folder, by its path from there. */
async function* filesBelow(folder: string, below = ''): AsyncGenerator<string> {
  const entries = await opendir(join(folder, below)).catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else if (entry.isFile()) yield path;
  }
}

export async function hasFiles(folder: string): Promise<boolean> {
  for await (const path of filesBelow(folder)) return path !== '';
  return false;
}

/**
 * The objects of a disk store held by second names (hard links) on the same file system: what the service deletes while
 * they are copied stays readable. It takes no room and no lock.
 */
export class HeldObjects {
  private readonly folder: string;
  private readonly objects: string;

  constructor(root: string) {
    this.objects = join(root, 'objects');
    this.folder = join(root, 'temporary', `backup-${randomBytes(8).toString('hex')}`);
  }

  /** Holds the current objects; a repeated call adds newer ones. */
  async holdObjects(): Promise<void> {
    for await (const path of filesBelow(this.objects)) {
      const [from, to] = [join(this.objects, path), join(this.folder, path)];
      await mkdir(dirname(to), { recursive: true });
      await link(from, to).catch((error: unknown) => (isThere(error) ? follow(from, to) : unlessGone(error)));
    }
  }

  hasObject(path: string): Promise<boolean> {
    return lstat(join(this.folder, path)).then(
      () => true,
      () => false,
    );
  }

  async *listObjects(): AsyncGenerator<HeldObject> {
    for await (const path of filesBelow(this.folder)) yield { path, size: (await lstat(join(this.folder, path))).size };
  }

  readObject(path: string): AsyncIterable<Buffer> {
    return createReadStream(join(this.folder, path), { highWaterMark: 1 << 20 });
  }

  async releaseObjects(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** An object that was rewritten since it was held: the new one is held. */
async function follow(from: string, to: string): Promise<void> {
  const [now, held] = await Promise.all([lstat(from).catch(unlessGone), lstat(to)]);
  if (!now || now.ino === held.ino) return;
  await unlink(to);
  await link(from, to).catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}
