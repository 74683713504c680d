import { Injectable } from '@nestjs/common';
import { Outbox } from '@atrium/platform/messaging';
import { FileEdits, FileStatuses, FileSearchText } from '@atrium/files';
import { folded, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { FileAnalysis } from '../domain/file-analysis';
import type { AnalysisField } from '../domain/analysis-field';
import { FileTagsRepository, type TagOnFile } from '../../tags/infrastructure/file-tags.repository';
import { FileTagging } from '../../tags/application/file-tagging';
import { TagVocabulary } from '../../tags/application/tag-vocabulary';
import { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';

/** What follows, in the same unit of work, when the current analysis of a file changes: the words it is found by, its tags, the event. */
@Injectable()
export class CurrentAnalysisEffects {
  constructor(
    private readonly outbox: Outbox,
    private readonly edits: FileEdits,
    private readonly statuses: FileStatuses,
    private readonly vocabulary: TagVocabulary,
    private readonly borne: FileTagsRepository,
    private readonly tagging: FileTagging,
    private readonly analyses: FileAnalysesRepository,
    private readonly words: FileSearchText,
  ) {}

  /** A failed analysis has no values, so it leaves the tags as they are. */
  async onChanged({ fa_id, fa_file, fa_status, fa_result }: FileAnalysis, { mas_name, mas_fields }: MediaAnalysisSchema): Promise<void> {
    await this.refreshWords(fa_file);
    if (fa_status !== 'failed') await this.applyTags(fa_file, mas_fields, fa_result);
    this.outbox.emitEvent({ name: 'file.analyzed', subject_id: fa_file, payload: { fa_id, schema: mas_name, status: fa_status } });
  }

  /** `successor` is current now, or none is. */
  async onDeleted(file_id: string, successor: string | null): Promise<void> {
    await this.refreshWords(file_id);
    this.outbox.emitEvent({ name: 'file.analyzed', subject_id: file_id, payload: { fa_id: successor, schema: null, status: 'deleted' } });
  }

  /** Within the unit of work that keeps the values. A file whose status locks it is left as it is. */
  private async applyTags(file_id: string, fields: readonly AnalysisField[], values: JsonObject): Promise<void> {
    const tagged = fields.filter(({ tag_group }) => tag_group);
    if (tagged.length === 0) return;
    const [file] = await this.edits.holdMany(null, [file_id]);
    if (!file || (await this.statuses.findLocked([file])).has(file_id)) return;
    const map: Record<string, string[]> = {};
    for (const { name, tag_group } of tagged) map[tag_group ?? ''] = [...(map[tag_group ?? ''] ?? []), ...wordsOf(values[name])];
    const add = await this.vocabulary.resolveTags(map, {
      scope: 'media',
      path: 'media_tags',
      caller: null,
      unknown: 'make',
      lenient: true,
    });
    const wanted = new Set(add.map(({ mt_id }) => mt_id));
    const remove = ((await this.borne.findTags([file_id])).get(file_id) ?? []).filter(
      (tag) => isStale(tag, Object.keys(map)) && !wanted.has(tag.mt_id),
    );
    await this.tagging.changeTags([file], { add: add.filter(({ active }) => active), remove }, { source: 'model', by: null });
  }

  /** Within the unit of work that changes the current analysis. */
  private async refreshWords(file_id: string): Promise<void> {
    const results = await this.analyses.findResults(file_id);
    await this.words.replaceWords('analysis', [
      { file_id, words: results.flatMap(({ fa_result }) => Object.values(fa_result).flatMap(textsIn)).join(' ') },
    ]);
  }
}

/** Put there by a model, in a group that the analysis speaks for. */
const isStale = ({ source, mtg_name }: TagOnFile, groups: readonly string[]): boolean =>
  source === 'model' && groups.some((group) => folded(group) === folded(mtg_name));

/** Values as words of a tag: one line, of the length that tags have. */
const wordsOf = (value: unknown): string[] =>
  [value ?? []]
    .flat()
    .flatMap((word) => (typeof word === 'string' ? [word.replace(/\s+/g, ' ').trim().slice(0, 120)] : []))
    .filter((word) => word !== '');

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly JsonValue[]).flatMap(textsIn) : [];
}
