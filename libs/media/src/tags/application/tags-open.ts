import type { WorkspaceOption } from '@atrium/identity';

/** Whether everybody who tags may begin groups that nobody set up. */
export const TAGS_OPEN: WorkspaceOption<boolean> = {
  key: 'tags_open',
  schema: { type: 'boolean' },
  default: true,
  permission: 'admin:media-tags',
  description: 'Whether members who tag files can create tag groups by naming them. Otherwise only members who manage tag groups can.',
};
