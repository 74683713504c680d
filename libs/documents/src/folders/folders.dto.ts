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

/** `album_parent` as clients write it: an id or `root`. */
@Accepts()
class FolderPlacement {
  @Text({ optional: true, max: 36, about: 'Id of the parent folder; `root` or null for the top level.', example: 'root' })
  album_parent?: string | null;
}

@Accepts()
class SmartPlacement extends FolderPlacement {
  @Json({ max: QUERY_BYTES, about: 'What the folder shows, in the search language; at most 32 KB.', example: QUERY_EXAMPLE })
  query_search!: JsonObject;
}

@Accepts()
class ChangedSearch {
  @Json({ omittable: true, max: QUERY_BYTES, about: 'What the folder shows from now on, in the search language.', example: QUERY_EXAMPLE })
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

/** Documents by their ids. */
@Accepts()
export class FolderFileIds {
  @IdList({ min: 1, max: 10_000, about: 'Ids of documents; ids of anything else are skipped.' }) file_ids!: string[];
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
  about: 'Words of the name or description; quotes, `or` and `-` as in a web search.',
});

/** Membership of a document in a folder, and since when. */
@Resource({ table: 'album_file', sort: '-af_created', isFoundById: false, served: { af_album: ['af_created'], af_file: ['af_created'] } })
class FolderMembership extends TenantRow {
  @Id({ internal: true }) readonly af_id!: string;
  @Ref({ about: 'The folder.', filter: 'equals' }) readonly af_album!: string;
  @Ref({ about: 'The document.', filter: 'equals' }) readonly af_file!: string;
  @Stamp({ about: 'When the document was added.', sort: true }) readonly af_created!: Date;
  @Ref({ optional: true, about: 'Who added it.' }) readonly af_added_by!: string | null;
  @Text({ max: 400, about: 'Rank in the manual order of the folder: compared byte by byte.', example: '0655a1c9e3f2d0' })
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
      description: `Is one of these ${noun}; repeat the parameter.`,
    },
  );

@Answer()
class FolderMembershipView extends View(FolderMembership) {}

export class FolderMembershipPage extends PageOf(FolderMembershipView) {}

@Answer()
export class FolderCover {
  @Ref({ about: 'The document it shows.' }) file_id!: string;
  @Text({ max: 4_000, format: 'uri', about: 'Signed address of the small rendition; good for 15 minutes.' }) url!: string;
  @Whole({ about: 'Width in pixels.', example: 226 }) width!: number;
  @Whole({ about: 'Height in pixels.', example: 320 }) height!: number;
  @Text({ optional: true, about: 'A placeholder of some 25 bytes, base64.' }) thumbhash!: string | null;
}

@Answer()
export class FolderStep {
  @Ref({ optional: true, about: 'Null where the caller may not read it.' }) album_id!: string | null;
  @Text({ optional: true, about: 'Null where the caller may not read it.' }) album_name!: string | null;
}

@Answer()
class DocumentFolderView extends View(DocumentFolder) {
  @Whole({ about: 'Folders in it that the caller may read.', example: 3 }) album_child_count!: number;
  @Nested(() => FolderCover, { optional: true, about: 'The cover, else the newest document; null when there is none.' })
  album_cover_preview!: FolderCover | null;
  @Choice(['view', 'edit', 'owner'], { about: 'What the caller may do with it.' }) album_access!: string;
  @Flag({ about: 'False where counting stopped at 10,000 documents.' }) album_file_count_exact!: boolean;
  @Json({ optional: true, about: 'What a smart folder shows, in the search language; null for curated ones.', example: QUERY_EXAMPLE })
  album_query_search!: JsonObject | null;
}

@Answer()
export class DocumentFolderDetail extends DocumentFolderView {
  @NestedList(() => FolderStep, { about: 'The folders above it, top first.' }) album_path!: FolderStep[];
  @Whole({ about: 'Active documents in it that the caller may read.', example: 42 }) album_document_count!: number;
  @Whole({ about: 'Folders directly in it that the caller may read.', example: 3 }) album_folder_count!: number;
}

export class DocumentFolderPage extends PageOf(DocumentFolderView) {}

@Answer()
export class FolderAdded {
  @Whole({ about: 'Documents that are in it now and were not before.', example: 3 }) added!: number;
  @Whole({ about: 'Ids that name no document the caller may change.', example: 0 }) skipped!: number;
  @Whole({ about: 'Documents that were in it already.', example: 1 }) already!: number;
}

@Answer()
export class FolderRemoved {
  @Whole({ about: 'Documents that were in it and are no longer.', example: 2 }) removed!: number;
}

@Answer()
export class DocumentFolderStats {
  @Whole({ about: 'Folders the caller may read.', example: 12 }) count!: number;
  @Whole({ about: 'Of them, those a saved search fills.', example: 0 }) smart!: number;
  @Whole({ about: 'Of them, those filled by hand.', example: 12 }) curated!: number;
  @Whole({ about: 'Of the curated, those without a document that the caller meets in lists.', example: 1 }) empty!: number;
  @Whole({ about: 'Of them, those at the top level.', example: 8 }) top_level!: number;
}
