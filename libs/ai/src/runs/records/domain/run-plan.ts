import type { JsonObject } from '@atrium/platform/kernel';
import type { AgentRetrieval, ModelParams } from '../../../agents/domain/agent-settings';
import { isClientTool, type AgentTool } from '../../../agents/domain/agent-tool';

/** Steps of a run that says nothing of them. */
export const USUAL_STEPS = 8;
export const MOST_STEPS = 25;

/** What a run was asked for: the agent as it was at that moment, and what the message chose for itself. */
export interface RunPlan {
  readonly agent_name: string;
  readonly instructions: string | null;
  readonly greeting: string | null;
  readonly params: ModelParams;
  readonly retrieval: AgentRetrieval;
  readonly knowledge: readonly string[];
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly tools: readonly AgentTool[];
  readonly memory: boolean;
  readonly schema: JsonObject | null;
  readonly max_steps: number;
  /** Tokens that the model may read and write. */
  readonly context: number;
  readonly max_output: number;
  /** Whether the model reads pictures. */
  readonly vision?: boolean;
  readonly prompt_id: string | null;
}

/** What a prompt brings to the answers of its message; what it leaves open is the agent's. */
export interface PromptTerms {
  /** Null where the prompt is gone by now. */
  readonly prompt_id: string | null;
  readonly agent_id: string | null;
  readonly model_id: string | null;
  readonly params: ModelParams;
  /** Bases of the prompt and of its values. */
  readonly knowledge: readonly string[];
}

/** The terms that were stored with the message. */
export const termsOf = ({ prompt_id, agent_id, model_id, params, knowledge }: JsonObject): PromptTerms => ({
  prompt_id: prompt_id as string | null,
  agent_id: agent_id as string | null,
  model_id: model_id as string | null,
  params: params as ModelParams,
  knowledge: knowledge as readonly string[],
});

/** Whether the agent names where to search; one that names nothing searches all that the asker may read. */
export const namesSources = ({ knowledge, folders, files }: Pick<RunPlan, 'knowledge' | 'folders' | 'files'>): boolean =>
  knowledge.length + folders.length + files.length > 0;

export const SEARCH_TOOL = 'search_knowledge';

/**
 * The tools of a run: one that names sources and whose model decides when to search can search, whether or not its agent
 * lists the tool. Listed, it keeps what the agent says of its approval.
 */
export function toolsWithSearch(tools: readonly AgentTool[], plan: Pick<RunPlan, 'knowledge' | 'folders' | 'files' | 'retrieval'>) {
  const isListed = tools.some((tool) => (isClientTool(tool) ? tool.name : tool.tool) === SEARCH_TOOL);
  if (isListed || plan.retrieval.mode !== 'tool' || !namesSources(plan)) return tools;
  return [...tools, { tool: SEARCH_TOOL, approval: 'never' as const }];
}
