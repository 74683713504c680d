import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  defineFileJob,
  type FileJobDefinition,
  FileJobKinds,
  FileJobs,
  type FileJobBatch,
  type FileJobError,
  type FileJobRow,
  type FileJobStep,
} from '@atrium/files';
import { licenseRequired, permissionDenied, PermissionSet, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Problem, type JsonObject } from '@atrium/platform/kernel';
import { draftOf, orderOf, readReleaseRules, type ReleaseOrder } from '../../control/domain/release-rules';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { PUBLISH_SET, PUBLICATION_MODULE } from './publish-set';
import { PublicationsService } from './publications.service';
import { ReleaseGate } from './release-gate';

const AT_ONCE = 50;

// Each batch asks for the rights itself: all of the set, and the license.
const SEEN = { seenWith: ['media:publish'] } as const;
const PUBLISH = defineFileJob('publish', SEEN);
const UNPUBLISH = defineFileJob('unpublish', SEEN);
const REFRESH = defineFileJob('refresh-publications', SEEN);

/** Releases and takes back many files at once, in the background, with the current rights of the caller who asked. */
@Injectable()
export class PublicationBatches implements OnModuleInit {
  private readonly needed = PermissionSet.of(PUBLISH_SET);

  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsService,
    private readonly gate: ReleaseGate,
    private readonly repository: PublicationsRepository,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.kinds.register({
      kind: PUBLISH,
      runStep: (step) =>
        this.each(step, (caller, id) => this.publications.publishFile(caller, id, orderOf(step.params.order as JsonObject))),
    });
    this.kinds.register({
      kind: UNPUBLISH,
      runStep: (step) => this.each(step, (caller, id) => this.publications.unpublishFile(caller, id)),
    });
    this.kinds.register({ kind: REFRESH, runStep: (step) => this.refresh(step) });
  }

  startPublishing(caller: Principal, file_ids: readonly string[], order: ReleaseOrder): Promise<FileJobRow> {
    const rules = readReleaseRules(order, this.clock.now());
    return this.start(caller, PUBLISH, { file_ids: distinct(file_ids), order: draftOf(order) }, () => this.gate.assertNameable(rules));
  }

  startUnpublishing(caller: Principal, file_ids: readonly string[]): Promise<FileJobRow> {
    return this.start(caller, UNPUBLISH, { file_ids: distinct(file_ids) });
  }

  /** Every stale one, or those among the named files. */
  refreshStale(caller: Principal, file_ids?: readonly string[]): Promise<FileJobRow> {
    return this.start(caller, REFRESH, { file_ids: file_ids ? distinct(file_ids) : null });
  }

  private start(caller: Principal, kind: FileJobDefinition, params: JsonObject, check?: () => Promise<void>): Promise<FileJobRow> {
    const total = Array.isArray(params.file_ids) && kind !== REFRESH ? params.file_ids.length : null;
    return this.db.write(async () => {
      await check?.();
      return this.jobs.startJob(caller, { kind, params, total });
    });
  }

  private async each(step: FileJobStep, act: (caller: Principal, file_id: string) => Promise<unknown>): Promise<FileJobBatch> {
    const ids = step.params.file_ids as string[];
    const from = Number(step.checkpoint ?? 0);
    const batch = ids.slice(from, from + AT_ONCE);
    const next = from + batch.length;
    return { ...(await this.act(step, batch, act)), checkpoint: next < ids.length ? String(next) : null };
  }

  private async refresh(step: FileJobStep): Promise<FileJobBatch> {
    const stale = await this.db.read(() =>
      this.repository.findStale(step.checkpoint, AT_ONCE, (step.params.file_ids as string[] | null) ?? null),
    );
    const done = await this.act(
      step,
      stale.map(({ pub_file }) => pub_file),
      (caller, id) => this.publications.refreshPublication(caller, id),
    );
    return { ...done, checkpoint: stale.length === AT_ONCE ? (stale.at(-1)?.pub_id ?? null) : null };
  }

  private async act(
    step: FileJobStep,
    ids: readonly string[],
    act: (caller: Principal, file_id: string) => Promise<unknown>,
  ): Promise<Omit<FileJobBatch, 'checkpoint'>> {
    const { caller, signal } = step;
    this.assertMayPublish(caller);
    const errors: FileJobError[] = [];
    for (const file_id of ids) {
      signal.throwIfAborted();
      await act(caller, file_id).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        errors.push({ file_id, code: error.code });
      });
    }
    await step.heartbeat();
    return { done: ids.length - errors.length, failed: errors.length, errors };
  }

  private assertMayPublish(caller: Principal): void {
    if (!caller.modules.has(PUBLICATION_MODULE)) throw licenseRequired(PUBLICATION_MODULE);
    if (!caller.permissions.hasAll(this.needed)) throw permissionDenied(this.needed.without(caller.permissions).list(), 'all');
  }
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
