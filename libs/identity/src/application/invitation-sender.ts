import { Injectable } from '@nestjs/common';
import { Clock, Ids } from '@atrium/platform/kernel';
import { INVITATION_LIFE, shown } from '../domain/invitation';
import { hashOfToken, newSecretToken } from '../domain/secret-token';
import type { User } from '../domain/user';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import type { Entrance } from '../infrastructure/users.repository';
import { Links } from './links';
import { Mail } from './mail';

/** A link that was made and is not sent yet; the token itself is nowhere else. */
export interface MintedLink {
  readonly inv_id: string;
  readonly token: string;
  readonly user: User;
  readonly by: string | null;
  readonly expires: Date;
  readonly resent: boolean;
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

  mint(user: User, by: string | null, { resent = false }: { readonly resent?: boolean } = {}): MintedLink {
    const expires = this.clock.after(INVITATION_LIFE);
    user.invite(by, expires, this.clock);
    return { inv_id: this.ids.next(), token: newSecretToken(), user, by, expires, resent };
  }

  /** Kills the link before and makes this one good. */
  open({ inv_id, token, user, by, expires, resent }: MintedLink): Promise<void> {
    return this.invitations.open({ inv_id, user_id: user.user_id, hash: hashOfToken(token), by, expires, resent });
  }

  /** By mail, if mail is wanted and configured; else answers the address for whoever asked. */
  deliver({ inv_id, token, user, expires }: MintedLink, { ws_name, ws_locale, inviter }: Entrance, byMail: boolean): string | undefined {
    const link = this.links.invitation(token);
    if (!byMail || !this.mail.configured || user.user_email === null) return link;
    this.mail.send({
      template: 'invitation',
      to: user.user_email,
      user_id: user.user_id,
      vars: { ws_name, inviter: inviter ?? ws_name, link, expires: shown(expires) },
      locale: user.user_locale ?? ws_locale,
      key: inv_id,
    });
    return undefined;
  }
}
