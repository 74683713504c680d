import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository } from '../infrastructure/albums.repository';

/** Shows the access lists of albums where access is explained. */
@Injectable()
export class AlbumAcls implements OnModuleInit {
  constructor(
    private readonly sources: AclSources,
    private readonly albums: AlbumsRepository,
    private readonly kind: AlbumKind,
  ) {}

  onModuleInit(): void {
    this.sources.register(this.kind.reference, async (id) => {
      const album = await this.albums.find(id);
      return album?.album_kind === this.kind.name ? { acl: album.album_acl, name: album.album_name } : null;
    });
  }
}
