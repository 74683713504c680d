import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { FormReferences } from './form-references';

const NO_MEMBER = 'is not a member of this workspace.';
const NO_ROLE = 'is not a role of this workspace.';

/** Answers for the types user and role. */
@Injectable()
export class MemberReferences implements OnModuleInit {
  constructor(
    private readonly references: FormReferences,
    private readonly members: KnownMembers,
  ) {}

  onModuleInit(): void {
    this.references.register('user', {
      findMisfits: async (questions) => {
        const known = await this.members.findMemberIds(questions.map(({ id }) => id));
        return questions.map(({ id }) => (known.has(id) ? null : NO_MEMBER));
      },
    });
    this.references.register('role', {
      findMisfits: async (questions) => {
        const known = await this.members.filterExistingRoles(questions.map(({ id }) => id));
        return questions.map(({ id }) => (known.has(id) ? null : NO_ROLE));
      },
    });
  }
}
