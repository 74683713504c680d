import { Injectable } from '@nestjs/common';
import type { ObjectChange } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectWrites } from '../../objects/application/object-writes';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import { FormRows, type OpenForm } from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import { brakeHolds } from '../domain/deletion-brake';
import type { NewSyncRow } from '../domain/sync-row';
import { PassRows } from '../infrastructure/pass-rows';
import { RunsRepository } from '../infrastructure/runs.repository';
import type { Acting, PassPlan } from './pass-plan';
import { SyncRuns } from './sync-runs';

const AT_ONCE = 500;
const MISSING = { field: '$source', code: 'missing' } as const;

/** Handles the objects that a pass has not met, unless they are so many that the source is more likely broken. */
@Injectable()
export class MissingObjects {
  constructor(
    private readonly db: Database,
    private readonly passes: PassRows,
    private readonly formRows: FormRows,
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
    private readonly repository: RunsRepository,
    private readonly runs: SyncRuns,
  ) {}

  /** How many are held back. `complete`: the pass has met every row, so that what it has not met is not there. */
  async handleMissing(plan: PassPlan, { complete, signal }: { readonly complete: boolean; readonly signal: AbortSignal }): Promise<number> {
    const { run, source } = plan;
    if (run.place.held !== undefined) return run.place.held;
    const pass = { job_id: run.job_id, osr_id: source.osr_id };
    const all = complete && source.osr_on_missing === 'deactivate';
    const { missing, before } = await this.db.read(() => this.passes.countMissing(pass, all));
    // Once some of them went, the rest of the same run goes as well.
    if (run.place.dropping !== true && !run.force_deletes && brakeHolds({ missing, before, percent: source.osr_delete_limit })) {
      await this.db.write(async () => {
        await this.passes.insertHeldBack(pass, all);
        await this.repository.recordStep(run, { held_deletes: missing, place: { held: missing } });
      });
      return missing;
    }
    if (missing > 0) await this.inTurn(plan, { all, drops: true, signal });
    if (complete && source.osr_on_missing === 'flag') await this.inTurn(plan, { all: true, drops: false, signal });
    return 0;
  }

  private async inTurn(
    plan: PassPlan,
    { all, drops, signal }: { readonly all: boolean; readonly drops: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { dropped_to = '', flagged_to = '' } = plan.run.place;
    for (let after: string | null = drops ? dropped_to : flagged_to; after !== null;) {
      signal.throwIfAborted();
      after = await this.some(plan, { all, drops, after });
    }
  }

  private async some(
    plan: PassPlan,
    { all, drops, after }: { readonly all: boolean; readonly drops: boolean; readonly after: string },
  ): Promise<string | null> {
    const { run, source } = plan;
    return this.db.write(async () => {
      const acting = await this.runs.findActing(run);
      const form = await this.formRows.openForm('object', source.osr_form, 'share');
      const some = await this.passes.findNextMissing({ job_id: run.job_id, osr_id: source.osr_id }, { all, after, most: AT_ONCE });
      const objects = await this.store.lockMany(some.map(({ obj_id }) => obj_id));
      const { rows, step } = await this.apply(form, objects, { drops, acting });
      await this.passes.insertRows(run.job_id, rows);
      const reached = some.at(-1)?.obj_external_id ?? after;
      await this.repository.recordStep(run, { ...step, place: drops ? { dropping: true, dropped_to: reached } : { flagged_to: reached } });
      return some.length < AT_ONCE ? null : reached;
    });
  }

  private async apply(
    form: OpenForm,
    objects: readonly WorkspaceObject[],
    { drops, acting }: { readonly drops: boolean; readonly acting: Acting },
  ): Promise<{
    readonly rows: readonly NewSyncRow[];
    readonly step: { readonly deactivated: number; readonly updated: number; readonly failed: number };
  }> {
    const changes = objects.map((object): ObjectChange => (drops ? { op: 'deactivate', object, dropped: true } : flagged(object)));
    const outcomes = await this.writes.applyChanges(form, changes, { by: acting, action: 'synced', trusted: true });
    const rows = objects.flatMap(({ obj_id, obj_external_id }, at): NewSyncRow[] => {
      const outcome = outcomes[at];
      if (!outcome || outcome.action === 'unchanged') return [];
      if (outcome.action === 'refused')
        return [{ external_id: obj_external_id, action: 'failed', obj_id, error: outcome.faults.map(({ message }) => message).join(' ') }];
      return [
        {
          external_id: obj_external_id,
          action: drops ? 'deactivated' : 'updated',
          obj_id,
          diff: drops ? [] : [{ field: 'obj_issues', from: null, to: { ...MISSING } }],
        },
      ];
    });
    const count = (action: NewSyncRow['action']): number => rows.filter((row) => row.action === action).length;
    return { rows, step: { deactivated: count('deactivated'), updated: count('updated'), failed: count('failed') } };
  }
}

/** The source no longer has it, and its readers are to know; its row takes the mark away again. */
const flagged = (object: WorkspaceObject): ObjectChange => ({
  op: 'update',
  object,
  facts: { issues: [...object.obj_issues.filter(({ field }) => field !== MISSING.field), MISSING] },
});
