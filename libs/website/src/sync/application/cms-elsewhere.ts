import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CmsOfNodes } from '../../nodes/application/cms-of-nodes';
import { SiteCmsStatus } from '../../sites/application/site-cms-status';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';

/** What sites and pages show of their CMS, as synchronization is built on them. */
@Injectable()
export class CmsElsewhere implements OnModuleInit {
  constructor(
    private readonly sites: SiteCmsStatus,
    private readonly nodes: CmsOfNodes,
    private readonly connections: CmsConnectionsRepository,
    private readonly links: CmsLinksRepository,
  ) {}

  onModuleInit(): void {
    this.sites.register(async (site_id) => {
      const connection = await this.connections.findRow(site_id);
      return connection && { connected: true, provider: connection.cms_provider, verdicts: await this.links.countVerdicts(site_id) };
    });
    this.nodes.register(async (node_ids) => {
      const links = await this.links.findNodeLinks(node_ids);
      return new Map(
        links.map(({ lnk_node, lnk_external_id, lnk_verdict, lnk_pulled, lnk_pushed }) => [
          lnk_node,
          { external_id: lnk_external_id, verdict: lnk_verdict, pulled: lnk_pulled, pushed: lnk_pushed },
        ]),
      );
    });
  }
}
