import { apartFromRequest, onceForAll, SECOND, type JsonObject } from '@atrium/platform/kernel';
import type { Joined } from '@atrium/platform/messaging';
import type { FollowedThread } from './followed-thread';

/** When the database did not say who is there. */
const LOOK_AGAIN_MS = 5 * SECOND;

/** Who follows one thread in this process: they share what is heard of it, and the list of who is there. */
export class ThreadAudience {
  readonly followers = new Set<FollowedThread>();
  private joined: Promise<Joined> | undefined;
  private readonly joining = onceForAll(() => (this.joined = this.join(this)));
  private shown: string | undefined;
  private next: NodeJS.Timeout | undefined;
  private checks = 0;

  constructor(
    private readonly join: (crowd: ThreadAudience) => Promise<Joined>,
    /** Who is there now, and when that changes by itself. */
    private readonly present: () => Promise<{ readonly data: JsonObject; readonly until: number | null }>,
  ) {}

  addFollower(follower: FollowedThread): void {
    this.followers.add(follower);
  }

  /** Resolves when those who entered hear everything that happens from now on. */
  async startListening(): Promise<void> {
    // They may have left while they waited for this.
    if (this.followers.size === 0) return;
    await this.joining();
    await this.broadcastPresence();
  }

  /** Whether nobody is left: then it is over. */
  removeFollower(follower: FollowedThread): boolean {
    this.followers.delete(follower);
    if (this.followers.size > 0) return false;
    clearTimeout(this.next);
    void this.joined?.then((joined) => joined.leaveStream()).catch(() => undefined);
    return true;
  }

  /** Notifies all followers when who is there has changed, and looks again when somebody's time is up. */
  async broadcastPresence(): Promise<void> {
    const check = ++this.checks;
    const found = await this.present().catch(() => null);
    // A look that began later knows better.
    if (check !== this.checks || this.followers.size === 0) return;
    clearTimeout(this.next);
    const next = found ? found.until : LOOK_AGAIN_MS;
    if (next !== null) this.next = apartFromRequest(() => setTimeout(() => void this.broadcastPresence(), next).unref());
    if (found) this.show(found.data);
  }

  private show(data: JsonObject): void {
    const users = JSON.stringify(data.users);
    const before = this.shown;
    this.shown = users;
    // The first follower knows it from the beginning of its own stream.
    if (before === undefined || before === users) return;
    for (const follower of this.followers) follower.connection.sendPresence(data);
  }
}
