import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FlowChange, FlowLock, FOLLOWING_BATCH } from '@atrium/approvals';
import { defineFileJob, FileEdits, FileJobKinds, FileJobs, HistoryWriter, type FileJobBatch, type FileJobStep } from '@atrium/files';
import { UNGOVERNED, type MediaStatusFlow, type StatusRemap } from '../domain/media-status-flow';
import { STATUS_FLOWS, StatusFlowsRepository } from '../infrastructure/status-flows.repository';
import { auditedText } from '../../shared/job-params';
import { stateOf } from './followed-states';
import { StatusEffects } from './status-effects';

/** Files of a repository that get another status because the flow they follow has changed. */
interface Relabelled {
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

const REMAP_JOB = defineFileJob('media.status_remap', { seenWith: [] });

/** Brings files along when a flow changes or another one is followed: those in removed states move to where the remap says. */
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
    this.kinds.register({ kind: REMAP_JOB, whole: true, runStep: (step) => this.step(step) });
  }

  /** Refuses a flow that leaves files in states it does not have; what it can bring along is kept until `start`. */
  async planRemap(
    flow: MediaStatusFlow,
    { follow, leave, remap }: { readonly follow: readonly string[]; readonly leave: readonly string[]; readonly remap: StatusRemap },
  ): Promise<void> {
    const { map, moved } = await this.changeOf(flow).planRemoval({
      map: flow.msf_remap,
      said: remap,
      field: 'remap',
      states: flow.msf_states,
      isStrict: false,
      listRemoved: () => this.listRemoved(flow, follow),
      stateOf: ({ from }) => from,
      refuse: ([{ place, counted }]) =>
        new Problem(
          'in_use',
          `The flow does not contain the status ${place.from} of ${counted} files of ${place.type}. Name their new status in remap.`,
        ),
    });
    flow.msf_remap = map;
    const relabelled = [...leave.map((type) => ({ type, from: '*', to: UNGOVERNED })), ...moved.map(({ place, to }) => ({ ...place, to }))];
    this.planned.set(this.db.current(), relabelled);
  }

  /** The flow is written: files follow. */
  async startRemap(flow: MediaStatusFlow): Promise<void> {
    const places: Relabelled[] = [];
    for (const { type, from, to } of this.planned.get(this.db.current()) ?? [])
      for (const status of from === '*' ? (await this.flows.listStatusesInUse(type)).filter((found) => found !== to) : [from])
        places.push({ type, from: status, to });
    for (const { type, from, to } of await this.changeOf(flow).moveSubjects(places))
      await this.jobs.startJob(null, { kind: REMAP_JOB, params: { type, from, to, flow: flow.msf_id }, total: null });
  }

  /** The statuses of files of the repositories that the flow does not contain. */
  private async listRemoved({ msf_states }: MediaStatusFlow, types: readonly string[]): Promise<Relabelled[]> {
    const places: Relabelled[] = [];
    for (const type of types)
      for (const from of await this.flows.listStatusesInUse(type))
        if (!msf_states.some(({ key }) => key === from)) places.push({ type, from, to: from });
    return places;
  }

  private changeOf(flow: MediaStatusFlow): FlowChange<Relabelled> {
    return new FlowChange({
      countIn: ({ type, from }, most) => this.flows.countIn(type, from, most),
      moveOut: async (place, most) => {
        const files = await this.flows.listFilesWithStatus(place.type, place.from, most);
        await this.relabel(files, place, flow);
        return files.length;
      },
    });
  }

  /** Goes by the flow that is followed now: it may know the state again, or mean another one by it than when the work was asked for. */
  private step({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const [type, from] = [auditedText(params, 'type'), auditedText(params, 'from')];
    return this.db.write(async () => {
      await this.lock.lockFlow(STATUS_FLOWS, 'move');
      const followed = (await this.flows.findActiveFlows([type])).get(type);
      const to = followed ? (stateOf(followed, from)?.key ?? from) : UNGOVERNED;
      const [flow] = await this.flows.lockMany([followed?.msf_id ?? auditedText(params, 'flow')]);
      const files = to === from ? [] : await this.flows.listFilesWithStatus(type, from, FOLLOWING_BATCH);
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
    await this.edits.setStatus(file_ids, to);
    await this.history.addEntries(
      file_ids.map((file_id) => ({ file_id, action: 'status_changed', details: { from, to, ...(flow ? { flow: flow.msf_name } : {}) } })),
    );
    for (const file_id of file_ids) this.outbox.emitEvent({ name: 'file.status_changed', subject_id: file_id, payload: { from, to } });
    const state = flow?.msf_active ? flow.msf_states.find(({ key }) => key === to) : undefined;
    if (state) await this.effects.notifyEntered({ file_ids, state, from: [from] });
  }
}
