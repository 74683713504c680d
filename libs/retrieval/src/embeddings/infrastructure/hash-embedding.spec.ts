import { HashEmbedding } from './hash-embedding';

describe('the built-in embedding of many texts', () => {
  const texts = Array.from({ length: 24 }, (_, at) => `Rope ${at} of the harbour`);

  it('lets others have their turn in between', async () => {
    const embedding = new HashEmbedding();
    await embedding.embedTexts(['The first text loads the stemmers.']);
    let turns = 0;
    let over = false;
    const other = (): void => {
      turns += 1;
      if (!over) setImmediate(other);
    };
    setImmediate(other);
    // Each text takes longer than a turn may.
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 30));
    await embedding.embedTexts(texts);
    clock.mockRestore();
    over = true;
    expect(turns).toBeGreaterThanOrEqual(texts.length - 1);
  });

  it('answers each in its place, as if it were alone', async () => {
    const embedding = new HashEmbedding();
    const alone = await Promise.all(texts.map(async (text) => (await embedding.embedTexts([text]))[0]));
    expect(await embedding.embedTexts(texts)).toEqual(alone);
  });
});
