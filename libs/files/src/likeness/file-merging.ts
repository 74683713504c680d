import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { SYSTEM_KEY, type File } from '../core/domain/file';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { FileStatuses } from '../core/application/file-statuses';
import { MergedFavoriteRows, type MovedFavorite } from './merged-favorites.rows';

/** Files that stay, and files whose marks and words go over to them; those best known come first. */
export interface FilesToMerge {
  readonly keepers: readonly string[];
  readonly others: readonly string[];
}

/** Metadata that a keeper got, with the values it got. */
export interface MovedMetadata {
  readonly file_id: string;
  readonly added: JsonObject;
}

export interface MovedSummary {
  readonly file_id: string;
  readonly summary: string;
}

const MOST_METADATA = 64 * 1024;

/**
 * Brings favorites, metadata and summaries of files over to others, and takes exactly that back. What a keeper has of its
 * own is never replaced; what people changed since stays as they left it. Called within a unit of work.
 */
@Injectable()
export class FileMerging {
  constructor(
    private readonly favorites: MergedFavoriteRows,
    private readonly files: FilesRepository,
    private readonly statuses: FileStatuses,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** A member who marked one of the others has marked every keeper. */
  mergeFavorites({ keepers, others }: FilesToMerge): Promise<MovedFavorite[]> {
    return this.favorites.copyFavorites(keepers, others);
  }

  async undoFavorites(moved: readonly MovedFavorite[]): Promise<void> {
    await this.favorites.deleteAdded(moved);
    await this.favorites.clearRestored(moved);
  }

  /** Metadata that a keeper has none of under its name, as far as there is room. */
  mergeMetadata(files: FilesToMerge): Promise<MovedMetadata[]> {
    return this.change(files, (keeper, others) => {
      const added = missing(keeper, others);
      if (Object.keys(added).length === 0) return null;
      keeper.describe({ ...keeper.file_metadata, ...added }, this.clock);
      return { file_id: keeper.file_id, added };
    });
  }

  async undoMetadata(moved: readonly MovedMetadata[]): Promise<void> {
    const added = new Map(moved.map((row) => [row.file_id, row.added]));
    await this.change({ keepers: [...added.keys()], others: [] }, (keeper) => {
      const given = added.get(keeper.file_id) ?? {};
      const kept = Object.fromEntries(
        Object.entries(keeper.file_metadata).filter(([key, value]) => !(key in given && isDeepStrictEqual(value, given[key]))),
      );
      keeper.describe(kept, this.clock);
      return keeper.file_id;
    });
  }

  /** The first summary there is, for keepers without one. */
  mergeSummary(files: FilesToMerge): Promise<MovedSummary[]> {
    return this.change(files, (keeper, others) => {
      const summary = others.find(({ file_summary }) => file_summary)?.file_summary;
      if (keeper.file_summary || !summary) return null;
      keeper.summarize(summary, this.clock);
      return { file_id: keeper.file_id, summary };
    });
  }

  async undoSummary(moved: readonly MovedSummary[]): Promise<void> {
    const given = new Map(moved.map((row) => [row.file_id, row.summary]));
    await this.change({ keepers: [...given.keys()], others: [] }, (keeper) => {
      if (keeper.file_summary !== given.get(keeper.file_id)) return null;
      keeper.summarize(null, this.clock);
      return keeper.file_id;
    });
  }

  /** Applies the others to each keeper, saves and reports; returns the changes. */
  private async change<C>({ keepers, others }: FilesToMerge, work: (keeper: File, others: readonly File[]) => C | null): Promise<C[]> {
    const locked = new Map((await this.files.lockMany([...keepers, ...others])).map((file) => [file.file_id, file]));
    const giving = others.flatMap((id) => locked.get(id) ?? []);
    const changes: C[] = [];
    for (const keeper of keepers.flatMap((id) => locked.get(id) ?? [])) {
      const change = work(keeper, giving);
      if (change === null) continue;
      await this.statuses.assertEditable(keeper);
      await this.files.save(keeper);
      this.outbox.emitEvent({ name: 'file.updated', subject_id: keeper.file_id, payload: { fields: ['file_metadata', 'file_summary'] } });
      changes.push(change);
    }
    return changes;
  }
}

function missing(keeper: File, others: readonly File[]): JsonObject {
  const added: Record<string, JsonValue> = {};
  for (const other of others) {
    for (const [key, value] of Object.entries(other.file_metadata)) {
      if (key === SYSTEM_KEY || key in keeper.file_metadata || key in added) continue;
      if (Buffer.byteLength(JSON.stringify({ ...keeper.file_metadata, ...added, [key]: value })) <= MOST_METADATA) added[key] = value;
    }
  }
  return added;
}
