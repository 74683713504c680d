import { Choice, Ref, Text } from '@atrium/platform/database';
import { MEMBER_TYPES, type MemberType } from './thread-acl';
import { THREAD_LEVELS, type ThreadLevel } from './thread-level';

/** Somebody who takes part in a thread: a person, a role or a space. */
export class ThreadMember {
  @Choice(MEMBER_TYPES, { about: 'A person, everybody with a role, or everybody in a space.', example: 'user' }) member_type!: MemberType;
  @Ref({ about: 'Id of the person, role or space.' }) member_id!: string;
  @Text({ optional: true, about: 'Name; null for former members.', example: 'Ada Lovelace' }) member_name!: string | null;
  @Choice(THREAD_LEVELS, {
    about: 'What they may do: read, write, or decide about the thread. Viewers of the space of a collaboration only read.',
    example: 'edit',
  })
  member_level!: ThreadLevel;
  @Choice(['viewing', 'typing'], { optional: true, about: 'What a person does there at the moment; null: nothing.' })
  member_state!: 'viewing' | 'typing' | null;
}
