import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { mailTime } from '../../mail/domain/mailer';
import { Mail } from '../../mail/application/mail';
import { KeysRepository } from '../infrastructure/keys.repository';

/** Mails the person who holds a key that it is about to end; keys of services and extensions have nobody to tell. */
@Injectable()
export class KeyExpiryNotice {
  constructor(
    private readonly db: Database,
    private readonly keys: KeysRepository,
    private readonly mail: Mail,
  ) {}

  /** `days` is how long before the end this is; one mail each. */
  async sendExpiryNotice(key_id: string, days: number): Promise<void> {
    if (!this.mail.configured) return;
    await this.db.write(async () => {
      const key = await this.keys.findExpiringKey(key_id);
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
