import { Injectable, type OnModuleInit } from '@nestjs/common';
import { announceRateStatus, RateLimits } from '@atrium/platform/access';
import { Edge, type RawEndpoint } from '@atrium/platform/http';
import { Problem, PROBLEMS } from '@atrium/platform/kernel';
import type { Request, Response } from 'express';
import { WebhooksService } from '../application/webhooks.service';

const PATH = /^\/hooks\/cms\/([A-Za-z0-9_-]{32})$/;
const MOST_BYTES = 1024 * 1024;
/** A CMS sends the events of all of its customers from few addresses, and an event only names what is to be read. */
const RATE_CLASS = 'read';

/** Addresses that a CMS calls when its content changes. The body is read as it came, because its signature is over its bytes. */
@Injectable()
export class CmsHooksEndpoint implements RawEndpoint, OnModuleInit {
  constructor(
    private readonly edge: Edge,
    private readonly webhooks: WebhooksService,
    private readonly rates: RateLimits,
  ) {}

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  async handleRequest(request: Request, response: Response): Promise<boolean> {
    if (!request.url.startsWith('/hooks/cms/')) return false;
    try {
      announceRateStatus(response, await this.rates.countRequest({ address: request.ip ?? '' }, RATE_CLASS));
      await this.accept(request);
      response.status(202).json({ accepted: true });
    } catch (error) {
      const problem = error instanceof Problem && error.status < 500 ? error : new Problem('service_unavailable', 'Try again shortly.');
      if (!response.headersSent)
        response
          .set(problem.headers)
          .status(PROBLEMS[problem.code].status)
          .type('application/problem+json')
          .send(
            JSON.stringify({
              type: `/problems/${problem.code}`,
              title: problem.title,
              status: problem.status,
              code: problem.code,
              detail: problem.detail,
            }),
          );
    }
    return true;
  }

  private async accept(request: Request): Promise<void> {
    const [path = ''] = request.url.split('?', 1);
    const [, hook_key] = PATH.exec(path) ?? [];
    if (hook_key === undefined) throw new Problem('not_found', 'There is nothing at this address.');
    if (request.method !== 'POST') throw new Problem('method_not_allowed', 'Events are sent with POST.');
    const body = await readBody(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    );
    await this.webhooks.acceptEvent(hook_key, { method: request.method, path: request.url, headers, body });
  }
}

async function readBody(request: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Problem('payload_too_large', 'An event has at most 1 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
