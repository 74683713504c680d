import { Injectable } from '@nestjs/common';
import type { CmsProvider } from '../../schemas/domain/content-library';

/** Whether a site is connected to a content management system, and how many of its pages have each verdict. */
export interface SiteCms {
  readonly connected: boolean;
  readonly provider: CmsProvider | null;
  readonly verdicts: Readonly<Record<string, number>>;
}

type SiteCmsSource = (site_id: string) => Promise<SiteCms | null>;

/** Asks how sites are connected. Synchronization registers here when the service starts, as it is built on sites. */
@Injectable()
export class SiteCmsStatus {
  private source: SiteCmsSource = () => Promise.resolve(null);

  register(source: SiteCmsSource): void {
    this.source = source;
  }

  async findStatus(site_id: string): Promise<SiteCms> {
    return (await this.source(site_id)) ?? { connected: false, provider: null, verdicts: {} };
  }
}
