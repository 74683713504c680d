import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, DAY } from '@atrium/platform/kernel';
import { WebsiteExpiry } from '../../sites/application/website-expiry';
import { NodesRepository } from '../infrastructure/nodes.repository';

/** How long a page can be restored from the trash. */
const TRASH_MS = 30 * DAY;
const STRETCH = 100;

/** The trash of sites: what has been in it for thirty days is removed for good, the lowest levels first. */
@Injectable()
export class NodeExpiry implements OnModuleInit {
  constructor(
    private readonly expiry: WebsiteExpiry,
    private readonly nodes: NodesRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.expiry.register({ name: 'pages in the trash', removeStretch: () => this.removeStretch() });
  }

  private async removeStretch(): Promise<boolean> {
    return (await this.nodes.purgeTrash(this.clock.after(-TRASH_MS), STRETCH)) > 0;
  }
}
