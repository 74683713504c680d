import { Injectable } from '@nestjs/common';
import { SearchLanguage, type SearchLeaf, type SearchNode } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { join, sql, type ListParameters, type Sql } from '@atrium/platform/database';
import { invalidField, type JsonValue } from '@atrium/platform/kernel';
import type { FileTextStatus } from '@atrium/retrieval';
import { FolderFiles } from '../folders/folder-files.service';

export const LIFECYCLES = ['active', 'deprecated', 'all'] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** The filters of the document library besides those of every list of files. */
export interface DocumentFilters extends ListParameters {
  readonly lifecycle?: Lifecycle;
  readonly search?: string;
  readonly folder?: string;
  readonly include_subfolders?: boolean;
  /** Values by their group: any of a group, and each group. */
  readonly tags?: Readonly<Record<string, unknown>>;
  readonly file_format?: readonly string[];
  readonly favorite?: boolean;
  readonly file_text_status?: FileTextStatus;
  readonly file_id?: unknown;
}

/** Turns the filters of the library into one condition: leaves of the search language say what most of them mean. */
@Injectable()
export class DocumentQuery {
  constructor(
    private readonly language: SearchLanguage,
    private readonly folders: FolderFiles,
  ) {}

  /** Condition on `r`, in a number of statements that does not grow with the filters; within a unit of work. */
  async condition(reader: Principal, filters: DocumentFilters): Promise<Sql> {
    const { where } = await this.language.compile({ scope: 'docs', query: { where: { all: leavesOf(filters) } }, reader });
    const conditions = [sql`(${where})`];
    if (filters.folder !== undefined)
      conditions.push(await this.folders.within(reader, filters.folder, { below: filters.include_subfolders === true }));
    return join(conditions, ' AND ');
  }
}

/** Documents named by id are meant whatever became of them. */
function leavesOf({ lifecycle, search, tags, file_format, favorite, file_text_status, file_id }: DocumentFilters): SearchNode[] {
  const leaf = (field: string, op: string, value: JsonValue): SearchLeaf => ({ field, op, value });
  return [
    leaf('lifecycle', 'eq', file_id === undefined ? (lifecycle ?? 'active') : 'all'),
    ...(search === undefined ? [] : [{ any: [leaf('file_name', 'contains', search), leaf('file_summary', 'contains', search)] }]),
    ...Object.entries(tags ?? {}).map(([group, values]) =>
      leaf(
        'tag',
        'has_any',
        valuesOf(group, values).map((value) => ({ group, value })),
      ),
    ),
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

function valuesOf(group: string, values: unknown): string[] {
  const given = [values].flat();
  if (given.length === 0 || !given.every((value): value is string => typeof value === 'string' && value !== ''))
    throw invalidField(`tags[${group}]`, 'takes the values of a tag group', 'text');
  return given;
}
