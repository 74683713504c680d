import { Injectable } from '@nestjs/common';
import { aclAllows } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { EXISTS, ID, listOf, SearchFields, unknownOperator, type SearchContext, type SearchField, type SearchLeaf } from '@atrium/files';

const ALBUMS = { value: listOf(ID) };
const EXAMPLE = ['01890000-0000-7000-8000-0000000000a1'];

/**
 * The leaf `album`: in which curated albums (in docs scope: folders) a file is. Those the reader may not see contain
 * nothing for them, and smart ones cannot be named, so that no search depends on itself.
 */
@Injectable()
export class AlbumSearchField {
  constructor(
    private readonly db: Database,
    fields: SearchFields,
  ) {
    fields.register(this.field());
  }

  private field(): SearchField {
    return {
      name: 'album',
      scopes: ['media', 'docs'],
      type: 'uuids of curated albums or folders',
      operators: { in_any: ALBUMS, in_none: ALBUMS, exists: EXISTS },
      examples: { in_any: EXAMPLE, in_none: EXAMPLE, exists: true },
      references: { kind: 'album', namesIn: idsOf, findKnown: (ids, context) => this.known(ids, context) },
      compileLeaf: (leaf, context) => conditionOf(leaf, context),
      candidateQuery: (leaf, context, most) =>
        leaf.op === 'in_any'
          ? sql`SELECT m.af_file FROM album_file m WHERE m.tenant_id = ${requireScope().tenant_id}::uuid AND m.af_album = ANY(ARRAY(${readable(idsOf(leaf), context)})) AND NOT m.af_hidden LIMIT ${most}`
          : null,
    };
  }

  private async known(ids: readonly string[], context: SearchContext): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ album_id: string }>(readable(ids, context));
    return new Set(rows.map(({ album_id }) => album_id));
  }
}

function conditionOf(leaf: SearchLeaf, context: SearchContext): Sql {
  if (leaf.op === 'in_any')
    return sql`EXISTS (SELECT FROM album_file m WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND m.af_album = ANY(ARRAY(${readable(idsOf(leaf), context)})))`;
  if (leaf.op === 'exists')
    return sql`EXISTS (SELECT FROM album_file m JOIN album a ON a.tenant_id = m.tenant_id AND a.album_id = m.af_album WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND ${open(context)})`;
  throw unknownOperator(leaf.field, leaf.op);
}

const idsOf = ({ value }: SearchLeaf): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const open = ({ scope, reader }: SearchContext): Sql =>
  sql`a.album_kind = ${scope} AND NOT a.album_smart AND ${aclAllows('a.album_acl', reader, 'view')}`;

const readable = (ids: readonly string[], context: SearchContext): Sql =>
  sql`SELECT a.album_id FROM album a WHERE a.tenant_id = ${requireScope().tenant_id}::uuid AND a.album_id = ANY(${[...ids]}::uuid[]) AND ${open(context)}`;
