import { Injectable } from '@nestjs/common';
import { MINUTE, type JsonObject } from '@atrium/platform/kernel';
import type { CmsCall, RemoteWebhook, WebhookEvent, WebhookRequest, WebhookSecrets, WebhookWish } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { pageTypesOf } from '../../domain/contentful/contentful-settings';
import { objectOfBytes } from '../cms-http';
import { isSignedBy, sameSecret } from '../webhook-signature';
import { EVENT, WEBHOOK, type Webhook } from './contentful-answers';
import { ContentfulApi } from './contentful-api';

const TOPICS = ['Entry.publish', 'Entry.unpublish', 'Entry.save', 'Entry.delete', 'Entry.archive'];
const SECRET_HEADER = 'x-atrium-secret';
const OLDEST_MS = 5 * MINUTE;
const MOST_SIGNED = 50;

/** The webhook of a site: one definition whose id derives from the site, with a secret header of ours. */
@Injectable()
export class ContentfulWebhooks {
  constructor(private readonly api: ContentfulApi) {}

  async createWebhook(call: CmsCall, { site_id, url, secret }: WebhookWish): Promise<RemoteWebhook> {
    const known = await this.findHook(call, site_id);
    const { environment } = this.api.readSettings(call.connection.settings);
    const body: JsonObject = {
      name: 'Atrium',
      url,
      topics: TOPICS,
      filters: [{ equals: [{ doc: 'sys.environment.sys.id' }, environment] }],
      headers: [{ key: SECRET_HEADER, value: secret, secret: true }],
    };
    const version = known ? (known.sys.version ?? 0) : undefined;
    return webhookOf(
      await this.api.request(call, WEBHOOK, pathOf(site_id), {
        method: 'PUT',
        body,
        version,
        findOutcome: () => this.outcomeOf(call, site_id, url),
      }),
    );
  }

  async findWebhook(call: CmsCall, { site_id }: Pick<WebhookWish, 'site_id'>): Promise<RemoteWebhook | null> {
    const hook = await this.findHook(call, site_id);
    return hook ? webhookOf(hook) : null;
  }

  async removeWebhook(call: CmsCall, external_id: string): Promise<void> {
    try {
      await this.api.sendRequest(call, `/../webhook_definitions/${encodeURIComponent(external_id)}`, { method: 'DELETE' });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'not_found') throw error;
    }
  }

  /** The secret header of ours, and where the key of the space is known its signature, which covers method, path, headers and body. */
  isAuthentic(request: WebhookRequest, { secret, signingSecret }: WebhookSecrets, now: Date): boolean {
    if (!sameSecret(request.headers[SECRET_HEADER], secret)) return false;
    if (signingSecret === null) return true;
    const { method, path, headers, body } = request;
    const at = Number(headers['x-contentful-timestamp'] ?? NaN);
    const names = (headers['x-contentful-signed-headers'] ?? '').split(',');
    const isRecent = Math.abs(now.getTime() - at) <= OLDEST_MS;
    // A signature that does not cover its own time could be repeated for ever.
    if (!isRecent || names.length > MOST_SIGNED || !names.includes('x-contentful-timestamp')) return false;
    const signed = names.map((name) => `${name}:${(headers[name] ?? '').trim()}`).join(';');
    const bytes = Buffer.concat([Buffer.from(`${method}\n${path}\n${signed}\n`), body]);
    return isSignedBy(signingSecret, { algorithm: 'sha256', bytes, signature: headers['x-contentful-signature'] });
  }

  /** Pages by their id; of an entry that is no page nothing is named, and the next scan finds what it changed. */
  readEvent(call: CmsCall, { headers, body }: WebhookRequest): WebhookEvent {
    const key = headers['x-contentful-idempotency-key'] ?? null;
    const read = EVENT.safeParse(objectOfBytes(body));
    if (!read.success) return { key, pages: [] };
    const { id, contentType, environment } = read.data.sys;
    const settings = this.api.readSettings(call.connection.settings);
    const isHere = environment === undefined || environment === null || environment.sys.id === settings.environment;
    const isPage = pageTypesOf(call.connection.settings).some((type) => type.id === contentType?.sys.id);
    return { key, pages: isHere && isPage ? [{ external_id: id, external_path: null }] : [] };
  }

  private async findHook(call: CmsCall, site_id: string): Promise<Webhook | null> {
    try {
      return await this.api.request(call, WEBHOOK, pathOf(site_id));
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  private async outcomeOf(
    call: CmsCall,
    site_id: string,
    url: string,
  ): Promise<{ status: number; headers: Record<string, string>; body: JsonObject } | null> {
    const hook = await this.findHook(call, site_id);
    return hook?.url === url ? { status: 200, headers: {}, body: { sys: { id: hook.sys.id }, url, topics: hook.topics } } : null;
  }
}

const pathOf = (site_id: string): string => `/../webhook_definitions/atrium-${site_id}`;
const webhookOf = ({ sys, url, topics }: Webhook): RemoteWebhook => ({ external_id: sys.id, url, actions: topics, signed: true });
