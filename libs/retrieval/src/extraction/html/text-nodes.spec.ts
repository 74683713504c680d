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
});
