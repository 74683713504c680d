import { Injectable } from '@nestjs/common';
import type { PictureWidth } from '../domain/brand-checks';

export type WorkspaceFileKind = 'image' | 'font';

/** Port for the context that keeps files; it registers at start. Called within a unit of work. */
export interface WorkspaceFileSource {
  /** Which of the ids are live files of the workspace, of one of the kinds. */
  findExistingFiles(ids: readonly string[], kinds: readonly WorkspaceFileKind[]): Promise<ReadonlySet<string>>;
  /** How wide the live pictures among the ids are; those whose width nobody knows yet are left out. */
  findPictureWidths(ids: readonly string[]): Promise<ReadonlyMap<string, PictureWidth>>;
}

/** Files that people and brands name by id (avatars, logos, fonts), as far as the context of files knows them. */
@Injectable()
export class WorkspaceFiles {
  private source: WorkspaceFileSource | undefined;

  register(source: WorkspaceFileSource): void {
    if (this.source) throw new Error('Two contexts want to keep the files of a workspace.');
    this.source = source;
  }

  /** Those of the ids that may be named; within a unit of work. Trash, other workspaces and other kinds are left out. */
  async findExistingFiles(ids: Iterable<string>, kinds: readonly WorkspaceFileKind[]): Promise<ReadonlySet<string>> {
    const wanted = [...new Set([...ids].map((id) => id.toLowerCase()))];
    return wanted.length === 0 || !this.source ? new Set() : this.source.findExistingFiles(wanted, kinds);
  }

  /** Widths of pictures by file id; within a unit of work. */
  async findPictureWidths(ids: readonly string[]): Promise<ReadonlyMap<string, PictureWidth>> {
    return ids.length === 0 || !this.source ? new Map() : this.source.findPictureWidths([...new Set(ids)]);
  }
}
