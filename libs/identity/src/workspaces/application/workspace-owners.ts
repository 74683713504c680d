import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, enterWorkspace } from '@atrium/platform/database';
import { Clock, Ids, invalidField, newId } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { isEmail, normalEmail } from '../../shared/domain/email';
import { INVITATION_LIFE } from '../../people/domain/invitation';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { noSuchWorkspace } from '../domain/workspace-life';
import { InvitationsRepository } from '../../people/infrastructure/invitations.repository';
import { OperatedMemberRows } from '../infrastructure/operated-member.rows';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { Links } from '../../mail/application/links';
import { WORKSPACES_AUDIT } from './workspaces.audit';

const MAX_NAME = 255;

/** Owners that operators let into workspaces: invited by a link that is shown to the operator once. */
@Injectable()
export class WorkspaceOwners {
  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly members: OperatedMemberRows,
    private readonly invitations: InvitationsRepository,
    private readonly links: Links,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Lets a person into a workspace that nobody can open any more: a member becomes an owner, anybody else is invited as one. */
  async addOwner(ws_id: string, user_email: string, user_name?: string): Promise<{ user_id: string; invite_url: string | null }> {
    const email = checkedEmail(user_email);
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        if (!(await this.rows.findCurrentWorkspace({ lock: true }))) throw noSuchWorkspace();
        const member = await this.members.lockMembership(ws_id, email);
        const user_id = member?.user_id ?? (await this.admit(ws_id, email, user_name ?? email));
        await this.members.insertOwnerRole(ws_id, user_id);
        if (member?.user_status === 'suspended') await this.members.activateMember(ws_id, user_id);
        const invite_url =
          member && member.user_status !== 'invited' && member.user_status !== 'removed' ? null : await this.inviteMember(user_id);
        this.audit.record({ type: WORKSPACES_AUDIT['workspace.owner_added'], target: { type: 'user', id: user_id, name: email } });
        this.outbox.emitEvent({ name: 'user.updated', subject_id: user_id, payload: { changed: ['user_roles'] } });
        return { user_id, invite_url };
      }),
    );
  }

  private async admit(ws_id: string, user_email: string, user_name: string): Promise<string> {
    const spec = { user_id: this.ids.next(), user_email, user_name, password_hash: null, role_keys: [] };
    return (await this.members.insertMember(ws_id, spec)) ?? spec.user_id;
  }

  /** Within an open `db.write`: the member waits for the link to be followed; returns the link to the caller. */
  async inviteMember(user_id: string): Promise<string> {
    const token = newSecretToken();
    const expires = this.clock.after(INVITATION_LIFE);
    await this.members.markInvited(user_id, expires);
    await this.invitations.openInvitation({
      inv_id: newId(),
      user_id,
      hash: hashOfToken(token),
      by: null,
      expires,
      resent: false,
      mailed: false,
    });
    return this.links.invitationUrl(token);
  }
}

/** The address as it is stored, or the refusal of what is none. */
export function checkedEmail(text: string): string {
  const email = normalEmail(text);
  if (!isEmail(email)) throw invalidField('user_email', 'must be an e-mail address', 'format');
  return email;
}

export function assertName(path: string, text: string): void {
  if (text.trim().length === 0 || text.length > MAX_NAME)
    throw invalidField(path, `must have 1 to ${MAX_NAME} characters`, text.length > MAX_NAME ? 'too_long' : 'too_short');
}
