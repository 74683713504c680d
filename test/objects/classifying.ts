import { newId } from '@atrium/platform/kernel';
import type { Client } from '@atrium/platform/testing';

/** A term as its routes answer it. */
export interface TermAnswer {
  readonly term_id: string;
  readonly term_taxonomy: string;
  readonly term_parent: string | null;
  readonly term_name: string;
  readonly term_slug: string;
  readonly term_aliases: readonly string[];
  readonly term_order: number;
  readonly term_active: boolean;
  readonly term_path: readonly { readonly term_id: string; readonly term_name: string }[];
  readonly term_depth: number;
  readonly term_child_count: number;
  readonly term_use_count: number;
  readonly term_use_count_exact: boolean;
}

export const makeTaxonomy = async (client: Client, facts: object = {}): Promise<string> =>
  ((await client.post('/object-taxonomies', { tax_name: `Taxonomy ${newId()}`, ...facts }).expect(201)).body as { tax_id: string }).tax_id;

export const addTerm = async (client: Client, tax_id: string, term_name: string, facts: object = {}): Promise<TermAnswer> =>
  (await client.post(`/object-taxonomies/${tax_id}/terms`, { term_name, ...facts }).expect(201)).body as TermAnswer;

export const readTerm = async (client: Client, tax_id: string, term_id: string): Promise<TermAnswer> =>
  (await client.get(`/object-taxonomies/${tax_id}/terms/${term_id}`).expect(200)).body as TermAnswer;

/** The names of listed terms, in the order of the list. */
export const termNames = async (client: Client, tax_id: string, query = ''): Promise<string[]> =>
  ((await client.get(`/object-taxonomies/${tax_id}/terms${query}`).expect(200)).body as { data: TermAnswer[] }).data.map(
    ({ term_name }) => term_name,
  );

/** Lamps with desk lamps, which have clamp lamps, and ceiling lamps. */
export async function lampTree(client: Client, tax_id: string): Promise<Readonly<Record<'lamps' | 'desk' | 'clamp' | 'ceiling', string>>> {
  const { term_id: lamps } = await addTerm(client, tax_id, 'Lamps');
  const { term_id: desk } = await addTerm(client, tax_id, 'Desk lamps', { term_parent: lamps });
  const { term_id: clamp } = await addTerm(client, tax_id, 'Clamp lamps', { term_parent: desk });
  const { term_id: ceiling } = await addTerm(client, tax_id, 'Ceiling lamps', { term_parent: lamps });
  return { lamps, desk, clamp, ceiling };
}
