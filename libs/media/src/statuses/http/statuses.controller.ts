import { Body as FromBody, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { EDIT, VIEW } from '@atrium/files';
import { FileStatusService, type FileStatusAnswer } from '../application/file-statuses.service';
import { StatusChanges, type StatusOutcome } from '../application/status-changes.service';
import { ChangeStatuses, FileStatusView, StatusOutcomes } from './statuses.dto';

/** The states that files go through. */
@ApiTags('Files')
@Controller('files')
export class StatusesController {
  constructor(
    private readonly changes: StatusChanges,
    private readonly statuses: FileStatusService,
  ) {}

  /**
   * Changes the status of files.
   *
   * Each file makes a transition of the status flow of its repository. You must be an allowed actor of the transition and the file
   * must have the tags that it requires; a comment is required where the transition asks for one (400). Each file has its own outcome.
   * If no file could be changed, the request is refused: 403 if you are not an allowed actor and there is no other reason, otherwise
   * 409.
   */
  @Post('actions/status')
  @Named('changeFileStatuses')
  @Policy({ any: EDIT })
  @Returns(StatusOutcomes, 'Outcome for each file.')
  @Problems('invalid_state')
  async change(
    @Caller() caller: Principal,
    @FromBody() { file_ids, file_status, comment }: ChangeStatuses,
  ): Promise<{ data: StatusOutcome[] }> {
    return { data: await this.changes.changeStatus(caller, file_ids, file_status, comment ?? null) };
  }

  /** Reads the status of a file with its possible transitions and its history. */
  @Get(':id/statuses')
  @Named('getFileStatus')
  @HasId()
  @Policy({ any: VIEW })
  @Returns(FileStatusView, 'The status of the file.')
  @Problems('license_required')
  of(@Caller() caller: Principal, @PathId() id: string): Promise<FileStatusAnswer> {
    return this.statuses.getStatus(caller, id);
  }
}
