import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider';
import { loadTokenCount } from '@atrium/models';
import type { ToolCallRow } from '../records/infrastructure/run-steps.repository';
import type { RunPlan } from '../records/domain/run-plan';
import type { RunSource } from '../records/domain/run-source';
import { promptOfSteps, RunInputs, type RunMaterial } from './run-input';
import { fittingPrompt, rememberingCount } from './step-prompt';

const QUESTION = 'How long is the notice period, and until when must we give notice to leave at the end of June?';
const SOURCES = [
  { n: 1, source_kind: 'memory', title: 'Memory', text: 'Ann works in the Hamburg office.' },
  { n: 2, source_kind: 'file', title: 'Lease Hamburg', heading: 'Term', text: 'Either party may give notice of three months.' },
] as unknown as RunSource[];
const SEARCH: LanguageModelV3FunctionTool = {
  type: 'function',
  name: 'search_knowledge',
  description: 'Searches the documents.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
};
const MATERIAL: RunMaterial = {
  plan: { context: 32_768, max_output: 4_096, schema: null } as unknown as RunPlan,
  instructions: 'You answer questions about the leases of the company. Today is 2026-03-02.',
  space: 'Answer in one paragraph.',
  question: QUESTION,
  history: [
    { role: 'user', text: 'Which lease do we have in Hamburg?' },
    { role: 'assistant', text: 'The lease of 2019 for the office at the harbour.' },
  ],
  texts: [{ kind: 'attachment', id: '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e11', name: 'move.txt', text: 'We move out on 30 June.' }],
  found: SOURCES.slice(0, 1),
};
const CALL = {
  call_id: 'call_1',
  step: 1,
  tool: SEARCH.name,
  input: { query: 'notice period lease Hamburg' },
  state: 'done',
  output: { passages: [{ n: 2, title: 'Lease Hamburg', page: 4, text: 'Either party may give notice of three months.' }] },
} as unknown as ToolCallRow;

/** A message as the README shows it. */
const printed = ({ role, content }: LanguageModelV3Message): string =>
  [
    `=== ${role}`,
    ...(typeof content === 'string'
      ? [content]
      : content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(shownPart(part))))),
  ].join('\n');

/** What a provider is sent of a part; what is for the built-in model alone is no text. */
const shownPart = ({ providerOptions: _, ...part }: { readonly providerOptions?: unknown }): object => part;

describe('the prompt in the README of runs', () => {
  it('is what the second step of a run is sent', async () => {
    const input = await new RunInputs().buildInput(MATERIAL, 'data-1f3a9c2b7d04', [SEARCH]);
    const step = { step: 1, parts: [], correction: null };
    const steps = [promptOfSteps({ steps: [step], calls: [CALL], sources: SOURCES, asked: QUESTION })];
    const count = rememberingCount(await loadTokenCount());
    const { prompt } = fittingPrompt({ ...input, steps, tools: [SEARCH], acts: new Map() }, input.budget, count);
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    expect(/```text\n([^]*?)\n```/.exec(readme)?.[1]).toBe(prompt.map(printed).join('\n\n'));
  });
});
