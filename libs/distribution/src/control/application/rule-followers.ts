import { Injectable } from '@nestjs/common';

/** Called within the unit of work that changes rules: with the restriction, or null if the baseline changes. */
export type RuleFollower = (restriction: string | null) => Promise<void>;

/** Who has to tell others when rules change, such as edges outside: registered at start. */
@Injectable()
export class RuleFollowers {
  private readonly followers: RuleFollower[] = [];

  register(follower: RuleFollower): void {
    this.followers.push(follower);
  }

  async notifyChanged(restriction: string | null): Promise<void> {
    for (const follower of this.followers) await follower(restriction);
  }
}
