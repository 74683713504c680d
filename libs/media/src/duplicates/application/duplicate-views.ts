import { Injectable } from '@nestjs/common';
import { FileFactsReader, FileSummaries, likenessOf, type FileFacts, type FileSummary } from '@atrium/files';
import { bestFirst, similarityOf, whyBetter, type WhyBetter } from '../domain/copies';
import { DuplicateGroupsRepository, type DuplicateGroupRow } from '../infrastructure/duplicate-groups.repository';

/** A copy as a group shows it. */
export interface DuplicateFile extends Pick<FileSummary, 'file_id' | 'file_name' | 'file_type' | 'file_size' | 'file_created'> {
  readonly file_hash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly file_thumb_url: string | null;
  /** With the file suggested to be kept. */
  readonly similarity: number;
  readonly why_better: WhyBetter;
}

export type DuplicateGroupView = DuplicateGroupRow & {
  readonly dup_files: readonly DuplicateFile[];
  readonly dup_suggested_keep: string | null;
};

/** Upright, or however one of the two was turned, mirrored or cropped. */
function likeness(a: FileFacts, b: FileFacts): number {
  const variant = a.views !== null && b.views !== null ? Math.round(likenessOf(a.views, b.views) * 10_000) / 10_000 : 0;
  return Math.max(similarityOf(a, b), variant);
}

const LIBRARY = 'media';

/** Shows groups with their files, best first: however many groups, in the same number of statements. */
@Injectable()
export class DuplicateViews {
  constructor(
    private readonly groups: DuplicateGroupsRepository,
    private readonly facts: FileFactsReader,
    private readonly summaries: FileSummaries,
  ) {}

  /** Called within a unit of work. Files in the trash are not shown. */
  async of(rows: readonly DuplicateGroupRow[]): Promise<DuplicateGroupView[]> {
    if (rows.length === 0) return [];
    const files = await this.groups.files(rows.map(({ dup_id }) => dup_id));
    const ids = [...files.values()].flat();
    const [facts, summaries] = await Promise.all([this.facts.of(ids, LIBRARY), this.summaries.summaries(ids)]);
    return rows.map(({ dup_id, dup_kind, dup_state, dup_created }) => {
      const copies = bestFirst((files.get(dup_id) ?? []).flatMap((id) => facts.get(id) ?? []));
      const [best] = copies;
      const dup_files = copies.flatMap((copy) => {
        const summary = summaries.get(copy.file_id);
        if (!summary || !best) return [];
        const { file_id, file_name, file_type, file_size, file_created, preview } = summary;
        const { file_hash, width, height } = copy;
        return [
          {
            file_id,
            file_name,
            file_type,
            file_size,
            file_created,
            file_hash,
            width,
            height,
            file_thumb_url: preview?.url ?? null,
            similarity: likeness(best, copy),
            why_better: whyBetter(copy, copies),
          },
        ];
      });
      return { dup_id, dup_kind, dup_state, dup_created, dup_files, dup_suggested_keep: best?.file_id ?? null };
    });
  }
}
