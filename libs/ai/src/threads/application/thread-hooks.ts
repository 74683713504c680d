import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AclSources, ContentOwners, KnownMembers } from '@atrium/identity';
import { HoldTargets } from '@atrium/governance';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { ThreadGrant } from '../domain/thread-acl';
import { aclOf } from '../domain/thread-acl';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/** What other contexts ask about threads: whose they are, who may see them, and what a legal hold on one keeps. */
@Injectable()
export class ThreadHooks implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly owners: ContentOwners,
    private readonly members: KnownMembers,
    private readonly acls: AclSources,
    private readonly holds: HoldTargets,
  ) {}

  onModuleInit(): void {
    this.owners.register({
      context: 'ai',
      transferContent: async (move, batch) => {
        const { moved, seen, last } = await this.db.write(async () => {
          const stays = (await this.members.findMemberIds([move.from])).has(move.from);
          return this.threads.handOver({ ...move, stays }, batch);
        });
        return { moved, next: seen < batch.size ? null : last };
      },
    });
    this.acls.register('thread', async (id) => {
      const thread = await this.threads.findRow(id);
      if (!thread?.thread_active) return null;
      const owner: ThreadGrant[] = thread.thread_user === null ? [] : [{ kind: 'user', to: thread.thread_user, level: 'owner' }];
      const sharing = await this.threads.findSharingSpace(thread);
      const space: ThreadGrant[] =
        sharing === null ? [] : [{ kind: 'space', to: sharing, level: thread.thread_share_mode === 'collab' ? 'edit' : 'view' }];
      // The list as it works: what the thread is to its owner and to its space is part of it.
      return { acl: aclOf([...space, ...thread.grants, ...owner]), name: thread.thread_title ?? '' };
    });
    this.holds.register('thread', async (id) => (await this.threads.findRow(id)) !== null);
    this.holds.registerFileHold((file_id, live) => {
      const { tenant_id } = requireScope();
      return sql`SELECT h.lh_id FROM ${live('thread')} h JOIN message_file f ON f.tenant_id = ${tenant_id} AND f.file_id = ${file_id} JOIN message m ON m.tenant_id = ${tenant_id} AND m.msg_id = f.msg_id AND m.msg_thread = h.lh_target_id`;
    });
    this.holds.registerFileHold(
      (file_id, live) =>
        sql`SELECT h.lh_id FROM ${live('thread')} h JOIN file o ON o.tenant_id = ${requireScope().tenant_id} AND o.file_id = ${file_id} AND o.repo_type = 'thread' AND o.repo_id = h.lh_target_id`,
    );
  }
}
