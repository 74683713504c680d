import { Injectable } from '@nestjs/common';
import { WrittenAnswer } from '@atrium/platform/http';
import { Problem } from '@atrium/platform/kernel';
import type { Request, Response } from 'express';
import { PageDelivery, type PageQuery } from '../application/page-delivery';
import type { RedirectAnswer } from '../domain/delivered';
import { announceLive, isKnownTo } from './delivery-headers';

/** What is not there may be soon: caches ask again after ten seconds. */
const SHORTLY = { 'Cache-Control': 'public, max-age=10' };

/** Answers of live pages with their headers. */
@Injectable()
export class PageAnswers {
  constructor(private readonly pages: PageDelivery) {}

  /** Undefined: the client has it already. */
  async answerPage(
    request: Request,
    response: Response,
    { site_key, ...query }: PageQuery & { readonly site_key: string },
  ): Promise<RedirectAnswer | WrittenAnswer | undefined> {
    const answer = await this.pages.deliverPage(site_key, query, isKnownTo(request)).catch(shortLived);
    if ('redirect' in answer) {
      announceLive(response, { site: answer.site, seq: answer.seq, tag: `${answer.seq}` });
      return answer.redirect;
    }
    announceLive(response, answer);
    if (answer.text !== null) return new WrittenAnswer(answer.text);
    response.status(304);
    return undefined;
  }
}

function shortLived(error: unknown): never {
  if (error instanceof Problem && (error.code === 'not_found' || error.code === 'gone'))
    throw new Problem(error.code, error.detail, { headers: SHORTLY });
  throw error;
}
