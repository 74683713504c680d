import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isObject, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
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
import { ContentfulMapping } from '../../domain/contentful/contentful-mapping';
import { guessPageTypes, pageTypesOf } from '../../domain/contentful/contentful-settings';
import { sameJson } from '../../domain/form-config';
import { atStep } from '../at-step';
import type { CmsAnswer } from '../cms-http';
import { EDITOR, ENVIRONMENT, rawOf, ROW, ROWS, SPACE, TYPE, UPLOAD, type Row } from './contentful-answers';
import { ContentfulApi } from './contentful-api';
import { ContentfulReader } from './contentful-reader';
import { ContentfulWebhooks } from './contentful-webhooks';
import { ContentfulWriter } from './contentful-writer';

const POLLS = 60;

/** Contentful through its Content Management API. */
@Injectable()
export class ContentfulPort implements CmsPort {
  readonly provider = 'contentful';
  readonly mapping = new ContentfulMapping();
  /** Between two questions whether a file is processed. */
  readonly pollMs: number = SECOND;

  constructor(
    private readonly api: ContentfulApi,
    private readonly reader: ContentfulReader,
    private readonly writer: ContentfulWriter,
    private readonly webhooks: ContentfulWebhooks,
  ) {}

  checkSettings(settings: JsonObject): JsonObject {
    return rawOf(this.api.readSettings(settings));
  }

  async verifyConnection(call: CmsCall): Promise<RemoteSpace> {
    const space = await atStep('space', async () => {
      await this.api.request(call, ENVIRONMENT, '');
      return this.api.request(call, SPACE, '/..');
    });
    const locales = await atStep('locales', () => this.api.readLocales(call));
    const page = await atStep('pages', () => this.api.request(call, ROWS, '/entries?limit=1'));
    const schemas = await atStep('schemas', () => this.api.readSchemas(call));
    const given = this.checkSettings(call.connection.settings);
    const contentTypes = pageTypesOf(given).length > 0 ? pageTypesOf(given) : guessPageTypes(schemas);
    return {
      id: space.sys.id,
      name: space.name,
      locales,
      capabilities: capabilitiesOf(
        locales.length > 1,
        page.items.some(({ sys }) => sys.fieldStatus !== undefined && sys.fieldStatus !== null),
      ),
      settings: { ...given, contentTypes: contentTypes.map((type) => rawOf(type)) },
    };
  }

  listPages(call: CmsCall, cursor: JsonObject | null): Promise<RemoteList> {
    return this.reader.listEntries(call, cursor);
  }

  readPage(call: CmsCall, external_id: string): Promise<RemotePage> {
    return this.reader.readEntry(call, external_id);
  }

  findPage(call: CmsCall, external_path: string): Promise<RemotePage | null> {
    return this.reader.findEntryAt(call, external_path);
  }

  toExternalPath(_call: CmsCall, path: string): string {
    return path;
  }

  findCreatedPage(call: CmsCall, node_id: string): Promise<RemotePage | null> {
    return this.writer.findCreated(call, node_id);
  }

  createPage(call: CmsCall, creation: PageCreation): Promise<RemotePage> {
    return this.writer.createEntries(call, creation);
  }

  changePage(call: CmsCall, change: PageChange): Promise<RemotePage> {
    return this.writer.changeEntries(call, change);
  }

  publishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage> {
    return this.writer.publishEntries(call, change);
  }

  unpublishPage(call: CmsCall, change: PageStateChange): Promise<RemotePage> {
    return this.writer.unpublishEntry(call, change);
  }

  removePage(call: CmsCall, external_id: string): Promise<void> {
    return this.writer.removeEntry(call, external_id);
  }

  listSchemas(call: CmsCall): Promise<readonly RemoteSchema[]> {
    return this.api.readSchemas(call);
  }

  /** Written, then published: entries are checked by the published one. */
  async writeSchema(call: CmsCall, raw: JsonObject, seen: RemoteSchema | null): Promise<RemoteSchema> {
    const id = seen?.external_id ?? (typeof raw['id'] === 'string' ? raw['id'] : '');
    const path = `/content_types/${encodeURIComponent(id)}`;
    const fields = Array.isArray(raw['fields']) ? (raw['fields'] as readonly JsonValue[]).filter(isObject) : [];
    const { id: _id, sys: _sys, ...declared } = raw;
    const body = { ...declared, fields: fields.map(({ widget: _widget, ...field }) => field) };
    const version = seen === null ? undefined : Number(seen.version);
    const written = await this.api.request(call, TYPE, path, {
      method: 'PUT',
      version,
      body,
      findOutcome: async () => {
        const now = await this.api.sendRequest(call, path).catch(() => null);
        return now && sameJson(this.api.check(TYPE, now.body).fields, body.fields) ? now : null;
      },
    });
    await this.api.request(call, TYPE, `${path}/published`, { method: 'PUT', version: written.sys.version });
    const markdown = fields.flatMap(({ id: field, widget }) => (widget === 'markdown' && typeof field === 'string' ? [field] : []));
    if (markdown.length > 0) await this.writeWidgets(call, path, markdown);
    this.api.forgetFacts();
    const now = (await this.api.readSchemas(call)).find(({ name }) => name === id);
    if (!now) throw new CmsProblem('not_found', 'Contentful does not have the content type any longer.');
    return now;
  }

  async sendAsset(call: CmsCall, asset: OutgoingAsset): Promise<RemoteAsset> {
    const { defaultLocale: locale } = await this.api.getFacts(call);
    // The same file is one asset, however often it is sent.
    const id = `atrium-${createHash('sha256').update(asset.hash).digest('hex').slice(0, 40)}`;
    const path = `/assets/${id}`;
    const row = (await this.findAsset(call, path)) ?? (await this.createAsset(call, path, { asset, locale }));
    if (urlOf(row, locale) === '') await this.startProcessing(call, `${path}/files/${encodeURIComponent(locale)}/process`, row);
    const ready = urlOf(row, locale) === '' ? await this.awaitProcessed(call, path, locale) : row;
    if (ready.sys.publishedVersion === undefined || ready.sys.publishedVersion === null)
      await this.api.request(call, ROW, `${path}/published`, { method: 'PUT', version: ready.sys.version });
    const url = urlOf(ready, locale);
    return { external_id: id, url: url.startsWith('//') ? `https:${url}` : url };
  }

  createWebhook(call: CmsCall, wish: WebhookWish): Promise<RemoteWebhook> {
    return this.webhooks.createWebhook(call, wish);
  }

  findWebhook(call: CmsCall, wish: Pick<WebhookWish, 'site_id' | 'url'>): Promise<RemoteWebhook | null> {
    return this.webhooks.findWebhook(call, wish);
  }

  removeWebhook(call: CmsCall, external_id: string): Promise<void> {
    return this.webhooks.removeWebhook(call, external_id);
  }

  isAuthentic(request: WebhookRequest, secrets: WebhookSecrets, now: Date): boolean {
    return this.webhooks.isAuthentic(request, secrets, now);
  }

  readEvent(call: CmsCall, request: WebhookRequest): WebhookEvent {
    return this.webhooks.readEvent(call, request);
  }

  private async writeWidgets(call: CmsCall, path: string, markdown: readonly string[]): Promise<void> {
    const editor = await this.api.request(call, EDITOR, `${path}/editor_interface`);
    const others = (editor.controls ?? []).filter(({ fieldId }) => typeof fieldId !== 'string' || !markdown.includes(fieldId));
    const controls = [...others, ...markdown.map((fieldId) => ({ fieldId, widgetId: 'markdown', widgetNamespace: 'builtin' }))];
    if (sameJson(controls, editor.controls)) return;
    await this.api.sendRequest(call, `${path}/editor_interface`, { method: 'PUT', version: editor.sys.version, body: { controls } });
  }

  private async findAsset(call: CmsCall, path: string): Promise<Row | null> {
    try {
      return await this.api.request(call, ROW, path);
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  private async createAsset(
    call: CmsCall,
    path: string,
    { asset, locale }: { readonly asset: OutgoingAsset; readonly locale: string },
  ): Promise<Row> {
    const upload = await this.api.upload(call, UPLOAD, async () => ({
      body: await asset.open(),
      length: asset.length,
      headers: { 'content-type': 'application/octet-stream' },
    }));
    const file = {
      fileName: asset.name,
      contentType: asset.type,
      uploadFrom: { sys: { type: 'Link', linkType: 'Upload', id: upload.sys.id } },
    };
    const fields: JsonObject = {
      title: { [locale]: asset.title ?? asset.name },
      ...(asset.alt ? { description: { [locale]: asset.alt } } : {}),
      file: { [locale]: file },
    };
    const findOutcome = (): Promise<CmsAnswer | null> => this.api.sendRequest(call, path).catch(() => null);
    return this.api.request(call, ROW, path, { method: 'PUT', body: { fields }, findOutcome });
  }

  /** Asked for again where a run ended before: what is being processed already refuses it. */
  private async startProcessing(call: CmsCall, path: string, { sys }: Row): Promise<void> {
    try {
      await this.api.sendRequest(call, path, { method: 'PUT', version: sys.version });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'conflict_version') throw error;
    }
  }

  private async awaitProcessed(call: CmsCall, path: string, locale: string): Promise<Row> {
    for (let polled = 0; polled < POLLS; polled++) {
      const row = await this.api.request(call, ROW, path);
      if (urlOf(row, locale) !== '') return row;
      await pause(this.pollMs, undefined, { signal: call.signal });
    }
    throw new CmsProblem('unavailable', 'Contentful did not process the file in time.');
  }
}

function urlOf({ fields }: Row, locale: string): string {
  const file = fields['file']?.[locale];
  return isObject(file) && typeof file['url'] === 'string' ? file['url'] : '';
}

const capabilitiesOf = (locales: boolean, publish_by_locale: boolean): CmsCapabilities => ({
  drafts: true,
  locales,
  tree: true,
  draft_events: true,
  signed_webhooks: true,
  version_lock: true,
  assets: true,
  publish_by_locale,
  carries: { seo: false, order: false, name: false, asset_texts: false, root: false },
});
