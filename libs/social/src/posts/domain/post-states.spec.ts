import { assertMove, isAllowed, listMoves, outcomeOf, POST_STATES, POST_TABLE, VARIANT_TABLE } from './post-states';

describe('the states of a post', () => {
  it('allow these moves and no others', () => {
    expect(Object.fromEntries(POST_STATES.map((state) => [state, listMoves(state)]))).toEqual({
      draft: ['edit', 'schedule', 'publish', 'cancel'],
      in_review: ['edit', 'cancel'],
      approved: ['edit', 'schedule', 'publish', 'cancel'],
      scheduled: ['edit', 'schedule', 'unschedule', 'publish', 'cancel'],
      publishing: [],
      published: [],
      partial: ['retry'],
      failed: ['edit', 'retry', 'cancel'],
      cancelled: ['edit'],
    });
  });

  it('name the state and what is possible in a refusal', () => {
    expect(() => assertMove('partial', 'cancel')).toThrow('The post is partial and cannot be cancelled. Possible now: retry.');
    expect(() => assertMove('publishing', 'edit')).toThrow('The post is publishing and cannot be edited. Nothing can be changed now.');
    expect(isAllowed('draft', 'retry')).toBe(false);
  });

  it('end a publishing post by its variants, when all of them have ended', () => {
    expect(outcomeOf(['published', 'sending'])).toBeNull();
    expect(outcomeOf(['published', 'unknown'])).toBeNull();
    expect(outcomeOf(['published', 'deleted'])).toBe('published');
    expect(outcomeOf(['published', 'failed'])).toBe('partial');
    expect(outcomeOf(['failed', 'failed'])).toBe('failed');
  });

  it('never send a variant again whose outcome is unknown', () => {
    expect(VARIANT_TABLE.allows('unknown', 'sending')).toBe(false);
    expect(POST_TABLE.isFinal('published')).toBe(true);
  });
});
