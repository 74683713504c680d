import { Injectable } from '@nestjs/common';
import { Clock, Ids } from '@atrium/platform/kernel';
import { mailTime } from '../../mail/domain/mailer';
import { INVITATION_LIFE, mustSignIn } from '../domain/invitation';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import type { User } from '../domain/user';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import type { Entrance } from '../infrastructure/users.repository';
import { Links } from '../../mail/application/links';
import { Mail } from '../../mail/application/mail';

/** A link that was made and is not sent yet; the token itself is nowhere else. */
export interface MintedLink {
  readonly inv_id: string;
  readonly token: string;
  readonly user: User;
  readonly by: string | null;
  readonly expires: Date;
  readonly resent: boolean;
  /** By mail alone: the caller never sees the link. */
  readonly mailed: boolean;
}

/** What the inviting member sees once of a link that is not mailed. It does not open an account that has an owner. */
export interface ShownLink {
  readonly invite_url: string;
  readonly needs_sign_in: boolean;
}

/** Makes and sends links to people who are invited: mint with the change of the member, open with its row, deliver last. */
@Injectable()
export class InvitationSender {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly links: Links,
    private readonly mail: Mail,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  mintLink(user: User, by: string | null, { resent = false, byMail }: { readonly resent?: boolean; readonly byMail: boolean }): MintedLink {
    const expires = this.clock.after(INVITATION_LIFE);
    user.invite(by, expires, this.clock);
    return {
      inv_id: this.ids.next(),
      token: newSecretToken(),
      user,
      by,
      expires,
      resent,
      mailed: byMail && this.mail.configured && user.user_email !== null,
    };
  }

  /** Kills the link before and makes this one good. */
  activateLink({ inv_id, token, user, by, expires, resent, mailed }: MintedLink): Promise<void> {
    return this.invitations.openInvitation({ inv_id, user_id: user.user_id, hash: hashOfToken(token), by, expires, resent, mailed });
  }

  /** By mail, if mail is wanted and configured; else returns the address to the caller. */
  async deliverLink(
    { inv_id, token, user, expires, mailed }: MintedLink,
    { ws_name, ws_locale, inviter }: Entrance,
  ): Promise<ShownLink | undefined> {
    const link = this.links.invitationUrl(token);
    if (!mailed || user.user_email === null) return { invite_url: link, needs_sign_in: await this.needsSignIn(token) };
    this.mail.queueMail({
      template: 'invitation',
      to: user.user_email,
      user_id: user.user_id,
      vars: { ws_name, inviter: inviter ?? ws_name, link, expires: mailTime(expires) },
      locale: user.user_locale ?? ws_locale,
      key: inv_id,
    });
    return undefined;
  }

  private async needsSignIn(token: string): Promise<boolean> {
    const found = await this.invitations.findInvitationInTransaction(hashOfToken(token));
    return found !== undefined && mustSignIn(found);
  }
}
