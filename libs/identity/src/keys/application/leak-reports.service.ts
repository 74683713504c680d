import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { currentScope, Database, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Clock, newId } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { hashOf, publicIdOf } from '../domain/api-key';
import { KeysRepository, LeakedKeys } from '../infrastructure/keys.repository';
import { KEY_AUDIT, targetOf } from './keys.audit';
import { Mail } from '../../mail/application/mail';

/** An answer leaves no sooner, so that revoking a key takes no longer than finding none. */
const ANSWERED_AFTER_MS = 150;

/** People notified of one leaked key. */
const MAX_TOLD = 50;

/** Revokes keys by possession: anyone who can show a complete key has it. Only its workspace learns what was found. */
@Injectable()
export class LeakReportsService {
  private readonly log = new Logger(LeakReportsService.name);

  constructor(
    private readonly db: Database,
    private readonly leaked: LeakedKeys,
    private readonly keys: KeysRepository,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly mail: Mail,
    private readonly clock: Clock,
  ) {}

  async reportLeakedKeys(texts: readonly string[]): Promise<Record<string, never>> {
    await Promise.all([this.revokeAll(texts), pause(ANSWERED_AFTER_MS)]);
    return {};
  }

  private async revokeAll(texts: readonly string[]): Promise<void> {
    const whole = [...new Set(texts)].flatMap((text) => {
      const public_id = publicIdOf(text);
      return public_id ? [{ public_id, hash: hashOf(text) }] : [];
    });
    for (const { tenant_id, key_id } of await this.leaked.findLeakedKeys(whole)) {
      const { request_id, address } = currentScope() ?? { request_id: newId() };
      await runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id, ...(address ? { address } : {}) }, () => this.revoke(key_id)).catch(
        (error: unknown) => {
          this.log.error(`A leaked key could not be revoked: ${error instanceof Error ? error.message : String(error)}`);
        },
      );
    }
  }

  private revoke(key_id: string): Promise<void> {
    return this.db.write(async () => {
      const key = await this.keys.lock(key_id);
      if (!key.revoke('leaked', null, this.clock)) return;
      key.touch(this.clock);
      await this.keys.save(key);
      this.outbox.emitEvent({ name: 'api_key.leaked', subject_id: key_id, payload: { key_user: key.key_user } });
      this.audit.record({
        type: KEY_AUDIT['api_key.leaked'],
        target: targetOf(key),
        before: { key_status: 'active' },
        after: { key_status: 'revoked', key_revoke_reason: 'leaked' },
      });
      for (const { user_id, user_email, user_locale, ws_name } of await this.keys.listGuardians(key.key_user, MAX_TOLD)) {
        this.mail.queueMail({
          template: 'key_leaked',
          to: user_email,
          locale: user_locale,
          key: `key-leaked.${key_id}.${user_id}`,
          vars: { ws_name, key_name: key.key_name, key_prefix: key.key_prefix },
        });
      }
    });
  }
}
