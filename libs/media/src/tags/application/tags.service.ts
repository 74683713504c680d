import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, sql, violatesConstraint, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { Clock, invalidField, notFound } from '@atrium/platform/kernel';
import type { FileJobRow } from '@atrium/files';
import { wordTaken, type MediaTag } from '../domain/media-tag';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { TagsRepository, type TagRow } from '../infrastructure/tags.repository';
import { TagRetirement } from './tag-retirement';
import { TagVocabulary } from './tag-vocabulary';
import { TagWords } from './tag-words.service';
import { ClosedAlbums } from '../../albums/application/closed-albums';

/** What is kept of changes to the words that files are described with. */
export const TAGS_AUDIT = defineAuditTypes({
  'media_tag_group.created': 'A tag group was created.',
  'media_tag_group.updated': 'A tag group was changed.',
  'media_tag_group.deleted': 'A tag group was deleted.',
  'media_tag_group.ordered': 'The tag groups were reordered.',
  'media_tag.updated': 'A tag was changed.',
  'media_tag.merged': 'A tag was merged into another one.',
  'media_tag.deleted': 'A tag was deleted.',
});

export type { TagRow };

export interface TagFacts {
  readonly mt_value?: string;
  readonly mt_synonyms?: readonly string[];
  readonly mt_parent?: string | null;
  readonly mt_active?: boolean;
}

export interface TagFilters extends ListParameters {
  readonly mt_value?: string;
  readonly q?: string;
}

const WORD_ONCE = 'media_tag_word_once';

/** The values of tag groups: looked up, made, changed, merged and taken out of use. */
@Injectable()
export class TagsService {
  constructor(
    private readonly db: Database,
    private readonly tags: TagsRepository,
    private readonly tagged: FileTagsRepository,
    private readonly vocabulary: TagVocabulary,
    private readonly retirement: TagRetirement,
    private readonly words: TagWords,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly closed: ClosedAlbums,
  ) {}

  /** `mt_value` looks at values alone, `q` at synonyms too. */
  list(caller: Principal, query: TagFilters): Promise<Page<TagRow>> {
    const { mt_value, q } = query;
    const where: Sql[] = [];
    if (mt_value !== undefined) where.push(sql`r.mt_id IN (SELECT media_tags_matching(${mt_value}, false))`);
    if (q !== undefined) where.push(sql`r.mt_id IN (SELECT media_tags_matching(${q}, true))`);
    return this.db.read(async () => {
      const page = await this.tags.listTags(query, where);
      return { ...page, data: await this.readableCounts(caller, page.data) };
    });
  }

  create(caller: Principal, facts: TagFacts & { readonly mt_group: string; readonly mt_value: string }): Promise<TagRow> {
    return this.db.write(async () => {
      const tag = await this.vocabulary.addValue(facts.mt_group, facts.mt_value, facts.mt_synonyms ?? []);
      await this.place(tag, facts.mt_parent ?? null, 1);
      if (facts.mt_active !== undefined) tag.mt_active = facts.mt_active;
      await this.once(tag, () => this.tags.insert(tag));
      return this.shownTo(caller, tag.mt_id);
    });
  }

  change(caller: Principal, id: string, facts: TagFacts, precondition?: Precondition): Promise<TagRow> {
    return this.db.write(async () => {
      const { mt_group } = await this.row(id);
      await this.tags.holdGroup(mt_group);
      const tag = await this.tags.lock(id, precondition);
      const before = shown(tag);
      if (facts.mt_value !== undefined) tag.rename(facts.mt_value);
      if (facts.mt_synonyms !== undefined) tag.alsoCall(facts.mt_synonyms);
      if (facts.mt_parent !== undefined) await this.place(tag, facts.mt_parent, await this.tags.countLevels(id));
      if (facts.mt_active !== undefined) tag.mt_active = facts.mt_active;
      tag.touch(this.clock);
      await this.once(tag, () => this.tags.save(tag));
      if (facts.mt_value !== undefined || facts.mt_synonyms !== undefined) this.words.queueRenewal(id);
      this.audit.record({
        type: TAGS_AUDIT['media_tag.updated'],
        target: { type: 'media_tag', id, name: tag.mt_value },
        ...changesBetween(before, shown(tag)),
      });
      return this.shownTo(caller, id);
    });
  }

  /** Files lose it, each with a line of its history; the job where there are many. */
  remove(caller: Principal, id: string, precondition?: Precondition): Promise<FileJobRow | null> {
    return this.db.write(async () => {
      const tag = await this.held(id, precondition);
      this.audit.record({
        type: TAGS_AUDIT['media_tag.deleted'],
        target: { type: 'media_tag', id, name: tag.mt_value },
        ...changesBetween(shown(tag), null),
      });
      return this.retirement.retireTags(caller, { tag: id, into: null });
    });
  }

  /** Files get the other tag instead, and the value becomes a synonym of it. */
  mergeTags(caller: Principal, id: string, into: string): Promise<TagRow | { readonly job: FileJobRow }> {
    return this.db.write(async () => {
      const tag = await this.held(id);
      const other = await this.tags.findTagRow(into);
      if (other?.mt_group !== tag.mt_group) throw invalidField('into', 'must be a tag of the same group', 'reference');
      if (into === id) throw invalidField('into', 'must not be the tag itself', 'circular');
      this.audit.record({
        type: TAGS_AUDIT['media_tag.merged'],
        target: { type: 'media_tag', id, name: tag.mt_value },
        before: shown(tag),
        after: { into, mt_value: other.mt_value },
      });
      const job = await this.retirement.retireTags(caller, { tag: id, into });
      return job ? { job } : this.shownTo(caller, into);
    });
  }

  /** The tag, as nobody else changes it or its group. */
  private async held(id: string, precondition?: Precondition): Promise<MediaTag> {
    const { mt_group } = await this.row(id);
    await this.tags.holdGroup(mt_group);
    return this.tags.lock(id, precondition);
  }

  private async shownTo(caller: Principal, id: string): Promise<TagRow> {
    const [shown] = await this.readableCounts(caller, [await this.row(id)]);
    if (!shown) throw notFound('media tag');
    return shown;
  }

  private async row(id: string): Promise<TagRow> {
    const row = await this.tags.findTagRow(id);
    if (!row) throw notFound('media tag');
    return row;
  }

  private async place(tag: MediaTag, parent: string | null, levels: number): Promise<void> {
    const wider = parent === null ? null : await this.tags.findTagRow(parent);
    if (parent !== null && wider?.mt_group !== tag.mt_group)
      throw invalidField('mt_parent', 'must be a tag of the same group', 'reference');
    tag.placeUnder(wider ?? null, parent === null ? [] : await this.tags.findAncestors(parent), levels);
  }

  private async once(tag: MediaTag, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!violatesConstraint(error, WORD_ONCE) && !violatesConstraint(error, 'media_tag_value')) throw error;
      throw wordTaken(tag.mt_value);
    }
  }

  /** The tags as the caller sees them; only where folders are closed to the caller does it cost a count. Within a unit of work. */
  private async readableCounts<R extends TagRow>(caller: Principal, rows: readonly R[]): Promise<R[]> {
    const folders = rows.length === 0 ? [] : await this.closed.closedIds(caller, 'docs');
    if (folders.length === 0) return [...rows];
    const closed = await this.tagged.countFilesIn(
      folders,
      rows.map(({ mt_id }) => mt_id),
    );
    return rows.map((row) => ({ ...row, mt_file_count: row.mt_file_count - (closed.get(row.mt_id) ?? 0) }));
  }
}

const shown = ({
  mt_value,
  mt_synonyms,
  mt_parent,
  mt_active,
}: MediaTag): { mt_value: string; mt_synonyms: string[]; mt_parent: string | null; mt_active: boolean } => ({
  mt_value,
  mt_synonyms: [...mt_synonyms],
  mt_parent,
  mt_active,
});
