import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions } from '@atrium/identity';
import { Database } from '@atrium/platform/database';
import { job, Outbox } from '@atrium/platform/messaging';
import { FileEdits, FileLifecycle, FileStatuses, ReindexSteps, type File } from '@atrium/files';
import { pictureKeywords } from '../domain/picture-keywords';
import { MOST_TAGS } from '../domain/tag-words';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { keywordTags } from '../jobs/tags.jobs';
import { FileTagging } from './file-tagging';
import { KEYWORD_TAGS } from './keyword-tags-option';
import { KeywordValues } from './keyword-values';

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
    private readonly values: KeywordValues,
    private readonly tagging: FileTagging,
    private readonly lifecycle: FileLifecycle,
    private readonly reindex: ReindexSteps,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.options.register(KEYWORD_TAGS);
    this.lifecycle.register({
      onReady: (file) => this.consider([file]),
      onCreated: (files) => this.consider(files),
      onMoved: (files) => this.consider(files),
    });
    this.reindex.register({ step: 'metadata', run: (ids, signal) => this.applyAll(ids, signal).then(() => []) });
  }

  apply(file_id: string): Promise<void> {
    return this.db.write(async () => {
      const mode = await this.options.of(KEYWORD_TAGS);
      const [file] = mode === 'off' ? [] : await this.edits.holdMany(null, [file_id]);
      if (!file || !isReadyMedia(file) || (await this.statuses.locked([file])).has(file_id)) return;
      const borne = (await this.borne.on([file_id])).get(file_id) ?? [];
      const wanted = await this.values.of(pictureKeywords(file.file_metadata), mode);
      const ids = new Set(wanted.map(({ mt_id }) => mt_id));
      const remove = borne.filter(({ source, mt_id }) => source === 'keyword' && !ids.has(mt_id));
      const add = wanted
        .filter(({ mt_id }) => !borne.some((tag) => tag.mt_id === mt_id))
        .slice(0, MOST_TAGS - borne.length + remove.length);
      await this.tagging.change([file], { add, remove }, { source: 'keyword', by: null });
    });
  }

  private async applyAll(ids: readonly string[], signal: AbortSignal): Promise<void> {
    if ((await this.db.read(() => this.options.of(KEYWORD_TAGS))) === 'off') return;
    for (const id of ids) {
      signal.throwIfAborted();
      await this.apply(id);
    }
  }

  /** A later version may have lost keywords; a first one that has none is not looked at. */
  private async consider(files: readonly File[]): Promise<void> {
    const meant = files.filter((file) => isReadyMedia(file) && (file.file_version > 1 || pictureKeywords(file.file_metadata).length > 0));
    if (meant.length === 0 || (await this.options.of(KEYWORD_TAGS)) === 'off') return;
    for (const { file_id } of meant) this.outbox.add(job(keywordTags, { file_id }));
  }
}

const isReadyMedia = ({ repo_type, file_processing, isInTrash }: File): boolean =>
  repo_type === 'media' && file_processing === 'ready' && !isInTrash;
