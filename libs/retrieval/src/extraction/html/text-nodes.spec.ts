import { lossOf, SignCounts } from '../text/sign-counts';
import { countTextNodes } from './text-nodes';

describe('the words of the elements of a page', () => {
  it('are counted, also where one element holds very many others', async () => {
    const counts = new SignCounts('');
    await countTextNodes(`<title>No</title><p>One <b>two</b></p>${'<br>'.repeat(200_000)}<p hidden>No</p>`, counts);
    expect(lossOf(counts, 'One two')).toBeNull();
    expect(lossOf(counts, 'One')).not.toBeNull();
  });
});
