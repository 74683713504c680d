import { Injectable } from '@nestjs/common';
import { ActingCallers, KnownMembers, Mail, mailTime } from '@atrium/identity';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { withoutEnd } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { SocialConnection } from '../domain/social-connection';
import { DependentPostRows } from '../infrastructure/dependent-posts.rows';

const MOST_NAMED = 10;

/** What is reported of connections: events for others, and mails to the person who connected the account. Within the unit of work of the change. */
@Injectable()
export class ConnectionNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly callers: ActingCallers,
    private readonly mail: Mail,
    private readonly posts: DependentPostRows,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  emitChange(name: 'connected' | 'expiring' | 'expired' | 'revoked', { con_id, con_platform }: SocialConnection): void {
    this.outbox.emitEvent({ name: `social_connection.${name}`, subject_id: con_id, payload: { platform: con_platform } });
  }

  async notifyRevoked(connection: SocialConnection): Promise<void> {
    this.emitChange('revoked', connection);
    for (const { user_id, user_email, user_locale, ws_name } of await this.contactsOf(connection))
      this.mail.queueMail({
        template: 'social_connection_revoked',
        to: user_email,
        locale: user_locale,
        user_id,
        key: `social-revoked-${connection.con_id}-${connection.con_token_version}`,
        vars: { ws_name, ...(await this.factsOf(connection, user_id)) },
      });
  }

  /** So many days before the end, with the posts that would not be sent. */
  async warn(connection: SocialConnection, days: number): Promise<void> {
    for (const { user_id, user_email, user_locale, ws_name } of await this.contactsOf(connection))
      this.mail.queueMail({
        template: 'social_connection_expiring',
        to: user_email,
        locale: user_locale,
        user_id,
        key: `social-expiring-${connection.con_id}-${connection.con_token_version}-${days}`,
        vars: { ws_name, days: String(days), expires: mailTime(connection.con_expires), ...(await this.factsOf(connection, user_id)) },
      });
  }

  private contactsOf({ con_connected_by }: SocialConnection): ReturnType<KnownMembers['resolveAddressees']> {
    return this.members.resolveAddressees(con_connected_by ? [con_connected_by] : [], 1);
  }

  /** Posts are named to those alone who may see them. */
  private async factsOf({ con_id, con_account_name }: SocialConnection, user_id: string) {
    const reader = (await this.callers.resolveMemberPrincipals([user_id])).get(user_id);
    const posts = reader?.permissions.has('social:view') ? await this.posts.listScheduledPosts(reader, con_id, MOST_NAMED) : [];
    const origin = withoutEnd(this.settings.APP_URL, /\//) || publicOrigin(this.settings);
    return {
      platform: 'LinkedIn',
      account: con_account_name,
      posts: posts.map(({ sp_title }) => sp_title).join(', '),
      link: `${origin}/social/connections/${con_id}`,
    };
  }
}
