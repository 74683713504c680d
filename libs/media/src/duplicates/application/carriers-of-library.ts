import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbox } from '@atrium/platform/messaging';
import { CarriedRows, type MovedMembership, type MovedTag } from '../infrastructure/carried-rows.repository';
import { recordOfRows, rowsOf } from './carriers-of-files';
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
      carryOver: async (files) => {
        const moved = await this.rows.carryMemberships(files);
        this.tellAlbums(moved, 'added');
        return recordOfRows(moved);
      },
      undoCarry: async (record) => this.tellAlbums(await this.rows.removeMemberships(rowsOf<MovedMembership>(record)), 'removed'),
    });
    this.carriers.register({
      carries: 'tags',
      carryOver: async (files) => {
        const moved = await this.rows.carryTags(files);
        this.tellTags(moved);
        return recordOfRows(moved);
      },
      undoCarry: async (record) => this.tellTags(await this.rows.removeTags(rowsOf<MovedTag>(record))),
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
