import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { PublicationsRepository, type DueChange } from '../infrastructure/publications.repository';
import { EdgePolicies } from './edge-policies';
import { PublicationFollowing } from './publication-following';

const AT_ONCE = 200;
const MOST_ROUNDS = 50;

/** What is due of publications, of all workspaces: windows that opened or closed, and edges that were not reached. One in trouble does not hold up the others. */
@Injectable()
export class DueChanges {
  private readonly log = new Logger(DueChanges.name);

  constructor(
    private readonly publications: PublicationsRepository,
    private readonly following: PublicationFollowing,
    private readonly edges: EdgePolicies,
  ) {}

  async applyDue(signal: AbortSignal): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const due = await this.publications.findDueChanges(AT_ONCE);
      let failed = 0;
      for (const change of due) {
        if (signal.aborted) return;
        failed += await inWorkspace(change.tenant_id, () => this.apply(change)).then(
          () => 0,
          (error: unknown) => this.report(change, error),
        );
      }
      if (due.length < AT_ONCE || failed > 0) return;
    }
  }

  private apply({ kind, id }: DueChange): Promise<void> {
    if (kind === 'edge') return this.edges.requeueLost({ pub_id: id });
    if (kind === 'sync') return this.edges.requeueLost({ es_id: id });
    return this.following.applyWindow(id);
  }

  private report({ kind, id }: DueChange, error: unknown): number {
    this.log.warn({ msg: 'a publication could not be moved along', kind, id, err: error });
    return 1;
  }
}
