import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { CellConventions } from '../domain/cell-locale';

/** How the people of the workspace write numbers and dates in tables, and in which zone they read clocks. */
@Injectable()
export class WorkspaceConventions {
  constructor(private readonly db: Database) {}

  /** Within a unit of work. */
  async readHabits(): Promise<CellConventions> {
    const row = await this.db
      .current()
      .first<{ locale: string | null; zone: string | null }>(
        sql`SELECT ws_locale AS locale, ws_timezone AS zone FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`,
      );
    return { locale: row?.locale ?? undefined, zone: row?.zone ?? undefined };
  }
}
