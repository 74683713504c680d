import { z } from 'zod';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { CmsProblem } from '../../domain/cms-problem';
import type { RemotePage, RemoteState, RemoteSummary } from '../../domain/cms-port';
import { DEFAULT_LANGUAGE } from '../../domain/storyblok/storyblok-pages';
import { json, jsonObject } from '../checked-answer';

const id = z.number().int().positive();

/** A story of a list; the rest of it is kept as it came. */
const STORY = z.looseObject({
  id,
  uuid: z.string().min(1).max(100),
  name: z.string().max(10_000),
  slug: z.string().max(2_000),
  full_slug: z.string().max(10_000),
  parent_id: z.number().int().nullish(),
  is_folder: z.boolean(),
  updated_at: z.string().min(1).max(100),
  published: z.boolean().nullish(),
  unpublished_changes: z.boolean().nullish(),
  translated_stories: z.array(z.looseObject({ lang: z.string(), unpublished_changes: z.boolean().nullish() })).nullish(),
});
export type ListedStory = z.infer<typeof STORY>;

export const STORIES = z.looseObject({ stories: z.array(STORY).max(1_000) });
export const ONE_STORY = z.looseObject({ story: STORY.and(z.looseObject({ content: json.optional() })) });
export const SPACE = z.looseObject({
  space: z.looseObject({
    id,
    name: z.string(),
    languages: z.array(z.looseObject({ code: z.string().min(1).max(40), name: z.string().nullish() })).nullish(),
    default_lang_name: z.string().nullish(),
    use_translated_stories: z.boolean().nullish(),
  }),
});
const COMPONENT = z.looseObject({ id, name: z.string().min(1).max(200), updated_at: z.string(), schema: jsonObject });
export const COMPONENTS = z.looseObject({ components: z.array(COMPONENT).max(5_000) });
export const ONE_COMPONENT = z.looseObject({ component: COMPONENT });
export type Component = z.infer<typeof COMPONENT>;
export const SIGNED_UPLOAD = z.looseObject({ id, post_url: z.string(), fields: z.record(z.string(), z.string()) });
export const ASSET = z.looseObject({ id, filename: z.string().min(1) });
const WEBHOOK = z.looseObject({ id, endpoint: z.string(), actions: z.array(z.string()).nullish() });
export const WEBHOOKS = z.looseObject({ webhook_endpoints: z.array(WEBHOOK).max(1_000) });
export const ONE_WEBHOOK = z.looseObject({ webhook_endpoint: WEBHOOK });
export type Webhook = z.infer<typeof WEBHOOK>;
export const EVENT = z.looseObject({ action: z.string(), story_id: id.optional(), full_slug: z.string().max(10_000).optional() });

/** Where a connection begins, and what its home page is called there. */
export interface StoryPlace {
  readonly startsWith?: string | undefined;
  readonly homeSlug: string;
}

const folderOf = ({ startsWith = '' }: StoryPlace): string => startsWith.replace(/\/$/, '');

/** The path of a start page at the CMS is that of its folder; here it is a page in the folder. */
function pathHere({ full_slug, slug, is_folder }: ListedStory, place: StoryPlace): string {
  const folder = folderOf(place);
  const whole = full_slug.endsWith('/') && !is_folder ? full_slug + slug : full_slug.replace(/\/$/, '');
  const path = folder !== '' && whole.startsWith(`${folder}/`) ? whole.slice(folder.length + 1) : whole;
  return path === place.homeSlug && !is_folder ? '' : path;
}

export function externalPathOf(path: string, place: StoryPlace): string {
  const folder = folderOf(place);
  const own = path === '' ? place.homeSlug : path;
  return folder === '' ? own : `${folder}/${own}`;
}

const stateOf = (isPublished: boolean, isChanged: boolean): RemoteState => (!isPublished ? 'draft' : isChanged ? 'changed' : 'published');

function statesOf({ published, unpublished_changes, translated_stories }: ListedStory): Readonly<Record<string, RemoteState>> {
  const own = stateOf(published ?? false, unpublished_changes ?? false);
  if (!translated_stories || translated_stories.length === 0) return { '*': own };
  const others = translated_stories.map(({ lang, unpublished_changes: isChanged }) => [lang, stateOf(true, isChanged ?? false)] as const);
  return { [DEFAULT_LANGUAGE]: own, ...Object.fromEntries(others) };
}

/** A story as a list shows it, in a connection that begins in a folder or at the top. */
export const summaryOf = (story: ListedStory, parent: string | null, place: StoryPlace): RemoteSummary => ({
  external_id: story.uuid,
  external_path: story.full_slug,
  path: pathHere(story, place),
  external_version: story.updated_at,
  name: story.name,
  parent,
  states: statesOf(story),
  isDeleted: false,
});

/** The checked story, and as it came. */
export const pageOf = (
  { story, raw }: { readonly story: ListedStory; readonly raw: JsonObject },
  parent: string | null,
  place: StoryPlace,
): RemotePage => ({
  ...summaryOf(story, parent, place),
  raw,
});

const LONGEST_REASON = 300;

/** What Storyblok says by a status and the errors in its body, which name fields and reasons. */
export function storyblokRefusal(status: number, body: JsonValue): CmsProblem {
  if (status === 401) return new CmsProblem('unauthorized', 'Storyblok rejects the token. Connect the site with a valid one.');
  if (status === 403) return new CmsProblem('missing_scope', 'The token of Storyblok does not allow the request.');
  if (status === 404) return new CmsProblem('not_found', 'Storyblok does not have it, or the token may not see it.');
  if (status === 413) return new CmsProblem('too_large', 'The page is larger than Storyblok accepts.');
  const reason = (body === null ? '' : JSON.stringify(body)).slice(0, LONGEST_REASON);
  if (status === 423 || /\blocked\b/i.test(reason)) return new CmsProblem('locked', 'A person is editing the story at Storyblok.');
  if (status === 422 && reason.includes('slug') && reason.includes('taken'))
    return new CmsProblem('slug_taken', 'Another story has the slug at Storyblok.', { field: 'slug' });
  if (status >= 400 && status < 500) return new CmsProblem('refused_content', `Storyblok refused it: ${reason || status}.`);
  return new CmsProblem('upstream_invalid', `Storyblok returned the status ${status}.`);
}
