import { Choice, IdList, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Album } from '../domain/album';
import { Membership } from '../domain/membership';

const OPTIONAL = ['album_description', 'album_cover_file', 'album_metadata', 'album_acl', 'album_active'] as const;

/** `album_parent` as clients write it: an id, `root` or null. */
@Accepts()
class Placement {
  @Text({ optional: true, max: 36, about: 'Id of the album to lie in; `root` or null for the top level.', example: 'root' }) album_parent?: string | null;
}

export class CreateAlbum extends Body(Album, { required: ['album_name'], optional: OPTIONAL, with: Placement }) {}

export class ChangeAlbum extends Body(Album, { optional: ['album_name', ...OPTIONAL], with: Placement }) {}

/** Files by their ids. */
@Accepts()
export class AlbumFileIds {
  @IdList({ min: 1, max: 10_000, about: 'Ids of library files; ids of anything else are skipped.' }) file_ids!: string[];
}

export class ListAlbums extends ListQuery(Album) {
  album_parent?: string;
  album_active?: boolean;
  full_text_search?: string;
}
acceptParameter(ListAlbums, { name: 'album_parent', kind: 'text', min: 1, max: 36, pattern: /^(root|[0-9a-fA-F-]{36})$/, about: 'Id of the album they lie in, or `root` for the top level.' });
acceptParameter(ListAlbums, { name: 'full_text_search', kind: 'text', min: 1, max: 200, about: 'Words of the name or description; quotes, `or` and `-` as in a web search.' });

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
export class AlbumView extends View(Album) {
  @Whole({ about: 'Albums in it that the caller may read.', example: 3 }) album_child_count!: number;
  @Nested(() => AlbumCover, { optional: true, about: 'The cover file, else the newest member; null when there is none.' }) album_cover_preview!: AlbumCover | null;
  @Choice(['view', 'edit', 'owner'], { about: 'What the caller may do with it.' }) album_access!: string;
}

@Answer()
export class AlbumDetail extends AlbumView {
  @NestedList(() => AlbumStep, { about: 'The albums above it, root first.' }) album_path!: AlbumStep[];
}

export class AlbumPage extends PageOf(AlbumView) {}

@Answer()
export class MembershipView extends View(Membership) {}

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
export class AlbumStats {
  @Whole({ about: 'Albums the caller may read.', example: 12 }) count!: number;
  @Whole({ about: 'Of them, those a saved search fills.', example: 0 }) smart!: number;
  @Whole({ about: 'Of them, those filled by hand.', example: 12 }) curated!: number;
  @Whole({ about: 'Of the curated, those without a file.', example: 1 }) empty!: number;
  @Whole({ about: 'Of them, those at the top level.', example: 8 }) top_level!: number;
}
