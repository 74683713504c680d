import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { raisedText } from '@atrium/platform/kernel';
import { growth, LINEAR } from '../../../../../platform/testing/src/growth';
import { documentOf, wordParagraph, type WordParts } from '../../../../../platform/testing/src/archives/office-of';
import { EXTRACTION_LIMITS } from '../../extracted-text';
import { extractDocx } from '../docx';
import { formatCount } from './counted';
import { Numbering } from './numbering';
import { WordRewriter } from './word-rewriter';

describe('a document of Word', () => {
  let folder: string;
  let files = 0;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'atrium-word-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Nothing of a document is lost but what is left out on purpose. */
  const markdown = async (parts: WordParts): Promise<string> => {
    const path = join(folder, `${files++}.docx`);
    await writeFile(path, documentOf(parts));
    const found = await extractDocx({ path, type: '', name: 'a.docx', limits: EXTRACTION_LIMITS });
    expect(found.loss).toBeNull();
    return found.markdown;
  };
  const run = (text: string, properties = ''): string =>
    `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
  const sign = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const paragraph = (...inside: readonly string[]): string => `<w:p>${inside.join('')}</w:p>`;
  const box = (text: string): string => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`;
  const shape = (text: string): string =>
    `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box(text)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`;

  it.each([
    [
      'a simple field',
      run('Dear ') + `<w:fldSimple w:instr=" MERGEFIELD Name ">${run('Mrs Petersen')}</w:fldSimple>` + run(','),
      'Dear Mrs Petersen,',
    ],
    [
      'a field in parts',
      `${run('See ')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF a \\r </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('2.2')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
      'See 2.2',
    ],
    [
      'a field without what its instruction reads from others',
      `${run('Dear ')}${sign('begin')}${sign('begin')}${sign('separate')}${run('f')}${sign('end')}<w:r><w:instrText> = "f"</w:instrText></w:r>${sign('separate')}${run('Mrs ')}${sign('end')}${sign('begin')}${sign('separate')}${run('Petersen')}${sign('end')}${sign('begin')}</w:p><w:p>${sign('begin')}${sign('separate')}${run('and all')}${sign('end')}`,
      'Dear Mrs Petersen\n\nand all',
    ],
    [
      'the word under its reading',
      `${run('会議は')}<w:r><w:ruby><w:rubyPr/><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>${run('で')}`,
      '会議は東京で',
    ],
    [
      'text of another direction, and what is marked or bound',
      `<w:dir w:val="rtl">${run('שלום ')}</w:dir><w:bdo w:val="rtl">${run('one ')}</w:bdo><w:smartTag>${run('two ')}</w:smartTag><w:sdt><w:sdtPr/><w:sdtContent>${run('three')}</w:sdtContent></w:sdt>`,
      'שלום one two three',
    ],
    [
      'raised and lowered signs',
      run('10') +
        run('6', '<w:vertAlign w:val="superscript"/>') +
        run(' of H') +
        run('2', '<w:vertAlign w:val="subscript"/>') +
        run('O on the 1') +
        run('st', '<w:vertAlign w:val="superscript"/>'),
      '10^6 of H2O on the 1st',
    ],
    [
      'raised signs of several runs',
      run('10') +
        ['-', '1', '2'].map((sign) => run(sign, '<w:vertAlign w:val="superscript"/>')).join('') +
        run(' m, x') +
        run('n', '<w:vertAlign w:val="superscript"/>') +
        run('+1', '<w:vertAlign w:val="superscript"/>'),
      '10^-12 m, x^(n+1)',
    ],
    [
      'raised signs apart from the numbers behind them',
      run('2') + run('3', '<w:vertAlign w:val="superscript"/>') + run('4, x') + run('n', '<w:vertAlign w:val="superscript"/>') + run('4'),
      '2^3 4, x^n4',
    ],
    [
      'the letter of a note behind a word that is in several runs',
      run('bo') + run('at') + run('a', '<w:vertAlign w:val="superscript"/>') + run(' and pier'),
      'boat^a and pier',
    ],
    [
      'lowered signs of runs and of styles',
      run('log') +
        run('1', '<w:vertAlign w:val="subscript"/>') +
        run('0', '<w:vertAlign w:val="subscript"/>') +
        run('64, 1010') +
        run('2', '<w:rStyle w:val="Down"/>') +
        run(', 10') +
        run('6', '<w:vertAlign w:val="superscript"/>') +
        run('2', '<w:vertAlign w:val="subscript"/>'),
      'log\\_(10)64, 1010_2, 10^6_2',
    ],
    [
      'signs that their style raises, unless they are not',
      run('10') +
        run('6', '<w:rStyle w:val="Up"/>') +
        run(' of 1') +
        run('2', '<w:rStyle w:val="Up"/><w:vertAlign w:val="baseline"/>') +
        run(' m') +
        run('2', '<w:rStyle w:val="Up"/>') +
        '<w:r><w:br/></w:r>' +
        run('2', '<w:rStyle w:val="Up"/>'),
      '10^6 of 12 m^2  \n^2',
    ],
    [
      'words on both sides of a break between lines, columns or pages',
      ['<w:br w:type="page"/>', '<w:br/>', '<w:br w:type="column"/>', '<w:br w:type="page"/>', '']
        .map((sign, at) => (at === 0 ? `<w:r>${sign}</w:r>` : `${run(`word${at}`)}<w:r>${sign}</w:r>`))
        .join(''),
      'word1  \nword2  \nword3  \nword4',
    ],
    [
      'signs of fonts of signs and of letters',
      `${run('\uF061 and', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>')}${run(' 20 ')}<w:r><w:sym w:font="Arial" w:char="00B0"/></w:r>${run('C ')}<w:r><w:sym w:font="Segoe UI Symbol" w:char="2612"/></w:r><w:r><w:sym w:font="Symbol" w:char="F0B3"/></w:r>${run(' 3 &amp; \uF061', '<w:rFonts w:ascii="Arial"/>')}`,
      'α and 20 °C ☒≥ 3 & \uF061',
    ],
    [
      'hyphens',
      `${run('co')}<w:r><w:softHyphen/></w:r>${run('op\u00ADeration of T')}<w:r><w:noBreakHyphen/></w:r>${run('bars')}`,
      'cooperation of T-bars',
    ],
    [
      'what is neither hidden nor deleted',
      run('Kept') +
        run(' hidden', '<w:vanish/>') +
        run(' shown', '<w:vanish w:val="0"/>') +
        `<w:del><w:r><w:delText> gone</w:delText></w:r></w:del><w:moveFrom>${run(' moved')}</w:moveFrom>` +
        run(' styled', '<w:rStyle w:val="Hidden"/>'),
      'Kept shown',
    ],
    [
      'a box of text without a stand-in',
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${shape('number 4711')}</mc:Choice></mc:AlternateContent></w:r>`,
      'number 4711',
    ],
    [
      'a box of text with a stand-in once',
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${shape('number 4711')}</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box('number 4711')}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      'number 4711',
    ],
    [
      'a box of text that its stand-in has alone, in a shape of any kind',
      `<w:r><mc:AlternateContent><mc:Choice Requires="x"/><mc:Fallback><w:pict><v:oval><v:textbox>${box('number 4711')}</v:textbox></v:oval></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      'number 4711',
    ],
  ])('keeps %s', async (_, inside, expected) => {
    const styles = [
      '<w:style w:type="character" w:styleId="Hidden"><w:name w:val="Hidden"/><w:rPr><w:vanish/></w:rPr></w:style>',
      '<w:style w:type="character" w:styleId="Above"><w:name w:val="Above"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>',
      '<w:style w:type="character" w:styleId="Down"><w:name w:val="Down"/><w:rPr><w:vertAlign w:val="subscript"/></w:rPr></w:style>',
      '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:basedOn w:val="Above"/></w:style>',
    ].join('');
    expect(await markdown({ body: paragraph(inside), styles })).toBe(expected);
  });

  it('keeps the cells of a row in their columns where it begins behind the first one', async () => {
    const row = (properties: string, ...cells: string[]): string =>
      `<w:tr><w:trPr>${properties}</w:trPr>${cells.map((text) => `<w:tc>${paragraph(run(text))}</w:tc>`).join('')}</w:tr>`;
    const rows = row('', 'Boat', 'Berth', 'Fee') + row('<w:gridBefore w:val="2"/>', '12') + row('', 'Ketch', 'B4', '9');
    expect(await markdown({ body: `<w:tbl>${rows}</w:tbl>` })).toBe(
      '| Boat | Berth | Fee |\n| --- | --- | --- |\n|  |  | 12 |\n| Ketch | B4 | 9 |',
    );
  });

  const boxed = (isChecked: string, sign: string): string =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${isChecked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r>${sign}</w:r></w:sdtContent></w:sdt>`;
  const field = (properties: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${properties}</w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

  it('says which boxes are ticked, and what was chosen', async () => {
    const body = [
      boxed('1', '<w:t>☒</w:t>') + run(' Crane'),
      boxed('0', '<w:t>☐</w:t>') + run(' Pilot'),
      boxed('true', '<w:sym w:font="Wingdings" w:char="F0FE"/>') + run(' Winter storage'),
      field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>') + run(' Water'),
      field('<w:checkBox><w:default w:val="0"/></w:checkBox>') + run(' Power'),
      field('<w:ddList><w:result w:val="1"/><w:listEntry w:val="North"/><w:listEntry w:val="South"/></w:ddList>') + run(' pier'),
      field('<w:ddList><w:default w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Green"/></w:ddList>') + run(' buoy'),
    ].map((inside) => paragraph(inside));
    expect(await markdown({ body: body.join('') })).toBe(
      ['[x] Crane', '[ ] Pilot', '[x] Winter storage', '[x] Water', '[ ] Power', 'South pier', 'Green buoy'].join('\n\n'),
    );
  });

  const m = (name: string, ...inside: readonly string[]): string => `<m:${name}>${inside.join('')}</m:${name}>`;
  const r = (text: string): string => m('r', m('t', text));
  it.each([
    ['E=mc^2', r('E=m') + m('sSup', m('sSupPr', m('ctrlPr', '<w:rPr/>')), m('e', r('c')), m('sup', r('2')))],
    ['(a+b)/2', m('f', m('num', r('a+b')), m('den', r('2')))],
    ['(n choose k)', m('d', m('e', m('f', m('fPr', '<m:type m:val="noBar"/>'), m('num', r('n')), m('den', r('k')))))],
    ['2(n choose k)', r('2') + m('f', m('fPr', '<m:type m:val="noBar"/>'), m('num', r('n')), m('den', r('k')))],
    ['√(x)', m('rad', m('radPr', '<m:degHide m:val="1"/>'), m('deg'), m('e', r('x')))],
    ['(x)^(1/3)', m('rad', m('deg', r('3')), m('e', r('x')))],
    ['x_i^2', m('sSubSup', m('e', r('x')), m('sub', r('i')), m('sup', r('2')))],
    ['∑\\_(i=1)^n i', m('nary', m('naryPr', '<m:chr m:val="∑"/>'), m('sub', r('i=1')), m('sup', r('n')), m('e', r('i')))],
    ['[a;b)', m('d', m('dPr', '<m:begChr m:val="["/><m:sepChr m:val=";"/>'), m('e', r('a')), m('e', r('b')))],
    ['[1 2; 3 4]', m('m', m('mr', m('e', r('1')), m('e', r('2'))), m('mr', m('e', r('3')), m('e', r('4'))))],
    ['2 1/2', r('2') + m('f', m('num', r('1')), m('den', r('2')))],
    ['1/2 3', m('f', m('num', r('1')), m('den', r('2'))) + r('3')],
    ['2 10^3', r('2') + m('sSup', m('e', r('10')), m('sup', r('3')))],
    ['123', r('1') + r('23')],
    ['2a/b', r('2') + m('f', m('num', r('a')), m('den', r('b')))],
    ['a=1 b=2', r('a=1') + m('r', '<w:br/>') + r('b=2')],
    ['a=1 b=2', `${r('a=1')}</m:oMath><m:oMath>${r('b=2')}`],
  ])('writes the equation %s in a line', async (expected, equation) => {
    expect(await markdown({ body: paragraph(m('oMathPara', m('oMath', equation))) })).toBe(expected);
  });

  it('keeps the numbers of an equation apart from those beside it', async () => {
    const half = m('oMath', m('f', m('num', r('1')), m('den', r('2'))));
    const body = paragraph(run('Take 2'), half, run('0 cups, 5'), m('oMath', r('x')), run('6'));
    expect(await markdown({ body })).toBe('Take 2 1/2 0 cups, 5x6');
  });

  const level = (at: number, text: string, more = ''): string =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const num = (id: number, of: number, override = ''): string =>
    `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${override}</w:num>`;
  const item = (text: string, at: number, list = 1, style?: string): string =>
    wordParagraph(text, { list: [list, at], ...(style === undefined ? {} : { style }) });

  it('numbers headings and clauses as their program does', async () => {
    const lists = `<w:abstractNum w:abstractNumId="0">${level(0, '%1.')}${level(1, '%1.%2')}${level(2, '(%3)', '<w:numFmt w:val="lowerLetter"/>')}</w:abstractNum>${num(1, 0)}`;
    const body = [
      item('Term', 0, 1, 'Heading1'),
      item('It runs for two years.', 1),
      item('Termination', 0, 1, 'Heading1'),
      item('Either party may end it.', 1),
      item('for cause;', 2),
      item('for insolvency.', 2),
      item('Notice must be given in writing.', 1),
      item('at the address above.', 2),
    ];
    expect(await markdown({ body: body.join(''), lists })).toBe(
      [
        '# 1. Term',
        '1.1 It runs for two years.',
        '# 2. Termination',
        '2.1 Either party may end it.',
        '(a) for cause;',
        '(b) for insolvency.',
        '2.2 Notice must be given in writing.',
        '(a) at the address above.',
      ].join('\n\n'),
    );
  });

  it('takes numbers from styles, in legal form, with what is written around them', async () => {
    const lists = `<w:abstractNum w:abstractNumId="0">${level(0, '§ %1', '<w:numFmt w:val="upperRoman"/><w:pStyle w:val="Heading1"/>')}${level(1, '§ %1 (%2)', '<w:isLgl/><w:pStyle w:val="Clause"/>')}</w:abstractNum>${num(7, 0)}`;
    const listed = (id: string, base: string, number: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${base}<w:pPr><w:numPr>${number}<w:numId w:val="7"/></w:numPr></w:pPr></w:style>`;
    const styles = `${listed('Part', '', '')}${listed('Clause', '', '<w:ilvl w:val="1"/>')}<w:style w:type="paragraph" w:styleId="Deep"><w:name w:val="Deep"/><w:basedOn w:val="Clause"/></w:style>`;
    const body = [
      wordParagraph('Term', { style: 'Part' }),
      wordParagraph('Termination', { style: 'Part' }),
      wordParagraph('One.', { style: 'Clause' }),
      wordParagraph('Two.', { style: 'Deep' }),
      `<w:p><w:pPr><w:pStyle w:val="Clause"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>${run('Without.')}</w:p>`,
    ];
    expect(await markdown({ body: body.join(''), lists, styles })).toBe(
      ['§ I Term', '§ II Termination', '§ 2 (1) One.', '§ 2 (2) Two.', 'Without.'].join('\n\n'),
    );
  });

  it('keeps lists that count as those of markdown do, and the numbers of all others', async () => {
    const lists = `<w:abstractNum w:abstractNumId="0">${level(0, '%1.')}${level(1, '%2)', '<w:numFmt w:val="lowerLetter"/>')}</w:abstractNum>${num(1, 0)}${num(2, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>')}`;
    const body = [
      item('One', 0),
      item('Deeper', 1),
      item('Two', 0),
      wordParagraph('Between'),
      item('Three', 0),
      item('Five', 0, 2),
      item('Six', 0, 2),
    ];
    expect(await markdown({ body: body.join(''), lists })).toBe(
      '1.  One\n    -   a) Deeper\n2.  Two\n\nBetween\n\n3\\. Three\n\n5\\. Five\n\n6\\. Six',
    );
  });

  it('holds the documents that are in it', async () => {
    const chunks = {
      'a.html': '<html><body><h2>Annex</h2><p>Fee of 7 €</p></body></html>',
      'b.txt': 'Plain words',
      'c.docx': documentOf({ body: wordParagraph('From inside') }),
      'd.bin': 'no',
      'e.rtf': "{\\rtf1\\ansi\\ansicpg1252 {\\b Rich} words of 5 \\'80\\par}",
      'f.mht': [
        'MIME-Version: 1.0',
        'Content-Type: multipart/related; type="text/html"; boundary="b0"',
        '',
        '--b0',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<html><body><h2>Saved</h2><p>R=C3=A4ume =3D 3</p></body></html>',
        '--b0',
        'Content-Type: image/png; name="a.png"',
        'Content-Transfer-Encoding: base64',
        '',
        'AAAA',
        '--b0--',
        '',
      ].join('\r\n'),
    };
    const body = [1, 2, 3, 4, 5, 6, 9].map((at) => `<w:altChunk r:id="rChunk${at}"/>`).join(wordParagraph('Between'));
    expect(await markdown({ body, chunks })).toBe(
      [
        '## Annex',
        'Fee of 7 €',
        'Between',
        'Plain words',
        'Between',
        'From inside',
        'Between',
        'Between',
        'Rich words of 5 €',
        'Between',
        '## Saved',
        'Räume = 3',
        'Between',
      ].join('\n\n'),
    );
  });
});

describe('the figures of a document', () => {
  it('are read in their places: charts, SmartArt and WordArt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-figures-'));
    try {
      const path = join(folder, 'a.docx');
      const frame = (inside: string): string =>
        `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
      const written = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
      const body = [
        wordParagraph('Above'),
        wordParagraph(frame('<c:chart r:id="rChart"/>')),
        wordParagraph('Between'),
        wordParagraph(frame('<dgm:relIds r:dm="rPoints"/>')),
        wordParagraph('<w:r><w:pict><v:shape><v:textpath string="Sale &amp; rent"/></v:shape></w:pict></w:r>'),
      ].join('');
      const chart = `<c:chartSpace><c:title>${written('Boats &amp; months')}</c:title><c:strCache><c:pt><c:v>Sailing</c:v></c:pt></c:strCache></c:chartSpace>`;
      const figures = {
        rChart: ['chart', chart],
        rPoints: ['diagramData', `<dgm:t>${written('Register')}${written('Pay')}</dgm:t>`],
      } as const;
      await writeFile(path, documentOf({ body, figures }));
      const { markdown, loss } = await extractDocx({ path, type: '', name: 'a.docx', limits: EXTRACTION_LIMITS });
      expect(markdown).toBe(['Above', 'Boats & months', 'Sailing', 'Between', 'Register', 'Pay', 'Sale & rent'].join('\n\n'));
      expect(loss).toBeNull();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a figure of a document', () => {
  it('is written once, however often and by however many relationships it is shown', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-figures-'));
    try {
      const path = join(folder, 'a.docx');
      const frame = (id: string): string =>
        `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
      const boats = ['chart', '<c:chartSpace><a:p><a:r><a:t>Boats</a:t></a:r></a:p></c:chartSpace>'] as const;
      const body = ['Above', ...['rChart', 'rCHART', 'rChart'].map(frame), 'Below'].map((inside) => wordParagraph(inside)).join('');
      // Two names of one part.
      await writeFile(path, documentOf({ body, figures: { rChart: boats, rCHART: boats } }));
      const { markdown, loss } = await extractDocx({ path, type: '', name: 'a.docx', limits: EXTRACTION_LIMITS });
      expect(markdown).toBe('Above\n\nBoats\n\nBelow');
      expect(loss).toBeNull();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a part of a document', () => {
  const none = { name: '', attributes: {}, attribute: () => undefined, reference: () => undefined };
  const written = (events: readonly string[]): string => {
    const rewriter = new WordRewriter({
      numbering: new Numbering(new Map(), new Map()),
      styles: new Map(),
      chunk: () => undefined,
      figure: () => [],
    });
    for (const event of events) {
      if (event.startsWith('/')) rewriter.close();
      else if (event.startsWith('=')) rewriter.text(event.slice(1));
      else rewriter.open({ ...none, name: event, written: `w:${event}` });
    }
    return rewriter.toString();
  };
  const around = (names: readonly string[], inside: readonly string[]): string[] => [...names, ...inside, ...names.map(() => '/')];
  const text = around(['p', 'r', 't'], ['=x']);
  const box = around(['p', 'r', 'AlternateContent', 'Choice', 'drawing', 'txbxContent'], text);

  it.each([
    ['boxes beside each other', (size: number) => Array.from({ length: size }, () => box).flat()],
    [
      'boxes of one drawing',
      (size: number) => around(['p', 'r', 'drawing'], Array.from({ length: size }, () => around(['txbxContent'], text)).flat()),
    ],
    ['runs of one paragraph', (size: number) => around(['p'], Array.from({ length: size }, () => around(['r', 't'], ['=x'])).flat())],
  ])('of %s is written in a time that grows with its length', (_, inside) => {
    expect(growth((size) => around(['document'], inside(size)), 500, written)).toBeLessThan(LINEAR);
  });
});

describe('numbers of lists', () => {
  it.each([
    [4, 'lowerRoman', 'iv'],
    [2, 'ganada', '나'],
    [15, 'ganada', '가가'],
    [3, 'chosung', 'ㄷ'],
    [3, 'arabicAlpha', 'ت'],
    [3, 'arabicAbjad', 'ج'],
    [3, 'irohaFullWidth', 'ハ'],
    [2, 'ideographZodiac', '丑'],
    [4, 'thaiLetters', 'ง'],
    [12, 'decimalFullWidth', '１２'],
    [15, 'hebrew1', 'טו'],
    [116, 'hebrew1', 'קטז'],
    [21, 'hebrew1', 'כא'],
    [1999, 'upperRoman', 'MCMXCIX'],
    [28, 'lowerLetter', 'bb'],
    [3, 'upperLetter', 'C'],
    [7, 'decimalZero', '07'],
    [11, 'ordinal', '11th'],
    [22, 'ordinal', '22nd'],
    [3, 'decimalEnclosedCircle', '③'],
    [10, 'chineseCounting', '十'],
    [105, 'japaneseCounting', '百五'],
    [4, 'russianLower', 'г'],
    [5, 'unknown', '5'],
    [1e9, 'lowerLetter', '1000000000'],
  ])('%d as %s', (count, format, expected) => expect(formatCount(count, format)).toBe(expected));
});

describe('raised text', () => {
  it.each([
    ['6', '10', '^6'],
    ['-3', '10', '^-3'],
    ['n+1', '2', '^(n+1)'],
    ['n', '2', '^n'],
    ['st', '1', 'st'],
    ['1', 'harbour.', '^1'],
    ['1', ' ', '1'],
    ['TM', 'Atrium', 'TM'],
  ])('%s behind %s', (text, before, expected) => expect(raisedText(text, before)).toBe(expected));
});
