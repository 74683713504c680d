import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf, presentationOf, slideShape, wordParagraph } from '../../../platform/testing/src/archives/office-of';
import { packageOf } from '../../../platform/testing/src/archives/package-of';
import { textPdf, type PdfText } from '../../../platform/testing/src/archives/text-pdf';
import { workbookOf } from '../../../platform/testing/src/archives/workbook-of';
import { extractFile } from './extract';
import { EXTRACTION_LIMITS, type ExtractedText, type ExtractionLimits } from './extracted-text';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-extraction-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const textOf = async (
  bytes: Buffer | string,
  name: string,
  type = 'application/octet-stream',
  limits: Partial<ExtractionLimits> = {},
): Promise<ExtractedText> => {
  const path = join(folder, 'original');
  await writeFile(path, bytes);
  const found = await extractFile({ path, type, name, limits: { ...EXTRACTION_LIMITS, ...limits } });
  expect(found.loss).toBeNull();
  for (const { title, char_start } of found.outline) {
    expect(found.markdown.slice(char_start).split('\n')[0]).toMatch(/^#{1,6} |^./);
    expect(title).not.toBe('');
  }
  return found;
};
const outline = ({ outline: entries }: ExtractedText): (string | number | null)[][] =>
  entries.map(({ level, title, page }) => (page === null ? [level, title] : [level, title, page]));

describe('a PDF', () => {
  const line = (text: string, y: number, x = 60, size = 10): PdfText => ({ text, x, y, size });
  const prose = (n: number): string => `This is sentence ${n} of a text that is long enough to be prose`;

  it('keeps pages, headings and lists, joins broken words, and says once what repeats at the edges', async () => {
    const page = (n: number, ...lines: PdfText[]): PdfText[] => [line('Yearly report', 810), ...lines, line(`Page ${n} of 3`, 30)];
    const found = await textOf(
      textPdf(
        [
          page(
            1,
            line('Overview', 740, 60, 20),
            line('The first para-', 700),
            line('graph goes on over the lines', 688),
            line('of the page.', 676),
            line('A second one.', 640),
          ),
          page(
            2,
            line('Results', 740, 60, 20),
            line('In detail', 715, 60, 14),
            line('Some words before the list of things', 690),
            line('• One thing', 660),
            line('• Another thing that is longer and', 648),
            line('goes on', 636, 68),
          ),
          page(3, line('Nothing else is on this page.', 740)),
        ],
        'The report',
      ),
      'report.pdf',
      'application/pdf',
    );
    expect(found.markdown).toBe(
      'Yearly report\n\n# Overview\n\nThe first paragraph goes on over the lines of the page.\n\nA second one.\n\n# Results\n\n## In detail\n\nSome words before the list of things\n\n- One thing\n- Another thing that is longer and goes on\n\nNothing else is on this page.',
    );
    expect(outline(found)).toEqual([
      [1, 'Overview', 1],
      [1, 'Results', 2],
      [2, 'In detail', 2],
    ]);
    expect(found.page_map.map(({ char_start }) => found.markdown.slice(char_start, char_start + 9))).toEqual([
      'Yearly re',
      '# Results',
      'Nothing e',
    ]);
    expect(found).toMatchObject({
      status: 'ready',
      pages: 3,
      words: expect.any(Number) as number,
      metadata: { title: 'The report' },
      truncated: false,
    });
  });

  it('reads columns one after the other, between what spans them', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => at);
    const found = await textOf(
      textPdf([
        [
          line('A title over both of the columns of this page, from the left to the right of it', 780, 60, 10),
          ...rows.map((at) => line(`left ${at} ${prose(at).slice(0, 38)}`, 740 - at * 12, 60, 8)),
          ...rows.map((at) => line(`right ${at} ${prose(at).slice(0, 38)}`, 740 - at * 12, 320, 8)),
        ],
      ]),
      'columns.pdf',
    );
    const order = [...found.markdown.matchAll(/(left|right) (\d)/g)].map(([, side, at]) => `${side}${at}`);
    expect(order).toEqual([...rows.map((at) => `left${at}`), ...rows.map((at) => `right${at}`)]);
    expect(found.markdown.startsWith('# A title over both')).toBe(true);
  });

  it('reads the rows of a table one after the other', async () => {
    const rows = Array.from({ length: 8 }, (_, at) => [
      line(`item ${at}`, 740 - at * 14),
      line(`${at}.50`, 740 - at * 14, 300),
      line('EUR', 740 - at * 14, 400),
    ]).flat();
    expect((await textOf(textPdf([rows]), 'table.pdf')).markdown).toContain('item 3 3.50 EUR');
  });

  it('without text is empty, and one that is cut off is read or refused', async () => {
    expect(await textOf(textPdf([[]]), 'scan.pdf')).toMatchObject({
      status: 'empty',
      pages: 1,
      reason: expect.stringContaining('scan') as string,
    });
    const whole = textPdf([[line(prose(1), 700)]]);
    expect(await textOf(whole.subarray(0, 60), 'cut.pdf')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('damaged') as string,
    });
  });

  it('whose pages take too long is its beginning', async () => {
    const page = Array.from({ length: 6_000 }, (_, at) => line(`Line ${at}`, 800 - (at % 700), 10 + Math.floor(at / 700) * 60));
    const slow = textPdf(Array.from({ length: 12 }, () => page));
    const read: number[] = [];
    const path = join(folder, 'slow');
    await writeFile(path, slow);
    const found = await extractFile({ path, type: 'application/pdf', name: 'a.pdf', limits: { ...EXTRACTION_LIMITS, pagesMs: 0 } }, (at) =>
      read.push(at),
    );
    expect(found).toMatchObject({ status: 'ready', truncated: true, pages: 12 });
    expect(read.length).toBeLessThan(12);
  });

  it('of more pages than the limit is its beginning', async () => {
    const found = await textOf(textPdf([1, 2, 3].map((n) => [line(prose(n), 700)])), 'long.pdf', 'application/pdf', { maxPages: 2 });
    expect(found).toMatchObject({ status: 'ready', truncated: true, pages: 3, reason: expect.stringContaining('beginning') as string });
    expect(found.page_map.map(({ page }) => page)).toEqual([1, 2]);
  });
});

describe('a document of Word', () => {
  const cell = (inside: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${inside}</w:tc>`;
  const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`;

  it('keeps headings, lists, tables, notes, links and the words of pictures, and loses what was deleted', async () => {
    const picture =
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A chart of sales"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rImage"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const body = [
      wordParagraph('The title', { style: 'Title' }),
      wordParagraph('First part', { style: 'Heading1' }),
      wordParagraph(
        '<w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:ins><w:r><w:t>inserted</w:t></w:r></w:ins><w:r><w:footnoteReference w:id="2"/></w:r>',
      ),
      wordParagraph('One', { list: [1, 0] }),
      wordParagraph('Deeper', { list: [1, 1] }),
      wordParagraph('Two', { list: [1, 0] }),
      wordParagraph(
        '<w:hyperlink r:id="rLink1"><w:r><w:t>the site</w:t></w:r></w:hyperlink><w:hyperlink r:id="rLink2"><w:r><w:t xml:space="preserve"> a trap</w:t></w:r></w:hyperlink>',
      ),
      wordParagraph(picture),
      `<w:tbl>${row(cell(wordParagraph('Name')), cell(wordParagraph('Price | net')))}${row(cell(wordParagraph('Chair') + wordParagraph('oak')), cell(wordParagraph('120')))}</w:tbl>`,
      wordParagraph('Between'),
      `<w:tbl>${row(cell(wordParagraph('Both &lt;b&gt;'), '<w:gridSpan w:val="2"/>'))}${row(cell(wordParagraph('a')), cell(wordParagraph('b')))}</w:tbl>`,
      wordParagraph('&lt;script&gt;alert(1)&lt;/script&gt; # no heading'),
    ].join('');
    const footnotes = `<w:footnote w:id="2">${wordParagraph('The source of it.')}</w:footnote>`;
    const found = await textOf(documentOf({ body, footnotes, links: ['https://example.org/a', 'javascript:alert(1)'] }), 'report.docx');
    expect(found.markdown).toBe(
      [
        '# The title',
        '# First part',
        'Kept inserted[^1]',
        '-   One\n    -   Deeper\n-   Two',
        '[the site](https://example.org/a) a trap',
        '![A chart of sales]()',
        '| Name | Price \\| net |\n| --- | --- |\n| Chair<br>oak | 120 |',
        'Between',
        '<table>\n<tr><td colspan="2">Both &lt;b&gt;</td></tr>\n<tr><td>a</td><td>b</td></tr>\n</table>',
        '\\<script>alert(1)\\</script> # no heading',
        '[^1]: The source of it.',
      ].join('\n\n'),
    );
    expect(outline(found)).toEqual([
      [1, 'The title'],
      [1, 'First part'],
    ]);
    expect(found).toMatchObject({ status: 'ready', pages: 3, metadata: { title: 'Yearly report', author: 'A. Author' } });
  });

  it('nested too deeply is refused before anything walks it', async () => {
    const deep = `${'<w:tbl><w:tr><w:tc>'.repeat(20_000)}${wordParagraph('x')}${'</w:tc></w:tr></w:tbl>'.repeat(20_000)}`;
    const before = process.cpuUsage();
    expect(await textOf(documentOf({ body: deep }), 'a.docx')).toMatchObject({
      status: 'failed',
      reason: 'The document is nested too deeply to be read.',
    });
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(3e6);
  });

  it('with entities of its own is refused before anything expands', async () => {
    const prolog = '<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]>';
    expect(await textOf(documentOf({ body: wordParagraph('&amp;'), prolog }), 'bomb.docx')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('declares entities') as string,
    });
  });
});

describe('a presentation', () => {
  it('keeps its order, titles, points, tables and notes, and marks hidden slides', async () => {
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Year</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>Sum</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>2026</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p/></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const deeper = '<a:p><a:pPr lvl="1"/><a:r><a:t>deeper</a:t></a:r></a:p>';
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A tree"/></p:nvPicPr></p:pic>';
    const found = await textOf(
      presentationOf([
        { shapes: slideShape(['Welcome'], 'ctrTitle') + slideShape(['1'], 'sldNum'), notes: 'Say hello first.' },
        {
          shapes:
            slideShape(['first', deeper, 'second'], '') +
            slideShape(['Plan &amp;', 'more'], 'title') +
            slideShape(['beside']) +
            table +
            picture,
        },
        { shapes: slideShape(['Not shown'], 'title'), hidden: true },
        { shapes: '' },
      ]),
      'talk.pptx',
    );
    expect(found.markdown).toBe(
      '## Welcome\n\n**Notes:** Say hello first.\n\n## Plan & more\n\n- first\n  - deeper\n- second\n\nbeside\n\n| Year | Sum |\n| --- | --- |\n| 2026 |  |\n\n![A tree]()\n\n## Not shown (hidden slide)',
    );
    expect(outline(found)).toEqual([
      [2, 'Welcome', 1],
      [2, 'Plan & more', 2],
      [2, 'Not shown (hidden slide)', 3],
    ]);
    expect(found).toMatchObject({ pages: 4 });
    expect(found.page_map.at(-1)).toEqual({ page: 4, char_start: found.markdown.length });
  });

  it('keeps raised and lowered signs apart from what they stand behind', async () => {
    const run = (text: string, baseline = 0): string => `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`;
    const text = `<a:p>${run('10')}${run('6', 30_000)}${run(' of H')}${run('2', -25_000)}${run('O, 5 m')}${run('2', 30_000)}</a:p>`;
    const found = await textOf(presentationOf([{ shapes: slideShape(['Plan'], 'title') + slideShape([text]) }]), 'talk.pptx');
    expect(found.markdown).toBe('## Plan\n\n10^6 of H2O, 5 m^2');
  });

  it('numbers its points as they are shown', async () => {
    const point = (text: string, type: string, level = 0, more = ''): string =>
      `<a:p><a:pPr lvl="${level}">${type === '' ? '' : `<a:buAutoNum type="${type}"${more}/>`}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const points = [
      point('one', 'arabicPeriod'),
      point('inside', 'alphaLcParenR', 1),
      point('next', 'alphaLcParenR', 1),
      point('two', 'arabicPeriod'),
      point('anew', 'alphaLcParenR', 1),
      point('iii', 'romanLcParenBoth', 0, ' startAt="3"'),
      point('without', ''),
      point('again', 'arabicPeriod'),
      point('else', 'unknown', -1),
    ];
    const found = await textOf(presentationOf([{ shapes: slideShape(['Plan'], 'title') + slideShape(points, '') }]), 'talk.pptx');
    expect(found.markdown).toBe(
      '## Plan\n\n1. one\n  - a) inside\n  - b) next\n2. two\n  - a) anew\n- (iii) iii\n- without\n1. again\n- else',
    );
  });

  it('keeps the level of a point that begins with a field, and more paragraphs than a call takes arguments', async () => {
    const point = (inside: string, level: number): string =>
      `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="arabicPeriod"/></a:pPr>${inside}</a:p>`;
    const text = (words: string): string => `<a:r><a:t>${words}</a:t></a:r>`;
    const points = [
      point(text('one'), 0),
      point(`<a:fld type="slidenum"><a:rPr/><a:pPr/><a:t>7</a:t></a:fld>`, 1),
      point(text('below'), 1),
      point(text('two'), 0),
    ];
    const found = await textOf(presentationOf([{ shapes: slideShape(points, '') }]), 'talk.pptx');
    expect(found.markdown).toContain('1. one\n  1. 7\n  2. below\n2. two');
    const many = Array.from({ length: 150_000 }, () => '<a:p><a:r><a:t>x</a:t></a:r></a:p>');
    const shapes = `${slideShape(many)}${slideShape(many, 'body')}<p:graphicFrame><c:chart r:id="rNone"/></p:graphicFrame>`;
    expect(await textOf(presentationOf([{ shapes }]), 'talk.pptx')).toMatchObject({ status: 'ready' });
  });

  it('reads the words of its charts and SmartArt in their places', async () => {
    const frame = (inside: string): string =>
      `<p:graphicFrame><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></p:graphicFrame>`;
    const written = (...texts: string[]): string => texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');
    const cache = (...texts: string[]): string =>
      `<c:strRef><c:strCache>${texts.map((text, at) => `<c:pt idx="${at}"><c:v>${text}</c:v></c:pt>`).join('')}</c:strCache></c:strRef>`;
    const series = (name: string): string =>
      `<c:ser><c:tx>${cache(name)}</c:tx><c:cat>${cache('January', 'May &amp; June')}</c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`;
    const found = await textOf(
      presentationOf([
        {
          shapes:
            slideShape(['Berths'], 'title') +
            frame('<c:chart r:id="rChart"/>') +
            slideShape(['below']) +
            frame('<dgm:relIds r:dm="rPoints" r:lo="rLayout"/>'),
          figures: {
            rChart: [
              'chart',
              `<c:chartSpace><c:chart><c:title>${written('Boats by month')}</c:title>${series('Sailing')}${series('Rowing')}</c:chart></c:chartSpace>`,
            ],
            rPoints: [
              'diagramData',
              `<dgm:dataModel><dgm:pt><dgm:t>${written('Register')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${written('Pay')}</dgm:t></dgm:pt></dgm:dataModel>`,
            ],
          },
        },
      ]),
      'talk.pptx',
    );
    expect(found).toMatchObject({
      markdown: '## Berths\n\n- Boats by month\n- Sailing\n- January\n- May & June\n- Rowing\n\nbelow\n\n- Register\n- Pay',
      loss: null,
    });
  });

  it('writes a figure once, and no more than 500 of all slides together', async () => {
    const frame = (id: string): string =>
      `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`;
    const boats = ['chart', '<c:chartSpace><a:p><a:r><a:t>Boats</a:t></a:r></a:p></c:chartSpace>'] as const;
    // Two names of one part.
    const shapes = slideShape(['Berths'], 'title') + frame('rChart') + frame('rCHART') + frame('rChart');
    const once = await textOf(presentationOf([{ shapes, figures: { rChart: boats, rCHART: boats } }]), 'talk.pptx');
    expect(once).toMatchObject({ markdown: '## Berths\n\n- Boats', loss: null });
    const ids = Array.from({ length: 300 }, (_, at) => `r${at}`);
    const slide = { shapes: ids.map((id) => frame(id)).join(''), figures: Object.fromEntries(ids.map((id) => [id, boats])) };
    const path = join(folder, 'many.pptx');
    await writeFile(path, presentationOf([slide, slide]));
    const many = await extractFile({ path, type: 'application/octet-stream', name: 'many.pptx', limits: EXTRACTION_LIMITS });
    expect(many.markdown.match(/^- Boats$/gm)).toHaveLength(500);
    // What was left out is said.
    expect(many.loss).not.toBeNull();
  });

  it('keeps fields and equations in their lines', async () => {
    const part = (name: string, inside: string): string => `<m:${name}>${inside}</m:${name}>`;
    const sign = (text: string): string => part('r', part('t', text));
    const power = part('sSup', part('e', sign('c')) + part('sup', sign('2')));
    const equation = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${sign('E=m')}${power}</m:oMath>`;
    const line = `<a:p><a:r><a:t>Energy </a:t></a:r>${equation}<a:r><a:t> on </a:t></a:r><a:fld type="datetime1"><a:rPr/><a:t>1 May</a:t></a:fld></a:p>`;
    const found = await textOf(presentationOf([{ shapes: slideShape(['Mass'], 'title') + slideShape([line]) }]), 'talk.pptx');
    expect(found).toMatchObject({ markdown: '## Mass\n\nEnergy E=mc^2 on 1 May', loss: null });
  });
});

describe('tables', () => {
  it('of a workbook stand under the names of their sheets, with the values of formulas and ISO dates', async () => {
    const sheets = [
      {
        name: 'Sales',
        rows: '<row r="2"><c r="B2" t="str"><v>Day</v></c><c r="D2" t="str"><v>Sum</v></c></row><row r="3"><c r="B3" s="1"><v>45429</v></c><c r="D3"><f>1+1</f><v>2</v></c></row>',
      },
      { name: 'Empty', rows: '<row r="1"><c s="1"/></row>' },
      { name: 'Notes', rows: '<row r="1"><c t="str"><v>a|b</v></c></row>', state: 'hidden' as const },
    ];
    const found = await textOf(workbookOf({ sheets, formats: ['yyyy-mm-dd'] }), 'sales.xlsx');
    expect(found.markdown).toBe(
      '## Sales\n\n| Day | Sum |\n| --- | --- |\n| 2024-05-17 | 2 |\n\n## Notes (hidden sheet)\n\n| a\\|b |\n| --- |',
    );
    expect(found.page_map.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(found).toMatchObject({ pages: 3, status: 'ready' });
  });

  it('of a workbook read as they show, and mark what the sheet does not', async () => {
    const cell = (value: string, style?: number): string =>
      style === undefined ? `<c t="str"><v>${value}</v></c>` : `<c s="${style}"><v>${value}</v></c>`;
    const rows = `<row>${cell('Rate')}${cell('Code')}${cell('Secret')}</row><row>${cell('0.075', 1)}${cell('123', 2)}<c/></row><row hidden="1">${cell('0.19', 1)}${cell('7', 2)}</row>`;
    const before = '<cols><col min="3" max="3" hidden="1"/></cols>';
    const found = await textOf(workbookOf({ sheets: [{ name: 'Rates', before, rows }], formats: ['0.0%', '00000'] }), 'rates.xlsx');
    expect(found.markdown).toBe(
      '## Rates\n\n| Rate | Code | Secret (hidden column) |\n| --- | --- | --- |\n| 7.5% | 00123 |  |\n| 19.0% (hidden row) | 00007 |  |',
    );
  });

  it('of delimited text keep every row, broken ones as they stand', async () => {
    const found = await textOf(Buffer.from('Näme;Preis\nStuhl;1,5\n"offen;2\nTisch;3', 'latin1'), 'liste.csv', 'text/csv');
    expect(found.markdown).toBe('| Näme | Preis |\n| --- | --- |\n| Stuhl | 1,5 |\n| "offen;2 |  |\n| Tisch | 3 |');
  });

  it('of more rows than the limit are their beginning', async () => {
    const found = await textOf('a\n1\n2\n3\n', 'long.csv', 'text/csv', { maxRows: 2 });
    expect(found).toMatchObject({ markdown: '| a |\n| --- |\n| 1 |', truncated: true });
  });
});

describe('texts', () => {
  it.each([
    [
      'notes.md',
      'text/markdown',
      '---\ntitle: "Hello"\ntags: [a, b]\n---\n# One\n\n```\n# code\n```\n\nTwo\n===\ntext <b>bold</b>\n\n<div><p>Block</p><script>x()</script></div>\n',
      '# One\n\n```\n# code\n```\n\nTwo\n===\ntext bold\n\nBlock',
    ],
    ['plain.txt', 'text/plain', '\uFEFFline one\r\nline two\0\n', 'line one\nline two'],
    ['data.json', 'application/json', '{"a": 1}\n', '```json\n{"a": 1}\n```'],
    ['main.py', 'text/plain', 'x = 1 # ```\n', '```py\nx = 1 # ```\n```'],
    [
      'film.srt',
      'application/x-subrip',
      '1\n00:00:01,000 --> 00:00:02,500\n<i>Hello</i>\nthere\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n\n3\n00:01:00,000 --> 00:01:02,000\nLater\n',
      '[00:00:01] Hello there\n[00:00:03] Again\n\n[00:01:00] Later',
    ],
    ['film.vtt', 'text/vtt', 'WEBVTT\n\nNOTE a note\n\nintro\n01:02.000 --> 01:03.000 align:start\nWords\n', '[00:01:02] Words'],
  ])('%s', async (name, type, text, markdown) => expect((await textOf(text, name, type)).markdown).toBe(markdown));

  it('know their headings and what their front matter says', async () => {
    const found = await textOf('---\ntitle: "Hello"\ntags:\n  - a\n  - b\n---\n# One *two*\n\nThree\n-----\n', 'a.md', 'text/markdown');
    expect(found.metadata).toEqual({ title: 'Hello', tags: 'a, b' });
    expect(outline(found)).toEqual([
      [1, 'One two'],
      [2, 'Three'],
    ]);
  });

  it('are decoded whatever they are encoded in, and cut at the limit', async () => {
    expect((await textOf(Buffer.from('\uFEFFgröße', 'utf16le'), 'a.txt', 'text/plain')).markdown).toBe('größe');
    expect((await textOf(Buffer.from('größe', 'latin1'), 'a.txt', 'text/plain')).markdown).toBe('größe');
    const found = await textOf('word '.repeat(100), 'a.txt', 'text/plain', { maxMarkdown: 22 });
    expect(found).toMatchObject({ markdown: 'word word word word', truncated: true, words: 4 });
  });
});

describe('texts that look like something else', () => {
  it('lose the soft hyphens that are no part of their words', async () => {
    expect((await textOf('A co\u00ADop\u00ADer\u00ADa\u00ADtion\n', 'a.txt', 'text/plain')).markdown).toBe('A cooperation');
    expect((await textOf('<p>A co&shy;op&shy;eration</p>', 'a.html', 'text/html')).markdown).toBe('A cooperation');
  });

  it.each([
    ['a.html', 'text/html', (line: string) => `<p>${line}</p>`, 'log_(10)100'],
    ['a.md', 'text/markdown', (line: string) => line, 'log10 100'],
  ] as const)('keep raised and lowered signs apart from the numbers beside them: %s', async (name, type, written, logarithm) => {
    const line =
      '10<sup>6</sup> units, 1010<sub>2</sub>, log<sub>10</sub>100, 2<sup>3</sup>4, H<sub>2</sub>O, the 1<sup>st</sup>, a <b>harbour</b><sup>a</sup>';
    const harbour = name === 'a.md' ? 'harbour' : '**harbour**';
    expect((await textOf(written(line), name, type)).markdown).toBe(
      `10^6 units, 1010_2, ${logarithm}, 2^3 4, H2O, the 1st, a ${harbour}^a`,
    );
  });
  it('are texts when they quote the mark of a PDF', async () => {
    expect((await textOf('# A header\n\nIt begins with `%PDF-1.7`.\n', 'a.md', 'text/markdown')).markdown).toContain('begins with');
    expect((await textOf('%PDF-1.7 is a mark.\n', 'a.txt', 'text/plain')).markdown).toBe('%PDF-1.7 is a mark.');
    expect((await textOf('A file begins so:\n%PDF-1.4\n1 0 obj\n', 'a.txt', 'text/plain')).markdown).toContain('A file begins so:');
  });

  it('are texts when they end as in DOS, ring a bell, or color and strike over their letters', async () => {
    const dos = Buffer.from('Liegepl\x84tze und Geb\x81hren\n\x1a', 'latin1');
    expect((await textOf(dos, 'a.txt', 'application/octet-stream')).markdown).toBe('Liegeplätze und Gebühren');
    expect((await textOf('Log of the pier\n\x07Bell\b\b rung at noon.', 'a.txt', 'text/plain')).markdown).toBe(
      'Log of the pier\nBell rung at noon.',
    );
    expect((await textOf('\x1b[1;31mERROR\x1b[0m no \x1b]0;title\x07pilot', 'a.log', 'text/plain')).markdown).toBe('ERROR no pilot');
    expect((await textOf('N\bNA\bAM\bME\bE of _\bf_\bi_\bl_\be', 'a.txt', 'text/plain')).markdown).toBe('NAME of file');
    const padded = Buffer.concat([Buffer.from('Record one\r\n'), Buffer.alloc(500)]);
    expect((await textOf(padded, 'a.txt')).markdown).toBe('Record one');
    const path = join(folder, 'zeros');
    await writeFile(path, Buffer.alloc(500));
    expect(await extractFile({ path, type: 'application/octet-stream', name: 'a', limits: EXTRACTION_LIMITS })).toMatchObject({
      status: 'unsupported',
    });
    const table = await textOf('name;size\nboat;12\n\x1a', 'a.csv', 'text/csv');
    expect(table.markdown).toContain('boat');
    expect(table.markdown).not.toContain('\x1a');
  });

  it('are pages in the encoding that their label means to browsers', async () => {
    const words = Buffer.from('12 \x80 \x96 \x93G\xe4ste\x94 don\x92t', 'latin1');
    for (const label of ['iso-8859-1', 'us-ascii']) {
      const page = Buffer.concat([Buffer.from(`<meta charset="${label}"><title>T</title><p>`), words]);
      expect((await textOf(page, 'a.html', 'text/html')).markdown).toContain('12 € – “Gäste” don’t');
    }
  });

  it('are decoded by all of their bytes', async () => {
    const late = Buffer.from(`${'word '.repeat(60_000)}M\xf6we`, 'latin1');
    expect((await textOf(late, 'a.txt', 'text/plain')).markdown).toMatch(/Möwe$/);
  });

  it('say so where their encoding was guessed', async () => {
    const guess =
      'The character encoding of the file is uncertain. It was read as windows-1252, the most likely one. If characters are wrong, save the file as UTF-8 and upload it again.';
    const latin = Buffer.from('Möwe;Tönning\nGröße;schön', 'latin1');
    for (const [name, type] of [
      ['a.txt', 'text/plain'],
      ['a.csv', 'text/csv'],
      ['a.md', 'text/markdown'],
    ] as const) {
      expect(await textOf(latin, name, type)).toMatchObject({ status: 'ready', reason: guess });
      expect(await textOf(latin.toString('latin1'), name, type)).toMatchObject({ status: 'ready', reason: null });
    }
    const page = Buffer.from('<html><body><p>Möwe und Größe</p></body></html>', 'latin1');
    expect((await textOf(page, 'a.html', 'text/html')).reason).toBe(guess);
    const labelled = Buffer.concat([Buffer.from('<meta charset="iso-8859-1">'), page]);
    expect((await textOf(labelled, 'a.html', 'text/html')).reason).toBeNull();
  });
});

describe('what is not what it is called', () => {
  const OLD = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('WordDocument\0', 'utf16le')]);
  const LOCKED = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from('EncryptedPackage\0', 'utf16le')]);
  const MESSAGE = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from('__properties_version1.0\0', 'utf16le'),
  ]);

  it.each([
    ['a page under the name of a PDF', '<!doctype html><title>T</title><p>Words of the page', 'a.pdf', 'text/html', 'ready', /^null$/],
    ['a document of before 2007 under a new name', OLD, 'a.docx', 'application/x-cfb', 'unsupported', /before Office 2007/],
    ['an encrypted document', LOCKED, 'a.docx', 'application/x-cfb', 'failed', /protected by a password/],
    [
      'a locked package',
      packageOf([{ name: 'word/document.xml', content: 'x', encrypted: true }]),
      'a.docx',
      'application/zip',
      'failed',
      /protected by a password/,
    ],
    ['an archive', packageOf({ 'a.txt': 'x' }), 'a.zip', 'application/zip', 'unsupported', /unpack it/i],
    [
      'an OpenDocument text without content',
      packageOf({ mimetype: 'application/vnd.oasis.opendocument.text' }),
      'a.odt',
      'application/zip',
      'failed',
      /damaged/,
    ],
    [
      'a binary spreadsheet',
      packageOf({
        '_rels/.rels': '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        'xl/workbook.bin': 'x',
      }),
      'a.xlsb',
      'application/zip',
      'unsupported',
      /Save the file as \.xlsx/,
    ],
    [
      'a document of Pages',
      packageOf({ 'Index/Document.iwa': 'x' }),
      'a.pages',
      'application/zip',
      'unsupported',
      /Export the file as Word/,
    ],
    [
      'sheets of Numbers',
      packageOf({ 'Index/Document.iwa': 'x' }),
      'a.numbers',
      'application/zip',
      'unsupported',
      /Export the file as Excel/,
    ],
    ['slides of Keynote', packageOf({ 'index.zip': 'x' }), 'a.key', 'application/zip', 'unsupported', /Export the file as PowerPoint/],
    [
      'a drawing of Visio',
      packageOf({
        '_rels/.rels': '<Relationships><Relationship Id="a" Type="x/document" Target="visio/document.xml"/></Relationships>',
        'visio/document.xml': '<VisioDocument/>',
      }),
      'a.vsdx',
      'application/zip',
      'unsupported',
      /Visio .* PDF/,
    ],
    [
      'a saved page',
      'From: <Saved by Blink>\nMIME-Version: 1.0\n\nwords',
      'a.mhtml',
      'text/plain',
      'unsupported',
      /\.mhtml.* \.html or PDF/,
    ],
    [
      'a document of WordPerfect',
      Buffer.from('ff5750431000', 'hex'),
      'a.wpd',
      'application/octet-stream',
      'unsupported',
      /WordPerfect .* \.docx/,
    ],
    [
      'a spreadsheet of Excel 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
      'a.xls',
      'application/xml',
      'unsupported',
      /Excel 2003 .* \.xlsx/,
    ],
    [
      'a document of Word 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Word.Document"?><w:wordDocument/>',
      'a.doc',
      'text/xml',
      'unsupported',
      /Word .* \.docx/,
    ],
    [
      'a flat text',
      '<?xml version="1.0"?>\n<office:document xmlns:office="o" office:mimetype="application/vnd.oasis.opendocument.text"><x/></office:document>',
      'a.fodt',
      'application/xml',
      'unsupported',
      /fodt.* \.odt/,
    ],
    [
      'a flat spreadsheet',
      '<?xml version="1.0"?>\n<office:document xmlns:office="o" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><x/></office:document>',
      'a.fods',
      'text/plain',
      'unsupported',
      /fods.* \.ods/,
    ],
    [
      'a flat file with many names',
      `<?xml version="1.0"?>\n<office:document ${'xmlns:a="b" '.repeat(500)} office:mimetype="opendocument.text"/>`,
      'a.xml',
      'application/xml',
      'unsupported',
      /Flat .* \.odt, \.ods or \.odp/,
    ],
    ['a text of XML about one', '<?xml version="1.0"?><a>office:document</a>', 'a.xml', 'application/xml', 'ready', /^null$/],
    ['a mail of Outlook that is cut off', MESSAGE, 'a.msg', 'application/vnd.ms-outlook', 'failed', /damaged/],
    ['a rich text', '{\\rtf1 x}', 'a.rtf', 'application/rtf', 'ready', /^null$/],
    ['a mail', 'From: a@example.org\nSubject: x\n\nwords', 'a.eml', 'message/rfc822', 'ready', /^null$/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'a.png', 'image/png', 'empty', /picture/],
    [
      'a bomb',
      packageOf({ 'xl/workbook.xml': Buffer.alloc(60 * 1024 * 1024) }),
      'a.xlsx',
      'application/zip',
      'failed',
      /expands beyond the limit/,
    ],
    ['nothing', '', 'a.txt', 'text/plain', 'empty', /empty/],
    [
      'noise',
      Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 89) % 256)),
      'a.docx',
      'application/octet-stream',
      'unsupported',
      /no text/,
    ],
    [
      'a package whose parts are noise',
      packageOf({ '_rels/.rels': 'no xml', 'word/document.xml': '<' }),
      'a.docx',
      'application/zip',
      'failed',
      /damaged/,
    ],
  ])('%s', async (_, bytes, name, type, status, reason) => {
    const found = await textOf(bytes, name, type);
    expect(found.status).toBe(status);
    expect(String(found.reason)).toMatch(reason);
  });

  it('too large is not opened', async () => {
    expect(await textOf('x'.repeat(100), 'a.txt', 'text/plain', { maxFileBytes: 99 })).toMatchObject({ status: 'unsupported' });
  });

  it('throws when the file is not there', async () => {
    await expect(
      extractFile({ path: join(folder, 'absent'), type: 'text/plain', name: 'a', limits: EXTRACTION_LIMITS }),
    ).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
