import { Injectable } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';
import { AlbumKind } from '../domain/album-kind';

/** Registers the access lists of albums, so that access to them is explained and has a way back. */
@Injectable()
export class AlbumAcls {
  constructor(sources: AclSources, kind: AlbumKind) {
    sources.registerTable(kind.reference, {
      table: 'album',
      id: 'album_id',
      acl: 'album_acl',
      creator: 'album_created_by',
      name: 'album_name',
      view: kind.permissions.view,
      kind: sql`r.album_kind = ${kind.name}`,
      changed: `${kind.reference}.updated`,
    });
  }
}
