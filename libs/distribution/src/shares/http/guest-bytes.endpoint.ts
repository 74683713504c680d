import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sendBytes } from '@atrium/files';
import { asProblem, Edge, type RawEndpoint } from '@atrium/platform/http';
import { Problem, SECOND } from '@atrium/platform/kernel';
import { AppLogger } from '@atrium/platform/observability';
import type { Request, Response } from 'express';
import { GuestBytes } from '../application/guest-bytes';
import { BYTES_PATH } from '../application/share-addresses';
import type { ShareCall } from '../application/share-call';
import { GuestCalls } from './share-call';

/** How long the rest of a refused body is read into nothing, so that the client gets the answer and not a reset. */
const LINGER_MS = SECOND;

/** Serves the sealed addresses of guests: pictures, downloads and archives are streamed out, uploads in. Nothing of a request is reflected. */
@Injectable()
export class GuestBytesEndpoint implements RawEndpoint, OnModuleInit {
  constructor(
    private readonly edge: Edge,
    private readonly bytes: GuestBytes,
    private readonly calls: GuestCalls,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  async handleRequest(request: Request, response: Response): Promise<boolean> {
    if (!request.url.startsWith(BYTES_PATH)) return false;
    try {
      await this.answer(request, response, request.url.slice(BYTES_PATH.length));
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else this.refuse(request, response, error);
    }
    return true;
  }

  private async answer(request: Request, response: Response, address: string): Promise<void> {
    const call = await this.calls.readCall(request, null);
    if (request.method === 'PUT') return this.receive(request, response, { address, call });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new Problem('method_not_allowed', 'Read this URL with GET, or send bytes to it with PUT.', {
        headers: { Allow: 'GET, HEAD, PUT' },
      });
    const found = await this.bytes.resolveBytes(address, call);
    response.set({ 'Content-Disposition': found.disposition, 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
    await sendBytes(request, response, found, found.open);
  }

  private async receive(
    request: Request,
    response: Response,
    { address, call }: { readonly address: string; readonly call: ShareCall },
  ): Promise<void> {
    const announced = request.headers['content-length'];
    // A body that is refused half-way leaves its connection open: the answer still has to go out on it.
    const etag = await this.bytes.receiveBytes(address, call, {
      body: Readable.from(request.iterator({ destroyOnReturn: false })),
      length: announced === undefined ? null : Number(announced),
    });
    response
      .set({ ETag: `"${etag}"`, 'Cache-Control': 'no-store', 'Content-Length': '0' })
      .status(200)
      .end();
  }

  private refuse(request: Request, response: Response, error: unknown): void {
    const problem = asProblem(error);
    if (problem.status >= 500 && !(error instanceof Problem)) this.logger.error({ err: error, path: 'share bytes' }, 'request failed');
    const { code, status, title, detail } = problem;
    const request_id = response.getHeader('x-request-id');
    const body = JSON.stringify({
      type: `/problems/${code}`,
      title,
      status,
      detail,
      code,
      ...(typeof request_id === 'string' ? { request_id } : {}),
    });
    for (const name of ['ETag', 'Content-Disposition', 'Accept-Ranges']) response.removeHeader(name);
    response.status(status).set({
      ...problem.headers,
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    if (request.complete) return;
    const linger = setTimeout(() => request.socket.destroy(), LINGER_MS);
    request.once('close', () => clearTimeout(linger)).resume();
  }
}
