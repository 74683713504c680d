import { applyDecorators, Body as FromBody, Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { HasId, PathId, Problems } from '@atrium/platform/http';
import type { Request, Response } from 'express';
import { Archives } from '../application/archives';
import { Downloads, type DownloadUrl } from '../application/downloads';
import { DOWNLOAD } from '../../core/application/route-permissions';
import { DownloadFiles, DownloadUrlQuery, ImageQuery } from './downloads.dto';
import { deliver, sendBytes } from './send-bytes';

const RANGED = { headers: { ETag: { description: 'Changes with the bytes.', schema: { type: 'string' as const } } } };
const bytesOf = (description: string, type: string): MethodDecorator => {
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } };
  return applyDecorators(
    ApiOkResponse({ description, ...RANGED, content }),
    ApiResponse({ status: 206, description: 'The part that `Range` asks for.', ...RANGED, content }),
    ApiResponse({ status: 304, description: 'You have it: `If-None-Match` names the present bytes.' }),
    ApiResponse({ status: 416, description: 'The bytes end before the range begins; `Content-Range` says how many there are.' }),
  );
};
const SIGNED_URL = ApiOkResponse({
  description: 'A signed address, good for 15 minutes.',
  schema: { type: 'string', format: 'uri' },
  headers: { 'X-Rendition': { description: '`original` when the wanted rendition is absent.', schema: { type: 'string' } } },
});

@ApiTags('Downloads')
@Controller('files')
export class DownloadsController {
  constructor(
    private readonly downloads: Downloads,
    private readonly archives: Archives,
  ) {}

  /**
   * Answers a signed address of a file's bytes.
   *
   * The body is a JSON string; the address needs no credentials and is good for 15 minutes. Where the wanted rendition
   * is absent it leads to the original and the header `X-Rendition` says `original`. The bytes come as an attachment.
   * 409 while the file is in quarantine.
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
    return jsonString(response, await this.downloads.url(caller, id, size));
  }

  /** Answers a signed address of an earlier version's bytes; see the download address of a file. */
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
    return jsonString(response, await this.downloads.versionUrl(caller, id, versionId, size));
  }

  /**
   * Streams an image.
   *
   * The wanted size, else the next larger one, else the original where browsers show its format (JPEG, PNG, WebP, GIF,
   * AVIF), else 404. Takes `Range` and `If-None-Match`. 422 when the file is no image, 409 while it is still being read.
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
    const bytes = await this.downloads.image(caller, id, replica === 'thumbnail' ? 'small' : replica);
    await sendBytes(request, response, bytes, (range) => this.downloads.open(bytes, range));
  }

  /** Streams a font (TTF, OTF, WOFF, WOFF2). 422 when the file is no font by its bytes. */
  @Get(':id/font-data')
  @HasId()
  @Policy({ any: DOWNLOAD })
  @bytesOf('The font.', 'font/*')
  @Problems('invalid_state', 'unprocessable_content', 'license_required')
  async font(@Caller() caller: Principal, @PathId() id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const bytes = await this.downloads.font(caller, id);
    await sendBytes(request, response, bytes, (range) => this.downloads.open(bytes, range));
  }

  /**
   * Streams up to 100 files as a ZIP.
   *
   * Files the caller may not download are left out; 400 when none remains, 413 when they are more than 1 GiB together
   * (order a download job then). Files of one name are numbered, `photo (2).jpg`; what is lost on the way is named in
   * `_skipped.txt`.
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
    await deliver(stream, response);
  }
}

/** The framework would send a string as text. */
function jsonString(response: Response, { url, isOriginalInstead }: DownloadUrl): string {
  if (isOriginalInstead) response.setHeader('X-Rendition', 'original');
  response.type('application/json');
  return JSON.stringify(url);
}
