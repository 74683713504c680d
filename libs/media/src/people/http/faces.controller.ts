import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import {
  Creates,
  Deletes,
  HasId,
  HonoursIfMatch,
  IfMatch,
  PathId,
  Problems,
  Renews,
  Returns,
  ReturnsResource,
  Starts,
} from '@atrium/platform/http';
import { FileJobView, type FileJobRow } from '@atrium/files';
import type { Response } from 'express';
import { FaceErasure } from '../application/face-erasure';
import { FaceSearch } from '../application/face-search.service';
import { FacesService, type FaceAnswer } from '../application/faces.service';
import { ChangeFace, DetectFaces, EraseFaces, FacePage, FaceView, ListFaces, MarkFace } from './faces.dto';

@ApiTags('Faces')
@Controller('faces')
export class FacesController {
  constructor(private readonly faces: FacesService) {}

  /**
   * Lists faces with the picture that contains them.
   *
   * Sorted by creation time, newest first. Faces of files in the trash are omitted.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(FacePage, 'A page of faces.')
  list(@Caller() caller: Principal, @Query() query: ListFaces): Promise<Page<FaceAnswer>> {
    return this.faces.list(caller, query);
  }

  /**
   * Marks a face by hand.
   *
   * Works without a face recognition provider. The box is given as fractions of the upright picture and must be at least one hundredth
   * of it wide and high. A file can have at most 200 faces, and a person one face in a file.
   */
  @Post()
  @Policy({ all: ['media:edit'] })
  @Creates(FaceView, 'faces?face_id={face_id}')
  @Renews(FacesService, (faces, { face_id }: FaceAnswer, caller) => faces.getMarkedFace(caller, face_id))
  @Problems('already_exists', 'limit_reached', 'invalid_state')
  mark(@Caller() caller: Principal, @FromBody() body: MarkFace): Promise<FaceAnswer> {
    return this.faces.markFace(caller, body);
  }

  /**
   * Assigns a face to a person.
   *
   * Decisions of people are never changed automatically: a person id assigns the face, null removes the assignment, and `ignored`
   * excludes the face. Only the box of a face that was marked by hand can be moved. 409 `already_exists` if the person has another
   * face in the file.
   */
  @Patch(':id')
  @HasId('id', 'Id of the face.')
  @Policy({ all: ['media:edit'] })
  @HonoursIfMatch()
  @ReturnsResource(FaceView)
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeFace,
    @IfMatch() precondition?: Precondition,
  ): Promise<FaceAnswer> {
    return this.faces.change(caller, id, body, precondition);
  }

  /**
   * Removes a face.
   *
   * A detected face is ignored from now on, so that it does not reappear on the next detection. A face marked by hand is deleted.
   */
  @Delete(':id')
  @HasId('id', 'Id of the face.')
  @Policy({ all: ['media:edit'] })
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.faces.remove(caller, id, precondition);
  }

  /**
   * Returns the signed URL of a cut-out face.
   *
   * The body is a JSON string. The URL is valid for 15 minutes and leads to a WebP image of 256 by 256 pixels.
   */
  @Get(':id/image')
  @HasId('id', 'Id of the face.')
  @Policy({ any: ['media:view'] })
  @ApiOkResponse({ description: 'The signed URL, valid for 15 minutes.', schema: { type: 'string', format: 'uri' } })
  @Problems('invalid_state')
  async image(@Caller() caller: Principal, @PathId() id: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    const address = await this.faces.getImageUrl(caller, id);
    response.type('application/json');
    return JSON.stringify(address);
  }
}

/** Looking for faces in files. */
@ApiTags('Faces')
@Controller('files')
export class FileFacesController {
  constructor(private readonly search: FaceSearch) {}

  /**
   * Detects faces in pictures in the background.
   *
   * Processes the given files, or with `all` every picture of the library. Decisions of people are kept. 409 while the workspace
   * setting `faces_enabled` is off, 501 without a face recognition provider.
   */
  @Post('actions/detect-faces')
  @Named('detectFaces')
  @Policy({ all: ['media:edit'] })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state', 'not_configured')
  detect(@Caller() caller: Principal, @FromBody() body: DetectFaces): Promise<FileJobRow> {
    return this.search.startSearch(caller, body);
  }
}

/** Faces of a whole workspace. */
@ApiTags('Faces')
@Controller('admin/faces')
export class AdminFacesController {
  constructor(private readonly erasure: FaceErasure) {}

  /**
   * Erases every face of the workspace in the background.
   *
   * Deletes faces, people, face images and all recognition data. This cannot be undone. `confirm` must be the name of the workspace.
   */
  @Delete()
  @Named('eraseFaces')
  @Policy({ all: ['admin:settings'] })
  @Starts(FileJobView, 'file-jobs/{job_id}')
  @Problems('invalid_state')
  erase(@Caller() caller: Principal, @FromBody() { confirm }: EraseFaces): Promise<FileJobRow> {
    return this.erasure.eraseAll(caller, confirm);
  }
}
