import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { mailTime } from '../../mail/domain/mailer';
import { Mail } from '../../mail/application/mail';

interface ExpiringKey {
  readonly key_name: string;
  readonly key_prefix: string;
  readonly key_expires_at: string;
  readonly user_email: string;
  readonly ws_name: string;
  readonly locale: string;
}

/** Mails the person who holds a key that it is about to end; keys of services and extensions have nobody to tell. */
@Injectable()
export class KeyExpiryNotice {
  constructor(
    private readonly db: Database,
    private readonly mail: Mail,
  ) {}

  /** `days` is how long before the end this is; one mail each. */
  async sendExpiryNotice(key_id: string, days: number): Promise<void> {
    if (!this.mail.configured) return;
    await this.db.write(async (tx) => {
      const key = await tx.first<ExpiringKey & Record<string, unknown>>(
        sql`SELECT k.key_name, k.key_prefix, k.key_expires_at, u.user_email, w.ws_name, coalesce(u.user_locale, w.ws_locale) AS locale
            FROM api_key k JOIN workspace_user u ON u.tenant_id = k.tenant_id AND u.user_id = k.key_user JOIN workspace w ON w.tenant_id = k.tenant_id
            WHERE k.tenant_id = ${requireScope().tenant_id} AND k.key_id = ${key_id}::uuid AND k.key_revoked_at IS NULL AND k.key_expires_at > now()
              AND u.user_kind = 'person' AND u.user_status = 'active' AND u.user_email IS NOT NULL`,
      );
      if (!key) return;
      const { key_name, key_prefix, ws_name } = key;
      const expires = new Date(key.key_expires_at);
      this.mail.queueMail({
        template: 'key_expiring',
        to: key.user_email,
        vars: { ws_name, key_name, key_prefix, expires: mailTime(expires) },
        locale: key.locale,
        key: `key-expiring.${key_id}.${expires.getTime()}.${days}`,
      });
    });
  }
}
