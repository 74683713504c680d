import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageOf, type PackageEntry } from '../../../../platform/testing/src/archives/package-of';
import { workbookOf } from '../../../../platform/testing/src/archives/workbook-of';
import { lossOf, SignCounts } from '../text/sign-counts';
import { workbookWords } from './workbook-words';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'atrium-workbook-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the words of a workbook', () => {
  it('are those of cells with text, in whatever part they are, as often as they are shown', async () => {
    const path = join(folder, 'a.xlsx');
    const rows =
      '<row><c t="s"><v>1</v></c><c t="s"><v>1</v></c><c><v>42</v></c><c s="1"/></row>' +
      '<row><c t="inlineStr"><is><r><t>in</t></r><r><t>line &amp; more</t></r></is></c><c t="str"><f>A1</f><v>made</v></c><c t="e"><v>#REF!</v></c></row>';
    const sharedTexts = ['unused', '<t>Berth_x000D_North</t><rPh><t>reading</t></rPh>'];
    await writeFile(path, workbookOf({ sheets: [{ name: 'A', rows }], sharedTexts }));
    const found = await workbookWords(path, 'spreadsheet', 1_000_000);
    const words = 'Berth North Berth North inline more made';
    expect(found && lossOf(found, words)).toBeNull();
    expect(found?.total).toBe(new SignCounts(words).total);
  });

  const links = (...targets: readonly (readonly [kind: string, target: string])[]): string =>
    `<Relationships>${targets.map(([kind, target], at) => `<Relationship Id="r${at}" Type="x/${kind}" Target="${target}"/>`).join('')}</Relationships>`;

  it('are those of a drawing once, however many relationships lead to it', async () => {
    const path = join(folder, 'b.xlsx');
    const targets = Array.from({ length: 1_000 }, (_, at) => ['drawing', `../drawings/${at % 2 === 0 ? 'box' : 'BOX'}.xml`] as const);
    const others = {
      'xl/worksheets/_rels/sheet1.xml.rels': links(...targets),
      'xl/drawings/box.xml': '<xdr:sp><a:p><a:r><a:t>North quay</a:t></a:r></a:p></xdr:sp>',
    };
    const rows = '<row><c t="inlineStr"><is><t>Berth</t></is></c></row>';
    await writeFile(path, workbookOf({ sheets: [{ name: 'A', rows }], others }));
    expect((await workbookWords(path, 'spreadsheet', 1_000_000))?.total).toBe(3);
  });

  it('are not counted where its drawings are too large together', async () => {
    const path = join(folder, 'c.xlsx');
    const drawing = (name: string): PackageEntry => ({ name, content: randomBytes(300_000), declaredSize: 40_000_000 });
    const entries = [
      { name: '_rels/.rels', content: links(['officeDocument', 'xl/workbook.xml']) },
      { name: 'xl/_rels/workbook.xml.rels', content: links(['worksheet', 'sheet.xml']) },
      { name: 'xl/sheet.xml', content: '<worksheet/>' },
      { name: 'xl/_rels/sheet.xml.rels', content: links(['drawing', 'a.xml'], ['drawing', 'b.xml']) },
      drawing('xl/a.xml'),
      drawing('xl/b.xml'),
    ];
    await writeFile(path, packageOf(entries));
    expect(await workbookWords(path, 'spreadsheet', 200_000_000)).toBeUndefined();
  });
});
