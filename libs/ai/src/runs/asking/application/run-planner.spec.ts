import type { TextModels } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import type { SearchScopes } from '@atrium/retrieval';
import type { AgentAccess } from '../../../agents/application/agent-access';
import type { AgentTools } from '../../../agents/application/agent-tools';
import type { PromptTerms } from '../../records/domain/run-plan';
import { RunPlanner } from './run-planner';

const caller = { permissions: new Set(['agent:run']) } as unknown as Principal;

/** Plans the answer to a prompt by an agent that searches one base; an answer is planned once its model is asked for. */
function planned(agent_overrides: readonly string[], prompt: Partial<PromptTerms>): Promise<unknown> {
  const agent = { agent_name: 'Clerk', agent_model: 'm1', agent_params: {}, agent_knowledge: ['own'], agent_overrides };
  const planner = new RunPlanner(
    undefined as unknown as Database,
    { standard: () => Promise.resolve(agent) } as unknown as AgentAccess,
    undefined as unknown as AgentTools,
    { resolve: () => Promise.reject(new Error('planned')) } as unknown as TextModels,
    undefined as unknown as SearchScopes,
  );
  return planner.of(caller, null, { prompt: { prompt_id: 'p1', agent_id: null, model_id: null, params: {}, knowledge: [], ...prompt } });
}

describe('a prompt', () => {
  it.each<[string, Partial<PromptTerms>]>([
    ['model', { model_id: 'm2' }],
    ['params', { params: { temperature: 1 } }],
    ['knowledge', { knowledge: ['own', 'other'] }],
  ])('chooses the %s of its answers only for an agent that lets messages choose it', async (what, prompt) => {
    await expect(planned([], prompt)).rejects.toThrow(`chooses the ${what} of its answers`);
    await expect(planned([what], prompt)).rejects.toThrow('planned');
  });

  it('may name what the agent has anyway', async () => {
    await expect(planned([], { model_id: 'm1', knowledge: ['own'] })).rejects.toThrow('planned');
  });
});
