import { answer, nameThread } from './runs.jobs';

describe('the jobs of runs', () => {
  it('come before work in bulk where a person waits for the answer, and where nobody does they do not', () => {
    expect([answer.name, answer.awaited]).toEqual(['ai.run', true]);
    expect([nameThread.name, nameThread.awaited]).toEqual(['ai.title', false]);
  });
});
