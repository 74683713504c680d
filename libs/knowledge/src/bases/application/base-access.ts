import { Injectable } from '@nestjs/common';
import { assertAclChange, assertAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Clock, notFound } from '@atrium/platform/kernel';
import { PURGED_MS, RESTORABLE_MS, type KnowledgeBase } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';

/**
 * What a caller may do with a base, by its access list; unreadable ones answer 404, readable but not enough 403. What is in a
 * deleted base is 404 as well, while the base itself can be read and is `invalid_state` to its changes until it can no longer be
 * restored: what keeps it for longer, such as a legal hold, is not to be seen by that.
 */
@Injectable()
export class BaseAccess {
  constructor(
    private readonly bases: BasesRepository,
    private readonly clock: Clock,
  ) {}

  /** The base as such, deleted or not while it can be restored; within a unit of work. */
  async requireBase(caller: Principal, ds_id: string): Promise<KnowledgeBase> {
    const base = await this.bases.findRow(ds_id);
    if (!base) throw notFound(NOUN);
    this.assertLevel(caller, base, 'view');
    return base;
  }

  /** The active base for reading what is in it; within a unit of work. */
  async requireReadable(caller: Principal, ds_id: string, level: AclLevel = 'view'): Promise<KnowledgeBase> {
    const base = await this.bases.findRow(ds_id);
    if (!base) throw notFound(NOUN);
    this.admit(caller, base, level);
    return base;
  }

  /** The active base, kept as it is while its contents are written: others write beside. */
  keepBase(caller: Principal, ds_id: string, level: AclLevel): Promise<KnowledgeBase> {
    return this.bases.keepBase(ds_id, (base) => this.admit(caller, base, level));
  }

  /** The active base, locked for a change of it, or of what nobody may write beside. */
  lockBase(caller: Principal, ds_id: string, level: AclLevel, precondition?: Precondition): Promise<KnowledgeBase> {
    return this.bases.lockToChange(ds_id, {}, precondition, (base) => this.assertLevel(caller, base, level));
  }

  /** The same for a change of its access list. */
  lockToShare(caller: Principal, ds_id: string, precondition?: Precondition): Promise<KnowledgeBase> {
    return this.bases.lockToChange(ds_id, {}, precondition, (base) => {
      this.assertLevel(caller, base, 'view');
      assertAclChange(base.ds_acl, caller, NOUN);
    });
  }

  lockToDelete(caller: Principal, ds_id: string, precondition?: Precondition): Promise<KnowledgeBase | null> {
    return this.bases.lockToDelete(ds_id, precondition, (base) => this.assertLevel(caller, base, 'owner'));
  }

  /** One that was deleted too long ago is refused as such until it is purged. */
  lockToRestore(caller: Principal, ds_id: string): Promise<KnowledgeBase> {
    return this.bases.lock(ds_id, undefined, (base) => this.assertLevel(caller, base, 'owner', PURGED_MS));
  }

  /** How many records the base holds; within a unit of work. */
  countRecords(ds_id: string): Promise<number> {
    return this.bases.countRecords(ds_id);
  }

  assertLevel(caller: Principal, base: KnowledgeBase, level: AclLevel, deleted_ms = RESTORABLE_MS): void {
    if (base.wasDeletedBefore(this.clock.after(-deleted_ms))) throw notFound(NOUN);
    assertAclLevel(base.ds_acl, caller, level, NOUN);
  }

  private admit(caller: Principal, base: KnowledgeBase, level: AclLevel): void {
    if (!base.ds_active) throw notFound(NOUN);
    this.assertLevel(caller, base, level);
  }
}

const NOUN = 'knowledge base';
