import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Who answers in a space unless something else is chosen, and from which bases. */
export interface SpaceDefaults {
  readonly agent: string | null;
  readonly knowledge: readonly string[];
}

export interface SpaceInstructions {
  readonly name: string;
  readonly instructions: string | null;
}

/** What answers take from where they are asked: the space and the workspace. */
@Injectable()
export class RunPlaceRows {
  constructor(private readonly db: Database) {}

  /** Null unless the space is active. */
  async findSpaceDefaults(space_id: string): Promise<SpaceDefaults | null> {
    const row = await this.db
      .current()
      .first<{ agent: string | null; knowledge: string[] }>(
        sql`SELECT s.space_agent AS agent, s.space_knowledge AS knowledge FROM space s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.space_id = ${space_id} AND s.space_active`,
      );
    return row ?? null;
  }

  /** Null unless the space is active. */
  async findSpaceInstructions(space_id: string): Promise<SpaceInstructions | null> {
    const row = await this.db
      .current()
      .first<{ name: string; instructions: string | null }>(
        sql`SELECT s.space_name AS name, s.space_instructions AS instructions FROM space s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.space_id = ${space_id} AND s.space_active`,
      );
    return row ?? null;
  }

  async findWorkspaceName(): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ ws_name: string }>(sql`SELECT w.ws_name FROM workspace w WHERE w.tenant_id = ${requireScope().tenant_id}`);
    return row?.ws_name ?? null;
  }
}
