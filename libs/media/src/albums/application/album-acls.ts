import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';
import { AlbumKind } from '../domain/album-kind';

/** Registers the access lists of albums, so that access to them is explained and has a way back. */
@Injectable()
export class AlbumAcls implements OnModuleInit {
  constructor(
    private readonly sources: AclSources,
    private readonly kind: AlbumKind,
  ) {}

  onModuleInit(): void {
    this.sources.registerTable(this.kind.reference, {
      table: 'album',
      id: 'album_id',
      acl: 'album_acl',
      creator: 'album_created_by',
      name: 'album_name',
      view: this.kind.permissions.view,
      kind: sql`r.album_kind = ${this.kind.name}`,
      changed: `${this.kind.reference}.updated`,
    });
  }
}
