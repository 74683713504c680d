import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { IssuerKeys } from '../infrastructure/issuer-keys';
import { IssuersRepository, type DueIssuer } from '../infrastructure/issuers.repository';

const AT_ONCE = 4;
const PAGE = 100;

/** Keeps the keys of every active issuer fresh; one that does not answer keeps its keys, and says so in `iss_error`. */
@Injectable()
export class IssuerKeysRefresh {
  constructor(
    private readonly db: Database,
    private readonly issuers: IssuersRepository,
    private readonly keys: IssuerKeys,
  ) {}

  async refreshAll(signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; ;) {
      const due: DueIssuer[] = await this.issuers.listDueIssuers(after, PAGE);
      await this.refreshSome(due, signal);
      after = due.at(-1)?.iss_id ?? null;
      if (due.length < PAGE || signal.aborted) return;
    }
  }

  /** A few at once: a slow issuer holds up one lane, not all. */
  private async refreshSome(due: DueIssuer[], signal: AbortSignal): Promise<void> {
    const line = [...due];
    const lane = async (): Promise<void> => {
      for (let next = line.shift(); next && !signal.aborted; next = line.shift()) await this.refresh(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  private refresh({ tenant_id, iss_id }: DueIssuer): Promise<void> {
    return inWorkspace(tenant_id, async () => {
      const issuer = await this.db.read(() => this.issuers.findRow(iss_id));
      if (issuer?.iss_active) await this.keys.fetchKeys(issuer);
    });
  }
}
