import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbox } from '@atrium/platform/messaging';
import { CarriedRows, type MovedMembership, type MovedTag } from '../infrastructure/carried-rows.repository';
import { recorded, rowsOf } from './carriers-of-files';
import { DuplicateCarriers } from './duplicate-carriers';

/** Carries what the library keeps about files: their albums and tags. */
@Injectable()
export class CarriersOfLibrary implements OnModuleInit {
  constructor(
    private readonly carriers: DuplicateCarriers,
    private readonly rows: CarriedRows,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.carriers.register({
      carries: 'albums',
      carry: async (files) => {
        const moved = await this.rows.memberships(files);
        this.tellAlbums(moved, 'added');
        return recorded(moved);
      },
      takeBack: async (record) => this.tellAlbums(await this.rows.removeMemberships(rowsOf<MovedMembership>(record)), 'removed'),
    });
    this.carriers.register({
      carries: 'tags',
      carry: async (files) => {
        const moved = await this.rows.tags(files);
        this.tellTags(moved);
        return recorded(moved);
      },
      takeBack: async (record) => this.tellTags(await this.rows.removeTags(rowsOf<MovedTag>(record))),
    });
  }

  private tellAlbums(moved: readonly MovedMembership[], how: 'added' | 'removed'): void {
    for (const album of new Set(moved.map(({ af_album }) => af_album))) {
      this.outbox.emitEvent({
        name: 'album.files_changed',
        subject_id: album,
        payload: { [how]: moved.filter(({ af_album }) => af_album === album).length },
      });
    }
  }

  private tellTags(moved: readonly MovedTag[]): void {
    for (const file of new Set(moved.map(({ ft_file }) => ft_file)))
      this.outbox.emitEvent({ name: 'file.tagged', subject_id: file, payload: {} });
  }
}
