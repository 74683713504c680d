import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deliverBytes } from '@atrium/files';
import { announceRateStatus, RateLimits } from '@atrium/platform/access';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { API_PREFIX, Edge, type RawEndpoint } from '@atrium/platform/http';
import { HOUR, Problem, SECOND } from '@atrium/platform/kernel';
import { AppLogger } from '@atrium/platform/observability';
import type { Request, Response } from 'express';
import { ShareArchives } from '../application/share-archives.service';
import { BYTES_PATH } from '../application/share-addresses';
import type { ShareCall } from '../application/share-call';
import { ShareDownloads } from '../application/share-downloads.service';
import { ShareOverview, type LookedAt } from '../application/share-overview.service';
import { ShareUnlocking } from '../application/share-unlocking.service';
import { ShareVerdicts } from '../application/share-verdicts.service';
import { ShareViewing } from '../application/share-viewing.service';
import { brandStyle } from './pages/brand-style';
import { renderPage, statePage, type PageParts } from './pages/layout';
import { PAGE_STYLE } from './pages/page-style';
import { filePage, filesPage, lockedPage, type PageOfShare } from './pages/share-page';
import { uploadPage } from './pages/upload-page';
import { SHARE_SCRIPT } from './pages/share-script';
import { UPLOAD_SCRIPT } from './pages/upload-script';
import { wordsOf, type Words } from './pages/words';
import { formOf } from './page-form';
import { GuestCalls } from './share-call';

const ASSETS: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  'page.css': { type: 'text/css; charset=utf-8', text: PAGE_STYLE },
  'share.js': { type: 'text/javascript; charset=utf-8', text: SHARE_SCRIPT },
  'upload.js': { type: 'text/javascript; charset=utf-8', text: UPLOAD_SCRIPT },
};
const VERSION = createHash('sha256')
  .update(PAGE_STYLE + UPLOAD_SCRIPT + SHARE_SCRIPT)
  .digest('hex')
  .slice(0, 12);

const TOKEN_PATH = /^\/s\/([A-Za-z0-9_-]{1,100})(?:\/(file|get|more|now|verdict|zip)(?:\/([A-Za-z0-9_-]{1,64}))?)?$/;
const KIOSK_PATH = /^\/kiosk\/([0-9a-fA-F-]{1,64})$/;
const COOKIE = 'atrium_share';
const COOKIE_SECONDS = HOUR / SECOND;
/** Bytes come from here too, wherever they are stored; nothing of a page runs inline. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const MOST_PASSWORD = 256;
const MOST_NAME = 120;
const MOST_PICKS = 1_000;
const MOST_ASKED = 60;
const MOST_EMAIL = 320;

/** One request for the page of a link. */
interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly token: string;
  readonly base: string;
  readonly call: ShareCall;
}

/**
 * The pages of links, for people: small, made on the server, of use without scripts but for sending. Nothing of them is
 * kept by caches, found by search machines, framed by others or revealed as a referrer.
 */
@Injectable()
export class SharePages implements RawEndpoint, OnModuleInit {
  private readonly secure: boolean;

  constructor(
    private readonly edge: Edge,
    private readonly overview: ShareOverview,
    private readonly viewing: ShareViewing,
    private readonly downloads: ShareDownloads,
    private readonly unlocking: ShareUnlocking,
    private readonly archives: ShareArchives,
    private readonly verdicts: ShareVerdicts,
    private readonly calls: GuestCalls,
    private readonly rates: RateLimits,
    private readonly logger: AppLogger,
    settings: Settings,
  ) {
    this.secure = publicOrigin(settings).startsWith('https:');
  }

  onModuleInit(): void {
    this.edge.mountEndpoint(this);
  }

  async handleRequest(request: Request, response: Response): Promise<boolean> {
    if ((!request.url.startsWith('/s/') && !request.url.startsWith('/kiosk/')) || request.url.startsWith(BYTES_PATH)) return false;
    try {
      await this.answer(request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else this.refuse(request, response, error);
    }
    return true;
  }

  private async answer(request: Request, response: Response): Promise<void> {
    const [path = '', query = ''] = request.url.split('?', 2);
    const asset = path.startsWith('/s/-/') ? assetOf(path.slice('/s/-/'.length)) : undefined;
    if (asset) return this.sendAsset(request, response, asset);
    announceRateStatus(response, await this.rates.countRequest({ address: request.ip ?? '' }, isReading(request) ? 'read' : 'write'));
    const kiosk = KIOSK_PATH.exec(path)?.[1];
    if (kiosk !== undefined && isReading(request)) return this.kiosk(request, response, kiosk);
    const [, token, action, id] = TOKEN_PATH.exec(path) ?? [];
    if (token === undefined) throw new Problem('not_found', 'There is nothing at this address.');
    const call = await this.calls.readCall(request, cookieOf(request));
    const visit: Visit = { request, response, token, base: `/s/${token}`, call };
    if (request.method === 'POST') return this.post(visit, action, id);
    if (!isReading(request)) throw new Problem('method_not_allowed', 'Read this address with GET, or send it a form.');
    if (action === 'file' && id) return this.file(visit, id);
    if (action === 'get' && id) return redirect(response, await this.downloads.downloadUrl(token, id, call));
    const asked = new URLSearchParams(query);
    if (action === 'now') return this.now(visit, (asked.get('of') ?? '').split(',').filter(Boolean).slice(0, MOST_ASKED));
    if (action !== undefined) throw new Problem('not_found', 'There is nothing at this address.');
    return this.show(visit, { cursor: asked.get('cursor') ?? undefined });
  }

  private async post(visit: Visit, action: string | undefined, id: string | undefined): Promise<void> {
    const { request, response, token, base, call } = visit;
    const form = await formOf(request);
    if (action === undefined) return this.unlock(visit, form);
    const picks = [...new Set(form.getAll('pick'))].slice(0, MOST_PICKS);
    const cursor = form.get('cursor') ?? undefined;
    if (action === 'more') return this.show(visit, { cursor: form.get('next') ?? undefined, picks });
    if (action === 'zip')
      return form.get('which') === 'picked' && picks.length === 0
        ? this.show(visit, { cursor, note: 'pickFirst' })
        : this.zip(visit, form.get('which') === 'picked' ? picks : undefined);
    if (action !== 'verdict' || !id) throw new Problem('not_found', 'There is nothing at this address.');
    await this.verdicts.recordVerdict(token, id, { verdict: form.get('verdict') === 'approved' ? 'approved' : 'rejected' }, call);
    const from = form.get('file');
    // Without scripts the ticks are nowhere else.
    if (from === null && picks.length > 0) return this.show(visit, { cursor, picks });
    redirect(
      response,
      from !== null
        ? `${base}/file/${encodeURIComponent(from)}`
        : `${base}${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}#f-${id}`,
    );
  }

  private async show(
    visit: Visit,
    {
      cursor,
      picks = [],
      note,
    }: { readonly cursor?: string | undefined; readonly picks?: readonly string[]; readonly note?: 'pickFirst' } = {},
  ): Promise<void> {
    const { token, base, call } = visit;
    const share = await this.overview.viewShare(token, call);
    const words = wordsOf(share.options.locale);
    const view: PageOfShare = { base, share, words };
    if (share.locked) return this.send(visit, 200, { ...this.frame(share, words), body: lockedPage(view, null) });
    if (share.share_type === 'upload') {
      const body = uploadPage({ api: `/${API_PREFIX}/public/shares/${token}`, share, words, access: call.bearer, kiosk: false });
      return this.send(visit, 200, { ...this.frame(share, words), body, script: 'upload' });
    }
    const files = await this.viewing.listFiles(token, call, {
      limit: 60,
      ...(cursor ? { cursor } : {}),
      ...(share.options.layout === 'slideshow' ? { picture: 'large' as const } : {}),
    });
    this.send(visit, note ? 400 : 200, {
      ...this.frame(share, words),
      body: filesPage(view, { ...files, cursor: cursor ?? null, picks, ...(note ? { note: words[note] } : {}) }),
      script: 'share',
    });
  }

  private async file(visit: Visit, id: string): Promise<void> {
    const { token, base, call } = visit;
    const [share, file, around] = [
      await this.overview.readShare(token, call),
      await this.viewing.getFile(token, id, call),
      await this.viewing.getNeighbours(token, id, call),
    ];
    const words = wordsOf(share.options.locale);
    // One that is being made is not waited for: the page shows so, and it appears.
    const preview = file.picture === 'making' ? null : await this.viewing.previewUrl(token, id, call).catch(unlessAbsent);
    this.send(visit, 200, {
      ...this.frame(share, words),
      body: filePage({ base, share, words }, file, { ...around, preview }),
      script: 'share',
    });
  }

  /** What has changed since the page was sent, for its script. */
  private async now({ request, response, token, call }: Visit, ids: readonly string[]): Promise<void> {
    const text = JSON.stringify(await this.viewing.getProgress(token, ids, call));
    response.removeHeader('Access-Control-Allow-Origin');
    response.status(200).set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': String(Buffer.byteLength(text)),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  /** A form of the page: what unlocks the link is kept in a cookie that no script reads and no other page sends. */
  private async unlock(visit: Visit, form: URLSearchParams): Promise<void> {
    const { response, token, base, call } = visit;
    const text = (name: string, most: number): string | null => form.get(name)?.trim().slice(0, most) || null;
    try {
      const { access_token } = await this.unlocking.unlockShare(
        token,
        {
          password: form.get('password')?.slice(0, MOST_PASSWORD) ?? null,
          accept_terms: form.get('accept_terms') === 'true',
          name: text('name', MOST_NAME),
          email: text('email', MOST_EMAIL),
        },
        call,
      );
      response.cookie(COOKIE, access_token, {
        httpOnly: true,
        sameSite: 'strict',
        secure: this.secure,
        path: base,
        maxAge: COOKIE_SECONDS * SECOND,
      });
      redirect(response, base);
    } catch (error) {
      if (!(error instanceof Problem) || !['unauthenticated', 'rate_limited', 'validation_failed'].includes(error.code)) throw error;
      const share = await this.overview.readShare(token, call);
      const words = wordsOf(share.options.locale);
      const note = error.code === 'unauthenticated' ? words.wrong : error.code === 'rate_limited' ? words.throttled : words.incomplete;
      for (const [name, value] of Object.entries(error.headers)) if (name === 'Retry-After') response.setHeader(name, value);
      this.send(visit, error.status, { ...this.frame(share, words), body: lockedPage({ base, share, words }, note) });
    }
  }

  private async zip({ response, token, base, call }: Visit, file_ids: readonly string[] | undefined): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const fetched = await this.archives.fetchArchive(token, file_ids ? { file_ids } : {}, call, gone.signal);
    if ('job' in fetched)
      throw new Problem('service_unavailable', 'The archive is being prepared.', { headers: { 'Retry-After': '60', Location: base } });
    response.status(200).set({
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="files.zip"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    await deliverBytes(fetched.packing.stream, response);
  }

  private async kiosk(request: Request, response: Response, id: string): Promise<void> {
    const call = await this.calls.readCall(request, null);
    const looked = await this.overview.viewAtKiosk(id, call);
    const words = wordsOf(looked.options.locale);
    const body = uploadPage({ api: `/${API_PREFIX}/public/kiosk/${id}`, share: looked, words, access: null, kiosk: true });
    this.send({ request, response }, 200, { ...this.frame(looked, words), title: words.kiosk, body, script: 'upload' });
  }

  private frame(
    { share_name, brand, options: { locale } }: LookedAt,
    words: Words,
  ): Pick<PageParts, 'title' | 'locale' | 'words' | 'brand'> {
    return { title: share_name ?? words.lockedTitle, locale, words, brand };
  }

  private send({ request, response }: Pick<Visit, 'request' | 'response'>, status: number, parts: PageParts): void {
    const text = renderPage(parts, VERSION);
    response.removeHeader('Access-Control-Allow-Origin');
    response.status(status).set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Content-Length': String(Buffer.byteLength(text)),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  private sendAsset(request: Request, response: Response, { type, text }: { readonly type: string; readonly text: string }): void {
    response.status(200).set({
      'Content-Type': type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': String(Buffer.byteLength(text)),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  /** In English: nothing is known of the link, or nothing may be shown. A link that is no longer available says why. */
  private refuse(request: Request, response: Response, error: unknown): void {
    if (!(error instanceof Problem)) this.logger.error({ err: error, path: 'share page' }, 'request failed');
    const { code = 'service_unavailable', status = 503, title = '', headers = {} } = error instanceof Problem ? error : {};
    const words = wordsOf('en');
    for (const [name, value] of Object.entries(headers)) if (name === 'Retry-After') response.setHeader(name, value);
    const body =
      code === 'gone'
        ? statePage('gone', title || words.gone, words.goneHint)
        : code === 'not_found' || code === 'validation_failed'
          ? statePage('unknown', words.unknown, words.unknownHint)
          : code === 'permission_denied'
            ? statePage('lock', words.refused, words.refusedHint)
            : code === 'unauthenticated'
              ? statePage('lock', words.lockedTitle, words.lockedHint)
              : statePage('gone', words.busy, words.busyHint);
    this.send({ request, response }, status, { title: words.footer, locale: 'en', words, body });
  }
}

function assetOf(name: string): (typeof ASSETS)[string] | undefined {
  const brand = brandStyle(name);
  return brand === null ? ASSETS[name] : { type: 'text/css; charset=utf-8', text: brand };
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function redirect(response: Response, to: string): void {
  response.status(303).set({ Location: to, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end();
}

/** What the page's own form has put there. */
function cookieOf({ headers }: Request): string | null {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`));
  return found?.slice(COOKIE.length + 1) ?? null;
}

const unlessAbsent = (error: unknown): null => {
  if (error instanceof Problem && (error.code === 'not_found' || error.code === 'service_unavailable')) return null;
  throw error;
};
