import { Injectable } from '@nestjs/common';
import { Bytes } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { DistributionSignals } from '../../control/application/distribution-signals';
import { PublicationFollowing } from './publication-following';

/** What happens elsewhere and reaches the public: found malware, and the status of the workspace. */
@Injectable()
export class ServedChanges {
  constructor(
    private readonly db: Database,
    private readonly publications: PublicationsRepository,
    private readonly following: PublicationFollowing,
    private readonly bytes: Bytes,
    private readonly signals: DistributionSignals,
  ) {}

  /** What is live must not be what was put into quarantine; an earlier version that is live stays. */
  withdrawQuarantined(file_id: string): Promise<void> {
    return this.db.write(async () => {
      for (const publication of await this.publications.lockLiveOf([file_id])) {
        const hash = publication.pub_object === null ? publication.pub_wanted_hash : publication.pub_hash;
        if (hash !== null && (await this.isWithheld(file_id, hash))) await this.following.withdrawPublications([publication], 'hold');
      }
    });
  }

  /** Serving processes read the status of the workspace again. */
  notifyWorkspaceChange(): Promise<void> {
    return this.db.write(() => {
      this.signals.notifyRulesChange();
      return Promise.resolve();
    });
  }

  private async isWithheld(file_id: string, hash: string): Promise<boolean> {
    try {
      await this.bytes.requireBytes(file_id, hash);
      return false;
    } catch (error) {
      if (error instanceof Problem) return error.code === 'invalid_state';
      throw error;
    }
  }
}
