import { isObject, withoutEnd } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import type { FoundPhoto, StockProvider, StockResults, StockSearch, StockSize } from '../domain/stock-provider';
import { listIn, numberIn, partOf, StockHttp, textIn, type StockAnswer } from './stock-http';

const LARGE = 2_400;

/** Unsplash: the use of a photo is reported to it, and its author is named. */
@Injectable()
export class UnsplashProvider implements StockProvider {
  readonly key = 'unsplash';
  readonly name = 'Unsplash';
  readonly setting = 'UNSPLASH_ACCESS_KEY';
  readonly attribution_required = true;
  readonly configured: boolean;
  private readonly origin: string;
  private readonly authorization: string;

  constructor(
    private readonly http: StockHttp,
    settings: Settings,
  ) {
    this.configured = settings.UNSPLASH_ACCESS_KEY !== '';
    this.origin = withoutEnd(settings.UNSPLASH_URL, /\//);
    this.authorization = `Client-ID ${settings.UNSPLASH_ACCESS_KEY}`;
  }

  async searchPhotos({ q, orientation, color, page, count }: StockSearch, signal?: AbortSignal): Promise<StockResults> {
    const query = new URLSearchParams({
      query: q,
      page: String(page),
      per_page: String(count),
      ...(orientation ? { orientation: orientation === 'square' ? 'squarish' : orientation } : {}),
      ...(color ? { color } : {}),
    });
    const answer = (await this.ask(`/search/photos?${query.toString()}`, signal)) ?? {};
    return { photos: listIn(answer, 'results').flatMap((photo) => photoOf(photo) ?? []), has_more: page < numberIn(answer, 'total_pages') };
  }

  async findPhoto(id: string, signal?: AbortSignal): Promise<FoundPhoto | null> {
    const answer = await this.ask(`/photos/${encodeURIComponent(id)}`, signal);
    return answer && photoOf(answer);
  }

  downloadUrl(photo: FoundPhoto, size: StockSize): string {
    return photo.urls[size];
  }

  /** Only the provider itself is called, whatever address its answer names. */
  async reportDownload(ping_url: string, signal?: AbortSignal): Promise<void> {
    if (!URL.canParse(ping_url)) return;
    const { pathname, search } = new URL(ping_url);
    await this.ask(`${pathname}${search}`, signal);
  }

  private ask(path: string, signal: AbortSignal | undefined): Promise<StockAnswer | null> {
    return this.http.fetchJson(this.name, `${this.origin}${path}`, this.authorization, signal);
  }
}

/** Null for what is no photo: without an id or addresses. */
function photoOf(photo: StockAnswer): FoundPhoto | null {
  const [urls, user, links] = [partOf(photo, 'urls'), partOf(photo, 'user'), partOf(photo, 'links')];
  const [id, raw, full, regular] = [textIn(photo, 'id'), textIn(urls, 'raw'), textIn(urls, 'full'), textIn(urls, 'regular')];
  if (id === '' || !URL.canParse(raw) || !isObject(photo.urls)) return null;
  return {
    stock_id: `unsplash:${id}`,
    title: textIn(photo, 'description') || textIn(photo, 'alt_description') || null,
    author: textIn(user, 'name'),
    author_url: textIn(partOf(user, 'links'), 'html'),
    page_url: textIn(links, 'html'),
    preview_url: textIn(urls, 'small'),
    width: numberIn(photo, 'width'),
    height: numberIn(photo, 'height'),
    color: textIn(photo, 'color') || null,
    license: 'Unsplash License',
    license_url: 'https://unsplash.com/license',
    urls: { original: full || raw, large: wide(raw), medium: regular || full || raw },
    ping_url: textIn(links, 'download_location') || null,
  };
}

function wide(raw: string): string {
  const url = new URL(raw);
  url.searchParams.set('w', String(LARGE));
  url.searchParams.set('fm', 'jpg');
  return url.href;
}
