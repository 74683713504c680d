import { Body as FromBody, Controller, Delete, Get, Patch, Post, Put, Query } from '@nestjs/common';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { ApiTags } from '@nestjs/swagger';
import type { FileRow } from '../../core/domain/file-row';
import { NextVersions } from '../application/next-versions';
import { DELETE, EDIT, VIEW } from '../../core/application/route-permissions';
import { VersionsService } from '../application/versions.service';
import type { VersionRow } from '../domain/file-version';
import { ChangeFileVersion, FileVersionPage, FileVersionView, ListFileVersions, WriteContent } from './file-versions.dto';
import { FileView } from '../../core/http/files.dto';

/** The versions of a file. */
@ApiTags('File versions')
@Controller('files/:id')
export class FileVersionsController {
  constructor(
    private readonly versions: VersionsService,
    private readonly next: NextVersions,
  ) {}

  /**
   * Lists the versions of a file.
   *
   * Sorted by number, newest first.
   */
  @Get('versions')
  @HasId('id', 'Id of the file.')
  @Policy({ any: VIEW })
  @Returns(FileVersionPage)
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListFileVersions): Promise<Page<VersionRow>> {
    return this.versions.list(caller, id, query);
  }

  /** Reads one version of a file. */
  @Get('versions/:version_id')
  @HasId('id', 'Id of the file.')
  @HasId('version_id', 'Id of the version.')
  @Policy({ any: VIEW })
  @ReturnsResource(FileVersionView)
  get(@Caller() caller: Principal, @PathId() id: string, @PathId('version_id') version: string): Promise<VersionRow> {
    return this.versions.get(caller, id, version);
  }

  /**
   * Writes the text of a file as its next version, without an upload.
   *
   * For text, markdown, JSON, YAML, XML and SVG up to 2 MiB; other types return 415. Send `If-Match` to avoid overwriting a change
   * that you have not seen.
   */
  @Put('content')
  @HasId('id', 'Id of the file.')
  @HonoursIfMatch()
  @Policy({ any: EDIT })
  @ReturnsResource(FileView)
  @Problems('invalid_state', 'unsupported_media_type', 'limit_reached', 'upstream_failed')
  write(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: WriteContent,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileRow> {
    return this.next.writeVersion(caller, id, body, precondition);
  }

  /**
   * Changes the note of a version, or pins it.
   *
   * Pinned versions are kept when older ones are pruned.
   */
  @Patch('versions/:version_id')
  @HasId('id', 'Id of the file.')
  @HasId('version_id', 'Id of the version.')
  @HonoursIfMatch()
  @Policy({ any: EDIT })
  @ReturnsResource(FileVersionView)
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('version_id') version: string,
    @FromBody() body: ChangeFileVersion,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionRow> {
    return this.versions.change(caller, id, version, body, precondition);
  }

  /**
   * Makes an earlier version the current one again.
   *
   * Adds a new version with the old content; the versions in between are kept. `If-Match` takes the ETag of the file.
   */
  @Post('versions/:version_id/restore')
  @HasId('id', 'Id of the file.')
  @HasId('version_id', 'Id of the version.')
  @HonoursIfMatch()
  @Policy({ any: EDIT })
  @ReturnsResource(FileView)
  @Problems('invalid_state', 'limit_reached')
  restore(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('version_id') version: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<FileRow> {
    return this.next.restoreVersion(caller, id, version, precondition);
  }

  /** Deletes a version that is not the current one. */
  @Delete('versions/:version_id')
  @HasId('id', 'Id of the file.')
  @HasId('version_id', 'Id of the version.')
  @HonoursIfMatch()
  @Policy({ any: DELETE })
  @Deletes()
  @Problems('invalid_state', 'in_use')
  remove(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('version_id') version: string,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.versions.remove(caller, id, version, precondition);
  }
}
