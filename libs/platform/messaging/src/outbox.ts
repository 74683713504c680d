import { Injectable } from '@nestjs/common';
import { Database, join, raw, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { newId, type DomainEvent } from '@atrium/platform/kernel';
import type { PlannedJob } from './job-definition';
import { checkedPayload } from './job-payload';
import { OutboxBell } from './outbox-bell';

interface NewRow {
  readonly ev_id: string;
  readonly ev_kind: 'event' | 'job';
  readonly ev_name: string;
  readonly ev_subject: string | null;
  readonly ev_key: string;
  readonly ev_version: number;
  readonly ev_payload: object;
  readonly ev_tracked: boolean;
  readonly delay_ms: number;
  /** Whether a person waits for it. */
  readonly is_awaited: boolean;
}

const MAX_EVENT_BYTES = 64 * 1024;
const COLUMNS = raw(
  'tenant_id, ev_id, ev_kind, ev_name, ev_subject, ev_key, ev_version, ev_payload, ev_tracked, ev_actor, ev_request, ev_trace, ev_flow, ev_bulk, ev_due',
);
/** A unit of work that asks for more than this is work in bulk. */
const ONE_BY_ONE = 20;

/**
 * Where services record that something happened or is to be done. Both are rows of the unit of work that is open: they
 * exist exactly when its changes do. However many a unit of work adds, they are written with one statement before the commit.
 */
@Injectable()
export class Outbox {
  private readonly waiting = new WeakMap<UnitOfWork, NewRow[]>();

  constructor(
    private readonly db: Database,
    private readonly bell: OutboxBell,
  ) {}

  /** Asks for a job; its id. */
  addJob(planned: PlannedJob, { tracked = false }: { readonly tracked?: boolean } = {}): string {
    const { definition } = planned;
    checkedPayload(definition, planned.payload);
    const ev_id = newId();
    this.write({
      ev_id,
      ev_kind: 'job',
      ev_name: definition.name,
      ev_subject: null,
      ev_key: planned.key ?? ev_id,
      ev_version: definition.version,
      ev_payload: planned.payload,
      ev_tracked: tracked,
      delay_ms: planned.delayMs,
      is_awaited: definition.awaited,
    });
    return ev_id;
  }

  /** Asks for a job unless one of its kind and key waits already; whether it did. */
  async addOnce(planned: PlannedJob): Promise<boolean> {
    const waits = await this.db.current().first(sql`SELECT 1 AS waits FROM outbox WHERE ${waiting(planned)} LIMIT 1`);
    if (waits) return false;
    this.addJob(planned);
    return true;
  }

  /** Has a job done in the place of those of its kind and key that wait for their time; whether any did. */
  async hastenJob(planned: PlannedJob): Promise<boolean> {
    const waited = await this.db
      .current()
      .execute(sql`UPDATE outbox SET ev_done = clock_timestamp() WHERE ${waiting(planned)} AND ev_due > clock_timestamp()`);
    if (waited > 0) this.addJob(planned);
    return waited > 0;
  }

  /** Adds an event; its id. */
  emitEvent(event: DomainEvent): string {
    if (Buffer.byteLength(JSON.stringify(event.payload)) > MAX_EVENT_BYTES)
      throw new Error(`The event ${event.name} is too large: an event names its subject and does not carry its content.`);
    const ev_id = newId();
    this.write({
      ev_id,
      ev_kind: 'event',
      ev_name: event.name,
      ev_subject: event.subject_id,
      ev_key: ev_id,
      ev_version: 1,
      ev_payload: event.payload,
      ev_tracked: false,
      delay_ms: 0,
      is_awaited: false,
    });
    return ev_id;
  }

  /**
   * After the commit, whatever runs under the key is stopped at once and runs again to see why: for work that was cancelled and may wait
   * for an external service that never answers. The key is that of the job's definition, or the id of a job without one.
   */
  interruptWork(key: string): void {
    const { tenant_id } = requireScope();
    this.db.current().afterCommit(() => this.bell.interruptWork(tenant_id, key));
  }

  /** Lets the jobs that waited for the workspace at hand go on; how many did. */
  async resumeParkedJobs(): Promise<number> {
    const tx = this.db.current();
    tx.afterCommit(() => this.bell.ring());
    return (await tx.first<{ woken: number }>(sql`SELECT outbox_unpark() AS woken`))?.woken ?? 0;
  }

  private write(row: NewRow): void {
    const tx = this.db.current();
    if (tx.mode !== 'write') throw new Error('Events and jobs belong to a writing unit of work: use db.write().');
    const open = this.waiting.get(tx);
    if (open) {
      open.push(row);
      return;
    }
    const rows = [row];
    this.waiting.set(tx, rows);
    tx.beforeCommit(() => this.insertion(tx, rows));
    tx.afterCommit(() => this.bell.ring(rows.some(({ is_awaited }) => is_awaited)));
  }

  private insertion(tx: UnitOfWork, rows: readonly NewRow[]): Sql {
    this.waiting.delete(tx);
    const { tenant_id, actor, request_id, traceparent, inBulk } = requireScope();
    const flow = actor.key_id ?? actor.user_id ?? '';
    const bulk = inBulk ?? rows.length > ONE_BY_ONE;
    const [only] = rows;
    // Nearly always it is one, and then its values need not be taken out of JSON first.
    if (only && rows.length === 1) {
      const values = [
        only.ev_id,
        only.ev_kind,
        only.ev_name,
        only.ev_subject,
        only.ev_key,
        only.ev_version,
        JSON.stringify(only.ev_payload),
        only.ev_tracked,
      ];
      return sql`INSERT INTO outbox (${COLUMNS}) VALUES (${join([tenant_id, ...values, JSON.stringify(actor), request_id, traceparent ?? null, flow, bulk])}, now() + ${only.delay_ms} * interval '1 millisecond')`;
    }
    return sql`
      INSERT INTO outbox (${COLUMNS})
      SELECT ${tenant_id}::uuid, r.ev_id, r.ev_kind, r.ev_name, r.ev_subject, r.ev_key, r.ev_version, r.ev_payload, r.ev_tracked, ${JSON.stringify(actor)}::jsonb, ${request_id}, ${traceparent ?? null}, ${flow}, ${bulk},
             now() + r.delay_ms * interval '1 millisecond'
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r (ev_id uuid, ev_kind text, ev_name text, ev_subject uuid, ev_key text, ev_version integer, ev_payload jsonb, ev_tracked boolean, delay_ms bigint)`;
  }
}

/** Not sent to the queue yet. */
const waiting = ({ definition, key }: PlannedJob): Sql =>
  sql`tenant_id = ${requireScope().tenant_id} AND ev_kind = 'job' AND ev_name = ${definition.name} AND ev_key = ${key ?? ''} AND ev_sent IS NULL AND ev_done IS NULL`;
