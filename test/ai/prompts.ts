import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

export interface KnownPrompt {
  readonly prompt_id: string;
  readonly prompt_name: string;
  readonly prompt_categories: readonly string[];
  readonly prompt_wildcards: readonly string[];
  readonly prompt_version: number;
  readonly prompt_run_count: number;
  readonly prompt_active: boolean;
}

export interface KnownCategory {
  readonly pcat_id: string;
  readonly pcat_name: string;
  readonly pcat_parent: string | null;
  readonly pcat_active: boolean;
  readonly pcat_prompt_count: number;
}

export interface KnownWildcard {
  readonly wildcard_id: string;
  readonly wildcard_name: string;
  readonly wildcard_active: boolean;
  readonly wildcard_prompt_count: number;
}

export const makePrompt = async (client: Client, prompt_text = 'Hello.', body: object = {}): Promise<KnownPrompt> =>
  (await client.post('/prompts', { prompt_name: `Prompt ${newId()}`, prompt_text, ...body }).expect(201)).body as KnownPrompt;

export const makeCategory = async (client: Client, pcat_name: string, pcat_parent: string | null = null): Promise<KnownCategory> =>
  (await client.post('/prompt-categories', { pcat_name, pcat_parent }).expect(201)).body as KnownCategory;

export const makeWildcard = async (
  client: Client,
  wildcard_name: string,
  wildcard_control_type = 'text',
  wildcard_control_props: object = {},
): Promise<KnownWildcard> =>
  (await client.post('/wildcards', { wildcard_name, wildcard_control_type, wildcard_control_props }).expect(201)).body as KnownWildcard;

/** One field of the rows of a list. */
export const listed = async (client: Client, path: string, field: string): Promise<unknown[]> =>
  ((await client.get(path).expect(200)).body as { data: Record<string, unknown>[] }).data.map((row) => row[field]);
