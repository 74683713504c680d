import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

interface NamingLink extends Record<string, unknown> {
  readonly share_id: string;
  readonly share_name: string;
  readonly share_created_by: string;
}

/** Reports where a file is shared: links that name it. Links of others are named to those who administer them, else counted. */
@Injectable()
export class ShareReferences implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly references: FileReferences,
  ) {}

  onModuleInit(): void {
    this.references.register({ referencesTo: (caller, file) => this.referencesTo(caller, file) });
  }

  private async referencesTo(caller: Principal, file: string): Promise<KnownReferences> {
    const links = await this.db.current().query<NamingLink>(sql`
      SELECT l.share_id, l.share_name, l.share_created_by FROM share_links_naming(${file}::text) n (id) JOIN share_link l ON l.tenant_id = ${requireScope().tenant_id} AND l.share_id = n.id
      WHERE l.share_revoked IS NULL ORDER BY l.share_created DESC, l.share_id`);
    const shown = links.filter(
      ({ share_created_by }) => share_created_by === caller.user_id || caller.permissions.has('admin:share-links'),
    );
    return {
      data: shown.map(({ share_id, share_name }) => ({
        ref_type: 'share_link',
        ref_id: share_id,
        ref_name: share_name,
        ref_detail: null,
        ref_blocking: false,
      })),
      hidden: links.length - shown.length,
      hidden_kinds: { share_link: links.length - shown.length },
    };
  }
}
