import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { groundingOptions, type ModelSource } from '../domain/grounding';
import { ExtractModel } from './extract-model';

const MANUAL: ModelSource[] = [
  {
    n: 1,
    kind: 'passage',
    score: 0.9,
    text: 'The harbour office opens at seven in the morning. Mooring fees are due within 30 days of the invoice. Boats longer than twelve metres need a pilot.',
  },
  {
    n: 2,
    kind: 'passage',
    score: 0.4,
    text: 'Mooring fees are due within 30 days of the invoice. Sails are dried in the loft above the workshop.',
  },
];

const user = (text: string): LanguageModelV3Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });
const tool = (name: string): LanguageModelV3FunctionTool => ({ type: 'function', name, inputSchema: { type: 'object' } });
const called = (
  toolName: string,
  input: object,
  output: Extract<LanguageModelV3Prompt[number], { role: 'tool' }>['content'][number] extends infer P
    ? P extends { type: 'tool-result'; output: infer O }
      ? O
      : never
    : never,
  sources?: ModelSource[],
): LanguageModelV3Prompt => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName, input }] },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'call_1', toolName, output, ...(sources && { providerOptions: groundingOptions({ sources }) }) },
    ],
  },
];
const model = new ExtractModel('atrium', 'extract-1', 0);

async function said(options: Partial<LanguageModelV3CallOptions> & { prompt: LanguageModelV3Prompt }): Promise<string> {
  const { content } = await model.doGenerate(options);
  return content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'tool-call' ? `${part.toolName} ${part.input}` : ''))
    .join('');
}
const answer = (question: string, sources: ModelSource[] = MANUAL): Promise<string> =>
  said({ prompt: [{ role: 'system', content: 'Answer.', providerOptions: groundingOptions({ sources }) }, user(question)] });

describe('the built-in model', () => {
  it('quotes the sentence that answers, letter by letter and with its number, and of two that say the same the better one', async () => {
    expect(await answer('When are the mooring fees due?')).toBe('Mooring fees are due within 30 days of the invoice. [1]');
    expect(await answer('Which boats need a pilot?')).toBe('Boats longer than twelve metres need a pilot. [1]');
  });

  it('quotes at most four sentences, in the order of the sources', async () => {
    const many = Array.from({ length: 6 }, (_, at) => ({
      n: at + 1,
      kind: 'passage' as const,
      text: `The ${['red', 'green', 'blue', 'white', 'black', 'grey'][at]} lantern burns number ${at} ${['oil', 'gas', 'wax', 'tar', 'peat', 'coal'][at]} every night.`,
    }));
    const quotes = (await answer('What do lanterns burn?', many)).match(/\[\d\]/g) ?? [];
    expect(quotes).toHaveLength(4);
    expect(quotes).toEqual([...quotes].sort());
  });

  it('finds words by their stems in English, German, French and Spanish', async () => {
    const source = (text: string): ModelSource[] => [{ n: 1, kind: 'passage', text }];
    for (const [question, text] of [
      ['Wann sind die Gebühren fällig?', 'Die Gebühr wird am dritten Werktag fällig.'],
      ['Où sont les voiles ?', 'La voile est rangée dans le grenier.'],
      ['¿Cuándo abren las oficinas?', 'La oficina abre a las siete de la mañana.'],
    ] as const)
      expect(await answer(question, source(text))).toBe(`${text} [1]`);
  });

  it('says so where nothing answers, and never makes an answer up', async () => {
    expect(await answer('Who painted the ceiling of the chapel?')).toBe('I found no answer to this in the sources I can read.');
  });

  it('does not claim to have looked where there was nothing to look into', async () => {
    expect(await answer('When are the mooring fees due?', [])).toBe('I cannot answer this: I was given no sources about it.');
  });

  it('does not answer from sources that have too little of what the question is about', async () => {
    expect(await answer('Which pilot painted portraits?')).toMatch(/^I found no answer/);
    expect(await answer('Which boats need a pilot to paint portraits?')).toContain('need a pilot. [1]');
  });

  it('takes what is around a sentence and the length of the question as a reason to answer', async () => {
    const source = (text: string): ModelSource[] => [{ n: 1, kind: 'passage', text }];
    const story = 'The ferry to Helgoland leaves from pier nine. Departure is at noon. Dogs travel free of charge on every crossing.';
    expect(await answer('At what hour is the departure of the Helgoland ferry?', source(story))).toContain('Departure is at noon. [1]');
    expect(await answer('At what hour is the departure of the Helgoland ferry?', source('Departure is at noon.'))).toMatch(
      /^I found no answer/,
    );
  });

  it('takes words that are far apart in a long text for no answer', async () => {
    const rest = Array.from({ length: 40 }, (_, at) => `Entry ${at} of the log book is about the weather.`).join(' ');
    const text = `The crane was painted blue. ${rest} A diver repaired the chain. ${rest} The captain left in autumn.`;
    const question = 'Which captain painted the chain?';
    expect(await answer(question, [{ n: null, kind: 'attachment', text }])).toMatch(/^I found no answer/);
    const together = 'The crane was painted blue. A diver repaired the chain. The captain left in autumn.';
    expect(await answer(question, [{ n: null, kind: 'attachment', text: together }])).toContain('A diver repaired the chain.');
  });

  it('quotes beside the best sentence only those that come near it', async () => {
    const text =
      'The lighthouse of Arkona was built of red brick in the year 1827. The year was cold. The harbour has a crane. Cranes rest there in autumn.';
    expect(await answer('When was the lighthouse of Arkona built?', [{ n: 1, kind: 'passage', text }])).toBe(
      'The lighthouse of Arkona was built of red brick in the year 1827. [1]',
    );
  });

  it('leaves out the numbers by which a source refers to its own notes: they would read as citations', async () => {
    const text = 'Mooring fees [2] are due within 30 days [2, 17] of the invoice [3-5], see [the table](#fees).';
    expect(await answer('When are the mooring fees due?', [{ n: 2, kind: 'passage', text }])).toBe(
      'Mooring fees are due within 30 days of the invoice, see [the table](#fees). [2]',
    );
  });

  it('greets where a message has no content', async () => {
    expect(await said({ prompt: [user('Hello!')], providerOptions: groundingOptions({ greeting: 'Ask me about boats.' }) })).toBe(
      'Ask me about boats.',
    );
    expect(await said({ prompt: [user('Hello!')] })).toMatch(/^Ask a question/);
  });

  it('answers the same bytes every time, streamed or whole', async () => {
    const prompt: LanguageModelV3Prompt = [
      { role: 'system', content: '', providerOptions: groundingOptions({ sources: MANUAL }) },
      user('When are the mooring fees due?'),
    ];
    const parts: LanguageModelV3StreamPart[] = [];
    const reader = (await model.doStream({ prompt })).stream.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.every((delta) => delta.trim().split(/\s+/).length <= 3)).toBe(true);
    expect(deltas.join('')).toBe(await said({ prompt }));
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } });
    expect(parts.filter(({ type }) => type !== 'text-delta').map(({ type }) => type)).toEqual([
      'stream-start',
      'text-start',
      'text-end',
      'finish',
    ]);
  });

  it('stops at the limit of its output and says so', async () => {
    const { content, finishReason, usage } = await model.doGenerate({
      prompt: [user('When are the mooring fees due?')],
      providerOptions: groundingOptions({ sources: MANUAL }),
      maxOutputTokens: 5,
    });
    expect(finishReason.unified).toBe('length');
    expect(content).toEqual([{ type: 'text', text: 'Mooring fees are' }]);
    expect(usage.outputTokens.total).toBeLessThanOrEqual(5);
  });
});

describe('the tools of the built-in model', () => {
  const tools = [tool('search_knowledge'), tool('remember'), tool('client_tool')];

  it('are chosen by name, then for what is to be remembered, then to search; each once in a turn', async () => {
    const first = (text: string): Promise<string> => said({ prompt: [user(text)], tools });
    expect(await first('/client_tool {"a":1}')).toBe('client_tool {"a":1}');
    expect(await first('/unknown {"a":1}')).toBe('search_knowledge {"query":"/unknown {\\"a\\":1}"}');
    expect(await first('/client_tool {"a":')).toMatch(/^search_knowledge/);
    expect(await first('Please remember that I prefer short answers')).toBe('remember {"value":"I prefer short answers"}');
    expect(await first('When are fees due?')).toBe('search_knowledge {"query":"When are fees due?"}');
    expect(await said({ prompt: [user('When are fees due?')], tools, toolChoice: { type: 'none' } })).toMatch(/^I cannot answer this/);
    const searched = called('search_knowledge', { query: 'fees' }, { type: 'text', value: '…' }, MANUAL);
    expect(await said({ prompt: [user('When are mooring fees due?'), ...searched], tools })).toBe(
      'Mooring fees are due within 30 days of the invoice. [1]',
    );
  });

  it('are not called for a turn before, whose sources are no longer quoted', async () => {
    const before = called('search_knowledge', { query: 'fees' }, { type: 'text', value: 'Mooring fees are due within 30 days.' }, MANUAL);
    const prompt = [user('When are mooring fees due?'), ...before, user('When are mooring fees due?')];
    expect(await said({ prompt, tools })).toMatch(/^search_knowledge/);
    expect(await said({ prompt })).toMatch(/^I cannot answer this/);
  });

  it('are reported: what will be remembered, what did not run and why, what a named one answered', async () => {
    const remembered = called('remember', { value: 'I prefer short answers' }, { type: 'text', value: 'ok' });
    expect(await said({ prompt: [user('Remember I prefer short answers'), ...remembered], tools })).toBe(
      'I will remember that: I prefer short answers',
    );
    for (const output of [
      { type: 'execution-denied', reason: 'the approval was denied' },
      { type: 'error-text', value: 'the approval was denied' },
    ] as const) {
      const denied = called('client_tool', { a: 1 }, output);
      expect(await said({ prompt: [user('/client_tool {"a":1}'), ...denied], tools: [tool('client_tool')] })).toBe(
        'The tool client_tool did not run: the approval was denied',
      );
    }
    const ran = called('client_tool', { a: 1 }, { type: 'json', value: { colour: 'teal' } });
    expect(await said({ prompt: [user('/client_tool {"a":1}'), ...ran], tools: [tool('client_tool')] })).toBe(
      'The tool client_tool answered: teal',
    );
  });

  it('have ids that no other call of the conversation has', async () => {
    const before = called('search_knowledge', {}, { type: 'text', value: '' });
    const { content } = await model.doGenerate({ prompt: [user('one two'), ...before, user('three four')], tools });
    expect(content).toMatchObject([{ type: 'tool-call', toolCallId: 'call_2' }]);
  });
});

describe('JSON of the built-in model', () => {
  const fill = async (schema: object, text: string): Promise<unknown> =>
    JSON.parse(await said({ prompt: [user(text)], responseFormat: { type: 'json', schema } }));
  const INVOICE = 'The invoice number is 4711. The due date is 12 March 2026. The payment is late: yes. The currency is EUR for all items.';

  it('holds the first value of each type in the sentences that a name leads to', async () => {
    const schema = {
      type: 'object',
      required: ['due_date', 'invoiceNumber'],
      properties: {
        due_date: { type: 'string', format: 'date' },
        invoiceNumber: { type: 'integer' },
        late_payment: { type: 'boolean' },
        currency: { enum: ['USD', 'EUR'] },
        weather: { type: 'string' },
      },
    };
    expect(await fill(schema, INVOICE)).toEqual({ due_date: '2026-03-12', invoiceNumber: 4711, late_payment: true, currency: 'EUR' });
  });

  it('cannot be made without a required value, which is named', async () => {
    const schema = { type: 'object', required: ['captain'], properties: { captain: { type: 'string' } } };
    await expect(fill(schema, INVOICE)).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining('captain') as string,
    });
  });
});

describe('the starters of an agent', () => {
  const source = (n: number, title: string, text: string): ModelSource => ({ n, kind: 'passage', title, text, score: 0.5 });
  const FILES = [
    source(
      1,
      'Harbour.md',
      '# Harbour\nDogs must be on a lead on all pontoons.\nThe crane lifts boats of up to nine tonnes.\nBoats that the crane lifts are washed.',
    ),
    source(2, 'Lido.md', '# Lido\nDogs are not allowed in the lido.\nThe lido opens in May.'),
    source(3, 'Shed.md', '# Shed\nThe key hangs behind the door.'),
  ];

  it('list the files that mention something, each with the sentence that does', async () => {
    const listed = 'Harbour.md: Dogs must be on a lead on all pontoons. [1]\nLido.md: Dogs are not allowed in the lido. [2]';
    for (const question of ['Which files mention dogs?', 'Which documents mention “dogs”?'])
      expect(await answer(question, FILES)).toBe(listed);
    expect(await answer('Which files mention dragons?', FILES)).toMatch(/^I found no answer/);
  });

  it('summarize the document that is named, or what is said of a subject, in its own sentences', async () => {
    expect(await answer('Summarize Lido.md', FILES)).toBe('Dogs are not allowed in the lido. [2] The lido opens in May. [2]');
    const all = 'The crane lifts boats of up to nine tonnes. [1] Boats that the crane lifts are washed. [1]';
    expect(await answer('Summarize what we know about the crane', FILES)).toBe(all);
    expect(await answer('What do our documents say about the crane?', FILES)).toBe(all);
    expect(await answer('Summarize the moon', FILES)).toMatch(/^I found no answer/);
  });

  it('summarize what came with the message', async () => {
    const attached: ModelSource[] = [
      ...FILES,
      { n: null, kind: 'attachment', title: 'Bus.txt', text: 'The bus leaves at noon every day. It is blue all over.' },
    ];
    expect(await answer('Summarize this file', attached)).toBe('The bus leaves at noon every day. It is blue all over.');
  });

  it('are searched by what they are about', async () => {
    const call = (question: string): Promise<string> => said({ prompt: [user(question)], tools: [tool('search_knowledge')] });
    expect(await call('Which files mention the crane?')).toBe('search_knowledge {"query":"the crane","k":30}');
    expect(await call('Fasse Hausordnung.md zusammen')).toBe('search_knowledge {"query":"Hausordnung.md","k":30}');
    expect(await call('Resume lo que sabemos de la piscina')).toBe('search_knowledge {"query":"la piscina","k":30}');
    expect(await call('В каких файлах упоминается лифт?')).toBe('search_knowledge {"query":"лифт","k":30}');
    expect(await call('哪些文件提到电梯？')).toBe('search_knowledge {"query":"电梯","k":30}');
  });
});

describe('a question that goes on from the one before', () => {
  const text = '# Office\nSaturday: 9:00-12:00\nSunday: closed\n# Workshop\nSunday: 10:00-14:00';
  const sources: ModelSource[] = [{ n: 1, kind: 'passage', text, score: 0.5 }];
  const before = [
    user('When is the office open on Saturday?'),
    { role: 'assistant' as const, content: [{ type: 'text' as const, text: '9:00-12:00' }] },
  ];

  it('is searched and answered with it', async () => {
    const prompt = [...before, user('And on Sunday?')];
    expect(await said({ prompt, tools: [tool('search_knowledge')] })).toBe(
      'search_knowledge {"query":"When is the office open on Saturday? And on Sunday?"}',
    );
    expect(await said({ prompt, providerOptions: groundingOptions({ sources }) })).toBe('Sunday: closed [1]');
  });

  it('is not joined with it where it has a meaning of its own', async () => {
    const prompt = [...before, user('Where is the workshop?')];
    expect(await said({ prompt, tools: [tool('search_knowledge')] })).toBe('search_knowledge {"query":"Where is the workshop?"}');
  });
});
