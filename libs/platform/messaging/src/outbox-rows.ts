import { Injectable } from '@nestjs/common';
import { Database, sql, type Actor, type Sql } from '@atrium/platform/database';
import { newId, type JsonObject } from '@atrium/platform/kernel';
import type { JobEnvelope } from './job-envelope';

/** In a statement that shows a job: the external service for which it waits now, or null. Its context knows it by the key of the work. */
export const waitsForOfKey = (job: string, key: Sql): Sql =>
  sql`(SELECT w.ev_waits_for FROM outbox w WHERE w.tenant_id = current_tenant() AND w.ev_kind = 'job' AND w.ev_name = ${job} AND w.ev_key = ${key} AND w.ev_done IS NULL AND w.ev_waits_for IS NOT NULL LIMIT 1)`;

/** A row of the outbox as a relay gets it. */
export interface OutboxRow {
  readonly tenant_id: string;
  readonly ev_id: string;
  readonly ev_kind: 'event' | 'job';
  readonly ev_name: string;
  readonly ev_key: string;
  readonly ev_version: number;
  readonly ev_payload: JsonObject;
  readonly ev_actor: Actor;
  readonly ev_request: string;
  readonly ev_trace: string | null;
  readonly ev_tracked: boolean;
  readonly ev_bulk: boolean;
  readonly ev_attempts: number;
}

/** A job that enters its queue; the place orders those of one queue, the smallest first. */
export interface AdmittedJob extends OutboxRow {
  readonly ev_place: number;
}

/** A queue and how many jobs it has room for. */
export interface QueueRoom {
  readonly queue: string;
  readonly room: number;
  /** Jobs that one workspace may have in the queue, waiting or running. */
  readonly share: number;
}

/** What a relay finds when it polls. */
interface Found {
  readonly events: readonly OutboxRow[];
  /** Queues for which jobs are due. */
  readonly due: readonly string[];
}

/** An event and one job that wants it. */
export interface Delivery {
  readonly event: OutboxRow;
  readonly subscriber: string;
}

/** The outbox of all workspaces, through the definer functions of the migration; nothing else crosses workspaces here. */
@Injectable()
export class OutboxRows {
  constructor(private readonly db: Database) {}

  /** Due events without a holder, held by the caller until the lease ends, and those of the queues for which jobs are due: one statement asks for both. */
  async pollDue(queues: readonly string[], limit: number, leaseSeconds: number): Promise<Found> {
    const rows = await this.db.queryAcrossTenants<OutboxRow & { readonly queues: readonly string[] }>(
      sql`SELECT e.*, ARRAY(SELECT queue FROM outbox_due(${queues}) AS queue) AS queues FROM (VALUES (1)) one LEFT JOIN outbox_claim_events(${limit}, ${leaseSeconds}) e ON true`,
    );
    return {
      events: rows.flatMap(({ queues: _, ...event }) => ((event.ev_id as string | null) === null ? [] : [event])),
      due: [...(rows[0]?.queues ?? [])],
    };
  }

  /** Those of the queues for which jobs are due. */
  async findDueQueues(queues: readonly string[]): Promise<string[]> {
    const rows = await this.db.queryAcrossTenants<{ queue: string }>(sql`SELECT queue FROM outbox_due(${queues}) AS queue`);
    return rows.map(({ queue }) => queue);
  }

  /** The jobs whose turn it is, workspace after workspace, held by the caller until the lease ends. */
  admitJobs(rooms: readonly QueueRoom[], leaseSeconds: number): Promise<AdmittedJob[]> {
    return this.db.queryAcrossTenants<AdmittedJob>(
      sql`SELECT * FROM outbox_admit(${rooms.map(({ queue }) => queue)}::text[], ${rooms.map(({ room }) => room)}::integer[], ${rooms.map(({ share }) => share)}::integer[], ${leaseSeconds})`,
    );
  }

  /** Gives jobs back that could not be sent. */
  async releaseJobs(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length > 0)
      await this.db.queryAcrossTenants(
        sql`SELECT outbox_release(${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.ev_id)}::uuid[])`,
      );
  }

  /** Those that are not done by now. */
  async filterOpen(rows: readonly OutboxRow[]): Promise<OutboxRow[]> {
    if (rows.length === 0) return [];
    const open = await this.db.queryAcrossTenants<{ ev_id: string }>(
      sql`SELECT ev_id FROM outbox_still_open(${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.ev_id)}::uuid[]) AS ev_id`,
    );
    const ids = new Set(open.map(({ ev_id }) => ev_id));
    return rows.filter(({ ev_id }) => ids.has(ev_id));
  }

  async forgetTurns(limit: number): Promise<void> {
    await this.db.queryAcrossTenants(sql`SELECT outbox_forget_turns(${limit})`);
  }

  /** What is due and has not begun, queue by queue; the one without a name is that of events. */
  countWaiting(): Promise<{ readonly queue: string | null; readonly jobs: number; readonly oldest_seconds: number }[]> {
    return this.db.queryAcrossTenants(sql`SELECT queue, jobs, oldest_seconds FROM outbox_waiting()`);
  }

  /** Answers and sources of all workspaces that are not done. */
  countBacklog(): Promise<{ readonly work: string; readonly many: number; readonly oldest_seconds: number }[]> {
    return this.db.queryAcrossTenants(sql`SELECT work, many, oldest_seconds FROM work_backlog()`);
  }

  listSchedules(): Promise<{ readonly name: string; readonly overdue_seconds: number; readonly has_failed: boolean }[]> {
    return this.db.queryAcrossTenants(sql`SELECT name, overdue_seconds, has_failed FROM schedules_overview()`);
  }

  /** Jobs sent that long ago and not done. */
  findOverdueJobs(jobs: readonly string[], limit: number, ageSeconds: number): Promise<OutboxRow[]> {
    return this.db.queryAcrossTenants<OutboxRow>(sql`SELECT * FROM outbox_overdue(${jobs}, ${limit}, ${ageSeconds})`);
  }

  /** A worker that still runs one of these holds it no more: its queue has lost it, and it is sent again. */
  async reclaimJobs(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length > 0)
      await this.db.queryAcrossTenants(
        sql`SELECT outbox_take(${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.ev_id)}::uuid[])`,
      );
  }

  /** Notes that a worker is there, for so long; with 0 that it ends. How many there are. */
  async countWorkers(worker_id: string, seconds: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ workers: number }>(sql`SELECT outbox_workers(${worker_id}, ${seconds}) AS workers`);
    return row?.workers ?? 0;
  }

  async markSent(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.db.queryAcrossTenants(sentStatement(rows));
  }

  /** Writes the subscribers' jobs and closes the events in one transaction. */
  async fanOut(events: readonly OutboxRow[], deliveries: readonly Delivery[]): Promise<void> {
    await this.db.acrossTenants(async (tx) => {
      if (deliveries.length > 0) {
        const [tenants, ids] = [deliveries.map((one) => one.event.tenant_id), deliveries.map((one) => one.event.ev_id)];
        await tx.execute(
          sql`SELECT outbox_fan_out(${tenants}::uuid[], ${ids}::uuid[], ${deliveries.map(() => newId())}::uuid[], ${deliveries.map((one) => one.subscriber)}::text[])`,
        );
      }
      await tx.execute(sentStatement(events));
    });
  }

  async pruneSent(ageSeconds: number, limit: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ pruned: number }>(sql`SELECT outbox_prune(${ageSeconds}, ${limit}) AS pruned`);
    return row?.pruned ?? 0;
  }

  async trimStreams(ageSeconds: number, limit: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ trimmed: number }>(sql`SELECT stream_event_trim(${ageSeconds}, ${limit}) AS trimmed`);
    return row?.trimmed ?? 0;
  }

  async trimFences(ageSeconds: number, limit: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ trimmed: number }>(sql`SELECT stream_fence_trim(${ageSeconds}, ${limit}) AS trimmed`);
    return row?.trimmed ?? 0;
  }
}

const sentStatement = (rows: readonly OutboxRow[]) =>
  sql`SELECT outbox_sent(${rows.map((row) => row.tenant_id)}::uuid[], ${rows.map((row) => row.ev_id)}::uuid[])`;

export const envelopeOf = (row: OutboxRow): JobEnvelope => ({
  tenant_id: row.tenant_id,
  job_id: row.ev_id,
  key: row.ev_key,
  version: row.ev_version,
  tracked: row.ev_tracked,
  bulk: row.ev_bulk,
  attempts: row.ev_attempts,
  request_id: row.ev_request,
  traceparent: row.ev_trace,
  actor: row.ev_actor,
  payload: row.ev_payload,
});
