import { withoutEnd } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import type { FoundPhoto, StockProvider, StockResults, StockSearch, StockSize } from '../domain/stock-provider';
import { listIn, numberIn, partOf, StockHttp, textIn, type StockAnswer } from './stock-http';

/** Colors as Pexels calls them, where it calls them otherwise. */
const COLORS: Readonly<Record<string, string>> = { teal: 'turquoise', purple: 'violet' };

/** Pexels: authors should be named, and downloads are not reported. */
@Injectable()
export class PexelsProvider implements StockProvider {
  readonly key = 'pexels';
  readonly name = 'Pexels';
  readonly setting = 'PEXELS_API_KEY';
  readonly attribution_required = false;
  readonly configured: boolean;
  private readonly origin: string;
  private readonly authorization: string;

  constructor(
    private readonly http: StockHttp,
    settings: Settings,
  ) {
    this.configured = settings.PEXELS_API_KEY !== '';
    this.origin = withoutEnd(settings.PEXELS_URL, /\//);
    this.authorization = settings.PEXELS_API_KEY;
  }

  async searchPhotos({ q, orientation, color, page, count }: StockSearch, signal?: AbortSignal): Promise<StockResults> {
    const query = new URLSearchParams({
      query: q,
      page: String(page),
      per_page: String(count),
      ...(orientation ? { orientation } : {}),
      ...(color ? { color: COLORS[color] ?? color } : {}),
    });
    const answer = (await this.ask(`/v1/search?${query.toString()}`, signal)) ?? {};
    return { photos: listIn(answer, 'photos').flatMap((photo) => photoOf(photo) ?? []), has_more: textIn(answer, 'next_page') !== '' };
  }

  async findPhoto(id: string, signal?: AbortSignal): Promise<FoundPhoto | null> {
    const answer = /^\d+$/.test(id) ? await this.ask(`/v1/photos/${id}`, signal) : null;
    return answer && photoOf(answer);
  }

  downloadUrl(photo: FoundPhoto, size: StockSize): string {
    return photo.urls[size];
  }

  reportDownload(): Promise<void> {
    return Promise.resolve();
  }

  private ask(path: string, signal: AbortSignal | undefined): Promise<StockAnswer | null> {
    return this.http.fetchJson(this.name, `${this.origin}${path}`, this.authorization, signal);
  }
}

/** Null for what is no photo: without an id or addresses. */
function photoOf(photo: StockAnswer): FoundPhoto | null {
  const src = partOf(photo, 'src');
  const [id, original] = [numberIn(photo, 'id'), textIn(src, 'original')];
  if (id === 0 || original === '') return null;
  return {
    stock_id: `pexels:${id}`,
    title: textIn(photo, 'alt') || null,
    author: textIn(photo, 'photographer'),
    author_url: textIn(photo, 'photographer_url'),
    page_url: textIn(photo, 'url'),
    preview_url: textIn(src, 'medium'),
    width: numberIn(photo, 'width'),
    height: numberIn(photo, 'height'),
    color: textIn(photo, 'avg_color') || null,
    license: 'Pexels License',
    license_url: 'https://www.pexels.com/license/',
    urls: { original, large: textIn(src, 'large2x') || original, medium: textIn(src, 'large') || original },
    ping_url: null,
  };
}
