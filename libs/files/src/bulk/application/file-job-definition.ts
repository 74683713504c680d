import type { Permission, Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { WorkRights } from '@atrium/platform/messaging';

/** What a kind of file job needs besides its name. */
export interface FileJobOptions {
  /** Permissions with which it is started. A key without any of them does not see it; empty where no member starts it. */
  readonly seenWith: readonly Permission[];
  /** What its creator must still be allowed to do in each step; left out where the step itself decides that, such as for each file. */
  rights?(params: JsonObject): WorkRights;
}

/** One kind of file job: the contract between who asks for it and the one step that does it. */
export interface FileJobDefinition extends FileJobOptions {
  /** As it is stored: kinds of other contexts begin with their name. */
  readonly name: string;
}

/** The kinds of this process, whichever of its hosts does them. */
const DEFINED = new Map<string, FileJobDefinition>();

export function defineFileJob(name: string, options: FileJobOptions): FileJobDefinition {
  const definition = { name, ...options };
  DEFINED.set(name, definition);
  return definition;
}

/** The kinds that the caller sees among jobs of their own; null: all of them. */
export const kindsSeenBy = ({ key_id, permissions }: Pick<Principal, 'key_id' | 'permissions'>): string[] | null =>
  key_id === null ? null : kindsPermitted({ permissions });

/** The kinds of which the caller has a permission. */
export const kindsPermitted = ({ permissions }: Pick<Principal, 'permissions'>): string[] =>
  [...DEFINED.values()].filter(({ seenWith }) => seenWith.some((permission) => permissions.has(permission))).map(({ name }) => name);
