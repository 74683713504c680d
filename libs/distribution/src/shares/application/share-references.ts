import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';

/** Reports where a file is shared: links that name it. Links of others are named to those who administer them, else counted. */
@Injectable()
export class ShareReferences implements OnModuleInit {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly references: FileReferences,
  ) {}

  onModuleInit(): void {
    this.references.register({ referencesTo: (caller, file) => this.referencesTo(caller, file) });
  }

  private async referencesTo(caller: Principal, file: string): Promise<KnownReferences> {
    const links = await this.links.findNaming(file);
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
