import type { FieldFault } from '@atrium/platform/kernel';
import type { NodeIssue } from '../../nodes/domain/page-draft';

/** What transitions of pages can require. */
export const NODE_CHECKS = ['schema_valid', 'links', 'locale_complete', 'no_stale_translation'] as const;
export type NodeCheck = (typeof NODE_CHECKS)[number];

const FAILS: Readonly<Record<NodeCheck, (issue: NodeIssue) => boolean>> = {
  schema_valid: ({ severity }) => severity === 'error',
  links: ({ code }) => code === 'page_not_live' || code === 'reference',
  locale_complete: ({ code }) => code === 'missing',
  no_stale_translation: ({ code }) => code === 'stale',
};

const isNodeCheck = (name: string): name is NodeCheck => Object.hasOwn(FAILS, name);

/** What the issues of a draft say against checks, each issue once. */
export function unmetChecks(issues: readonly NodeIssue[], names: readonly string[]): FieldFault[] {
  const checks = names.filter(isNodeCheck);
  return issues.filter((issue) => checks.some((check) => FAILS[check](issue))).map(({ path, code, message }) => ({ path, code, message }));
}
