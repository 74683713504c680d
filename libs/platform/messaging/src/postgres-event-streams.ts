import { inWorkspace, requireScope, sql, type Database, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { channelOf, EventStreams } from './event-streams';
import { MAX_BYTES, PG_CHANNEL } from './postgres-signals';
import type { Signals } from './signals';
import { CLOCKS_DIFFER_MS, FROM_START, isHigher, LONGEST_STREAM, StreamFenced, type Fence, type StreamPage } from './stream-event';

const ID = /^(?:0|[1-9]\d{0,17})$/;
/** A stream is cut to its length once in so many of the events that this process appends to it. */
const CUT_EVERY = 500;
const MOST_COUNTED = 10_000;

/** Event streams in the table `stream_event`. Writers of one stream take turns, so that a reader never overtakes an id that commits later. */
export class PostgresEventStreams extends EventStreams {
  private readonly sinceCut = new Map<string, number>();

  constructor(
    private readonly db: Database,
    signals: Signals,
    private readonly longest = LONGEST_STREAM,
  ) {
    super(signals);
  }

  async readEvents(stream: string, afterId: string, limit: number): Promise<StreamPage> {
    const { tenant_id } = requireScope();
    const after = ID.test(afterId) ? afterId : FROM_START;
    const rows = await this.db.query<{ se_id: string | null; se_event: JsonObject | null; known: boolean; newest: string | null }>(sql`
        SELECT e.se_id::text AS se_id, e.se_event, known.known, newest.newest::text AS newest
        FROM (SELECT EXISTS (SELECT FROM stream_event
                             WHERE tenant_id = ${tenant_id} AND se_stream = ${stream} AND se_id = ${after}::bigint) AS known) known
        CROSS JOIN (SELECT max(se_id) AS newest FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}) newest
        LEFT JOIN (SELECT se_id, se_event FROM stream_event
                   WHERE tenant_id = ${tenant_id} AND se_stream = ${stream} AND se_id > ${after}::bigint
                   ORDER BY se_id LIMIT ${limit}) e ON true
        ORDER BY e.se_id`);
    return {
      events: rows.flatMap(({ se_id, se_event }) => (se_id && se_event ? [{ id: se_id, event: se_event }] : [])),
      known: rows[0]?.known ?? false,
      newest: rows[0]?.newest ?? null,
    };
  }

  isAfter(id: string, other: string): boolean {
    return isHigher(id, other);
  }

  idSince(moment: Date): string {
    return `${moment.getTime() - CLOCKS_DIFFER_MS}000`;
  }

  /** Its tables are tables of the workspace, which a purge removes row by row. */
  forgetOwn(): Promise<{ removed: number; isDone: boolean }> {
    return Promise.resolve({ removed: 0, isDone: true });
  }

  deleteStream(stream: string): Promise<void> {
    const { tenant_id } = requireScope();
    return this.db.write(
      async (tx) => void (await tx.execute(sql`DELETE FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}`)),
    );
  }

  /** For the service itself: the outcome of the request that speaks is not that of the event, nor is its gate. */
  protected storeEvents(stream: string, events: readonly JsonObject[], fence: Fence | undefined): Promise<string> {
    const { tenant_id } = requireScope();
    return inWorkspace(tenant_id, async () => {
      const isDue = this.isDue(`${tenant_id}/${stream}`, events.length);
      const turn = sql`pg_advisory_xact_lock(hashtextextended(${`${tenant_id}/${stream}`}, 0))`;
      const statements = [this.appending(stream, events, fence), ...(isDue ? [this.cutting(stream)] : [])];
      const [[row] = []] = await this.db.sendAtOnce(statements, turn);
      const id = (row as { readonly id: string | null } | undefined)?.id ?? null;
      if (id !== null) return id;
      if (fence) throw new StreamFenced(fence);
      throw new Error('An event was not appended.');
    });
  }

  /** The statement that appends does so. */
  protected override announceEvents(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Ids are microseconds, or one more than the last if the clock has not advanced: they grow even when old events are deleted. The
   * events are part of the signal where they are small enough, so that nobody who follows has to read them. Nobody waits until they
   * are on the disk, for who notifies holds a lock of the whole server until then; but a token that raises a fence is waited for, and
   * the unit of work that appends, where there is one.
   */
  private appending(stream: string, events: readonly JsonObject[], fence: Fence | undefined): Sql {
    const { tenant_id } = requireScope();
    const channel = channelOf(stream);
    return sql`
      WITH seen AS (SELECT sf_token FROM stream_fence WHERE tenant_id = ${tenant_id} AND sf_stream = ${stream} AND sf_name = ${fence?.name}),
      raised AS (
        INSERT INTO stream_fence (tenant_id, sf_stream, sf_name, sf_token)
        SELECT ${tenant_id}::uuid, ${stream}, ${fence?.name}::text, ${fence?.token}::bigint
        WHERE ${fence !== undefined}::boolean AND NOT EXISTS (SELECT FROM seen WHERE sf_token >= ${fence?.token}::bigint)
        ON CONFLICT (tenant_id, sf_stream, sf_name) DO UPDATE SET sf_token = excluded.sf_token, sf_raised = now() RETURNING sf_token
      ), newest AS MATERIALIZED (
        SELECT coalesce(max(se_id), 0) AS id, greatest(coalesce(max(se_id), 0), floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 1) AS before
        FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}
      ), appended AS (
        INSERT INTO stream_event (tenant_id, se_stream, se_id, se_event)
        SELECT ${tenant_id}::uuid, ${stream}, newest.before + given.at, given.event
        FROM newest CROSS JOIN jsonb_array_elements(${JSON.stringify(events)}::jsonb) WITH ORDINALITY AS given (event, at)
        WHERE NOT EXISTS (SELECT FROM seen WHERE sf_token > ${fence?.token}::bigint)
        RETURNING se_id, se_event
      ), said AS (
        SELECT max(a.se_id)::text AS id, jsonb_build_array(${channel}::text,
          jsonb_build_object('after', newest.id::text, 'events', jsonb_agg(jsonb_build_array(a.se_id::text, a.se_event) ORDER BY a.se_id)))::text AS news
        FROM newest CROSS JOIN appended a GROUP BY newest.id
      )
      SELECT said.id, pg_notify(${PG_CHANNEL}, CASE WHEN octet_length(said.news) <= ${MAX_BYTES} THEN said.news ELSE ${JSON.stringify([channel, {}])} END),
        CASE WHEN ${this.db.open === undefined}::boolean AND NOT EXISTS (SELECT FROM raised) THEN set_config('synchronous_commit', 'off', true) END
      FROM said`;
  }

  private cutting(stream: string): Sql {
    const { tenant_id } = requireScope();
    return sql`
      DELETE FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}
        AND se_id <= (SELECT se_id FROM stream_event WHERE tenant_id = ${tenant_id} AND se_stream = ${stream}
                      ORDER BY se_id DESC OFFSET ${this.longest} LIMIT 1)`;
  }

  private isDue(stream: string, events: number): boolean {
    if (this.sinceCut.size > MOST_COUNTED) this.sinceCut.clear();
    const appended = (this.sinceCut.get(stream) ?? 0) + events;
    const every = Math.min(CUT_EVERY, this.longest);
    this.sinceCut.set(stream, appended % every);
    return appended >= every;
  }
}
