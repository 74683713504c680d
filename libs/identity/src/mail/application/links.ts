import { withoutEnd } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { publicOrigin, Settings } from '@atrium/platform/config';

/** Addresses of the web application that mails and answers lead to. */
@Injectable()
export class Links {
  constructor(private readonly settings: Settings) {}

  invitationUrl(token: string): string {
    return this.at(`invitations/${token}`);
  }

  passwordReset(token: string): string {
    return this.at(`reset-password/${token}`);
  }

  emailConfirmation(token: string): string {
    return this.at(`confirm-email/${token}`);
  }

  emailUndo(token: string): string {
    return this.at(`undo-email/${token}`);
  }

  pageUrl(site_id: string, node_id: string): string {
    return this.at(`sites/${site_id}/pages/${node_id}`);
  }

  siteCmsUrl(site_id: string): string {
    return this.at(`sites/${site_id}/cms`);
  }

  socialConnectionsUrl(): string {
    return this.at('settings/social');
  }

  socialPostUrl(sp_id: string): string {
    return this.at(`social-posts/${sp_id}`);
  }

  private at(path: string): string {
    const origin = withoutEnd(this.settings.APP_URL, /\//) || publicOrigin(this.settings);
    return `${origin}/${path}`;
  }
}
