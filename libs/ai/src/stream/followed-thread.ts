import { type Database, runInScope, type CallScope } from '@atrium/platform/database';
import type { EventSocket } from '@atrium/platform/http';
import { MINUTE, SECOND, type Lanes } from '@atrium/platform/kernel';
import type { ThreadAccess } from '../threads/application/thread-access';
import { isRefusal, type ThreadConnection } from './thread-connection';
import type { ThreadStateRepository } from './thread-state.repository';

const CHECK_MS = MINUTE;
/** The events of a change that was just made may be on their way for so long. */
const AGAIN_MS = 2 * SECOND;
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
  /** In which the checks of all streams take turns, by their workspaces. */
  readonly lanes: Lanes;
}

/** An open stream while it lasts: whether its caller may still read the thread is asked again every minute, and whenever something about their rights or about access to the thread has changed. */
export class FollowedThread {
  private readonly checking: NodeJS.Timeout;
  private expiring: NodeJS.Timeout | undefined;
  private again: NodeJS.Timeout | undefined;
  private waits = false;

  constructor(private readonly parts: FollowedParts) {
    this.checking = setInterval(() => void this.checkState(), CHECK_MS).unref();
    const { expires_at } = this.connection.caller;
    if (expires_at) this.expireAt(expires_at);
    parts.socket.onEnd(() => {
      clearInterval(this.checking);
      clearTimeout(this.expiring);
      clearTimeout(this.again);
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

  /** Checks in turn; one that waits for its turn is enough for all who ask until then. */
  async checkState(doubted?: string | null): Promise<void> {
    if (this.waits) return;
    this.waits = true;
    const inTurn = (): Promise<void> => {
      this.waits = false;
      return this.parts.socket.isOver ? Promise.resolve() : this.look(doubted);
    };
    await this.parts.lanes.runInLane(inTurn, this.tenant_id ?? undefined).catch(() => {
      this.waits = false;
      this.checkAgain(doubted);
    });
  }

  /**
   * Asks as the caller, whose rights are renewed with it. An end of a run that was not heard is seen here at the latest: where the rows
   * say the same a moment later, and nothing was heard of it. What cannot be asked in an outage is asked again.
   */
  private async look(doubted: string | null | undefined): Promise<void> {
    const { db, access, rows, scope, thread_id, connection } = this.parts;
    try {
      const stored = await runInScope(scope, () =>
        db.read(async () => {
          await access.requireThread(connection.caller, thread_id, 'view');
          return rows.readState(thread_id);
        }),
      );
      const { run_id } = stored.state;
      if (connection.isUpToDate(run_id)) return;
      if (run_id === doubted) return connection.catchUp();
      this.checkAgain(run_id);
    } catch (error) {
      if (isRefusal(error)) connection.refuseReader();
      else this.checkAgain();
    }
  }

  private checkAgain(doubted?: string | null): void {
    clearTimeout(this.again);
    if (!this.parts.socket.isOver) this.again = setTimeout(() => void this.checkState(doubted), AGAIN_MS).unref();
  }

  private expireAt(moment: Date): void {
    const left = moment.getTime() - Date.now();
    this.expiring = setTimeout(
      () => (left > LONGEST_MS ? this.expireAt(moment) : this.connection.closeStream('expired')),
      Math.max(0, Math.min(left, LONGEST_MS)),
    ).unref();
  }
}
