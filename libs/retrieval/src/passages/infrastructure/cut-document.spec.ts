import { loadTokenCount } from '@atrium/models';
import { cutDocument, type CutOrder } from './cut-document';
import { beginningOf, longestOf, CHUNK_OPTIONS, type Chunk } from '../domain/chunking';

const chunkMarkdown = async (order: CutOrder): Promise<readonly Chunk[]> => cutDocument(order, await loadTokenCount());

/** A sentence of about ten tokens that no other number makes. */
const sentence = (n: number): string => `Number ${n} of these sentences is about the harbour of town ${n}.`;
const paragraph = (n: number, sentences = 8): string => Array.from({ length: sentences }, (_, at) => sentence(n * 100 + at)).join(' ');
const paragraphs = (count: number): string => Array.from({ length: count }, (_, at) => paragraph(at)).join('\n\n');

const texts = (chunks: readonly Chunk[]): string[] => chunks.map(({ text }) => text);

function assertExact(markdown: string, chunks: readonly Chunk[]): void {
  for (const { text, char_start, char_end } of chunks) expect(markdown.slice(char_start, char_end)).toBe(text);
}

describe('cutting markdown into passages', () => {
  it('leaves a short document whole, with the headings above its text', async () => {
    const markdown = '# Contract\n\nIt ends on 31 December.\n\n### Notice\n\nThree months before.\n';
    const chunks = await chunkMarkdown({ markdown });
    expect(chunks).toEqual([
      {
        text: markdown.trim(),
        heading: 'Contract',
        lead: '',
        page_from: null,
        page_to: null,
        char_start: 0,
        char_end: markdown.trim().length,
        tokens: expect.any(Number),
      },
    ]);
  });

  it('makes passages of about the target and never more than the maximum, each exactly as in the document', async () => {
    const markdown = paragraphs(40);
    const chunks = await chunkMarkdown({ markdown });
    assertExact(markdown, chunks);
    expect(chunks.length).toBeGreaterThan(5);
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(longestOf(CHUNK_OPTIONS));
    for (const { tokens } of chunks.slice(0, -1)) expect(tokens).toBeGreaterThan(CHUNK_OPTIONS.target_tokens / 2);
  });

  it('loses nothing: every sentence is whole in some passage', async () => {
    const markdown = `# A\n\n${paragraphs(30)}\n\n## B\n\n${paragraph(90, 120)}\n`;
    const chunks = await chunkMarkdown({ markdown });
    for (const n of [...Array(30).keys()].map((at) => at * 100).concat([9_000, 9_050, 9_119]))
      expect(chunks.some(({ text }) => text.includes(sentence(n)))).toBe(true);
  });

  it('begins a passage with the last sentence of the one before, if that is short', async () => {
    const chunks = await chunkMarkdown({ markdown: paragraph(1, 120) });
    expect(chunks.length).toBeGreaterThan(2);
    for (const [at, { text }] of chunks.entries())
      if (at > 0) expect(chunks[at - 1]?.text.endsWith(text.split(/(?<=\.) /)[0] ?? '')).toBe(true);
    const without = await chunkMarkdown({ markdown: paragraph(1, 120), options: { target_tokens: 400, overlap_tokens: 0 } });
    expect(without[1]?.char_start).toBeGreaterThan(without[0]?.char_end ?? Infinity);
  });

  it('never crosses a heading of the first or second level, and names the path to the text', async () => {
    const markdown = `# Boats\n\n${paragraph(1, 3)}\n\n## Sails\n\n${paragraph(2, 3)}\n\n### Ropes\n\n${paragraph(3, 3)}\n\n## Oars\n\n${paragraph(4, 3)}\n`;
    const chunks = await chunkMarkdown({ markdown });
    expect(chunks.map(({ heading }) => heading)).toEqual(['Boats', 'Boats › Sails', 'Boats › Oars']);
    expect(chunks[1]?.text).toContain('### Ropes');
    assertExact(markdown, chunks);
  });

  it('keeps a heading with what follows it, also where headings follow each other', async () => {
    const chunks = await chunkMarkdown({ markdown: `# One\n\n## Two\n\nText.\n\n## Three\n\nMore text.\n` });
    expect(texts(chunks)).toEqual(['# One\n\n## Two\n\nText.', '## Three\n\nMore text.']);
    expect(chunks.map(({ heading }) => heading)).toEqual(['One › Two', 'One › Three']);
  });

  it('begins a passage where a page begins with a heading, and states the pages of each', async () => {
    const markdown = `#### Slide one\n\n${paragraph(1, 2)}\n\n#### Slide two\n\n${paragraph(2, 2)}\n`;
    const second = markdown.indexOf('#### Slide two');
    const chunks = await chunkMarkdown({
      markdown,
      pages: [
        { page: 1, char_start: 0 },
        { page: 2, char_start: second },
      ],
    });
    expect(chunks.map(({ page_from, page_to, char_start }) => [page_from, page_to, char_start])).toEqual([
      [1, 1, 0],
      [2, 2, second],
    ]);
    const flowing = await chunkMarkdown({
      markdown: 'One page.\nGoes on.',
      pages: [
        { page: 1, char_start: 0 },
        { page: 2, char_start: 10 },
      ],
    });
    expect(flowing.map(({ page_from, page_to }) => [page_from, page_to])).toEqual([[1, 2]]);
  });

  it('cuts a long table between rows and repeats its header row', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `| Town ${at} | ${at * 7} berths |`);
    const head = '| Harbour | Size |\n| --- | --- |';
    const markdown = `Before.\n\n${head}\n${rows.join('\n')}\n`;
    const chunks = await chunkMarkdown({ markdown });
    assertExact(markdown, chunks);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.lead).toBe('');
    for (const { lead, text } of chunks.slice(1)) {
      expect(lead).toBe(head);
      for (const line of text.split('\n')) expect(rows).toContain(line);
    }
    for (const row of rows) expect(chunks.filter(({ text }) => text.split('\n').includes(row))).toHaveLength(1);
  });

  it('keeps code and list items whole where they fit', async () => {
    const code = `\`\`\`js\n${Array.from({ length: 20 }, (_, at) => `const berth${at} = ${at};`).join('\n')}\n\`\`\``;
    const markdown = `${paragraph(1, 24)}\n\n${code}\n\n${paragraph(2, 24)}`;
    expect((await chunkMarkdown({ markdown })).filter(({ text }) => text.includes(code))).toHaveLength(1);
    const items = Array.from({ length: 60 }, (_, at) => `- ${sentence(at)}`);
    for (const item of items)
      expect((await chunkMarkdown({ markdown: items.join('\n') })).some(({ text }) => text.includes(item.slice(2)))).toBe(true);
  });

  it('cuts even a run without sentences or blanks, between whole characters', async () => {
    const markdown = '🚢'.repeat(3_000);
    const chunks = await chunkMarkdown({ markdown });
    assertExact(markdown, chunks);
    expect(chunks.map(({ text }) => text).join('')).toBe(markdown);
    for (const { text, tokens } of chunks) {
      expect(Buffer.from(text).toString()).toBe(text);
      expect(tokens).toBeLessThanOrEqual(longestOf(CHUNK_OPTIONS));
    }
  });

  it('goes on in the same places after a change, when it knows how the passages began', async () => {
    const before = paragraphs(200);
    const first = await chunkMarkdown({ markdown: before });
    const fresh = first.map(({ char_start }, at) => before.slice(Math.max(char_start, first[at - 1]?.char_end ?? 0)).trimStart());
    const beginnings = new Set(fresh.map((text) => beginningOf(text.slice(0, 120))));
    for (const changed of [paragraph(50_000, 3), paragraph(60_000, 20), `${paragraph(100)} One more sentence.`]) {
      const after = before.replace(paragraph(100), changed);
      const again = await chunkMarkdown({ markdown: after, beginnings });
      assertExact(after, again);
      const known = new Set(texts(first));
      expect(texts(again).filter((text) => !known.has(text)).length).toBeLessThanOrEqual(3);
    }
  });

  it('makes nothing of nothing', async () => {
    expect(await chunkMarkdown({ markdown: '' })).toEqual([]);
    expect(await chunkMarkdown({ markdown: ' \n\n ' })).toEqual([]);
  });

  const within = (chunks: readonly Chunk[]): void => {
    for (const { tokens, heading, lead } of chunks) {
      expect(tokens).toBeLessThanOrEqual(longestOf(CHUNK_OPTIONS));
      expect(heading.length).toBeLessThanOrEqual(500);
      expect(lead.length).toBeLessThanOrEqual(1_000);
    }
  };
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };

  it('cuts headings that are too long to be one, and names at most 500 characters of those above', async () => {
    const markdown = `# ${'Harbour master '.repeat(3_000)}\n\nText.\n\n${'## '.concat('Berth '.repeat(70))}\n\n### ${'Rope '.repeat(60)}\n\nMore.\n`;
    const chunks = await chunkMarkdown({ markdown });
    within(chunks);
    assertExact(markdown, chunks);
    expect(chunks.at(-1)?.heading).toBe('Rope '.repeat(60).trim());
    expect(chunks.some(({ text }) => text.includes('Text.'))).toBe(true);
  });

  it('reads text that is no markdown as it is: no headings, no list, lines stay whole', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `2026-11-26 12:00 boat ${at} came in`);
    const markdown = `Log\n${'-'.repeat(40)}\n${lines.join('\n')}\n${'='.repeat(40)}\n\n# comment\nkey: value\n# another\n`;
    const chunks = await chunkMarkdown({ markdown, format: 'plain' });
    within(chunks);
    assertExact(markdown, chunks);
    expect(chunks.every(({ heading }) => heading === '')).toBe(true);
    for (const line of lines) expect(chunks.some(({ text }) => text.split('\n').includes(line))).toBe(true);
    expect(chunks.at(-1)?.text).toContain('# comment\nkey: value\n# another');
  });

  it.each([
    ['a log', 'plain', '2026-11-26 12:00:00 INFO boat came in at the berth\n'.repeat(10_000)],
    ['a log that is taken for markdown', 'markdown', '2026-11-26 12:00:00 INFO boat came in at the berth\n'.repeat(4_000)],
    ['a fence', 'markdown', `\`\`\`json\n${'  {"boat": "Aurora", "berth": 7},\n'.repeat(15_000)}\`\`\`\n`],
    ['one line', 'markdown', 'boat '.repeat(100_000)],
    ['lists in lists', 'markdown', `${'- '.repeat(3_000)}x`],
    ['quotes in quotes', 'markdown', `${'> '.repeat(10_000)}x`],
  ] as const)('takes a time that grows with the length of %s', async (_, format, markdown) => {
    let chunks: readonly Chunk[] = [];
    expect(await cost(async () => (chunks = await chunkMarkdown({ markdown, format })))).toBeLessThan(30);
    within(chunks);
    assertExact(markdown, chunks);
  });

  it('repeats the header row of a table that is longer than what is read at once', async () => {
    const head = '| Harbour | Size |\n| --- | --- |';
    const rows = Array.from({ length: 3_000 }, (_, at) => `| Town ${at} | ${at * 7} berths |`);
    const chunks = await chunkMarkdown({ markdown: `${head}\n${rows.join('\n')}\n\nBehind.\n` });
    within(chunks);
    for (const { lead, text } of chunks.slice(1, -1)) {
      expect(lead).toBe(head);
      for (const line of text.split('\n')) expect(rows).toContain(line);
    }
    expect(chunks.at(-1)?.text).toMatch(/Behind\.$/);
  });
});
