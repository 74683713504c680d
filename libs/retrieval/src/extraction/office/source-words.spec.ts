import { packageOf } from '../../../../platform/testing/src/archives/package-of';
import { Package } from '@atrium/platform/tabular';
import { growth, LINEAR } from '../../../../platform/testing/src/growth';
import { lossOf, SignCounts } from '../text/sign-counts';
import { sourceWords, TAG } from './source-words';

const wordsOf = async (xml: string, hidden?: ReadonlySet<string>): Promise<SignCounts> => {
  const pack = await Package.open(packageOf({ 'a.xml': xml }));
  const counts = await sourceWords(pack, ['a.xml', 'missing.xml'], hidden);
  pack.close();
  return counts ?? new SignCounts();
};
const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

const sign = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

describe('the words of an office part', () => {
  it.each([
    ['runs of one word', run('co') + run('operation'), 'cooperation'],
    ['entities', run('R&amp;D &#8364;&#x20AC; 5'), 'R&D 5'],
    ['equations', '<m:r><m:t>E=mc</m:t></m:r>', 'E mc'],
    [
      'alternatives once',
      `<mc:AlternateContent><mc:Choice>${run('one')}</mc:Choice><mc:Fallback>${run('one')}</mc:Fallback></mc:AlternateContent>`,
      'one',
    ],
    ['a stand-in for nothing', `<mc:AlternateContent><mc:Choice/><mc:Fallback>${run('one')}</mc:Fallback></mc:AlternateContent>`, 'one'],
    [
      'what is not hidden',
      run('a') + run('b', '<w:vanish/>') + run(' c', '<w:vanish w:val="0"/>') + run(' d', '<w:rStyle w:val="H"/>'),
      'a c',
    ],
    [
      'no readings and no earlier words',
      `<w:rt>${run('とう')}</w:rt>${run('東')}<w:moveFrom>${run('old')}</w:moveFrom><w:delText>gone</w:delText><w:del><m:r><m:t>x</m:t></m:r></w:del>`,
      '東',
    ],
    [
      'no results that another field reads',
      `${sign('begin')}${sign('begin')}${sign('separate')}${run('f')}${sign('end')}${sign('separate')}${run('Mrs')}${sign('end')}`,
      'Mrs',
    ],
    [
      'the names of a chart once',
      '<c:strCache><c:v>Berths</c:v></c:strCache><c:strCache><c:v>Berths</c:v></c:strCache><c:numCache><c:v>7</c:v></c:numCache>',
      'Berths',
    ],
    ['no numbers of slides', '<p:sp><p:ph type="sldNum"/><a:t>7</a:t></p:sp><p:sp><p:ph/><a:t>eight</a:t></p:sp>', 'eight'],
  ])('are of %s', async (_, xml, words) => {
    const found = await wordsOf(`<w:p>${xml}</w:p>`, new Set(['H']));
    expect(lossOf(found, words)).toBeNull();
    expect(found.total).toBe(new SignCounts(words).total);
  });

  it('tell what a text has lost', async () => {
    expect(lossOf(await wordsOf(`<w:p>${run('The fee is due')}</w:p>`), 'The is due')).toMatchObject({ share: 0.25 });
  });

  it.each(['<', '<a ', 'a', '<a b="', '<a>'])('are found in a time that grows with the part, also of %s', (piece) => {
    expect(
      growth(
        (size) => piece.repeat(size),
        1_000,
        (text) => [...text.matchAll(TAG)].length,
      ),
    ).toBeLessThan(LINEAR);
  });
});
