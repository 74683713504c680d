import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AlbumMembers, type AddedMembers, type MembershipRow } from '@atrium/media';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import {
  ChangeDocumentFolder,
  ChangeSmartFolder,
  CreateDocumentFolder,
  CreateSmartFolder,
  DocumentFolderDetail,
  DocumentFolderPage,
  DocumentFolderStats,
  FolderAdded,
  FolderFileIds,
  FolderMembershipPage,
  FolderRemoved,
  ListDocumentFolders,
  ListFolderMemberships,
} from './folders.dto';
import { FoldersService, type FolderAnswer, type FolderDetailAnswer } from './folders.service';

const LICENSE = 'module-documents';

@ApiTags('Document folders')
@Controller('document-folders')
export class FoldersController {
  constructor(
    private readonly folders: FoldersService,
    private readonly members: AlbumMembers,
  ) {}

  /**
   * Lists document folders with cover, document count and folder count.
   *
   * Newest first; `album_parent=root` begins at the top level. Only folders the caller may read; inactive ones are left
   * out unless `album_active=false` asks for them.
   */
  @Get()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentFolderPage, 'A page of folders.')
  list(@Caller() caller: Principal, @Query() query: ListDocumentFolders): Promise<Page<FolderAnswer>> {
    return this.folders.list(caller, query);
  }

  /**
   * Creates an empty document folder, or a smart one over a saved search.
   *
   * The parent must be one the caller may edit; the cover must be a document. `album_smart` needs `album_query`, a saved
   * search of the document library; POST /document-folders/smart makes both at once. 409 beyond 10,000 folders.
   */
  @Post()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Creates(DocumentFolderDetail, 'document-folders/{album_id}')
  @Problems('invalid_move', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateDocumentFolder): Promise<FolderDetailAnswer> {
    return this.folders.create(caller, body);
  }

  /**
   * Creates a smart folder: a saved filter that shows whatever matches it now.
   *
   * The filter is read in the search language; every fault of it is named with its path. It runs with the rights of
   * the reader of the folder; without a leaf `lifecycle` it shows active documents only.
   */
  @Post('smart')
  @Named('createSmartDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Creates(DocumentFolderDetail, 'document-folders/{album_id}')
  @Problems('invalid_move', 'limit_reached')
  createSmart(@Caller() caller: Principal, @FromBody() body: CreateSmartFolder): Promise<FolderDetailAnswer> {
    return this.folders.createSmart(caller, body);
  }

  /**
   * Counts the document folders of the workspace.
   */
  @Get('stats')
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentFolderStats, 'How many folders there are.')
  stats(@Caller() caller: Principal): Promise<Record<string, number>> {
    return this.folders.stats(caller);
  }

  /**
   * Lists the documents of curated folders.
   *
   * Without the documents; narrow by `af_album` or `af_file`. Folders the caller may not read are left out, and so are
   * documents that are deprecated, in trash or closed to the caller.
   */
  @Get('memberships')
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(FolderMembershipPage, 'A page of memberships.')
  memberships(@Caller() caller: Principal, @Query() query: ListFolderMemberships): Promise<Page<MembershipRow>> {
    return this.members.list(caller, query);
  }

  /**
   * Reads one document folder with cover, counts and the path of folders above it.
   */
  @Get(':id')
  @Policy({ any: ['document:view'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @ReturnsResource(DocumentFolderDetail)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<FolderDetailAnswer> {
    return this.folders.one(caller, id);
  }

  /**
   * Changes a document folder.
   *
   * Only the fields present are applied. Moving a folder into itself, below itself or deeper than 20 levels is refused;
   * who may see it and the documents in it is changed by its owners and by administrators.
   */
  @Patch(':id')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @HonoursIfMatch()
  @ReturnsResource(DocumentFolderDetail)
  @Problems('invalid_move', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeDocumentFolder,
    @IfMatch() precondition?: Precondition,
  ): Promise<FolderDetailAnswer> {
    return this.folders.change(caller, id, body, precondition);
  }

  /**
   * Deletes a document folder.
   *
   * Its documents stay in the library; folders in it move to the top level. A saved search made for it alone goes with
   * it. 409 while it is under a legal hold, and while its access list closes documents that are in it: deleting it would open
   * them to everyone.
   */
  @Delete(':id')
  @Policy({ all: ['document:delete'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('in_use', 'invalid_state', 'precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.folders.remove(caller, id, precondition);
  }

  /**
   * Changes a smart folder and its filter.
   *
   * Only the fields present are applied. A saved search that something else uses too stays as it is: the folder gets one
   * of its own. 409 for a curated folder.
   */
  @Patch(':id/smart')
  @Named('updateSmartDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @HonoursIfMatch()
  @ReturnsResource(DocumentFolderDetail)
  @Problems('invalid_state', 'precondition_failed')
  changeSmart(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeSmartFolder,
    @IfMatch() precondition?: Precondition,
  ): Promise<FolderDetailAnswer> {
    return this.folders.changeSmart(caller, id, body, precondition);
  }

  /**
   * Files documents in a folder.
   *
   * Up to 10,000 ids; those that name no document the caller may change are skipped and counted. A document can be in as
   * many as 100 folders; 409 beyond that, and for a smart folder.
   */
  @Post(':id/files')
  @Named('addFilesToDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @Returns(FolderAdded, 'What was added.')
  @Problems('invalid_state', 'limit_reached')
  addFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: FolderFileIds): Promise<AddedMembers> {
    return this.members.add(caller, id, file_ids);
  }

  /**
   * Takes documents out of a folder.
   *
   * They stay in the library; ids that are not in the folder, or that the caller may not change, are ignored. 409 while
   * the folder is under a legal hold, and for a smart folder.
   */
  @Delete(':id/files')
  @Named('removeFilesFromDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @Returns(FolderRemoved, 'What was removed.')
  @Problems('in_use', 'invalid_state')
  removeFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: FolderFileIds): Promise<{ removed: number }> {
    return this.members.remove(caller, id, file_ids);
  }
}
