import { Injectable } from '@nestjs/common';
import { OwnedFiles, type Repository } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { PassageIndex } from '@atrium/retrieval';
import { scopeOf } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';
import { indexBase } from '../jobs/bases.jobs';
import { BaseAccess } from './base-access';
import { BaseAnswers, type VersionedBaseAnswer } from './base-answers';
import { BaseHolds } from './base-holds';
import { BasesService } from './bases.service';

/** How bases go and come back. At the commit that deletes one nothing is found in it any more; what it holds stays for 30 days. */
@Injectable()
export class BaseLifecycle {
  constructor(
    private readonly db: Database,
    private readonly bases: BasesRepository,
    private readonly service: BasesService,
    private readonly access: BaseAccess,
    private readonly answers: BaseAnswers,
    private readonly holds: BaseHolds,
    private readonly passages: PassageIndex,
    private readonly files: OwnedFiles,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  deleteBase(caller: Principal, ds_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const base = await this.access.lockToDelete(caller, ds_id, precondition);
      if (!base) return;
      await this.holds.assertNone(ds_id);
      base.delete(this.clock);
      await this.bases.save(base);
      await this.passages.closeScope(scopeOf(ds_id));
      await this.files.onOwnerDeleted(repositoryOf(ds_id));
      this.outbox.emitEvent({ name: 'knowledge.deleted', subject_id: ds_id, payload: { ds_name: base.ds_name } });
    });
  }

  /** Its files come back, and its contents are found again as soon as they are put into the index: what is there already is used. */
  restoreBase(caller: Principal, ds_id: string): Promise<VersionedBaseAnswer> {
    return this.service.runWithUniqueName(() =>
      this.db.write(async () => {
        const base = await this.access.lockToRestore(caller, ds_id);
        const deleted = base.ds_deleted;
        base.restore(this.clock);
        await this.service.assertFreeName(base);
        await this.service.assertRoom();
        await this.bases.save(base);
        if (deleted) await this.files.onOwnerRestored(repositoryOf(ds_id), deleted);
        this.outbox.addJob(planJob(indexBase, { ds_id }));
        this.outbox.emitEvent({ name: 'knowledge.updated', subject_id: ds_id, payload: { changed: ['ds_active'] } });
        return this.answers.readBase(caller, ds_id);
      }),
    );
  }
}

const repositoryOf = (id: string): Repository => ({ type: 'ds', id });
