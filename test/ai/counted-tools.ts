import type { SourceTool, ToolCall, ToolOutcome, ToolSource } from '@atrium/ai';

const tool = (name: string, idempotent: boolean): SourceTool => ({
  tool: `counted:${name}`,
  name,
  description: 'Orders something.',
  schema: { type: 'object', properties: { a: { type: 'number' } } },
  risk: 'external',
  idempotent,
});

const TOOLS = [tool('order_once', false), tool('order_safely', true)];

/** Tools of another context: one that must not be called twice, and one that may. */
export const countedTools = (execute: (call: ToolCall) => Promise<ToolOutcome>): ToolSource => ({
  prefix: 'counted',
  listTools: () => Promise.resolve(TOOLS),
  findTools: (_, names) => Promise.resolve(TOOLS.filter((one) => names.includes(one.tool))),
  executeCall: execute,
});
