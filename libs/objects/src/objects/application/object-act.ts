import type { Principal } from '@atrium/platform/access';
import type { RevisionAction } from '../domain/object-change';

/** Who changes objects, and how revisions name it. */
export interface ObjectAct {
  /** Null: the service itself, such as a source by the clock. */
  readonly by: Principal | null;
  readonly action: RevisionAction;
  /** Sources and imports write read-only fields too. */
  readonly trusted?: boolean;
}
