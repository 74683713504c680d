import { currentScope, type Database } from '@atrium/platform/database';
import type { Response } from 'express';
import type { AnswerShape } from './answers';
import { API_PREFIX } from './paths';
import { holdsSecret } from './held-secrets';
import { guardData, showsAddresses } from './safe-headers';

type Body = Record<string, unknown>;

/** Turns what a handler returns into the answer it declares: ETag and 304, Location. Stateless; one a handler. */
export class DeclaredAnswer {
  private cacheControl: 'no-store' | 'private, no-cache' | undefined;

  constructor(
    private readonly shape: AnswerShape | undefined,
    private readonly db: Database,
    private readonly showsSecret: boolean,
  ) {}

  /** Whether the text of it may be compressed: of an answer that shows a secret, the size would show whether it contains what was asked. */
  mayBeCompressed(text: string): boolean {
    return !this.showsSecret && this.shape?.schema !== undefined && !holdsSecret(text);
  }

  /** What must happen before anything is sent: the entry gate settles when the handler asked the database nothing. Nearly always there is nothing to wait for. */
  settleGate(): Promise<void> | undefined {
    const scope = currentScope();
    return scope?.gate && !scope.admitted ? this.db.settleGate() : undefined;
  }

  /** Sets the headers, and answers the body that is sent; none when the client has it already. */
  finishResponse(response: Response, body: unknown): unknown {
    const { shape } = this;
    guardData(
      response,
      (this.cacheControl ??= this.showsSecret || !shape?.schema || showsAddresses(shape.schema) ? 'no-store' : 'private, no-cache'),
    );
    if (!shape || typeof body !== 'object' || body === null) return body;
    const resource = body as Body;
    if (shape.location && response.statusCode !== 200)
      response.setHeader(
        'Location',
        `/${API_PREFIX}/${shape.location.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(resource[name])))}`,
      );
    if (resource.row_version === undefined) return resource;
    const { row_version, ...visible } = resource;
    if (!shape.etag) return visible;
    const etag = `"${row_version as number}"`;
    response.setHeader('ETag', etag);
    return shape.isPartlyVersioned ? visible : unlessKnown(response, etag, visible);
  }
}

function unlessKnown(response: Response, etag: string, body: Body): Body | undefined {
  const request = response.req;
  if (request.method !== 'GET' || !etagsOf(request.headers['if-none-match']).includes(etag)) return body;
  response.status(304);
  return undefined;
}

const etagsOf = (header: string | undefined): string[] => (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
