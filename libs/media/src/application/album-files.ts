import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, permissionDenied, type Principal } from '@atrium/platform/access';
import { invalidField } from '@atrium/platform/kernel';
import { FileLifecycle, FileReferences, UploadExtensions, type File, type KnownReferences, type UploadExtras } from '@atrium/files';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { MembershipsRepository } from '../infrastructure/memberships.repository';

/**
 * What the files context asks of albums: memberships are hidden while a file is in trash, uploads may name albums to
 * lie in, and a file's references name the albums that hold it.
 */
@Injectable()
export class AlbumFiles implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly uploads: UploadExtensions,
    private readonly references: FileReferences,
    private readonly albums: AlbumsRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onTrashed: (files) => this.memberships.setHidden(idsOf(files), true),
      onRestored: (files) => this.memberships.setHidden(idsOf(files), false),
    });
    this.uploads.register({
      validate: (caller, _repository, extras) => this.assertEditable(caller, extras),
      apply: (caller, file, extras) => this.addTo(caller, file, extras),
    });
    this.references.register({ referencesTo: (caller, file) => this.referencesTo(caller, file) });
  }

  private async assertEditable(caller: Principal, { album_ids }: UploadExtras): Promise<void> {
    if (!caller.permissions.has('media:edit')) throw permissionDenied(['media:edit']);
    for (const [at, id] of album_ids.entries()) {
      if (!(await this.mayEdit(caller, id))) throw invalidField(`album_ids[${at}]`, 'is no album that you may edit', 'reference');
    }
  }

  /** Albums that went or closed since the upload began are passed over. */
  private async addTo(caller: Principal, file: File, { album_ids }: UploadExtras): Promise<void> {
    for (const id of new Set(album_ids)) if (await this.mayEdit(caller, id)) await this.memberships.add(id, [file.file_id], caller.user_id);
  }

  private async mayEdit(caller: Principal, id: string): Promise<boolean> {
    const album = await this.albums.find(id);
    return album?.album_kind === 'media' && (aclLevel(album.album_acl, caller) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit;
  }

  private async referencesTo(caller: Principal, file: string): Promise<KnownReferences> {
    const albums = await this.memberships.albumsOf(caller, file);
    const shown = albums.filter((album) => album.readable);
    return {
      data: shown.map(({ album_id, album_name }) => ({ ref_type: 'album', ref_id: album_id, ref_name: album_name, ref_detail: null, ref_blocking: false })),
      hidden: albums.length - shown.length,
    };
  }
}

const idsOf = (files: readonly File[]): string[] => files.map((file) => file.file_id);
