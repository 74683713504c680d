import type { WorkspaceOption } from '@atrium/identity';

/** Whether everybody who tags may begin groups that nobody set up. */
export const TAGS_OPEN: WorkspaceOption<boolean> = {
  key: 'tags_open',
  schema: { type: 'boolean' },
  default: true,
  permission: 'admin:media-tags',
  description:
    'Whether people who tag files may name tag groups that do not exist yet, which are then made. Otherwise only those who manage tag groups may.',
};
