import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Versioned } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { UsersRepository } from '../infrastructure/users.repository';

/** The caller with all that is known of them here; the version is that of the membership. */
export interface MeAnswer extends Versioned {
  readonly user: Record<string, unknown>;
  readonly [part: string]: unknown;
}

/** The caller as the service sees it. */
@Injectable()
export class MeService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
  ) {}

  async get(caller: Principal): Promise<MeAnswer> {
    const row = await this.db.read(() => this.users.findOwnMembership(caller));
    if (!row) throw notFound('member');
    return {
      row_version: row.row_version,
      principal_kind: caller.kind,
      user: row.user,
      roles: row.roles,
      permissions: caller.permissions.list(),
      modules: [...caller.modules].sort(),
      workspace: row.workspace,
      key: row.key,
      session: caller.session_id ? { ses_id: caller.session_id, ses_methods: caller.methods } : null,
      extension: null,
    };
  }
}
