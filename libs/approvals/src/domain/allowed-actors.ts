/** Who may make a transition; without any, everyone who may change the subject. */
export interface AllowedActors {
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  readonly users: readonly string[];
  /** Whether the creator of the subject is among them. */
  readonly creator?: boolean;
}

/** Who wants to make a transition. */
export interface Actor {
  readonly user_id: string;
  readonly role_ids: readonly string[];
  readonly permissions: { has(permission: string): boolean };
}

/** What the actor is to the subject. */
export interface ActorRelation {
  /** Whether the actor may change the subject. */
  readonly editor: boolean;
  readonly creator?: boolean;
}

/** Whether the actor is among those who may make a transition. */
export function mayTransition(
  actor: Actor,
  { permissions, roles, users, creator = false }: AllowedActors,
  relation: ActorRelation,
): boolean {
  if (permissions.length + roles.length + users.length === 0 && !creator) return relation.editor;
  return (
    permissions.some((permission) => actor.permissions.has(permission)) ||
    roles.some((role) => actor.role_ids.includes(role)) ||
    users.includes(actor.user_id) ||
    (creator && relation.creator === true)
  );
}
