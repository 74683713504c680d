import { Injectable } from '@nestjs/common';
import { FileEdits, FileStatuses } from '@atrium/files';
import { folded, type JsonObject } from '@atrium/platform/kernel';
import type { AnalysisField } from '../domain/analysis-field';
import { FileTagsRepository, type BorneTag } from '../../tags/infrastructure/file-tags.repository';
import { FileTagging } from '../../tags/application/file-tagging';
import { TagVocabulary } from '../../tags/application/tag-vocabulary';

/**
 * Fields of analyses whose values become tags. What an earlier run put on a file and this one does not say any more goes;
 * tags of people stay, what people took off stays off, and a closed group takes only what it lists.
 */
@Injectable()
export class AnalysisTags {
  constructor(
    private readonly edits: FileEdits,
    private readonly statuses: FileStatuses,
    private readonly vocabulary: TagVocabulary,
    private readonly borne: FileTagsRepository,
    private readonly tagging: FileTagging,
  ) {}

  /** Within the unit of work that keeps the values. A file whose status locks it is left as it is. */
  async apply(file_id: string, fields: readonly AnalysisField[], values: JsonObject): Promise<void> {
    const tagged = fields.filter(({ tag_group }) => tag_group);
    if (tagged.length === 0) return;
    const [file] = await this.edits.holdMany(null, [file_id]);
    if (!file || (await this.statuses.locked([file])).has(file_id)) return;
    const map: Record<string, string[]> = {};
    for (const { name, tag_group } of tagged) map[tag_group ?? ''] = [...(map[tag_group ?? ''] ?? []), ...wordsOf(values[name])];
    const add = await this.vocabulary.resolve(map, { scope: 'media', path: 'media_tags', caller: null, unknown: 'make', lenient: true });
    const wanted = new Set(add.map(({ mt_id }) => mt_id));
    const remove = ((await this.borne.on([file_id])).get(file_id) ?? []).filter(
      (tag) => isStale(tag, Object.keys(map)) && !wanted.has(tag.mt_id),
    );
    await this.tagging.change([file], { add: add.filter(({ active }) => active), remove }, { source: 'model', by: null });
  }
}

/** Put there by a model, in a group that the analysis speaks for. */
const isStale = ({ source, mtg_name }: BorneTag, groups: readonly string[]): boolean =>
  source === 'model' && groups.some((group) => folded(group) === folded(mtg_name));

/** Values as words of a tag: one line, of the length that tags have. */
const wordsOf = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .flatMap((word) => (typeof word === 'string' ? [word.replace(/\s+/g, ' ').trim().slice(0, 120)] : []))
    .filter((word) => word !== '');
