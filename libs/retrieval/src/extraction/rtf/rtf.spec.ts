import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile } from '../extract';
import { EXTRACTION_LIMITS, type ExtractedText } from '../extracted-text';
import { RtfText } from './rtf-text';
import { readRtf } from './rtf-tokens';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-rtf-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (inside: string | Buffer, maxMarkdown = EXTRACTION_LIMITS.maxMarkdown): Promise<ExtractedText> => {
  const path = join(folder, 'original');
  const bytes = typeof inside === 'string' ? Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${inside}}`, 'latin1') : inside;
  await writeFile(path, bytes);
  return extractFile({ path, type: 'application/rtf', name: 'a.rtf', limits: { ...EXTRACTION_LIMITS, maxMarkdown } });
};

describe('a rich text', () => {
  it('keeps headings, paragraphs, lists, links, notes and what it says of itself', async () => {
    const found = await read(
      String.raw`{\fonttbl{\f0 Times;}}{\stylesheet{Normal;}{\s1\outlinelevel0 heading 1;}{\s2 heading 2;}}{\info{\title The report}{\author A. Author}}
\pard\s1 First part\par\pard\plain Some {\b bold} words\line next line\par
\pard\s2 Deeper\par
\pard{\listtext\'b7\tab}One\par{\listtext\'b7\tab}Two\par
\pard{\listtext 3.\tab}Three\par\pard{\listtext 2.1\tab}A clause\par
\pard See {\field{\*\fldinst{HYPERLINK "https://example.org/a"}}{\fldrslt{the site}}} now{\super\chftn{\footnote\pard\chftn The source.}}.\par`,
    );
    expect(found.markdown).toBe(
      [
        '# First part',
        'Some bold words  \nnext line',
        '## Deeper',
        '-   One\n-   Two',
        '3.  Three',
        '2.1 A clause',
        'See [the site](https://example.org/a) now[^1].',
        '[^1]: The source.',
      ].join('\n\n'),
    );
    expect(found).toMatchObject({ status: 'ready', engine: 'rtf/1', metadata: { title: 'The report', author: 'A. Author' } });
  });

  it('reads its letters by the code page of the document, of the font, and as Unicode', async () => {
    const found = await read(
      String.raw`{\fonttbl{\f0 Times;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}}\pard Gr\'f6\'dfe \f1\'cf\'f0\'e8\'e2\'e5\'f2\f2 \'93\'fa\'96\'7b\f0  \u8364?5 {\uc2\u26085??\u26412\'93\'fa}\u55357?\u56832? \emdash\~x\par`,
    );
    expect(found.markdown).toBe('Größe Привет日本 €5 日本😀 —\u00a0x');
  });

  it('keeps raised signs apart from what they stand behind', async () => {
    const found = await read(String.raw`\pard 10{\super 6} units, 1010{\sub 2}, H{\sub 2}O, 1{\super st}, m\super 2\nosupersub  each\par`);
    expect(found.markdown).toBe('10^6 units, 1010_2, H2O, 1st, m^2 each');
  });

  it('says which boxes are ticked, and what was chosen', async () => {
    const field = (name: string, form: string): string => String.raw`{\field{\*\fldinst ${name} {\*\formfield{${form}}}}{\fldrslt }}`;
    const box = (words: string): string => field('FORMCHECKBOX', String.raw`\fftype1${words}{\*\ffname Check}`);
    const list = field('FORMDROPDOWN', String.raw`\fftype2\ffres1{\*\ffname List}{\*\ffl North}{\*\ffl S\'fcd}`);
    const hidden = String.raw`{\v ${box(String.raw`\ffres1`)}}{\header ${box(String.raw`\ffres1`)}}`;
    const found = await read(
      String.raw`\pard ${box(String.raw`\ffres1`)} Crane\par ${box(String.raw`\ffres25\ffdefres1`)} Pilot\par ${box(String.raw`\ffres0\ffdefres1`)} Power\par ${list} pier${hidden}\par`,
    );
    expect(found.markdown).toBe('[x] Crane\n\n[x] Pilot\n\n[ ] Power\n\nSüd pier');
  });

  it('takes raised text that is written in pieces for one', async () => {
    expect((await read(String.raw`\pard 10{\super \u8722?6} m\par`)).markdown).toBe('10^-6 m');
    expect((await read(String.raw`\pard 10{\super 1}{\super 2} m\par{\super 4}\par x{\super 2}\line y\par`)).markdown).toBe(
      '10^12 m\n\n4\n\nx^2  \ny',
    );
    const text = new RtfText(10_000);
    readRtf(Buffer.from(String.raw`{\rtf1\super ${String.raw`a\b0 `.repeat(1_000)}}`), text);
    expect(text.end()).toBe(`<p><sup>${'a'.repeat(1_000)}</sup></p>`);
  });

  it.each([
    ['1/2', String.raw`{\mf{\mfPr{\mctrlPr\i\f0 }}{\mnum{\mr\mscr0\msty2\f0 1}}{\mden{\mr 2}}}`],
    ['10^6', String.raw`{\msSup{\me{\mr 1}{\mr 0}}{\msup{\mr 6}}}`],
    ['2 1/2', String.raw`{\mr 2}{\mf{\mnum{\mr 1}}{\mden{\mr 2}}}`],
    ['∑\\_(i=1) i', String.raw`{\mnary{\mnaryPr{\mchr \u8721?}{\mlimLoc undOvr}{\msupHide on}}{\msub{\mr i=1}}{\msup}{\me{\mr i}}}`],
  ])('writes the equation %s in a line', async (line, equation) => {
    const found = await read(String.raw`\pard If {\mmath{\*\moMath${equation}}} holds\par`);
    expect(found).toMatchObject({ markdown: `If ${line} holds`, loss: null });
  });

  it('keeps the numbers of an equation apart from those beside it', async () => {
    const half = String.raw`{\*\moMath{\mf{\mnum{\mr 1}}{\mden{\mr 2}}}}`;
    const found = await read(String.raw`\pard Take 2${half}0 cups{\deleted ${half}}, 3{\super 2}${half}\par`);
    expect(found.markdown).toBe('Take 2 1/2 0 cups, 3^2 1/2');
  });

  it('reads equations that are nested deeply', async () => {
    const deep = `${String.raw`{\msSup{\me{\mr x}}{\msup`.repeat(600)}${'}}'.repeat(600)}`;
    expect((await read(String.raw`\pard {\*\moMath${deep}}\par`)).markdown).toMatch(/^x\^\(x\^\(x/);
  });

  it('keeps boxes of text behind the paragraphs that they are anchored in', async () => {
    const box = String.raw`{\shp{\*\shpinst{\shptxt \pard In the box\par}}}`;
    const found = await read(String.raw`\pard Before ${box}after\par Next${box}\par Last`);
    expect(found.loss).toBeNull();
    expect(found.markdown).toBe('Before after\n\nIn the box\n\nNext\n\nIn the box\n\nLast');
  });

  it('keeps tables', async () => {
    const row = (...cells: string[]): string =>
      String.raw`\trowd\cellx1\cellx2 ${cells.map((cell) => String.raw`\pard\intbl ${cell}\cell`).join('')}\row`;
    const found = await read(String.raw`\pard Before\par ${row('Name', 'Price')}${row(String.raw`Chair\par oak`, '120')}\pard After\par`);
    expect(found.markdown).toBe('Before\n\n| Name | Price |\n| --- | --- |\n| Chair<br>oak | 120 |\n\nAfter');
  });

  it('loses what was deleted, is hidden, or is no text', async () => {
    const found = await read(
      String.raw`{\header Head}{\*\generator Riched20;}\pard Kept {\deleted gone}{\v secret}{\pict\pngblip 89504e47}{\object{\*\objdata 0102}{\result shown}}{\xe index}{\*\annotation note}\bin4 {{{{\pard x\par`,
    );
    expect(found.markdown).toBe('Kept shownx');
  });

  it('that is cut off, too deep or too long is its beginning, or refused', async () => {
    expect(await read(Buffer.from('{\\rtf1 some words {\\b and'))).toMatchObject({ status: 'ready', markdown: 'some words and' });
    expect(await read('{'.repeat(100_000))).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('nested too deeply') as string,
    });
    expect(await read(`\\pard ${'word '.repeat(100)}`, 22)).toMatchObject({ truncated: true, markdown: 'word word word word' });
    expect(await read('{\\*\\generator x;}\\pard\\par')).toMatchObject({ status: 'empty' });
    const before = process.cpuUsage();
    await read('\\u1?\\par{\\v}'.repeat(20_000), 1_000_000);
    expect(process.cpuUsage(before).user).toBeLessThan(10e6);
  });
});
