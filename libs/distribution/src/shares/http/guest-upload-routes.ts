import { Body as FromBody, Delete, Get, Injectable, Param, Post, Res } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Named } from '@atrium/platform/access';
import type { Precondition, Versioned } from '@atrium/platform/database';
import { Deletes, HonoursIfMatch, IfMatch, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { ProblemCode } from '@atrium/platform/kernel';
import type { Response } from 'express';
import { GuestUploads, type GuestUpload } from '../application/guest-uploads.service';
import type { ShareCall } from '../application/share-call';
import {
  AskForGuestParts,
  CheckedGuestFiles,
  CheckGuestFiles,
  FinalizeGuestUpload,
  GuestUploadPartLinks,
  GuestUploadView,
  OpenGuestUpload,
} from './guest-uploads.dto';
import { BeginsUpload, withLocation } from './guest-answers';
import { GuestDoors } from './guest-doors';
import { HasUpload, InVisit } from './guest-parameters';
import { ForGuests } from './public-shares.controller';
import { Guest } from './share-call';

/** How guests who send files identify themselves, and how their routes appear in the reference. */
interface GuestEntrance {
  /** Path parameter that identifies the link. */
  readonly parameter: string;
  /** Documents what a request proves its guest with: the token of the link or that of the device. */
  readonly ProvesGuest: () => MethodDecorator;
  readonly enter: 'openByToken' | 'openByKiosk';
  readonly beginVisit: 'beginVisitByToken' | 'beginVisitByKiosk';
  /** Operation ids that differ from the names of the handlers. */
  readonly operations: { readonly parts: string; readonly abort: string };
  /** Further problems of reading an upload. */
  readonly readProblems: readonly ProblemCode[];
  /** Summary of each operation; after a blank line, its description. */
  readonly texts: Readonly<Record<'check' | 'open' | 'one' | 'parts' | 'finalize' | 'abort', string>>;
}

/** What a controller of guest uploads may use for further routes. */
interface GuestUploadRoutes {
  readonly doors: GuestDoors;
  readonly uploads: GuestUploads;
}

const GUEST_PROBLEMS = ['unauthenticated', 'not_found', 'permission_denied', 'gone'] as const satisfies readonly ProblemCode[];

/**
 * The base of a controller with the six routes by which guests send files. Share links and kiosks have the same routes and differ
 * in how their guests identify themselves.
 */
export function guestUploadRoutes({
  parameter,
  ProvesGuest,
  enter,
  beginVisit,
  operations,
  readProblems,
  texts,
}: GuestEntrance): new (doors: GuestDoors, uploads: GuestUploads) => GuestUploadRoutes {
  @Injectable()
  class Routes implements GuestUploadRoutes {
    constructor(
      readonly doors: GuestDoors,
      readonly uploads: GuestUploads,
    ) {}

    @ApiOperation({ summary: texts.check })
    @Post('uploads/check')
    @ProvesGuest()
    @InVisit()
    @ForGuests('upload')
    @Returns(CheckedGuestFiles)
    @Problems(...GUEST_PROBLEMS)
    async check(
      @Param(parameter) link: string,
      @FromBody() { items }: CheckGuestFiles,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
    ): Promise<CheckedGuestFiles> {
      return { data: await this.uploads.checkDuplicates(await this.doors[enter](link, call, response), items) };
    }

    @ApiOperation({ summary: texts.open })
    @Post('uploads')
    @ProvesGuest()
    @InVisit()
    @ForGuests('upload')
    @BeginsUpload()
    @Problems(...GUEST_PROBLEMS, 'payload_too_large', 'limit_reached', 'upstream_failed')
    async open(
      @Param(parameter) link: string,
      @FromBody() body: OpenGuestUpload,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
    ): Promise<GuestUpload> {
      return withLocation(response, await this.uploads.openUpload(await this.doors[beginVisit](link, call, response), body));
    }

    @ApiOperation({ summary: texts.one })
    @Get('uploads/:id')
    @ProvesGuest()
    @HasUpload()
    @ForGuests('upload')
    @ReturnsState(GuestUploadView)
    @Problems(...GUEST_PROBLEMS, ...readProblems, 'upstream_failed')
    async get(
      @Param(parameter) link: string,
      @Param('id') id: string,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
    ): Promise<GuestUpload & Versioned> {
      return this.uploads.getUpload(await this.doors[enter](link, call, response), id);
    }

    @ApiOperation({ summary: texts.parts })
    @Post('uploads/:id/parts')
    @Named(operations.parts)
    @ProvesGuest()
    @HasUpload()
    @ForGuests('upload')
    @Returns(GuestUploadPartLinks)
    @Problems(...GUEST_PROBLEMS, 'invalid_state', 'upstream_failed')
    async parts(
      @Param(parameter) link: string,
      @Param('id') id: string,
      @FromBody() { parts }: AskForGuestParts,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
    ): Promise<object> {
      return this.uploads.createPartLinks(await this.doors[enter](link, call, response), id, parts);
    }

    @ApiOperation({ summary: texts.finalize })
    @Post('uploads/:id/finalize')
    @ProvesGuest()
    @HasUpload()
    @ForGuests('upload')
    @BeginsUpload()
    @Problems(...GUEST_PROBLEMS, 'invalid_state', 'unprocessable_content', 'upstream_failed')
    async finalize(
      @Param(parameter) link: string,
      @Param('id') id: string,
      @FromBody() { parts }: FinalizeGuestUpload,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
    ): Promise<GuestUpload> {
      const { upload, created } = await this.uploads.finalizeUpload(await this.doors[enter](link, call, response), id, parts);
      if (!created) response.status(200);
      return withLocation(response, upload);
    }

    @ApiOperation({ summary: texts.abort })
    @Delete('uploads/:id')
    @Named(operations.abort)
    @ProvesGuest()
    @HasUpload()
    @ForGuests('upload')
    @HonoursIfMatch()
    @Deletes({ stays: true })
    @Problems(...GUEST_PROBLEMS, 'invalid_state', 'precondition_failed')
    async abort(
      @Param(parameter) link: string,
      @Param('id') id: string,
      @Guest() call: ShareCall,
      @Res({ passthrough: true }) response: Response,
      @IfMatch() precondition?: Precondition,
    ): Promise<void> {
      await this.uploads.abortUpload(await this.doors[enter](link, call, response), id, precondition);
    }
  }
  return Routes;
}
