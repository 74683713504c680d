import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { MINUTE, Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { readConfig, SOURCE_KINDS, type SourceConfig, type SourceKind } from './source-config';
import { SourceMapping } from './source-mapping';

export const ON_MISSING = ['keep', 'deactivate', 'flag'] as const;
export type OnMissing = (typeof ON_MISSING)[number];
export const CONFLICT_RULES = ['source_wins', 'local_wins'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];
export const MOST_SOURCES = 200;

const SHORTEST_GAP_MS = 5 * MINUTE;
/** More than an hour has slots that far apart, so that every pattern of minutes shows its shortest gap. */
const SLOTS_TO_CHECK = 24;

/** When a cron comes next; calculated by the caller, who has the time zones. */
export type NextSlot = (cron: string, timezone: string, after: Date) => Date | null;

/** What a client may change of a source. */
export interface SourceChange {
  readonly osr_name?: string;
  readonly osr_description?: string | null;
  readonly osr_config?: JsonObject;
  readonly osr_mapping?: JsonObject;
  readonly osr_on_missing?: OnMissing;
  readonly osr_delete_limit?: number;
  readonly osr_conflict?: ConflictRule;
  readonly osr_cron?: string | null;
  readonly osr_timezone?: string;
  readonly osr_active?: boolean;
}

/** A system outside that objects of one schema are kept in step with. */
@Resource({ table: 'object_source', sort: '-osr_created' })
export class ObjectSource extends TenantRow {
  @Id({ about: 'Id of the source.' }) readonly osr_id!: string;
  @Text({ min: 1, max: 255, about: 'Name; unique.', example: 'Shop catalogue', filter: 'contains' }) osr_name!: string;
  @Text({ optional: true, max: 5_000, about: 'Description.', example: 'All articles of the shop, every night.' }) osr_description!:
    string | null;
  @Choice(SOURCE_KINDS, {
    about:
      'Kind of the source. `http_json`: pages of JSON; `http_csv`: a table as CSV, TSV or JSON lines; `sql`: a table or query of a PostgreSQL database, version 12 or newer.',
    example: 'http_json',
    filter: 'equals',
  })
  readonly osr_kind!: SourceKind;
  @Ref({ about: 'Id of the schema of the objects.', filter: 'equals' }) readonly osr_form!: string;
  @Json({
    about:
      'How it is read: `url`, `headers`, `auth` {type: none, bearer, basic, header; name}. For `http_json` also `method`, `body`, `rows` (path of the list), `total` (path of their number), `rate` (requests a second) and `pagination` {style: none, page, offset, cursor, link; param, path, first, size, size_param, in}. For `http_csv` also `format` (csv, tsv, jsonl), `delimiter` and `encoding`. For `sql` instead: `host`, `port` (5432), `database`, `table` (such as `public.article`, names as the database spells them) or `query` (one SELECT or WITH … SELECT), `key` (a column that is unique and never null, and best has an index: pages follow it), `page_size` (rows, 1 to 10,000; 1,000), `tls` (`verify`; `require`: encrypted, the certificate is not checked; `off`: for servers that the operator has opened), `ca` (PEM text of the authority behind the certificate) and `statement_timeout` (seconds, 1 to 300; 60). Secrets belong into `osr_credentials`.',
    example: {
      url: 'https://shop.example.com/api/articles',
      rows: '$.items',
      pagination: { style: 'cursor', path: '$.next', param: 'after' },
    },
  })
  osr_config!: JsonObject;
  @Json({
    about:
      'Mapping by field: `path` (names, indexes and wildcards of JSONPath), `transform` (trim, lower, number, number(,), date(DD.MM.YYYY), split(;), {"map": {…}}, or a list of them) and `default`. `external_id` and `name` are required; `url`, `updated` and `deleted` are optional. Each of these also fills a field with the same key.',
    example: {
      external_id: { path: '$.sku' },
      name: { path: '$.title', transform: 'trim' },
      price: { path: '$.price', transform: 'number' },
    },
  })
  osr_mapping!: JsonObject;
  @Choice(['full'], { about: 'Mode of the runs: every run reads the whole source.', example: 'full' }) readonly osr_mode!: 'full';
  @Choice(ON_MISSING, {
    about: 'What happens to objects that a complete run does not find; `flag` adds `missing` to their `obj_issues`.',
    example: 'deactivate',
  })
  osr_on_missing!: OnMissing;
  @Whole({
    min: 1,
    max: 100,
    column: 'integer',
    about: "Maximum share of the source's objects that one run deactivates, in percent. If more are missing, all of them are held back.",
    example: 15,
  })
  osr_delete_limit!: number;
  @Choice(CONFLICT_RULES, {
    about: 'Which value is used if a field was edited here since the source last changed it.',
    example: 'local_wins',
  })
  osr_conflict!: ConflictRule;
  @Text({
    optional: true,
    min: 1,
    max: 200,
    about: 'Schedule, as a cron expression with five fields, at most every 5 minutes; null if the source runs only on request.',
    example: '0 3 * * *',
  })
  osr_cron!: string | null;
  @Text({ min: 1, max: 64, about: 'Time zone of the schedule (IANA name).', example: 'Europe/Lisbon' }) osr_timezone!: string;
  @Flag({ about: 'Whether the source is active. Inactive sources do not run.', filter: 'equals' }) osr_active!: boolean;
  @Ref({ optional: true, about: 'The last run.' }) osr_last_run!: string | null;
  @Stamp({ about: 'When the source was created.', filter: 'range', sort: true }) readonly osr_created!: Date;
  @Stamp({ about: 'When the source was last changed.', filter: 'range' }) osr_updated!: Date;
  @Ref({ optional: true, about: 'Who created the source.' }) readonly osr_created_by!: string | null;
  @Text({ internal: true, optional: true }) osr_credentials!: string | null;
  @Stamp({ internal: true, optional: true }) osr_next!: Date | null;
  @Stamp({ internal: true, optional: true }) osr_removed!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<
      ObjectSource,
      | 'osr_id'
      | 'osr_name'
      | 'osr_description'
      | 'osr_kind'
      | 'osr_form'
      | 'osr_config'
      | 'osr_credentials'
      | 'osr_mapping'
      | 'osr_on_missing'
      | 'osr_delete_limit'
      | 'osr_conflict'
      | 'osr_cron'
      | 'osr_timezone'
      | 'osr_active'
      | 'osr_created_by'
    >,
    now: Date,
  ): ObjectSource {
    return Object.assign(new ObjectSource(), {
      osr_mode: 'full' as const,
      osr_last_run: null,
      osr_next: null,
      osr_removed: null,
      osr_created: now,
      osr_updated: now,
      ...facts,
    });
  }

  get config(): SourceConfig {
    return readConfig(this.osr_kind, this.osr_config);
  }

  get mapping(): SourceMapping {
    return SourceMapping.read(this.osr_mapping);
  }

  change(wish: SourceChange, next: NextSlot, clock: Clock): void {
    Object.assign(this, Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)));
    this.plan(next, clock);
    this.osr_updated = clock.now();
  }

  /** The next time that its cron comes. */
  plan(next: NextSlot, clock: Clock): void {
    this.osr_next =
      this.osr_cron !== null && this.osr_active && this.osr_removed === null ? next(this.osr_cron, this.osr_timezone, clock.now()) : null;
  }

  /** A run was asked for, or its clock began one. */
  ran(job_id: string): void {
    this.osr_last_run = job_id;
  }

  /** It is gone for everybody; its objects are let go before its row is removed. */
  remove(clock: Clock): void {
    this.osr_removed = clock.now();
    this.osr_active = false;
    this.osr_next = null;
    this.osr_credentials = null;
  }
}

/** Whether a cron comes more often than sources may be asked. */
export function comesTooOften(cron: string, timezone: string, next: NextSlot, from: Date): boolean {
  let before = next(cron, timezone, from);
  for (let slot = 1; slot < SLOTS_TO_CHECK && before !== null; slot++) {
    const after = next(cron, timezone, before);
    if (after !== null && after.getTime() - before.getTime() < SHORTEST_GAP_MS) return true;
    before = after;
  }
  return false;
}

export const tooManySources = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_SOURCES} sources. Delete one first.`);
