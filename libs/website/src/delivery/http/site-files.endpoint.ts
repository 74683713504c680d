import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dispositionOf, shownType } from '@atrium/distribution';
import { sendBytes } from '@atrium/files';
import { announceRateStatus, RateLimits } from '@atrium/platform/access';
import { Edge, type RawEndpoint } from '@atrium/platform/http';
import { Problem } from '@atrium/platform/kernel';
import type { Request, Response } from 'express';
import { SiteAssets } from '../application/site-assets';
import { SiteTexts, type SiteText } from '../application/site-texts';
import { announceLive, isKnownTo } from './delivery-headers';

const UNDER = '/w';
const ROUTE = /^\/w\/([^/?]+)\/(?:(sitemap\.xml|robots\.txt)|sitemap\/([^/?]+)\.xml|assets\/([^/?]+)\/([^/?]+)\/[^/?]+)$/;
const YEAR = 'public, max-age=31536000, immutable';

/** Sitemaps, robots.txt and bytes of sites, at addresses outside of the API. */
@Injectable()
export class SiteFilesEndpoint implements RawEndpoint, OnModuleInit {
  readonly anyOriginUnder = UNDER;

  constructor(
    private readonly edge: Edge,
    private readonly texts: SiteTexts,
    private readonly assets: SiteAssets,
    private readonly rates: RateLimits,
  ) {}

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  async handleRequest(request: Request, response: Response): Promise<boolean> {
    if (!request.url.startsWith(`${UNDER}/`)) return false;
    try {
      await this.answer(request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(response, error instanceof Problem ? error : unavailable());
    }
    return true;
  }

  private async answer(request: Request, response: Response): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method_not_allowed', 'This path supports GET and HEAD.', { headers: { Allow: 'GET, HEAD' } });
    const counted = this.rates.countRequest({ address: request.ip ?? '' }, 'read');
    announceRateStatus(response, counted instanceof Promise ? await counted : counted);
    const [path = '', search = ''] = request.url.split('?', 2);
    const [, site_key, text, part, file_id, hash] = ROUTE.exec(path) ?? [];
    if (site_key === undefined) throw nothingHere();
    if (text === 'robots.txt') return sendText(request, response, 'text/plain', await this.texts.writeRobots(site_key));
    if (text !== undefined) return sendText(request, response, 'application/xml', await this.texts.writeSitemap(site_key));
    if (part !== undefined) return sendText(request, response, 'application/xml', await this.texts.writeSitemapPart(site_key, part));
    return this.sendAsset(request, response, { site_key, file_id: file_id ?? '', hash: hash ?? '', query: new URLSearchParams(search) });
  }

  private async sendAsset(
    request: Request,
    response: Response,
    {
      site_key,
      file_id,
      hash,
      query,
    }: { readonly site_key: string; readonly file_id: string; readonly hash: string; readonly query: URLSearchParams },
  ): Promise<void> {
    const asset = await this.assets.findAsset(site_key, {
      file_id,
      hash,
      ...(query.has('size') && { size: query.get('size') ?? '' }),
      ...(query.has('token') && { token: query.get('token') ?? '' }),
    });
    const name = decodeURIComponent(request.url.split('?', 1)[0]?.split('/').at(-1) ?? 'file').replace(/[^\w.-]+/g, '_');
    response.setHeader('Content-Disposition', dispositionOf(asset.type, name, false));
    await sendBytes(
      request,
      response,
      {
        size: asset.size,
        type: shownType(asset.type),
        etag: `${asset.hash}-${asset.replica}`,
        cache: asset.isDraft ? 'private, no-store' : YEAR,
      },
      (range) => asset.open(range),
    );
  }
}

function sendText(request: Request, response: Response, type: string, text: SiteText): void {
  announceLive(response, text);
  if (isKnownTo(request)(text.tag)) {
    response.writeHead(304).end();
    return;
  }
  const bytes = Buffer.from(text.text);
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Why bytes cannot be had is for nobody outside: what cannot be delivered is not there. */
const nothingHere = (): Problem => new Problem('not_found', 'There is nothing at this address.');
const unavailable = (): Problem => new Problem('service_unavailable', 'The site cannot be delivered at the moment. Try again shortly.');

function refuse(response: Response, problem: Problem): void {
  const { status, title, code, detail, headers } = problem.code === 'not_found' ? nothingHere() : problem;
  const body = JSON.stringify({ type: `/problems/${code}`, title, status, code, detail });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', code === 'not_found' ? 'public, max-age=10' : 'no-store');
  response.writeHead(status, { 'Content-Type': 'application/problem+json', 'Content-Length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
