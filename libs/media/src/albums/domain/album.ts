import { Flag, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';

/** How many levels albums may nest. */
export const MAX_DEPTH = 20;

/**
 * A named selection of files. Albums nest, never in a circle; deleting one leaves its files in the library and its
 * children at the top level.
 */
@Resource({ table: 'album', sort: '-album_created' })
export class Album extends TenantRow {
  @Id({ about: 'Id of the album.' }) readonly album_id!: string;
  @Text({ min: 1, about: 'Name of the album; not unique.', example: 'Harbour at dusk', filter: 'contains', sort: true })
  album_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the album.', filter: 'contains' }) album_description!: string | null;
  @Ref({ optional: true, about: 'Library file shown as the cover. Default: the most recently added file.' }) album_cover_file!:
    string | null;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { client: 'ACME' } }) album_metadata!: JsonObject;
  @Json({
    about:
      'Access list: `{users, roles, spaces}` with `view`, `edit` or `owner` by id. If empty, every member with the permission has access.',
    example: {},
  })
  album_acl!: JsonObject;
  @Flag({ about: 'Whether the album is active. Inactive albums are listed only on request.', filter: 'equals' }) album_active!: boolean;
  @Flag({ about: 'Whether a saved search determines the files of the album. Cannot be changed.', filter: 'equals' }) album_smart!: boolean;
  @Ref({ optional: true, about: 'Saved search of a smart album. Null for curated albums.' }) album_query!: string | null;
  @Ref({ optional: true, about: 'Parent album. Null at the top level.' }) album_parent!: string | null;
  @Whole({ about: 'Number of files in the album, without files in the trash.', example: 42, generated: true })
  readonly album_file_count!: number;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) album_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) album_updated!: Date;
  @Ref({ optional: true, about: 'User who created it.' }) album_created_by!: string | null;
  @Text({ internal: true }) album_kind!: 'media' | 'docs';
  @Flag({ internal: true }) album_query_own!: boolean;
  @IdList({ internal: true, generated: true }) readonly album_path_ids!: readonly string[];

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      Album,
      'album_id' | 'album_kind' | 'album_name' | 'album_description' | 'album_metadata' | 'album_acl' | 'album_active' | 'album_created_by'
    >,
    now: Date,
  ): Album {
    return Object.assign(new Album(), {
      album_cover_file: null,
      album_smart: false,
      album_query: null,
      album_query_own: false,
      album_parent: null,
      album_path_ids: [],
      album_file_count: 0,
      album_created: now,
      album_updated: now,
      ...facts,
    });
  }

  /** Puts the album under another one, or at the top level. `levels` is how many levels of albums are below it. */
  moveUnder(parent: Pick<Album, 'album_id' | 'album_path_ids'> | null, levels: number): void {
    if (parent && (parent.album_id === this.album_id || parent.album_path_ids.includes(this.album_id))) throw circularMove(nounOf(this));
    const above = parent ? parent.album_path_ids.length + 1 : 0;
    if (above + 1 + levels > MAX_DEPTH)
      throw new Problem(
        'invalid_move',
        `${this.album_kind === 'docs' ? 'Folders' : 'Albums'} can be nested at most ${MAX_DEPTH} levels deep.`,
      );
    this.album_parent = parent?.album_id ?? null;
  }

  /** Files are put into curated albums only; a smart one shows what its search finds. */
  assertCurated(): void {
    if (this.album_smart)
      throw new Problem('invalid_state', `A smart ${nounOf(this)} shows the results of its saved search. Change the search instead.`);
  }

  assertSmart(): void {
    if (!this.album_smart)
      throw new Problem('invalid_state', `The ${nounOf(this)} is curated and has no saved search. Add and remove its files instead.`);
  }

  touch(clock: Clock): void {
    this.album_updated = clock.now();
  }
}

const nounOf = ({ album_kind }: Pick<Album, 'album_kind'>): string => (album_kind === 'docs' ? 'folder' : 'album');

const circularMove = (noun: string): Problem =>
  new Problem(
    'invalid_move',
    `${noun === 'album' ? 'An' : 'A'} ${noun} cannot be moved into itself or into ${noun === 'album' ? 'an' : 'a'} ${noun} below it.`,
  );
