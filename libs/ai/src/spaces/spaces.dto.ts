import { Choice, Stamp, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, acceptParameter, View } from '@atrium/platform/http';
import { Space, SPACE_ROLES, SpaceMember, type SpaceRole } from './space';

const DESCRIBED = [
  'space_description',
  'space_icon',
  'space_instructions',
  'space_agent',
  'space_knowledge',
  'space_color',
  'space_metadata',
] as const;

export class CreateSpace extends Body(Space, { required: ['space_name'], optional: [...DESCRIBED] }) {}

export class ChangeSpace extends Body(Space, { optional: ['space_name', ...DESCRIBED] }) {}

export class ListSpaces extends ListQuery(Space) {
  all?: boolean;
  space_active?: boolean;
}
acceptParameter(
  ListSpaces,
  { name: 'all', kind: 'flag' },
  {
    type: 'boolean',
    description:
      'Whether to list all spaces of the workspace; spaces that you are not in are returned with only their name and number of members. Requires `admin:users`.',
  },
);

@Answer()
export class SpaceView extends View(Space, { without: ['space_created', 'space_updated'] }) {
  @Whole({ about: 'Number of people and roles in the space.', example: 4 }) space_member_count!: number;
  @Whole({ optional: true, about: 'Number of threads shared in the space; null for administrators who are not in it.', example: 12 })
  space_thread_count!: number | null;
  @Choice(SPACE_ROLES, { optional: true, about: 'Your role in the space; null for administrators who are not in it.', example: 'owner' })
  space_role!: SpaceRole | null;
  @Stamp({
    optional: true,
    about: 'When the space was created; null for administrators who are not in it.',
    example: '2026-03-14T09:26:53.589Z',
  })
  space_created!: Date | null;
  @Stamp({
    optional: true,
    about: 'When the space was last changed; null for administrators who are not in it.',
    example: '2026-03-14T09:26:53.589Z',
  })
  space_updated!: Date | null;
}

export class SpacePage extends PageOf(SpaceView) {}

@Answer()
export class SpaceMemberView extends View(SpaceMember) {}

export class SpaceMemberPage extends PageOf(SpaceMemberView) {}

export class AddSpaceMember extends Body(SpaceMember, { required: ['sm_principal_type', 'sm_principal', 'sm_role'] }) {}

@Accepts()
export class ChangeSpaceMember {
  @Choice(SPACE_ROLES, { about: 'The new role.', example: 'viewer' }) sm_role!: SpaceRole;
}

/** The members of a space are known as a whole: without `limit` a page holds all of them. */
export class ListSpaceMembers extends ListQuery(SpaceMember, { whole: true }) {}
