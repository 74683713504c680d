import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, Handles, PermanentFailure, type ScheduledRun } from '@atrium/platform/messaging';
import { SocialFailure } from '../../network/domain/social-failure';
import { ConnectionReviews } from '../application/connection-reviews';
import { readAccounts, refreshConnection, type AccountsPayload, type RefreshPayload } from './connections.jobs';

const AT_ONCE = 200;

/** Looks after connections while nobody does. */
@Injectable()
export class ConnectionsHandler {
  private readonly log = new Logger(ConnectionsHandler.name);

  constructor(private readonly reviews: ConnectionReviews) {}

  @Every(MINUTE, 'social.connections')
  async reviewDue({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, con_id } of await this.reviews.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.reviews.reviewConnection(con_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a social connection cannot be reviewed', tenant_id, con_id, err: error }),
      );
    }
  }

  @Handles(refreshConnection)
  refreshConnection({ con_id, version }: RefreshPayload): Promise<void> {
    return unlessEnded(() => this.reviews.refreshTokens(con_id, version));
  }

  @Handles(readAccounts)
  readAccounts({ con_id }: AccountsPayload): Promise<void> {
    return unlessEnded(() => this.reviews.readAuthors(con_id));
  }
}

/** A grant that has ended is shown by its connection: no further attempt can help. */
async function unlessEnded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof SocialFailure && (error.kind === 'invalid_grant' || error.kind === 'missing_scope'))
      throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}
