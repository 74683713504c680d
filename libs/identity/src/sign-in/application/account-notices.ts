import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace, requireScope, sql, type UnitOfWork } from '@atrium/platform/database';
import { membershipsOf, type Membership } from './sessions';

/** Reports to the workspaces of a person what happened to the account, which belongs to none: each in a unit of work of its own. */
@Injectable()
export class AccountNotices {
  private readonly log = new Logger(AccountNotices.name);

  constructor(private readonly db: Database) {}

  /** Does the work in every workspace the person is active in; one that fails does not keep the others from knowing. */
  async runInEachWorkspace(acc_id: string, work: (tx: UnitOfWork, at: { readonly first: boolean }) => Promise<void> | void): Promise<void> {
    const homes = await this.homesOf(acc_id);
    for (const [index, { ws_id }] of homes.entries()) {
      await inWorkspace(ws_id, () => this.db.write(async (tx) => work(tx, { first: index === 0 }))).catch((err: unknown) =>
        this.log.error({ msg: 'a workspace was not told of an account', ws_id, err }),
      );
    }
  }

  /** Does the work in one workspace of the person; false when there is none. */
  async runInOneWorkspace(acc_id: string, work: (tx: UnitOfWork) => Promise<void>): Promise<boolean> {
    const [home] = await this.homesOf(acc_id);
    if (home) await inWorkspace(home.ws_id, () => this.db.write(work));
    return home !== undefined;
  }

  /** A workspace the person is active in, the preferred one if it is among them. */
  async homeOf(acc_id: string, preferred: string | null): Promise<string | null> {
    const homes = (await this.homesOf(acc_id)).map(({ ws_id }) => ws_id);
    return homes.find((ws_id) => ws_id === preferred) ?? homes[0] ?? null;
  }

  /** The language somebody reads mails in, in the workspace at hand. */
  async localeOf(tx: UnitOfWork, user_id: string): Promise<string> {
    const { tenant_id } = requireScope();
    const row = await tx.first<{ locale: string }>(
      sql`SELECT coalesce(u.user_locale, w.ws_locale) AS locale FROM workspace_user u JOIN workspace w USING (tenant_id) WHERE u.tenant_id = ${tenant_id} AND u.user_id = ${user_id}`,
    );
    return row?.locale ?? 'en';
  }

  private async homesOf(acc_id: string): Promise<Membership[]> {
    const memberships = await this.db.acrossTenants((tx) => membershipsOf(tx, acc_id));
    return memberships.filter(({ user_status, ws_status }) => user_status === 'active' && ws_status === 'active');
  }
}
