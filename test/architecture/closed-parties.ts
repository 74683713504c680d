import type { Client } from '@atrium/platform/testing';

/** Who is asked what they see. The owner planted everything. */
export type PartyName = 'owner' | 'admin' | 'editor' | 'viewer' | KeyName | 'other workspace' | 'visitor' | 'guest';

/** Keys of the owner that are narrowed to an area, and what they may do there. */
export const KEYS = {
  'key for designs': ['design:view'],
  'key for media': ['media:*'],
  'key for reading objects': ['object:view', 'knowledge-base:view'],
  'key for conversations': ['thread:*'],
} as const;
export type KeyName = keyof typeof KEYS;

/** A value, what it is, and who reads it. */
export interface Secret {
  readonly value: string;
  readonly of: string;
  readonly readers: readonly PartyName[];
}

/** What a visitor sends along below a path of public routes. */
export type Visits = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is planted: values with their readers, and ids by the path that they fill. */
export interface ClosedGround {
  readonly secrets: readonly Secret[];
  /** Ids of rows that nobody but the owner reads, by the path parameter that takes them. */
  readonly closed: Readonly<Record<string, readonly string[]>>;
  /** Ids of rows beside them that all roles read. */
  readonly open: Readonly<Record<string, readonly string[]>>;
  readonly visits: Visits;
  readonly end: () => Promise<void>;
}

/** What one part of the planting brings. */
export type Planted = Pick<ClosedGround, 'secrets'> & Partial<Pick<ClosedGround, 'closed' | 'open' | 'visits'>>;

/** Creates something; its id. */
export const made = async (client: Client, path: string, body: object, key: string): Promise<string> =>
  (await client.post(path, body).expect(201)).body[key] as string;
