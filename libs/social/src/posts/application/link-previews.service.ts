import { Injectable } from '@nestjs/common';
import { FileImports } from '@atrium/files';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { invalidField, Problem, SECOND } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundStream } from '@atrium/platform/outbound';
import { decodedAnswer } from '@atrium/platform/tabular';
import { PagePreviews, type PagePreview } from '../infrastructure/page-previews';

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_IMAGE_BYTES = 25 * 1024 * 1024;
const REDIRECTS = 4;
const TIMES = { connect: 3 * SECOND, headers: 8 * SECOND, total: 15 * SECOND };
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;
const IMAGE = /^image\/(jpeg|png|gif|webp)\b/i;

export interface LinkPreview extends PagePreview {
  /** The image of the page as a file of the library, where that was asked for. */
  readonly file_id: string | null;
}

/** What a page says of itself, for link cards: platforms do not read it. */
@Injectable()
export class LinkPreviews {
  constructor(
    private readonly http: GuardedHttp,
    private readonly pages: PagePreviews,
    private readonly imports: FileImports,
  ) {}

  async readPreview(
    caller: Principal,
    { url, import_image = false }: { readonly url: string; readonly import_image?: boolean },
  ): Promise<LinkPreview> {
    if (import_image && !caller.permissions.has('media:upload')) throw permissionDenied(['media:upload']);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw invalidField('url', 'must be an absolute http or https URL', 'url');
    const page = await this.openPage(url);
    const html = decodedAnswer(await headOf(page), page.headers['content-type'] ?? '');
    const preview = await this.pages.readPreview(html, page.url);
    const file_id = import_image && preview.image_url !== null ? await this.importImage(caller, preview.image_url, url) : null;
    return { ...preview, file_id };
  }

  private async openPage(url: string): Promise<OutboundStream> {
    const page = await this.open(url, MOST_BYTES * 2);
    if (page.status >= 200 && page.status < 300 && HTML.test(page.headers['content-type'] ?? '')) return page;
    page.body.destroy();
    throw new Problem(
      'unprocessable_content',
      page.status >= 200 && page.status < 300
        ? 'The address does not return a web page.'
        : `The address returned the status ${page.status}.`,
    );
  }

  private async importImage(caller: Principal, image_url: string, source: string): Promise<string> {
    const image = await this.open(image_url, MOST_IMAGE_BYTES);
    const type = IMAGE.exec(image.headers['content-type'] ?? '')?.[1];
    if (image.status !== 200 || !type) {
      image.body.destroy();
      throw new Problem('unprocessable_content', 'The image of the page cannot be read.');
    }
    const file = await this.imports.importStream(caller, {
      repository: { type: 'media', id: null },
      file_name: `${new URL(source).hostname}.${type === 'jpeg' ? 'jpg' : type}`,
      stream: image.body,
      file_type: `image/${type}`,
      source: { kind: 'link_preview', ref: image_url },
    });
    return file.file_id;
  }

  /** What cannot be reached is a fault of the address, whichever it is. */
  private async open(url: string, maxBytes: number): Promise<OutboundStream> {
    try {
      return await this.http.openStream(url, { redirects: REDIRECTS, timeouts: TIMES, maxBytes });
    } catch (error) {
      if (error instanceof Problem && error.code.startsWith('upstream')) throw new Problem('unprocessable_content', error.detail);
      throw error;
    }
  }
}

/** The first bytes of a page; the rest is not read. */
async function headOf({ body }: OutboundStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size >= MOST_BYTES) break;
  }
  body.destroy();
  return Buffer.concat(pieces).subarray(0, MOST_BYTES);
}
