import { lossOf, SignCounts } from '../text/sign-counts';
import { countTextNodes } from './text-nodes';

describe('the words of the elements of a page', () => {
  it('are counted, also where one element holds very many others', async () => {
    const counts = new SignCounts('');
    await countTextNodes(`<title>No</title><p>One <b>two</b></p>${'<br>'.repeat(200_000)}<p hidden>No</p>`, counts, { around: true });
    expect(lossOf(counts, 'One two')).toBeNull();
    expect(lossOf(counts, 'One')).not.toBeNull();
  });

  it.each([
    [true, 'Mast Ketch Oar'],
    [false, 'Ketch'],
  ])('hold what is around the text of a page where that is text too: %s', async (around, words) => {
    const counts = new SignCounts('');
    const page = '<body><header>Mast</header><main>Ketch</main><div class="cookie-banner">Agree</div><footer>Oar</footer></body>';
    await countTextNodes(around ? page.replace('Agree', '') : page, counts, { around });
    expect(lossOf(counts, words)).toBeNull();
    expect(counts.total).toBe(words.split(' ').length);
  });

  it('are counted as the page is read where they are nested too deeply', async () => {
    const counts = new SignCounts('');
    await countTextNodes(`${'<div>'.repeat(250)}<button>Ketch</button>`, counts, { around: true });
    expect(counts.total).toBe(1);
    const begun = process.cpuUsage();
    await countTextNodes(`${'<div>'.repeat(300_000)}Ketch`, counts, { around: false });
    expect(process.cpuUsage(begun).user).toBeLessThan(10e6);
    expect(counts.total).toBe(2);
  });

  it('are all counted where what asks for consent, by its name, has too many elements for that', async () => {
    const words = async (elements: number): Promise<number> => {
      const counts = new SignCounts('');
      const inside = `<p>${'<i></i>'.repeat(99)}</p>`.repeat(elements / 100);
      await countTextNodes(`<div class="cookie-banner">${inside}Ketch</div>`, counts, { around: false });
      return counts.total;
    };
    expect([await words(1_000), await words(4_000)]).toEqual([0, 1]);
  });
});
