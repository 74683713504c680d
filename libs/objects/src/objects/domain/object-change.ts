import type { FieldFault, JsonObject } from '@atrium/platform/kernel';
import type { ObjectIssue, WorkspaceObject } from './workspace-object';

/** What a writer says of an object; what is absent stays as it is, or begins empty. */
export interface ObjectFacts {
  readonly obj_name?: string;
  /** Merged by key; null clears. */
  readonly obj_content?: JsonObject;
  readonly obj_terms?: readonly string[];
  readonly obj_cover_file?: string | null;
  readonly obj_acl?: JsonObject;
  readonly obj_metadata?: JsonObject;
  readonly obj_source?: string | null;
  readonly obj_external_id?: string | null;
  readonly obj_external_url?: string | null;
  /** In the place of those it has; without it, fields that a person changes on an object of a source are locked. */
  readonly obj_locked_fields?: readonly string[];
  /** Digest of the row that its source delivered; null for whatever else changes the object. */
  readonly obj_hash?: string;
  /** Where a flow puts it; null: no flow governs it. */
  readonly state?: EnteredState | null;
  /** Kept beside the issues that its content shows by itself, such as `{field: '$source', code: 'missing'}`. */
  readonly issues?: readonly ObjectIssue[];
}

/** A state of a flow that an object enters. */
export interface EnteredState {
  readonly flow_id: string;
  readonly state: string;
}

/** One of several changes of objects of one form. Objects come locked, as `ObjectStore` answers them. */
export type ObjectChange =
  | { readonly op: 'create'; readonly facts: ObjectFacts }
  | { readonly op: 'update'; readonly object: WorkspaceObject; readonly facts: ObjectFacts }
  /** `dropped`: a pass of its source no longer has it, and a later one may bring it back. */
  | { readonly op: 'deactivate'; readonly object: WorkspaceObject; readonly dropped?: boolean }
  | { readonly op: 'revive'; readonly object: WorkspaceObject; readonly facts?: ObjectFacts };

export const REVISION_ACTIONS = ['created', 'updated', 'transitioned', 'synced', 'restored', 'schema_changed'] as const;
export type RevisionAction = (typeof REVISION_ACTIONS)[number];

/** What became of one change, in the order of the changes. */
export type ObjectOutcome =
  | { readonly obj_id: string; readonly action: 'created' | 'updated' | 'unchanged' | 'deactivated' | 'revived' }
  | { readonly obj_id: string | null; readonly action: 'refused'; readonly faults: readonly FieldFault[] };
