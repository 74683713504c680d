import { Injectable } from '@nestjs/common';
import { ActingCallers, KnownMembers, type Addressee } from '@atrium/identity';
import type { Permission, Principal } from '@atrium/platform/access';
import { mayTransition } from '../domain/allowed-actors';
import type { ApprovalRequest } from '../domain/approval-request';
import type { ApprovalTransition } from '../domain/approval-flow';
import type { SubjectRef } from '../domain/subject-ref';
import type { Waiting } from '../infrastructure/approval-requests.repository';
import { ApprovalSubjects, type SubjectRelation } from '../infrastructure/approval-subjects';

/** What approvers of every transition have. */
const APPROVE: Permission = 'content:approve';
const MOST_ASKED = 100;

/** Decides who may approve what: those whom the transition names, or else who may edit the subject, with the permission to approve. */
@Injectable()
export class Approvers {
  constructor(
    private readonly subjects: ApprovalSubjects,
    private readonly callers: ActingCallers,
    private readonly members: KnownMembers,
  ) {}

  /** Whom a new request waits for. */
  queueOf({ approvals: { movers } }: ApprovalTransition, { type }: SubjectRef, creator: string | null): Waiting[] {
    const named = [
      ...movers.users.map((ref) => ({ kind: 'user' as const, ref })),
      ...(movers.creator && creator !== null ? [{ kind: 'user' as const, ref: creator }] : []),
      ...movers.roles.map((ref) => ({ kind: 'role' as const, ref })),
      ...movers.permissions.map((ref) => ({ kind: 'permission' as const, ref })),
    ];
    return named.length > 0 || movers.creator ? named : [{ kind: 'editor', ref: type }];
  }

  /** Under which entries requests wait for a person; none for one who may not approve. */
  queuesFor(person: Principal): Waiting[] {
    if (!person.permissions.has(APPROVE)) return [];
    return [
      { kind: 'user', ref: person.user_id },
      ...person.role_ids.map((ref) => ({ kind: 'role' as const, ref })),
      ...person.permissions.list().map((ref) => ({ kind: 'permission' as const, ref })),
      ...this.subjects.types
        .filter((type) => person.permissions.has(this.subjects.getSubject(type).edit))
        .map((ref) => ({ kind: 'editor' as const, ref })),
    ];
  }

  isApprover(person: Principal, { approvals: { movers } }: ApprovalTransition, relation: SubjectRelation): boolean {
    return relation.reads && person.permissions.has(APPROVE) && mayTransition(person, movers, relation);
  }

  /** Those among the people who may approve now: former members, and members whose rights were taken away, may not. */
  async filterApprovers({ car_transition, subject }: ApprovalRequest, user_ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (user_ids.length === 0) return new Set();
    const people = [...(await this.callers.resolveMemberPrincipals(user_ids)).values()];
    const relations = await this.subjects.findRelations(people, subject);
    return new Set(
      people.flatMap((person) => {
        const relation = relations.get(person.user_id);
        return relation && this.isApprover(person, car_transition, relation) ? [person.user_id] : [];
      }),
    );
  }

  /** The people whom a request names and who may approve it; null where it names nobody, or holders of permissions, whom nobody lists. */
  async findAskedPeople(request: ApprovalRequest): Promise<readonly Addressee[] | null> {
    const { movers } = request.car_transition.approvals;
    const creator = movers.creator ? await this.findCreator(request.subject) : null;
    const named = [...movers.users, ...movers.roles, ...(creator === null ? [] : [creator])];
    if (movers.permissions.length > 0 || (named.length === 0 && !movers.creator)) return null;
    const people = await this.members.resolveAddressees(named, MOST_ASKED);
    const mayApprove = await this.filterApprovers(
      request,
      people.map(({ user_id }) => user_id),
    );
    return people.filter(({ user_id }) => mayApprove.has(user_id) && (request.car_allow_self || user_id !== request.car_requested_by));
  }

  async findCreator({ type, id }: SubjectRef): Promise<string | null> {
    return (await this.subjects.getSubject(type).findCreators([id])).get(id) ?? null;
  }
}
