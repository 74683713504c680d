import { createHash, createHmac, randomBytes } from 'node:crypto';
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
  type JsonRecord,
} from './loopback-cms';
import { blocksIn, StoryblokStories, type Story, type StoryWish } from './storyblok-store';

export interface StoryblokComponent {
  readonly id: number;
  name: string;
  display_name: string | null;
  schema: JsonRecord;
  is_root: boolean;
  is_nestable: boolean;
  created_at: string;
  updated_at: string;
  /** Attributes that no client of ours knows. */
  more: JsonRecord;
}

export interface StoryblokWebhook {
  readonly id: number;
  readonly name: string;
  readonly endpoint: string;
  readonly actions: readonly string[];
  readonly secret: string | null;
}

export interface StoryblokAsset {
  readonly id: number;
  readonly filename: string;
  readonly fields: Readonly<Record<string, string>>;
  bytes: Buffer | null;
  finished: boolean;
}

const LIST_PARAMETERS = ['page', 'per_page', 'sort_by', 'starts_with', 'by_uuids', 'by_ids', 'with_slug', 'story_only', 'folder_only'];
const STORY_KEYS = new Set([
  'id', 'uuid', 'name', 'slug', 'parent_id', 'is_folder', 'is_startpage', 'content', 'position', 'tag_list', 'translated_slugs_attributes',
]); // prettier-ignore
const DERIVED = new Set([
  'full_slug', 'created_at', 'updated_at', 'published', 'published_at', 'first_published_at', 'unpublished_changes', 'translated_slugs',
  'translated_stories', 'parent', 'locked_by', 'is_live', 'content_type',
]); // prettier-ignore
const ACTIONS = ['story.published', 'story.unpublished', 'story.deleted', 'story.moved'];
const MOST_PER_PAGE = 100;
const PER_PAGE = 25;

/** The Management API of Storyblok on loopback, over one space that is kept in memory and refuses what the real one refuses. */
export class StoryblokServer extends LoopbackCms {
  readonly spaceId = 288_868;
  readonly token = `sb-${randomBytes(12).toString('hex')}`;
  /** A token that may read only. */
  readonly readToken = `sb-read-${randomBytes(12).toString('hex')}`;
  spaceName = 'Loopback space';
  readonly languages: { code: string; name: string }[] = [];
  /** Whether each language is published on its own. */
  publishesLanguages = false;
  /** Whether webhooks take a secret. */
  allowsSecrets = true;
  /** Where webhooks are delivered in place of the origin they name. */
  hookOrigin: string | null = null;
  readonly stories = new StoryblokStories(() => this.now());
  readonly components = new Map<number, StoryblokComponent>();
  readonly assets = new Map<number, StoryblokAsset>();
  readonly webhooks = new Map<number, StoryblokWebhook>();
  private nextId = 1;

  static async start(): Promise<StoryblokServer> {
    return new StoryblokServer().listen();
  }

  addComponent(
    name: string,
    schema: JsonRecord,
    facts: Partial<Omit<StoryblokComponent, 'id' | 'name' | 'schema'>> = {},
  ): StoryblokComponent {
    const now = this.now();
    const component = {
      id: this.nextId++, name, schema, display_name: null, is_root: false, is_nestable: true, created_at: now, updated_at: now, more: {}, ...facts,
    }; // prettier-ignore
    this.components.set(component.id, component);
    return component;
  }

  /** A person adds, changes, publishes or removes at the CMS: webhooks report it as they do for clients. */
  addStory(wish: StoryWish): Story {
    return this.stories.add(wish);
  }

  publishStory(story: Story): void {
    this.stories.publish(story, null);
    this.report('story.published', story);
  }

  removeStory(story: Story): void {
    const path = this.stories.fullSlug(story);
    for (const one of this.stories.remove(story)) this.report('story.deleted', one, path);
  }

  protected readonly base = '/v1/spaces/:space';

  protected routes(): readonly CmsRoute[] {
    return [
      ['GET ', () => ok({ space: this.space() })],
      ['GET /stories', (request) => this.list(request)],
      ['POST /stories', (request) => this.create(request)],
      ['GET /stories/:id', ({ params }) => ok({ story: this.stories.page(this.story(params)) })],
      ['PUT /stories/:id', (request) => this.update(request)],
      ['DELETE /stories/:id', ({ params }) => this.destroy(this.story(params))],
      ['GET /stories/:id/publish', (request) => this.turn(request, 'publish')],
      ['GET /stories/:id/unpublish', (request) => this.turn(request, 'unpublish')],
      ['GET /components', () => ok({ components: [...this.components.values()].map(shownComponent) })],
      ['POST /components', (request) => this.createComponent(request)],
      ['GET /components/:id', ({ params }) => ok({ component: shownComponent(this.component(params)) })],
      ['PUT /components/:id', (request) => this.updateComponent(request)],
      ['POST /assets', (request) => this.signUpload(request)],
      ['GET /assets/:id/finish_upload', ({ params }) => this.finishUpload(params)],
      ['POST ~/s3', (request) => this.storeUpload(request)],
      ['GET /webhook_endpoints', () => ok({ webhook_endpoints: [...this.webhooks.values()].map(shownHook) })],
      ['POST /webhook_endpoints', (request) => this.createHook(request)],
      ['DELETE /webhook_endpoints/:id', ({ params }) => this.removeHook(params)],
    ];
  }

  protected authorize({ path, params, headers, method }: CmsRequest): void {
    if (path === '/s3') return;
    const token = headers.authorization;
    if (token !== this.token && token !== this.readToken) throw refusal(401, { error: 'Unauthorized' });
    if (params['space'] !== String(this.spaceId)) throw refusal(404, { error: 'This record could not be found' });
    const writes = method !== 'GET' || /\/(?:un)?publish$/.test(path);
    if (writes && token === this.readToken) throw refusal(403, { error: 'You are not allowed to perform this action' });
  }

  protected tooFast(): CmsAnswer {
    return { status: 429, body: { error: 'Rate limit exceeded' } };
  }

  protected unknownRoute(): CmsAnswer {
    return { status: 404, body: { error: 'This record could not be found' } };
  }

  private space(): JsonRecord {
    return {
      id: this.spaceId,
      name: this.spaceName,
      languages: this.languages.map((one) => ({ ...one })),
      default_lang_name: 'Default',
      use_translated_stories: this.publishesLanguages,
    };
  }

  private list({ query }: CmsRequest): CmsAnswer {
    if (unknownParameter(query, LIST_PARAMETERS) !== undefined) throw refusal(404, { error: 'This record could not be found' });
    const perPage = Math.min(Number(query.get('per_page') ?? PER_PAGE), MOST_PER_PAGE);
    const page = this.repeatsPages ? 1 : Number(query.get('page') ?? 1);
    let rows: Story[];
    const uuids = query.get('by_uuids')?.split(',');
    if (uuids) rows = uuids.flatMap((uuid) => this.stories.findUuid(uuid) ?? []);
    else rows = [...this.stories.rows.values()];
    const [startsWith, slug] = [query.get('starts_with'), query.get('with_slug')];
    if (startsWith !== null) rows = rows.filter((story) => this.stories.fullSlug(story).startsWith(startsWith));
    if (slug !== null) rows = rows.filter((story) => this.stories.fullSlug(story) === slug);
    if (query.get('story_only') === 'true') rows = rows.filter((story) => !story.is_folder);
    if (query.get('folder_only') === 'true') rows = rows.filter((story) => story.is_folder);
    if (query.get('sort_by') !== 'created_at:asc') rows = rows.toReversed();
    const shown = rows.slice((page - 1) * perPage, page * perPage);
    return {
      status: 200,
      headers: { total: String(rows.length), 'per-page': String(perPage) },
      body: { stories: shown.map((story) => this.stories.row(story)) },
    };
  }

  private create(request: CmsRequest): CmsAnswer {
    const body = objectIn(request, () => unprocessable({ base: ['is not valid JSON'] }));
    const given = this.checked(body, null);
    const story = this.stories.add({
      name: given.name ?? '',
      slug: given.slug ?? '',
      parent_id: given.parent_id,
      is_folder: given.is_folder,
      is_startpage: given.is_startpage,
      content: given.content ?? {},
      ...(given.position === undefined ? {} : { position: given.position }),
      tag_list: given.tag_list ?? [],
      translated_slugs: given.translated_slugs ?? [],
      more: given.more,
    });
    if (isSet(body['publish'])) this.turned(story, 'publish', null);
    return { status: 201, body: { story: this.stories.page(story) } };
  }

  private update(request: CmsRequest): CmsAnswer {
    const story = this.story(request.params);
    const body = objectIn(request, () => unprocessable({ base: ['is not valid JSON'] }));
    if (story.lockedBy !== null && !isSet(body['force_update']))
      throw refusal(422, { base: [`This story is locked by ${story.lockedBy}`] });
    const { translated_slugs, is_folder, more, ...given } = this.checked(body, story);
    const moved = (given.slug ?? story.slug) !== story.slug || (given.parent_id ?? story.parent_id) !== story.parent_id;
    this.stories.change(story, {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      more: { ...story.more, ...more },
      ...(translated_slugs ? { translated_slugs: this.mergedSlugs(story, translated_slugs) } : {}),
    });
    if (moved) this.report('story.moved', story);
    if (isSet(body['publish'])) this.turned(story, 'publish', null);
    return ok({ story: this.stories.page(story) });
  }

  /** Nested attributes with an id change that row; those without make a new one, of which a language has one only. */
  private mergedSlugs(story: Story, given: readonly GivenSlug[]): Story['translated_slugs'] {
    const rows = story.translated_slugs.map((row) => ({ ...row }));
    for (const one of given) {
      const known = one.id === undefined ? undefined : rows.find((row) => row.id === one.id);
      if (one.id !== undefined && !known) throw refusal(404, { error: 'This record could not be found' });
      if (!known && rows.some((row) => row.lang === one.lang)) throw refusal(422, { 'translated_slugs.lang': ['has already been taken'] });
      if (known) Object.assign(known, { slug: one.slug, name: one.name ?? known.name, published: one.published ?? known.published });
      else rows.push(this.stories.translatedSlug(one));
    }
    return rows;
  }

  private checked(body: JsonRecord, known: Story | null): GivenStory {
    const story = body['story'];
    if (!isRecord(story)) throw refusal(422, { base: ['story is missing'] });
    const [name, slug] = [textIn(story['name']), textIn(story['slug'])];
    const isFolder = story['is_folder'] === true || (known?.is_folder ?? false);
    if (known ? name === '' : !name) throw refusal(422, { name: ["can't be blank"] });
    if (known ? slug === '' : !slug) throw refusal(422, { slug: ["can't be blank"] });
    if (slug?.includes('/')) throw refusal(422, { slug: ['is invalid'] });
    const parent = story['parent_id'] === undefined ? (known?.parent_id ?? 0) : Number(story['parent_id'] ?? 0);
    if (parent !== 0 && this.stories.rows.get(parent)?.is_folder !== true) throw refusal(422, { parent_id: ['is invalid'] });
    if (this.stories.findSlug(parent, slug ?? known?.slug ?? '', known?.id)) throw refusal(422, { slug: ['has already been taken'] });
    const content = isRecord(story['content']) ? story['content'] : undefined;
    if (!isFolder && !known && !content) throw refusal(422, { content: ["can't be blank"] });
    if (content && !isFolder) this.checkContent(content);
    return {
      name,
      slug,
      parent_id: parent,
      is_folder: isFolder,
      content,
      is_startpage: story['is_startpage'] === undefined ? known?.is_startpage : story['is_startpage'] === true,
      position: typeof story['position'] === 'number' ? story['position'] : undefined,
      tag_list: Array.isArray(story['tag_list']) ? (story['tag_list'] as readonly string[]) : undefined,
      translated_slugs: this.givenSlugs(story['translated_slugs_attributes']),
      more: Object.fromEntries(Object.entries(story).filter(([key]) => !STORY_KEYS.has(key) && !DERIVED.has(key))),
    };
  }

  private checkContent(content: JsonRecord): void {
    const root = textIn(content['component']);
    if (root === undefined) throw refusal(422, { content: ['component is missing'] });
    const names = new Set([...this.components.values()].map(({ name }) => name));
    for (const block of blocksIn(content)) {
      const name = textIn(block['component']) ?? '';
      if (!names.has(name)) throw refusal(422, { content: [`component ${name} does not exist`] });
    }
  }

  private givenSlugs(given: unknown): readonly GivenSlug[] | undefined {
    if (!Array.isArray(given)) return undefined;
    return (given as readonly JsonRecord[]).map((one) => {
      const [lang, slug] = [textIn(one['lang']) ?? '', textIn(one['slug']) ?? ''];
      if (!this.languages.some(({ code }) => code === lang))
        throw refusal(422, { 'translated_slugs.lang': ['is not a language of the space'] });
      if (slug === '') throw refusal(422, { 'translated_slugs.slug': ["can't be blank"] });
      return {
        lang,
        slug,
        ...(typeof one['id'] === 'number' ? { id: one['id'] } : {}),
        ...(typeof one['name'] === 'string' ? { name: one['name'] } : {}),
        ...(typeof one['published'] === 'boolean' ? { published: one['published'] } : {}),
      };
    });
  }

  private destroy(story: Story): CmsAnswer {
    const shown = this.stories.page(story);
    this.removeStory(story);
    return ok({ story: shown });
  }

  private turn({ params, query }: CmsRequest, to: 'publish' | 'unpublish'): CmsAnswer {
    const story = this.story(params);
    const langs = query.get('lang')?.split(',') ?? null;
    for (const lang of langs ?? [])
      if (!this.publishesLanguages || (lang !== '[default]' && !this.languages.some(({ code }) => code === lang)))
        throw refusal(422, { lang: [`${lang} is not published on its own`] });
    if (story.is_folder) throw refusal(422, { base: ['A folder cannot be published'] });
    this.turned(story, to, langs);
    return ok({ story: this.stories.page(story) });
  }

  private turned(story: Story, to: 'publish' | 'unpublish', langs: readonly string[] | null): void {
    this.stories[to](story, langs);
    this.report(to === 'publish' ? 'story.published' : 'story.unpublished', story);
  }

  private story(params: Readonly<Record<string, string>>): Story {
    const story = this.stories.rows.get(Number(params['id']));
    if (!story) throw refusal(404, { error: 'This record could not be found' });
    return story;
  }

  private component(params: Readonly<Record<string, string>>): StoryblokComponent {
    const component = this.components.get(Number(params['id']));
    if (!component) throw refusal(404, { error: 'This record could not be found' });
    return component;
  }

  private createComponent(request: CmsRequest): CmsAnswer {
    const { name, schema, ...facts } = this.givenComponent(request, 0);
    return { status: 201, body: { component: shownComponent(this.addComponent(name, schema, facts)) } };
  }

  private updateComponent(request: CmsRequest): CmsAnswer {
    const component = this.component(request.params);
    Object.assign(component, this.givenComponent(request, component.id), { updated_at: this.now() });
    return ok({ component: shownComponent(component) });
  }

  private givenComponent(
    request: CmsRequest,
    id: number,
  ): Pick<StoryblokComponent, 'name' | 'schema' | 'display_name' | 'is_root' | 'is_nestable' | 'more'> {
    const { component } = objectIn(request, () => unprocessable({ base: ['is not valid JSON'] }));
    if (!isRecord(component)) throw refusal(422, { base: ['component is missing'] });
    const name = textIn(component['name']) ?? '';
    if (!/^[A-Za-z0-9_ -]+$/.test(name)) throw refusal(422, { name: ['is invalid'] });
    if ([...this.components.values()].some((one) => one.name === name && one.id !== id))
      throw refusal(422, { name: ['has already been taken'] });
    const schema = isRecord(component['schema']) ? component['schema'] : {};
    for (const [key, field] of Object.entries(schema))
      if (!isRecord(field) || textIn(field['type']) === undefined) throw refusal(422, { schema: [`${key} has no type`] });
    const { id: _id, name: _name, schema: _schema, display_name, is_root, is_nestable, created_at, updated_at, ...more } = component;
    return {
      name,
      schema,
      display_name: textIn(display_name) ?? null,
      is_root: is_root === true,
      is_nestable: is_nestable !== false,
      more,
    };
  }

  private signUpload(request: CmsRequest): CmsAnswer {
    const given = objectIn(request, () => unprocessable({ base: ['is not valid JSON'] }));
    const name = textIn(given['filename']);
    if (!name) throw refusal(422, { filename: ["can't be blank"] });
    const id = this.nextId++;
    const key = `f/${this.spaceId}/${textIn(given['size']) ?? '0x0'}/${createHash('md5').update(String(id)).digest('hex').slice(0, 10)}/${name}`;
    const fields = {
      key,
      acl: 'public-read',
      policy: randomBytes(20).toString('base64'),
      'x-amz-signature': randomBytes(16).toString('hex'),
    };
    this.assets.set(id, { id, filename: `https://a.storyblok.com/${key}`, fields, bytes: null, finished: false });
    return ok({
      id,
      fields,
      post_url: `${this.url}/s3`,
      pretty_url: `//a.storyblok.com/${key}`,
      public_url: `https://s3.amazonaws.com/${key}`,
    });
  }

  /** As S3 takes a form: every signed field unchanged, the file last, and a length that is known beforehand. */
  private storeUpload({ raw, headers }: CmsRequest): CmsAnswer {
    if (headers['transfer-encoding'] !== undefined || headers['content-length'] === undefined)
      return { status: 411, text: '<Error><Code>MissingContentLength</Code></Error>', headers: { 'content-type': 'application/xml' } };
    const boundary = /boundary=("?)([^";]+)\1/.exec(headers['content-type'] ?? '')?.[2];
    const parts = boundary === undefined ? [] : partsOf(raw, boundary);
    const asset = [...this.assets.values()].find(
      ({ fields }) => fields['key'] === parts.find(({ name }) => name === 'key')?.bytes.toString(),
    );
    const file = parts.at(-1);
    const isSigned =
      asset && Object.entries(asset.fields).every(([name, value]) => parts.find((part) => part.name === name)?.bytes.toString() === value);
    if (!asset || !isSigned || file?.name !== 'file')
      return { status: 403, text: '<Error><Code>AccessDenied</Code></Error>', headers: { 'content-type': 'application/xml' } };
    asset.bytes = file.bytes;
    return { status: 204 };
  }

  private finishUpload(params: Readonly<Record<string, string>>): CmsAnswer {
    const asset = this.assets.get(Number(params['id']));
    if (!asset?.bytes) throw refusal(404, { error: 'This record could not be found' });
    asset.finished = true;
    return ok({ id: asset.id, filename: asset.filename, content_length: asset.bytes.length });
  }

  private createHook(request: CmsRequest): CmsAnswer {
    const given = objectIn(request, () => unprocessable({ base: ['is not valid JSON'] }))['webhook_endpoint'];
    if (!isRecord(given)) throw refusal(422, { base: ['webhook_endpoint is missing'] });
    const [name, endpoint, secret] = [textIn(given['name']), textIn(given['endpoint']), textIn(given['secret'])];
    const actions = Array.isArray(given['actions']) ? (given['actions'] as readonly string[]) : [];
    if (!name || !endpoint || !URL.canParse(endpoint)) throw refusal(422, { endpoint: ['is invalid'] });
    if (actions.length === 0 || actions.some((action) => !ACTIONS.includes(action))) throw refusal(422, { actions: ['are not valid'] });
    if (secret && !this.allowsSecrets) throw refusal(422, { secret: ['is not available on your plan'] });
    const hook = { id: this.nextId++, name, endpoint, actions, secret: secret ?? null };
    this.webhooks.set(hook.id, hook);
    return { status: 201, body: { webhook_endpoint: shownHook(hook) } };
  }

  private removeHook(params: Readonly<Record<string, string>>): CmsAnswer {
    if (!this.webhooks.delete(Number(params['id']))) throw refusal(404, { error: 'This record could not be found' });
    return { status: 204 };
  }

  private report(action: string, story: Story, path = this.stories.fullSlug(story)): void {
    for (const { endpoint, actions, secret } of this.webhooks.values()) {
      if (!actions.includes(action)) continue;
      const body = JSON.stringify({
        text: `The user loopback ${action} ${story.name} (${path})`,
        action: action.replace('story.', ''),
        space_id: this.spaceId,
        story_id: story.id,
        full_slug: path,
      });
      const signature: Record<string, string> =
        secret === null ? {} : { 'webhook-signature': createHmac('sha1', secret).update(body).digest('hex') };
      const address = new URL(endpoint);
      this.deliver(
        `${this.hookOrigin ?? address.origin}${address.pathname}${address.search}`,
        { 'content-type': 'application/json', ...signature },
        body,
      );
    }
  }
}

interface GivenSlug {
  readonly id?: number;
  readonly lang: string;
  readonly slug: string;
  readonly name?: string;
  readonly published?: boolean;
}

interface GivenStory {
  readonly name: string | undefined;
  readonly slug: string | undefined;
  readonly parent_id: number;
  readonly is_folder: boolean;
  readonly is_startpage: boolean | undefined;
  readonly content: JsonRecord | undefined;
  readonly position: number | undefined;
  readonly tag_list: readonly string[] | undefined;
  readonly translated_slugs: readonly GivenSlug[] | undefined;
  readonly more: JsonRecord;
}

const ok = (body: unknown): CmsAnswer => ({ status: 200, body });
const unprocessable = (body: unknown): CmsAnswer => ({ status: 422, body });
const refusal = (status: number, body: unknown): Refusal => new Refusal({ status, body });
const isSet = (value: unknown): boolean => value === 1 || value === '1' || value === true;
const shownComponent = ({ more, ...component }: StoryblokComponent): object => ({ ...more, ...component });
const shownHook = ({ secret: _secret, ...hook }: StoryblokWebhook): object => ({ ...hook, activated: true });

function partsOf(raw: Buffer, boundary: string): { readonly name: string; readonly bytes: Buffer }[] {
  const mark = Buffer.from(`--${boundary}`);
  const parts: { name: string; bytes: Buffer }[] = [];
  for (let from = raw.indexOf(mark); from >= 0;) {
    const next = raw.indexOf(mark, from + mark.length);
    if (next < 0) break;
    const part = raw.subarray(from + mark.length + 2, next - 2);
    const head = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(part.subarray(0, head).toString())?.[1] ?? '';
    parts.push({ name, bytes: part.subarray(head + 4) });
    from = next;
  }
  return parts;
}
