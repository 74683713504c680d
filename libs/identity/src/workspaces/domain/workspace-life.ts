import { Problem, StateMachine } from '@atrium/platform/kernel';
import type { WORKSPACE_STATUSES } from '../../settings/domain/workspace';

export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** How a workspace lives: it is closed and opened, and may be taken back from its deletion, closed, while its grace lasts. */
export const WORKSPACE_LIFE = new StateMachine<WorkspaceStatus>('workspace', {
  active: ['suspended', 'deleting'],
  suspended: ['active', 'deleting'],
  deleting: ['suspended'],
});

export const noSuchWorkspace = (): Problem => new Problem('not_found', 'No such workspace.');
