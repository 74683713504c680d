import { applyDecorators, Body as FromBody, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems } from '@atrium/platform/http';
import type { Request, Response } from 'express';
import { Archives } from '../application/archives';
import { Downloads, type DownloadUrl } from '../application/downloads';
import { DOWNLOAD } from '../../core/application/route-permissions';
import { DownloadFiles, DownloadUrlQuery, ImageQuery } from './downloads.dto';
import { deliverBytes, sendBytes } from './send-bytes';

const RANGED = { headers: { ETag: { description: 'Changes with the content.', schema: { type: 'string' as const } } } };
const bytesOf = (description: string, type: string): MethodDecorator => {
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } };
  return applyDecorators(
    ApiOkResponse({ description, ...RANGED, content }),
    ApiResponse({ status: 206, description: 'The requested range.', ...RANGED, content }),
    ApiResponse({ status: 304, description: 'Not modified: you already have the version in `If-None-Match`.' }),
    ApiResponse({ status: 416, description: 'The range is outside of the content; `Content-Range` is its size.' }),
  );
};
const SIGNED_URL = ApiOkResponse({
  description: 'A signed URL, valid for 15 minutes.',
  schema: { type: 'string', format: 'uri' },
  headers: { 'X-Rendition': { description: '`original` if the requested rendition is not available.', schema: { type: 'string' } } },
});

@ApiTags('Downloads')
@Controller('files')
export class DownloadsController {
  constructor(
    private readonly downloads: Downloads,
    private readonly archives: Archives,
  ) {}

  /**
   * Creates a signed download URL for a file.
   *
   * The body is a JSON string. The URL needs no credentials and is valid for 15 minutes. If the requested rendition is not available,
   * it leads to the original, and the header `X-Rendition` is `original`. The content is sent as an attachment. 409 while the file is
   * in quarantine.
   */
  @Get(':id/download-url')
  @HasId()
  @Policy({ any: DOWNLOAD })
  @SIGNED_URL
  @Problems('invalid_state', 'license_required')
  async url(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { size }: DownloadUrlQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return jsonString(response, await this.downloads.getUrl(caller, id, size));
  }

  /**
   * Creates a signed download URL for an earlier version of a file.
   *
   * Works like the download URL of the file.
   */
  @Get(':id/versions/:version_id/download-url')
  @HasId()
  @HasId('version_id', 'Id of the version.')
  @Policy({ any: DOWNLOAD })
  @SIGNED_URL
  @Problems('invalid_state', 'license_required')
  async versionUrl(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('version_id') versionId: string,
    @Query() { size }: DownloadUrlQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return jsonString(response, await this.downloads.signVersionUrl(caller, id, versionId, size));
  }

  /**
   * Streams an image.
   *
   * Returns the requested size, otherwise the next larger one, otherwise the original if browsers can display its format (JPEG, PNG,
   * WebP, GIF, AVIF), otherwise 404. Supports `Range` and `If-None-Match`. 422 if the file is not an image, 409 while it is being
   * processed.
   */
  @Get(':id/image-data')
  @HasId()
  @Policy({ any: DOWNLOAD })
  @bytesOf('The image.', 'image/*')
  @Problems('invalid_state', 'unprocessable_content', 'license_required')
  async image(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() { replica = 'large' }: ImageQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const bytes = await this.downloads.getImage(caller, id, replica === 'thumbnail' ? 'small' : replica);
    await sendBytes(request, response, bytes, (range) => this.downloads.openBytes(bytes, range));
  }

  /**
   * Streams a font (TTF, OTF, WOFF, WOFF2).
   *
   * 422 if the content of the file is not a font.
   */
  @Get(':id/font-data')
  @HasId()
  @Policy({ any: DOWNLOAD })
  @bytesOf('The font.', 'font/*')
  @Problems('invalid_state', 'unprocessable_content', 'license_required')
  async font(@Caller() caller: Principal, @PathId() id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const bytes = await this.downloads.getFont(caller, id);
    await sendBytes(request, response, bytes, (range) => this.downloads.openBytes(bytes, range));
  }

  /**
   * Streams up to 100 files as a ZIP archive.
   *
   * Files that you may not download are omitted; 400 if none remains, 413 if they exceed 1 GiB together (create a download job
   * instead). Files with the same name are numbered, `photo (2).jpg`; files that could not be read are listed in `_skipped.txt`.
   */
  @Post('actions/download')
  @Named('downloadFiles')
  @Policy({ any: DOWNLOAD })
  @HttpCode(200)
  @ApiOkResponse({ description: 'The archive.', content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } })
  @Problems('payload_too_large', 'invalid_state')
  async archive(@Caller() caller: Principal, @FromBody() { file_ids, size }: DownloadFiles, @Res() response: Response): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { stream } = await this.archives.packNow(caller, file_ids, size ?? 'original', gone.signal);
    response.status(200).set({
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="files.zip"',
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await deliverBytes(stream, response);
  }
}

/** The framework would send a string as text. */
function jsonString(response: Response, { url, isOriginalInstead }: DownloadUrl): string {
  if (isOriginalInstead) response.setHeader('X-Rendition', 'original');
  response.type('application/json');
  return JSON.stringify(url);
}
