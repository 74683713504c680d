import { Injectable } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidField, invalidState, type JsonObject } from '@atrium/platform/kernel';
import { defineFileJob, FileEdits, FileJobs, FileStatuses, type File, type FileJobRow } from '@atrium/files';
import type { TagScope } from '../domain/media-tag-group';
import { readTagMap, type TagMap } from '../domain/tag-words';
import { MediaFiles, type MediaFileExtras } from '../../library/application/media-files';
import { FileTagging } from './file-tagging';
import { TagVocabulary } from './tag-vocabulary';

/** Tags to take off and to put on, in this order. */
export interface TagChanges {
  readonly add: TagMap;
  readonly remove: TagMap;
}

export interface TagOutcome {
  readonly updated: number;
  readonly skipped: number;
  /** Those skipped, and why. */
  readonly refused: readonly { readonly file_id: string; readonly code: string }[];
}

/** From how many files on the work is done in the background. */
export const MOST_AT_ONCE = 500;
export const TAGGING_JOB = defineFileJob('media.tags', { seenWith: ['media:tag', 'media:edit'] });

const TAGGED: Readonly<Record<string, TagScope>> = { media: 'media', generated: 'media', docs: 'docs' };

/** People tag files: all tags of one, or some of many. Who may tag or edit the files of a library may do it. */
@Injectable()
export class FileTags {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly statuses: FileStatuses,
    private readonly vocabulary: TagVocabulary,
    private readonly tagging: FileTagging,
    private readonly jobs: FileJobs,
    private readonly files: MediaFiles,
  ) {}

  /** Replaces all tags of a file. */
  replaceTags(
    caller: Principal,
    id: string,
    sent: JsonObject,
    precondition?: Precondition,
  ): Promise<object & Pick<MediaFileExtras, 'media_tags'>> {
    const map = readTagMap(sent, 'media_tags');
    return this.db.write(async () => {
      const file = await this.edits.lockLiveFile(caller, id, 'view', precondition);
      const scope = TAGGED[file.repo_type];
      if ((await this.taggable(caller, [file])).length === 0)
        throw permissionDenied(file.repo_type === 'docs' ? ['document:edit'] : ['media:tag', 'media:edit']);
      if (!scope) throw invalidState('Only files of the media library and documents can have tags.');
      await this.statuses.assertEditable(file);
      const tags = await this.vocabulary.resolveTags(map, { scope, path: 'media_tags', caller, unknown: 'make' });
      await this.tagging.replaceTags(file, tags, { source: 'user', by: caller.user_id });
      return this.answer(caller, id);
    });
  }

  /** Removes tags from many files and assigns others; more than 500 files are processed in the background. */
  changeTags(
    caller: Principal,
    ids: readonly string[],
    sent: { readonly add?: JsonObject; readonly remove?: JsonObject },
  ): Promise<TagOutcome | { readonly job: FileJobRow }> {
    const changes = { add: readTagMap(sent.add ?? {}, 'add'), remove: readTagMap(sent.remove ?? {}, 'remove') };
    if (Object.keys(changes.add).length === 0 && Object.keys(changes.remove).length === 0)
      throw invalidField('', 'requires tags to add or to remove', 'required');
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.db.write(async () => {
      if (wanted.length <= MOST_AT_ONCE) return this.changeNow(caller, wanted, changes);
      await this.vocabulary.resolveTags(changes.add, { scope: 'media', path: 'add', caller, unknown: 'check' });
      return {
        job: await this.jobs.startJob(caller, {
          kind: TAGGING_JOB,
          params: { file_ids: wanted, add: changes.add, remove: changes.remove },
          total: wanted.length,
        }),
      };
    });
  }

  /** The same for a stretch of files, within the unit of work that is open. */
  async changeNow(caller: Principal, ids: readonly string[], changes: TagChanges): Promise<TagOutcome> {
    const held = (await this.taggable(caller, await this.edits.holdMany(caller, ids))).filter((file) => TAGGED[file.repo_type]);
    const locked = await this.statuses.findLocked(held);
    const free = held.filter(({ file_id }) => !locked.has(file_id));
    let updated = 0;
    for (const scope of ['media', 'docs'] as const) {
      const files = free.filter(({ repo_type }) => TAGGED[repo_type] === scope);
      if (files.length > 0) updated += await this.changeIn(caller, scope, files, changes);
    }
    const there = new Set(held.map(({ file_id }) => file_id));
    const refused = ids.flatMap((file_id) =>
      !there.has(file_id) ? [{ file_id, code: 'not_found' }] : locked.has(file_id) ? [{ file_id, code: 'invalid_state' }] : [],
    );
    return { updated, skipped: refused.length, refused };
  }

  /** The same for documents alone; ids of anything else, or of documents that the caller may not change, are skipped. */
  changeDocuments(
    caller: Principal,
    ids: readonly string[],
    sent: { readonly add?: JsonObject; readonly remove?: JsonObject },
  ): Promise<{ readonly changed: number; readonly skipped: readonly string[] }> {
    const changes = { add: readTagMap(sent.add ?? {}, 'add'), remove: readTagMap(sent.remove ?? {}, 'remove') };
    if (Object.keys(changes.add).length === 0 && Object.keys(changes.remove).length === 0)
      throw invalidField('', 'requires tags to add or to remove', 'required');
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    return this.db.write(async () => {
      const documents = (await this.edits.holdMany(caller, wanted, 'edit')).filter(({ repo_type }) => repo_type === 'docs');
      const there = new Set(documents.map(({ file_id }) => file_id));
      const changed = documents.length === 0 ? 0 : await this.changeIn(caller, 'docs', documents, changes);
      return { changed, skipped: wanted.filter((id) => !there.has(id)) };
    });
  }

  /** Those of the files that the caller may tag; documents, by their folders too, only if they may be changed. */
  private async taggable(caller: Principal, files: readonly File[]): Promise<readonly File[]> {
    const documents = await this.edits.filterPermitted(
      caller,
      files.filter(({ repo_type }) => repo_type === 'docs'),
      'edit',
    );
    return files.filter((file) => (file.repo_type === 'docs' ? documents.includes(file) : mayTag(caller)));
  }

  private async changeIn(caller: Principal, scope: TagScope, files: readonly File[], { add, remove }: TagChanges): Promise<number> {
    const off = await this.vocabulary.resolveTags(remove, { scope, path: 'remove', caller, unknown: 'skip' });
    const on = await this.vocabulary.resolveTags(add, { scope, path: 'add', caller, unknown: 'make' });
    return this.tagging.changeTags(files, { add: on, remove: off }, { source: 'user', by: caller.user_id });
  }

  private async answer(caller: Principal, id: string): Promise<object & Pick<MediaFileExtras, 'media_tags'>> {
    const [row] = await this.files.completeRows(caller, [await this.edits.getRow(caller, id)]);
    if (!row) throw new Error('A file that was tagged has a row.');
    return row;
  }
}

/** In the media library everyone who may tag or edit. */
function mayTag({ permissions }: Principal): boolean {
  return permissions.has('media:tag') || permissions.has('media:edit');
}
