import { Database, empty, join, listPage, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { invalidField, NIL_ID } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { UsageEntry } from '../domain/usage-entry';
import type { UsageFilter } from '../domain/usage-report';
import { UsageLabels } from './usage-labels';
import { boundOf } from './usage-ranges';

export interface EntriesQuery extends ListParameters, UsageFilter {
  readonly usage_timestamp?: readonly string[] | undefined;
}

export interface DetailsQuery extends EntriesQuery {
  readonly agent_id?: string | undefined;
  readonly prompt_id?: string | undefined;
}

export type EntryRow = Record<string, unknown> & Pick<UsageEntry, 'usage_user' | 'usage_agent' | 'usage_prompt'>;

/** The entries themselves, a page at a time. */
@Injectable()
export class UsageEntries {
  constructor(
    private readonly db: Database,
    private readonly labels: UsageLabels,
  ) {}

  /** What the caller used. */
  listOwnEntries(user_id: string, query: Omit<EntriesQuery, 'usage_user'>): Promise<Page<EntryRow>> {
    return this.page(query, [sql`r.usage_user = ${user_id}`]);
  }

  listEntriesOfWorkspace(query: EntriesQuery): Promise<Page<EntryRow>> {
    return this.page(query, idIs('usage_user', query.usage_user));
  }

  /** The entries behind a cell of a report, with the names of members, agents and prompts. */
  listEntryDetails(query: DetailsQuery): Promise<Page<EntryRow>> {
    return this.db.read(async () => {
      const page = await this.page(query, [
        ...idIs('usage_user', query.usage_user),
        ...idIs('usage_agent', query.agent_id),
        ...idIs('usage_prompt', query.prompt_id),
      ]);
      const users = await this.labels.findLabels('user', ids(page, 'usage_user'));
      const agents = await this.labels.findLabels('agent', ids(page, 'usage_agent'));
      const prompts = await this.labels.findLabels('prompt', ids(page, 'usage_prompt'));
      const name = (names: ReadonlyMap<string, string>, id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
      const data = page.data.map((row) => ({
        ...row,
        usage_user_name: name(users, row.usage_user),
        agent_name: name(agents, row.usage_agent),
        prompt_name: name(prompts, row.usage_prompt),
      }));
      return { ...page, data };
    });
  }

  private page(query: Omit<EntriesQuery, 'usage_user'>, also: readonly Sql[]): Promise<Page<EntryRow>> {
    const conditions = [...also, ...conditionsOf(query)];
    const large = (query.limit_extended ?? query.limit ?? 0) > 1_000;
    const read = large ? this.db.readMany.bind(this.db) : this.db.read.bind(this.db);
    return read((tx) => listPage<EntryRow>(tx, UsageEntry, query, { where: conditions.length > 0 ? join(conditions, ' AND ') : empty }));
  }
}

const ids = (page: Page<EntryRow>, column: 'usage_user' | 'usage_agent' | 'usage_prompt'): string[] => [
  ...new Set(page.data.flatMap((row) => row[column] ?? [])),
];

const COLUMNS = { usage_user: sql`r.usage_user`, usage_agent: sql`r.usage_agent`, usage_prompt: sql`r.usage_prompt` } as const;

function idIs(column: keyof typeof COLUMNS, id: string | undefined): Sql[] {
  if (id === undefined) return [];
  return [id === NIL_ID ? sql`${COLUMNS[column]} IS NULL` : sql`${COLUMNS[column]} = ${id}::uuid`];
}

function conditionsOf({ usage_param, usage_details, usage_timestamp = [] }: Omit<EntriesQuery, 'usage_user'>): Sql[] {
  const [from, to] = usage_timestamp.map(boundOf);
  if (from && to && orderOf(from) > orderOf(to)) throw invalidField('usage_timestamp', 'starts after it ends', 'order');
  return [
    ...(usage_param
      ? [usage_param.length === 1 ? sql`r.usage_param = ${usage_param[0]}` : sql`r.usage_param = ANY (${[...usage_param]}::text[])`]
      : []),
    ...(usage_details === undefined ? [] : [sql`r.usage_details = ${usage_details}`]),
    ...(from
      ? [sql`r.usage_timestamp >= ${'day' in from ? localDay(sql`${from.day}::timestamp`) : sql`${from.moment}::timestamptz`}`]
      : []),
    ...(to
      ? [
          'day' in to
            ? sql`r.usage_timestamp < ${localDay(sql`${to.day}::timestamp + interval '1 day'`)}`
            : sql`r.usage_timestamp <= ${to.moment}::timestamptz`,
        ]
      : []),
  ];
}

const orderOf = (bound: ReturnType<typeof boundOf>): number => ('day' in bound ? Date.parse(bound.day) : bound.moment.getTime());

/** A plain date is a day of the workspace. */
const localDay = (local: Sql): Sql =>
  sql`(SELECT local_start(${local}, ws_timezone) FROM workspace WHERE tenant_id = ${requireScope().tenant_id})`;
