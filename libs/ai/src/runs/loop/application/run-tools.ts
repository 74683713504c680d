import { Injectable } from '@nestjs/common';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { JsonSchema } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { Database, inStep } from '@atrium/platform/database';
import { Problem, SECOND, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { AgentTools } from '../../../agents/application/agent-tools';
import { ToolSources } from '../../../agents/application/tool-sources';
import { isClientTool, type AgentTool, type Approval, type OfferedTool } from '../../../agents/domain/agent-tool';
import { JsonCheck } from './json-check';
import { storableJson, storableStart } from '../../records/domain/storable';
import { MOST_OUTPUT, type ToolLoop } from '../domain/tool-loop';
import { isGivenAddress } from '../../prompt/taint';
import type { CheckedCall } from '../../records/application/run-records';
import { BuiltInTools, type ToolResult, type ToolScene } from './built-in-tools';
import type { AskedCall } from './model-step';

/** A tool as a run has it. */
export interface RunTool extends Pick<OfferedTool, 'tool' | 'name' | 'description' | 'schema' | 'risk'> {
  readonly isClient: boolean;
  readonly isIdempotent: boolean;
  readonly approval: Approval;
  readonly config: JsonObject;
}

/** What decides about a call besides its tool and its input. */
export interface CallTerms {
  /** Text of strangers may be among what the model read. */
  readonly tainted: boolean;
  /** Somebody can be asked: a run without a thread has nobody who answers it. */
  readonly attended: boolean;
  /** What the asker said: addresses in it may be fetched without consent. */
  readonly said: readonly string[];
}

const UNATTENDED = 'The call needs a person or the client, and this run has no thread in which to ask them.';
/** For the model: a call that may have happened is not made a second time. */
export const UNCERTAIN = 'The outcome of the same call is unknown; it is not made again.';

/** Whether a tool can be called where nobody is there to consent to the call or to make it. */
export const isUnattended = (tool: AgentTool): boolean => !isClientTool(tool) && tool.approval !== 'always';

const TOOL_MS = 60 * SECOND;

/** The tools of one run: which there are, whether a call may be made, and the call itself. */
@Injectable()
export class RunTools {
  constructor(
    private readonly db: Database,
    private readonly catalog: AgentTools,
    private readonly sources: ToolSources,
    private readonly builtIn: BuiltInTools,
  ) {}

  /** The tools that the agent names, as far as the asker may use them now. */
  async resolveTools(actor: Principal, tools: readonly AgentTool[], without: ReadonlySet<string>): Promise<ReadonlyMap<string, RunTool>> {
    const named = tools.flatMap((tool) => (isClientTool(tool) ? [] : [tool.tool]));
    const find = async () => ({ offered: await this.catalog.findOffered(actor, named), outer: await this.sources.findTools(actor, named) });
    // Those of the service are known without a statement.
    const known = named.some((tool) => this.sources.findSource(tool)) ? await this.db.read(find) : await find();
    const found = tools.flatMap((tool): RunTool[] => {
      if (isClientTool(tool)) {
        const { name, description, schema, approval } = tool;
        return [{ tool: name, name, description, schema, approval, risk: 'external', isClient: true, isIdempotent: false, config: {} }];
      }
      const offered = known.offered.get(tool.tool);
      if (!offered || without.has(tool.tool)) return [];
      const { name, description, schema, risk } = offered;
      const isIdempotent = this.builtIn.hasTool(tool.tool)
        ? this.builtIn.isIdempotent(tool.tool)
        : (known.outer.get(tool.tool)?.idempotent ?? false);
      return [
        {
          tool: tool.tool,
          name,
          description,
          schema,
          risk,
          approval: tool.approval,
          isClient: false,
          isIdempotent,
          config: tool.config ?? {},
        },
      ];
    });
    return new Map(found.map((tool) => [tool.name, tool]));
  }

  /** Tools as models are offered them. */
  describeTools(tools: ReadonlyMap<string, RunTool>): LanguageModelV3FunctionTool[] {
    return [...tools.values()].map(({ name, description, schema }) => ({ type: 'function', name, description, inputSchema: schema }));
  }

  /** Whether a call may be made at once, waits for somebody, or is wrong. */
  checkCall(
    { call_id, tool: name, input: written }: AskedCall,
    tools: ReadonlyMap<string, RunTool>,
    loop: ToolLoop,
    { tainted, attended, said }: CallTerms,
  ): CheckedCall {
    const tool = tools.get(name);
    const input = objectOf(written);
    const call = { call_id, tool: name, input: input ?? {}, waits_for: null, idempotent: tool?.isIdempotent ?? true };
    if (!tool) return { ...call, fault: `There is no tool ${storableStart(name, 80)}.`, isInvalid: true };
    if (!input) return { ...call, fault: 'The input is not valid JSON of an object.', isInvalid: true };
    const faults = this.builtIn.hasTool(tool.tool) ? JsonSchema.ofOwn(tool.schema).faults(input) : faultsOf(tool.schema, input);
    if (faults.length > 0) return { ...call, fault: `The input is not valid: ${faults.join('; ')}.`, isInvalid: true };
    if (loop.isRepeated({ tool: name, input })) return { ...call, fault: 'The same call was made twice already.', isInvalid: false };
    if (loop.isUncertain({ tool: name, input })) return { ...call, fault: UNCERTAIN, isInvalid: false };
    const consent = tool.approval === 'always' || (tool.approval === 'tainted' && tainted && !onlyReads(tool, input, said));
    if (!attended && (consent || tool.isClient)) return { ...call, fault: UNATTENDED, isInvalid: false };
    return { ...call, fault: null, isInvalid: false, waits_for: consent ? 'approval' : tool.isClient ? 'client' : null };
  }

  /** Why what a tool answers taints the run, also where it fails; null for the tools of the service, which say it of each result. */
  findTaint({ tool, name }: Pick<RunTool, 'tool' | 'name'>): string | null {
    return this.builtIn.hasTool(tool) ? null : `the result of ${name}`;
  }

  /** Makes the call, within its time; throws a `Problem` that says what went wrong. */
  async runTool(tool: RunTool, input: JsonObject, key: string, scene: ToolScene): Promise<ToolResult> {
    const signal = AbortSignal.any([scene.signal, AbortSignal.timeout(TOOL_MS)]);
    const made = this.builtIn.hasTool(tool.tool)
      ? inStep(() => this.builtIn.runTool(tool.tool, input, { ...scene, signal }))
      : inStep(() => this.outer(tool, input, key, { ...scene, signal }));
    return boundedResult(await Promise.race([made, overdue(signal)]));
  }

  private async outer(tool: RunTool, input: JsonObject, key: string, { actor, signal }: ToolScene): Promise<ToolResult> {
    const source = this.sources.findSource(tool.tool);
    if (!source) throw new Problem('unprocessable_content', `There is no tool ${tool.name} any more.`);
    const { output } = await source.executeCall({ tool: tool.tool, input, config: tool.config, actor, key, signal });
    return { output, shown: output };
  }
}

/** A page whose address the asker gave is read; another address may carry out what the run has read. */
const onlyReads = ({ tool, risk }: RunTool, { url }: JsonObject, said: readonly string[]): boolean =>
  risk === 'read' || (tool === 'fetch_url' && typeof url === 'string' && isGivenAddress(url, said));

function objectOf(written: string): JsonObject | null {
  try {
    const value = JSON.parse(written === '' ? '{}' : written) as JsonValue;
    return isObject(value) ? (storableJson(value) as JsonObject) : null;
  } catch {
    return null;
  }
}

function faultsOf(schema: JsonObject, input: JsonObject): readonly string[] {
  try {
    return new JsonCheck(schema).findFaults(input);
  } catch (error) {
    return [error instanceof Problem ? error.detail : 'the schema of the tool cannot be used'];
  }
}

/** Output that is longer than a model should read is cut, as text. */
export function boundedResult({ output: whole, shown, ...beside }: ToolResult): ToolResult {
  const isAllShown = shown === whole;
  const output = shortened(storableJson(whole));
  return { ...beside, output, shown: isAllShown ? output : storableJson(shown) };
}

function shortened(output: JsonValue): JsonValue {
  const text = JSON.stringify(output);
  if (text.length <= MOST_OUTPUT) return output;
  return { text: storableStart(typeof output === 'string' ? output : text, MOST_OUTPUT), cut: true };
}

const overdue = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const fail = (): void => reject(new Problem('upstream_timeout', 'The tool did not answer in time.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
