import type { TextForm } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import type { AllowedActors } from './allowed-actors';

/** What keys of states and transitions look like. */
export const KEY_FORM: TextForm = {
  pattern: /^[a-z][a-z0-9_]{0,39}$/,
  words: 'a key of lowercase letters, digits and _ that begins with a letter',
};
export const LONGEST_KEY = 40;

export const COMMENTS = ['none', 'optional', 'required'] as const;

/** Whether a transition takes a comment. */
export type CommentRule = (typeof COMMENTS)[number];

/** Allowed actors as flows store them: nothing is left out. */
export type NamedActors = Required<AllowedActors>;

/** Whom a transition notifies. */
export interface NotifyAction {
  readonly type: 'notify';
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly creator: boolean;
}

/** The comment of a move as it is stored: null for none. Refuses one that is missing, or that the transition does not take. */
export function commentFor(
  { comment, name }: { readonly comment: CommentRule; readonly name: string },
  said: string | null | undefined,
): string | null {
  const text = said?.trim() ?? '';
  if (text === '' && comment === 'required') throw invalidField('comment', `is required for the transition ${name}`, 'required');
  if (text !== '' && comment === 'none') throw invalidField('comment', `must be omitted for the transition ${name}`, 'unknown_field');
  return text === '' ? null : text;
}

/** The people and roles that actions name, with the creator where one of them notifies the creator. */
export const namedByActions = (actions: readonly NotifyAction[], creator: string | null): string[] => [
  ...new Set(
    actions.flatMap(({ users, roles, creator: notified }) => [...users, ...roles, ...(notified && creator !== null ? [creator] : [])]),
  ),
];
