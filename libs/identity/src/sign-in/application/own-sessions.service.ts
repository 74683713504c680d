import { Injectable } from '@nestjs/common';
import { Audit, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, decodeCursor, encodeCursor, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import { SessionRows, type OwnSession } from '../infrastructure/session.rows';

/** What is kept of how people sign in. */
export const ACCOUNT_AUDIT = defineAuditTypes({
  'account.password_changed': 'A person changed the password.',
  'account.password_reset': 'A person set a new password with a mailed link.',
  'account.email_changed': 'A person confirmed a new e-mail address.',
  'account.email_restored': 'A person undid a change of the e-mail address with the link mailed to the previous address.',
  'account.mfa_enabled': 'A person set up a second factor.',
  'account.mfa_disabled': 'A person removed the second factor.',
  'account.recovery_codes_renewed': 'A person created new recovery codes.',
  'account.sessions_ended': 'A person ended sessions.',
  'account.session_reused': 'A used refresh token was presented again; the session was ended.',
});

const SORT = '-ses_created';
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

export type SessionAnswer = OwnSession & { readonly ses_current: boolean };

/** One workspace of a person, as the person chooses among them. */
export type OwnWorkspace = {
  readonly ws_id: string;
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly ws_status: string;
  readonly user_status: string;
  readonly user_roles: readonly string[];
};

/** The sessions of the caller and the workspaces they open. A session that is ended is refused from the next request on. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly db: Database,
    private readonly sessions: SessionRows,
    private readonly audit: Audit,
  ) {}

  async list(caller: Principal, query: ListParameters): Promise<Page<SessionAnswer>> {
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const position = decodeCursor(query.cursor, SORT);
    const offset = position ? 0 : (query.offset ?? 0);
    const rows = await this.db.read((tx) =>
      this.sessions.listSessions(tx, caller.user_id, {
        before: position,
        most: alone(caller) ? MAX_LIMIT : offset + limit + 1,
        only: alone(caller),
        offset,
      }),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const has_more = rows.length > limit;
    return {
      data: page.map((row) => ({ ...row, ses_current: row.ses_id === caller.session_id })),
      has_more,
      next_cursor: has_more && last ? encodeCursor({ sort: SORT, key: last.ses_created, id: last.ses_id }) : null,
    };
  }

  async endSession(caller: Principal, ses_id: string): Promise<void> {
    await this.db.write(async (tx) => {
      if (![null, ses_id].includes(alone(caller)) || !(await this.sessions.endSessionOf(tx, caller.user_id, ses_id)))
        throw notFound('session');
      this.record(caller, { ses_id });
    });
  }

  /** All but the one that asks. */
  async endOthers(caller: Principal): Promise<{ revoked: number }> {
    return this.db.write(async (tx) => {
      if (alone(caller)) return { revoked: 0 };
      const revoked = await this.sessions.endOtherSessions(tx, caller.user_id, caller.session_id);
      if (revoked > 0) this.record(caller, { revoked });
      return { revoked };
    });
  }

  /** A key sees the one workspace it belongs to. */
  async listWorkspaces(caller: Principal): Promise<OwnWorkspace[]> {
    await this.db.settleGate();
    const memberships = await this.db.acrossTenants((tx) => this.sessions.listMemberships(tx, caller.user_id, caller.session_id));
    const seen = caller.key_id === null ? memberships : memberships.filter(({ ws_id }) => ws_id === caller.tenant_id);
    return seen.map(({ user_name: _, ...workspace }) => workspace);
  }

  private record(caller: Principal, after: JsonObject): void {
    this.audit.record({ type: ACCOUNT_AUDIT['account.sessions_ended'], target: { type: 'user', id: caller.user_id }, after });
  }
}

/** A session that an issuer vouched for holds in its workspace alone, so it sees and ends no session but itself. */
const alone = ({ methods, session_id }: Principal): string | null => (methods.includes('ext') ? session_id : null);
