import { Injectable } from '@nestjs/common';
import { Audit, unauthenticated } from '@atrium/platform/access';
import { Keyring, Settings } from '@atrium/platform/config';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Clock, newId, Problem, SECOND } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Mail } from '../../mail/application/mail';
import { RefreshRaces } from '../domain/refresh-races';
import { hashOfToken, newSecretToken } from '../../shared/domain/secret-token';
import { Accounts } from '../infrastructure/accounts';
import { SessionRows, type Membership, type RefreshSpending, type SessionFacts } from '../infrastructure/session.rows';
import { AccountNotices } from './account-notices';
import { ACCOUNT_AUDIT } from './own-sessions.service';
import { Sessions, type SignedIn, type TokenPair } from './sessions';

const PURPOSE = 'refresh-replay';
const KEY_FORM = /^[\x20-\x7e]{1,255}$/;

type Rotation =
  | { readonly outcome: 'unknown' | 'raced' }
  | { readonly outcome: 'reused'; readonly acc_id: string }
  | ({ readonly outcome: 'rotated' } & SessionFacts);

/** An answer as it is kept for a client that lost it. */
interface Kept {
  readonly session: SessionFacts;
  readonly tokens: TokenPair;
}

export interface Refreshed {
  readonly answer: SignedIn;
  /** It is the answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** One presentation of a refresh token. `arrived` is when the request came, on the clock of `performance.now()`. */
export interface Presented {
  readonly token: string;
  readonly arrived: number;
  readonly idempotencyKey?: string | undefined;
  readonly address?: string | undefined;
}

/** Prolongs sessions by refresh tokens, each good for one use: two requests in flight are a race, a spent token that comes later is a theft. */
@Injectable()
export class RefreshService {
  private readonly races: RefreshRaces;

  constructor(
    private readonly db: Database,
    private readonly sessions: Sessions,
    private readonly rows: SessionRows,
    private readonly keyring: Keyring,
    private readonly accounts: Accounts,
    private readonly notices: AccountNotices,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly mail: Mail,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.races = new RefreshRaces(Math.min(settings.AUTH_REFRESH_GRACE_SECONDS, 60) * SECOND);
  }

  async refreshSession({ token, arrived, idempotencyKey, address }: Presented): Promise<Refreshed> {
    const hash = hashOfToken(token);
    const replay = idempotencyKey === undefined ? null : replayName(hash, idempotencyKey);
    const kept = replay === null ? null : await this.replayed(replay);
    if (kept) return { answer: kept, replayed: true };
    if (this.races.isRace(hash, arrived)) throw raced();
    this.races.beginRefresh(hash);
    let settled = false;
    try {
      const next = newSecretToken();
      const prepared = replay === null ? null : await this.prepare(hash, next);
      const { rotation, memberships } = await this.rotate(hash, next, arrived, replay !== null && prepared ? { replay, prepared } : null);
      if (rotation.outcome === 'raced') throw raced();
      if (rotation.outcome === 'reused') await this.sendReuseNotice(rotation.acc_id, address);
      if (rotation.outcome !== 'rotated') throw unauthenticated('The refresh token is not valid; sign in again.');
      // Nobody knows the successor yet: requests that presented the token until now were in flight. The rotation is valid even if this fails.
      await this.db.acrossTenants((tx) => this.rows.settleRefresh(tx, hash)).catch(() => undefined);
      settled = true;
      const tokens = prepared?.tokens ?? { access_token: await this.sessions.signAccessToken(rotation), refresh_token: next };
      return { answer: this.sessions.toSignedIn(rotation, tokens, memberships), replayed: false };
    } finally {
      this.races.endRefresh(hash, settled);
    }
  }

  /** The answer that an earlier request with the same key and token was given, for a minute. */
  private async replayed(name: string): Promise<SignedIn | null> {
    const found = await this.db.acrossTenants(async (tx) => {
      const row = await this.rows.findReplayedRefresh(tx, name);
      if (!row) return null;
      const kept = JSON.parse(this.keyring.open(PURPOSE, row.rr_sealed)) as Kept;
      return { ...kept, memberships: await this.rows.listMemberships(tx, row.acc_id, kept.session.ses_id) };
    });
    return found && this.sessions.toSignedIn(found.session, found.tokens, found.memberships);
  }

  /** The answer before the token is spent, so that it can be kept in the same transaction; null for a token that cannot be refreshed. */
  private async prepare(hash: string, refresh_token: string): Promise<Kept | null> {
    const session = await this.db.acrossTenants((tx) => this.rows.findRefreshableSession(tx, hash));
    return session && { session, tokens: { access_token: await this.sessions.signAccessToken(session), refresh_token } };
  }

  private async rotate(
    hash: string,
    next: string,
    arrived: number,
    keep: { readonly replay: string; readonly prepared: Kept } | null,
  ): Promise<{ rotation: Rotation; memberships: readonly Membership[] }> {
    const sealed = keep && this.keyring.seal(PURPOSE, JSON.stringify(keep.prepared));
    return this.db.acrossTenants(async (tx) => {
      const spending = await this.rows.rotateRefresh(tx, {
        hash,
        nextHash: hashOfToken(next),
        replay: keep?.replay ?? null,
        sealed,
      });
      const rotation = await this.judge(tx, hash, arrived, spending);
      return {
        rotation,
        memberships: rotation.outcome === 'rotated' ? await this.rows.listMemberships(tx, rotation.acc_id, rotation.ses_id) : [],
      };
    });
  }

  /** Of a spent token, whether its bearer was in flight or came later; then the session ends. */
  private async judge(tx: UnitOfWork, hash: string, arrived: number, spending: RefreshSpending): Promise<Rotation> {
    if (spending.outcome !== 'spent') return spending;
    if (this.races.isRaceElsewhere(hash, arrived, spending.settled_ms_ago)) return { outcome: 'raced' };
    await this.rows.endSession(tx, spending.ses_id);
    return { outcome: 'reused', acc_id: spending.acc_id };
  }

  /** The session was ended: each workspace of the person hears of it, the person by mail. */
  private async sendReuseNotice(acc_id: string, address = 'unknown'): Promise<void> {
    const when = this.clock.now().toISOString();
    const account = await this.db.acrossTenants((tx) => this.accounts.findAccountById(tx, acc_id));
    const key = newId();
    await this.notices.runInEachWorkspace(acc_id, async ({ first }) => {
      this.outbox.emitEvent({ name: 'session.reuse_detected', subject_id: acc_id, payload: { user_id: acc_id, address } });
      this.audit.record({ type: ACCOUNT_AUDIT['account.session_reused'], target: { type: 'user', id: acc_id }, after: { address } });
      if (!first || !account?.acc_email) return;
      this.mail.queueMail({
        template: 'session_reuse',
        to: account.acc_email,
        vars: { when, address },
        locale: await this.notices.readLocale(acc_id),
        key,
        user_id: acc_id,
      });
    });
  }
}

/** A key belongs to one token: with another one it names nothing. */
function replayName(hash: string, key: string): string {
  if (!KEY_FORM.test(key)) {
    throw new Problem('validation_failed', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
      errors: [{ path: 'Idempotency-Key', code: 'pattern', message: 'is not valid' }],
    });
  }
  return hashOfToken(`${hash} ${key}`);
}

const raced = (): Problem =>
  new Problem('idempotency_in_progress', 'Another request has just used this refresh token. Use the tokens that it returned.', {
    headers: { 'Retry-After': '1' },
  });
