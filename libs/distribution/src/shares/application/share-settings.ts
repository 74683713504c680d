import type { WorkspaceOption } from '@atrium/identity';

/** Days after which a link ends where its maker says nothing. */
export const SHARE_EXPIRY_DEFAULT_DAYS: WorkspaceOption<number | null> = {
  key: 'share_expiry_default_days',
  schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
  default: null,
  description: 'Days after which a share link ends when its maker names no day; null: it does not end.',
};

/** The most days a link may last. */
export const SHARE_EXPIRY_MAX_DAYS: WorkspaceOption<number | null> = {
  key: 'share_expiry_max_days',
  schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
  default: null,
  description: 'The most days a share link may last from when it is made or changed; null: no bound.',
};

/** Whether every link needs a password. */
export const SHARE_PASSWORD_REQUIRED: WorkspaceOption<boolean> = {
  key: 'share_password_required',
  schema: { type: 'boolean' },
  default: false,
  description: 'Whether share links need a password. Links that are there already stay as they are.',
};

export const SHARE_SETTINGS = [SHARE_EXPIRY_DEFAULT_DAYS, SHARE_EXPIRY_MAX_DAYS, SHARE_PASSWORD_REQUIRED] as const;
