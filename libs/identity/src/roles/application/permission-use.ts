/** What people have used: permissions that were named when they were admitted, and operations they called. */
export interface UsedAccess {
  readonly permissions: readonly string[];
  readonly operations: readonly string[];
}

/** Port to the context that keeps the access log. Asked within an open unit of work. */
export abstract class PermissionUse {
  /** What any of these users has used within the last days, each once. */
  abstract readUseOfUsers(user_ids: readonly string[], days: number): Promise<UsedAccess>;
}
