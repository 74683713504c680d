import { Choice, Flag, IdList, Json, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { Album } from '../domain/album';
import { Membership } from '../domain/membership';

const OPTIONAL = ['album_description', 'album_cover_file', 'album_metadata', 'album_acl', 'album_active'] as const;

/** `album_parent` as clients write it: an id, `root` or null. */
@Accepts()
class Placement {
  @Text({ optional: true, max: 36, about: 'Id of the parent album; `root` or null for the top level.', example: 'root' }) album_parent?:
    string | null;
}

export class CreateAlbum extends Body(Album, {
  required: ['album_name'],
  optional: [...OPTIONAL, 'album_smart', 'album_query'],
  with: Placement,
}) {}

export class ChangeAlbum extends Body(Album, { optional: ['album_name', ...OPTIONAL], with: Placement }) {}

/** Files by their ids. */
@Accepts()
export class AlbumFileIds {
  @IdList({ min: 1, max: 10_000, about: 'Ids of library files. Other ids are skipped.' }) file_ids!: string[];
}

/** Files to put into an album. */
@Accepts()
export class AddAlbumFiles extends AlbumFileIds {
  @Choice(['first', 'last'], { omittable: true, about: 'End of the manual order to which they are added. Default: `last`.' }) position?:
    'first' | 'last';
}

/** Members of an album to put elsewhere in its order. */
@Accepts()
export class OrderAlbumFiles extends AlbumFileIds {
  @Ref({ omittable: true, about: 'File of the album before which they are placed.' }) before?: string;
  @Ref({ omittable: true, about: 'File of the album after which they are placed. Without `before` and `after`: at the end of the album.' })
  after?: string;
}

export class CopyAlbum extends Body(Album, { required: ['album_name'] }) {}

export class ListAlbums extends ListQuery(Album) {
  album_parent?: string;
  album_active?: boolean;
  full_text_search?: string;
}
acceptParameter(ListAlbums, {
  name: 'album_parent',
  kind: 'text',
  min: 1,
  max: 36,
  form: { pattern: /^(root|[0-9a-fA-F-]{36})$/, words: 'the id of an album, or root' },
  about: 'Only albums in this album, or `root` for the top level.',
});
acceptParameter(ListAlbums, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Searches name and description. Supports quotes, `or` and `-`.',
});

export class ListMemberships extends ListQuery(Membership, { extended: true }) {}

@Answer()
export class AlbumCover {
  @Ref({ about: 'File that is shown.' }) file_id!: string;
  @Text({ max: 4_000, format: 'uri', about: 'Signed URL of the small rendition, valid for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 320 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 213 }) height!: number;
  @Text({ optional: true, about: 'Placeholder image (ThumbHash) of about 25 bytes, base64-encoded.' }) thumbhash!: string | null;
}

@Answer()
export class AlbumStep {
  @Ref({ optional: true, about: 'Null if you may not read the album.' }) album_id!: string | null;
  @Text({ optional: true, about: 'Null if you may not read the album.' }) album_name!: string | null;
}

@Answer()
class AlbumView extends View(Album) {
  @Whole({ about: 'Number of child albums that you may read.', example: 3 }) album_child_count!: number;
  @Nested(() => AlbumCover, {
    optional: true,
    about: 'The cover file, otherwise the most recently added file. Null if the album is empty.',
  })
  album_cover_preview!: AlbumCover | null;
  @Choice(['view', 'edit', 'owner'], { about: 'Your access level.' }) album_access!: string;
  @Flag({ about: 'False if counting a smart album stopped at 10,000 files.' }) album_file_count_exact!: boolean;
  @Json({
    optional: true,
    about: 'Filter of a smart album in the search language. Null for curated albums.',
    example: { where: { field: 'kind', op: 'eq', value: 'image' } },
  })
  album_query_search!: JsonObject | null;
}

@Answer()
export class AlbumDetail extends AlbumView {
  @NestedList(() => AlbumStep, { about: 'Ancestors of the album, topmost first.' }) album_path!: AlbumStep[];
}

export class AlbumPage extends PageOf(AlbumView) {}

@Answer()
class MembershipView extends View(Membership) {}

export class MembershipPage extends PageOf(MembershipView) {}

@Answer()
export class AddedFiles {
  @Whole({ about: 'Number of files added.', example: 3 }) added!: number;
  @Whole({ about: 'Number of ids that are not files of the media library.', example: 0 }) skipped!: number;
  @Whole({ about: 'Number of files that were already in the album.', example: 1 }) already!: number;
}

@Answer()
export class RemovedFiles {
  @Whole({ about: 'Number of files removed.', example: 2 }) removed!: number;
}

@Answer()
export class OrderedFiles {
  @Whole({ about: 'Number of files moved.', example: 2 }) moved!: number;
  @Whole({ about: 'Number of ids that are not files of the album.', example: 0 }) skipped!: number;
}

@Answer()
export class AlbumStats {
  @Whole({ about: 'Number of albums that you may read.', example: 12 }) count!: number;
  @Whole({ about: 'Number of smart albums among them.', example: 0 }) smart!: number;
  @Whole({ about: 'Number of curated albums among them.', example: 12 }) curated!: number;
  @Whole({ about: 'Number of curated albums without files.', example: 1 }) empty!: number;
  @Whole({ about: 'Number of albums at the top level.', example: 8 }) top_level!: number;
}
