import { Body as FromBody, Controller, Delete, Get, Post, Query, Res } from '@nestjs/common';
import { Caller, Named, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page, Precondition, Versioned } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  KeptAs,
  PathId,
  Problems,
  Renews,
  Returns,
  ReturnsState,
} from '@atrium/platform/http';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { FileRow } from '../../core/domain/file-row';
import { BRING, UPLOAD } from '../../core/application/route-permissions';
import { type Finalized, UploadFinalizer } from '../application/uploads-finalize.service';
import { UploadsService, type UploadAnswer } from '../application/uploads.service';
import { FileView } from '../../core/http/files.dto';
import {
  AskForParts,
  CheckedFiles,
  CheckFiles,
  FinalizeUpload,
  ListUploads,
  OpenUpload,
  UploadPage,
  UploadPartLinks,
  UploadView,
} from './uploads.dto';

/** Uploads: bytes go from the client to storage, with signed addresses. */
@ApiTags('Uploads')
@Controller('uploads')
export class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly finalizer: UploadFinalizer,
  ) {}

  /**
   * Creates an upload.
   *
   * Send the bytes with `PUT` to `upl_url`, or each part to its URL, with the returned headers, then finalize the upload. Files of 64
   * MiB or more are uploaded in parts. The declared size and hash are verified. You can have at most 200 open uploads
   * (`limit_reached`).
   */
  @Post()
  @Policy({ any: UPLOAD })
  @Creates(UploadView, 'uploads/{upl_id}')
  @Renews(UploadsService, (uploads, opened: UploadAnswer) => uploads.resumeUpload(opened))
  @Problems('payload_too_large', 'limit_reached', 'upstream_failed')
  open(@Caller() caller: Principal, @FromBody() body: OpenUpload): Promise<UploadAnswer> {
    return this.uploads.openUpload(caller, body);
  }

  /**
   * Checks which contents a repository already has.
   *
   * Only files that you may see are reported: knowing a hash does not prove possession of the content.
   */
  @Post('check')
  @Policy({ any: UPLOAD })
  @Returns(CheckedFiles)
  async check(@Caller() caller: Principal, @FromBody() { file_repo, items }: CheckFiles): Promise<CheckedFiles> {
    return { data: await this.uploads.checkDuplicates(caller, file_repo, items) };
  }

  /**
   * Lists your own uploads.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy(self, { byKey: BRING })
  @Returns(UploadPage)
  list(@Caller() caller: Principal, @Query() query: ListUploads): Promise<Page<object>> {
    return this.uploads.list(caller, query);
  }

  /**
   * Reads one of your uploads.
   *
   * `upl_received` is what the storage has received, and `upl_url` or `upl_parts` are new signed URLs for what is missing: enough to
   * resume after a crash or on another machine without saved state. The ETag is the version of the upload; it does not change while
   * the storage receives bytes.
   */
  @Get(':id')
  @HasId()
  @Policy(self, { byKey: BRING })
  @ReturnsState(UploadView, 'The upload.')
  @Problems('upstream_failed')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<UploadAnswer & Versioned> {
    return this.uploads.get(caller, id);
  }

  /** Renews the signed URLs of parts and extends the upload by 24 hours. */
  @Post(':id/parts')
  @Named('renewUploadParts')
  @HasId()
  @Policy(self, { byKey: BRING, body: 64 * 1024 })
  @Returns(UploadPartLinks)
  @Problems('invalid_state', 'upstream_failed')
  parts(@Caller() caller: Principal, @PathId() id: string, @FromBody() { parts }: AskForParts): Promise<object> {
    return this.uploads.createPartLinks(caller, id, parts);
  }

  /**
   * Finalizes an upload: the received bytes become a file, or a new version of one.
   *
   * Repeated or simultaneous requests return the same file with 200. Without bytes in storage: 409 `invalid_state`. A missing part is
   * named in a 422 and can still be sent; bytes of another size than declared end the upload with a 422. The file is `pending` until
   * its content has been processed.
   */
  @Post(':id/finalize')
  @HasId()
  @Policy(self, { byKey: BRING })
  @Creates(FileView, 'files/{file_id}')
  @ApiOkResponse({ type: FileView, description: 'The file, if the upload was finalized before or the content already existed.' })
  @KeptAs(({ file, created }: Partial<Finalized>) => file && { status: created ? 201 : 200, body: file })
  @Problems('invalid_state', 'unprocessable_content', 'limit_reached', 'upstream_failed')
  async finalize(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { parts }: FinalizeUpload,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileRow> {
    const { file, created } = await this.finalizer.finalizeUpload(caller, id, parts);
    if (!created) response.status(200);
    return file;
  }

  /**
   * Aborts an upload and deletes the received bytes.
   *
   * A finalized upload cannot be aborted (409 `invalid_state`).
   */
  @Delete(':id')
  @Named('abortUpload')
  @HasId()
  @Policy(self, { byKey: BRING })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  abort(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.uploads.abortUpload(caller, id, precondition);
  }
}
