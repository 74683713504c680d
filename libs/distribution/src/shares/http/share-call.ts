import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { ShareCall } from '../application/share-call';
import { RequestFactsReader } from '../../control/http/request-facts';

const MOST_AGENT = 512;

/** The facts about the sender of a guest's request. */
@Injectable()
export class GuestCalls implements PipeTransform<Request, Promise<ShareCall>> {
  constructor(private readonly facts: RequestFactsReader) {}

  transform(request: Request): Promise<ShareCall> {
    return this.readCall(request, bearerOf(request));
  }

  /** `bearer`: where a page keeps it elsewhere than in the header. */
  async readCall(request: Request, bearer: string | null): Promise<ShareCall> {
    const purpose = `${String(request.headers['sec-purpose'] ?? '')} ${String(request.headers.purpose ?? '')}`;
    const visit = request.headers['x-visit'];
    return {
      address: request.ip ?? '',
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, MOST_AGENT),
      facts: await this.facts.readFacts(request),
      prefetch: purpose.includes('prefetch') || purpose.includes('preview'),
      bearer,
      visit: typeof visit === 'string' ? visit : null,
    };
  }
}

const requestAtHand = createParamDecorator((_: unknown, context: ExecutionContext): Request =>
  context.switchToHttp().getRequest<Request>(),
);

/** Who calls from outside: `@Guest() call: ShareCall`. */
export const Guest = (): ParameterDecorator => requestAtHand(GuestCalls);

function bearerOf({ headers }: Request): string | null {
  return /^Bearer ([A-Za-z0-9_.-]{1,4000})$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
