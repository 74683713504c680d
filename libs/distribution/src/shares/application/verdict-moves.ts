import { Injectable } from '@nestjs/common';
import { StatusChanges } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { Problem } from '@atrium/platform/kernel';
import type { ShareLink } from '../domain/share-link';
import type { VerdictWord } from '../domain/share-verdict';

/**
 * Moves a file to the status that its link names for a verdict, by the rights of the link's creator. A transition that the flow
 * does not have, or that they may not use, is skipped; the verdict is valid all the same.
 */
@Injectable()
export class VerdictMoves {
  constructor(private readonly statuses: StatusChanges) {}

  /** Within a writing unit of work. */
  async follow(member: Principal, { options, share_name }: ShareLink, file_id: string, verdict: VerdictWord): Promise<void> {
    const status = verdict === 'approved' ? options.approved_status : options.rejected_status;
    if (status === null) return;
    try {
      await this.statuses.change(member, [file_id], status, `By a visitor of the link ${share_name}.`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
}
