import { drawPicture } from '../../../../platform/testing/src/pictures';
import { drawingCost, drawnScale, VECTOR_BUDGET } from './svg-budget';

const svg = (content: string, attributes = 'width="1000" height="1000"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const filtered = (primitives: string, attributes?: string): string =>
  svg(`<filter id="f">${primitives}</filter><rect width="100%" height="100%" filter="url(#f)"/>`, attributes);
/** Each group draws the one below it ten times. */
const tower = (floors: number): string =>
  svg(
    `<defs><g id="a0"><rect width="5" height="5"/></g>${Array.from({ length: floors }, (_, at) => `<g id="a${at + 1}">${`<use xlink:href="#a${at}"/>`.repeat(10)}</g>`).join('')}</defs><use xlink:href="#a${floors}"/>`,
  );
const isRefused = async (drawing: string): Promise<boolean> => {
  const { elements, nanoseconds } = await drawingCost(drawing);
  return elements > VECTOR_BUDGET.elements || nanoseconds > VECTOR_BUDGET.nanoseconds;
};

describe('what a drawing costs', () => {
  it('counts what is drawn once every reference is followed', async () => {
    expect((await drawingCost(svg('<rect/><rect/>'))).elements).toBe(3);
    const [two, three, twelve] = [await drawingCost(tower(2)), await drawingCost(tower(3)), await drawingCost(tower(12))];
    expect(two.elements).toBeGreaterThan(100);
    expect(three.elements / two.elements).toBeCloseTo(10, 0);
    expect(twelve.elements).toBeGreaterThan(1e12);
  });

  it.each<[string, string]>([
    ['turbulence of many octaves', filtered('<feTurbulence numOctaves="100" baseFrequency=".1"/>')],
    ['a wide morphology', filtered('<feMorphology radius="200"/>')],
    [
      'a morphology made wide by a transform',
      svg(
        '<filter id="f"><feMorphology radius=".1"/></filter><g transform="scale(1000)"><rect width="1" height="1" filter="url(#f)"/></g>',
      ),
    ],
    [
      'a morphology measured by what it is on',
      svg(
        '<filter id="f" primitiveUnits="objectBoundingBox"><feMorphology radius=".5"/></filter><rect width="900" height="900" filter="url(#f)"/>',
      ),
    ],
    ['a large convolution', filtered(`<feConvolveMatrix order="100" kernelMatrix="${'1 '.repeat(10_000)}"/>`)],
    ['many blurs', filtered('<feGaussianBlur stdDeviation="50"/>'.repeat(100))],
    [
      'blurs of a style sheet, written in numbers',
      svg(
        `<style>.a, rect:hover { f\\69lter: u\\72l(#f) }</style><filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(9)}</filter>${'<rect class="b" width="9%" height="9"/>'.repeat(20)}`,
      ),
    ],
    ['filters by name', svg('<g style="filter:blur(9px) blur(9px)"/>'.repeat(100))],
    ['a tower of uses', tower(9)],
    [
      'a tower of patterns',
      svg(
        `${Array.from({ length: 9 }, (_, at) => `<pattern id="p${at + 1}" width="9" height="9">${`<rect width="9" height="9" fill="url(#p${at})"/>`.repeat(10)}</pattern>`).join('')}<pattern id="p0"><rect/></pattern><rect fill="url(#p9)"/>`,
      ),
    ],
    [
      'a pattern that much inherits',
      svg(`<pattern id="p">${'<rect/>'.repeat(2000)}</pattern><g fill="url(#p)">${'<rect/>'.repeat(2000)}</g>`),
    ],
    [
      'markers on every point',
      svg(`<marker id="m">${'<path d="M0 0"/>'.repeat(100)}</marker><path marker-mid="url(#m)" d="M0 0${'L1 1'.repeat(5000)}"/>`),
    ],
    [
      'masks within masks',
      svg(
        `${Array.from({ length: 9 }, (_, at) => `<mask id="m${at + 1}">${`<rect mask="url(#m${at})"/>`.repeat(10)}</mask>`).join('')}<mask id="m0"><rect/></mask><rect mask="url(#m9)"/>`,
      ),
    ],
    [
      'a picture fed into a filter again and again',
      filtered(Array.from({ length: 40 }, () => '<feImage href="#tower"/>').join('')).replace(
        '</svg>',
        `${'<g id="tower">'}${'<rect/>'.repeat(20_000)}</g></svg>`,
      ),
    ],
    ['one endless line of text', svg(`<text>${'word '.repeat(10_000)}</text>`)],
    ['elements within elements', svg('<g>'.repeat(100_000))],
    ['rules for every element', svg(`<style>${'a b{fill:red}'.repeat(3000)}</style>${'<g/>'.repeat(30_000)}`)],
  ])('is too much for %s', async (_, drawing) => {
    expect(await isRefused(drawing)).toBe(true);
  });

  it('adds up the pictures within, by what their headers say', async () => {
    const picture = (await drawPicture({ width: 3000, height: 3000, format: 'png' })).toString('base64');
    const shown = (times: number): string => svg(`<image href="data:image/png;base64,${picture}"/>`.repeat(times));
    expect(await isRefused(shown(1))).toBe(false);
    expect(await isRefused(shown(8))).toBe(true);
  }, 60_000);

  it.each<[string, string]>([
    ['a map of many shapes', svg('<path d="M0 0h4v4z" fill="#eee"/>'.repeat(20_000))],
    [
      'an icon of sprites',
      svg('<symbol id="s" viewBox="0 0 9 9"><path d="M0 0h9"/></symbol><use href="#s"/><use href="#s"/>', 'viewBox="0 0 24 24"'),
    ],
    [
      'cards with shadows of their own size',
      svg(
        Array.from(
          { length: 60 },
          (_, at) =>
            `<g filter="url(#f${at})"><rect width="90" height="60"/></g><filter id="f${at}" x="0" y="0" width="110" height="80" filterUnits="userSpaceOnUse"><feFlood/><feColorMatrix/><feMorphology radius="2"/><feOffset dy="4"/><feGaussianBlur stdDeviation="4"/><feBlend/></filter>`,
        ).join(''),
        'width="1440" height="1024" viewBox="0 0 1440 1024"',
      ),
    ],
    ['a soft shadow under a drawing', filtered('<feGaussianBlur stdDeviation="8"/><feOffset dx="4"/><feMerge><feMergeNode/></feMerge>')],
    ['pages of labels', svg(Array.from({ length: 2000 }, (_, at) => `<text y="${at}">Label ${at}</text>`).join(''))],
    [
      'what refers to itself',
      svg('<pattern id="p" href="#q"/><pattern id="q" href="#p"/><g id="a"><use href="#a"/><rect fill="url(#p)"/></g>'),
    ],
    ['markup that is broken', '<svg xmlns="http://www.w3.org/2000/svg"><g><rect</svg'],
  ])('is fair for %s', async (_, drawing) => {
    expect(await isRefused(drawing)).toBe(false);
  });

  it('is that of the size it is drawn in, not of the one it says', () => {
    expect([drawnScale(100, 50), drawnScale(20_000, 10)]).toEqual([1, 0.1]);
  });
});
