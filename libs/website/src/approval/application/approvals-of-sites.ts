import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Approvals } from '@atrium/approvals';
import { PageVersions } from '../../nodes/application/page-versions';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import { SiteListeners } from '../../sites/application/site-listeners';
import { NodeSubjectRows } from '../infrastructure/node-subjects.rows';

/** Approvals end with the locales and the sites that they are about: open requests are withdrawn, and states are forgotten. */
@Injectable()
export class ApprovalsOfSites implements OnModuleInit {
  constructor(
    private readonly listeners: SiteListeners,
    private readonly approvals: Approvals,
    private readonly rows: NodeSubjectRows,
    private readonly versions: PageVersions,
  ) {}

  onModuleInit(): void {
    this.listeners.register({
      onLocalesDropped: async ({ site_id }, { locales }) => {
        await this.recordLoss(site_id, { locales, most: null });
      },
      releaseStretch: (site_id, most) => this.recordLoss(site_id, { locales: null, most }),
    });
  }

  /** Whether anything ended. Versions that only ended requests needed are released. */
  private async recordLoss(
    site_id: string,
    { locales, most }: { readonly locales: readonly string[] | null; readonly most: number | null },
  ): Promise<boolean> {
    const lost = { among: this.rows.conditionOf(site_id), locales, most };
    const { ended, isAnything } = await this.approvals.recordLoss(NODE_SUBJECT, lost);
    await this.versions.releaseVersionsOf([...new Set(ended)]);
    return isAnything;
  }
}
