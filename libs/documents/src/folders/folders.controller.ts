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
   * The newest folders come first. `album_parent=root` lists the top level. Only folders that you can view are
   * listed; inactive folders are listed only with `album_active=false`.
   */
  @Get()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentFolderPage, 'A page of folders.')
  list(@Caller() caller: Principal, @Query() query: ListDocumentFolders): Promise<Page<FolderAnswer>> {
    return this.folders.list(caller, query);
  }

  /**
   * Creates an empty document folder, or a smart folder for a saved search.
   *
   * You need edit access to the parent folder, and the cover must be a document. `album_smart` requires
   * `album_query`, a saved search of the document library; POST /document-folders/smart creates both in one request.
   * A workspace can have 10,000 folders; beyond that, the request fails with 409.
   */
  @Post()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Creates(DocumentFolderDetail, 'document-folders/{album_id}')
  @Problems('invalid_move', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateDocumentFolder): Promise<FolderDetailAnswer> {
    return this.folders.create(caller, body);
  }

  /**
   * Creates a smart folder: a saved filter that always shows the documents that match it.
   *
   * The filter is written in the search language; every error in it is reported with its path. It is evaluated with
   * the rights of the member who opens the folder. Deprecated documents are included only if the filter has a
   * condition on `lifecycle`.
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
  @Returns(DocumentFolderStats, 'Numbers of folders.')
  stats(@Caller() caller: Principal): Promise<Record<string, number>> {
    return this.folders.getStats(caller);
  }

  /**
   * Lists which documents are in which curated folders.
   *
   * Returns ids only, not the documents; filter by `af_album` or `af_file`. Folders that you cannot view are left
   * out, as are documents that are deprecated, in the trash or hidden from you.
   */
  @Get('memberships')
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(FolderMembershipPage, 'A page of memberships.')
  memberships(@Caller() caller: Principal, @Query() query: ListFolderMemberships): Promise<Page<MembershipRow>> {
    return this.members.listMembers(caller, query);
  }

  /**
   * Reads a document folder with its cover, counts and the path of its parent folders.
   */
  @Get(':id')
  @Policy({ any: ['document:view'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @ReturnsResource(DocumentFolderDetail)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<FolderDetailAnswer> {
    return this.folders.get(caller, id);
  }

  /**
   * Changes a document folder.
   *
   * Omitted fields stay as they are. A folder cannot be moved into itself, into one of its subfolders, or deeper than
   * 20 levels. Only owners of the folder and administrators can change its access list.
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
   * Its documents stay in the library, and its subfolders move to the top level. A saved search created only for this
   * folder is deleted too. Fails with 409 while the folder is under a legal hold, and while its access list restricts
   * documents: deleting the folder would open them to everyone.
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
   * Omitted fields stay as they are. If the saved search is also used elsewhere, it is left unchanged and the folder
   * gets its own copy. Fails with 409 for a curated folder.
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
   * Adds documents to a folder.
   *
   * Accepts up to 10,000 ids. Ids of documents that do not exist or that you cannot edit are skipped and counted. A
   * document can be in up to 100 folders. Fails with 409 beyond that, and for smart folders.
   */
  @Post(':id/files')
  @Named('addFilesToDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @Returns(FolderAdded, 'The documents added.')
  @Problems('invalid_state', 'limit_reached')
  addFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: FolderFileIds): Promise<AddedMembers> {
    return this.members.addMembers(caller, id, file_ids);
  }

  /**
   * Removes documents from a folder.
   *
   * The documents stay in the library. Ids of documents that are not in the folder, or that you cannot edit, are
   * ignored. Fails with 409 while the folder is under a legal hold, and for smart folders.
   */
  @Delete(':id/files')
  @Named('removeFilesFromDocumentFolder')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @HasId('id', 'Id of the folder.')
  @Returns(FolderRemoved, 'The documents removed.')
  @Problems('in_use', 'invalid_state')
  removeFiles(@Caller() caller: Principal, @PathId() id: string, @FromBody() { file_ids }: FolderFileIds): Promise<{ removed: number }> {
    return this.members.removeMembers(caller, id, file_ids);
  }
}
