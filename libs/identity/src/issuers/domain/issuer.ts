import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, TextList } from '@atrium/platform/database';
import { invalidField, invalidFields, type Clock, type FieldFault } from '@atrium/platform/kernel';
import { normalDomain } from '../../callers/domain/security-rules';

const ISSUER_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'] as const;
export const PROVISIONING = ['none', 'link', 'create'] as const;

const DEFAULT_ALGORITHMS = ['RS256'];
const PATH = /^[^\s.]{1,64}(\.[^\s.]{1,64}){0,7}$|^https?:\/\/\S{1,200}$/;

/** Where in a token's claims to look: a claim's name, or a dotted path into one. */
export type IssuerClaims = { readonly subject: string; readonly email: string; readonly name: string; readonly roles: string | null };
export type RoleMapping = { readonly value: string; readonly role_id: string };

const STANDARD_CLAIMS: IssuerClaims = { subject: 'sub', email: 'email', name: 'name', roles: null };

/** An issuer as administrators write it: absent stays, or is the default. */
export interface IssuerFacts {
  readonly iss_name?: string;
  readonly iss_issuer?: string;
  readonly iss_jwks_url?: string | null;
  readonly iss_audiences?: readonly string[];
  readonly iss_algorithms?: readonly string[];
  readonly iss_claims?: { readonly [K in keyof IssuerClaims]?: string | null | undefined };
  readonly iss_role_map?: readonly RoleMapping[];
  readonly iss_provision?: Issuer['iss_provision'];
  readonly iss_domains?: readonly string[];
  readonly iss_default_role?: string | null;
  readonly iss_active?: boolean;
}

/** What decides whom an issuer can vouch for; a member who changes it becomes responsible for it. */
const TRUST = [
  'iss_issuer',
  'iss_jwks_url',
  'iss_audiences',
  'iss_algorithms',
  'iss_claims',
  'iss_role_map',
  'iss_provision',
  'iss_domains',
  'iss_default_role',
] as const;

/**
 * An OpenID provider that one workspace trusts with saying who somebody is. It speaks for the domains it was given, never
 * for anybody who may more than the administrator who set the trust, and in this workspace alone.
 */
@Resource({ table: 'issuer', sort: '-iss_created' })
export class Issuer extends TenantRow {
  @Id({ about: 'Id of the issuer.' }) readonly iss_id!: string;
  @Text({ min: 1, max: 80, about: 'Display name.', example: 'Company sign-in', filter: 'contains', sort: true }) iss_name!: string;
  @Text({
    min: 8,
    max: 512,
    format: 'uri',
    about: 'Exact `iss` claim of its tokens. Its discovery document is under this address.',
    example: 'https://login.example.com/realms/staff',
    filter: 'equals',
  })
  iss_issuer!: string;
  @Text({ optional: true, min: 8, max: 512, format: 'uri', about: 'Address of its public keys. Null: the one in its discovery document.' })
  iss_jwks_url!: string | null;
  @TextList({ min: 1, max: 20, about: 'Accepted values of the `aud` claim: your client ids at the issuer.', example: ['atrium'] })
  iss_audiences!: readonly string[];
  @TextList({
    min: 1,
    max: ISSUER_ALGORITHMS.length,
    about: `Accepted signature algorithms, from ${ISSUER_ALGORITHMS.join(', ')}. Default: RS256.`,
    example: ['RS256'],
  })
  iss_algorithms!: readonly string[];
  @Json({ about: 'Claims that are read from its tokens.' }) iss_claims!: IssuerClaims;
  @Json({ about: 'Roles assigned by values of the roles claim.' }) iss_role_map!: readonly RoleMapping[];
  @Choice(PROVISIONING, {
    about:
      '`none`: signs in people who are already linked. `link`: also links members by their e-mail address. `create`: also creates members.',
    example: 'link',
    filter: 'equals',
  })
  iss_provision!: (typeof PROVISIONING)[number];
  @TextList({
    max: 100,
    about: 'E-mail domains that it may vouch for. Required unless `iss_provision` is `none`.',
    example: ['example.com'],
  })
  iss_domains!: readonly string[];
  @Ref({ optional: true, about: 'Role of new members to whom `iss_role_map` assigns none. Null: the default role of the workspace.' })
  iss_default_role!: string | null;
  @Flag({ about: 'Whether its tokens are accepted.', filter: 'equals' }) iss_active!: boolean;
  @Stamp({ optional: true, about: 'When its keys were last fetched.' }) iss_checked_at!: Date | null;
  @Text({ optional: true, max: 1_000, about: 'Reason the last fetch of its keys failed. Null after a successful fetch.' }) iss_error!:
    string | null;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) iss_created!: Date;
  @Stamp({ about: 'When it last changed.', filter: 'range' }) iss_updated!: Date;

  @TextList({ internal: true }) iss_trusted!: readonly string[];

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Issuer, 'iss_id'>, now: Date): Issuer {
    return Object.assign(new Issuer(), {
      iss_jwks_url: null,
      iss_algorithms: DEFAULT_ALGORITHMS,
      iss_claims: STANDARD_CLAIMS,
      iss_role_map: [],
      iss_provision: 'link' as const,
      iss_domains: [],
      iss_default_role: null,
      iss_active: true,
      iss_checked_at: null,
      iss_error: null,
      iss_trusted: [],
      iss_created: now,
      iss_updated: now,
      ...facts,
    });
  }

  /** Takes over facts; answers whether whom it vouches for may be others now. `grants` are those of the member who changes it. */
  take(facts: IssuerFacts, grants: readonly string[], clock: Clock): boolean {
    const before = this.trust();
    const { iss_claims, iss_domains, iss_role_map, iss_algorithms, ...plain } = facts;
    Object.assign(this, Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)));
    if (iss_claims !== undefined) this.iss_claims = claimsOf(this.iss_claims ?? STANDARD_CLAIMS, iss_claims);
    if (iss_domains !== undefined) this.iss_domains = domainsOf(iss_domains);
    if (iss_role_map !== undefined) this.iss_role_map = roleMapOf(iss_role_map);
    if (iss_algorithms !== undefined) this.iss_algorithms = algorithmsOf(iss_algorithms);
    if (this.iss_provision !== 'none' && this.iss_domains.length === 0)
      throw invalidField('iss_domains', 'must name the domains that the issuer may vouch for, unless iss_provision is none', 'required');
    const changed = this.trust() !== before;
    if (changed) this.iss_trusted = grants;
    this.iss_updated = clock.now();
    return changed;
  }

  /** Whether it may vouch for an address. */
  speaksFor(email: string): boolean {
    return this.iss_domains.includes(email.slice(email.lastIndexOf('@') + 1));
  }

  /** The roles that values of the roles claim mean, and all roles the map names. */
  mapped(values: readonly string[]): { readonly given: string[]; readonly named: string[] } {
    const given = this.iss_role_map.filter(({ value }) => values.includes(value)).map(({ role_id }) => role_id);
    return { given: [...new Set(given)], named: [...new Set(this.iss_role_map.map(({ role_id }) => role_id))] };
  }

  private trust(): string {
    return JSON.stringify(TRUST.map((name) => this[name] ?? null));
  }
}

function claimsOf(present: IssuerClaims, facts: NonNullable<IssuerFacts['iss_claims']>): IssuerClaims {
  const faults: FieldFault[] = [];
  for (const [name, path] of Object.entries(facts)) {
    if (typeof path === 'string' && !PATH.test(path))
      faults.push({ path: `iss_claims.${name}`, code: 'pattern', message: 'must be the name of a claim or a dotted path to one' });
  }
  if (faults.length > 0) throw invalidFields(faults);
  const named = Object.fromEntries(
    Object.entries(facts)
      .filter(([, path]) => path !== undefined)
      .map(([name, path]) => [name, path ?? STANDARD_CLAIMS[name as keyof IssuerClaims]]),
  );
  return { ...present, ...named };
}

function domainsOf(texts: readonly string[]): string[] {
  const faults = texts.flatMap((text, at) =>
    normalDomain(text) === null ? [{ path: `iss_domains[${at}]`, code: 'domain', message: 'must be a domain such as example.com' }] : [],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return [...new Set(texts.map((text) => normalDomain(text) ?? ''))];
}

function roleMapOf(map: readonly RoleMapping[]): RoleMapping[] {
  const plain = map.map(({ value, role_id }) => ({ value, role_id: role_id.toLowerCase() }));
  const seen = plain.map((mapping) => JSON.stringify(mapping));
  return plain.filter((_, at) => seen.indexOf(seen[at] ?? '') === at);
}

function algorithmsOf(names: readonly string[]): string[] {
  const known: readonly string[] = ISSUER_ALGORITHMS;
  const faults = names.flatMap((name, at) =>
    known.includes(name)
      ? []
      : [{ path: `iss_algorithms[${at}]`, code: 'choice', message: `must be one of ${ISSUER_ALGORITHMS.join(', ')}` }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return [...new Set(names)];
}
