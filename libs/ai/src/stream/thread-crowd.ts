import type { JsonObject } from '@atrium/platform/kernel';
import type { Joined } from '@atrium/platform/messaging';
import type { FollowedThread } from './followed-thread';

/** Who follows one thread in this process: they share what is heard of it, and the list of who is there. */
export class ThreadCrowd {
  readonly followers = new Set<FollowedThread>();
  private joined: Promise<Joined> | undefined;
  private shown: string | undefined;
  private next: NodeJS.Timeout | undefined;

  constructor(
    private readonly join: (crowd: ThreadCrowd) => Promise<Joined>,
    /** Who is there now, and when that changes by itself. */
    private readonly present: () => Promise<{ readonly data: JsonObject; readonly until: number | null }>,
  ) {}

  enter(follower: FollowedThread): void {
    this.followers.add(follower);
  }

  /** Resolves when those who entered hear everything that happens from now on. */
  async listen(): Promise<void> {
    await (this.joined ??= this.join(this));
    await this.lookAround();
  }

  /** Whether nobody is left: then it is over. */
  leave(follower: FollowedThread): boolean {
    this.followers.delete(follower);
    if (this.followers.size > 0) return false;
    clearTimeout(this.next);
    void this.joined?.then((joined) => joined.leave()).catch(() => undefined);
    return true;
  }

  /** Tells all who is there when that has changed, and looks again when somebody's time is up. */
  async lookAround(): Promise<void> {
    const found = await this.present().catch(() => null);
    if (!found || this.followers.size === 0) return;
    clearTimeout(this.next);
    if (found.until !== null) this.next = setTimeout(() => void this.lookAround(), found.until).unref();
    const users = JSON.stringify(found.data.users);
    const before = this.shown;
    this.shown = users;
    // Whoever came first is told by the stream's own beginning.
    if (before === undefined || before === users) return;
    for (const follower of this.followers) follower.connection.presence(found.data);
  }
}
