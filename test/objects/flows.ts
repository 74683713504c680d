import { eventually, type Client } from '@atrium/platform/testing';
import type { Obj } from './objects';

export interface Flow {
  readonly olf_id: string;
  readonly olf_name: string;
  readonly olf_active: boolean;
  readonly olf_revision: number;
  readonly olf_forms: string[];
  readonly olf_states: { readonly key: string; readonly retrievable: boolean; readonly locked: boolean }[];
  readonly olf_transitions: { readonly key: string; readonly comment: string }[];
}

export interface Stated extends Obj {
  readonly obj_status: string | null;
  readonly obj_flow: string | null;
  readonly state: { readonly key: string; readonly name: string } | null;
}

export interface Step {
  readonly otr_transition: string | null;
  readonly otr_from: string | null;
  readonly otr_to: string;
  readonly otr_comment: string | null;
  readonly otr_by: string | null;
}

export const STATES = [
  { key: 'draft', name: 'Draft', initial: true },
  { key: 'review', name: 'In review' },
  { key: 'approved', name: 'Approved', locked: true, final: true },
];

export const TRANSITIONS = [
  { key: 'submit', name: 'Submit', from: ['draft'], to: 'review' },
  { key: 'approve', name: 'Approve', from: ['review'], to: 'approved' },
  { key: 'reopen', name: 'Reopen', from: ['*'], to: 'draft' },
];

export const flowOf = (more: object = {}): object => ({ olf_name: 'Approval', olf_states: STATES, olf_transitions: TRANSITIONS, ...more });

export const makeFlow = async (client: Client, more: object = {}): Promise<Flow> =>
  (await client.post('/object-lifecycle-flows', flowOf(more)).expect(201)).body as Flow;

/** A flow that objects of the schemas follow. */
export async function activeFlow(client: Client, olf_forms: readonly string[], more: object = {}): Promise<Flow> {
  const { olf_id } = await makeFlow(client, { olf_forms, ...more });
  return (await client.post(`/object-lifecycle-flows/${olf_id}/activate`).expect(200)).body as Flow;
}

export const stateOf = async (client: Client, obj_id: string): Promise<Stated> =>
  (await client.get(`/objects/${obj_id}`).expect(200)).body as Stated;

export const statuses = (client: Client, obj_ids: readonly string[]): Promise<(string | null)[]> =>
  Promise.all(obj_ids.map(async (id) => (await stateOf(client, id)).obj_status));

export const move = (client: Client, obj_id: string, transition: string, more: object = {}) =>
  client.post(`/objects/${obj_id}/transitions`, { transition, ...more });

export const openTransitions = async (client: Client, obj_id: string) =>
  (await client.get(`/objects/${obj_id}/transitions`).expect(200)).body.data as {
    key: string;
    to: string;
    comment: string;
    require_fields: string[];
    blocked_by: { path: string; code: string; message: string }[];
  }[];

export const steps = async (client: Client, obj_id: string): Promise<Step[]> =>
  (await client.get(`/objects/${obj_id}/history`).expect(200)).body.data as Step[];

/** Once the job is finished. */
export const finished = (client: Client, job_id: string) =>
  eventually(
    async () =>
      (await client.get(`/jobs/${job_id}`).expect(200)).body as { status: string; done: number; total: number; result: object | null },
    ({ status }) => !['queued', 'running'].includes(status),
    60_000,
  );
