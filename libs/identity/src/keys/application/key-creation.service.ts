import { Injectable } from '@nestjs/common';
import { Audit, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, Clock, DAY, Ids, invalidField, invalidFields, invalidState, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { normalRange } from '../../shared/domain/address-ranges';
import { mintKey } from '../domain/api-key';
import { ApiKey, MAX_ACTIVE_KEYS } from '../domain/key';
import { KeysRepository, type KeyOwner, type KeyRow } from '../infrastructure/keys.repository';
import { Escalation } from '../../roles/application/escalation';
import { checkedGrants } from '../../roles/application/grants';
import { KEY_AUDIT, targetOf, auditedKey } from './keys.audit';

export interface KeyFacts {
  readonly key_name?: string;
  readonly key_scopes?: readonly string[] | null;
  readonly key_ip_allow?: readonly string[];
  readonly key_expires_at?: Date | null;
  readonly key_rate_limit?: number | null;
}

export type KeyAnswer = KeyRow & { readonly row_version: number };

/** A key right after it was made or rotated: the only time its value is shown. */
export type KeyWithSecret = KeyAnswer & { readonly key_secret: string };

type NewKey = KeyFacts & { readonly key_name: string };

/** Makes keys. A key carries nothing its maker lacks, ends when the workspace says, and never outlives the key that made it. */
@Injectable()
export class KeyCreationService {
  constructor(
    private readonly db: Database,
    private readonly keys: KeysRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** A key for oneself, a service or an extension. */
  create(caller: Principal, { key_user, ...facts }: NewKey & { readonly key_user?: string }): Promise<KeyWithSecret> {
    const checked = checkedFacts(facts);
    return this.db.write(async () => {
      const owner = await this.keys.lockOwner(key_user ?? caller.user_id);
      if (!owner || owner.user_status === 'removed') throw invalidField('key_user', 'must be a user of this workspace', 'reference');
      if (owner.user_kind === 'person' && owner.user_id !== caller.user_id)
        throw accessDenied('People create their own keys with POST /me/api-keys.');
      return this.make(caller, owner, checked);
    });
  }

  /** A key of one's own; made by somebody who is signed in, where the workspace lets members have keys. */
  createOwn(caller: Principal, facts: NewKey): Promise<KeyWithSecret> {
    const checked = checkedFacts(facts);
    return this.db.write(async () => {
      if (caller.key_id !== null) throw accessDenied('Personal API keys cannot be created with an API key. Sign in and try again.');
      const owner = await this.keys.lockOwner(caller.user_id);
      if (!owner) throw permissionDenied(['admin:api-keys']);
      if (!owner.personal_keys) throw accessDenied('This workspace does not allow personal API keys.');
      return this.make(caller, owner, checked);
    });
  }

  private async make(caller: Principal, owner: KeyOwner, facts: NewKey): Promise<KeyWithSecret> {
    if (owner.user_status !== 'active') throw invalidState(`The owner of the key is ${owner.user_status}.`);
    await this.escalation.assertGrants(caller, facts.key_scopes ?? (await this.escalation.listGrantsOfUsers(owner.user_id)));
    const key_expires_at = await this.endFor(caller, owner, facts.key_expires_at);
    if ((await this.keys.countActiveKeys(owner.user_id)) >= MAX_ACTIVE_KEYS)
      throw new Problem('limit_reached', `A user can have at most ${MAX_ACTIVE_KEYS} active API keys. Revoke one first.`);
    const minted = mintKey();
    const key = ApiKey.blank(
      {
        key_id: this.ids.next(),
        key_name: facts.key_name,
        key_public_id: minted.public_id,
        key_hash: minted.hash,
        key_user: owner.user_id,
        key_extension: owner.user_extension,
        key_scopes: facts.key_scopes ? [...facts.key_scopes] : null,
        key_ip_allow: [...(facts.key_ip_allow ?? [])],
        key_expires_at,
        key_rate_limit: facts.key_rate_limit ?? null,
        key_created_by: caller.user_id,
      },
      this.clock.now(),
    );
    await this.keys.insert(key);
    this.outbox.emitEvent({ name: 'api_key.created', subject_id: key.key_id, payload: { key_user: key.key_user } });
    this.audit.record({ type: KEY_AUDIT['api_key.created'], target: targetOf(key), after: { ...auditedKey(key), key_user: key.key_user } });
    const row = await this.keys.findKeyDetail(key.key_id);
    if (!row) throw new Error('The key that was just made is gone.');
    return { ...row, key_secret: minted.value };
  }

  /** When the key ends: as asked, within what the workspace and the maker's own key allow; when nothing is asked, as late as that. */
  private async endFor(caller: Principal, { key_max_days }: KeyOwner, asked: Date | null | undefined): Promise<Date | null> {
    if (asked && asked <= this.clock.now()) throw invalidField('key_expires_at', 'must be in the future', 'too_early');
    const latest = key_max_days === null ? null : this.clock.after(key_max_days * DAY);
    const own = caller.key_id === null ? null : ((await this.keys.endOf(caller.key_id)) ?? null);
    if (asked === undefined) return [latest, own].reduce((a, b) => (a && b ? (a < b ? a : b) : (a ?? b)));
    if (latest && (asked === null || asked > latest))
      throw invalidField('key_expires_at', `must be within ${key_max_days} days, as the workspace requires`, 'too_late');
    if (own && (asked === null || asked > own)) throw accessDenied('An API key cannot create a key that expires later than itself.');
    return asked;
  }
}

/** Scopes and address ranges in their stored form; what is none is refused by its place. */
export function checkedFacts<F extends KeyFacts>(facts: F): F {
  const { key_scopes, key_ip_allow } = facts;
  return {
    ...facts,
    ...(key_scopes ? { key_scopes: checkedGrants('key_scopes', key_scopes) } : {}),
    ...(key_ip_allow ? { key_ip_allow: checkedRanges(key_ip_allow) } : {}),
  };
}

function checkedRanges(ranges: readonly string[]): string[] {
  const normal = ranges.map(normalRange);
  const faults = normal.flatMap((range, at) =>
    range === null ? [{ path: `key_ip_allow[${at}]`, code: 'cidr', message: 'must be an address range such as 203.0.113.0/24' }] : [],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return [...new Set(normal.filter((range) => range !== null))];
}
