import { HoldTargets } from '@atrium/governance';
import { requireScope, sql } from '@atrium/platform/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AlbumReadingRows } from '../infrastructure/album-reading.rows';

/**
 * Registers albums with legal holds: a held one keeps the files in it. The content of a smart album is not a fixed set, so it
 * cannot be held.
 */
@Injectable()
export class AlbumHolds implements OnModuleInit {
  constructor(
    private readonly albums: AlbumReadingRows,
    private readonly targets: HoldTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register('album', (id) => this.albums.hasCuratedAlbum(id));
    this.targets.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('album')} h JOIN album_file m ON m.tenant_id = ${requireScope().tenant_id} AND m.af_album = h.lh_target_id AND m.af_file = ${file_id}`,
    );
  }
}
