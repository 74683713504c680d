import { Injectable, Logger, Optional } from '@nestjs/common';
import { RequesterDirectory, permissionDenied, type Module, type Permission, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { PermanentFailure } from '../job-handling';
import { Outbox } from '../outbox';
import { isRefusal } from './reasons-to-stop';

const ASKER_GONE = 'The member or key that requested this work is gone or has lost its rights. Someone else can start it.';

/** Who asked for work. */
export interface RequestedWork {
  readonly job_created_by: string | null;
  readonly job_key: string | null;
}

/** What a member must be allowed to do for the work to go on. */
export interface WorkRights {
  readonly permission: Permission;
  readonly module?: Module;
}

/** What all kinds of tracked work stand on. */
@Injectable()
export class WorkEngine {
  private readonly log = new Logger(WorkEngine.name);

  constructor(
    readonly db: Database,
    readonly outbox: Outbox,
    readonly clock: Clock,
    @Optional() private readonly askers?: RequesterDirectory,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /** Who asked for the work, with the rights of this moment: asked before each step, so that rights that were taken away count. */
  async findAsker({ job_created_by: user_id, job_key: key_id }: RequestedWork, rights?: WorkRights): Promise<Principal> {
    if (user_id === null || !this.askers) throw new PermanentFailure(ASKER_GONE);
    const asker = await this.askers.resolvePrincipal({ user_id, key_id }).catch((error: unknown) => {
      throw isRefusal(error) ? new PermanentFailure(ASKER_GONE, { cause: error }) : error;
    });
    if (rights && !asker.permissions.has(rights.permission)) throw permissionDenied([rights.permission]);
    if (rights?.module && !asker.modules.has(rights.module))
      throw new PermanentFailure(`The workspace is no longer licensed for ${rights.module}.`);
    return asker;
  }

  /** Logs what ended work for good, where people read another sentence. */
  reportFault(error: unknown, facts: { readonly work: string; readonly job_id: string }): void {
    if (!isRefusal(error) && !(error instanceof PermanentFailure)) this.log.warn({ msg: 'work failed', ...facts, err: error });
  }

  countFailure(work: string): void {
    this.metrics?.workFailed.inc({ work });
  }
}
