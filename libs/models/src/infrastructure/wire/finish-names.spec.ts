import { finishOf } from './finish-names';

describe('how an answer ended', () => {
  it.each([
    ['stop', 'stop'],
    ['END_TURN', 'stop'],
    ['some_new_end', 'stop'],
    ['max-tokens', 'length'],
    ['SAFETY', 'content_filter'],
    ['tool_use', 'tool_calls'],
    ['timeout', 'error'],
    ['TIMED_OUT', 'error'],
    ['OTHER', 'error'],
    ['ERROR_LIMIT', 'error'],
    ['overloaded', 'error'],
    ['internal_error', 'error'],
    ['request_cancelled', 'error'],
    ['repetition_truncation', 'length'],
    ['time_limit', 'length'],
    ['IMAGE_SAFETY', 'content_filter'],
    ['MALFORMED_RESPONSE', 'error'],
    ['FINISH_REASON_UNSPECIFIED', null],
    ['none', null],
    ['', null],
    [null, null],
  ])('%j is %s', (name, finish) => {
    expect(finishOf(name)).toBe(finish);
  });
});
