import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal } from '@atrium/platform/access';
import { Database, empty, sql, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, withArticle } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { LegalHold } from '../domain/legal-hold';
import { LegalHoldsRepository, type LegalHoldRow } from '../infrastructure/legal-holds.repository';
import { HoldTargets } from './hold-targets';
import { LegalHolds } from './legal-holds';
import { RETENTION_AUDIT } from './retention-policies';

export type { LegalHoldRow } from '../infrastructure/legal-holds.repository';

export type NewHold = Pick<LegalHold, 'lh_name' | 'lh_target_type' | 'lh_target_id' | 'lh_reason'>;

export interface HoldFilters extends ListParameters {
  readonly lh_released?: boolean;
}

/** Puts and releases legal holds. Once one is put, no removal that has not ended already takes anything of it. */
@Injectable()
export class LegalHoldsService {
  constructor(
    private readonly db: Database,
    private readonly repository: LegalHoldsRepository,
    private readonly targets: HoldTargets,
    private readonly holds: LegalHolds,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: HoldFilters): Promise<Page<LegalHoldRow>> {
    const { lh_released } = query;
    const where = lh_released === undefined ? empty : lh_released ? sql`r.lh_released_at IS NOT NULL` : sql`r.lh_released_at IS NULL`;
    return this.db.read(() => this.repository.listHolds(query, where));
  }

  create(caller: Principal, facts: NewHold): Promise<LegalHoldRow & { readonly row_version: number }> {
    return this.db.write(async () => {
      await this.holds.blockRemovals();
      const { lh_target_type, lh_target_id } = facts;
      if (!(await this.targets.hasTarget(lh_target_type, lh_target_id)))
        throw invalidField(
          'lh_target_id',
          `must be ${withArticle(lh_target_type.replace('_', ' '))} of this workspace that can be placed under a legal hold`,
          'reference',
        );
      const hold = LegalHold.blank({ ...facts, lh_id: this.ids.next(), lh_created_by: caller.user_id }, this.clock.now());
      await this.repository.insert(hold);
      this.audit.record({
        type: RETENTION_AUDIT['legal_hold.created'],
        target: targetOf(hold),
        ...changesBetween(null, facts),
        reason: hold.lh_reason,
      });
      this.outbox.emitEvent({ name: 'legal_hold.created', subject_id: hold.lh_id, payload: { lh_target_type, lh_target_id } });
      const { tenant_id: _, ...row } = hold;
      return row;
    });
  }

  /** Ids of the live holds on one target, in the open unit of work. */
  listLiveHolds(type: LegalHold['lh_target_type'], id: string): Promise<string[]> {
    return this.repository.findLiveHolds(type, id);
  }

  release(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      // An erasure that is about to wait for this hold comes first, and is taken up again.
      await this.holds.blockRemovals();
      const hold = await this.repository.lock(id, precondition);
      if (hold.lh_released_at !== null) return;
      hold.release(this.clock);
      await this.repository.save(hold);
      const { lh_target_type, lh_target_id, lh_released_at } = hold;
      this.audit.record({
        type: RETENTION_AUDIT['legal_hold.released'],
        target: targetOf(hold),
        ...changesBetween({ lh_released_at: null }, { lh_released_at }),
      });
      this.outbox.emitEvent({ name: 'legal_hold.released', subject_id: id, payload: { lh_target_type, lh_target_id } });
    });
  }
}

const targetOf = ({ lh_id, lh_name }: LegalHold): { type: string; id: string; name: string } => ({
  type: 'legal_hold',
  id: lh_id,
  name: lh_name,
});
