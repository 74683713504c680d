import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { z } from 'zod';
import type { CmsCall, PageChange, PageCreation, PageStateChange, RemoteList, RemotePage, RemoteSummary } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { sameJson } from '../../domain/form-config';
import { pageOf, STORIES, summaryOf, type ListedStory } from './storyblok-answers';
import { StoryblokApi, type FoundStory } from './storyblok-api';

const PER_PAGE = 100;
const MOST_PAGES = 100_000;

/** Where a list goes on: the page, what the first page said, and the first story of the page before. */
const CURSOR = z.object({
  page: z.number().int().positive(),
  total: z.number().int().nullable(),
  first: z.number().int().nullable(),
  isRepeated: z.boolean(),
});

/** Stories of a space: listed, read and written. */
@Injectable()
export class StoryblokStories {
  constructor(private readonly api: StoryblokApi) {}

  /** In the order of creation, so that stories that come in the meantime are at the end. */
  async listStories(call: CmsCall, from: JsonObject | null): Promise<RemoteList> {
    const cursor = from === null ? { page: 1, total: null, first: null, isRepeated: false } : CURSOR.parse(from);
    const place = this.api.readSettings(call.connection.settings);
    const { startsWith } = place;
    const within = startsWith ? `&starts_with=${encodeURIComponent(startsWith)}` : '';
    const { body, headers } = await this.api.sendRequest(
      call,
      `/stories?page=${cursor.page}&per_page=${PER_PAGE}&sort_by=created_at:asc${within}`,
    );
    const { stories } = this.api.check(STORIES, body);
    this.api.rememberStories(call, stories);
    const first = stories[0]?.id ?? null;
    if (first !== null && first === cursor.first) throw endless('repeats its pages');
    if (cursor.page > MOST_PAGES / PER_PAGE) throw endless(`has more than ${MOST_PAGES} stories`);
    const total = Number.isSafeInteger(Number(headers['total'])) && headers['total'] !== undefined ? Number(headers['total']) : null;
    const pages: RemoteSummary[] = [];
    for (const story of stories) pages.push(summaryOf(story, await this.parentOf(call, story), place));
    return { pages, total, next: nextCursor(cursor, { first, total, count: stories.length }) };
  }

  async readStory(call: CmsCall, uuid: string): Promise<RemotePage> {
    const found = await this.api.findStory(call, await this.api.requireNumber(call, uuid));
    if (!found) throw new CmsProblem('not_found', 'Storyblok does not have the story any longer.');
    return this.toPage(call, found);
  }

  async findStoryAt(call: CmsCall, path: string): Promise<RemotePage | null> {
    const { stories } = await this.api.request(call, STORIES, `/stories?with_slug=${encodeURIComponent(path)}&per_page=10`);
    this.api.rememberStories(call, stories);
    const [story] = stories;
    const found = story ? await this.api.findStory(call, story.id) : null;
    return found ? this.toPage(call, found) : null;
  }

  async createStory(call: CmsCall, { draft }: PageCreation): Promise<RemotePage> {
    const parent = typeof draft.raw['parent'] === 'string' ? draft.raw['parent'] : null;
    const story = { ...objectIn(draft.raw, 'story'), parent_id: await this.parentNumber(call, parent) };
    const path = await this.pathOf(call, story);
    const answer = await this.api.sendRequest(call, '/stories', {
      method: 'POST',
      body: { story },
      // Nothing else has its path: it was looked for before.
      findOutcome: async () => {
        const found = await this.findStoryAt(call, path);
        return found ? { status: 200, headers: {}, body: found.raw } : null;
      },
    });
    return this.toPage(call, this.api.readStory(call, answer.body));
  }

  /** Storyblok has no lock on versions: the story is read just before it is written. */
  async changeStory(call: CmsCall, { seen, draft, force }: PageChange): Promise<RemotePage> {
    const number = await this.api.requireNumber(call, seen.external_id);
    await this.assertUnchanged(call, number, seen);
    const parent = typeof draft.raw['parent'] === 'string' ? draft.raw['parent'] : null;
    const moved: JsonObject = draft.raw['isMoved'] === true ? { parent_id: await this.parentNumber(call, parent) } : {};
    const story = { ...objectIn(draft.raw, 'story'), ...moved };
    const answer = await this.api.sendRequest(call, `/stories/${number}`, {
      method: 'PUT',
      body: { story, ...(force ? { force_update: '1' } : {}) },
      findOutcome: async () => {
        const now = await this.api.findStory(call, number);
        if (!now || now.story.updated_at === seen.external_version) return null;
        if (isWritten(now, story)) return { status: 200, headers: {}, body: now.raw };
        throw changedMeanwhile();
      },
    });
    return this.toPage(call, this.api.readStory(call, answer.body));
  }

  async turnStory(call: CmsCall, { page, locales }: PageStateChange, to: 'publish' | 'unpublish'): Promise<RemotePage> {
    const number = await this.api.requireNumber(call, page.external_id);
    const languages = locales === null ? '' : `?lang=${locales.map((code) => encodeURIComponent(code)).join(',')}`;
    await this.api.sendRequest(call, `/stories/${number}/${to}${languages}`);
    return this.readStory(call, page.external_id);
  }

  async removeStory(call: CmsCall, uuid: string): Promise<void> {
    const number = await this.api.findNumber(call, uuid);
    if (number === null) return;
    try {
      await this.api.sendRequest(call, `/stories/${number}`, { method: 'DELETE' });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'not_found') throw error;
    }
  }

  private async toPage(call: CmsCall, found: FoundStory): Promise<RemotePage> {
    return pageOf(found, await this.parentOf(call, found.story), this.api.readSettings(call.connection.settings));
  }

  private async assertUnchanged(call: CmsCall, number: number, seen: RemotePage): Promise<void> {
    const now = await this.api.findStory(call, number);
    if (!now) throw new CmsProblem('not_found', 'Storyblok does not have the story any longer.');
    if (now.story.updated_at !== seen.external_version) throw changedMeanwhile();
  }

  /** The folder above; none where that is the folder that the connection begins in. */
  private async parentOf(call: CmsCall, { parent_id, full_slug, slug, is_folder }: ListedStory): Promise<string | null> {
    if (!parent_id) return null;
    const { startsWith } = this.api.readSettings(call.connection.settings);
    const above = full_slug.replace(/\/$/, '').split('/');
    // The path of a start page is that of its folder.
    const folder = above.at(-1) === slug && (is_folder || !full_slug.endsWith('/')) ? above.slice(0, -1) : above;
    if (startsWith && folder.join('/') === startsWith.replace(/\/$/, '')) return null;
    return this.api.findUuid(call, parent_id);
  }

  private async parentNumber(call: CmsCall, parent: string | null): Promise<number> {
    if (parent !== null) return this.api.requireNumber(call, parent);
    const { startsWith } = this.api.readSettings(call.connection.settings);
    if (!startsWith) return 0;
    const path = startsWith.replace(/\/$/, '');
    const { stories } = await this.api.request(
      call,
      STORIES,
      `/stories?with_slug=${encodeURIComponent(path)}&folder_only=true&per_page=10`,
    );
    return stories.find(({ is_folder }) => is_folder)?.id ?? 0;
  }

  private async pathOf(call: CmsCall, story: JsonObject): Promise<string> {
    const slug = typeof story['slug'] === 'string' ? story['slug'] : '';
    const parent = Number(story['parent_id'] ?? 0);
    const above = parent === 0 ? null : await this.api.findStory(call, parent);
    return above ? `${above.story.full_slug}/${slug}` : slug;
  }
}

/** Behind the last page null, or the first page again where stories came or went since. */
function nextCursor(
  { page, total: before, isRepeated }: z.infer<typeof CURSOR>,
  { first, total, count }: { readonly first: number | null; readonly total: number | null; readonly count: number },
): JsonObject | null {
  const expected = page === 1 ? total : before;
  const isLast = count < PER_PAGE || (total !== null && page * PER_PAGE >= total);
  if (!isLast) return { page: page + 1, total: expected, first, isRepeated };
  return expected === total || isRepeated ? null : { page: 1, total: null, first: null, isRepeated: true };
}

const objectIn = (raw: JsonObject, key: string): JsonObject => {
  const value: JsonValue | undefined = raw[key];
  return isObject(value) ? value : {};
};

/** Whether a story is as it was to be written. */
function isWritten({ raw }: FoundStory, wanted: JsonObject): boolean {
  const now = objectIn(raw, 'story');
  return ['name', 'slug', 'content'].every((key) => !(key in wanted) || sameJson(now[key], wanted[key]));
}

const changedMeanwhile = (): CmsProblem =>
  new CmsProblem('conflict_version', 'The story was changed at Storyblok since it was compared. Compare it again.');
const endless = (fault: string): CmsProblem => new CmsProblem('endless_list', `The list of stories of Storyblok ${fault}.`);
