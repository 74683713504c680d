import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, permissionDenied, type Principal } from '@atrium/platform/access';
import { Clock, invalidField } from '@atrium/platform/kernel';
import { FileLifecycle, FileReferences, UploadExtensions, type File, type KnownReferences, type UploadExtras } from '@atrium/files';
import type { Album } from '../domain/album';
import { DOCUMENT_FOLDERS, MEDIA_ALBUMS } from '../domain/album-kind';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { MembershipsRepository } from '../infrastructure/memberships.repository';

/**
 * What the files context asks of albums: memberships are hidden while a file is in trash, uploads may name
 * albums, and a file's references name the albums that hold it.
 */
@Injectable()
export class AlbumFiles implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly uploads: UploadExtensions,
    private readonly references: FileReferences,
    private readonly albums: AlbumsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onTrashed: (files) => this.memberships.setHidden(idsOf(files), true),
      onRestored: (files) => this.memberships.setHidden(idsOf(files), false),
      onMoved: (files) => this.memberships.removeFromAll(idsOf(files)),
    });
    this.uploads.register({
      validateExtras: (caller, _repository, extras) => this.assertEditable(caller, extras),
      applyExtras: (caller, file, extras) => this.addTo(caller, file, extras),
    });
    this.references.register({ referencesTo: (caller, file) => this.referencesTo(caller, file) });
  }

  private async assertEditable(caller: Principal, { album_ids }: UploadExtras): Promise<void> {
    if (album_ids.length > 0 && !caller.permissions.has('media:edit')) throw permissionDenied(['media:edit']);
    for (const [at, id] of album_ids.entries()) {
      const album = await this.albums.findRow(id);
      if (!album || !mayPutInto(caller, album)) throw invalidField(`album_ids[${at}]`, 'must be an album that you may edit', 'reference');
    }
  }

  /** Albums that went or closed since the upload began are passed over. */
  private async addTo(caller: Principal, file: File, { album_ids }: UploadExtras): Promise<void> {
    const albums = await this.albums.lockMany([...new Set(album_ids)]);
    for (const album of albums)
      if (mayPutInto(caller, album))
        await this.memberships.addMembers(album.album_id, [file.file_id], { by: caller.user_id, now: this.clock.now() });
  }

  private async referencesTo(caller: Principal, file: string): Promise<KnownReferences> {
    const albums = await this.memberships.listAlbumsOfFile(caller, file);
    const shown = albums.filter((album) => album.readable);
    return {
      data: shown.map(({ album_id, album_name, album_kind }) => ({
        ref_type: (album_kind === 'docs' ? DOCUMENT_FOLDERS : MEDIA_ALBUMS).reference,
        ref_id: album_id,
        ref_name: album_name,
        ref_detail: null,
        ref_blocking: false,
      })),
      hidden: albums.length - shown.length,
    };
  }
}

/** Curated albums that the caller may edit. */
const mayPutInto = (caller: Principal, { album_kind, album_smart, album_acl }: Album): boolean =>
  album_kind === 'media' && !album_smart && (aclLevel(album_acl, caller) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit;

const idsOf = (files: readonly File[]): string[] => files.map((file) => file.file_id);
