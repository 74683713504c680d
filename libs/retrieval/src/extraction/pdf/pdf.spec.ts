import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText } from '../extracted-text';
import { DocumentStyle } from './document-blocks';
import type { Line } from './page-lines';
import type { PageLines } from './page-of-lines';
import { UnreadPages } from './unread-pages';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-pdf-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface PageOf {
  readonly drawn: string;
  /** Further entries of the page, such as `/Rotate 90`. */
  readonly entries?: string;
}
interface DrawnPdf {
  readonly catalog?: string;
  readonly font?: string;
  /** Objects behind those of the pages; the first has the number 4 + 2 × pages. */
  readonly objects?: readonly string[];
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** A PDF whose pages are drawn by hand. */
function pdfOf(pages: readonly (string | PageOf)[], { catalog = '', font = HELVETICA, objects = [] }: DrawnPdf = {}): Buffer {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    font,
    ...pages.flatMap((page, at) => {
      const { drawn, entries = '' } = typeof page === 'string' ? { drawn: page } : page;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R ${entries} >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
    ...objects,
  ];
  const body = all.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('');
  // Without a table of its objects, which readers build themselves.
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\n%%EOF\n`, 'latin1');
}

/** Text of Helvetica from a place on, or by a matrix of its own. */
const line = (text: string, x: number, y: number, size = 12): string => turned(text, `1 0 0 1 ${x} ${y}`, size);
const turned = (text: string, matrix: string, size = 12): string => `BT /F1 ${size} Tf ${matrix} Tm (${text}) Tj ET\n`;
const lines = (texts: readonly string[], x: number, y: number): string => texts.map((text, at) => line(text, x, y - at * 15)).join('');

/** A line as it is found on a page. */
const lineAt = (text: string, y: number): Line => ({ text, parts: [text], x: 72, right: 72 + text.length * 6, y, size: 12 });

const read = async (pdf: Buffer): Promise<ExtractedText> => {
  const path = join(folder, 'original.pdf');
  await writeFile(path, pdf);
  return extractFile({ path, type: 'application/pdf', name: 'a.pdf', limits: EXTRACTION_LIMITS });
};
/** The markdown of a PDF of which no word may be lost. */
const textOf = async (...pdf: Parameters<typeof pdfOf>): Promise<string> => {
  const { markdown, loss } = await read(pdfOf(...pdf));
  expect(loss).toBeNull();
  return markdown;
};

describe('headers and footers of a PDF', () => {
  const NAMES = ['red', 'green', 'blue', 'white'];

  it('are left out when only their page number differs', async () => {
    const page = (name: string, at: number): string =>
      line('Annual report 2024', 72, 770) +
      line(`Page ${at + 1} of 4`, 480, 770) +
      line(`The ${name} boat`, 72, 400) +
      line(`${at + 1}`, 300, 20);
    expect(await textOf(NAMES.map(page))).toBe('The red boat\n\nThe green boat\n\nThe blue boat\n\nThe white boat');
  });

  it('stay when they say what the page is about', async () => {
    const rooms = await textOf(NAMES.map((name, at) => lines([`Room ${101 + at}`, `Sleeps ${2 + at} guests`, `A ${name} door`], 72, 740)));
    for (const at of [0, 1, 2, 3]) expect(rooms).toContain(`Room ${101 + at} Sleeps ${2 + at} guests`);
    const lessons = await textOf(NAMES.map((name, at) => line(`Lesson ${at + 1}`, 72, 770, 20) + line(`The ${name} boat`, 72, 400)));
    expect(lessons).toContain('# Lesson 3\n\nThe blue boat');
  });

  it.each([
    ['a number behind a dash', (at: number) => line(`Room - ${101 + at}`, 72, 770)],
    ['a number behind a gap', (at: number) => line('Invoice no.', 72, 770) + line(`${1001 + at}`, 400, 770)],
    ['a number in large type', (at: number) => line(`${at + 1}`, 72, 770, 30)],
    ['a number far from that of the page', (at: number) => line(`${101 + at}`, 72, 770)],
    ['a number behind a dash that could be one', (at: number) => line(`Lot - ${1 + at}`, 72, 770)],
    ['a number behind a line that could be one', (at: number) => line(`Station | ${1 + at}`, 72, 770)],
    ['a number behind a gap that could be one', (at: number) => line('Invoice no.', 72, 770) + line(`${1 + at}`, 400, 770)],
    ['a side of a record', (at: number) => line(`Side ${1 + at}`, 72, 770)],
  ])('stay when their number is none of a page: %s', async (_, head) => {
    const text = await textOf(NAMES.map((name, at) => head(at) + line(`The ${name} boat is moored at the northern pier`, 72, 400)));
    for (const at of [0, 1, 2, 3]) expect(text.replace(/\D+/g, ' ').trim().split(' ')[at]).toMatch(new RegExp(`${at + 1}$`));
  });

  it.each([
    ['第1課', false],
    ['第 1 章', false],
    ['第1回', false],
    ['第1页', true],
    ['第 1 頁', true],
    ['第1ページ', true],
    ['Side 1 af 4', true],
    ['The harbour of the northern islands - 1', true],
  ])('are left out by what their number counts: %s, %p', (head, isLeftOut) => {
    const page = (at: number): PageLines => ({
      page: at,
      height: 792,
      aside: [],
      lines: [lineAt(head.replace('1', String(at)), 770), lineAt(`Boat ${at * 7}`, 400)],
    });
    const pages = [1, 2, 3, 4].map(page);
    const style = new DocumentStyle(pages);
    expect(pages.flatMap((each) => style.leftOutOf(each))).toHaveLength(isLeftOut ? 4 : 0);
  });

  it('are said once where all pages have the same head, as the first row of a table is', async () => {
    const row = (cells: readonly string[], y: number): string => cells.map((cell, at) => line(cell, 72 + at * 180, y)).join('');
    const text = await textOf(
      NAMES.map((name, at) => row(['Boat', 'Berth'], 770) + row([name, `B${at}`], 740) + line(`${at + 1}`, 300, 20)),
    );
    expect(text).toBe('Boat Berth\n\nred B0\n\ngreen B1\n\nblue B2\n\nwhite B3');
  });

  it('stay where the page has no other text, or the same as another page', async () => {
    expect(await textOf(NAMES.map(() => line('Harbour school', 72, 770)))).toBe(NAMES.map(() => 'Harbour school').join('\n\n'));
    const tickets = await textOf(NAMES.map((_, at) => line('Admit one', 72, 400) + line(`Page ${at + 1}`, 72, 20)));
    expect(tickets.match(/Page \d/g)).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4']);
  });

  it('stay when their number does not count the pages, or their place differs', async () => {
    const counted = await textOf(NAMES.map((name, at) => line(`The ${name} boat`, 72, 400) + line(String([7, 3, 12, 5][at]), 300, 20)));
    expect(counted).toContain('12');
    const places = await textOf(NAMES.map((name, at) => line(`The ${name} boat`, 72, 400) + line('Ferry to Amrum', 72, 780 - at * 25)));
    expect(places.match(/Ferry to Amrum/g)).toHaveLength(4);
  });
});

describe('turned text of a PDF', () => {
  const cells = [
    ['Item', 'January', 'February'],
    ['Berths', '120', '130'],
    ['Crane', '7', '9'],
  ];

  it.each([
    [90, (column: number, row: number) => `0 1 -1 0 ${100 + row * 24} ${60 + column * 150}`],
    [180, (column: number, row: number) => `-1 0 0 -1 ${560 - column * 150} ${100 + row * 24}`],
    [270, (column: number, row: number) => `0 -1 1 0 ${500 - row * 24} ${700 - column * 150}`],
    [0, (column: number, row: number) => `1 0 0 1 ${60 + column * 150} ${700 - row * 24}`],
  ])('is read in its direction, also on a page that is turned: %d', async (rotate, place) => {
    const drawn = cells.flatMap((row, at) => row.map((cell, column) => turned(cell, place(column, at)))).join('');
    for (const entries of ['', `/Rotate ${rotate}`])
      expect(await textOf([{ drawn, entries }])).toBe('Item January February\n\nBerths 120 130\n\nCrane 7 9');
  });

  it('in the margin and across the page is no part of its sentences, and a stamp of all pages is said once', async () => {
    const page = lines(['A first line of the text that goes on and', 'a second line of it that ends here.'], 100, 700);
    const stamp = turned('arXiv:2101.00001v1 1 Jan 2021', '0 1 -1 0 40 600');
    const sentence = 'A first line of the text that goes on and a second line of it that ends here.';
    expect(await textOf([page + stamp])).toBe(`${sentence}\n\narXiv:2101.00001v1 1 Jan 2021`);
    const draft = turned('DRAFT', '.707 .707 -.707 .707 150 640', 60);
    const { markdown, loss } = await read(pdfOf([1, 2, 3].map((at) => page + line(`Sheet of ${at} boats`, 100, 400) + draft)));
    expect(loss).toBeNull();
    expect(markdown.match(/DRAFT/g)).toHaveLength(1);
    expect(markdown.split(sentence)).toHaveLength(4);
  });
});

describe('forms and notes of a PDF', () => {
  const widget = (entries: string, rect: string): string => `<< /Type /Annot /Subtype /Widget ${entries} /Rect [${rect}] /F 4 >>`;
  const BOX = '<< /Type /XObject /Subtype /Form /BBox [0 0 10 10] /Length 0 >>\nstream\n\nendstream';
  const box = (state: string, rect: string): string =>
    widget(`/FT /Btn /T (${rect}) /V /${state} /AS /${state} /AP << /N << /On 6 0 R /Off 6 0 R >> >>`, rect);
  const formOf = (drawn: string, annotations: readonly string[]): Promise<string> =>
    textOf([{ drawn, entries: `/Annots [${annotations.join(' ')}]` }], { catalog: '/AcroForm << /Fields [] >>', objects: [BOX] });

  it('are read with what was filled in, behind its label', async () => {
    const drawn = line('Name:', 72, 700) + line('Berth wanted:', 72, 670) + line('Needs crane:', 72, 640);
    const fields = [
      widget('/FT /Tx /T (name) /V (Ingrid Petersen)', '160 690 400 715'),
      widget('/FT /Ch /Ff 131072 /T (berth) /Opt [[(n) (North pier)] [(s) (South pier)]] /V (s)', '160 660 400 685'),
      widget('/FT /Btn /T (crane) /V /Yes /AS /Yes', '160 630 180 650'),
      '<< /Type /Annot /Subtype /FreeText /Contents (Call back on Monday) /DA (/F1 10 Tf) /Rect [72 500 400 540] /F 4 >>',
    ];
    expect(await formOf(drawn, fields)).toBe(
      'Name: Ingrid Petersen\n\nBerth wanted: South pier\n\nNeeds crane: [x] Yes\n\nCall back on Monday',
    );
  });

  it('have their ticks in front of what is ticked, also where a group has one value', async () => {
    const drawn =
      lines(['Crane', 'Pilot', 'Winter storage'], 92, 640) + line('Colour:', 72, 570) + line('red', 162, 570) + line('blue', 222, 570);
    const option = (state: string, own: string, rect: string): string =>
      widget(`/FT /Btn /Ff 49152 /T (colour) /V /red /AS /${state} /AP << /N << /${own} 6 0 R /Off 6 0 R >> >>`, rect);
    const ticks = [box('On', '72 638 84 650'), box('Off', '72 623 84 635'), box('On', '72 608 84 620')];
    const options = [option('red', 'red', '145 568 157 580'), option('Off', 'blue', '205 568 217 580')];
    expect(await formOf(drawn, [...ticks, ...options])).toBe('- [x] Crane\n- [ ] Pilot\n- [x] Winter storage\n\nColour: [x] red [ ] blue');
  });

  it('keep hidden values and passwords, and comments are no part of a sentence', async () => {
    const drawn = lines(['The lease begins in the month of', 'May and ends in June.'], 72, 700) + line('PIN', 72, 600);
    const text = await formOf(drawn, [
      widget('/FT /Tx /Ff 8192 /T (pin) /V (1234)', '120 598 200 612'),
      widget('/FT /Tx /T (h) /V (concealed)', '120 570 200 580').replace('/F 4', '/F 2'),
      '<< /Type /Annot /Subtype /Text /Contents (Please check) /Rect [400 695 420 715] /F 4 >>',
      '<< /Type /Annot /Subtype /FreeText /Contents (Which year?) /DA (/F1 10 Tf) /Rect [300 695 400 715] /F 4 >>',
    ]);
    expect(text).toContain('The lease begins in the month of May and ends in June.');
    expect(text).toContain('Note: Please check');
    expect(text).toContain('Which year?');
    expect(text).not.toMatch(/1234|concealed/);
  });

  it.each([
    ['alone are not read, which is said', '', 'unsupported'],
    ['beside fields of its pages are read', '8 0 R', 'ready'],
  ])('of XFA %s', async (_, fields, status) => {
    const catalog = `/NeedsRendering true /AcroForm << /Fields [${fields}] /XFA 6 0 R >>`;
    const objects = ['<< /Length 6 >>\nstream\n<xdp/>\nendstream', BOX, widget('/FT /Tx /T (name) /V (Ann)', '120 598 200 612')];
    const found = await read(pdfOf([line('Please wait. If this message is not replaced, upgrade.', 72, 700)], { catalog, objects }));
    expect(found.status).toBe(status);
    if (status === 'unsupported') expect(found.reason).toMatch(/XFA.* Print it to a new PDF/);
  });

  it('of XFA beside a page of prose are no reason not to read it', async () => {
    const prose = Array.from({ length: 50 }, (_, at) => `The berth number ${at} has water and power.`);
    const catalog = '/AcroForm << /Fields [] /XFA 6 0 R >>';
    const found = await read(pdfOf([lines(prose, 72, 770)], { catalog, objects: ['<< /Length 6 >>\nstream\n<xdp/>\nendstream'] }));
    expect(found.status).toBe('ready');
    expect(found.markdown).toContain('The berth number 49 has water and power.');
  });

  it('name the files that a PDF carries', async () => {
    const names = '/Names << /EmbeddedFiles << /Names [(lease.txt) 6 0 R] >> >> /Collection << /Type /Collection >>';
    const objects = [
      '<< /Type /Filespec /F (lease.txt) /UF (lease.txt) /EF << /F 7 0 R >> >>',
      '<< /Type /EmbeddedFile /Length 5 >>\nstream\nwords\nendstream',
    ];
    expect(await textOf([line('Open this portfolio in a viewer.', 72, 700)], { catalog: names, objects })).toBe(
      'Open this portfolio in a viewer.\n\nAttached file: lease.txt',
    );
  });
});

describe('lines of a PDF', () => {
  const raised = (text: string, rise: number): string => `/F1 7 Tf ${rise} Ts (${text}) Tj /F1 12 Tf 0 Ts `;

  it('are there once where they are drawn twice to look bold, and as often as they are in different places', async () => {
    const bold = line('Important notice', 72, 700) + line('Important notice', 72.4, 700.2);
    const { markdown, loss } = await read(pdfOf([bold + line('Important notice', 72, 660) + line('Important notice', 250, 660)]));
    expect(markdown).toBe('Important notice\n\nImportant notice Important notice');
    expect(loss).toBeNull();
  });

  it('have raised and lowered signs in their places', async () => {
    const drawn =
      `BT /F1 12 Tf 72 700 Td (The reaction of H) Tj ${raised('2', -3)}(O and CO) Tj ${raised('2', -3)}( gives 10) Tj ${raised('6', 5)}( units a year) Tj ${raised('1', 5)}ET\n` +
      `BT /F1 12 Tf 72 685 Td (from 5 m) Tj ${raised('2', 5)}( on the 5) Tj ${raised('th', 5)}( day, and 10) Tj ${raised('-', 5)}${raised('6', 5)}( besides.) Tj ET\n` +
      `BT /F1 9 Tf 72 100 Td /F1 6 Tf 3 Ts (1) Tj /F1 9 Tf 0 Ts ( See the statute.) Tj ET`;
    expect(await textOf([drawn])).toBe(
      'The reaction of H2O and CO2 gives 10^6 units a year^1 from 5 m^2 on the 5th day, and 10^-6 besides.\n\n1 See the statute.',
    );
  });

  it('have powers and fractions in front of a stroke', async () => {
    const drawn = `BT /F1 12 Tf 72 700 Td (at 5 m) Tj ${raised('2', 5)}(/s and 10) Tj ${raised('6', 5)}(/day, 1) Tj ${raised('3', 5)}(/) Tj ${raised('4', -2)}( cups) Tj ET`;
    expect(await textOf([drawn])).toBe('at 5 m^2/s and 10^6/day, 1 3/4 cups');
  });

  it('keep raised and lowered signs apart from the numbers beside them', async () => {
    const shifts: readonly (readonly [string, number])[] = [
      ['1010', 0],
      ['2', -3],
      [', log', 0],
      ['10', -3],
      ['100, 2', 0],
      ['n', 5],
      ['+', 5],
      ['1', 5],
      [', 2', 0],
      ['3', 5],
      ['4, 10', 0],
      ['6', 5],
      ['/year and 2', 0],
      ['1', 5],
      ['/', 0],
      ['2', -3],
      [' years.', 0],
    ];
    const drawn = shifts.map(([text, rise]) => (rise === 0 ? `(${text}) Tj ` : raised(text, rise))).join('');
    expect(await textOf([`BT /F1 12 Tf 72 700 Td ${drawn}ET`])).toBe('1010_2, log\\_(10)100, 2^(n+1), 2^3 4, 10^6/year and 2 1/2 years.');
  });

  it('are read column by column, however few they are, and tables row by row', async () => {
    const left = lines(['The committee reviewed the annual', 'report and'], 60, 700);
    const right = lines(['approved the budget for the', 'coming fiscal year.'], 330, 700);
    expect(await textOf([left + right])).toBe(
      'The committee reviewed the annual report and approved the budget for the coming fiscal year.',
    );
    const names = lines(['Name of the institution here', 'Street and number of it'], 60, 700);
    const values = lines(['University of Hamburg North', 'Alsterweg 17 in the yard'], 330, 700);
    expect(await textOf([names + values])).toContain('institution here University of Hamburg North');
  });

  it.each([
    [
      ['The committee reviewed the report.', 'Berth fees rise in the spring.'],
      ['Pilots are ordered the day before.', 'The crane stands at the north pier.'],
    ],
    [
      ['Der Ausschuss hat den Bericht der', 'Kommission gelesen und alle', 'Fragen dazu beantwortet.'],
      ['Lotsen werden am Vortag bei der', 'Hafenmeisterei bestellt und am', 'Morgen danach eingeteilt.'],
    ],
    [
      ['The committee reviewed the annual', 'Report of the Harbour Commission', 'And approved it in March.'],
      ['The crane stands at the pier.'],
    ],
  ])('of short columns are read column by column where their sentences end: %j', async (left, right) => {
    expect((await textOf([lines(left, 60, 700) + lines(right, 330, 700)])).replace(/\s+/g, ' ')).toBe([...left, ...right].join(' '));
  });

  it('are read column by column between a headline and a line below them', async () => {
    const head = line('A headline over both columns of it', 60, 740, 18);
    const left = lines(['The committee reviewed the annual', 'report of the harbour and', 'all that was asked of it.'], 60, 700);
    const right = lines(['Pilots are ordered on the day', 'before they are needed at the', 'harbour office.'], 330, 700);
    const foot = line('A line at the foot that goes over both of the columns from left to right.', 60, 600);
    const { markdown } = await read(pdfOf([head + left + right + foot]));
    expect(markdown.split('\n\n')).toEqual([
      '# A headline over both columns of it',
      'The committee reviewed the annual report of the harbour and all that was asked of it.',
      'Pilots are ordered on the day before they are needed at the harbour office.',
      'A line at the foot that goes over both of the columns from left to right.',
    ]);
    const prices = ['Berth for one night', 'Crane for an hour', 'Key of the shower'].map((text, at) => line(text, 60, 700 - at * 20));
    const fees = ['Twelve euros a night', 'Nine euros an hour', 'Two euros for a day'].map((text, at) => line(text, 330, 700 - at * 20));
    const table = await read(pdfOf([head + [...prices, ...fees].join('') + foot]));
    expect(table.markdown).toContain('Berth for one night Twelve euros a night');
  });

  it('of a short table are read row by row though its cells end as sentences', async () => {
    const text = await textOf([
      lines(['What guests ask us', 'May we moor at night at the pier?'], 60, 700) +
        lines(['Answer of the pilots', 'Yes, until ten in the evening.'], 330, 700),
    ]);
    expect(text).toContain('What guests ask us Answer of the pilots');
  });

  it.each([
    [['a state-of-the-', 'art crane'], 'a state-of-the-art crane'],
    [['a self-', 'service laundry'], 'a self-service laundry'],
    [['for inter-', 'national guests'], 'for international guests'],
    [['an E-Mail-', 'Adresse'], 'an E-Mail-Adresse'],
    [['Vor-', 'und Nachteile'], 'Vor- und Nachteile'],
    [['the year 2024-', '25 was good'], 'the year 2024-25 was good'],
    [['A follow-up is sent. The follow-', 'up costs nothing'], 'A follow-up is sent. The follow-up costs nothing'],
    [['It is well established, or well-estab-', 'lished'], 'It is well established, or well-established'],
    [['Write to info@atrium-', 'boats.example'], 'Write to info@atrium-boats.example'],
    [['see www.atrium-', 'harbour.example/berths'], 'see www.atrium-harbour.example/berths'],
    [['They real-', 'ize it'], 'They realize it'],
    [['at twenty-', 'five berths'], 'at twenty-five berths'],
    [['a time-', 'consuming task'], 'a time-consuming task'],
    [['the decision-', 'making body'], 'the decision-making body'],
    [['a user-', 'friendly form'], 'a user-friendly form'],
    [['the follow-', 'up care'], 'the follow-up care'],
    [['an un-', 'friendly crew'], 'an unfriendly crew'],
    [['a time-', 'table of it, with-', 'out a fee'], 'a timetable of it, without a fee'],
    [['die Hafen-', 'ordnung gilt. Hafen und Ordnung'], 'die Hafenordnung gilt. Hafen und Ordnung'],
  ])('that end in a hyphen go on: %j', async (broken, whole) => expect(await textOf([lines(broken, 72, 700)])).toBe(whole));

  it('that begin with a date or a number are points of a list only where they count', async () => {
    const meeting = [
      'The meeting is held on Sunday the',
      '5. April at ten, says section',
      '7. of the statute, as our treasurer',
      'J. Smith has noted.',
    ];
    expect(await textOf([lines(meeting, 72, 700)])).toBe(
      'The meeting is held on Sunday the 5. April at ten, says section 7. of the statute, as our treasurer J. Smith has noted.',
    );
    const lease = ['The flat is on the', '1. Etage and is let to the', '1. FC Hamburg from the', '1. 4. 2025 on.'];
    expect(await textOf([lines(lease, 72, 700)])).toBe(
      'The flat is on the 1. Etage and is let to the 1. FC Hamburg from the 1. 4. 2025 on.',
    );
    const reference = ['The berth is let as it says in section', '1\\) of the act and', '2\\) of the order.'];
    expect(await textOf([lines(reference, 72, 700)])).toBe('The berth is let as it says in section 1) of the act and 2) of the order.');
    const league = ['Die Spiele beginnen am Sonntag schon sehr fr\\374h.', '3. Liga und Pokal folgen.'];
    expect(await textOf([lines(league, 72, 700)])).toBe('Die Spiele beginnen am Sonntag schon sehr früh. 3. Liga und Pokal folgen.');
    const clauses = ['2. Rent', 'The rent is due each month, on its first day.', '3. Deposit'];
    expect(await textOf([lines(clauses, 72, 700)])).toBe('2. Rent\n\nThe rent is due each month, on its first day.\n\n3. Deposit');
    const list = ['Bring these things', '1. Ropes', '2. Sails', '3. Oars'];
    expect(await textOf([lines(list, 72, 700)])).toBe('Bring these things\n\n1. Ropes\n2. Sails\n3. Oars');
    const words = ['1. Maintain the boats', '2. Decorate the pier', '3. General tasks'];
    expect(await textOf([lines(words, 72, 700)])).toBe('1. Maintain the boats\n2. Decorate the pier\n3. General tasks');
  });

  it.each([
    ['5. 4. 2025 Sitzung des Vorstands', '31. 12. 2025 endet die Frist'],
    ['5. travnja sastanak odbora', '6. avgust seja odbora'],
    ['3. Jänner Sitzung des Vorstands', '4. Sept. endet die Frist'],
  ])('that begin with a date are no list, also at the start of a paragraph: %s', async (...days) => {
    const drawn = days.map((day, at) => line(day.replace('ä', '\\344'), 72, 700 - at * 40)).join('');
    expect((await textOf([drawn])).replaceAll('\\', '')).toBe(days.join('\n\n'));
  });
});

describe('a PDF whose signs mean nothing', () => {
  const descriptor =
    '<< /Type /FontDescriptor /FontName /ABCDEF+Arial /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>';
  const glyphs = (map: string): string =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Arial /Encoding /Identity-H ${map} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Arial /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor ${descriptor} >>] >>`;
  /** Numbers of glyphs as fonts usually have them. */
  const coded = (text: string): string => [...text].map((sign) => (sign.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('');
  const page = (text: string): string => `BT /F1 12 Tf 72 700 Td <${coded(text)}> Tj ET\n`;
  const PRIVATE =
    'begincmap /CMapName /X def 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <00FF> <E000> endbfrange endcmap';
  const isRefused = {
    status: 'empty',
    markdown: '',
    reason: expect.stringMatching(/^The fonts of the PDF do not state which characters/) as string,
  };

  it('says so, and none of them is found', async () => {
    expect(await read(pdfOf([page('The lease of the boathouse ends in May.')], { font: glyphs('') }))).toMatchObject(isRefused);
    expect(await read(pdfOf([page('Theleaseoftheboathouseends')], { font: glyphs('') }))).toMatchObject(isRefused);
    const map = `<< /Length ${PRIVATE.length} >>\nstream\n${PRIVATE}\nendstream`;
    expect(await read(pdfOf([page('The lease of the boathouse')], { font: glyphs('/ToUnicode 6 0 R'), objects: [map] }))).toMatchObject({
      ...isRefused,
      loss: { share: 1 },
    });
  });

  it('in part is read as far as they mean something, and says what is missing', async () => {
    const drawn =
      page('The lease of the boathouse ends in May.') + 'BT /F2 12 Tf 72 600 Td (The rent is due on the third day of a month.) Tj ET';
    const found = await read(pdfOf([{ drawn, entries: `/Resources << /Font << /F1 3 0 R /F2 ${HELVETICA} >> >>` }], { font: glyphs('') }));
    expect(found).toMatchObject({ status: 'ready', markdown: 'The rent is due on the third day of a month.' });
    // Words of the source that are not in the text are counted, and fonts give the reason.
    expect(found.loss?.reason).toMatch(/^\d+ of the \d+ words.*fonts of the PDF/s);
    expect(found.loss?.share).toBeGreaterThan(0.4);
  });

  it('is not one in capitals, or of another script', async () => {
    expect(await textOf([line('THE HELD HOLDER OF THE LEDGER SHALL HOLD THE LEDGER AND ALL DEEDS', 72, 700)])).toContain('LEDGER');
  });
});

describe('pages of a PDF that cannot be read', () => {
  it('are said, and all others are read', async () => {
    const pages = ['red', 'green', 'blue', 'white'].map((name) => line(`The ${name} boat`, 72, 400));
    const whole = pdfOf(pages, { objects: ['<< /Type /Pages /Parent 2 0 R /Kids [99 0 R] /Count 1 >>'] }).toString('latin1');
    const found = await read(Buffer.from(whole.replace(' 6 0 R', ' 12 0 R'), 'latin1'));
    expect(found).toMatchObject({ status: 'ready', markdown: 'The red boat\n\nThe blue boat\n\nThe white boat' });
    expect(found.loss).toEqual({ share: 0.25, reason: expect.stringMatching(/^Page 2 cannot be read/) as string });
  });

  it('in part are said as well', async () => {
    const unread = new UnreadPages();
    expect(unread.lossOf(4)).toBeUndefined();
    unread.addCut(3);
    expect(unread.lossOf(4)).toEqual({ share: 0.125, reason: expect.stringMatching(/^Page 3 can be read only in part/) as string });
  });
});
