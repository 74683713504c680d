import { Injectable } from '@nestjs/common';
import { ACL_LEVELS, aclLevel, assertAclChange, assertAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { AclSubjects } from '@atrium/identity';
import { accessDenied, invalidField, isId, notFound, withArticle, type JsonObject } from '@atrium/platform/kernel';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { ClosedAlbums } from './closed-albums';

/** What a caller may do with an album, by its access list; unreadable answers 404, readable but not enough 403. */
@Injectable()
export class AlbumAccess {
  constructor(
    private readonly albums: AlbumsRepository,
    private readonly closed: ClosedAlbums,
    private readonly kind: AlbumKind,
    private readonly subjects: AclSubjects,
  ) {}

  /** The album locked for change, if the caller has the level. */
  lockAlbum(caller: Principal, id: string, level: AclLevel, precondition?: Precondition): Promise<Album> {
    return this.albums.lock(id, precondition, (album) => this.assertLevel(caller, album, level));
  }

  /** The album for looking, if the caller may. */
  async requireReadable(caller: Principal, id: string): Promise<Album> {
    const album = await this.albums.findRow(id);
    if (!album) throw notFound(this.kind.noun);
    this.assertLevel(caller, album, 'view');
    return album;
  }

  assertLevel(caller: Principal, album: Album, level: AclLevel): void {
    if (album.album_kind !== this.kind.name) throw notFound(this.kind.noun);
    assertAclLevel(album.album_acl, caller, level, this.kind.noun);
  }

  /** The parent album, by the id that the request names. */
  async requireParent(caller: Principal, id: string): Promise<Album> {
    if (!isId(id)) throw invalidField('album_parent', 'must be a uuid, root or null', 'uuid');
    const parent = await this.albums.findRow(id);
    const level = parent?.album_kind === this.kind.name ? aclLevel(parent.album_acl, caller) : 0;
    if (!parent || level === 0) throw invalidField('album_parent', `must be ${withArticle(this.kind.noun)} of this workspace`, 'reference');
    if (level !== null && level < ACL_LEVELS.edit)
      throw accessDenied(`You need edit access to the parent ${this.kind.noun}. Ask one of its owners for it.`);
    return parent;
  }

  async changeAccessList(caller: Principal, album: Album, acl: JsonObject): Promise<void> {
    assertAclChange(album.album_acl, caller, this.kind.noun);
    album.album_acl = await this.subjects.validateSubjects('album_acl', acl, { before: album.album_acl });
    this.closed.forgetLevels();
  }
}

/** The list of a copy: the caller owns it besides those who had access to the original; no one sees more than before. */
export function aclOfCopy(acl: JsonObject, { user_id }: Principal): JsonObject {
  if (aclLevel(acl, { user_id, role_ids: [], space_ids: [] }) === null) return {};
  return { ...acl, users: { ...(acl.users as JsonObject | undefined), [user_id]: 'owner' } };
}
