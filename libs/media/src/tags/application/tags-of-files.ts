import { Injectable, type OnModuleInit } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import {
  FileJobKinds,
  FileLifecycle,
  UploadExtensions,
  type File,
  type FileJobBatch,
  type FileJobStep,
  type UploadExtras,
} from '@atrium/files';
import { Database } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import { readTagMap, type TagMap } from '../domain/tag-words';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { FileTags, TAGGING_JOB } from './file-tags.service';
import { FileTagging } from './file-tagging';
import { TagVocabulary } from './tag-vocabulary';

const BATCH = 200;

/**
 * What the files context asks of tags: those of trashed files are not counted, those of files that leave the library
 * go, uploads may bring some; and the job that tags many files.
 */
@Injectable()
export class TagsOfFiles implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly lifecycle: FileLifecycle,
    private readonly uploads: UploadExtensions,
    private readonly kinds: FileJobKinds,
    private readonly fileTagRows: FileTagsRepository,
    private readonly vocabulary: TagVocabulary,
    private readonly tagging: FileTagging,
    private readonly fileTags: FileTags,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onTrashed: (files) => this.fileTagRows.setHidden(idsOf(files), true),
      onRestored: (files) => this.fileTagRows.setHidden(idsOf(files), false),
      onMoved: (files) => this.leave(files),
    });
    this.uploads.register({
      validateExtras: (caller, _repository, extras) => this.assertNameable(caller, extras),
      applyExtras: (caller, file, extras) => this.bring(caller, file, extras),
    });
    this.kinds.register({ kind: TAGGING_JOB, whole: true, runStep: (step) => this.step(step) });
  }

  /** Words belong to the library they were given in; the history keeps them. */
  private async leave(files: readonly File[]): Promise<void> {
    const fileTagRows = [...(await this.fileTagRows.findTags(idsOf(files))).values()].flat();
    if (fileTagRows.length === 0) return;
    await this.tagging.changeTags(files, { add: [], remove: fileTagRows }, { source: 'user', by: null }, { retiring: true });
  }

  private async assertNameable(caller: Principal, { media_tags }: UploadExtras): Promise<void> {
    if (Object.keys(media_tags).length === 0) return;
    if (!('guest_of' in caller)) assertMayTag(caller);
    await this.vocabulary.resolveTags(readTagMap(media_tags, 'media_tags'), {
      scope: 'media',
      path: 'media_tags',
      caller,
      unknown: 'check',
    });
  }

  /** Words that were refused in the meantime are passed over: the bytes are there, and the file comes to be. */
  private async bring(caller: Principal, file: File, { media_tags }: UploadExtras): Promise<void> {
    if (Object.keys(media_tags).length === 0) return;
    const tags = await this.vocabulary.resolveTags(readTagMap(media_tags, 'media_tags'), {
      scope: 'media',
      path: 'media_tags',
      caller,
      unknown: 'make',
      lenient: true,
    });
    const guest = 'guest_of' in caller;
    await this.tagging.changeTags(
      [file],
      { add: tags.filter(({ active }) => active), remove: [] },
      { source: guest ? 'guest' : 'user', by: guest ? null : caller.user_id },
    );
  }

  private step({ params, checkpoint, caller }: FileJobStep): Promise<FileJobBatch> {
    const file_ids = Array.isArray(params.file_ids) ? (params.file_ids as readonly JsonValue[]).map(String) : [];
    const begin = Number(checkpoint ?? 0);
    const batch = file_ids.slice(begin, begin + BATCH);
    return this.db.write(async () => {
      assertMayTag(caller);
      const { refused } = await this.fileTags.changeNow(caller, batch, { add: mapOf(params.add), remove: mapOf(params.remove) });
      const next = begin + batch.length;
      return {
        checkpoint: next < file_ids.length ? String(next) : null,
        done: batch.length - refused.length,
        failed: refused.length,
        errors: refused,
      };
    });
  }
}

/** In the library everyone who may tag or edit. */
function assertMayTag({ permissions }: Principal): void {
  if (!permissions.has('media:tag') && !permissions.has('media:edit') && !permissions.has('document:edit'))
    throw permissionDenied(['media:tag', 'media:edit']);
}

/** As the job was asked for, read and checked then. */
const mapOf = (value: JsonValue | undefined): TagMap =>
  typeof value === 'object' && value !== null ? readTagMap(value as Readonly<Record<string, unknown>>, 'media_tags') : {};

const idsOf = (files: readonly File[]): string[] => files.map(({ file_id }) => file_id);
