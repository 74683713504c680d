import { Injectable, type OnModuleInit } from '@nestjs/common';
import { NamedInHistory } from '@atrium/files';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { AlbumReadingRows } from '../infrastructure/album-reading.rows';

/** The albums and folders that histories of files name: to readers of the album alone, and to nobody once it is deleted. */
@Injectable()
export class AlbumsInHistory implements OnModuleInit {
  constructor(
    private readonly albums: AlbumReadingRows,
    private readonly history: NamedInHistory,
  ) {}

  onModuleInit(): void {
    this.history.register('album_id', (caller, ids) => this.readableTo(caller, ids));
  }

  private readableTo(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const kinds = [caller.permissions.has('media:view') ? 'media' : '', caller.permissions.has('document:view') ? 'docs' : ''];
    return this.albums.filterAlbums(ids, kinds, aclAllows('album_acl', caller, 'view'));
  }
}
