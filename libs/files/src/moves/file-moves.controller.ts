import { Body as FromBody, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Creates, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { FileCopies } from './file-copies';
import { FileMoves, type MoveOutcome } from './file-moves';
import type { FileRow } from '../core/domain/file-row';
import { COPY, EDIT } from '../core/application/route-permissions';
import { readMediaTags } from '../uploads/application/uploads-extensions';
import { CopyToMedia, MoveFile, MoveFiles, MoveOutcomes } from './file-moves.dto';
import { FileView } from '../core/http/files.dto';

/** Files that change their repository, or get a copy in the media library. */
@ApiTags('Files')
@Controller('files')
export class FileMovesController {
  constructor(
    private readonly moves: FileMoves,
    private readonly copies: FileCopies,
  ) {}

  /**
   * Moves up to 1,000 files to another repository.
   *
   * Returns one outcome per file, in the order of the request. Files that do not exist or that you may not edit are skipped as
   * `not_found`, files placed by the platform as `invalid_move`, and files locked by their status as `invalid_state`.
   */
  @Post('actions/move')
  @Policy({ any: EDIT })
  @HttpCode(200)
  @Returns(MoveOutcomes)
  @Problems('invalid_move', 'license_required')
  async moveMany(@Caller() caller: Principal, @FromBody() { file_ids, file_repo }: MoveFiles): Promise<{ data: MoveOutcome[] }> {
    return { data: await this.moves.moveMany(caller, file_ids, file_repo) };
  }

  /**
   * Moves a file to another repository.
   *
   * You must be allowed to edit the file and to add files to the target. Versions, favorites and history are kept; albums and tags are
   * removed when the file leaves the media library. Moving a file to its own repository changes nothing. 409 for repositories whose
   * files the platform places.
   */
  @Post(':id/move')
  @HasId()
  @Policy({ any: EDIT })
  @HttpCode(200)
  @ReturnsResource(FileView)
  @HonoursIfMatch()
  @Problems('invalid_move', 'invalid_state', 'in_use', 'license_required')
  move(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { file_repo }: MoveFile,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileRow> {
    return this.moves.moveFile(caller, id, file_repo, precondition);
  }

  /**
   * Copies a file into the media library.
   *
   * The copy shares the stored content, so it is available immediately regardless of its size. The original is not changed.
   * `file_metadata.system.source` refers to it. 409 while the original is being processed or in quarantine.
   */
  @Post(':id/copy-to-media')
  @Named('copyFileToMedia')
  @HasId()
  @Policy({ any: COPY })
  @Creates(FileView, 'files/{file_id}')
  @Problems('invalid_state', 'limit_reached', 'license_required')
  copy(@Caller() caller: Principal, @PathId() id: string, @FromBody() { media_tags, ...wanted }: CopyToMedia): Promise<FileRow> {
    return this.copies.toMedia(caller, id, { ...wanted, media_tags: readMediaTags(media_tags) });
  }
}
