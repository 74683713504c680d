import { Injectable } from '@nestjs/common';
import type { AclLevel, Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumFileRows, type ShownContents } from '../infrastructure/album-files.rows';
import { ClosedAlbums } from './closed-albums';
import { COUNTED, SmartContents } from './smart-contents';

type Covered = Pick<Album, 'album_id' | 'album_cover_file'>;

/** Contents of albums whose access lists guard the files in them: closed files appear in no count, cover or membership. */
@Injectable()
export class GuardedContents {
  constructor(
    private readonly files: AlbumFileRows,
    private readonly contents: SmartContents,
    private readonly closed: ClosedAlbums,
    private readonly kind: AlbumKind,
  ) {}

  /** Condition on `r`: a file that the reader meets in lists; null where every member may be shown. */
  async buildShownCondition(reader: Principal): Promise<Sql | null> {
    return this.kind.guardsFiles ? this.contents.buildContentCondition(reader, {}) : null;
  }

  /** What the albums hold for the reader, in one statement however many they are; null where the kept counts are right for everybody. */
  async countContents(reader: Principal, albums: readonly Covered[]): Promise<ReadonlyMap<string, ShownContents> | null> {
    const shown = await this.buildShownCondition(reader);
    if (!shown || albums.length === 0) return shown && new Map<string, ShownContents>();
    return this.files.countShown(albums, shown, COUNTED + 1);
  }

  /** Whether no album that holds the file is closed to the caller. */
  async isOpen(caller: Principal, file: string): Promise<boolean> {
    return (await this.open(caller, [file], 'view')).length > 0;
  }

  /** Those of the files that the caller may change: no album that holds them gives less. */
  async filterEditable(caller: Principal, files: readonly string[]): Promise<readonly string[]> {
    return this.open(caller, files, 'edit');
  }

  private async open(caller: Principal, files: readonly string[], level: AclLevel): Promise<readonly string[]> {
    if (!this.kind.guardsFiles || files.length === 0) return files;
    const open = await this.files.filterFilesOutside(this.closed.closedIdsQuery(caller, this.kind.name, level), files);
    return files.filter((file) => open.has(file));
  }
}
