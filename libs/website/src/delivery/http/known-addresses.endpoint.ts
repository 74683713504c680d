import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { announceRateStatus, RateLimits } from '@atrium/platform/access';
import { API_PREFIX, Edge, type RawEndpoint, type RoutedRequest } from '@atrium/platform/http';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { PageQuery } from '../application/page-delivery';
import { PageAnswers } from './page-answers';

/** What addresses of one process take in memory. */
const MOST_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 500;

/** A request for a page as its route has read it. */
interface ReadAddress {
  readonly query: PageQuery & { readonly site_key: string };
  readonly routed: Pick<RoutedRequest, 'routePattern' | 'answer'>;
}

/**
 * Addresses of pages that were asked for lately. They are answered in front of their route, which has read the address and would read it
 * in the same way again: that takes more of the processor than the answer itself. Everything else is left to the route.
 */
@Injectable()
export class KnownAddressesEndpoint implements RawEndpoint, OnModuleInit {
  readonly inFrontOf = `/${API_PREFIX}/delivery/`;
  private readonly addresses = new LRUCache<string, ReadAddress>({
    maxSize: MOST_BYTES,
    sizeCalculation: (_, url) => ENTRY_BYTES + url.length * 2,
  });

  constructor(
    private readonly edge: Edge,
    private readonly pages: PageAnswers,
    private readonly rates: RateLimits,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  /** Of a request that its route has let in. */
  keepAddress({ url, routePattern, answer }: Request & RoutedRequest, query: ReadAddress['query']): void {
    this.addresses.set(url, { query, routed: { ...(routePattern && { routePattern }), ...(answer && { answer }) } });
  }

  async handleRequest(request: Request & RoutedRequest, response: Response): Promise<boolean> {
    const known = isPlain(request) ? this.addresses.get(request.url) : undefined;
    if (!known) return false;
    Object.assign(request, known.routed);
    const counted = this.rates.countRequest({ address: request.ip ?? '' }, 'read');
    announceRateStatus(response, counted instanceof Promise ? await counted : counted);
    const answer = await this.pages.answerPage(request, response, known.query);
    await this.host.httpAdapter.reply(response, answer);
    return true;
  }
}

const isPlain = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
