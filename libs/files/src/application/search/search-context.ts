import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { SearchScope } from '../../domain/search/search-query';
import { isRecord } from '../../domain/search/search-values';

const ZONE = sql`(SELECT w.ws_timezone FROM workspace w WHERE w.tenant_id = current_tenant())`;

/** Who reads, of which library, and when: what turns the dynamic values of a query into fixed ones. */
export class SearchContext {
  constructor(
    readonly scope: SearchScope,
    readonly reader: Principal,
    private readonly now: Date,
  ) {}

  /** An instant as the query has it, for comparing with a `timestamptz`; days begin and end in the workspace's time zone. */
  instant(value: JsonValue | undefined): Sql {
    if (typeof value === 'string') return value.length === 10 ? sql`local_start(${value}::timestamp, ${ZONE})` : sql`${value}::timestamptz`;
    if (!isRecord(value)) throw new Error('An instant was not read before it was compiled.');
    if (value.today === true) return sql`local_start(date_trunc('day', ${this.now}::timestamptz AT TIME ZONE ${ZONE}), ${ZONE})`;
    if (typeof value.ago === 'string') return this.ago(value.ago);
    return this.shifted(sql`+`, typeof value.from_now === 'string' ? value.from_now : 'P0D');
  }

  /** The moment that lies a duration (ISO 8601) before now. */
  ago(duration: string): Sql {
    return this.shifted(sql`-`, duration);
  }

  get moment(): Sql {
    return sql`${this.now}::timestamptz`;
  }

  /** A user as the query has it: an id, or the reader. */
  user(value: JsonValue): string {
    return typeof value === 'string' ? value : this.reader.user_id;
  }

  /** Days and months are those of the workspace's calendar; hours are hours. */
  private shifted(direction: Sql, duration: string): Sql {
    if (duration.startsWith('PT')) return sql`(${this.moment} ${direction} ${duration}::interval)`;
    return sql`(((${this.moment} AT TIME ZONE ${ZONE}) ${direction} ${duration}::interval) AT TIME ZONE ${ZONE})`;
  }
}
