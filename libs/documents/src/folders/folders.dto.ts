import {
  Choice,
  Flag,
  Id,
  IdList,
  Json,
  Nested,
  NestedList,
  Ref,
  Resource,
  Stamp,
  TenantRow,
  Text,
  Whole,
} from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { DocumentFolder } from './document-folder';

const QUERY_BYTES = 32 * 1024;
const QUERY_EXAMPLE = { where: { all: [{ field: 'format', op: 'eq', value: 'pdf' }] } };
const OPTIONAL = ['album_description', 'album_cover_file', 'album_metadata', 'album_acl'] as const;

/** `album_parent` as clients send it: an id or `root`. */
@Accepts()
class FolderPlacement {
  @Text({ optional: true, max: 36, about: 'Id of the parent folder; `root` or null for the top level.', example: 'root' })
  album_parent?: string | null;
}

@Accepts()
class SmartPlacement extends FolderPlacement {
  @Json({ max: QUERY_BYTES, about: 'Filter of the folder, in the search language; at most 32 KB.', example: QUERY_EXAMPLE })
  query_search!: JsonObject;
}

@Accepts()
class ChangedSearch {
  @Json({
    omittable: true,
    max: QUERY_BYTES,
    about: 'New filter of the folder, in the search language; at most 32 KB.',
    example: QUERY_EXAMPLE,
  })
  query_search?: JsonObject;
}

export class CreateDocumentFolder extends Body(DocumentFolder, {
  required: ['album_name'],
  optional: [...OPTIONAL, 'album_active', 'album_smart', 'album_query'],
  with: FolderPlacement,
}) {}

export class ChangeDocumentFolder extends Body(DocumentFolder, {
  optional: ['album_name', ...OPTIONAL, 'album_active'],
  with: FolderPlacement,
}) {}

export class CreateSmartFolder extends Body(DocumentFolder, {
  required: ['album_name'],
  optional: ['album_description'],
  with: SmartPlacement,
}) {}

export class ChangeSmartFolder extends Body(DocumentFolder, { optional: ['album_name', 'album_description'], with: ChangedSearch }) {}

/** Ids of documents. */
@Accepts()
export class FolderFileIds {
  @IdList({ min: 1, max: 10_000, about: 'Ids of documents; other ids are skipped.' }) file_ids!: string[];
}

export class ListDocumentFolders extends ListQuery(DocumentFolder) {
  album_parent?: string;
  album_active?: boolean;
  full_text_search?: string;
}
acceptParameter(ListDocumentFolders, {
  name: 'album_parent',
  kind: 'text',
  min: 1,
  max: 36,
  form: { pattern: /^(root|[0-9a-fA-F-]{36})$/, words: 'the id of a folder, or root' },
  about: 'Id of the parent folder, or `root` for the top level.',
});
acceptParameter(ListDocumentFolders, {
  name: 'full_text_search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Words in the name or description. Supports quotes, `or` and `-`, as in a web search.',
});

/** A document in a folder, and since when. */
@Resource({ table: 'album_file', sort: '-af_created', isFoundById: false, served: { af_album: ['af_created'], af_file: ['af_created'] } })
class FolderMembership extends TenantRow {
  @Id({ internal: true }) readonly af_id!: string;
  @Ref({ about: 'Id of the folder.', filter: 'equals' }) readonly af_album!: string;
  @Ref({ about: 'Id of the document.', filter: 'equals' }) readonly af_file!: string;
  @Stamp({ about: 'When the document was added.', sort: true }) readonly af_created!: Date;
  @Ref({ optional: true, about: 'Who added the document.' }) readonly af_added_by!: string | null;
  @Text({ max: 400, about: 'Position in the manual order of the folder. Positions are compared byte by byte.', example: '0655a1c9e3f2d0' })
  readonly af_position!: string;
}

export class ListFolderMemberships extends ListQuery(FolderMembership) {
  override af_album?: string[];
  override af_file?: string[];
}
for (const [name, noun] of [
  ['af_album', 'folders'],
  ['af_file', 'documents'],
] as const)
  acceptParameter(
    ListFolderMemberships,
    { name, kind: 'ids', min: 1, max: 200 },
    {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      maxItems: 200,
      description: `Only these ${noun}; repeat the parameter for several.`,
    },
  );

@Answer()
class FolderMembershipView extends View(FolderMembership) {}

export class FolderMembershipPage extends PageOf(FolderMembershipView) {}

@Answer()
export class FolderCover {
  @Ref({ about: 'Document shown on the cover.' }) file_id!: string;
  @Text({ max: 4_000, format: 'uri', about: 'Signed URL of the small rendition, valid for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 226 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 320 }) height!: number;
  @Text({ optional: true, about: 'Placeholder image of about 25 bytes, in base64.' }) thumbhash!: string | null;
}

@Answer()
export class FolderStep {
  @Ref({ optional: true, about: 'Cover of the folder; null if you cannot view it.' }) album_id!: string | null;
  @Text({ optional: true, about: 'Id of the parent folder; null if you cannot view it.' }) album_name!: string | null;
}

@Answer()
class DocumentFolderView extends View(DocumentFolder) {
  @Whole({ about: 'Number of subfolders that you can view.', example: 3 }) album_child_count!: number;
  @Nested(() => FolderCover, { optional: true, about: 'The chosen cover, or the newest document; null for a folder without documents.' })
  album_cover_preview!: FolderCover | null;
  @Choice(['view', 'edit', 'owner'], { about: 'Your access level for the folder.' }) album_access!: string;
  @Flag({ about: 'False if counting stopped at 10,000 documents.' }) album_file_count_exact!: boolean;
  @Json({ optional: true, about: 'Filter of a smart folder, in the search language; null for curated folders.', example: QUERY_EXAMPLE })
  album_query_search!: JsonObject | null;
}

@Answer()
export class DocumentFolderDetail extends DocumentFolderView {
  @NestedList(() => FolderStep, { about: 'Parent folders, from the top level down.' }) album_path!: FolderStep[];
  @Whole({ about: 'Number of active documents in the folder that you can view.', example: 42 }) album_document_count!: number;
  @Whole({ about: 'Number of direct subfolders that you can view.', example: 3 }) album_folder_count!: number;
}

export class DocumentFolderPage extends PageOf(DocumentFolderView) {}

@Answer()
export class FolderAdded {
  @Whole({ about: 'Number of documents added to the folder.', example: 3 }) added!: number;
  @Whole({ about: 'Number of ids skipped because they are not documents that you can edit.', example: 0 }) skipped!: number;
  @Whole({ about: 'Number of documents that were already in the folder.', example: 1 }) already!: number;
}

@Answer()
export class FolderRemoved {
  @Whole({ about: 'Number of documents removed from the folder.', example: 2 }) removed!: number;
}

@Answer()
export class DocumentFolderStats {
  @Whole({ about: 'Number of folders that you can view.', example: 12 }) count!: number;
  @Whole({ about: 'Number of smart folders, which show the results of a saved search.', example: 0 }) smart!: number;
  @Whole({ about: 'Number of curated folders, which are filled by hand.', example: 12 }) curated!: number;
  @Whole({ about: 'Number of curated folders without a document that is listed for you.', example: 1 }) empty!: number;
  @Whole({ about: 'Number of folders at the top level.', example: 8 }) top_level!: number;
}
