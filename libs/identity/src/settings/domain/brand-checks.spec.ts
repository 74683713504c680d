import { wholeBrand, type BrandFacts } from './brand';
import { checkBrand } from './brand-checks';

const checks = (facts: BrandFacts, widths: [string, number | 'any'][] = []) => checkBrand(wholeBrand(facts), new Map(widths));
const level = (text: string, background: string) => {
  const [check] = checks({
    colors: [
      { key: 't', hex: text, role: 'text' },
      { key: 'b', hex: background, role: 'background' },
    ],
  }).contrast;
  return [check?.ratio, check?.level];
};

describe('the contrast of a text', () => {
  it('is that of WCAG, judged before it is rounded', () => {
    expect(level('#000000', '#ffffff')).toEqual([21, 'AAA']);
    expect(level('#777777', '#ffffff')).toEqual([4.48, 'AA-large']);
    expect(level('#767676', '#FFFFFF')).toEqual([4.54, 'AA']);
    expect(level('#595959', '#ffffff')).toEqual([7, 'AAA']);
    expect(level('#959595', '#ffffff')).toEqual([3, 'fail']);
    expect(level('#ffffff', '#ffffff')).toEqual([1, 'fail']);
  });

  it('is of the colours as they are seen: an opacity lets the ground through, and white is below all', () => {
    expect(level('#00000000', '#336699')).toEqual([1, 'fail']);
    expect(level('#000000', '#00000000')).toEqual([21, 'AAA']);
    expect(level('#000000ff', '#ffffffff')).toEqual([21, 'AAA']);
  });

  it('is reported for text on backgrounds and surfaces, nothing else', () => {
    const color = (key: string, role: 'text' | 'background' | 'surface' | 'primary') => ({ key, hex: '#123456', role });
    const { contrast } = checks({ colors: [color('a', 'text'), color('b', 'primary'), color('c', 'surface'), color('d', 'background')] });
    expect(contrast.map(({ text, background }) => `${text} on ${background}`)).toEqual(['a on c', 'a on d']);
  });
});

describe('fonts and logos', () => {
  it('lack a weight that their role is set in; without any named they are regular', () => {
    const font = (role: 'heading' | 'body' | 'mono', weights?: number[]) => ({
      role,
      family: 'Inter',
      source: 'web' as const,
      ...(weights ? { weights } : {}),
    });
    expect(checks({ fonts: [font('body'), font('heading'), font('mono'), font('body', [400, 700])] }).fonts).toEqual([
      { role: 'body', family: 'Inter', missing_weights: [700] },
      { role: 'heading', family: 'Inter', missing_weights: [700] },
    ]);
  });

  it('are reported when narrower than they ask for, or when nobody knows how wide they are', () => {
    const logo = (file_id: string, min_width_px?: number) => ({
      role: 'primary' as const,
      file_id,
      ...(min_width_px ? { min_width_px } : {}),
    });
    const { logos } = checks({ logos: [logo('a', 100), logo('b', 100), logo('c', 100), logo('d', 100), logo('e')] }, [
      ['a', 99],
      ['b', 100],
      ['c', 'any'],
    ]);
    expect(logos.map(({ file_id, width_px }) => [file_id, width_px])).toEqual([
      ['a', 99],
      ['d', null],
    ]);
  });
});
