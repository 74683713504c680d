import type { ToolCallRow } from '../infrastructure/run-steps.repository';
import { actsOf, pauseOf } from './model-steps';
import type { RunTool } from './run-tools';

describe('the pause before a provider is asked again', () => {
  it('grows with each time, and is never the same for all who wait', () => {
    expect([1, 2, 3].map((time) => pauseOf(time, 0.5))).toEqual([500, 1_000, 2_000]);
    expect([0, 1].map((chance) => pauseOf(1, chance))).toEqual([250, 750]);
  });
});

describe('what a run did besides reading', () => {
  const call = (call_id: string, tool: string, state: ToolCallRow['state'], invalid = false): ToolCallRow =>
    ({ call_id, tool, state, invalid }) as ToolCallRow;

  it('are the calls of tools that do more, and of those that are gone, with what came of them', () => {
    const tools = new Map<string, RunTool>([
      ['find', { risk: 'read' } as RunTool],
      ['send', { risk: 'external' } as RunTool],
    ]);
    const calls = [
      call('a', 'find', 'done'),
      call('b', 'send', 'done'),
      call('c', 'send', 'unknown'),
      call('d', 'sold', 'error'),
      call('e', 'send', 'error', true),
      call('f', 'send', 'pending'),
    ];
    expect([...actsOf(calls, tools)]).toEqual([
      ['b', 'done'],
      ['c', 'may have happened'],
      ['d', 'failed'],
    ]);
  });
});
