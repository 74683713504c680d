import { Injectable } from '@nestjs/common';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { requireScope } from '@atrium/platform/database';
import { downloadsOf, storedOptions, type ShareOptions } from '../domain/share-options';
import type { ShareLinkRow } from '../infrastructure/share-links.repository';
import { ShareSecrets } from './share-secrets';

/** A link as those see it who administer links: without its address. */
export type IssuedShareLink = Omit<ShareLinkRow, 'share_token_enc' | 'share_options'> & {
  readonly share_options: ShareOptions;
  readonly share_downloads: ReturnType<typeof downloadsOf>;
  readonly kiosk_url: string | null;
};

/** A link as its maker sees it. */
export type OwnShareLink = IssuedShareLink & { readonly share_url: string };

/** Where links lead: pages of this service. */
@Injectable()
export class ShareAnswers {
  constructor(
    private readonly secrets: ShareSecrets,
    private readonly settings: Settings,
  ) {}

  toIssuedLink({ share_token_enc: _, ...row }: ShareLinkRow): IssuedShareLink {
    const share_options = storedOptions(row.share_options);
    return {
      ...row,
      share_options,
      share_downloads: downloadsOf(share_options),
      kiosk_url: row.share_type === 'upload' && row.share_password_set ? `${publicOrigin(this.settings)}/kiosk/${row.share_id}` : null,
    };
  }

  toOwnLink(row: ShareLinkRow): OwnShareLink {
    return { ...this.toIssuedLink(row), share_url: this.linkUrl(this.secrets.openToken(requireScope().tenant_id, row.share_token_enc)) };
  }

  linkUrl(token: string): string {
    return `${publicOrigin(this.settings)}/s/${token}`;
  }
}
