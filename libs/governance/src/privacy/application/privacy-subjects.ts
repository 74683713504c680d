import { Injectable } from '@nestjs/common';
import { Escalation, FormerMembers } from '@atrium/identity';
import { type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, invalidField, isId } from '@atrium/platform/kernel';
import type { PrivacyKind, PrivacyRequest, SubjectType } from '../domain/privacy-request';
import { PrivacyRequestsRepository } from '../infrastructure/privacy-requests.repository';
import type { PersonSubject } from '../../shared/domain/person-subject';

/** Whom a request is about, as it is stored. */
export type Subject = Pick<PrivacyRequest, 'dsr_subject_type' | 'dsr_subject' | 'dsr_user' | 'dsr_subject_key'>;

const MAX_EMAIL = 254;
const EMAIL = /^[^\s@<>"'\\]+@[^\s@<>"'\\.]+(?:\.[^\s@<>"'\\.]+)+$/;

/** Who is meant by a request, and whether the caller reaches that far. Called within a unit of work. */
@Injectable()
export class PrivacySubjects {
  constructor(
    private readonly members: FormerMembers,
    private readonly escalation: Escalation,
    private readonly requests: PrivacyRequestsRepository,
    private readonly db: Database,
  ) {}

  /** The caller, for their own request: keys and services have nobody to ask for. */
  async resolveOwnSubject(caller: Principal, kind: PrivacyKind): Promise<Subject> {
    if (caller.kind !== 'person')
      throw accessDenied('Only people can make a privacy request for themselves, not service accounts or extensions.');
    if (kind === 'erasure') await this.escalation.assertOwnerRemains(caller.user_id);
    return ofUser(caller.user_id);
  }

  async resolveSubject(caller: Principal, kind: PrivacyKind, type: SubjectType, subject: string): Promise<Subject> {
    const found = type === 'user' ? await this.user(subject) : type === 'email' ? await this.address(subject) : unknownPerson();
    await this.assertReach(caller, kind, found.dsr_user);
    return found;
  }

  /** E2 to E4: nobody above the caller, not the last owner, and to be erased not oneself. */
  async assertReach(caller: Principal, kind: PrivacyKind, user_id: string | null): Promise<void> {
    if (user_id === null) return;
    if (kind === 'erasure') this.escalation.assertNotSelf(caller, user_id);
    await this.escalation.assertMayChange(caller, user_id);
    if (kind === 'erasure') await this.escalation.assertOwnerRemains(user_id);
  }

  /** Whose data is looked for; of a person who is erased halfway the address may be gone already. An erasure that has waited for legal holds has kept it. */
  async resolveRequestedPerson({ dsr_id, dsr_user, dsr_subject_type, dsr_subject }: PrivacyRequest): Promise<PersonSubject> {
    const kept = await this.db.read(() => this.requests.findStoredSubject(dsr_id));
    if (kept) return { user_id: dsr_user, ...kept };
    const member = dsr_user === null ? null : await this.members.findPerson({ user_id: dsr_user });
    return {
      user_id: dsr_user,
      email: member?.user_email ?? (dsr_subject_type === 'email' && EMAIL.test(dsr_subject) ? dsr_subject : null),
      name: dsr_user === null ? null : await this.members.findUniqueName(dsr_user),
    };
  }

  private async user(subject: string): Promise<Subject> {
    const member = isId(subject) ? await this.members.findPerson({ user_id: subject.toLowerCase() }) : null;
    if (member?.user_kind !== 'person') throw invalidField('dsr_subject', 'must be a person of this workspace', 'reference');
    return ofUser(member.user_id);
  }

  private async address(subject: string): Promise<Subject> {
    const email = subject.trim().toLowerCase();
    if (email.length > MAX_EMAIL || !EMAIL.test(email)) throw invalidField('dsr_subject', 'must be an e-mail address', 'format');
    const member = await this.members.findPerson({ email });
    return { dsr_subject_type: 'email', dsr_subject: email, dsr_user: member?.user_id ?? null, dsr_subject_key: member?.user_id ?? email };
  }
}

const ofUser = (user_id: string): Subject => ({
  dsr_subject_type: 'user',
  dsr_subject: user_id,
  dsr_user: user_id,
  dsr_subject_key: user_id,
});

function unknownPerson(): never {
  throw invalidField('dsr_subject', 'must be a person recognized in pictures of this workspace', 'reference');
}
