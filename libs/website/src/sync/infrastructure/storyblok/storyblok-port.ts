import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import { multipartForm } from '@atrium/platform/outbound';
import type {
  CmsCall,
  CmsCapabilities,
  CmsPort,
  OutgoingAsset,
  PageChange,
  PageCreation,
  PageStateChange,
  RemoteAsset,
  RemoteList,
  RemotePage,
  RemoteSpace,
  RemoteWebhook,
  WebhookEvent,
  WebhookRequest,
  WebhookSecrets,
  WebhookWish,
} from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import type { RemoteSchema } from '../../domain/cms-schema';
import { sameJson } from '../../domain/form-config';
import { StoryblokMapping } from '../../domain/storyblok/storyblok-mapping';
import { DEFAULT_LANGUAGE } from '../../domain/storyblok/storyblok-pages';
import { atStep } from '../at-step';
import { objectOfBytes } from '../cms-http';
import { isSignedBy } from '../webhook-signature';
import {
  ASSET,
  COMPONENTS,
  EVENT,
  externalPathOf,
  ONE_COMPONENT,
  ONE_WEBHOOK,
  SIGNED_UPLOAD,
  SPACE,
  STORIES,
  WEBHOOKS,
  type Component,
  type Webhook,
} from './storyblok-answers';
import { StoryblokApi } from './storyblok-api';
import { StoryblokStories } from './storyblok-stories';

const ACTIONS = ['story.published', 'story.unpublished', 'story.deleted', 'story.moved'];
/** Attributes of a component that the CMS writes itself. */
const READ_ONLY = ['id', 'created_at', 'updated_at', 'real_name', 'all_presets', 'content_type_asset_preview'];

/** Storyblok through its Management API. */
@Injectable()
export class StoryblokPort implements CmsPort {
  readonly provider = 'storyblok';
  readonly mapping = new StoryblokMapping();

  constructor(
    private readonly api: StoryblokApi,
    private readonly stories: StoryblokStories,
  ) {}

  checkSettings(settings: JsonObject): JsonObject {
    return { ...this.api.readSettings(settings) };
  }

  async verifyConnection(call: CmsCall): Promise<RemoteSpace> {
    const { space } = await atStep('space', () => this.api.request(call, SPACE, ''));
    await atStep('pages', () => this.api.request(call, STORIES, '/stories?page=1&per_page=1'));
    await atStep('schemas', () => this.api.request(call, COMPONENTS, '/components'));
    const wanted = this.api.readSettings(call.connection.settings).languages;
    const languages = (space.languages ?? []).filter(({ code }) => wanted?.includes(code) ?? true);
    return {
      id: String(space.id),
      name: space.name,
      locales: [
        { code: DEFAULT_LANGUAGE, name: space.default_lang_name ?? 'Default', isDefault: true },
        ...languages.map(({ code, name }) => ({ code, name: name ?? code, isDefault: false })),
      ],
      capabilities: capabilitiesOf(languages.length > 0, space.use_translated_stories === true),
      settings: this.checkSettings(call.connection.settings),
    };
  }

  listPages(call: CmsCall, cursor: JsonObject | null): Promise<RemoteList> {
    return this.stories.listStories(call, cursor);
  }

  readPage(call: CmsCall, external_id: string): Promise<RemotePage> {
    return this.stories.readStory(call, external_id);
  }

  findPage(call: CmsCall, external_path: string): Promise<RemotePage | null> {
    return this.stories.findStoryAt(call, external_path);
  }

  toExternalPath(call: CmsCall, path: string): string {
    return externalPathOf(path, this.api.readSettings(call.connection.settings));
  }

  /** Stories get their identities from Storyblok. */
  findCreatedPage(): Promise<null> {
    return Promise.resolve(null);
  }

  createPage(call: CmsCall, creation: PageCreation): Promise<RemotePage> {
    return this.stories.createStory(call, creation);
  }

  changePage(call: CmsCall, change: PageChange): Promise<RemotePage> {
    return this.stories.changeStory(call, change);
  }

  publishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage> {
    return this.stories.turnStory(call, change, 'publish');
  }

  unpublishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage> {
    return this.stories.turnStory(call, change, 'unpublish');
  }

  removePage(call: CmsCall, external_id: string): Promise<void> {
    return this.stories.removeStory(call, external_id);
  }

  async listSchemas(call: CmsCall): Promise<readonly RemoteSchema[]> {
    const { components } = await this.api.request(call, COMPONENTS, '/components');
    return components.map(schemaOf);
  }

  async writeSchema(call: CmsCall, raw: JsonObject, seen: RemoteSchema | null): Promise<RemoteSchema> {
    const component = Object.fromEntries(Object.entries(raw).filter(([key]) => !READ_ONLY.includes(key)));
    const findOutcome = async () => {
      const now = (await this.listSchemas(call)).find(({ name }) => name === raw['name']);
      const isWritten = now && Object.entries(component).every(([key, value]) => sameJson(now.raw[key], value));
      return isWritten ? { status: 200, headers: {}, body: { component: now.raw } } : null;
    };
    if (seen === null)
      return schemaOf(
        (await this.api.request(call, ONE_COMPONENT, '/components', { method: 'POST', body: { component }, findOutcome })).component,
      );
    const now = (await this.api.request(call, ONE_COMPONENT, `/components/${seen.external_id}`)).component;
    if (now.updated_at !== seen.version)
      throw new CmsProblem('conflict_version', 'The component was changed at Storyblok since it was read. Pull the schemas first.');
    const path = `/components/${seen.external_id}`;
    return schemaOf((await this.api.request(call, ONE_COMPONENT, path, { method: 'PUT', body: { component }, findOutcome })).component);
  }

  async sendAsset(call: CmsCall, asset: OutgoingAsset): Promise<RemoteAsset> {
    const size: JsonObject = asset.width && asset.height ? { size: `${asset.width}x${asset.height}` } : {};
    const signed = await this.api.request(call, SIGNED_UPLOAD, '/assets', {
      method: 'POST',
      body: { filename: asset.name, ...size, validate_upload: 1 },
    });
    await this.api.uploadForm(call, {
      method: 'POST',
      url: signed.post_url,
      open: async () =>
        multipartForm(signed.fields, {
          field: 'file',
          name: asset.name,
          type: asset.type,
          size: asset.length,
          content: await asset.open(),
        }),
    });
    const { id, filename } = await this.api.request(call, ASSET, `/assets/${signed.id}/finish_upload`);
    return { external_id: String(id), url: filename.startsWith('//') ? `https:${filename}` : filename };
  }

  async createWebhook(call: CmsCall, wish: WebhookWish): Promise<RemoteWebhook> {
    const known = await this.findHook(call, wish.url);
    // Its secret cannot be read: one that was made before is replaced.
    if (known) await this.removeWebhook(call, String(known.id));
    try {
      return await this.addHook(call, wish, true);
    } catch (error) {
      const isAboutSecret = error instanceof CmsProblem && error.reason === 'refused_content' && error.detail.includes('secret');
      if (!isAboutSecret) throw error;
      return this.addHook(call, wish, false);
    }
  }

  async findWebhook(call: CmsCall, { url }: Pick<WebhookWish, 'url'>): Promise<RemoteWebhook | null> {
    const hook = await this.findHook(call, url);
    return hook ? webhookOf(hook, true) : null;
  }

  async removeWebhook(call: CmsCall, external_id: string): Promise<void> {
    try {
      await this.api.sendRequest(call, `/webhook_endpoints/${encodeURIComponent(external_id)}`, { method: 'DELETE' });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'not_found') throw error;
    }
  }

  /** Plans without secrets send no signature: the address alone is the secret. */
  isAuthentic({ headers, body }: WebhookRequest, { secret, signed }: WebhookSecrets, _now: Date): boolean {
    return !signed || isSignedBy(secret, { algorithm: 'sha1', bytes: body, signature: headers['webhook-signature'] });
  }

  /** The number of a story that is not known leaves its path: the CMS is asked by the run alone, once for all events. */
  readEvent(call: CmsCall, { body }: WebhookRequest): WebhookEvent {
    const read = EVENT.safeParse(objectOfBytes(body));
    if (!read.success || read.data.story_id === undefined) return { key: null, pages: [] };
    const { story_id, full_slug } = read.data;
    return { key: null, pages: [{ external_id: this.api.findKnownUuid(call, story_id), external_path: full_slug ?? null }] };
  }

  private async findHook(call: CmsCall, url: string): Promise<Webhook | undefined> {
    const { webhook_endpoints } = await this.api.request(call, WEBHOOKS, '/webhook_endpoints');
    return webhook_endpoints.find(({ endpoint }) => endpoint === url);
  }

  private async addHook(call: CmsCall, { url, secret }: WebhookWish, signed: boolean): Promise<RemoteWebhook> {
    const hook = { name: 'Atrium', endpoint: url, actions: ACTIONS, activated: true, ...(signed ? { secret } : {}) };
    const { webhook_endpoint } = await this.api.request(call, ONE_WEBHOOK, '/webhook_endpoints', {
      method: 'POST',
      body: { webhook_endpoint: hook },
      findOutcome: async () => {
        const found = await this.findHook(call, url);
        return found
          ? { status: 200, headers: {}, body: { webhook_endpoint: { ...found, actions: found.actions ?? [] } as JsonObject } }
          : null;
      },
    });
    return webhookOf(webhook_endpoint, signed);
  }
}

const schemaOf = (component: Component): RemoteSchema => {
  const raw: unknown = component;
  return { external_id: String(component.id), name: component.name, version: component.updated_at, raw: isObject(raw) ? raw : {} };
};

const webhookOf = ({ id, endpoint, actions }: Webhook, signed: boolean): RemoteWebhook => ({
  external_id: String(id),
  url: endpoint,
  actions: actions ?? ACTIONS,
  signed,
});

const capabilitiesOf = (locales: boolean, publish_by_locale: boolean): CmsCapabilities => ({
  drafts: true,
  locales,
  tree: true,
  draft_events: false,
  signed_webhooks: true,
  version_lock: false,
  assets: true,
  publish_by_locale,
  carries: { seo: false, order: true, name: true, asset_texts: true, root: true },
});
