import { Database, inWorkspace } from '@atrium/platform/database';
import type { RunningApi } from '@atrium/platform/testing';
import { Client } from 'pg';

/** A statement as it was sent, with its values. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What EXPLAIN (ANALYZE, FORMAT JSON) says of a node. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

type Query = typeof Client.prototype.query;
type Asked = Partial<SentStatement> | { readonly statements: readonly Partial<SentStatement>[] } | string;

/** The statements that reach the database of an API while the work is done. */
export async function sentDuring({ database }: RunningApi, work: () => Promise<unknown>): Promise<readonly SentStatement[]> {
  const sent: SentStatement[] = [];
  const original: Query = Client.prototype.query;
  Client.prototype.query = function recorded(this: Client, ...args: unknown[]): unknown {
    const asked = args[0] as Asked;
    if (this.database === database.name && typeof asked !== 'string')
      for (const { text = '', values = [] } of 'statements' in asked ? asked.statements : [asked]) sent.push({ text, values });
    return Reflect.apply(original, this, args) as unknown;
  } as Query;
  try {
    await work();
  } finally {
    Client.prototype.query = original;
  }
  return sent;
}

/** How PostgreSQL runs the statement as the service, in the workspace: all nodes of its plan. */
export async function nodesOf(api: RunningApi, tenant_id: string, { text, values }: SentStatement): Promise<readonly PlanNode[]> {
  const [row] = await inWorkspace(tenant_id, () =>
    api.app
      .get(Database, { strict: false })
      .read((tx) => tx.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)),
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('PostgreSQL explained nothing.');
  return allOf(plan);
}

/** Rows of a table that a plan read, those that it left out again included. */
export const rowsRead = (nodes: readonly PlanNode[], table: string): number =>
  nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce((rows, node) => rows + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);

const allOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allOf)];
