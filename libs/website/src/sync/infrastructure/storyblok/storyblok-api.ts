import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CmsCall } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { checkedAnswer, checkedSettings } from '../checked-answer';
import { CmsHosts } from '../cms-hosts';
import { CmsHttp, type CmsAnswer, type CmsDialect, type CmsRequest } from '../cms-http';
import { ONE_STORY, STORIES, storyblokRefusal, type ListedStory } from './storyblok-answers';

const SETTINGS = z.strictObject({
  spaceId: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,20}$/, 'must be the number of the space')),
  region: z.enum(['eu', 'us', 'ca', 'ap', 'cn']).default('eu'),
  startsWith: z
    .string()
    .max(500)
    .regex(/^[^?#]*$/, 'must be a path')
    .optional(),
  homeSlug: z.string().min(1).max(120).default('home'),
  rate: z.number().min(0.5).max(50).default(3),
  languages: z.array(z.string().min(1).max(40)).max(50).optional(),
});
export type StoryblokSettings = z.infer<typeof SETTINGS>;

/** Identities that a process remembers: numbers of stories by uuid, and the other way round. */
const MOST_STORIES = 100_000;
const MEDIA_TYPE = 'application/json';
const NAME = 'Storyblok';

export interface FoundStory {
  readonly story: ListedStory;
  readonly raw: JsonObject;
}

/** The Management API of Storyblok: requests of a space, and stories by their uuid, which it knows by number only. */
@Injectable()
export class StoryblokApi {
  private readonly numbers = new LRUCache<string, number>({ max: MOST_STORIES });
  private readonly uuids = new LRUCache<string, string>({ max: MOST_STORIES });

  constructor(
    private readonly http: CmsHttp,
    private readonly hosts: CmsHosts,
  ) {}

  readSettings(settings: JsonObject): StoryblokSettings {
    return checkedSettings(SETTINGS, settings);
  }

  async sendRequest(call: CmsCall, path: string, request: Omit<CmsRequest, 'url'> = {}): Promise<CmsAnswer> {
    const settings = this.readSettings(call.connection.settings);
    return this.http.sendRequest(call, dialectOf(call, settings), { ...request, url: `${this.spaceUrl(settings)}${path}` });
  }

  /** A checked answer. */
  async request<T>(call: CmsCall, shape: z.ZodType<T>, path: string, request: Omit<CmsRequest, 'url'> = {}): Promise<T> {
    return this.check(shape, (await this.sendRequest(call, path, request)).body);
  }

  check<T>(shape: z.ZodType<T>, body: JsonValue): T {
    return checkedAnswer(shape, body, NAME);
  }

  async uploadForm(call: CmsCall, request: CmsRequest): Promise<void> {
    await this.http.uploadForm(call, NAME, request);
  }

  rememberStories(call: CmsCall, stories: readonly ListedStory[]): void {
    for (const { id, uuid } of stories) {
      this.numbers.set(this.key(call, uuid), id);
      this.uuids.set(this.key(call, id), uuid);
    }
  }

  async findNumber(call: CmsCall, uuid: string): Promise<number | null> {
    const known = this.numbers.get(this.key(call, uuid));
    if (known !== undefined) return known;
    const { stories } = await this.request(call, STORIES, `/stories?by_uuids=${encodeURIComponent(uuid)}&per_page=1`);
    this.rememberStories(call, stories);
    return stories.find((story) => story.uuid === uuid)?.id ?? null;
  }

  async requireNumber(call: CmsCall, uuid: string): Promise<number> {
    const number = await this.findNumber(call, uuid);
    if (number === null) throw new CmsProblem('not_found', 'Storyblok does not have the story any longer.');
    return number;
  }

  /** The uuid of a story; null where there is none of the number. */
  async findUuid(call: CmsCall, number: number): Promise<string | null> {
    return this.findKnownUuid(call, number) ?? (await this.findStory(call, number))?.story.uuid ?? null;
  }

  /** The uuid of a story that this process has met; null of any other. */
  findKnownUuid(call: CmsCall, number: number): string | null {
    return this.uuids.get(this.key(call, number)) ?? null;
  }

  async findStory(call: CmsCall, number: number): Promise<FoundStory | null> {
    try {
      const { body } = await this.sendRequest(call, `/stories/${number}`);
      return this.readStory(call, body);
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  readStory(call: CmsCall, body: JsonValue): FoundStory {
    const { story } = this.check(ONE_STORY, body);
    this.rememberStories(call, [story]);
    return { story, raw: body as JsonObject };
  }

  private spaceUrl({ region, spaceId }: StoryblokSettings): string {
    return `${this.hosts.getStoryblok(region)}/v1/spaces/${spaceId}`;
  }

  private key({ connection }: CmsCall, id: string | number): string {
    return `${this.spaceUrl(this.readSettings(connection.settings))}:${id}`;
  }
}

const dialectOf = ({ connection }: CmsCall, { rate, spaceId, region }: StoryblokSettings): CmsDialect => ({
  name: NAME,
  perSecond: rate,
  space: `${region}/${spaceId}`,
  headers: { authorization: connection.secrets.token },
  mediaType: MEDIA_TYPE,
  readPause: () => undefined,
  readRefusal: storyblokRefusal,
});
