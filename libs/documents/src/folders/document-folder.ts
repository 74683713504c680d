import { Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** A folder of the document library as clients see it: a row of `album`, which names the top level `root`. */
@Resource({ table: 'album', sort: '-album_created' })
export class DocumentFolder extends TenantRow {
  @Id({ about: 'Id of the folder.' }) readonly album_id!: string;
  @Text({ min: 1, about: 'Name; not unique.', example: 'Contracts', filter: 'contains', sort: true }) album_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the folder is about.', filter: 'contains' }) album_description!: string | null;
  @Ref({ optional: true, about: 'Document shown as the cover; absent: the newest one in it.' }) album_cover_file!: string | null;
  @Json({ about: 'Free metadata, at most 64 KB.', example: { client: 'ACME' } }) album_metadata!: JsonObject;
  @Json({
    about:
      'Who may see and change it and the documents in it: {users, roles, spaces} with view, edit or owner by id. Empty: everybody with the permission.',
    example: {},
  })
  album_acl!: JsonObject;
  @Flag({ about: 'Inactive folders are left out of lists unless asked for.', filter: 'equals' }) album_active!: boolean;
  @Flag({ about: 'Whether a saved search decides its contents; does not change.' }) album_smart!: boolean;
  @Ref({ optional: true, about: 'The saved search that fills it; null for curated folders.' }) album_query!: string | null;
  @Text({ max: 36, about: 'Id of the parent folder, or `root`.', example: 'root' }) album_parent!: string;
  @Whole({ about: 'Active documents in it that the caller may read.', example: 42, generated: true }) readonly album_file_count!: number;
  @Stamp({ about: 'When it was made.', filter: 'range', sort: true }) readonly album_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) readonly album_updated!: Date;
  @Ref({ optional: true, about: 'Who made it.' }) readonly album_created_by!: string | null;
}
