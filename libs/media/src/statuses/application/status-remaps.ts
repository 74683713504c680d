import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { assertMap, FlowLock, keptMap, successorOf } from '@atrium/approvals';
import { FileEdits, FileJobKinds, FileJobs, HistoryWriter, type FileJobBatch, type FileJobStep } from '@atrium/files';
import { UNGOVERNED, type MediaStatusFlow, type StatusRemap } from '../domain/media-status-flow';
import { STATUS_FLOWS, StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { toldText } from '../../shared/job-params';
import { stateOf } from './followed-states';
import { StatusEffects } from './status-effects';

/** Files of a repository that get another status because the flow they follow has changed. */
interface Relabelled {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

const REMAP_JOB = 'media.status_remap';

const AT_ONCE = 1_000;
const BATCH = 200;

/**
 * Brings files along when a flow changes or another one is followed: those in states that are gone go where the remap
 * says. Up to a thousand at once; more in the background, and until then the flow itself knows what their state means.
 */
@Injectable()
export class StatusRemaps implements OnModuleInit {
  /** What a unit of work is to relabel once the flow is written. */
  private readonly planned = new WeakMap<UnitOfWork, Relabelled[]>();

  constructor(
    private readonly db: Database,
    private readonly flows: StatusFlowsRepository,
    private readonly lock: FlowLock,
    private readonly edits: FileEdits,
    private readonly effects: StatusEffects,
    private readonly history: HistoryWriter,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: REMAP_JOB, whole: true, step: (step) => this.step(step) });
  }

  /** Refuses a flow that leaves files in states it does not have; what it can bring along is kept until `start`. */
  async plan(
    flow: MediaStatusFlow,
    { follow, leave, remap }: { readonly follow: readonly string[]; readonly leave: readonly string[]; readonly remap: StatusRemap },
  ): Promise<void> {
    const keys = new Set(flow.msf_states.map(({ key }) => key));
    assertMap(remap, flow.msf_states, 'remap');
    flow.msf_remap = keptMap(flow.msf_remap, remap, flow.msf_states);
    const relabelled: Relabelled[] = leave.flatMap((type) => [{ type, from: '*', to: UNGOVERNED }]);
    for (const type of follow)
      for (const status of await this.flows.statusesIn(type))
        if (!keys.has(status)) relabelled.push({ type, from: status, to: await this.successor(flow, { type, status }) });
    this.planned.set(this.db.current(), relabelled);
  }

  /** The flow is written: files follow. */
  async start(flow: MediaStatusFlow): Promise<void> {
    const relabelled = this.planned.get(this.db.current()) ?? [];
    let left = AT_ONCE;
    for (const { type, from, to } of relabelled) {
      for (const status of from === '*' ? (await this.flows.statusesIn(type)).filter((found) => found !== to) : [from]) {
        const files = left > 0 ? await this.flows.filesIn(type, status, left) : [];
        await this.relabel(files, { type, from: status, to }, flow);
        left -= files.length;
        if (left > 0) continue;
        if ((await this.flows.countIn(type, status, 1)) > 0)
          await this.jobs.start(null, { kind: REMAP_JOB, params: { type, from: status, to, flow: flow.msf_id }, total: null });
      }
    }
  }

  /** Goes by the flow that is followed now: it may know the state again, or mean another one by it than when the work was asked for. */
  private step({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const [type, from] = [toldText(params, 'type'), toldText(params, 'from')];
    return this.db.write(async () => {
      await this.lock.take(STATUS_FLOWS, 'move');
      const followed = (await this.flows.active([type])).get(type);
      const to = followed ? (stateOf(followed, from)?.key ?? from) : UNGOVERNED;
      const [flow] = await this.flows.lockMany([followed?.msf_id ?? toldText(params, 'flow')]);
      const files = to === from ? [] : await this.flows.filesIn(type, from, BATCH);
      await this.relabel(files, { type, from, to }, flow);
      return {
        checkpoint: files.length > 0 ? String(Number(checkpoint ?? 0) + files.length) : null,
        done: files.length,
        failed: 0,
        errors: [],
      };
    });
  }

  private async relabel(file_ids: readonly string[], { from, to }: Relabelled, flow: MediaStatusFlow | undefined): Promise<void> {
    if (file_ids.length === 0) return;
    await this.edits.enter(file_ids, to);
    await this.history.add(
      file_ids.map((file_id) => ({ file_id, action: 'status_changed', details: { from, to, ...(flow ? { flow: flow.msf_name } : {}) } })),
    );
    for (const file_id of file_ids) this.outbox.emit({ name: 'file.status_changed', subject_id: file_id, payload: { from, to } });
    const state = flow?.msf_active ? flow.msf_states.find(({ key }) => key === to) : undefined;
    if (state) await this.effects.entered({ file_ids, state, from: [from] });
  }

  private async successor(flow: MediaStatusFlow, { type, status }: { readonly type: string; readonly status: string }): Promise<string> {
    const to = successorOf(status, flow.msf_remap);
    if (to !== undefined) return to;
    const count = await this.flows.countIn(type, status, AT_ONCE + 1);
    throw new Problem(
      'in_use',
      `${count > AT_ONCE ? `More than ${AT_ONCE}` : count} files of ${type} have the status ${status}, which the flow does not contain. Name their new status in remap.`,
    );
  }
}
