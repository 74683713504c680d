import type { WorkspaceOption } from '@atrium/identity';

/** Days after which a link ends where its maker says nothing. */
export const SHARE_EXPIRY_DEFAULT_DAYS: WorkspaceOption<number | null> = {
  key: 'share_expiry_default_days',
  schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
  default: null,
  description: 'Days after which a share link expires if its creator sets no date. Null: it does not expire.',
};

/** The most days a link may last. */
export const SHARE_EXPIRY_MAX_DAYS: WorkspaceOption<number | null> = {
  key: 'share_expiry_max_days',
  schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
  default: null,
  description: 'Maximum lifetime of a share link in days, counted from when it is created or changed. Null: unlimited.',
};

/** Whether every link needs a password. */
export const SHARE_PASSWORD_REQUIRED: WorkspaceOption<boolean> = {
  key: 'share_password_required',
  schema: { type: 'boolean' },
  default: false,
  description: 'Whether new share links require a password. Existing links are not changed.',
};

export const SHARE_SETTINGS = [SHARE_EXPIRY_DEFAULT_DAYS, SHARE_EXPIRY_MAX_DAYS, SHARE_PASSWORD_REQUIRED] as const;
