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
  @IdList({ min: 1, max: 10_000, about: 'Ids of library files; ids of anything else are skipped.' }) file_ids!: string[];
}

/** Files to put into an album. */
@Accepts()
export class AddAlbumFiles extends AlbumFileIds {
  @Choice(['first', 'last'], { omittable: true, about: 'To which end of the manual order they are put; `last` when absent.' }) position?:
    'first' | 'last';
}

/** Members of an album to put elsewhere in its order. */
@Accepts()
export class OrderAlbumFiles extends AlbumFileIds {
  @Ref({ omittable: true, about: 'The file in front of which they are put.' }) before?: string;
  @Ref({ omittable: true, about: 'The file behind which they are put. Without either: the end of the album.' }) after?: string;
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
  about: 'Id of the album that contains them, or `root` for the top level.',
});
acceptParameter(ListAlbums, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words of the name or description; quotes, `or` and `-` as in a web search.',
});

export class ListMemberships extends ListQuery(Membership, { extended: true }) {}

@Answer()
export class AlbumCover {
  @Ref({ about: 'The file it shows.' }) file_id!: string;
  @Text({ max: 4_000, format: 'uri', about: 'Signed address of the small rendition; good for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 320 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 213 }) height!: number;
  @Text({ optional: true, about: 'A placeholder of some 25 bytes, base64.' }) thumbhash!: string | null;
}

@Answer()
export class AlbumStep {
  @Ref({ optional: true, about: 'Null where the caller may not read it.' }) album_id!: string | null;
  @Text({ optional: true, about: 'Null where the caller may not read it.' }) album_name!: string | null;
}

@Answer()
class AlbumView extends View(Album) {
  @Whole({ about: 'Albums in it that the caller may read.', example: 3 }) album_child_count!: number;
  @Nested(() => AlbumCover, { optional: true, about: 'The cover file, else the newest member; null when there is none.' })
  album_cover_preview!: AlbumCover | null;
  @Choice(['view', 'edit', 'owner'], { about: 'What the caller may do with it.' }) album_access!: string;
  @Flag({ about: 'False where counting a smart album stopped at 10,000 files.' }) album_file_count_exact!: boolean;
  @Json({
    optional: true,
    about: 'What a smart album shows, in the search language; null for curated ones.',
    example: { where: { field: 'kind', op: 'eq', value: 'image' } },
  })
  album_query_search!: JsonObject | null;
}

@Answer()
export class AlbumDetail extends AlbumView {
  @NestedList(() => AlbumStep, { about: 'The albums above it, root first.' }) album_path!: AlbumStep[];
}

export class AlbumPage extends PageOf(AlbumView) {}

@Answer()
class MembershipView extends View(Membership) {}

export class MembershipPage extends PageOf(MembershipView) {}

@Answer()
export class AddedFiles {
  @Whole({ about: 'Files that are in it now and were not before.', example: 3 }) added!: number;
  @Whole({ about: 'Ids that name no file of the media library.', example: 0 }) skipped!: number;
  @Whole({ about: 'Files that were in it already.', example: 1 }) already!: number;
}

@Answer()
export class RemovedFiles {
  @Whole({ about: 'Files that were in it and are no longer.', example: 2 }) removed!: number;
}

@Answer()
export class OrderedFiles {
  @Whole({ about: 'Members that were put there.', example: 2 }) moved!: number;
  @Whole({ about: 'Ids that name no file of the album.', example: 0 }) skipped!: number;
}

@Answer()
export class AlbumStats {
  @Whole({ about: 'Albums the caller may read.', example: 12 }) count!: number;
  @Whole({ about: 'Of them, those a saved search fills.', example: 0 }) smart!: number;
  @Whole({ about: 'Of them, those filled by hand.', example: 12 }) curated!: number;
  @Whole({ about: 'Of the curated, those without a file.', example: 1 }) empty!: number;
  @Whole({ about: 'Of them, those at the top level.', example: 8 }) top_level!: number;
}
