import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileOwners, FileReferences, type FileAction, type FileOwner, type KnownReferences, type Repository } from '@atrium/files';
import { ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, sql, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import { NodeReferenceRows } from '../infrastructure/node-references.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';

/** Pages as other contexts meet them: places where files are used, owners of files, and content of members. */
@Injectable()
export class NodesElsewhere implements FileOwner, OnModuleInit {
  readonly type = 'node' as const;

  constructor(
    private readonly db: Database,
    private readonly nodes: NodesRepository,
    private readonly access: SiteAccess,
    private readonly references: NodeReferenceRows,
    private readonly owners: FileOwners,
    private readonly uses: FileReferences,
    private readonly contents: ContentOwners,
  ) {}

  onModuleInit(): void {
    this.owners.register(this);
    this.uses.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
    this.contents.register({ context: 'pages', transferContent: (move, batch) => this.transfer(move, batch) });
  }

  async hasOwner({ id }: Repository): Promise<boolean> {
    return id !== null && (await this.nodes.findRow(id))?.node_active === true;
  }

  async assertAccess(caller: Principal, { id }: Repository, action: FileAction): Promise<void> {
    const node = id === null ? null : await this.nodes.findRow(id);
    if (!node?.node_active) throw notFound('page');
    if (READS.has(action)) await this.access.requireReadable(caller, node.node_site);
    else await this.access.requireEditable(caller, node.node_site);
  }

  readableCondition(caller: Principal, _repository: Repository, action: FileAction = 'view'): Sql {
    const level = READS.has(action) ? 'view' : 'edit';
    return sql`EXISTS (SELECT FROM node n JOIN site s ON s.tenant_id = n.tenant_id AND s.site_id = n.node_site WHERE n.tenant_id = r.tenant_id AND n.node_id = r.repo_id AND n.node_active AND s.site_active AND ${aclAllows('s.site_acl', caller, level)})`;
  }

  /** Drafts never keep a file from being removed: they show that it is missing. */
  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const { data, hidden } = await this.references.findUsers(caller, file_id);
    return {
      data: data.map(({ node_id, node_name, site_name }) => ({
        ref_type: 'page',
        ref_id: node_id,
        ref_name: node_name,
        ref_detail: site_name,
        ref_blocking: false,
      })),
      hidden,
    };
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const moved = await this.db.write(() => this.nodes.handOver(move, batch));
    return { moved: moved.length, next: moved.length < batch.size ? null : (moved.at(-1) ?? null) };
  }
}

const READS: ReadonlySet<FileAction> = new Set(['view', 'download']);
