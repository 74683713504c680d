import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { defineFileJob, FileEdits, FileJobKinds, FileJobs, type FileJobBatch, type FileJobRow, type FileJobStep } from '@atrium/files';
import { MOST_SYNONYMS, MOST_TAG_LEVELS, type MediaTag } from '../domain/media-tag';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { TagGroupsRepository } from '../infrastructure/tag-groups.repository';
import { TagsRepository } from '../infrastructure/tags.repository';
import { FileTagging } from './file-tagging';
import { auditedText } from '../../shared/job-params';
import { MOST_AT_ONCE } from './file-tags.service';
import type { ResolvedTag } from './tag-vocabulary';
import { TagWords } from './tag-words.service';

/** What goes: a tag, perhaps in favour of another one, or a whole group. */
export type Retired = { readonly tag: string; readonly into: string | null } | { readonly group: string };

const RETIREMENT_JOB = defineFileJob('media.tag_removal', {
  seenWith: ['media:tag', 'admin:media-tags'],
  rights: (params) => ({ permission: 'group' in retiredOf(params) ? 'admin:media-tags' : 'media:tag' }),
});

const BATCH = 200;

/**
 * Takes tags out of use: from their files first, each with its line of history, then the tags themselves. Few
 * files at once, many in the background; until then the tag is given to no further file.
 */
@Injectable()
export class TagRetirement implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly tags: TagsRepository,
    private readonly groups: TagGroupsRepository,
    private readonly borne: FileTagsRepository,
    private readonly tagging: FileTagging,
    private readonly edits: FileEdits,
    private readonly words: TagWords,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: RETIREMENT_JOB, whole: true, runStep: (step) => this.step(step) });
  }

  /** Within the unit of work that is open: at once, or as a job when more than 500 files have it. */
  async retireTags(caller: Principal, what: Retired): Promise<FileJobRow | null> {
    const { files, all } = await this.borne.findTaggedFiles(what, MOST_AT_ONCE + 1);
    if (!all) {
      await this.borne.retireTag(what);
      return this.jobs.startJob(caller, { kind: RETIREMENT_JOB, params: { ...what }, total: null, subject: `tag:${subjectOf(what)}` });
    }
    await this.takeOff(caller.user_id, what, files);
    await this.end(what);
    return null;
  }

  /** The next batch skips a file that no longer has it, so a batch may be repeated. */
  private step({ params, checkpoint, caller }: FileJobStep): Promise<FileJobBatch> {
    const what = retiredOf(params);
    return this.db.write(async () => {
      const { files } = await this.borne.findTaggedFiles(what, BATCH);
      if (files.length > 0) await this.takeOff(caller.user_id, what, files);
      else await this.end(what);
      return {
        checkpoint: files.length > 0 ? String(Number(checkpoint ?? 0) + files.length) : null,
        done: files.length,
        failed: 0,
        errors: [],
      };
    });
  }

  private async takeOff(by: string, what: Retired, files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    await this.edits.holdAll(files);
    const add = 'tag' in what && what.into !== null ? await this.resolved(what.into) : [];
    const remove = 'tag' in what ? [{ mt_id: what.tag }] : await this.borne.listTagsOfGroup(what.group, files);
    await this.tagging.changeTags(
      files.map((file_id) => ({ file_id })),
      { add, remove },
      { source: 'user', by },
      { retiring: true },
    );
  }

  private async resolved(id: string): Promise<ResolvedTag[]> {
    const tag = await this.tags.findTagRow(id);
    const group = tag && (await this.groups.findGroupRow(tag.mt_group));
    return tag && group
      ? [
          {
            mt_id: tag.mt_id,
            mt_value: tag.mt_value,
            mt_group: tag.mt_group,
            mtg_name: group.mtg_name,
            mtg_multiple: group.mtg_multiple,
            active: true,
          },
        ]
      : [];
  }

  private async end(what: Retired): Promise<void> {
    if ('group' in what) {
      const [group] = await this.groups.lockMany([what.group]);
      if (group) await this.groups.remove(group);
      return;
    }
    const found = await this.tags.lockMany(what.into === null ? [what.tag] : [what.tag, what.into]);
    const tag = found.find(({ mt_id }) => mt_id === what.tag);
    const into = found.find(({ mt_id }) => mt_id === what.into);
    if (tag && into) await this.succeed(tag, into);
    if (tag) await this.tags.remove(tag);
    if (tag && into) await this.inherit(tag, into);
  }

  /** Children go to the successor where they fit; else they come to the top. */
  private async succeed(tag: MediaTag, into: MediaTag): Promise<void> {
    if ((await this.tags.findAncestors(into.mt_id)).includes(tag.mt_id)) {
      into.mt_parent = tag.mt_parent;
      await this.tags.save(into);
    }
    const deepest = (await this.tags.findAncestors(into.mt_id)).length + 1 + (await this.tags.countLevels(tag.mt_id)) - 1;
    if (deepest <= MOST_TAG_LEVELS) await this.tags.reparentChildren(tag.mt_id, into.mt_id);
  }

  /** The old value and its synonyms mean the successor from now on, as many as it takes. */
  private async inherit(tag: MediaTag, into: MediaTag): Promise<void> {
    into.alsoCall([tag.mt_value, ...into.mt_synonyms, ...tag.mt_synonyms].slice(0, MOST_SYNONYMS));
    await this.tags.save(into);
    this.words.queueRenewal(into.mt_id);
  }
}

const subjectOf = (what: Retired): string => ('tag' in what ? what.tag : what.group);

function retiredOf(params: JsonObject): Retired {
  if (typeof params.group === 'string') return { group: params.group };
  return { tag: auditedText(params, 'tag'), into: typeof params.into === 'string' ? params.into : null };
}
