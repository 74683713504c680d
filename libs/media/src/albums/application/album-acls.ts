import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { AlbumsRepository } from '../infrastructure/albums.repository';

/** Tells of the access lists of albums where access is explained. */
@Injectable()
export class AlbumAcls implements OnModuleInit {
  constructor(
    private readonly sources: AclSources,
    private readonly albums: AlbumsRepository,
  ) {}

  onModuleInit(): void {
    this.sources.register('album', async (id) => {
      const album = await this.albums.find(id);
      return album?.album_kind === 'media' ? { acl: album.album_acl, name: album.album_name } : null;
    });
  }
}
