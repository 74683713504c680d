import { PRESENT_MS, shownNow } from './presence';

const SIGNED = Date.parse('2026-11-25T12:00:00.000Z');
const sign = (tp_state: 'viewing' | 'typing') => ({ tp_state, tp_until: new Date(SIGNED + PRESENT_MS).toISOString() });
const after = (milliseconds: number) => new Date(SIGNED + milliseconds);

describe('somebody who gave a sign', () => {
  it('types for six seconds, and has the thread open for the rest of half a minute', () => {
    expect(shownNow(sign('typing'), after(0))).toEqual({ state: 'typing', changesMs: 6_000 });
    expect(shownNow(sign('typing'), after(5_999))).toEqual({ state: 'typing', changesMs: 1 });
    expect(shownNow(sign('typing'), after(6_000))).toEqual({ state: 'viewing', changesMs: 24_000 });
  });

  it('has the thread open for half a minute', () => {
    expect(shownNow(sign('viewing'), after(0))).toEqual({ state: 'viewing', changesMs: 30_000 });
    expect(shownNow(sign('viewing'), after(29_000))).toEqual({ state: 'viewing', changesMs: 1_000 });
  });
});
