import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  ContentfulRows,
  faultsOf,
  linksIn,
  type ContentfulRow,
  type ContentType,
  type ContentTypeField,
  type LocalizedFields,
} from './contentful-store';
import {
  isRecord,
  LoopbackCms,
  objectIn,
  Refusal,
  textIn,
  unknownParameter,
  type CmsAnswer,
  type CmsRequest,
  type CmsRoute,
  type Json,
  type JsonRecord,
} from './loopback-cms';

export interface ContentfulLocale {
  readonly code: string;
  readonly name: string;
  readonly default: boolean;
  readonly fallbackCode: string | null;
}

export interface ContentfulWebhook {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly url: string;
  readonly topics: readonly string[];
  readonly filters: readonly Json[];
  readonly headers: readonly { readonly key: string; readonly value: string; readonly secret: boolean }[];
}

const TYPE = 'application/vnd.contentful.management.v1+json';
const MOST_ANSWERED = 7_340_032;
const MOST_SENT = 1024 * 1024;
const MOST_ROWS = 1_000;
const MOST_FIELDS = 50;
const ID = /^[a-zA-Z0-9\-_.]{1,64}$/;
const QUERY = ['content_type', 'order', 'skip', 'limit', 'sys.id', 'sys.id[in]', 'sys.createdAt[gte]', 'links_to_entry', 'select'];
const SIGNED = ['content-type', 'x-contentful-signed-headers', 'x-contentful-timestamp', 'x-contentful-topic'];

/** The Content Management API of Contentful on loopback: one environment in memory, with versions, locales and validations. */
export class ContentfulServer extends LoopbackCms {
  protected readonly base = '/spaces/:space';
  readonly spaceId = 'loopbackspace';
  readonly environment = 'master';
  readonly token = `CFPAT-${randomBytes(16).toString('hex')}`;
  /** A token that may read only. */
  readonly readToken = `CFPAT-read-${randomBytes(16).toString('hex')}`;
  spaceName = 'Loopback space';
  locales: readonly ContentfulLocale[] = [{ code: 'en-US', name: 'English', default: true, fallbackCode: null }];
  /** Whether the environment publishes each locale on its own. */
  publishesLocales = false;
  /** Signs webhooks of the space. */
  signingSecret: string | null = null;
  hookOrigin: string | null = null;
  /** How often an asset is asked for before it is processed. */
  processingReads = 1;
  mostAnswered = MOST_ANSWERED;
  readonly entries = new ContentfulRows(
    () => this.now(),
    'Entry',
    () => this.publishesLocales,
  );
  readonly assets = new ContentfulRows(
    () => this.now(),
    'Asset',
    () => this.publishesLocales,
  );
  readonly contentTypes = new Map<string, ContentType>();
  /** Widgets of fields, by content type. */
  readonly editors = new Map<string, { version: number; controls: readonly Json[] }>();
  readonly uploads = new Map<string, Buffer>();
  readonly webhooks = new Map<string, ContentfulWebhook>();
  private readonly processing = new Map<string, number>();

  static async start(): Promise<ContentfulServer> {
    return new ContentfulServer().listen();
  }

  get localeCodes(): readonly string[] {
    return this.locales.map(({ code }) => code);
  }

  addContentType(
    id: string,
    fields: readonly ContentTypeField[],
    facts: Partial<Pick<ContentType, 'name' | 'description' | 'displayField'>> = {},
  ): ContentType {
    const now = this.now();
    const type = {
      id,
      name: id,
      description: null,
      displayField: null,
      ...facts,
      fields,
      version: 2,
      publishedVersion: 1,
      createdAt: now,
      updatedAt: now,
    };
    this.contentTypes.set(id, type);
    return type;
  }

  /** A person works at the CMS: webhooks report it as they do for clients. */
  addEntry(
    contentType: string,
    fields: LocalizedFields,
    { id, published = false }: { readonly id?: string; readonly published?: boolean } = {},
  ): ContentfulRow {
    const row = this.entries.add(fields, contentType, id);
    if (published) this.entries.publish(row, null, this.localeCodes);
    return row;
  }

  editEntry(row: ContentfulRow, fields: LocalizedFields): void {
    this.entries.change(row, { ...row.fields, ...fields });
    this.report('Entry.save', row);
  }

  publishEntry(row: ContentfulRow): void {
    this.entries.publish(row, null, this.localeCodes);
    this.report('Entry.publish', row);
  }

  removeEntry(row: ContentfulRow): void {
    this.entries.rows.delete(row.id);
    this.report('Entry.delete', row);
  }

  protected routes(): readonly CmsRoute[] {
    const at = '/environments/:env';
    return [
      ['GET ', () => ok({ sys: { type: 'Space', id: this.spaceId }, name: this.spaceName })],
      [`GET ${at}`, () => ok({ sys: { type: 'Environment', id: this.environment }, name: this.environment })],
      [`GET ${at}/locales`, () => ok(listed(this.locales.map((one) => ({ sys: { type: 'Locale', id: one.code }, ...one }))))],
      [`GET ${at}/entries`, (request) => this.list(request, this.entries)],
      [`GET ${at}/entries/:id`, ({ params }) => this.answered(this.shown(this.entries, this.row(this.entries, params)))],
      [`PUT ${at}/entries/:id`, (request) => this.putEntry(request)],
      [`DELETE ${at}/entries/:id`, (request) => this.deleteRow(request, this.entries)],
      [`PUT ${at}/entries/:id/published`, (request) => this.publish(request, this.entries)],
      [`DELETE ${at}/entries/:id/published`, (request) => this.unpublish(request, this.entries)],
      [`PUT ${at}/entries/:id/archived`, (request) => this.archive(request, true)],
      [`DELETE ${at}/entries/:id/archived`, (request) => this.archive(request, false)],
      [`GET ${at}/content_types`, ({ query }) => this.listTypes(query)],
      [`GET ${at}/content_types/:id`, ({ params }) => ok(this.shownType(this.contentType(params)))],
      [`PUT ${at}/content_types/:id`, (request) => this.putType(request)],
      [`PUT ${at}/content_types/:id/published`, (request) => this.publishType(request)],
      [`GET ${at}/editor_interfaces`, () => ok(listed([...this.contentTypes.keys()].map((id) => this.editor(id))))],
      [`GET ${at}/content_types/:id/editor_interface`, ({ params }) => ok(this.editor(this.contentType(params).id))],
      [`PUT ${at}/content_types/:id/editor_interface`, (request) => this.putEditor(request)],
      [`GET ${at}/assets`, (request) => this.list(request, this.assets)],
      [`GET ${at}/assets/:id`, ({ params }) => this.readAsset(params)],
      [`PUT ${at}/assets/:id`, (request) => this.putAsset(request)],
      [`PUT ${at}/assets/:id/files/:locale/process`, (request) => this.process(request)],
      [`PUT ${at}/assets/:id/published`, (request) => this.publish(request, this.assets)],
      [`POST ${at}/uploads`, (request) => this.upload(request)],
      ['GET /webhook_definitions', () => ok(listed([...this.webhooks.values()].map(shownHook)))],
      ['GET /webhook_definitions/:id', ({ params }) => ok(shownHook(this.webhook(params)))],
      ['PUT /webhook_definitions/:id', (request) => this.putHook(request)],
      ['DELETE /webhook_definitions/:id', ({ params }) => this.removeHook(params)],
    ];
  }

  protected authorize({ params, headers, method, raw, path }: CmsRequest): void {
    const token = headers.authorization;
    if (token !== `Bearer ${this.token}` && token !== `Bearer ${this.readToken}`)
      throw refusal(401, 'AccessTokenInvalid', 'The access token you sent could not be found or is invalid.');
    if (params['space'] !== this.spaceId || (params['env'] ?? this.environment) !== this.environment)
      throw refusal(404, 'NotFound', 'The resource could not be found.');
    if (method === 'GET') return;
    if (token === `Bearer ${this.readToken}`) throw refusal(403, 'AccessDenied', 'Access to this resource is denied.');
    const isUpload = path.endsWith('/uploads');
    if (!isUpload && raw.length > MOST_SENT) throw refusal(413, 'RequestEntityTooLarge', 'The request is larger than 1 MB.');
    const type = headers['content-type'] ?? '';
    if (raw.length > 0 && !type.startsWith(isUpload ? 'application/octet-stream' : TYPE))
      throw refusal(415, 'UnsupportedMediaType', `Expected ${TYPE}.`);
  }

  protected tooFast(): CmsAnswer {
    return { ...fault(429, 'RateLimitExceeded', 'You have exceeded the rate limit.'), headers: { 'x-contentful-ratelimit-reset': '1' } };
  }

  protected unknownRoute(): CmsAnswer {
    return fault(404, 'NotFound', 'The resource could not be found.');
  }

  private list({ query }: CmsRequest, store: ContentfulRows): CmsAnswer {
    const unknown = unknownParameter(query, QUERY);
    if (unknown !== undefined && !unknown.startsWith('fields.')) throw refusal(400, 'InvalidQuery', `No parameter ${unknown}.`);
    const [limit, skip] = [Number(query.get('limit') ?? 100), this.repeatsPages ? 0 : Number(query.get('skip') ?? 0)];
    if (!(limit >= 0 && limit <= MOST_ROWS)) throw refusal(400, 'InvalidQuery', 'limit is at most 1000.');
    const type = query.get('content_type');
    if (type !== null && !this.contentTypes.has(type)) throw refusal(400, 'InvalidQuery', 'unknownContentType');
    const rows = this.filtered([...store.rows.values()], query);
    const since = query.get('sys.createdAt[gte]');
    // Rows are in the order of their creation, which is the one order that clients of ours ask for.
    const order = query.get('order');
    if (order !== null && order !== 'sys.createdAt,sys.id')
      throw refusal(400, 'InvalidQuery', 'That order is not one of the loopback server.');
    const found = since === null || this.repeatsPages ? rows : rows.filter(({ createdAt }) => createdAt >= since);
    const items = found.slice(skip, skip + limit).map((row) => this.shown(store, row));
    return this.answered({ ...listed(items), total: found.length, skip, limit });
  }

  private filtered(rows: readonly ContentfulRow[], query: URLSearchParams): readonly ContentfulRow[] {
    const [type, ids, target] = [query.get('content_type'), query.get('sys.id[in]') ?? query.get('sys.id'), query.get('links_to_entry')];
    const wanted = ids === null ? null : new Set(ids.split(','));
    const fields = [...query].flatMap(([name, value]) =>
      name.startsWith('fields.') ? [[name.slice('fields.'.length), value] as const] : [],
    );
    if (fields.length > 0 && type === null) throw refusal(400, 'InvalidQuery', 'A filter on fields needs content_type.');
    return rows.filter(
      (row) =>
        (type === null || row.contentType === type) &&
        (wanted === null || wanted.has(row.id)) &&
        (target === null || [...linksIn(row.fields as Json)].some(({ linkType, id }) => linkType === 'Entry' && id === target)) &&
        fields.every(([key, value]) => Object.values(row.fields[key] ?? {}).includes(value)),
    );
  }

  private putEntry(request: CmsRequest): CmsAnswer {
    const id = request.params['id'] ?? '';
    const known = this.entries.rows.get(id);
    const fields = this.givenFields(request);
    if (known) this.checkVersion(request, known.version);
    const name = known?.contentType ?? textIn(request.headers['x-contentful-content-type']);
    const type = this.contentTypes.get(name ?? '');
    if (!ID.test(id)) throw refusal(422, 'ValidationFailed', 'The id is not valid.');
    if (!type || type.publishedVersion === null)
      throw refusal(422, 'UnknownContentType', 'The content type does not exist or is not published.');
    if (known && known.archivedVersion !== null) throw refusal(400, 'BadRequest', 'Cannot edit archived');
    this.checkFields(type, fields, false);
    if (known) this.entries.change(known, fields);
    const row = known ?? this.entries.add(fields, type.id, id);
    this.report(known ? 'Entry.save' : 'Entry.create', row);
    return { status: known ? 200 : 201, body: this.shown(this.entries, row) };
  }

  private checkFields(type: ContentType, fields: LocalizedFields, isPublished: boolean): void {
    const errors = faultsOf(type, fields, { locales: this.locales, isPublished });
    const isUnknown = errors.some(({ name }) => name === 'unknown');
    if (errors.length > 0) throw refusal(422, isUnknown ? 'UnknownField' : 'InvalidEntry', 'Validation error', { errors });
    if (!isPublished) return;
    for (const { linkType, id } of linksIn(fields)) {
      const found = linkType === 'Asset' ? this.assets.rows.has(id) : this.entries.rows.has(id);
      if (!found)
        throw refusal(422, 'UnresolvedLinks', 'Validation error', {
          errors: [{ name: 'notResolvable', link: { type: 'Link', linkType, id } }],
        });
    }
  }

  private deleteRow(request: CmsRequest, store: ContentfulRows): CmsAnswer {
    const row = this.row(store, request.params);
    if (request.headers['x-contentful-version'] !== undefined) this.checkVersion(request, row.version);
    if (row.publishedVersion !== null) throw refusal(400, 'BadRequest', 'Cannot delete published');
    store.rows.delete(row.id);
    if (store === this.entries) this.report('Entry.delete', row);
    return { status: 204 };
  }

  private publish(request: CmsRequest, store: ContentfulRows): CmsAnswer {
    const row = this.row(store, request.params);
    this.checkVersion(request, row.version);
    if (row.archivedVersion !== null) throw refusal(400, 'BadRequest', 'Cannot publish archived');
    const { add, remove } = this.givenLocales(request);
    if (remove) {
      store.unpublish(row, remove);
    } else {
      const type = this.contentTypes.get(row.contentType ?? '');
      if (type) this.checkFields(type, row.fields, true);
      else if (!Object.values(row.fields['file'] ?? {}).some((file) => isRecord(file) && typeof file['url'] === 'string'))
        throw refusal(422, 'InvalidEntry', 'The asset is not processed.', { errors: [{ name: 'required', path: ['fields', 'file'] }] });
      store.publish(row, add, this.localeCodes);
    }
    if (store === this.entries) this.report(remove && row.publishedVersion === null ? 'Entry.unpublish' : 'Entry.publish', row);
    return ok(this.shown(store, row));
  }

  /** What the body says to publish or to unpublish by locale; without a body all are published. */
  private givenLocales(request: CmsRequest): { readonly add: readonly string[] | null; readonly remove: readonly string[] | null } {
    if (request.raw.length === 0) return { add: null, remove: null };
    const body = this.body(request);
    const read = (key: 'add' | 'remove'): readonly string[] | null => {
      const part = body[key];
      const fields = isRecord(part) && isRecord(part['fields']) ? part['fields']['*'] : undefined;
      if (part === undefined) return null;
      if (!this.publishesLocales) throw refusal(422, 'ValidationFailed', 'Locale-based publishing is not enabled.');
      const locales = Array.isArray(fields) ? (fields as readonly string[]) : [];
      if (locales.length === 0 || locales.some((locale) => !this.localeCodes.includes(locale)))
        throw refusal(422, 'ValidationFailed', 'The locales do not exist.');
      return locales;
    };
    return { add: read('add'), remove: read('remove') };
  }

  private unpublish(request: CmsRequest, store: ContentfulRows): CmsAnswer {
    const row = this.row(store, request.params);
    if (row.publishedVersion === null) throw refusal(400, 'BadRequest', 'Not published');
    if (request.headers['x-contentful-version'] !== undefined) this.checkVersion(request, row.version);
    store.unpublish(row, null);
    if (store === this.entries) this.report('Entry.unpublish', row);
    return ok(this.shown(store, row));
  }

  private archive(request: CmsRequest, to: boolean): CmsAnswer {
    const row = this.row(this.entries, request.params);
    if (to && row.publishedVersion !== null) throw refusal(400, 'BadRequest', 'Cannot archive published');
    this.entries.archive(row, to);
    if (to) this.report('Entry.archive', row);
    return ok(this.shown(this.entries, row));
  }

  private listTypes(query: URLSearchParams): CmsAnswer {
    const [limit, skip] = [Number(query.get('limit') ?? 100), Number(query.get('skip') ?? 0)];
    const all = [...this.contentTypes.values()];
    return this.answered({ ...listed(all.slice(skip, skip + limit).map((type) => this.shownType(type))), total: all.length, skip, limit });
  }

  private putType(request: CmsRequest): CmsAnswer {
    const id = request.params['id'] ?? '';
    const known = this.contentTypes.get(id);
    if (known) this.checkVersion(request, known.version);
    const body = this.body(request);
    const [name, fields] = [textIn(body['name']), body['fields']];
    if (!name || !Array.isArray(fields) || !ID.test(id)) throw refusal(422, 'ValidationFailed', 'name and fields are required.');
    const given = fields as unknown as readonly ContentTypeField[];
    const isKnownType = ({ type, linkType, items }: ContentTypeField): boolean =>
      ['Symbol', 'Text', 'RichText', 'Integer', 'Number', 'Boolean', 'Date', 'Location', 'Object'].includes(type) ||
      (type === 'Link' && (linkType === 'Entry' || linkType === 'Asset')) ||
      (type === 'Array' &&
        (items?.type === 'Symbol' || (items?.type === 'Link' && (items.linkType === 'Entry' || items.linkType === 'Asset'))));
    if (given.length > MOST_FIELDS || !given.every((field) => /^[a-zA-Z][a-zA-Z0-9_]*$/.test(field.id) && field.name && isKnownType(field)))
      throw refusal(422, 'ValidationFailed', 'A field is not valid.');
    for (const { id: key, omitted } of known?.fields ?? [])
      if (!given.some((field) => field.id === key) && !omitted)
        throw refusal(422, 'ValidationFailed', `The field ${key} must be omitted before it is deleted.`);
    const now = this.now();
    const facts = {
      name,
      fields: given,
      description: textIn(body['description']) ?? null,
      displayField: textIn(body['displayField']) ?? null,
      updatedAt: now,
    };
    const type: ContentType = known
      ? Object.assign(known, facts, { version: known.version + 1 })
      : { id, ...facts, version: 1, publishedVersion: null, createdAt: now };
    this.contentTypes.set(id, type);
    return { status: known ? 200 : 201, body: this.shownType(type) };
  }

  private publishType(request: CmsRequest): CmsAnswer {
    const type = this.contentType(request.params);
    this.checkVersion(request, type.version);
    Object.assign(type, { publishedVersion: type.version, version: type.version + 1, updatedAt: this.now() });
    return ok(this.shownType(type));
  }

  private editor(id: string): JsonRecord {
    const { version, controls } = this.editors.get(id) ?? { version: 1, controls: [] };
    return {
      sys: { type: 'EditorInterface', id: 'default', version, contentType: { sys: { type: 'Link', linkType: 'ContentType', id } } },
      controls,
    };
  }

  private putEditor(request: CmsRequest): CmsAnswer {
    const { id } = this.contentType(request.params);
    const version = this.editors.get(id)?.version ?? 1;
    this.checkVersion(request, version);
    const { controls } = this.body(request);
    this.editors.set(id, { version: version + 1, controls: Array.isArray(controls) ? (controls as readonly Json[]) : [] });
    return ok(this.editor(id));
  }

  private upload({ raw }: CmsRequest): CmsAnswer {
    const id = randomBytes(12).toString('hex');
    this.uploads.set(id, raw);
    return { status: 201, body: { sys: { type: 'Upload', id } } };
  }

  private putAsset(request: CmsRequest): CmsAnswer {
    const id = request.params['id'] ?? '';
    const known = this.assets.rows.get(id);
    const fields = this.givenFields(request);
    if (known) this.checkVersion(request, known.version);
    for (const [key, values] of Object.entries(fields))
      if (!['title', 'description', 'file'].includes(key) || Object.keys(values).some((locale) => !this.localeCodes.includes(locale)))
        throw refusal(422, 'UnknownField', 'Validation error', { errors: [{ name: 'unknown', path: ['fields', key] }] });
    if (known) this.assets.change(known, fields);
    return { status: known ? 200 : 201, body: this.shown(this.assets, known ?? this.assets.add(fields, null, id)) };
  }

  private process(request: CmsRequest): CmsAnswer {
    const row = this.row(this.assets, request.params);
    this.checkVersion(request, row.version);
    const file = row.fields['file']?.[request.params['locale'] ?? ''];
    const upload = isRecord(file) && [...linksIn(file['uploadFrom'])].find(({ linkType }) => linkType === 'Upload');
    if (!upload || !this.uploads.has(upload.id)) throw refusal(422, 'ValidationFailed', 'There is no upload to process.');
    this.processing.set(row.id, this.processingReads);
    return { status: 204 };
  }

  /** Bytes are processed while the asset is asked for. */
  private readAsset(params: Readonly<Record<string, string>>): CmsAnswer {
    const row = this.row(this.assets, params);
    const left = this.processing.get(row.id);
    if (left !== undefined && left > 0) this.processing.set(row.id, left - 1);
    if (left === 0) {
      this.processing.delete(row.id);
      const files = Object.entries(row.fields['file'] ?? {}).map(([locale, file]): [string, Json] => [
        locale,
        this.processed(row.id, file),
      ]);
      this.assets.change(row, { ...row.fields, file: Object.fromEntries(files) });
    }
    return ok(this.shown(this.assets, row));
  }

  private processed(id: string, file: Json): Json {
    if (!isRecord(file)) return file;
    const upload = [...linksIn(file['uploadFrom'])][0];
    const { uploadFrom: _uploadFrom, ...shown } = file;
    return {
      ...shown,
      url: `//images.ctfassets.net/${this.spaceId}/${id}/${textIn(file['fileName']) ?? 'file'}`,
      details: { size: this.uploads.get(upload?.id ?? '')?.length ?? 0 },
    };
  }

  private putHook(request: CmsRequest): CmsAnswer {
    const id = request.params['id'] ?? '';
    const known = this.webhooks.get(id);
    if (known) this.checkVersion(request, known.version);
    const body = this.body(request);
    const [name, url, topics] = [textIn(body['name']), textIn(body['url']), body['topics']];
    if (!name || !url || !URL.canParse(url) || !Array.isArray(topics) || topics.length === 0)
      throw refusal(422, 'ValidationFailed', 'name, url and topics are required.');
    const hook = {
      id,
      version: (known?.version ?? -1) + 1,
      name,
      url,
      topics: topics as readonly string[],
      filters: (body['filters'] ?? []) as readonly Json[],
      headers: ((body['headers'] ?? []) as readonly JsonRecord[]).map(({ key, value, secret }) => ({
        key: textIn(key) ?? '',
        value: textIn(value) ?? '',
        secret: secret === true,
      })),
    };
    this.webhooks.set(id, hook);
    return { status: known ? 200 : 201, body: shownHook(hook) };
  }

  private removeHook(params: Readonly<Record<string, string>>): CmsAnswer {
    this.webhooks.delete(this.webhook(params).id);
    return { status: 204 };
  }

  private report(action: string, row: ContentfulRow): void {
    const topic = `ContentManagement.${action}`;
    for (const hook of this.webhooks.values()) {
      const [type = '', verb = ''] = action.split('.');
      if (!hook.topics.some((one) => [`${type}.${verb}`, `${type}.*`, `*.${verb}`, '*.*'].includes(one)) || !this.passes(hook)) continue;
      const body = JSON.stringify(
        action === 'Entry.delete'
          ? { sys: { ...sysOf(this.shown(this.entries, row)), type: 'DeletedEntry' } }
          : this.shown(this.entries, row),
      );
      const headers: Record<string, string> = {
        'content-type': TYPE,
        'x-contentful-topic': topic,
        'x-contentful-webhook-name': hook.name,
        'x-contentful-idempotency-key': randomUUID(),
        ...Object.fromEntries(hook.headers.map(({ key, value }) => [key.toLowerCase(), value])),
      };
      const address = new URL(hook.url);
      Object.assign(headers, this.signature(headers, `${address.pathname}${address.search}`, body));
      this.deliver(`${this.hookOrigin ?? address.origin}${address.pathname}${address.search}`, headers, body);
    }
  }

  private signature(headers: Readonly<Record<string, string>>, path: string, body: string): Record<string, string> {
    if (this.signingSecret === null) return {};
    const stamped: Record<string, string> = {
      ...headers,
      'x-contentful-timestamp': String(Date.now()),
      'x-contentful-signed-headers': SIGNED.join(','),
    };
    const text = ['POST', path, SIGNED.map((name) => `${name}:${stamped[name]}`).join(';'), body].join('\n');
    return {
      'x-contentful-timestamp': stamped['x-contentful-timestamp'] ?? '',
      'x-contentful-signed-headers': SIGNED.join(','),
      'x-contentful-signature': createHmac('sha256', this.signingSecret).update(text).digest('hex'),
    };
  }

  /** The one filter that clients of ours set: on the environment. */
  private passes({ filters }: ContentfulWebhook): boolean {
    return filters.every((filter) => {
      const [path, value] = isRecord(filter) && Array.isArray(filter['equals']) ? (filter['equals'] as readonly Json[]) : [];
      return isRecord(path) && path['doc'] === 'sys.environment.sys.id' && value === this.environment;
    });
  }

  private row(store: ContentfulRows, params: Readonly<Record<string, string>>): ContentfulRow {
    const row = store.rows.get(params['id'] ?? '');
    if (!row) throw refusal(404, 'NotFound', 'The resource could not be found.');
    return row;
  }

  private contentType(params: Readonly<Record<string, string>>): ContentType {
    const type = this.contentTypes.get(params['id'] ?? '');
    if (!type) throw refusal(404, 'NotFound', 'The resource could not be found.');
    return type;
  }

  private webhook(params: Readonly<Record<string, string>>): ContentfulWebhook {
    const hook = this.webhooks.get(params['id'] ?? '');
    if (!hook) throw refusal(404, 'NotFound', 'The resource could not be found.');
    return hook;
  }

  private checkVersion({ headers }: CmsRequest, version: number): void {
    if (Number(headers['x-contentful-version'] ?? NaN) !== version)
      throw refusal(409, 'VersionMismatch', 'The version of the resource has changed.');
  }

  private body(request: CmsRequest): JsonRecord {
    return objectIn(request, () => fault(400, 'BadRequest', 'The body is not valid JSON.'));
  }

  private givenFields(request: CmsRequest): LocalizedFields {
    const { fields } = this.body(request);
    if (!isRecord(fields) || !Object.values(fields).every(isRecord))
      throw refusal(422, 'ValidationFailed', 'fields must hold values by locale.');
    return fields as LocalizedFields;
  }

  private shown(store: ContentfulRows, row: ContentfulRow): JsonRecord {
    return store.shown(row, this.spaceId, this.environment);
  }

  private shownType({
    id,
    name,
    description,
    displayField,
    fields,
    version,
    publishedVersion,
    createdAt,
    updatedAt,
  }: ContentType): JsonRecord {
    return {
      sys: { id, type: 'ContentType', version, createdAt, updatedAt, ...(publishedVersion === null ? {} : { publishedVersion }) },
      name,
      description,
      displayField,
      fields: fields as unknown as Json,
    };
  }

  private answered(body: object): CmsAnswer {
    const text = JSON.stringify(body);
    if (Buffer.byteLength(text) > this.mostAnswered)
      throw refusal(400, 'BadRequest', `Response size too big. Maximum allowed response size: ${this.mostAnswered}B.`);
    return { status: 200, text };
  }
}

const ok = (body: unknown): CmsAnswer => ({ status: 200, body });
const fault = (status: number, id: string, message: string, details?: JsonRecord): CmsAnswer => ({
  status,
  body: { sys: { type: 'Error', id }, message, ...(details ? { details } : {}), requestId: randomUUID() },
});
const refusal = (status: number, id: string, message: string, details?: JsonRecord): Refusal =>
  new Refusal(fault(status, id, message, details));
const listed = (items: readonly object[]): object => ({ sys: { type: 'Array' }, total: items.length, skip: 0, limit: 100, items });
const sysOf = (shown: JsonRecord): JsonRecord => (isRecord(shown['sys']) ? shown['sys'] : {});
const shownHook = ({ id, version, headers, ...hook }: ContentfulWebhook): object => ({
  sys: { type: 'WebhookDefinition', id, version },
  ...hook,
  headers: headers.map(({ key, value, secret }) => (secret ? { key, secret } : { key, value })),
});
