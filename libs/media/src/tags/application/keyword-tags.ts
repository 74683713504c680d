import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions, type WorkspaceOption } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { FileEdits, FileLifecycle, FileStatuses, ReindexSteps, type File } from '@atrium/files';
import { folded, Problem } from '@atrium/platform/kernel';
import { pictureKeywords, type PictureKeyword } from '../domain/picture-keywords';
import { MOST_TAGS } from '../domain/tag-words';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { keywordTags } from '../jobs/tags.jobs';
import { FileTagging } from './file-tagging';
import { TagGroupsRepository } from '../infrastructure/tag-groups.repository';
import { TagsRepository, type ListedTag } from '../infrastructure/tags.repository';
import { TagVocabulary, type ResolvedTag } from './tag-vocabulary';

/** What becomes of the keywords that pictures bring along. */
type KeywordTagsMode = 'off' | 'closed' | 'open';

const KEYWORD_TAGS: WorkspaceOption<KeywordTagsMode> = {
  key: 'keyword_tags',
  schema: { type: 'string', maxLength: 6, enum: ['off', 'closed', 'open'] },
  default: 'off',
  permission: 'admin:media-tags',
  description:
    'Whether keywords embedded in pictures become tags. `closed`: only those listed in a closed tag group. `open`: also others, as values of the open group with which their path begins, otherwise of the group Keywords, which is created if it does not exist. Existing pictures get these tags when they are reindexed.',
};

/** Where keywords go that belong to no group. */
const GROUP = 'Keywords';

/**
 * Keywords of pictures as tags, where the workspace wants that. Tags follow the keywords: one that a later version lost
 * goes again, unless people put it on; what people took off stays off, and a single value they chose stays.
 */
@Injectable()
export class KeywordTags implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly options: WorkspaceOptions,
    private readonly edits: FileEdits,
    private readonly statuses: FileStatuses,
    private readonly borne: FileTagsRepository,
    private readonly tagging: FileTagging,
    private readonly lifecycle: FileLifecycle,
    private readonly reindex: ReindexSteps,
    private readonly outbox: Outbox,
    private readonly groups: TagGroupsRepository,
    private readonly tags: TagsRepository,
    private readonly vocabulary: TagVocabulary,
  ) {}

  onModuleInit(): void {
    this.options.register(KEYWORD_TAGS);
    this.lifecycle.register({
      onReady: (file) => this.consider([file]),
      onCreated: (files) => this.consider(files),
      onMoved: (files) => this.consider(files),
    });
    this.reindex.register({ step: 'metadata', reindexFiles: (ids, signal) => this.applyAll(ids, signal).then(() => []) });
  }

  applyKeywords(file_id: string): Promise<void> {
    return this.db.write(async () => {
      const mode = await this.options.readOption(KEYWORD_TAGS);
      const [file] = mode === 'off' ? [] : await this.edits.holdMany(null, [file_id]);
      if (!file || !isReadyMedia(file) || (await this.statuses.findLocked([file])).has(file_id)) return;
      const borne = (await this.borne.findTags([file_id])).get(file_id) ?? [];
      const wanted = await this.keywordsOf(pictureKeywords(file.file_metadata), mode);
      const ids = new Set(wanted.map(({ mt_id }) => mt_id));
      const remove = borne.filter(({ source, mt_id }) => source === 'keyword' && !ids.has(mt_id));
      const add = wanted
        .filter(({ mt_id }) => !borne.some((tag) => tag.mt_id === mt_id))
        .slice(0, MOST_TAGS - borne.length + remove.length);
      await this.tagging.changeTags([file], { add, remove }, { source: 'keyword', by: null });
    });
  }

  private async applyAll(ids: readonly string[], signal: AbortSignal): Promise<void> {
    if ((await this.db.read(() => this.options.readOption(KEYWORD_TAGS))) === 'off') return;
    for (const id of ids) {
      signal.throwIfAborted();
      await this.applyKeywords(id);
    }
  }

  /** A later version may have lost keywords; a first one that has none is not looked at. */
  private async consider(files: readonly File[]): Promise<void> {
    const meant = files.filter((file) => isReadyMedia(file) && (file.file_version > 1 || pictureKeywords(file.file_metadata).length > 0));
    if (meant.length === 0 || (await this.options.readOption(KEYWORD_TAGS)) === 'off') return;
    for (const { file_id } of meant) this.outbox.addJob(planJob(keywordTags, { file_id }));
  }

  /** Within a unit of work; of a group that takes one value, the first. */
  private async keywordsOf(keywords: readonly PictureKeyword[], mode: KeywordTagsMode): Promise<ResolvedTag[]> {
    const listed = await this.tags.findListedTags(
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
    const roots = await this.groups.findByName('media', [...new Set(free.flatMap(({ root }) => root ?? []))]);
    const map: Record<string, string[]> = {};
    for (const { word, root } of free) {
      const group = root === null ? undefined : roots.get(root);
      const name = group && !group.mtg_closed && group.mtg_active && group.mtg_multiple ? group.mtg_name : GROUP;
      (map[name] ??= []).push(word);
    }
    const naming = { scope: 'media', path: 'keywords', caller: null, lenient: true } as const;
    try {
      return (await this.vocabulary.resolveTags(map, { ...naming, unknown: 'make' })).filter(({ active }) => active);
    } catch (error) {
      if (!(error instanceof Problem) || (error.code !== 'limit_reached' && error.code !== 'validation_failed')) throw error;
      return (await this.vocabulary.resolveTags(map, { ...naming, unknown: 'skip' })).filter(({ active }) => active);
    }
  }
}

const isReadyMedia = ({ repo_type, file_processing, isInTrash }: File): boolean =>
  repo_type === 'media' && file_processing === 'ready' && !isInTrash;

/** In the group that its path begins with, if that has it; else in each closed group that lists it. */
function meantBy({ root }: PictureKeyword, listed: readonly ListedTag[]): readonly ListedTag[] {
  const closed = listed.filter(({ mtg_closed }) => mtg_closed);
  const own = closed.filter(({ mtg_name }) => root !== null && folded(mtg_name) === folded(root));
  return own.length > 0 ? own : closed;
}
