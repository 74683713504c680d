import { Injectable } from '@nestjs/common';
import { folded, Problem } from '@atrium/platform/kernel';
import type { PictureKeyword } from '../domain/picture-keywords';
import { TagGroupsRepository } from '../infrastructure/tag-groups.repository';
import { TagsRepository, type ListedTag } from '../infrastructure/tags.repository';
import type { KeywordTagsMode } from './keyword-tags-option';
import { TagVocabulary, type ResolvedTag } from './tag-vocabulary';

/** Where keywords go that belong to no group. */
const GROUP = 'Keywords';

/** Which values of the vocabulary the keywords of a picture mean; where the workspace lets them, they become new values. */
@Injectable()
export class KeywordValues {
  constructor(
    private readonly groups: TagGroupsRepository,
    private readonly tags: TagsRepository,
    private readonly vocabulary: TagVocabulary,
  ) {}

  /** Within a unit of work; of a group that takes one value, the first. */
  async of(keywords: readonly PictureKeyword[], mode: KeywordTagsMode): Promise<ResolvedTag[]> {
    const listed = await this.tags.listed(
      'media',
      keywords.map(({ word }) => word),
    );
    const meant = keywords.map((keyword, at) =>
      meantBy(
        keyword,
        listed.filter((tag) => tag.at === at && tag.active),
      ),
    );
    const free = mode === 'open' ? keywords.filter((_, at) => meant[at]?.length === 0) : [];
    const all = [...meant.flat(), ...(await this.made(free))];
    return [...new Map(all.map((tag) => [tag.mt_id, tag])).values()].filter(
      (tag, at, tags) => tag.mtg_multiple || tags.findIndex(({ mt_group }) => mt_group === tag.mt_group) === at,
    );
  }

  /** Keywords that no closed group lists, as values of open groups; where a group is full, those that it has. */
  private async made(free: readonly PictureKeyword[]): Promise<ResolvedTag[]> {
    if (free.length === 0) return [];
    const roots = await this.groups.named('media', [...new Set(free.flatMap(({ root }) => root ?? []))]);
    const map: Record<string, string[]> = {};
    for (const { word, root } of free) {
      const group = root === null ? undefined : roots.get(root);
      const name = group && !group.mtg_closed && group.mtg_active && group.mtg_multiple ? group.mtg_name : GROUP;
      (map[name] ??= []).push(word);
    }
    const naming = { scope: 'media', path: 'keywords', caller: null, lenient: true } as const;
    try {
      return (await this.vocabulary.resolve(map, { ...naming, unknown: 'make' })).filter(({ active }) => active);
    } catch (error) {
      if (!(error instanceof Problem) || (error.code !== 'limit_reached' && error.code !== 'validation_failed')) throw error;
      return (await this.vocabulary.resolve(map, { ...naming, unknown: 'skip' })).filter(({ active }) => active);
    }
  }
}

/** In the group that its path begins with, if that has it; else in each closed group that lists it. */
function meantBy({ root }: PictureKeyword, listed: readonly ListedTag[]): readonly ListedTag[] {
  const closed = listed.filter(({ mtg_closed }) => mtg_closed);
  const own = closed.filter(({ mtg_name }) => root !== null && folded(mtg_name) === folded(root));
  return own.length > 0 ? own : closed;
}
