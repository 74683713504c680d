import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { OfferedTool } from '../domain/agent-tool';
import { BUILT_IN_TOOLS } from '../domain/built-in-tools';
import { ToolSources } from './tool-sources';

/** The tools that agents can have: those of the service, and those of registered sources. */
@Injectable()
export class AgentTools {
  constructor(
    private readonly db: Database,
    private readonly sources: ToolSources,
  ) {}

  /** All that the caller may attach. */
  listTools(caller: Principal): Promise<OfferedTool[]> {
    return this.db.read(async () => [...BUILT_IN_TOOLS, ...(await this.sources.listTools(caller)).map(shown)]);
  }

  /** Of the named tools those that the caller may use, by their names. Within a unit of work. */
  async findOffered(caller: Principal, tools: readonly string[]): Promise<ReadonlyMap<string, OfferedTool>> {
    return new Map<string, OfferedTool>([
      ...BUILT_IN_TOOLS.filter(({ tool }) => tools.includes(tool)).map((tool) => [tool.tool, tool] as const),
      ...(await this.sources.findTools(caller, tools)),
    ]);
  }
}

const shown = ({ tool, name, description, schema, risk }: OfferedTool): OfferedTool => ({ tool, name, description, schema, risk });
