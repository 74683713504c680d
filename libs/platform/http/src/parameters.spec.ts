import { ExistingId } from './parameters';

const answer = (value: string): unknown => {
  try {
    return new ExistingId().transform(value);
  } catch (error) {
    return error;
  }
};

describe('an id in a path', () => {
  it('is read in any case', () => {
    expect(answer('0197C6A2-7F00-7B1E-9F3A-0D4C8F1E2A3B')).toBe('0197c6a2-7f00-7b1e-9f3a-0d4c8f1e2a3b');
  });

  it.each([
    ['undefined', '"undefined" in the path is not an id. Ids are UUIDs; check where this one comes from.'],
    ['\u{1f6a2}'.repeat(400), `"${'\u{1f6a2}'.repeat(40)}" in the path`],
  ])('that is none is not found, and the message shows what was sent: %.12s', (value, detail) => {
    expect(answer(value)).toMatchObject({ code: 'not_found', detail: expect.stringContaining(detail) as string });
  });
});
