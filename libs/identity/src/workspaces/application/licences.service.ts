import { Injectable } from '@nestjs/common';
import { Audit, isModule, MODULES } from '@atrium/platform/access';
import { Database, enterWorkspace, requireScope } from '@atrium/platform/database';
import { Clock, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { noSuchWorkspace } from '../domain/workspace-life';
import { GrantedLicenceRows } from '../infrastructure/granted-licence.rows';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { WorkspaceRepository, type LicenceRow } from '../../settings/infrastructure/workspace.repository';
import { WORKSPACES_AUDIT } from './workspaces.audit';

/** A licence as operators see it. */
export type LicenceLine = LicenceRow;

export interface LicenceFacts {
  readonly lic_starts_at?: Date | undefined;
  readonly lic_expires_at?: Date | null | undefined;
  readonly lic_source?: string | null | undefined;
  readonly lic_note?: string | null | undefined;
}

/** The modules operators grant to a workspace. The clock decides at each request whether a licence holds; what was made under it stays. */
@Injectable()
export class Licences {
  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly licences: GrantedLicenceRows,
    private readonly life: WorkspaceLifeRows,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(ws_id: string): Promise<LicenceRow[]> {
    return this.within(ws_id, () => this.workspaces.listLicences(), 'read');
  }

  /** Grants a module, or changes the licence that there is: what is not named stays, and of an ended one begins again. */
  grant(ws_id: string, module: string, facts: LicenceFacts): Promise<LicenceRow> {
    assertModule(module);
    return this.within(ws_id, async () => {
      const before = await this.one(module);
      const open = before?.lic_active ? before : undefined;
      const starts = facts.lic_starts_at ?? (open ? new Date(open.lic_starts_at) : null);
      const ends =
        facts.lic_expires_at === undefined ? (open?.lic_expires_at ? new Date(open.lic_expires_at) : null) : facts.lic_expires_at;
      if (ends && ends <= (starts ?? this.clock.now())) throw invalidField('lic_expires_at', 'must be after lic_starts_at', 'range');
      const [source, note] = [
        facts.lic_source === undefined ? (before?.lic_source ?? 'operator') : facts.lic_source,
        facts.lic_note === undefined ? (before?.lic_note ?? null) : facts.lic_note,
      ];
      await this.licences.saveLicence(ws_id, { module, starts, ends, source, note });
      const after = await this.known(module);
      this.tell('license.granted', before, after);
      return after;
    });
  }

  /** Ends a licence now; one that has ended, or never was, is none to end. */
  revoke(ws_id: string, module: string): Promise<LicenceRow> {
    assertModule(module);
    return this.within(ws_id, async () => {
      const before = await this.one(module);
      if (!before || (before.lic_expires_at !== null && new Date(before.lic_expires_at) <= this.clock.now()))
        throw new Problem('not_found', `The workspace has no licence for ${module}.`);
      // Announced by its revocation; the sweep has nothing to tell any more.
      await this.licences.endLicence(ws_id, module);
      await this.licences.markAnnounced(ws_id, module);
      const after = await this.known(module);
      this.tell('license.revoked', before, after);
      return after;
    });
  }

  private tell(type: 'license.granted' | 'license.revoked', before: LicenceRow | undefined, after: LicenceRow): void {
    this.audit.record({
      type: WORKSPACES_AUDIT[type],
      target: { type: 'license', id: after.lic_module, name: after.lic_module },
      before: before ? told(before) : null,
      after: told(after),
    });
    this.outbox.emitEvent({ name: type, subject_id: requireScope().tenant_id, payload: { lic_module: after.lic_module, ...told(after) } });
  }

  private async one(module: string): Promise<LicenceRow | undefined> {
    return (await this.workspaces.listLicences()).find(({ lic_module }) => lic_module === module);
  }

  private async known(module: string): Promise<LicenceRow> {
    const row = await this.one(module);
    if (!row) throw new Error('A licence that was written is not there.');
    return row;
  }

  private within<T>(ws_id: string, work: () => Promise<T>, mode: 'read' | 'write' = 'write'): Promise<T> {
    return enterWorkspace(ws_id, () =>
      this.db[mode](async () => {
        if (!(await this.life.findCurrentWorkspace({ lock: mode === 'write' }))) throw noSuchWorkspace();
        return work();
      }),
    );
  }
}

const told = ({ lic_starts_at, lic_expires_at, lic_source, lic_note }: LicenceRow): JsonObject => ({
  lic_starts_at,
  lic_expires_at,
  lic_source,
  lic_note,
});

function assertModule(module: string): void {
  if (!isModule(module)) throw new Problem('not_found', `${module} is not one of ${MODULES.join(', ')}.`);
}
