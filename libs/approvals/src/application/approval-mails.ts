import { Injectable } from '@nestjs/common';
import { ActingCallers, KnownMembers, Mail, type Addressee } from '@atrium/identity';
import { Clock, newId } from '@atrium/platform/kernel';
import type { ApprovalTransition } from '../domain/approval-flow';
import type { ApprovalRequest } from '../domain/approval-request';
import { namedByActions } from '../domain/flow-parts';
import type { SubjectRef } from '../domain/subject-ref';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import { ApprovalSubjects } from '../infrastructure/approval-subjects';
import { Approvers } from './approvers';

const MOST_NOTIFIED = 100;

/** A move that people are notified of. */
export interface NotifiedMove {
  readonly ref: SubjectRef;
  readonly transition: ApprovalTransition;
  /** What the new state is called. */
  readonly state: string;
  readonly comment: string | null;
  readonly by: string;
}

/** Mails on requests and moves, within the unit of work of what they report; nobody is written to who may not see the subject. */
@Injectable()
export class ApprovalMails {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly approvers: Approvers,
    private readonly members: KnownMembers,
    private readonly callers: ActingCallers,
    private readonly mail: Mail,
    private readonly requests: ApprovalRequestsRepository,
    private readonly clock: Clock,
  ) {}

  /** To the people who are asked. */
  async sendRequest(request: ApprovalRequest): Promise<void> {
    if (!this.mail.configured) return;
    const people = await this.approvers.findAskedPeople(request);
    if (people === null) return;
    if (people.length === 0) return this.sendStall(request);
    const [subject, requester] = [await this.nameOf(request.subject), await this.nameOfMember(request.car_requested_by)];
    for (const person of people)
      this.mail.queueMail({
        template: 'approval_requested',
        ...addressed(person, `approval-requested.${request.car_id}`),
        vars: {
          ws_name: person.ws_name,
          requester,
          subject,
          transition: request.car_transition.name,
          comment: request.car_comment ?? '',
        },
      });
  }

  /** To the person who asked, unless it was they who closed the request. */
  async sendClosing(
    request: ApprovalRequest,
    { by, comment }: { readonly by: string | null; readonly comment: string | null },
  ): Promise<void> {
    if (!this.mail.configured || by === request.car_requested_by) return;
    const people = await this.readersAmong(request.subject, await this.members.resolveAddressees([request.car_requested_by], 1));
    const subject = await this.nameOf(request.subject);
    for (const person of people)
      this.mail.queueMail({
        template: 'approval_closed',
        ...addressed(person, `approval-closed.${request.car_id}`),
        vars: {
          ws_name: person.ws_name,
          subject,
          transition: request.car_transition.name,
          what: request.car_status,
          comment: comment ?? '',
        },
      });
  }

  /** To the person who asked and the contacts of the subject, once, where all who may approve have done so and more are needed. */
  async sendStallIfStuck(request: ApprovalRequest, decided: ReadonlySet<string> = new Set()): Promise<void> {
    if (!this.mail.configured) return;
    const people = await this.approvers.findAskedPeople(request);
    const isStuck = people?.every(({ user_id }) => decided.has(user_id)) ?? false;
    if (isStuck === (request.car_stalled !== null)) return;
    if (isStuck) await this.sendStall(request);
    else await this.requests.noteStall(request.car_id, null);
  }

  /** To those whom the transition notifies, except the person who makes it. */
  async sendMove({ ref, transition, state, comment, by }: NotifiedMove): Promise<void> {
    if (!this.mail.configured || transition.actions.length === 0) return;
    const named = namedByActions(transition.actions, await this.approvers.findCreator(ref));
    const people = await this.readersAmong(ref, await this.members.resolveAddressees(named, MOST_NOTIFIED));
    const [subject, mover, move] = [await this.nameOf(ref), await this.nameOfMember(by), newId()];
    for (const person of people.filter(({ user_id }) => user_id !== by))
      this.mail.queueMail({
        template: 'approval_moved',
        ...addressed(person, `approval-moved.${move}`),
        vars: { ws_name: person.ws_name, mover, subject, state, comment: comment ?? '' },
      });
  }

  private async sendStall(request: ApprovalRequest): Promise<void> {
    await this.requests.noteStall(request.car_id, this.clock.now());
    const contacts = (await this.subjects.getSubject(request.car_subject_type).findContacts?.(request.car_subject_id)) ?? [];
    const named = await this.members.resolveAddressees([request.car_requested_by, ...contacts], MOST_NOTIFIED);
    const [people, subject] = [await this.readersAmong(request.subject, named), await this.nameOf(request.subject)];
    for (const person of people)
      this.mail.queueMail({
        template: 'approval_stalled',
        ...addressed(person, `approval-stalled.${request.car_id}.${newId()}`),
        vars: { ws_name: person.ws_name, subject, transition: request.car_transition.name },
      });
  }

  private async readersAmong(ref: SubjectRef, people: readonly Addressee[]): Promise<readonly Addressee[]> {
    const readers = await this.callers.resolveMemberPrincipals(people.map(({ user_id }) => user_id));
    const relations = await this.subjects.findRelations([...readers.values()], ref);
    return people.filter(({ user_id }) => relations.get(user_id)?.reads);
  }

  private async nameOf({ type, id }: SubjectRef): Promise<string> {
    const subject = this.subjects.getSubject(type);
    return (await subject.findNames([id])).get(id) ?? subject.noun;
  }

  private async nameOfMember(user_id: string): Promise<string> {
    return (await this.members.nameOf(user_id)) ?? '';
  }
}

const addressed = ({ user_id, user_email, user_locale }: Addressee, key: string) => ({
  to: user_email,
  user_id,
  locale: user_locale,
  key: `${key}.${user_id}`,
});
