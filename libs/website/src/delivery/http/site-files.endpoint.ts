import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dispositionOf, shownType } from '@atrium/distribution';
import { sendBytes } from '@atrium/files';
import { Edge, type RawEndpoint } from '@atrium/platform/http';
import { Problem, PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
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
      else refuse(response, error instanceof Problem ? error.code : 'service_unavailable');
    }
    return true;
  }

  private async answer(request: Request, response: Response): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 'method_not_allowed');
    }
    const [path = '', search = ''] = request.url.split('?', 2);
    const [, site_key, text, part, file_id, hash] = ROUTE.exec(path) ?? [];
    if (site_key === undefined) return refuse(response, 'not_found');
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

function refuse(response: Response, code: ProblemCode): void {
  const { status, title } = PROBLEMS[code];
  const body = JSON.stringify({ type: `/problems/${code}`, title, status, code, detail: 'There is nothing at this address.' });
  if (code === 'not_found') response.setHeader('Cache-Control', 'public, max-age=10');
  response.writeHead(status, { 'Content-Type': 'application/problem+json', 'Content-Length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
