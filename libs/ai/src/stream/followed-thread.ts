import { type Database, runInScope, type CallScope } from '@atrium/platform/database';
import type { EventSocket } from '@atrium/platform/http';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import type { ThreadAccess } from '../threads/application/thread-access';
import { isRefusal, type ThreadConnection } from './thread-connection';
import type { ThreadStateRepository } from './thread-state.repository';

const CHECK_MS = MINUTE;
/** The events of a change that was just made may be on their way for so long. */
const DOUBT_MS = 2 * SECOND;
/** The longest time that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

export interface FollowedParts {
  readonly db: Database;
  readonly access: ThreadAccess;
  readonly rows: ThreadStateRepository;
  readonly scope: CallScope;
  readonly thread_id: string;
  readonly connection: ThreadConnection;
  readonly socket: EventSocket;
}

/** An open stream while it lasts: whether its caller may still read the thread is asked again every minute, and whenever something about their rights or about access to the thread has changed. */
export class FollowedThread {
  private readonly checking: NodeJS.Timeout;
  private expiring: NodeJS.Timeout | undefined;
  private doubting: NodeJS.Timeout | undefined;

  constructor(private readonly parts: FollowedParts) {
    this.checking = setInterval(() => void this.check(), CHECK_MS).unref();
    const { expires_at } = this.connection.caller;
    if (expires_at) this.expireAt(expires_at);
    parts.socket.onEnd(() => {
      clearInterval(this.checking);
      clearTimeout(this.expiring);
      clearTimeout(this.doubting);
    });
  }

  get connection(): ThreadConnection {
    return this.parts.connection;
  }

  get thread_id(): string {
    return this.parts.thread_id;
  }

  get tenant_id(): string | null {
    return this.parts.scope.tenant_id;
  }

  /**
   * Asks as the caller, whose rights are renewed with it. An end of a run that was not heard is seen here at the latest: where the rows
   * say the same a moment later, and nothing was heard of it.
   */
  async check(doubted?: string | null): Promise<void> {
    const { db, access, rows, scope, thread_id, connection } = this.parts;
    try {
      const {
        state: { run_id },
      } = await runInScope(scope, () =>
        db.read(async () => {
          await access.demand(connection.caller, thread_id, 'view');
          return rows.stored(thread_id);
        }),
      );
      if (connection.believes(run_id)) return;
      if (run_id === doubted) return connection.catchUp();
      clearTimeout(this.doubting);
      this.doubting = setTimeout(() => void this.check(run_id), DOUBT_MS).unref();
    } catch (error) {
      if (isRefusal(error)) connection.refuse();
    }
  }

  private expireAt(moment: Date): void {
    const left = moment.getTime() - Date.now();
    this.expiring = setTimeout(
      () => (left > LONGEST_MS ? this.expireAt(moment) : this.connection.close('expired')),
      Math.max(0, Math.min(left, LONGEST_MS)),
    ).unref();
  }
}
