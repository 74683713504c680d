import type { WorkspaceOption } from '@atrium/identity';

/** Whether a workspace wants faces to be looked for at all. */
export const FACES_ENABLED: WorkspaceOption<boolean> = {
  key: 'faces_enabled',
  schema: { type: 'boolean' },
  default: false,
  description:
    'Whether faces are detected in pictures and assigned to people. Turning it off stops detection and does not delete existing faces; use DELETE /admin/faces for that.',
};
