import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CmsCall, RemoteLocale } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { SchemaBook, type RemoteSchema } from '../../domain/cms-schema';
import { toContentfulSchemas } from '../../domain/contentful/contentful-schemas';
import { checkedAnswer, checkedSettings } from '../checked-answer';
import { CmsHosts } from '../cms-hosts';
import { CmsHttp, type CmsAnswer, type CmsDialect, type CmsRequest } from '../cms-http';
import { contentfulRefusal, EDITORS, LOCALES, rawOf, TYPES, type TypeRow } from './contentful-answers';

const id = z.string().regex(/^[a-zA-Z0-9._-]{1,64}$/, 'must be an id of Contentful');
const field = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/, 'must be a field of the content type');
const SETTINGS = z.strictObject({
  spaceId: id,
  environment: id.default('master'),
  region: z.enum(['us', 'eu']).default('us'),
  rate: z.number().min(0.5).max(100).default(7),
  contentTypes: z
    .array(z.strictObject({ id, slug: field, title: field.nullish(), parent: field.nullish(), blocks: z.array(field).max(50).default([]) }))
    .max(100)
    .optional(),
});
export type ContentfulSettings = z.infer<typeof SETTINGS>;

const CONTENTFUL = 'Contentful';
const MEDIA_TYPE = 'application/vnd.contentful.management.v1+json';
/** A request is at most 1 MB. */
const MOST_SENT = 1024 * 1024;
const TYPES_AT_ONCE = 100;
const MOST_TYPES = 2_000;
const REMEMBERED = 1_000;

/** What does not change while a run lists and reads pages. */
export interface EnvironmentFacts {
  readonly locales: readonly RemoteLocale[];
  readonly defaultLocale: string;
  readonly schemas: readonly RemoteSchema[];
  readonly book: SchemaBook;
}

export interface ContentfulRequest extends Omit<CmsRequest, 'url'> {
  /** The version that the write replaces. */
  readonly version?: number | undefined;
  readonly contentType?: string | undefined;
}

/** The Content Management API of Contentful: requests of a space and an environment. */
@Injectable()
export class ContentfulApi {
  private readonly facts = new LRUCache<string, EnvironmentFacts>({ max: REMEMBERED, ttl: MINUTE });

  constructor(
    private readonly http: CmsHttp,
    private readonly hosts: CmsHosts,
  ) {}

  readSettings(settings: JsonObject): ContentfulSettings {
    return checkedSettings(SETTINGS, settings);
  }

  /** `path` is below the environment, unless it begins with `/..`: then below the space. */
  async sendRequest(
    call: CmsCall,
    path: string,
    { version, contentType, headers, ...request }: ContentfulRequest = {},
  ): Promise<CmsAnswer> {
    const settings = this.readSettings(call.connection.settings);
    if (request.body && Buffer.byteLength(JSON.stringify(request.body)) > MOST_SENT)
      throw new CmsProblem('too_large', 'The entry is larger than 1 MB, which is the most that Contentful accepts.');
    const { api } = this.hosts.getContentful(settings.region);
    return this.http.sendRequest(call, dialectOf(call, settings), {
      ...request,
      url: `${api}/spaces/${settings.spaceId}${path.startsWith('/..') ? path.slice(3) : `/environments/${settings.environment}${path}`}`,
      headers: {
        ...(version === undefined ? {} : { 'x-contentful-version': String(version) }),
        ...(contentType === undefined ? {} : { 'x-contentful-content-type': contentType }),
        ...headers,
      },
    });
  }

  /** A checked answer. */
  async request<T>(call: CmsCall, shape: z.ZodType<T>, path: string, request: ContentfulRequest = {}): Promise<T> {
    return this.check(shape, (await this.sendRequest(call, path, request)).body);
  }

  check<T>(shape: z.ZodType<T>, body: JsonValue): T {
    return checkedAnswer(shape, body, CONTENTFUL);
  }

  async upload<T>(call: CmsCall, shape: z.ZodType<T>, open: CmsRequest['open']): Promise<T> {
    const settings = this.readSettings(call.connection.settings);
    const { uploads } = this.hosts.getContentful(settings.region);
    const url = `${uploads}/spaces/${settings.spaceId}/environments/${settings.environment}/uploads`;
    return this.check(shape, (await this.http.sendRequest(call, dialectOf(call, settings), { method: 'POST', url, open })).body);
  }

  async readLocales(call: CmsCall): Promise<readonly RemoteLocale[]> {
    const { items } = await this.request(call, LOCALES, '/locales?limit=1000');
    return items.map(({ code, name, default: isDefault }) => ({ code, name, isDefault }));
  }

  /** Content types with the widgets of their fields, which say what a long text is. */
  async readSchemas(call: CmsCall): Promise<readonly RemoteSchema[]> {
    const rows: TypeRow[] = [];
    for (let isMore = true; isMore && rows.length < MOST_TYPES;) {
      const { items, total } = await this.request(call, TYPES, `/content_types?limit=${TYPES_AT_ONCE}&skip=${rows.length}`);
      rows.push(...items);
      isMore = items.length > 0 && rows.length < total;
    }
    const { items: editors } = await this.request(call, EDITORS, '/editor_interfaces?limit=1000');
    return rows.map((row) => {
      const controls = editors.find(({ sys }) => sys.contentType.sys.id === row.sys.id)?.controls ?? [];
      const widgets = new Map(controls.map(({ fieldId, widgetId }) => [fieldId, widgetId]));
      const fields = row.fields.map((one) => (widgets.get(textOf(one['id'])) === 'markdown' ? { ...one, widget: 'markdown' } : one));
      return { external_id: row.sys.id, name: row.sys.id, version: String(row.sys.version), raw: { ...rawOf(row), fields } };
    });
  }

  /** Read once a minute. */
  async getFacts(call: CmsCall): Promise<EnvironmentFacts> {
    const { settings, secrets } = call.connection;
    const key = createHash('sha256')
      .update(JSON.stringify([settings, secrets.token]))
      .digest('hex');
    const known = this.facts.get(key);
    if (known) return known;
    const [locales, schemas] = [await this.readLocales(call), await this.readSchemas(call)];
    const facts = {
      locales,
      schemas,
      defaultLocale: locales.find(({ isDefault }) => isDefault)?.code ?? 'en-US',
      book: new SchemaBook(toContentfulSchemas(schemas, [], settings)),
    };
    this.facts.set(key, facts);
    return facts;
  }

  forgetFacts(): void {
    this.facts.clear();
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function readPause(headers: Readonly<Record<string, string>>): number | undefined {
  const seconds = Number(headers['x-contentful-ratelimit-reset'] ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, (5 * MINUTE) / SECOND) : undefined;
}

const dialectOf = ({ connection }: CmsCall, { rate, spaceId, region }: ContentfulSettings): CmsDialect => ({
  name: CONTENTFUL,
  perSecond: rate,
  space: `${region}/${spaceId}`,
  headers: { authorization: `Bearer ${connection.secrets.token}` },
  mediaType: MEDIA_TYPE,
  readPause,
  readRefusal: contentfulRefusal,
});
