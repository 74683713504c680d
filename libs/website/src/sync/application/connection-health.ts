import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { CmsProblem } from '../domain/cms-problem';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { CmsMails } from './cms-mails';

/** Whether connections work, as runs find out. Contacts are notified once that credentials were refused. */
@Injectable()
export class ConnectionHealth {
  constructor(
    private readonly db: Database,
    private readonly connections: CmsConnectionsRepository,
    private readonly mails: CmsMails,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  recordSuccess(site_id: string): Promise<void> {
    return this.db.write(async () => {
      const connection = await this.connections.lockOne(site_id);
      if (!connection) return;
      connection.recover();
      await this.connections.save(connection);
    });
  }

  recordProblem(site_id: string, problem: CmsProblem): Promise<void> {
    return this.db.write(async () => {
      const connection = await this.connections.lockOne(site_id);
      if (!connection) return;
      const isNews = problem.isRevoked && connection.revoke(problem.detail, this.clock);
      if (!problem.isRevoked) connection.fail(problem.detail, this.clock);
      await this.connections.save(connection);
      if (!isNews) return;
      this.outbox.emitEvent({ name: 'cms.revoked', subject_id: site_id, payload: { provider: connection.cms_provider } });
      await this.mails.sendRevoked(connection);
    });
  }
}
