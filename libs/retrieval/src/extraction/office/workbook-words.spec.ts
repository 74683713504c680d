import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
});
