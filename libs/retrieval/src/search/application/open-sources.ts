import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { SourceKinds, type SourceKind } from '../../passages/application/source-kinds';
import { SearchScopes } from './search-scopes';
import type { PassageFilter, PassageQuery } from './search-query';

/** What a query may search: by which scopes, and the condition on `s` for it. */
export interface OpenSources {
  readonly scopes: readonly string[];
  readonly ignored: readonly string[];
  /** Condition on `s` (a row of `passage_source`). */
  readonly condition: Sql;
}

const FILTERS_OF_ALL = new Set(['source_ids', 'language']);

/** Scope and access as one condition: sources of the open scopes that everybody concerned may read and that the filters let through. */
@Injectable()
export class OpenSourcesOf {
  constructor(
    private readonly scopes: SearchScopes,
    private readonly kinds: SourceKinds,
  ) {}

  /** Called within a unit of work. */
  async findOpenSources(query: PassageQuery): Promise<OpenSources> {
    const readers = query.audience ? [query.actor, query.audience] : [query.actor];
    const { keys, ignored } = await this.open(readers, namedScopes(query));
    const filter = wholeFilter(query);
    const byKind: Sql[] = [];
    for (const kind of this.kinds.listKinds()) byKind.push(await this.ofKind(kind, readers, filter));
    const condition = join(
      [
        sql`EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = ${requireScope().tenant_id} AND k.source_kind = s.source_kind AND k.source_id = s.source_id AND k.scope_key = ANY(${[...keys]}::text[]))`,
        byKind.length > 0 ? sql`(${join(byKind, ' OR ')})` : sql`false`,
        ...(filter.source_ids ? [sql`s.source_id = ANY(${[...filter.source_ids]}::uuid[])`] : []),
        ...(filter.language ? [sql`s.source_lang = ANY(${[...filter.language]}::text[])`] : []),
      ],
      ' AND ',
    );
    return { scopes: keys, ignored, condition };
  }

  /** For opening citations: the scopes of their sources are named, since some, as those of threads, are searched only where they are. */
  findReadableSources(actor: Principal, scopes: readonly string[]): Promise<OpenSources> {
    return this.findOpenSources({ actor, query: '', scopes });
  }

  private async open(readers: readonly (Principal | null)[], named: readonly string[] | null) {
    const [first, ...others] = readers;
    let { keys, ignored } = await this.scopes.openScopes(first ?? null, named);
    for (const reader of others) {
      const next = await this.scopes.openScopes(reader, keys);
      [keys, ignored] = [next.keys, named === null ? ignored : [...ignored, ...next.ignored]];
    }
    return { keys, ignored };
  }

  private async ofKind(kind: SourceKind, readers: readonly (Principal | null)[], filter: PassageFilter): Promise<Sql> {
    const conditions = [sql`s.source_kind = ${kind.kind}`];
    for (const [name, value] of Object.entries(filter)) {
      if (FILTERS_OF_ALL.has(name) || value === undefined || value === null) continue;
      const known = kind.filters?.[name];
      if (!known) return sql`false`;
      conditions.push(await known(value, readers));
    }
    for (const reader of readers) conditions.push(await kind.buildReadableCondition(reader));
    return sql`(${join(conditions, ' AND ')})`;
  }
}

/** What the caller names in several ways is one list; null where nothing is named. */
function namedScopes({ scopes, ds_ids, thread_id }: PassageQuery): readonly string[] | null {
  const named = [...(ds_ids ?? []).map((id) => `ds:${id}`), ...(thread_id ? [`thread:${thread_id}`] : [])];
  if (scopes) return [...scopes, ...named];
  return named.length > 0 ? named : null;
}

function wholeFilter({ filter = {}, file_ids, folder_ids }: PassageQuery): PassageFilter {
  return {
    ...filter,
    ...(file_ids?.length ? { source_ids: filter.source_ids ? filter.source_ids.filter((id) => file_ids.includes(id)) : file_ids } : {}),
    ...(folder_ids?.length ? { folder: folder_ids } : {}),
  };
}
