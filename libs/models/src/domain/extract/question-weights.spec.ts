import { QuestionWeights } from './question-weights';

const stems = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const SENTENCES = ['boat pilot', 'boat harbour', 'boat fee', 'boat crane'].map(stems);

describe('the weights of a question', () => {
  it('are higher for rare stems than for frequent ones', () => {
    const weights = new QuestionWeights(['boat', 'pilot'], SENTENCES);
    expect(weights.shareIn(stems('pilot'))).toBeGreaterThan(weights.shareIn(stems('boat')));
    expect(weights.shareIn(stems('pilot boat crane'))).toBe(1);
  });

  it('are for a stem that no sentence has those of the rarest, so that an answer without it is half of one', () => {
    const weights = new QuestionWeights(['pilot', 'portrait'], SENTENCES);
    expect(weights.shareIn(stems('boat pilot'))).toBe(0.5);
  });

  it('count a stem once, in whichever of several texts it is', () => {
    const weights = new QuestionWeights(['pilot', 'fee'], SENTENCES);
    expect(weights.shareIn(stems('pilot'), stems('pilot boat'))).toBe(0.5);
    expect(weights.shareIn(stems('pilot'), stems('fee'))).toBe(1);
  });

  it('are nothing without a question or without sentences', () => {
    expect(new QuestionWeights([], SENTENCES).shareIn(stems('boat'))).toBe(0);
    expect(new QuestionWeights(['boat'], []).shareIn(stems('boat'))).toBe(0);
  });
});
