import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, DAY, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { HeldRow, RetentionKey } from '../domain/retention';
import { RetentionRows, type DuePolicies, type OpenRun, type RetentionRunRow } from '../infrastructure/retention.rows';
import { LegalHolds } from './legal-holds';
import { RetentionPolicies } from './retention-policies';
import { RetentionTargets } from './retention-targets';

const WORKSPACES = 100;
const BATCH = 1_000;
/** Between batches, so that customers come first: at least so long, and as long as the batch took. */
const YIELD_MS = 5;
/** Of what is held, so many are listed; all are counted. */
const LISTED_HELD = 10_000;

/**
 * Applies the policies: each once a day in every workspace where it finds something, after three in its morning. A run that is cut off goes on
 * where it was, since whatever went is counted in the transaction in which it went.
 */
@Injectable()
export class RetentionRuns {
  private readonly log = new Logger(RetentionRuns.name);

  constructor(
    private readonly db: Database,
    private readonly rows: RetentionRows,
    private readonly policies: RetentionPolicies,
    private readonly targets: RetentionTargets,
    private readonly holds: LegalHolds,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(query: ListParameters): Promise<Page<RetentionRunRow>> {
    return this.db.read(() => this.rows.listRuns(query));
  }

  listHeldRows(run_id: string, query: ListParameters): Promise<Page<HeldRow>> {
    return this.db.read(async () => {
      if (!(await this.rows.hasRun(run_id))) throw notFound('run');
      return this.rows.listHeldRows(run_id, query);
    });
  }

  /** Everything that is due, workspace by workspace. */
  async runDue(signal: AbortSignal): Promise<void> {
    const registered = this.targets.listKeys();
    for (let after: string | null = null; !signal.aborted;) {
      const due: DuePolicies[] = await this.rows.findDuePolicies(registered, this.clock.now(), after, WORKSPACES);
      for (const { tenant_id, ret_keys, run_date } of due) {
        const keys = signal.aborted ? [] : await inWorkspace(tenant_id, () => this.withWork(ret_keys, run_date));
        for (const key of keys) if (!signal.aborted) await inWorkspace(tenant_id, () => this.run(key, run_date, signal));
      }
      after = due.at(-1)?.tenant_id ?? null;
      if (due.length < WORKSPACES) return;
    }
  }

  /** Those of the policies that have something to remove, to keep for a hold or to go on with; the others have no run on this day. */
  private async withWork(keys: readonly RetentionKey[], date: string): Promise<readonly RetentionKey[]> {
    const begun = await this.db.read(() => this.rows.findUnfinishedKeys(date));
    const idle: RetentionKey[] = [];
    for (const key of keys) if (!begun.includes(key) && (await this.hasNothing(key))) idle.push(key);
    if (idle.length > 0) await this.db.write(() => this.rows.recordNothingFound(date, idle));
    return keys.filter((key) => !idle.includes(key));
  }

  /** A policy that cannot be asked is run, and its run says what is wrong. */
  private hasNothing(key: RetentionKey): Promise<boolean> {
    const asked = this.db.readMany(async () => this.targets.countDue(key, this.clock.after(-(await this.policies.readDays(key)) * DAY)));
    return asked.then(
      ({ rows, held }) => rows === 0 && held === 0,
      () => false,
    );
  }

  /** One policy in trouble does not hold up the others: it is tried again an hour later. */
  private async run(key: RetentionKey, date: string, signal: AbortSignal): Promise<void> {
    const run = await this.db.write(async () =>
      this.rows.beginRun(key, date, this.clock.after(-(await this.policies.readDays(key)) * DAY), this.clock.now()),
    );
    if (!run) return;
    try {
      await this.remove(key, run, signal);
      if (!signal.aborted) await this.complete(key, run);
    } catch (error) {
      if (signal.aborted) return;
      this.log.warn({ msg: 'a retention policy could not be applied', ret_key: key, err: error });
      await this.db.write(() =>
        this.rows.failRun(run.run_id, 'It could not be completed and is tried again within two hours.', this.clock.now()),
      );
    }
  }

  private async remove(key: RetentionKey, { run_id, run_before }: OpenRun, signal: AbortSignal): Promise<void> {
    for (const target of this.targets.findTargets(key)) {
      for (let left = true; left && !signal.aborted;) {
        const began = performance.now();
        const batch = await this.db.write(async () => {
          await this.holds.blockNewHolds();
          const removed = await target.purgeBatch(run_before, BATCH);
          if (removed.removed > 0) await this.rows.addRemoved(run_id, removed.removed, removed.bytes);
          return removed;
        });
        left = batch.left;
        if (left) await pause(Math.max(YIELD_MS, performance.now() - began));
      }
    }
  }

  private complete(key: RetentionKey, { run_id, run_before }: OpenRun): Promise<void> {
    return this.db.write(async () => {
      const { held } = await this.targets.countDue(key, run_before);
      for (const target of held > 0 ? this.targets.findTargets(key) : [])
        await this.rows.recordHeldRows(run_id, await target.findHeldRows(run_before, LISTED_HELD));
      const done = await this.rows.completeRun(run_id, held, this.clock.now());
      if (!done) return;
      const { run_removed, run_bytes, run_held } = done;
      this.outbox.emitEvent({
        name: 'retention.completed',
        subject_id: run_id,
        payload: { ret_key: key, run_removed, run_bytes, run_held },
      });
    });
  }
}
