import type { ObjectChange } from '../domain/object-change';
import type { WorkspaceObject } from '../domain/workspace-object';
import type { WrittenObject } from '../infrastructure/object-store';

/** A change that is ready to be written. */
export interface ReadyChange {
  readonly at: number;
  readonly op: ObjectChange['op'];
  readonly previous: WorkspaceObject | null;
  readonly object: WrittenObject;
}
