import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { deactivationOf, sql } from '@atrium/platform/database';
import { Clock, isId } from '@atrium/platform/kernel';
import { SearchScopes } from '@atrium/retrieval';
import { KnowledgeBase, RESTORABLE_MS, scopeOf } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';

const PREFIX = 'ds';

/** Bases as scopes of the search of passages, for those who may read them; and their access lists where access is explained. */
@Injectable()
export class BaseScope implements OnModuleInit {
  constructor(
    private readonly scopes: SearchScopes,
    clock: Clock,
    acls: AclSources,
    private readonly bases: BasesRepository,
  ) {
    acls.registerTable('knowledge_base', {
      table: 'knowledge_base',
      id: 'ds_id',
      acl: 'ds_acl',
      creator: 'ds_created_by',
      name: 'ds_name',
      view: 'knowledge-base:view',
      findableCondition: () => Promise.resolve(sql`(r.ds_active OR r.ds_deleted >= ${clock.after(-RESTORABLE_MS)})`),
      deletion: deactivationOf(KnowledgeBase),
      changed: 'knowledge.updated',
    });
  }

  onModuleInit(): void {
    this.scopes.register({ prefix: PREFIX, findReadableKeys: (actor, keys) => this.open(actor, keys) });
  }

  /** Nobody (null) searches bases without an access list. */
  private async open(actor: Principal | null, keys: readonly string[] | null): Promise<readonly string[]> {
    if (actor ? !actor.permissions.has('knowledge-base:view') : keys === null) return [];
    const ids = keys?.map((key) => key.slice(PREFIX.length + 1).toLowerCase()).filter(isId) ?? null;
    const open = await this.bases.openIds(ids, actor ? aclAllows('r.ds_acl', actor, 'view') : sql`r.ds_acl = '{}'`);
    return open.map(scopeOf);
  }
}
