import { isObject } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { join, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import {
  EXISTS,
  listOf,
  partsOf,
  SearchFields,
  TEXT,
  unknownOperator,
  type SearchContext,
  type SearchField,
  type SearchLeaf,
  type SearchScope,
  type SearchValue,
} from '@atrium/files';
import { TagsRepository, type NamedTag } from '../infrastructure/tags.repository';

const TAG = partsOf({ group: TEXT, value: TEXT }, { optional: ['value'] });
const TAGS = listOf(TAG);
/** One tag, or a list of them; kept as a list. */
const ONE_OR_MORE: SearchValue = {
  about: `${TAG.about}, or ${TAGS.about}`,
  readValue: (value, fault) =>
    TAGS.readValue(
      Array.isArray(value) ? value : [value],
      Array.isArray(value) ? fault : (code, message, at = '') => fault(code, message, at.replace('[0]', '')),
    ),
};
const NAMED = { value: ONE_OR_MORE };
/** So many times as many files cost as much to be read along as the rarer ones to be looked up one by one. */
const BESIDE = 10;
const EXAMPLE = [{ group: 'Subject', value: 'Harbour' }, { group: 'Season' }];

/** The leaf `tag`: which tags a file has, by the names of groups and values; synonyms count as their value. */
@Injectable()
export class TagSearchField {
  constructor(
    private readonly tags: TagsRepository,
    fields: SearchFields,
  ) {
    fields.register(this.field());
  }

  private field(): SearchField {
    return {
      name: 'tag',
      scopes: ['media', 'docs'],
      type: 'tag',
      operators: { has_any: NAMED, has_all: NAMED, has_none: NAMED, exists: EXISTS },
      examples: { has_any: EXAMPLE, has_all: EXAMPLE, has_none: EXAMPLE, exists: true },
      references: { kind: 'tag', namesIn: (leaf) => tagsOf(leaf).map(nameOf), findKnown: (names, { scope }) => this.known(names, scope) },
      compileLeaf: conditionOf,
      candidateQuery: (leaf, { scope }, most) => (leaf.op === 'exists' ? null : candidatesOf(leaf, scope, most)),
    };
  }

  /** The names among these that mean a tag, or a group with nothing said of a value. */
  private async known(names: readonly string[], scope: SearchScope): Promise<ReadonlySet<string>> {
    const known = await this.tags.filterNamed(
      scope,
      names.map((name) => tagOf(name)),
    );
    return new Set(known.map((at) => names[at] ?? ''));
  }
}

function conditionOf(leaf: SearchLeaf, { scope }: SearchContext): Sql {
  if (leaf.op === 'exists') return sql`EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = r.tenant_id AND t.ft_file = r.file_id)`;
  const each = tagsOf(leaf).map(
    (tag) =>
      sql`EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = r.tenant_id AND t.ft_file = r.file_id AND t.ft_tag = ANY(ARRAY(${idsOf(tag, scope)})))`,
  );
  if (leaf.op === 'has_any') return sql`(${join(each, ' OR ')})`;
  if (leaf.op === 'has_all') return sql`(${join(each, ' AND ')})`;
  throw unknownOperator(leaf.field, leaf.op);
}

/** Along the primary key of tagged files, whichever tag is asked for. */
function candidatesOf(leaf: SearchLeaf, scope: SearchScope, most: number): Sql {
  const { tenant_id } = requireScope();
  const tags = tagsOf(leaf);
  if (leaf.op === 'has_all' && tags.length > 1) return bearingAll(tags, scope, most);
  return sql`SELECT t.ft_file FROM file_tag t WHERE t.tenant_id = ${tenant_id}::uuid AND t.ft_tag = ANY(ARRAY(${join(
    tags.map((tag) => idsOf(tag, scope)),
    ' UNION ALL ',
  )})) LIMIT ${most}`;
}

/**
 * Those that have all of several tags: the files of the rarest, each list of them in the order of the key beside the lists
 * of the other tags. A tag that very many have is not read: each file that is left is looked up in it. Which it is comes
 * out when the statement runs; a list that is not needed is never begun.
 */
function bearingAll(tags: readonly NamedTag[], scope: SearchScope, most: number): Sql {
  const { tenant_id } = requireScope();
  const groups = tags.some(({ value }) => value === undefined);
  const place = (at: number, what: string): Sql => sql`(SELECT ${raw(what)} FROM ranked WHERE place = ${at}::integer)`;
  const isOf = (at: number): Sql => (groups ? sql`t.ft_tag = ANY(${place(at, 'ids')}::uuid[])` : sql`t.ft_tag = ${place(at, 'ids[1]')}`);
  const listed = (at: number, condition: Sql): Sql =>
    sql`(SELECT ${groups ? sql`DISTINCT t.ft_file` : sql`t.ft_file`} FROM file_tag t WHERE t.tenant_id = ${tenant_id}::uuid AND ${isOf(at)} ${condition})`;
  const others = tags.map((_, at) => at + 1).slice(1);
  const borne = (at: number): Sql => sql`CASE WHEN ${place(at, 'beside')} THEN ${list(at)}.ft_file IS NOT NULL
    ELSE (SELECT true FROM file_tag t WHERE t.tenant_id = ${tenant_id}::uuid AND ${isOf(at)} AND t.ft_file = ${list(1)}.ft_file LIMIT 1) END`;
  return sql`
    WITH named AS MATERIALIZED (
      SELECT n.at, n.ids, coalesce((SELECT sum(m.mt_file_count) FROM media_tag m WHERE m.tenant_id = ${tenant_id}::uuid AND m.mt_id = ANY(n.ids)), 0) AS files
      FROM (VALUES ${join(tags.map((tag, at) => sql`(${at}::integer, ARRAY(${idsOf(tag, scope)}))`))}) AS n (at, ids)),
    ranked AS MATERIALIZED (SELECT ids, files <= ${BESIDE} * min(files) OVER () AS beside, row_number() OVER (ORDER BY files, at) AS place FROM named)
    SELECT ${list(1)}.ft_file FROM ${listed(1, sql``)} ${list(1)}
    ${join(
      others.map(
        (at) => sql`LEFT JOIN ${listed(at, sql`AND ${place(at, 'beside')}`)} ${list(at)} ON ${list(at)}.ft_file = ${list(1)}.ft_file`,
      ),
      ' ',
    )}
    WHERE ${join(others.map(borne), ' AND ')}
    LIMIT ${most}`;
}

const list = (at: number): Sql => raw(`t${at}`);

/** The ids of the tags that a name means. */
function idsOf({ group, value }: NamedTag, scope: SearchScope): Sql {
  const { tenant_id } = requireScope();
  const groups = sql`SELECT g.mtg_id FROM media_tag_group g WHERE g.tenant_id = ${tenant_id}::uuid AND g.mtg_scope = ${scope} AND folded(g.mtg_name) = folded(${group})`;
  if (value === undefined)
    return sql`SELECT m.mt_id FROM media_tag m WHERE m.tenant_id = ${tenant_id}::uuid AND m.mt_group = ANY(ARRAY(${groups}))`;
  return sql`SELECT w.mtw_tag FROM media_tag_word w WHERE w.tenant_id = ${tenant_id}::uuid AND w.mtw_group = ANY(ARRAY(${groups})) AND w.mtw_word = folded(${value})`;
}

/** The value of a leaf in the canonical form that its rule has read. */
const tagsOf = ({ op, value }: SearchLeaf): NamedTag[] => {
  const tags: readonly unknown[] = op === 'exists' ? [] : [value ?? []].flat();
  return tags.filter(isNamedTag);
};

const isNamedTag = (value: unknown): value is NamedTag => isObject(value) && typeof value.group === 'string';

const nameOf = ({ group, value }: NamedTag): string => JSON.stringify(value === undefined ? [group] : [group, value]);

function tagOf(name: string): NamedTag {
  const [group = '', value] = JSON.parse(name) as string[];
  return value === undefined ? { group } : { group, value };
}
