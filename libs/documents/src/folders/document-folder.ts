import { Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** A folder of the document library as clients see it: a row of `album`, which names the top level `root`. */
@Resource({ table: 'album', sort: '-album_created' })
export class DocumentFolder extends TenantRow {
  @Id({ about: 'Id of the folder.' }) readonly album_id!: string;
  @Text({ min: 1, about: 'Name of the folder; need not be unique.', example: 'Contracts', filter: 'contains', sort: true })
  album_name!: string;
  @Text({ max: 5_000, optional: true, about: 'Description of the folder.', filter: 'contains' }) album_description!: string | null;
  @Ref({ optional: true, about: 'Document shown as the cover; when omitted, the newest document in the folder.' }) album_cover_file!:
    string | null;
  @Json({ about: 'Your own metadata, at most 64 KB.', example: { client: 'ACME' } }) album_metadata!: JsonObject;
  @Json({
    about:
      'Access list of the folder and its documents: {users, roles, spaces}, each with view, edit or owner by id. When empty, everyone with the permission has access.',
    example: {},
  })
  album_acl!: JsonObject;
  @Flag({ about: 'Whether the folder is active. Inactive folders are listed only on request.', filter: 'equals' }) album_active!: boolean;
  @Flag({ about: 'Whether a saved search determines the contents of the folder. Cannot be changed.' }) album_smart!: boolean;
  @Ref({ optional: true, about: 'Saved search of a smart folder; null for curated folders.' }) album_query!: string | null;
  @Text({ max: 36, about: 'Id of the parent folder, or `root`.', example: 'root' }) album_parent!: string;
  @Whole({ about: 'Number of active documents in the folder that you can view.', example: 42, generated: true })
  readonly album_file_count!: number;
  @Stamp({ about: 'When the folder was created.', filter: 'range', sort: true }) readonly album_created!: Date;
  @Stamp({ about: 'When the folder was last changed.', filter: 'range', sort: true }) readonly album_updated!: Date;
  @Ref({ optional: true, about: 'Who created the folder.' }) readonly album_created_by!: string | null;
}
