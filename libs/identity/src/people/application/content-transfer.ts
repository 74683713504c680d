import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs, planJob, Outbox, type Job, type JobRun } from '@atrium/platform/messaging';
import { UsersRepository } from '../infrastructure/users.repository';
import { userTransfer } from '../jobs/transfer.jobs';
import { ContentOwners, type ContentMove, type ContentOwner } from './content-owners';
import { Escalation } from '../../roles/application/escalation';
import { PEOPLE_AUDIT } from './people.audit';

const BATCH = 2_000;

/** Hands what one member made to another one, in the background: every context re-owns its rows in stretches. */
@Injectable()
export class ContentTransfer {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly owners: ContentOwners,
    private readonly escalation: Escalation,
    private readonly background: BackgroundJobs,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  startTransfer(caller: Principal, from: string, to_user: string): Promise<Job> {
    const to = to_user.toLowerCase();
    return this.db.write(async () => {
      const giver = await this.users.lock(from);
      await this.escalation.assertMayChange(caller, from);
      const taker = to === from ? null : await this.users.findRow(to);
      if (taker?.user_status !== 'active') throw invalidField('to_user', 'must be another active member of this workspace', 'reference');
      this.outbox.emitEvent({ name: 'user.content_transfer', subject_id: from, payload: { from, to } });
      this.audit.record({
        type: PEOPLE_AUDIT['user.content_transfer'],
        target: { type: 'user', id: from, name: giver.user_name },
        after: { to_user: to, to_name: taker.user_name },
      });
      return this.background.startJob(planJob(userTransfer, { from, to }), { total: this.owners.listOwners().length });
    });
  }

  /** One context after the other; how many rows each handed over in this run. */
  async runTransfer(move: ContentMove, run: JobRun): Promise<JsonObject> {
    const owners = this.owners.listOwners();
    const moved: Record<string, number> = {};
    for (const [done, owner] of owners.entries()) {
      await run.reportProgress(done, owners.length);
      moved[owner.context] = await this.allOf(owner, move, run);
      if (await run.isCancelled()) return { moved };
    }
    await run.reportProgress(owners.length, owners.length);
    return { moved };
  }

  private async allOf(owner: ContentOwner, { from, to }: ContentMove, run: JobRun): Promise<number> {
    let total = 0;
    for (let after: string | null = null; ;) {
      run.signal.throwIfAborted();
      const { moved, next } = await owner.transferContent({ from, to }, { after, size: BATCH });
      total += moved;
      if (next === null || (await run.isCancelled())) return total;
      after = next;
      await run.heartbeat();
    }
  }
}
