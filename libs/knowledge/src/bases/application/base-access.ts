import { Injectable } from '@nestjs/common';
import { demandAclChange, demandAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { KnowledgeBase } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';

/** What a caller may do with a base, by its access list; unreadable and deleted ones answer 404, readable but not enough 403. */
@Injectable()
export class BaseAccess {
  constructor(private readonly bases: BasesRepository) {}

  /** The active base for reading; within a unit of work. */
  async readable(caller: Principal, ds_id: string, level: AclLevel = 'view'): Promise<KnowledgeBase> {
    const base = await this.bases.find(ds_id);
    if (!base?.ds_active) throw notFound(NOUN);
    this.assertLevel(caller, base, level);
    return base;
  }

  /** The active base, locked for a change of it or of its contents. */
  lock(caller: Principal, ds_id: string, level: AclLevel, precondition?: Precondition): Promise<KnowledgeBase> {
    return this.bases.lock(ds_id, precondition, (base) => {
      if (!base.ds_active) throw notFound(NOUN);
      this.assertLevel(caller, base, level);
    });
  }

  assertLevel(caller: Principal, base: Pick<KnowledgeBase, 'ds_acl'>, level: AclLevel): void {
    demandAclLevel(base.ds_acl, caller, level, NOUN);
  }

  assertMayShare(caller: Principal, base: Pick<KnowledgeBase, 'ds_acl'>): void {
    demandAclChange(base.ds_acl, caller, NOUN);
  }
}

const NOUN = 'knowledge base';
