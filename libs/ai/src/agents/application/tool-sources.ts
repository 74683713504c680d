import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { OfferedTool } from '../domain/agent-tool';

/** A tool of a source as runs need to know it. */
export interface SourceTool extends OfferedTool {
  /** Whether a call that may have happened already can be made again under the same key without happening twice. */
  readonly idempotent: boolean;
}

/** One call of a tool of a source; made outside of any unit of work. */
export interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** What the agent says of the tool. */
  readonly config: JsonObject;
  /** With whose rights of the moment. */
  readonly actor: Principal;
  /** `run_id:call_id`: the same in every attempt. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** What a call brought; it taints the run, for the asker did not write it. A failure that the model can react to is thrown as a `Problem`. */
export interface ToolOutcome {
  readonly output: JsonValue;
}

/** Port for contexts whose work agents can do: workflows and actions of integrations. */
export interface ToolSource {
  /** The part of a tool's name before the colon. */
  readonly prefix: string;
  /** Every tool that the caller may attach to an agent. Within a unit of work. */
  listTools(caller: Principal): Promise<readonly SourceTool[]>;
  /** Of the named tools those that the caller may use. Within a unit of work. */
  findTools(caller: Principal, tools: readonly string[]): Promise<readonly SourceTool[]>;
  executeCall(call: ToolCall): Promise<ToolOutcome>;
}

/** The sources of tools that this process knows. */
@Injectable()
export class ToolSources {
  private readonly sources = new Map<string, ToolSource>();

  register(source: ToolSource): void {
    if (this.sources.has(source.prefix)) throw new Error(`Two contexts register tools with the prefix ${source.prefix}.`);
    this.sources.set(source.prefix, source);
  }

  /** The source that knows a tool by its name; none for built-in tools and names that nobody registered. */
  findSource(tool: string): ToolSource | undefined {
    return this.sources.get(prefixOf(tool));
  }

  async listTools(caller: Principal): Promise<SourceTool[]> {
    const found: SourceTool[] = [];
    for (const source of this.sources.values()) found.push(...(await source.listTools(caller)));
    return found;
  }

  /** Of the named tools those that the caller may use, by their names; one question a source. */
  async findTools(caller: Principal, tools: readonly string[]): Promise<ReadonlyMap<string, SourceTool>> {
    const found = new Map<string, SourceTool>();
    for (const [prefix, source] of this.sources) {
      const named = [...new Set(tools)].filter((tool) => prefixOf(tool) === prefix);
      if (named.length > 0) for (const tool of await source.findTools(caller, named)) found.set(tool.tool, tool);
    }
    return found;
  }
}

const prefixOf = (tool: string): string => (tool.includes(':') ? tool.slice(0, tool.indexOf(':')) : '');
