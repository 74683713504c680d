import type { WorkspaceOption } from '@atrium/identity';

/** Whether a workspace wants faces to be looked for at all. */
export const FACES_ENABLED: WorkspaceOption<boolean> = {
  key: 'faces_enabled',
  schema: { type: 'boolean' },
  default: false,
  description:
    'Whether faces are looked for in pictures and sorted to people. Off: nothing is looked for, and nothing that was found is deleted; DELETE /admin/faces does that.',
};
