import { Injectable } from '@nestjs/common';
import { Audit, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidFields, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Issuer, type IssuerFacts } from '../domain/issuer';
import { IssuerVerifier, TokenRefused } from '../domain/issuer-verifier';
import { IssuerMetadata } from '../infrastructure/issuer-metadata';
import { IssuersRepository, type IssuerRow } from '../infrastructure/issuers.repository';
import { UsersRepository } from '../../people/infrastructure/users.repository';
import { Escalation } from '../../roles/application/escalation';
import { IssuerPeople, type Arrival } from './issuer-people';

const ISSUERS_AUDIT = defineAuditTypes({
  'issuer.created': 'An issuer was added.',
  'issuer.updated': 'An issuer was changed.',
  'issuer.deleted': 'An issuer was deleted; its sessions ended.',
});

export type { IssuerRow };

export type IssuerAnswer = IssuerRow & { readonly row_version: number };

/** What an issuer answers, and whom a token of it would let in; nothing of it is kept. */
export interface IssuerTrial {
  readonly jwks_keys: number;
  readonly algorithms: readonly string[];
  readonly claims: JsonObject | null;
  readonly would_map_to: Arrival | null;
}

/** The issuers a workspace trusts. One is saved only when it answers under its name; nobody lets in by it who may more than they may. */
@Injectable()
export class IssuersService {
  constructor(
    private readonly db: Database,
    private readonly issuers: IssuersRepository,
    private readonly users: UsersRepository,
    private readonly people: IssuerPeople,
    private readonly metadata: IssuerMetadata,
    private readonly verifier: IssuerVerifier,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<IssuerRow>> {
    return this.db.read(() => this.issuers.listIssuers(query));
  }

  async get(id: string): Promise<IssuerAnswer> {
    return shown(await this.db.read(() => this.find(id)));
  }

  async create(caller: Principal, facts: IssuerFacts): Promise<IssuerAnswer> {
    await this.db.settleGate();
    const draft = Issuer.blank({ iss_id: this.ids.next() }, this.clock.now());
    draft.take(facts, [], this.clock);
    const keys = await this.fetchKeys(draft, facts);
    return this.db.write(async () => {
      const issuer = Issuer.blank({ iss_id: draft.iss_id }, this.clock.now());
      issuer.take(facts, await this.grantsOf(caller), this.clock);
      await this.assertRoles(caller, issuer);
      await this.issuers.insert(issuer).catch((error: unknown) => {
        throw violatesConstraint(error, 'issuer_once') ? alreadyTrusted() : error;
      });
      await this.issuers.saveKeys(issuer, keys);
      this.tell('issuer.created', issuer, null, toldOf(issuer));
      return this.read(issuer.iss_id);
    });
  }

  async change(caller: Principal, id: string, facts: IssuerFacts, precondition?: Precondition): Promise<IssuerAnswer> {
    const draft = await this.db.read(() => this.find(id));
    const before = sourceOf(draft);
    draft.take(facts, [], this.clock);
    const moved = sourceOf(draft) !== before;
    const keys = moved ? await this.fetchKeys(draft, facts) : null;
    return this.db.write(async () => {
      const issuer = await this.issuers.lock(id, precondition);
      const told = toldOf(issuer);
      const { iss_issuer, iss_active } = issuer;
      const trusted = issuer.take(facts, await this.grantsOf(caller), this.clock);
      if (keys && sourceOf(issuer) !== sourceOf(draft))
        throw new Problem('precondition_failed', 'The issuer has been changed since you read it; read it again.');
      if (trusted) await this.assertRoles(caller, issuer);
      await this.issuers.save(issuer).catch((error: unknown) => {
        throw violatesConstraint(error, 'issuer_once') ? alreadyTrusted() : error;
      });
      if (keys) await this.issuers.saveKeys(issuer, keys);
      if (issuer.iss_issuer !== iss_issuer) await this.issuers.forgetSubjects(id);
      if (issuer.iss_issuer !== iss_issuer || (iss_active && !issuer.iss_active)) await this.issuers.endSessions(id);
      this.tell('issuer.updated', issuer, told, toldOf(issuer));
      return this.read(id);
    });
  }

  remove(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const issuer = await this.issuers.lock(id, precondition);
      await this.issuers.endSessions(id);
      await this.issuers.releaseMembers(id);
      await this.issuers.remove(issuer);
      this.tell('issuer.deleted', issuer, toldOf(issuer), null);
    });
  }

  /** Asks the issuer now and, with a token, says what it would mean. */
  async testIssuer(id: string, token: string | undefined): Promise<IssuerTrial> {
    const issuer = await this.db.read(() => this.find(id));
    const keys = await this.metadata.fetchKeys(issuer);
    const trial = { jwks_keys: keys.length, algorithms: algorithmsOf(keys), claims: null, would_map_to: null };
    if (token === undefined) return trial;
    const vouched = await this.verifier.verifyToken(token, issuer, keys).catch((error: unknown) => {
      throw error instanceof TokenRefused ? new Problem('unprocessable_content', `The token is not valid. ${error.message}`) : error;
    });
    return { ...trial, claims: vouched.claims, would_map_to: await this.db.write(() => this.people.previewAdmission(issuer, vouched)) };
  }

  private async find(id: string): Promise<Issuer> {
    const issuer = await this.issuers.findRow(id);
    if (!issuer) throw notFound('issuer');
    return issuer;
  }

  private async read(id: string): Promise<IssuerAnswer> {
    return shown(await this.find(id));
  }

  /** The addresses first, so that one nobody may ask is a fault of the request; then what they answer. */
  private async fetchKeys(issuer: Issuer, { iss_issuer, iss_jwks_url }: IssuerFacts): Promise<JsonObject[]> {
    if (iss_issuer !== undefined) await this.metadata.assertReachable('iss_issuer', issuer.iss_issuer);
    if (iss_jwks_url !== undefined && issuer.iss_jwks_url !== null)
      await this.metadata.assertReachable('iss_jwks_url', issuer.iss_jwks_url);
    return this.metadata.fetchKeys(issuer);
  }

  /** What the caller is granted, as roles write it: `*` where a role says so. */
  private async grantsOf(caller: Principal): Promise<string[]> {
    return (await this.escalation.findMissingGrants(caller, ['*'])).length === 0 ? ['*'] : caller.permissions.list();
  }

  /** E1: roles that the issuer gives are roles the caller could give. */
  private async assertRoles(caller: Principal, { iss_role_map, iss_default_role, iss_provision }: Issuer): Promise<void> {
    const named = [
      ...iss_role_map.map(({ role_id }, at) => ({ role_id, path: `iss_role_map[${at}].role_id` })),
      ...(iss_default_role ? [{ role_id: iss_default_role, path: 'iss_default_role' }] : []),
    ];
    const standard = iss_provision === 'create' && !iss_default_role ? await this.users.listDefaultRoles() : [];
    const grants = await this.users.findGrantsOfRoles([...named.map(({ role_id }) => role_id.toLowerCase()), ...standard]);
    const faults = named
      .filter(({ role_id }) => !grants.has(role_id.toLowerCase()))
      .map(({ path }) => ({ path, code: 'reference', message: 'must be a role of this workspace' }));
    if (faults.length > 0) throw invalidFields(faults);
    await this.escalation.assertGrants(caller, [...grants.values()].flat());
  }

  private tell(
    type: 'issuer.created' | 'issuer.updated' | 'issuer.deleted',
    { iss_id, iss_name }: Issuer,
    before: JsonObject | null,
    after: JsonObject | null,
  ): void {
    const changed = Object.keys(after ?? before ?? {}).filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
    if (changed.length === 0) return;
    const part = (all: JsonObject | null): JsonObject | null => all && Object.fromEntries(changed.map((name) => [name, all[name] ?? null]));
    this.audit.record({
      type: ISSUERS_AUDIT[type],
      target: { type: 'issuer', id: iss_id, name: iss_name },
      before: part(before),
      after: part(after),
    });
    this.outbox.emitEvent({ name: type, subject_id: iss_id, payload: { iss_name, ...(type === 'issuer.updated' ? { changed } : {}) } });
  }
}

const alreadyTrusted = (): Problem => alreadyExists('iss_issuer', 'The workspace already trusts this issuer.');

const sourceOf = ({ iss_issuer, iss_jwks_url }: Issuer): string => JSON.stringify([iss_issuer, iss_jwks_url]);

function shown(issuer: Issuer): IssuerAnswer {
  const { tenant_id: _, iss_trusted: __, ...open } = issuer;
  return open;
}

/** What administrators set, in a form that can be compared. */
const toldOf = ({
  iss_name,
  iss_issuer,
  iss_jwks_url,
  iss_audiences,
  iss_algorithms,
  iss_claims,
  iss_role_map,
  iss_provision,
  iss_domains,
  iss_default_role,
  iss_active,
}: Issuer): JsonObject => ({
  iss_name,
  iss_issuer,
  iss_jwks_url,
  iss_audiences,
  iss_algorithms,
  iss_claims,
  iss_role_map,
  iss_provision,
  iss_domains,
  iss_default_role,
  iss_active,
});

const OF_CURVES: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', Ed25519: 'EdDSA' };

/** Which algorithms the keys are for, as they declare or by their type. */
const algorithmsOf = (keys: readonly JsonObject[]): string[] =>
  [
    ...new Set(keys.map(({ alg, crv }) => (typeof alg === 'string' ? alg : typeof crv === 'string' ? (OF_CURVES[crv] ?? crv) : 'RS256'))),
  ].sort();
