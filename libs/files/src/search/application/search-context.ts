import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { isObject, type JsonValue } from '@atrium/platform/kernel';
import type { SearchScope } from '../domain/search-query';

/** A day or a time as it is written, as if it were in UTC. */
export const wallClock = (written: string): Sql =>
  sql`${written.length === 10 ? `${written}T00:00:00Z` : written.replace(/(Z|[+-]\d{2}:?\d{2})$/, 'Z')}::timestamptz`;

const ZONE = sql`(SELECT w.ws_timezone FROM workspace w WHERE w.tenant_id = current_tenant())`;

/**
 * The moments that a set of queries speaks of, relative to one now. They are expressions until they are
 * resolved, all in one statement, and as constants after, so that the planner knows how many files are beyond them.
 */
export class SearchMoments {
  private readonly asked = new Map<string, Sql>();
  private readonly known = new Map<string, string>();

  constructor(readonly now: Date) {}

  momentOf(name: string, expression: Sql): Sql {
    const known = this.known.get(name);
    if (known !== undefined) return sql`${known}::timestamptz`;
    this.asked.set(name, expression);
    return expression;
  }

  /** Expressions by their names, to be answered by `setInstants` in the same order. */
  get open(): readonly Sql[] {
    return [...this.asked.values()];
  }

  setInstants(instants: readonly string[]): void {
    for (const [at, name] of [...this.asked.keys()].entries()) this.known.set(name, instants[at] ?? '');
    this.asked.clear();
  }
}

/** Who reads, of which library, and when: what turns the dynamic values of a query into fixed ones. */
export class SearchContext {
  constructor(
    readonly scope: SearchScope,
    readonly reader: Principal,
    private readonly moments: SearchMoments,
  ) {}

  /** An instant as the query has it, for comparing with a `timestamptz`; days begin and end in the workspace's time zone. */
  instant(value: JsonValue | undefined): Sql {
    if (typeof value === 'string')
      return value.length === 10
        ? this.moments.momentOf(value, sql`local_start(${value}::timestamp, ${ZONE})`)
        : sql`${value}::timestamptz`;
    if (!isObject(value)) throw new Error('An instant was not read before it was compiled.');
    if (value.today === true)
      return this.moments.momentOf('today', sql`local_start(date_trunc('day', ${this.moment} AT TIME ZONE ${ZONE}), ${ZONE})`);
    if (typeof value.ago === 'string') return this.ago(value.ago);
    return this.shifted('+', typeof value.from_now === 'string' ? value.from_now : 'P0D');
  }

  /** The moment a duration (ISO 8601) before now. */
  ago(duration: string): Sql {
    return this.shifted('-', duration);
  }

  get moment(): Sql {
    return sql`${this.moments.now}::timestamptz`;
  }

  /**
   * An instant as the query has it, for comparing with what clocks of cameras showed, which is kept as if it were UTC: a
   * day and a time are taken as they are written, without their zone; what is relative to now uses the clock of the
   * workspace.
   */
  clock(value: JsonValue | undefined): Sql {
    if (typeof value === 'string') return wallClock(value);
    if (isObject(value) && value.today === true)
      return this.moments.momentOf('clock today', sql`(date_trunc('day', ${this.moment} AT TIME ZONE ${ZONE}) AT TIME ZONE 'UTC')`);
    return this.shown(this.instant(value), JSON.stringify(value));
  }

  /** What the clocks of the workspace showed a duration before now. */
  clockAgo(duration: string): Sql {
    return this.shown(this.ago(duration), duration);
  }

  /** No clock on Earth shows more yet. */
  get latestClock(): Sql {
    return sql`(${this.moment} + interval '14 hours')`;
  }

  private shown(instant: Sql, name: string): Sql {
    return this.moments.momentOf(`clock ${name}`, sql`((${instant} AT TIME ZONE ${ZONE}) AT TIME ZONE 'UTC')`);
  }

  /** A user as the query has it: an id, or the reader. */
  user(value: JsonValue): string {
    return typeof value === 'string' ? value : this.reader.user_id;
  }

  /** Days and months are those of the workspace's calendar; hours are hours. */
  private shifted(direction: '+' | '-', duration: string): Sql {
    const operator = direction === '+' ? sql`+` : sql`-`;
    const moved = duration.startsWith('PT')
      ? sql`(${this.moment} ${operator} ${duration}::interval)`
      : sql`(((${this.moment} AT TIME ZONE ${ZONE}) ${operator} ${duration}::interval) AT TIME ZONE ${ZONE})`;
    return this.moments.momentOf(`${direction}${duration}`, moved);
  }
}
