import { Choice, Ref, Text } from '@atrium/platform/database';
import { MEMBER_TYPES, type MemberType } from './thread-acl';
import { THREAD_LEVELS, type ThreadLevel } from './thread-level';

/** Somebody who takes part in a thread: a person, a role or a space. */
export class ThreadMember {
  @Choice(MEMBER_TYPES, { about: 'Whether the member is a person, a role or a space.', example: 'user' }) member_type!: MemberType;
  @Ref({ about: 'Id of the person, role or space.' }) member_id!: string;
  @Text({ optional: true, about: 'Name of the member; null for former members.', example: 'Ada Lovelace' }) member_name!: string | null;
  @Choice(THREAD_LEVELS, {
    about:
      'Access level: read (`view`), write (`edit`), or manage the thread (`owner`). Viewers of the space of a collaboration can only read.',
    example: 'edit',
  })
  member_level!: ThreadLevel;
  @Choice(['viewing', 'typing'], { optional: true, about: 'Current presence of the person; null for none.' })
  member_state!: 'viewing' | 'typing' | null;
}
