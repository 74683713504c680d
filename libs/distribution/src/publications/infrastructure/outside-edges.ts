import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { platformChannel, Signals } from '@atrium/platform/messaging';
import { Clock, Outage, Problem, SECOND, withoutEnd } from '@atrium/platform/kernel';
import { PUBLICATION_EDGES, type EdgePolicy, type PublicationEdge } from '../domain/publication-edge';

interface Call {
  readonly url: string;
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const TIMEOUT_MS = 15 * SECOND;
const MOST_TRIES = 4;
const LONGEST_WAIT_MS = 20 * SECOND;
const URLS_AT_ONCE = 30;

/** Processes of our own that serve the public: they read a policy again when they hear that it changed. */
class EmbeddedEdge implements PublicationEdge {
  readonly name = 'embedded';

  constructor(private readonly signals: Signals) {}

  putPolicy({ pub_key }: EdgePolicy): Promise<void> {
    return this.removePolicy(pub_key);
  }

  async removePolicy(pub_key: string): Promise<void> {
    await this.signals.publish(platformChannel('distribution'), { pub_key });
  }

  /** They keep no bytes. */
  purgeUrls(): Promise<void> {
    return Promise.resolve();
  }
}

/** Cloudflare before the public address: it decides nothing, it only keeps; so what it keeps is purged. */
class CloudflareEdge implements PublicationEdge {
  readonly name = 'cloudflare';

  constructor(private readonly options: { readonly url: string; readonly zone: string; readonly token: string }) {}

  putPolicy({ pub_url }: EdgePolicy, signal: AbortSignal): Promise<void> {
    return this.purgeUrls([pub_url], signal);
  }

  removePolicy(): Promise<void> {
    return Promise.resolve();
  }

  async purgeUrls(urls: readonly string[], signal: AbortSignal): Promise<void> {
    const { url, zone, token } = this.options;
    for (let at = 0; at < urls.length; at += URLS_AT_ONCE) {
      const body = JSON.stringify({ files: urls.slice(at, at + URLS_AT_ONCE) });
      const answer = await call(
        {
          url: `${url}/client/v4/zones/${encodeURIComponent(zone)}/purge_cache`,
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        },
        signal,
      );
      const { success } = JSON.parse(answer === '' ? '{}' : answer) as { success?: boolean };
      if (success !== true) throw new Problem('upstream_failed', 'Cloudflare did not purge its cache.');
    }
  }
}

/** An edge that makes its own decisions: it receives policies and purges; every call is signed. */
class HttpEdge implements PublicationEdge {
  readonly name = 'http';

  constructor(
    private readonly options: { readonly url: string; readonly secret: string },
    private readonly clock: Clock,
  ) {}

  async putPolicy({ pub_key, document }: EdgePolicy, signal: AbortSignal): Promise<void> {
    await this.send('PUT', `/policies/${pub_key}`, document, signal);
  }

  async removePolicy(pub_key: string, signal: AbortSignal): Promise<void> {
    await this.send('DELETE', `/policies/${pub_key}`, null, signal);
  }

  async purgeUrls(urls: readonly string[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < urls.length; at += URLS_AT_ONCE)
      await this.send('POST', '/purge', { urls: urls.slice(at, at + URLS_AT_ONCE) }, signal);
  }

  /** The signature covers the time, the method, the path and the body, one a line. */
  private async send(method: Call['method'], path: string, content: object | null, signal: AbortSignal): Promise<void> {
    const url = `${this.options.url}${path}`;
    const body = content === null ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(this.clock.now().getTime() / 1_000));
    const signature = createHmac('sha256', this.options.secret)
      .update([timestamp, method, new URL(url).pathname, body].join('\n'))
      .digest('hex');
    const headers = {
      'x-atrium-timestamp': timestamp,
      'x-atrium-signature': `sha256=${signature}`,
      ...(content === null ? {} : { 'content-type': 'application/json' }),
    };
    await call({ url, method, headers, ...(content === null ? {} : { body }) }, signal);
  }
}

/** The body of a good answer. An edge that is busy or broken is asked a few times more, as late as it says; then the job comes again. */
async function call({ url, method, headers, body }: Call, signal: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { response, text } = await exchange({ url, method, headers, ...(body === undefined ? {} : { body }) }, signal);
    if (response.ok || (method === 'DELETE' && response.status === 404)) return text;
    const isBusy = response.status === 429 || response.status >= 500;
    if (!isBusy) throw new Problem('upstream_failed', `The edge responded with status ${response.status}.`);
    const wanted = Number(response.headers.get('retry-after')) * SECOND;
    if (attempt === MOST_TRIES)
      throw new Outage('edge', `The edge responded with status ${response.status}.`, {
        code: 'upstream_failed',
        ...(wanted > 0 ? { retryAfterMs: wanted } : {}),
      });
    await pause(Math.min(Number.isFinite(wanted) && wanted > 0 ? wanted : 250 * 2 ** attempt, LONGEST_WAIT_MS), undefined, { signal });
  }
}

async function exchange({ url, ...call }: Call, signal: AbortSignal): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, { ...call, redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return { response, text: await response.text() };
  } catch (error) {
    signal.throwIfAborted();
    throw new Outage('edge', 'The edge is unavailable.', { code: 'upstream_failed', cause: error });
  }
}

/** The edges of this installation, the embedded one first. */
export const publicationEdges: Provider = {
  provide: PUBLICATION_EDGES,
  inject: [Settings, Signals, Clock],
  useFactory: (settings: Settings, signals: Signals, clock: Clock): readonly PublicationEdge[] => [
    new EmbeddedEdge(signals),
    ...(settings.EDGE_CLOUDFLARE_ZONE === ''
      ? []
      : [
          new CloudflareEdge({
            url: plain(settings.EDGE_CLOUDFLARE_URL),
            zone: settings.EDGE_CLOUDFLARE_ZONE,
            token: settings.EDGE_CLOUDFLARE_TOKEN,
          }),
        ]),
    ...(settings.EDGE_HTTP_URL === ''
      ? []
      : [new HttpEdge({ url: plain(settings.EDGE_HTTP_URL), secret: settings.EDGE_HTTP_SECRET }, clock)]),
  ],
};

const plain = (url: string): string => withoutEnd(url, /\//);
