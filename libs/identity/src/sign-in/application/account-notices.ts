import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace, type UnitOfWork } from '@atrium/platform/database';
import { UsersRepository } from '../../people/infrastructure/users.repository';
import { SessionRows, type Membership } from '../infrastructure/session.rows';

/** Reports to the workspaces of a person what happened to the account, which belongs to none: each in a unit of work of its own. */
@Injectable()
export class AccountNotices {
  private readonly log = new Logger(AccountNotices.name);

  constructor(
    private readonly db: Database,
    private readonly sessions: SessionRows,
    private readonly users: UsersRepository,
  ) {}

  /** Does the work in every workspace the person is active in; one that fails does not keep the others from knowing. */
  async runInEachWorkspace(acc_id: string, work: (at: { readonly first: boolean }) => Promise<void> | void): Promise<void> {
    const homes = await this.homesOf(acc_id);
    for (const [index, { ws_id }] of homes.entries()) {
      await inWorkspace(ws_id, () => this.db.write(async () => work({ first: index === 0 }))).catch((err: unknown) =>
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
  async findHome(acc_id: string, preferred: string | null): Promise<string | null> {
    const homes = (await this.homesOf(acc_id)).map(({ ws_id }) => ws_id);
    return homes.find((ws_id) => ws_id === preferred) ?? homes[0] ?? null;
  }

  /** Within a unit of work: the language somebody reads mails in, in the workspace at hand. */
  async readLocale(user_id: string): Promise<string> {
    return (await this.users.findLocale(user_id)) ?? 'en';
  }

  private async homesOf(acc_id: string): Promise<Membership[]> {
    const memberships = await this.db.acrossTenants((tx) => this.sessions.listMemberships(tx, acc_id));
    return memberships.filter(({ user_status, ws_status }) => user_status === 'active' && ws_status === 'active');
  }
}
