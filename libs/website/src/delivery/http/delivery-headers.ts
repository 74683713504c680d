import { namesEtag } from '@atrium/platform/storage';
import type { Request, Response } from 'express';
import type { SiteFacts } from '../application/delivery-gate';

/** What caches have to know of an answer. */
export interface CacheFacts {
  readonly site: SiteFacts;
  readonly tag: string;
  readonly seq?: number;
  readonly cacheTags?: readonly string[];
}

/** Whether the client has the answer with a tag. */
export const isKnownTo =
  (request: Request) =>
  (tag: string): boolean => {
    const tags = request.headers['if-none-match'];
    return tags !== undefined && namesEtag(tags, tag);
  };

/** Browsers ask again each time; caches in front of the site keep it as long as the site says. */
export function announceLive(
  response: Response,
  { site, tag, seq = site.site_seq, cacheTags = [`site:${site.site_id}`] }: CacheFacts,
): void {
  const { s_maxage, swr } = site.site_cache;
  response.setHeader('ETag', `"${tag}"`);
  response.setHeader('X-Site-Seq', String(seq));
  response.setHeader('Cache-Tag', cacheTags.join(' '));
  response.setHeader('Cache-Control', `public, max-age=0, s-maxage=${s_maxage}, stale-while-revalidate=${swr}`);
}

/** Drafts are for one pair of eyes. */
export function announceDraft(response: Response, { site_seq }: SiteFacts): void {
  response.setHeader('X-Site-Seq', String(site_seq));
  response.setHeader('Cache-Control', 'private, no-store');
}
