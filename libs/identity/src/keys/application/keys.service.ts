import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, type Page, type Precondition } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { mintKey } from '../domain/api-key';
import type { ApiKey } from '../domain/key';
import { KeysRepository, type KeyFilters, type KeyRow } from '../infrastructure/keys.repository';
import { Escalation } from '../../roles/application/escalation';
import { areGrantsWithin } from '../../roles/application/grants';
import { checkedFacts, type KeyAnswer, type KeyFacts, type KeyWithSecret } from './key-creation.service';
import { KEY_AUDIT, targetOf, auditedKey } from './keys.audit';

export type { KeyRow as KeyLine } from '../infrastructure/keys.repository';

/** Whose keys are looked at: all of the workspace, or the caller's own. */
export type KeyReach = 'all' | 'own';

/**
 * The keys of a workspace after they were made. A key changes only towards less, or within what the caller holds; a
 * caller who gets a new secret could have created the key.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly db: Database,
    private readonly keys: KeysRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(query: KeyFilters): Promise<Page<KeyRow>> {
    return this.db.read(() => this.keys.listKeys(query));
  }

  listOwn(caller: Principal, query: KeyFilters): Promise<Page<KeyRow>> {
    return this.db.read(() => this.keys.listKeys(query, caller.user_id));
  }

  get(id: string): Promise<KeyAnswer> {
    return this.db.read(() => this.read(id));
  }

  change(caller: Principal, id: string, facts: KeyFacts, reach: KeyReach, precondition?: Precondition): Promise<KeyAnswer> {
    const checked = checkedFacts(facts);
    return this.db.write(async () => {
      const key = await this.lockFor(caller, id, reach, { precondition });
      key.assertActive(this.clock);
      const before = auditedKey(key);
      if (checked.key_scopes !== undefined) await this.rescope(caller, key, checked.key_scopes);
      if (checked.key_expires_at !== undefined) this.shorten(key, checked.key_expires_at);
      if (checked.key_name !== undefined) key.key_name = checked.key_name;
      if (checked.key_ip_allow !== undefined) key.key_ip_allow = [...checked.key_ip_allow];
      if (checked.key_rate_limit !== undefined) key.key_rate_limit = checked.key_rate_limit;
      const change = changesBetween(before, auditedKey(key));
      if (Object.keys(change.after ?? {}).length === 0) return this.read(id);
      await this.save(key);
      this.audit.record({ type: KEY_AUDIT['api_key.updated'], target: targetOf(key), ...change });
      return this.read(id);
    });
  }

  revoke(caller: Principal, id: string, reach: KeyReach, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const key = await this.lockFor(caller, id, reach, { precondition, itself: true });
      if (!key.revoke('user', caller.user_id, this.clock)) return;
      await this.save(key);
      this.outbox.emitEvent({ name: 'api_key.revoked', subject_id: id, payload: { key_user: key.key_user, key_revoke_reason: 'user' } });
      this.audit.record({
        type: KEY_AUDIT['api_key.revoked'],
        target: targetOf(key),
        before: { key_status: 'active' },
        after: { key_status: 'revoked', key_revoke_reason: 'user' },
      });
    });
  }

  rotate(caller: Principal, id: string, overlap_seconds: number, reach: KeyReach): Promise<KeyWithSecret> {
    const asked = this.clock.now();
    return this.db.write(async () => {
      const key = await this.lockFor(caller, id, reach, { itself: true });
      await this.assertCouldMake(caller, key);
      const minted = mintKey(key.key_public_id);
      key.rotate(minted, overlap_seconds, asked, this.clock);
      await this.save(key);
      this.outbox.emitEvent({ name: 'api_key.rotated', subject_id: id, payload: { key_user: key.key_user, overlap_seconds } });
      this.audit.record({ type: KEY_AUDIT['api_key.rotated'], target: targetOf(key), after: { key_secret: '[set]', overlap_seconds } });
      return { ...(await this.read(id)), key_secret: minted.value };
    });
  }

  /** The key locked, for somebody who reaches its owner (E2). One's own are within reach of a session, and some things of the key itself. */
  private async lockFor(
    caller: Principal,
    id: string,
    reach: KeyReach,
    { precondition, itself = false }: { readonly precondition?: Precondition | undefined; readonly itself?: boolean } = {},
  ): Promise<ApiKey> {
    const key = await this.keys.lock(id, precondition);
    if (reach === 'own' && key.key_user !== caller.user_id) throw notFound('API key');
    if (!isOwn(caller, key) && !(itself && caller.key_id === id)) await this.escalation.assertMayChange(caller, key.key_user);
    return key;
  }

  /** A new secret is a new key to the caller who gets it: of nobody else's, with nothing they lack, never outliving the key they use. */
  private async assertCouldMake(caller: Principal, key: ApiKey): Promise<void> {
    if (isOwn(caller, key) || caller.key_id === key.key_id) return;
    if (key.key_user !== caller.user_id && (await this.keys.lockOwner(key.key_user))?.user_kind === 'person')
      throw accessDenied('Only its owner can rotate a personal key.');
    await this.escalation.assertGrants(caller, key.key_scopes ?? (await this.escalation.listGrantsOfUsers(key.key_user)));
    if (caller.key_id === null) return;
    if (!caller.permissions.has('admin:api-keys')) throw permissionDenied(['admin:api-keys']);
    const own = await this.keys.endOf(caller.key_id);
    if (own && (!key.key_expires_at || key.key_expires_at > own))
      throw accessDenied('An API key cannot rotate a key that expires later than itself.');
  }

  /** Narrower is always fine; anything else must be held by the caller who grants it. */
  private async rescope(caller: Principal, key: ApiKey, scopes: readonly string[] | null): Promise<void> {
    const present = key.key_scopes;
    const narrower = scopes === null ? present === null : present === null || areGrantsWithin(scopes, present);
    if (!narrower) await this.escalation.assertGrants(caller, scopes ?? (await this.escalation.listGrantsOfUsers(key.key_user)));
    key.key_scopes = scopes && [...scopes];
  }

  private shorten(key: ApiKey, end: Date | null): void {
    if (end && end <= this.clock.now()) throw invalidField('key_expires_at', 'must be in the future', 'too_early');
    if (key.key_expires_at && (end === null || end > key.key_expires_at))
      throw invalidField('key_expires_at', 'can only be moved to an earlier time', 'too_late');
    key.key_expires_at = end;
  }

  private async save(key: ApiKey): Promise<void> {
    key.touch(this.clock);
    await this.keys.save(key);
  }

  private async read(id: string): Promise<KeyAnswer> {
    const row = await this.keys.findKeyDetail(id);
    if (!row) throw notFound('API key');
    return row;
  }
}

/** Whether somebody who is signed in looks at a key of theirs. */
const isOwn = (caller: Principal, key: ApiKey): boolean => caller.key_id === null && caller.user_id === key.key_user;
