import { Injectable } from '@nestjs/common';
import { SearchLanguage, type SearchLeaf, type SearchNode } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { join, sql, type ListParameters, type Sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import { TagConditions } from '@atrium/media';
import type { FileTextStatus } from '@atrium/retrieval';
import { FolderFiles } from '../folders/folder-files.service';
import { readAskedTags, type AskedTags } from './asked-tags';

export const LIFECYCLES = ['active', 'deprecated', 'all'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** The filters of the document library besides those of every list of files. */
export interface DocumentFilters extends ListParameters {
  readonly lifecycle?: Lifecycle;
  readonly search?: string;
  /** What documents are to be about; answered by likeness, not by the condition. */
  readonly embedding_search?: string;
  readonly similarityThreshold?: number;
  readonly folder?: string;
  readonly include_subfolders?: boolean;
  /** Values by their group: any of a group, and each group; those under the empty name in whatever group. */
  readonly tags?: Readonly<Record<string, unknown>>;
  readonly file_format?: readonly string[];
  readonly favorite?: boolean;
  readonly file_text_status?: FileTextStatus;
  readonly file_id?: readonly string[];
}

/** Turns the filters of the library into one condition: leaves of the search language say what most of them mean. */
@Injectable()
export class DocumentQuery {
  constructor(
    private readonly language: SearchLanguage,
    private readonly folders: FolderFiles,
    private readonly tags: TagConditions,
  ) {}

  /**
   * Condition on `r`, in a number of statements that does not grow with the filters; `words` stand in the name or the summary
   * besides. Within a unit of work.
   */
  async buildFilterCondition(reader: Principal, filters: DocumentFilters, words?: string): Promise<Sql> {
    const tags = readAskedTags(filters.tags, 'tags');
    const all = [...leavesOf(filters, tags), ...(words === undefined ? [] : [nameOrSummary(words)])];
    const { where } = await this.language.compileQuery({ scope: 'docs', query: { where: { all } }, reader });
    const conditions = [sql`(${where})`];
    if (filters.file_id !== undefined) conditions.push(sql`r.file_id = ANY(${[...filters.file_id]}::uuid[])`);
    if (tags.anywhere.length > 0) conditions.push(this.tags.taggedCondition(tags.anywhere, 'docs'));
    if (filters.folder !== undefined)
      conditions.push(await this.folders.buildFolderCondition(reader, filters.folder, { below: filters.include_subfolders === true }));
    return join(conditions, ' AND ');
  }
}

const leaf = (field: string, op: string, value: JsonValue): SearchLeaf => ({ field, op, value });

const nameOrSummary = (words: string): SearchNode => ({
  any: [leaf('file_name', 'contains', words), leaf('file_summary', 'contains', words)],
});

/** The values of each group as a leaf. */
export const tagLeaves = ({ groups }: AskedTags): SearchLeaf[] =>
  groups.map(({ group, values }) =>
    leaf(
      'tag',
      'has_any',
      values.map((value) => ({ group, value })),
    ),
  );

/** Documents named by id are meant whatever became of them. */
function leavesOf({ lifecycle, search, file_format, favorite, file_text_status, file_id }: DocumentFilters, tags: AskedTags): SearchNode[] {
  return [
    leaf('lifecycle', 'eq', file_id === undefined ? (lifecycle ?? 'active') : 'all'),
    ...(search === undefined ? [] : [nameOrSummary(search)]),
    ...tagLeaves(tags),
    ...(file_format === undefined
      ? []
      : [
          leaf(
            'format',
            'in',
            file_format.map((format) => format.toLowerCase().replace(/^\./, '')),
          ),
        ]),
    ...(file_text_status === undefined ? [] : [leaf('text_status', 'eq', file_text_status)]),
    ...(favorite === undefined ? [] : [leaf('favorite', 'eq', favorite)]),
  ];
}
