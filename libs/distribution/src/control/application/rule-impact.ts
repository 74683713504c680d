import { evaluatePolicy, ALWAYS_OPEN, policyOf, type Policy } from '../domain/evaluator';
import { TERRITORY_CODES } from '../domain/territories';
import type { OwnRules, ReachedPublication } from '../infrastructure/publication-reach';
import type { WorkspaceRules } from './distribution-rules';

/** What a change of a rule would do. */
export interface Impact {
  readonly affected: number;
  readonly newly_blocked: readonly string[];
  readonly sample: readonly {
    readonly pub_id: string;
    readonly pub_file_name: string;
    readonly pub_url: string | null;
    readonly newly_blocked: readonly string[];
  }[];
}

const ANY_TIME = new Date(0);

/** Territories that get something now and would not get it then, by the rules on territories alone. */
export function newlyBlocked(before: WorkspaceRules, after: WorkspaceRules, { pub_deny, pub_restrictions }: OwnRules): string[] {
  const [now, then] = [before, after].map((rules) =>
    onTerritories(rules.compilePolicy({ restrictions: pub_restrictions, deny: pub_deny })),
  );
  if (!now || !then) return [];
  return TERRITORY_CODES.filter((country) => allows(now, country) && !allows(then, country));
}

export const previewOf = (
  before: WorkspaceRules,
  after: WorkspaceRules,
  { pub_id, pub_file_name, pub_url, ...own }: ReachedPublication,
): Impact['sample'][number] => ({
  pub_id,
  pub_file_name,
  pub_url,
  newly_blocked: newlyBlocked(before, after, own),
});

const onTerritories = ({ denies, allows: allowing, unknownTerritory }: Policy): Policy =>
  policyOf(
    [...denies, ...allowing.flatMap(([, rules]) => rules)].filter(({ kind }) => kind === 'territory'),
    unknownTerritory,
  );

const allows = (policy: Policy, country: string): boolean =>
  evaluatePolicy(ALWAYS_OPEN, policy, { country, host: null, address: null, agent: 'browser', at: ANY_TIME }).decision === 'allow';
