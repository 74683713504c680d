import { applyDecorators, Body as FromBody, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, ApiResponse, ApiSecurity, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { deliverBytes } from '@atrium/files';
import { Named, Public, type RateClass } from '@atrium/platform/access';
import { AnswersSecret, API_PREFIX, Problems, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { ShareArchives, type ShareArchiveJob } from '../application/share-archives.service';
import type { ShareCall } from '../application/share-call';
import { ShareDownloads } from '../application/share-downloads.service';
import { ShareOverview } from '../application/share-overview.service';
import { ShareUnlocking, type Unlocked } from '../application/share-unlocking.service';
import { ShareVerdicts } from '../application/share-verdicts.service';
import { ShareViewing, type ShownFile, type ShownPage } from '../application/share-viewing.service';
import {
  GiveVerdict,
  ListPublicFiles,
  PreviewQuery,
  PublicArchiveJob,
  PublicArchiveOrder,
  PublicDownloadQuery,
  PublicFilePage,
  PublicFileView,
  PublicShareView,
  UnlockedShare,
  UnlockShare,
  VerdictView,
} from './public-shares.dto';
import { Guest } from './share-call';

/** Anybody who has a link; nothing of the request is logged that would tell its token. */
export const ForGuests = (rate: RateClass = 'read'): MethodDecorator =>
  Public('the link is the credential, and its settings decide what it opens', { rate, log: 'none' });

/** A link by its token; one that is locked wants the token of its unlocking as well. */
export const HasToken = (): MethodDecorator =>
  applyDecorators(
    ApiParam({
      name: 'token',
      description: "Token at the end of the link's URL.",
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    }),
    ApiSecurity({}),
    ApiSecurity('ShareAccess'),
  );
const HasPublicId = (): MethodDecorator =>
  ApiParam({
    name: 'public_id',
    description: 'Identifier of the file in this link.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
  });

const ShortAddress = (): MethodDecorator =>
  ApiOkResponse({ description: 'Signed URL, valid for 5 minutes.', schema: { type: 'string', format: 'uri' } });

const Archive = (): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiExtraModels(PublicArchiveJob),
    ApiOkResponse({ description: 'The archive.', content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } }),
    ApiResponse({
      status: 202,
      description: 'More than 1 GiB: the archive is created in the background; poll the job.',
      content: { 'application/json': { schema: { $ref: getSchemaPath(PublicArchiveJob) } } },
    }),
  );

@ApiTags('Share links')
@Controller('public/shares/:token')
export class PublicSharesController {
  constructor(
    private readonly overview: ShareOverview,
    private readonly viewing: ShareViewing,
    private readonly downloads: ShareDownloads,
    private readonly unlocking: ShareUnlocking,
    private readonly archives: ShareArchives,
    private readonly verdicts: ShareVerdicts,
  ) {}

  /**
   * Opens a share link.
   *
   * Counts one view for each visitor in half an hour; bots and prefetched pages are not counted. While the link is locked, names and
   * counts are hidden. An unknown token returns 404. A link that has expired, was revoked, is disabled or exhausted, or whose content
   * no longer exists returns 410, with the reason as its title.
   */
  @Get()
  @HasToken()
  @ForGuests()
  @Returns(PublicShareView)
  @Problems('not_found', 'permission_denied', 'gone')
  async look(@Param('token') token: string, @Guest() call: ShareCall): Promise<PublicShareView> {
    const { brand, options, asks, upload, ...share } = await this.overview.viewShare(token, call);
    const { name, tagline, logo_url, dark_logo_url, colors } = brand;
    return {
      ...share,
      asks: [...asks],
      options,
      upload: upload && { ...upload, albums: [...upload.albums] },
      brand: { name, tagline, logo_url, dark_logo_url, accent: colors && `#${colors.day}` },
    };
  }

  /**
   * Unlocks a share link.
   *
   * Send what `asks` lists: the password, the acceptance of the terms, or a name. The returned token is valid for one hour and for the
   * current password and terms of this link. A wrong password returns 401; after 5 wrong ones in 15 minutes from one address, or 50
   * for one link, 429 with `Retry-After`.
   */
  @Post('unlock')
  @HasToken()
  @ForGuests('write')
  @AnswersSecret()
  @Returns(UnlockedShare)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'rate_limited')
  unlock(@Param('token') token: string, @FromBody() body: UnlockShare, @Guest() call: ShareCall): Promise<Unlocked> {
    return this.unlocking.unlockShare(token, body, call);
  }

  /**
   * Lists the files of a share link.
   *
   * Files that are in the trash, in quarantine or blocked by their status are omitted. Upload links return 403.
   */
  @Get('files')
  @HasToken()
  @ForGuests()
  @Returns(PublicFilePage)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  files(@Param('token') token: string, @Query() query: ListPublicFiles, @Guest() call: ShareCall): Promise<ShownPage> {
    return this.viewing.listFiles(token, call, query);
  }

  /** Reads one file of a share link. */
  @Get('files/:public_id')
  @HasToken()
  @HasPublicId()
  @ForGuests()
  @Returns(PublicFileView)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  file(@Param('token') token: string, @Param('public_id') id: string, @Guest() call: ShareCall): Promise<ShownFile> {
    return this.viewing.getFile(token, id, call);
  }

  /**
   * Creates a URL for a picture of a shared file.
   *
   * The picture is a WebP of at most 2,048 pixels, with the watermark if the link has one. If a watermarked picture is not ready, the
   * request waits for it; 503 with `Retry-After` if that takes too long. 403 for a size that the link does not show.
   */
  @Get('files/:public_id/preview-url')
  @HasToken()
  @HasPublicId()
  @ForGuests()
  @ShortAddress()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'service_unavailable')
  async previewUrl(
    @Param('token') token: string,
    @Param('public_id') id: string,
    @Query() { size }: PreviewQuery,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return jsonString(response, await this.viewing.previewUrl(token, id, call, size));
  }

  /**
   * Creates a download URL for a shared file and counts one download.
   *
   * 403 if the link does not allow downloads, or not in this size; 410 if no download is left.
   */
  @Get('files/:public_id/download-url')
  @HasToken()
  @HasPublicId()
  @ForGuests()
  @ShortAddress()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state', 'service_unavailable')
  async downloadUrl(
    @Param('token') token: string,
    @Param('public_id') id: string,
    @Query() { size }: PublicDownloadQuery,
    @Guest() call: ShareCall,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return jsonString(response, await this.downloads.downloadUrl(token, id, call, size));
  }

  /**
   * Approves or rejects a shared file, if the link asks for approval.
   *
   * The verdict can be changed; the last one counts.
   */
  @Post('files/:public_id/verdict')
  @Named('giveShareFileVerdict')
  @HasToken()
  @HasPublicId()
  @ForGuests('write')
  @Returns(VerdictView)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone')
  verdict(
    @Param('token') token: string,
    @Param('public_id') id: string,
    @FromBody() body: GiveVerdict,
    @Guest() call: ShareCall,
  ): Promise<object> {
    return this.verdicts.recordVerdict(token, id, body, call);
  }

  /**
   * Downloads all or selected files of a share link as an archive.
   *
   * Counts as one download. Up to 1 GiB it is streamed; a larger archive is created in the background and returns 202 with the job to
   * poll. 403 if the link does not allow archives.
   */
  @Post('download')
  @HasToken()
  @ForGuests('write')
  @Archive()
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'payload_too_large', 'limit_reached', 'service_unavailable')
  async download(
    @Param('token') token: string,
    @FromBody() body: PublicArchiveOrder,
    @Guest() call: ShareCall,
    @Res() response: Response,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const fetched = await this.archives.fetchArchive(token, body, call, gone.signal);
    if ('job' in fetched) {
      response.status(202).set('Location', `/${API_PREFIX}/public/shares/${token}/download/${fetched.job.job_id}`).json(fetched.job);
      return;
    }
    response.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="files.zip"',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await deliverBytes(fetched.packing.stream, response);
  }

  /**
   * Reads an archive that is created in the background.
   *
   * If a file in the archive may no longer be shared (because of its status, the consent of a person in it, or its rights), the
   * archive is not delivered: 409 `invalid_state`. Request a new one.
   */
  @Get('download/:job_id')
  @Named('getShareDownloadJob')
  @HasToken()
  @ApiParam({ name: 'job_id', description: 'Id of the job.', schema: { type: 'string', format: 'uuid' } })
  @ForGuests()
  @Returns(PublicArchiveJob)
  @Problems('unauthenticated', 'not_found', 'permission_denied', 'gone', 'invalid_state')
  archive(@Param('token') token: string, @Param('job_id') job_id: string, @Guest() call: ShareCall): Promise<ShareArchiveJob> {
    return this.archives.getJob(token, job_id, call);
  }
}

/** The framework would send a string as text. */
function jsonString(response: Response, address: string): string {
  response.type('application/json');
  return JSON.stringify(address);
}
