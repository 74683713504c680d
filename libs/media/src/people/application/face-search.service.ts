import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceOptions } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidState, Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import {
  defineFileJob,
  FileJobKinds,
  FileJobs,
  FileLifecycle,
  LibraryFiles,
  type FileJobBatch,
  type FileJobError,
  type FileJobRow,
  type FileJobStep,
} from '@atrium/files';
import { FaceProvider } from '../domain/face-provider';
import { FaceScanRows } from '../infrastructure/face-scans.rows';
import { findFaces } from '../jobs/faces.jobs';
import { FaceDetection, FACES_ENABLED } from './face-detection';

/** Which files faces are looked for in. */
export interface FaceWish {
  readonly file_ids?: readonly string[];
  readonly all?: boolean;
}

const KIND = defineFileJob('media.faces', { seenWith: ['media:edit'], rights: () => ({ permission: 'media:edit' }) });
const AT_ONCE = 20;
const GONE_ON: ReadonlySet<string> = new Set(['upstream_failed', 'upstream_timeout', 'rate_limited', 'unprocessable_content']);

/** Looks for faces where people ask for it, and in new files where a workspace wants that. */
@Injectable()
export class FaceSearch implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly options: WorkspaceOptions,
    private readonly provider: FaceProvider,
    private readonly detection: FaceDetection,
    private readonly scans: FaceScanRows,
    private readonly library: LibraryFiles,
    private readonly lifecycle: FileLifecycle,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.options.register(FACES_ENABLED);
    this.kinds.register({ kind: KIND, runStep: (step) => this.step(step) });
    this.lifecycle.register({
      onReady: async ({ file_id, repository }) => {
        if (repository.type === 'media' && this.provider.configured && (await this.detection.isEnabled()))
          this.outbox.addJob(planJob(findFaces, { file_id }));
      },
    });
  }

  startSearch(caller: Principal, { file_ids, all }: FaceWish): Promise<FileJobRow> {
    if ((file_ids === undefined) === (all !== true)) throw invalidField('file_ids', 'requires file_ids, or all: true', 'one_of');
    return this.db.write(async () => {
      if (!(await this.detection.isEnabled()))
        throw invalidState('Face detection is off. Turn on the workspace setting faces_enabled first.');
      if (!this.provider.configured)
        throw new Problem('not_configured', 'No face recognition provider is configured (setting FACES_URL). Faces can be marked by hand.');
      const named = file_ids && [...new Set(file_ids.map((id) => id.toLowerCase()))];
      return this.jobs.startJob(caller, { kind: KIND, params: named ? { file_ids: named } : { all: true }, total: named?.length ?? null });
    });
  }

  /** The checkpoint is the last file that was looked at, in the order of ids. */
  private async step(step: FileJobStep): Promise<FileJobBatch> {
    const { caller, params, checkpoint } = step;
    const named = Array.isArray(params.file_ids) ? [...(params.file_ids as readonly string[])].sort() : null;
    const files = named
      ? named.filter((id) => checkpoint === null || id > checkpoint).slice(0, AT_ONCE)
      : await this.db.read(() => this.scans.findPictures(this.library.visibleCondition(caller, 'media'), checkpoint, AT_ONCE));
    const visible = new Set((await this.db.read(() => this.library.findVisible(caller, 'media', files))).map(({ file_id }) => file_id));
    const errors: FileJobError[] = [];
    for (const file_id of files) {
      step.signal.throwIfAborted();
      const code = visible.has(file_id) ? await this.look(file_id, step) : 'not_found';
      if (code !== null) errors.push({ file_id, code });
      await step.heartbeat();
    }
    return {
      checkpoint: files.length === AT_ONCE ? (files.at(-1) ?? null) : null,
      done: files.length - errors.length,
      failed: errors.length,
      errors,
    };
  }

  /** What goes wrong with one picture stops no other. */
  private async look(file_id: string, step: FileJobStep): Promise<string | null> {
    const { job_id, signal } = step;
    try {
      return await this.detection.detectFaces(file_id, { again: true, call: `faces:${job_id}:${file_id}`, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (step.waitsFor(error)) throw error;
      if (error instanceof Problem && GONE_ON.has(error.code)) return error.code;
      throw error;
    }
  }
}
