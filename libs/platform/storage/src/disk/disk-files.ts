import type { BigIntStats } from 'node:fs';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Outage, Problem } from '@atrium/platform/kernel';
import type { DiskLayout } from './disk-layout';

/** How often a folder is made again that deletes beside prune; each time takes a delete of the last object in it, in that very moment. */
const RETRIES = 50;

const codeOf = (error: unknown): string => (typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '');

/** Whether the file is not there (or a folder of its path is not). */
export const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** A disk that is full, read-only or broken is a provider that failed; other errors stay what they are. */
export const diskFailure = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'].includes(codeOf(error))
    ? new Outage('storage', 'The object store cannot be used at the moment.', { cause: error })
    : error;

/** A file's content never changes once it is in place, so inode, time and size name it. */
export const etagOf = (stats: BigIntStats): string => [stats.ino, stats.mtimeNs, stats.size].map((value) => value.toString(16)).join('-');

/** Files that appear complete: written beside, flushed, and moved into place in one step. */
export class DiskFiles {
  constructor(private readonly layout: DiskLayout) {}

  /** A flushed temporary file that holds what `fill` wrote; removed again when that fails. */
  async composeFile(fill: (file: FileHandle) => Promise<void>): Promise<string> {
    await mkdir(this.layout.temporary, { recursive: true });
    const path = this.layout.newTemporary();
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await fill(file);
        await file.sync();
      } finally {
        await file.close();
      }
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw diskFailure(error);
    }
  }

  async duplicateFile(from: string): Promise<string> {
    await mkdir(this.layout.temporary, { recursive: true });
    const path = this.layout.newTemporary();
    try {
      await copyFile(from, path, constants.COPYFILE_FICLONE);
      await flush(path, 'r+');
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw diskFailure(error);
    }
  }

  /** Moves a composed file to its place; with `createOnly` an existing file wins (412). */
  async moveIntoPlace(
    temporary: string,
    path: string,
    options: { readonly createOnly?: boolean; readonly makeFolder?: boolean } = {},
  ): Promise<BigIntStats> {
    const { createOnly = false, makeFolder = true } = options;
    try {
      const placed = await stat(temporary, { bigint: true });
      // A folder may be pruned by a concurrent delete while it is made, and before the file is in it.
      for (let attempt = 1; ; attempt++) {
        try {
          if (makeFolder) await mkdir(dirname(path), { recursive: true });
          await (createOnly ? linkNew(temporary, path) : rename(temporary, path));
          break;
        } catch (error) {
          if (!makeFolder || !isAbsent(error) || attempt === RETRIES) throw error;
        }
      }
      await flush(dirname(path), 'r').catch((error: unknown) => {
        // The process that removed the file again removed the folder too.
        if (!makeFolder || !isAbsent(error)) throw error;
      });
      return placed;
    } catch (error) {
      throw diskFailure(error);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Removes the file and the folders it leaves empty. */
  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
    for (let folder = dirname(path); folder.length > this.layout.objects.length; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch {
        return;
      }
    }
  }

  /** Moves a folder away in one step, so that no reader finds half of it, and then deletes it. */
  async discardFolder(folder: string): Promise<void> {
    await mkdir(this.layout.temporary, { recursive: true });
    const aside = this.layout.newTemporary();
    try {
      await rename(folder, aside);
    } catch (error) {
      if (isAbsent(error)) return;
      throw diskFailure(error);
    }
    await rm(aside, { recursive: true, force: true });
  }

  /** Removes what a killed process left half-written or half-removed. */
  async sweepTemporary(before: Date): Promise<void> {
    const names = await readdir(this.layout.temporary).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw diskFailure(error);
    });
    for (const name of names) {
      const path = join(this.layout.temporary, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before) await rm(path, { recursive: true, force: true });
    }
  }
}

async function linkNew(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? new Problem('precondition_failed', 'The object already exists.') : error;
  });
}

async function flush(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
