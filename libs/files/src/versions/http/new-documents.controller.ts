import { Body as FromBody, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { Creates, Problems } from '@atrium/platform/http';
import type { FileRow } from '../../core/domain/file-row';
import { NewDocuments } from '../application/new-documents';
import { UPLOAD } from '../../core/application/route-permissions';
import { CreateFile } from './file-versions.dto';
import { FileView } from '../../core/http/files.dto';

/** Files that begin without bytes. */
@ApiTags('Files')
@Controller('files')
export class NewDocumentsController {
  constructor(private readonly documents: NewDocuments) {}

  /**
   * Creates an empty markdown document.
   *
   * `.md` is appended to a name without a markdown extension. The file is ready immediately, with size 0 and version 1.
   */
  @Post()
  @Policy({ any: UPLOAD })
  @Creates(FileView, 'files/{file_id}')
  @Problems('license_required')
  create(@Caller() caller: Principal, @FromBody() body: CreateFile): Promise<FileRow> {
    return this.documents.create(caller, body);
  }
}
