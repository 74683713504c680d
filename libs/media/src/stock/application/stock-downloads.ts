import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { HOUR, MINUTE, Problem } from '@atrium/platform/kernel';
import { GuardedHttp } from '@atrium/platform/outbound';
import type { Readable } from 'node:stream';
import type { FoundPhoto, StockProvider, StockSize } from '../domain/stock-provider';

const MOST_REDIRECTS = 3;
const SLOWEST = { body: MINUTE, total: HOUR };

/** A photo in one of the sizes that its provider offers. */
export interface StockDownload {
  readonly photo: FoundPhoto;
  readonly provider: StockProvider;
  readonly size: StockSize;
}

/** Fetches the bytes of stock photos through the guarded client, wherever the provider redirects it; only pictures are accepted. */
@Injectable()
export class StockDownloads {
  constructor(
    private readonly http: GuardedHttp,
    private readonly settings: Settings,
  ) {}

  async open({ photo, provider, size }: StockDownload, signal: AbortSignal): Promise<{ readonly type: string; readonly stream: Readable }> {
    const { status, headers, body } = await this.http.open(provider.downloadUrl(photo, size), {
      signal,
      redirects: MOST_REDIRECTS,
      maxBytes: this.settings.UPLOAD_MAX_BYTES,
      timeouts: SLOWEST,
    });
    const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    if (status !== 200 || !type.startsWith('image/')) {
      body.destroy();
      throw new Problem('unprocessable_content', `${provider.name} did not return a picture (HTTP ${status}).`);
    }
    return { type, stream: body };
  }
}
