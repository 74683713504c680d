import { Injectable } from '@nestjs/common';
import { listOf, SCALAR, SearchLanguage, type SearchLeaf, type SearchValue } from '@atrium/files';
import { TagConditions } from '@atrium/media';
import { systemPrincipal, type Principal } from '@atrium/platform/access';
import { join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { invalidField, type JsonValue } from '@atrium/platform/kernel';
import type { TextFilter } from '@atrium/retrieval';
import { FolderFiles } from '../folders/folder-files.service';
import { readAskedTags } from './asked-tags';
import { tagLeaves } from './document-query';

type Readers = Parameters<TextFilter>[1];

const OPERATORS: Readonly<Record<string, SearchValue>> = { eq: SCALAR, in: listOf(SCALAR), gte: SCALAR, lte: SCALAR };
const KEY = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,3}$/;
const MOST_FIELDS = 20;

/** What `filter` of the search of passages means for documents: conditions on the file row `r`. */
@Injectable()
export class PassageFilters {
  readonly all: Readonly<Record<string, TextFilter>> = {
    folder: (value, readers) => this.folder(value, readers),
    tags: (value) => this.tagged(value),
    fields: (value) => this.described(value),
  };

  constructor(
    private readonly language: SearchLanguage,
    private readonly tags: TagConditions,
    private readonly folders: FolderFiles,
  ) {}

  /** In one of the folders, for everybody whose rights count; `none`: in no folder. */
  private async folder(value: unknown, readers: Readers): Promise<Sql> {
    const asked = [value].flat().filter((folder): folder is string => typeof folder === 'string');
    const each: Sql[] = [];
    for (const reader of readers) {
      const within: Sql[] = [];
      for (const folder of asked) within.push(await this.folders.buildFolderCondition(reader, folder));
      each.push(within.length > 0 ? sql`(${join(within, ' OR ')})` : sql`false`);
    }
    return join(each, ' AND ');
  }

  private async tagged(value: unknown): Promise<Sql> {
    const asked = readAskedTags(value as Readonly<Record<string, unknown>>, 'filter.tags');
    const conditions = [await this.compiled(tagLeaves(asked))];
    if (asked.anywhere.length > 0) conditions.push(this.tags.taggedCondition(asked.anywhere, 'docs'));
    return join(conditions, ' AND ');
  }

  /** Values of the free metadata of a document, by their keys. */
  private described(value: unknown): Promise<Sql> {
    const fields = Object.entries(value as Readonly<Record<string, unknown>>);
    if (fields.length > MOST_FIELDS) throw invalidField('filter.fields', `must have at most ${MOST_FIELDS} keys`, 'too_many');
    return this.compiled(fields.flatMap(([key, tests]) => leavesOfField(key, tests)));
  }

  /** These leaves mean the same to everybody, so that nobody in particular asks. */
  private async compiled(leaves: readonly SearchLeaf[]): Promise<Sql> {
    const reader: Principal = systemPrincipal(requireScope().tenant_id);
    const { where } = await this.language.compileQuery({ scope: 'docs', query: { where: { all: [...leaves] } }, reader });
    return sql`(${where})`;
  }
}

function leavesOfField(key: string, tests: unknown): SearchLeaf[] {
  const path = `filter.fields.${key}`.slice(0, 200);
  if (!KEY.test(key)) throw invalidField(path, 'keys must consist of letters, digits, _ and -, with dots between levels', 'pattern');
  if (typeof tests !== 'object' || tests === null || Array.isArray(tests) || Object.keys(tests).length === 0)
    throw invalidField(path, `must be an object with ${Object.keys(OPERATORS).join(', ')}`, 'object');
  return Object.entries(tests as Readonly<Record<string, unknown>>).map(([op, given]) => {
    const operator = OPERATORS[op];
    if (!operator) throw invalidField(`${path}.${op}`.slice(0, 200), `must be one of ${Object.keys(OPERATORS).join(', ')}`, 'choice');
    return { field: `metadata.${key}`, op, value: valueOf(operator, given, `${path}.${op}`) };
  });
}

function valueOf(operator: SearchValue, given: unknown, path: string): JsonValue {
  const value = operator.readValue(given, () => undefined);
  if (value === undefined) throw invalidField(path.slice(0, 200), `takes ${operator.about}`, 'value');
  return value;
}
