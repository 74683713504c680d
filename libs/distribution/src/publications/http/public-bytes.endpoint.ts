import { pipeline } from 'node:stream/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Edge, type RawEndpoint } from '@atrium/platform/http';
import { Problem, PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';
import { namesEtag, wantedBytes } from '@atrium/platform/storage';
import type { Request, Response } from 'express';
import { PublicationHits } from '../application/publication-hits';
import { isRuled, PublicBytes, refusalAge, type PublicAnswer } from '../application/public-bytes';
import type { RequestFacts } from '../../control/domain/rules';
import { dispositionOf, isForEverybodysPages, securityOf, shownType } from './public-headers';
import { RequestFactsReader } from '../../control/http/request-facts';

const PATH = /^\/p\/([^/?]+)\/([^/?]+)$/;
const STALE_SECONDS = 60;
const RETRY_SECONDS: Readonly<Record<string, string>> = { copying: '2', suspended: '60', lapsed: '3600' };

const DETAILS: Readonly<Partial<Record<ProblemCode, string>>> = {
  not_found: 'There is nothing at this address.',
  gone: 'This file is no longer published.',
  service_unavailable: 'The file cannot be delivered at the moment. Try again shortly.',
  permission_denied: 'This file is not available to you.',
};

/** The public addresses of published files: evaluated, then streamed; nothing of a request is reflected in the answer. */
@Injectable()
export class PublicBytesEndpoint implements RawEndpoint, OnModuleInit {
  constructor(
    private readonly edge: Edge,
    private readonly addresses: PublicBytes,
    private readonly facts: RequestFactsReader,
    private readonly hits: PublicationHits,
  ) {}

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  async handleRequest(request: Request, response: Response): Promise<boolean> {
    if (!request.url.startsWith('/p/')) return false;
    try {
      await this.answer(request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else refuse(request, response, error instanceof Problem ? error.code : 'service_unavailable', { 'retry-after': '1' });
    }
    return true;
  }

  private async answer(request: Request, response: Response): Promise<void> {
    response.removeHeader('vary');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(request, response, 'method_not_allowed', { allow: 'GET, HEAD' });
    const [path = '', query = ''] = request.url.split('?', 2);
    const [, pub_key, pub_name] = PATH.exec(path) ?? [];
    if (pub_key === undefined || pub_name === undefined) return refuse(request, response, 'not_found');
    const told = this.facts.readFacts(request);
    const facts = told instanceof Promise ? await told : told;
    const asked = { pub_key, pub_name, isDownload: /(?:^|&)download(?:[=&]|$)/.test(query) };
    for (let attempt = 1; ; attempt++) {
      const answer = await this.addresses.findAnswer(pub_key, pub_name, facts);
      if (!answer?.copy || answer.verdict.decision === 'refuse') return this.refuse(request, response, answer, facts);
      if (await this.deliver(request, response, { ...asked, answer, copy: answer.copy, facts })) return;
      // The copy was replaced: the cached state is out of date.
      this.addresses.forgetCopy(pub_key);
      if (attempt === 2) return refuse(request, response, 'service_unavailable', { 'retry-after': '2' });
    }
  }

  private refuse(request: Request, response: Response, answer: PublicAnswer | null, { country }: RequestFacts): void {
    if (!answer) return refuse(request, response, 'not_found');
    const {
      verdict,
      publication: { tenant_id, pub_id },
    } = answer;
    if (verdict.reason !== 'draft' && verdict.reason !== 'embargo')
      this.hits.countHit({ tenant_id, pub_id, outcome: verdict.reason ?? 'gone', country, bytes: 0 });
    const age = refusalAge(verdict);
    refuse(
      request,
      response,
      verdict.code ?? 'not_found',
      {
        ...(age > 0 ? { 'cache-control': `public, max-age=${age}` } : {}),
        ...(verdict.reason && RETRY_SECONDS[verdict.reason] ? { 'retry-after': RETRY_SECONDS[verdict.reason] ?? '' } : {}),
        ...(answer.policy.refusesAi ? { 'x-robots-tag': 'noai' } : {}),
      },
      isRuled(verdict.reason) ? verdict.reason : null,
    );
  }

  /** False: the copy is not where it was. */
  private async deliver(request: Request, response: Response, asked: Asked): Promise<boolean> {
    const { copy } = asked;
    const etag = copy.hash;
    if (isUnchanged(request, copy)) {
      announce(response, asked);
      response.writeHead(304).end();
      this.count(asked, 0);
      return true;
    }
    const range =
      request.headers['if-range'] === undefined || request.headers['if-range'] === `"${etag}"` ? request.headers.range : undefined;
    const wanted = wantedBytes(range, copy.size);
    if (wanted === 'none') {
      refuse(request, response, 'validation_failed', { 'content-range': `bytes */${copy.size}` }, null, 416);
      return true;
    }
    const { start, end } = wanted === 'whole' ? { start: 0, end: copy.size - 1 } : wanted;
    const isEmpty = request.method === 'HEAD' || copy.size === 0;
    const stream = isEmpty ? null : await this.addresses.openCopy(copy.object, wanted === 'whole' ? undefined : { start, end });
    if (stream === 'missing') return false;
    announce(response, asked);
    if (wanted !== 'whole') response.setHeader('content-range', `bytes ${start}-${end}/${copy.size}`);
    response.writeHead(wanted === 'whole' ? 200 : 206, { 'content-length': copy.size === 0 ? 0 : end - start + 1 });
    this.count(asked, stream ? end - start + 1 : 0);
    if (stream) await pipeline(stream, response);
    else response.end();
    return true;
  }

  private count(
    {
      answer: {
        publication: { tenant_id, pub_id },
      },
      facts: { country },
    }: Asked,
    bytes: number,
  ): void {
    this.hits.countHit({ tenant_id, pub_id, outcome: 'hit', country, bytes });
  }
}

interface Asked {
  readonly pub_name: string;
  readonly isDownload: boolean;
  readonly answer: PublicAnswer;
  readonly copy: NonNullable<PublicAnswer['copy']>;
  readonly facts: RequestFacts;
}

/** If-None-Match decides; a date only where there is none. */
function isUnchanged(request: Request, { hash, made }: Asked['copy']): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return namesEtag(tags, hash);
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && Math.floor(made.getTime() / 1_000) * 1_000 <= since;
}

function announce(response: Response, { pub_name, isDownload, answer: { policy, maxAge }, copy }: Asked): void {
  const type = shownType(copy.type);
  response.setHeader('etag', `"${copy.hash}"`);
  response.setHeader('last-modified', copy.made.toUTCString());
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader(
    'cache-control',
    maxAge === 0 ? 'public, max-age=0, must-revalidate' : `public, max-age=${maxAge}, stale-while-revalidate=${STALE_SECONDS}`,
  );
  response.setHeader('content-type', type);
  response.setHeader('content-disposition', dispositionOf(type, pub_name, isDownload));
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', securityOf(type));
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  if (policy.kinds.has('host')) response.setHeader('vary', 'Referer');
  if (policy.refusesAi) response.setHeader('x-robots-tag', 'noai');
  response.removeHeader('access-control-expose-headers');
  if (isForEverybodysPages(type)) response.setHeader('access-control-allow-origin', '*');
  else response.removeHeader('access-control-allow-origin');
}

function refuse(
  request: Request,
  response: Response,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
  reason: string | null = null,
  status: number = PROBLEMS[code].status,
): void {
  const title = status === 416 ? 'The range is outside of the file' : PROBLEMS[code].title;
  const request_id = response.getHeader('x-request-id');
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail: DETAILS[code] ?? title,
    code,
    ...(reason ? { reason } : {}),
    ...(typeof request_id === 'string' ? { request_id } : {}),
  });
  response.writeHead(status, {
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
