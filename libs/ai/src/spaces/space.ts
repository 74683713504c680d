import { Active, Choice, COLOR_FORM, Id, IdList, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

/** A room that threads are shared in. Its members are people and roles; at least one of them owns it. */
@Resource({ table: 'space', sort: '-space_created' })
export class Space extends TenantRow {
  @Id({ about: 'Id of the space.' }) readonly space_id!: string;
  @Text({
    min: 1,
    max: 120,
    about: 'Name of the space; unique among active spaces, in any case.',
    example: 'Product launch',
    filter: 'contains',
    sort: true,
  })
  space_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the space is for.', example: 'Everything about the spring launch.' })
  space_description!: string | null;
  @Text({ max: 64, optional: true, about: 'Emoji, icon name, or `file:<uuid>`.', example: 'rocket' }) space_icon!: string | null;
  @Text({
    max: 10_000,
    optional: true,
    about: 'Instructions for every answer in the space, in addition to those of the agent.',
    example: 'Write in British English.',
  })
  space_instructions!: string | null;
  @Ref({ optional: true, about: 'Id of the agent that answers in threads of the space without an agent.' }) space_agent!: string | null;
  @IdList({ max: 50, about: 'Ids of the knowledge bases that answers in the space can use.', example: [] })
  space_knowledge!: readonly string[];
  @Text({ max: 7, optional: true, form: COLOR_FORM, about: 'Color as `#rrggbb`.', example: '#3366cc' })
  space_color!: string | null;
  @Ref({ optional: true, about: 'Who created the space.' }) readonly space_user!: string | null;
  @Active(
    { never: 'A deleted space cannot be restored. Create a new space.' },
    { about: 'Whether the space is active; false if it was deleted. Threads of a deleted space are private to their owners.' },
  )
  space_active!: boolean;
  @Json({ about: 'Your own data.', example: {} }) space_metadata!: JsonObject;
  @Stamp({ about: 'When the space was created.', filter: 'range', sort: true }) readonly space_created!: Date;
  @Stamp({ about: 'When the space was last changed.', filter: 'range', sort: true }) space_updated!: Date;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Space, 'space_id' | 'space_name' | 'space_user'>, now: Date): Space {
    return Object.assign(new Space(), {
      row_version: 1,
      space_description: null,
      space_icon: null,
      space_instructions: null,
      space_agent: null,
      space_knowledge: [],
      space_color: null,
      space_active: true,
      space_metadata: {},
      space_created: now,
      space_updated: now,
      ...facts,
    });
  }

  deactivate(clock: Clock): void {
    this.space_active = false;
    this.touch(clock);
  }

  touch(clock: Clock): void {
    this.space_updated = clock.now();
  }
}

export const SPACE_ROLES = ['owner', 'editor', 'viewer'] as const;
export type SpaceRole = (typeof SPACE_ROLES)[number];
export const PRINCIPAL_TYPES = ['user', 'role'] as const;
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** Somebody's place in a space: a person, or everybody who has a role. */
export class SpaceMember {
  @Ref({ about: 'Id of the space.' }) readonly sm_space!: string;
  @Choice(PRINCIPAL_TYPES, { about: 'Whether the member is a person or a role.', example: 'user' })
  readonly sm_principal_type!: PrincipalType;
  @Ref({ about: 'Id of the person or the role.' }) readonly sm_principal!: string;
  @Choice(SPACE_ROLES, {
    about: '`viewer` can read; `editor` can also write in the space and change it; `owner` can also manage its members.',
    example: 'editor',
  })
  readonly sm_role!: SpaceRole;
  @Stamp({ about: 'When the member was added.' }) readonly sm_created!: Date;
  @Ref({ optional: true, about: 'Who added the member.' }) readonly sm_created_by!: string | null;
}

/** Whether a role suffices where another one is asked for. */
export const isRoleSufficient = (role: SpaceRole, wanted: SpaceRole): boolean => SPACE_ROLES.indexOf(role) <= SPACE_ROLES.indexOf(wanted);
