import { Injectable } from '@nestjs/common';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { EXISTS, listOf, partsOf, SearchFields, TEXT, unknownOperator, type SearchContext, type SearchField, type SearchLeaf, type SearchScope, type SearchValue } from '@atrium/files';

/** A tag as a query names it: a value of a group, or any of the group. */
interface NamedTag {
  readonly group: string;
  readonly value?: string;
}

const TAG = partsOf({ group: TEXT, value: TEXT }, { optional: ['value'] });
const TAGS = listOf(TAG);
/** One tag, or a list of them; kept as a list. */
const ONE_OR_MORE: SearchValue = { about: `${TAG.about}, or ${TAGS.about}`, read: (value, fault) => TAGS.read(Array.isArray(value) ? value : [value], Array.isArray(value) ? fault : (code, message, at = '') => fault(code, message, at.replace('[0]', ''))) };
const NAMED = { value: ONE_OR_MORE };
const EXAMPLE = [{ group: 'Subject', value: 'Harbour' }, { group: 'Season' }];

/** The leaf `tag`: which tags a file bears, by the names of groups and values; synonyms stand for their value. */
@Injectable()
export class TagSearchField {
  constructor(
    private readonly db: Database,
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
      references: { kind: 'tag', named: (leaf) => tagsOf(leaf).map(nameOf), known: (names, { scope }) => this.known(names, scope) },
      compile: conditionOf,
      candidates: (leaf, { scope }, most) => (leaf.op === 'exists' ? null : candidatesOf(leaf, scope, most)),
    };
  }

  /** The names among these that mean a tag, or a group with nothing said of a value. */
  private async known(names: readonly string[], scope: SearchScope): Promise<ReadonlySet<string>> {
    const asked = names.map((name) => tagOf(name));
    const rows = await this.db.current().query<{ at: number }>(sql`
      WITH asked AS MATERIALIZED (
        SELECT lower(n."group") AS name, lower(n.value) AS word, n.at FROM jsonb_to_recordset(${JSON.stringify(asked.map((tag, at) => ({ ...tag, at })))}::jsonb) AS n ("group" text, value text, at integer))
      SELECT DISTINCT a.at FROM asked a
      JOIN media_tag_group g ON g.tenant_id = ${requireScope().tenant_id}::uuid AND g.mtg_scope = ${scope} AND lower(g.mtg_name) = a.name
      LEFT JOIN media_tag_word w ON w.tenant_id = g.tenant_id AND w.mtw_group = g.mtg_id AND w.mtw_word = a.word
      WHERE a.word IS NULL OR w.mtw_tag IS NOT NULL`);
    return new Set(rows.map(({ at }) => names[at] ?? ''));
  }
}

function conditionOf(leaf: SearchLeaf, { scope }: SearchContext): Sql {
  if (leaf.op === 'exists') return sql`EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = r.tenant_id AND t.ft_file = r.file_id)`;
  const each = tagsOf(leaf).map((tag) => sql`EXISTS (SELECT FROM file_tag t WHERE t.tenant_id = r.tenant_id AND t.ft_file = r.file_id AND t.ft_tag = ANY(ARRAY(${idsOf(tag, scope)})))`);
  if (leaf.op === 'has_any') return sql`(${join(each, ' OR ')})`;
  if (leaf.op === 'has_all') return sql`(${join(each, ' AND ')})`;
  throw unknownOperator(leaf.field, leaf.op);
}

/** Along the primary key of tagged files. Those that bear all of several tags are those of the rarest that bear the others. */
function candidatesOf(leaf: SearchLeaf, scope: SearchScope, most: number): Sql {
  const { tenant_id } = requireScope();
  const ids = tagsOf(leaf).map((tag) => idsOf(tag, scope));
  if (leaf.op !== 'has_all') return sql`SELECT t.ft_file FROM file_tag t WHERE t.tenant_id = ${tenant_id}::uuid AND t.ft_tag = ANY(ARRAY(${join(ids, ' UNION ALL ')})) LIMIT ${most}`;
  return sql`
    WITH named AS MATERIALIZED (
      SELECT n.at, n.ids, (SELECT sum(m.mt_file_count) FROM media_tag m WHERE m.tenant_id = ${tenant_id}::uuid AND m.mt_id = ANY(n.ids)) AS files
      FROM (VALUES ${join(ids.map((each, at) => sql`(${at}::integer, ARRAY(${each}))`))}) AS n (at, ids)),
    rarest AS MATERIALIZED (SELECT at, ids FROM named ORDER BY files NULLS FIRST, at LIMIT 1)
    SELECT t.ft_file FROM file_tag t
    WHERE t.tenant_id = ${tenant_id}::uuid AND t.ft_tag = ANY((SELECT ids FROM rarest)::uuid[])
      AND NOT EXISTS (SELECT FROM named o WHERE o.at <> (SELECT at FROM rarest)
        AND NOT EXISTS (SELECT FROM file_tag x WHERE x.tenant_id = t.tenant_id AND x.ft_file = t.ft_file AND x.ft_tag = ANY(o.ids)))
    LIMIT ${most}`;
}

/** The ids of the tags that a name means. */
function idsOf({ group, value }: NamedTag, scope: SearchScope): Sql {
  const { tenant_id } = requireScope();
  const groups = sql`SELECT g.mtg_id FROM media_tag_group g WHERE g.tenant_id = ${tenant_id}::uuid AND g.mtg_scope = ${scope} AND lower(g.mtg_name) = lower(${group})`;
  if (value === undefined) return sql`SELECT m.mt_id FROM media_tag m WHERE m.tenant_id = ${tenant_id}::uuid AND m.mt_group = ANY(ARRAY(${groups}))`;
  return sql`SELECT w.mtw_tag FROM media_tag_word w WHERE w.tenant_id = ${tenant_id}::uuid AND w.mtw_group = ANY(ARRAY(${groups})) AND w.mtw_word = lower(${value})`;
}

/** The value of a leaf in the canonical form that its rule has read. */
const tagsOf = ({ op, value }: SearchLeaf): NamedTag[] => (op === 'exists' ? [] : ([value ?? []].flat() as unknown as NamedTag[]));

const nameOf = ({ group, value }: NamedTag): string => JSON.stringify(value === undefined ? [group] : [group, value]);

function tagOf(name: string): NamedTag {
  const [group = '', value] = JSON.parse(name) as string[];
  return value === undefined ? { group } : { group, value };
}
