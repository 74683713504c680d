import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

export interface KnownAgent {
  readonly agent_id: string;
  readonly agent_name: string;
  readonly agent_default: boolean;
  readonly agent_active: boolean;
  readonly agent_version: number;
  readonly agent_tools: readonly { readonly tool?: string; readonly approval: string }[];
}

/** Small as it is, one value would be held against 2^40 schemas. */
export const UNFOLDING_SCHEMA = {
  type: 'object',
  $ref: '#/$defs/a0',
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, at < 40 ? { allOf: [next, next] } : {}];
    }),
  ),
};

export const makeAgent = async (client: Client, body: object = {}): Promise<KnownAgent> =>
  (await client.post('/agents', { agent_name: `Agent ${newId()}`, ...body }).expect(201)).body as KnownAgent;

export const readAgent = async (client: Client, agent_id: string): Promise<KnownAgent> =>
  (await client.get(`/agents/${agent_id}`).expect(200)).body as KnownAgent;

/** The agents of a list, by their names. */
export const agentNames = async (client: Client, query = ''): Promise<string[]> =>
  ((await client.get(`/agents${query}`).expect(200)).body as { data: KnownAgent[] }).data.map(({ agent_name }) => agent_name);
