import { randomUUID } from 'node:crypto';
import { isRecord, textIn, type Json, type JsonRecord } from './loopback-cms';

export interface TranslatedSlug {
  readonly id: number;
  readonly lang: string;
  slug: string;
  name: string | null;
  published: boolean;
}

export interface Story {
  readonly id: number;
  readonly uuid: string;
  readonly created_at: string;
  name: string;
  slug: string;
  parent_id: number;
  is_folder: boolean;
  is_startpage: boolean;
  content: JsonRecord;
  position: number;
  published: boolean;
  unpublished_changes: boolean;
  updated_at: string;
  published_at: string | null;
  first_published_at: string | null;
  tag_list: readonly string[];
  translated_slugs: TranslatedSlug[];
  /** Languages that are published apart, and whether they changed since. */
  translated_stories: Map<string, { unpublished_changes: boolean }>;
  /** What is live, by language; `` is the default one. */
  live: Map<string, JsonRecord>;
  /** Attributes that no client of ours knows. */
  more: JsonRecord;
  /** Who edits it at the moment. */
  lockedBy: string | null;
}

export interface StoryWish {
  readonly name: string;
  readonly slug: string;
  readonly parent_id?: number;
  readonly is_folder?: boolean;
  readonly is_startpage?: boolean;
  readonly content?: JsonRecord;
  readonly position?: number;
  readonly tag_list?: readonly string[];
  readonly translated_slugs?: readonly {
    readonly lang: string;
    readonly slug: string;
    readonly name?: string | null;
    readonly published?: boolean;
  }[];
  readonly more?: JsonRecord;
  readonly published?: boolean;
}

/** The stories of a Storyblok space: a tree with slugs that are unique among siblings. */
export class StoryblokStories {
  /** In the order of their creation. */
  readonly rows = new Map<number, Story>();
  private readonly slugs = new Map<string, number>();
  private readonly byUuid = new Map<string, number>();
  private readonly children = new Map<number, Set<number>>();
  private nextId = 1_000;
  private nextSlugId = 1;

  constructor(private readonly now: () => string) {}

  /** The other story that has the slug already. */
  findSlug(parent_id: number, slug: string, except = 0): Story | undefined {
    const id = this.slugs.get(`${parent_id}/${slug}`);
    return id === undefined || id === except ? undefined : this.rows.get(id);
  }

  findUuid(uuid: string): Story | undefined {
    return this.rows.get(this.byUuid.get(uuid) ?? 0);
  }

  add(wish: StoryWish): Story {
    const now = this.now();
    const story: Story = {
      id: this.nextId++,
      uuid: randomUUID(),
      created_at: now,
      updated_at: now,
      name: wish.name,
      slug: wish.slug,
      parent_id: wish.parent_id ?? 0,
      is_folder: wish.is_folder ?? false,
      is_startpage: wish.is_startpage ?? false,
      content: wish.content ?? {},
      position: wish.position ?? this.rows.size * -10,
      published: false,
      unpublished_changes: false,
      published_at: null,
      first_published_at: null,
      tag_list: wish.tag_list ?? [],
      translated_slugs: (wish.translated_slugs ?? []).map((one) => this.translatedSlug(one)),
      translated_stories: new Map(),
      live: new Map(),
      more: wish.more ?? {},
      lockedBy: null,
    };
    this.rows.set(story.id, story);
    this.byUuid.set(story.uuid, story.id);
    this.place(story);
    if (wish.published) this.publish(story, null);
    return story;
  }

  translatedSlug(wish: {
    readonly lang: string;
    readonly slug: string;
    readonly name?: string | null;
    readonly published?: boolean;
  }): TranslatedSlug {
    return { id: this.nextSlugId++, lang: wish.lang, slug: wish.slug, name: wish.name ?? null, published: wish.published ?? false };
  }

  /** A change by anyone: a client, or a person at the CMS. */
  change(
    story: Story,
    changes: Partial<
      Pick<Story, 'name' | 'slug' | 'parent_id' | 'content' | 'position' | 'tag_list' | 'is_startpage' | 'translated_slugs' | 'more'>
    >,
  ): void {
    this.slugs.delete(`${story.parent_id}/${story.slug}`);
    this.children.get(story.parent_id)?.delete(story.id);
    Object.assign(story, changes);
    this.place(story);
    story.updated_at = this.now();
    if (story.published) story.unpublished_changes = true;
    for (const standing of story.translated_stories.values()) standing.unpublished_changes = true;
  }

  /** Every language where `langs` is null. */
  publish(story: Story, langs: readonly string[] | null): void {
    const now = this.now();
    for (const lang of langs ?? ['[default]']) {
      if (lang === '[default]') {
        Object.assign(story, {
          published: true,
          unpublished_changes: false,
          published_at: now,
          first_published_at: story.first_published_at ?? now,
        });
        story.live.set('', story.content);
      } else {
        story.translated_stories.set(lang, { unpublished_changes: false });
        story.live.set(lang, story.content);
      }
    }
  }

  unpublish(story: Story, langs: readonly string[] | null): void {
    for (const lang of langs ?? ['[default]', ...story.translated_stories.keys()]) {
      if (lang === '[default]') Object.assign(story, { published: false, unpublished_changes: false, published_at: null });
      else story.translated_stories.delete(lang);
      story.live.delete(lang === '[default]' ? '' : lang);
    }
    story.updated_at = this.now();
  }

  /** With everything below it; what was removed, itself first. */
  remove(story: Story): Story[] {
    const below = [...(this.children.get(story.id) ?? [])].flatMap((id) => this.remove(this.rows.get(id) as Story));
    this.rows.delete(story.id);
    this.byUuid.delete(story.uuid);
    this.slugs.delete(`${story.parent_id}/${story.slug}`);
    this.children.get(story.parent_id)?.delete(story.id);
    return [story, ...below];
  }

  fullSlug(story: Story): string {
    const above = this.rows.get(story.parent_id);
    if (!above) return story.slug;
    return story.is_startpage ? `${this.fullSlug(above)}/` : `${this.fullSlug(above)}/${story.slug}`;
  }

  /** As a list shows it: without content. */
  row(story: Story): JsonRecord {
    const { translated_stories, live, more, lockedBy, content, translated_slugs, ...shown } = story;
    return {
      ...more,
      ...shown,
      full_slug: this.fullSlug(story),
      content_type: textIn(content['component']) ?? null,
      translated_slugs: translated_slugs.map((one) => ({ ...one, story_id: story.id, path: one.slug })),
      translated_stories: [...translated_stories].map(([lang, standing]) => ({ lang, ...standing })),
      locked_by: lockedBy,
      is_live: live.size > 0,
    };
  }

  page(story: Story): JsonRecord {
    const above = this.rows.get(story.parent_id);
    return { ...this.row(story), content: story.content, parent: above ? { id: above.id, uuid: above.uuid, slug: above.slug } : null };
  }

  private place(story: Story): void {
    this.slugs.set(`${story.parent_id}/${story.slug}`, story.id);
    const siblings = this.children.get(story.parent_id) ?? new Set();
    this.children.set(story.parent_id, siblings.add(story.id));
  }
}

/** Every block of a content, itself included. */
export function* blocksIn(value: Json | undefined): Generator<JsonRecord> {
  if (Array.isArray(value)) for (const inner of value as readonly Json[]) yield* blocksIn(inner);
  if (!isRecord(value)) return;
  if (textIn(value['component']) !== undefined) yield value;
  for (const inner of Object.values(value)) yield* blocksIn(inner);
}
